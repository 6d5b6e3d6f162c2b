"""Many texts in little room: packed in memory, and as bytes to be kept in a file."""

from __future__ import annotations

import json
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from itertools import accumulate

BLOCK = 32_000
"""Bytes that are packed together: much larger ones take long to unpack for one text in them, smaller ones take more room."""
BLOCKS = 64
"""How many blocks are kept unpacked."""


class Texts:
    """Texts, packed as they are added; each is told by its number."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._blocks: list[bytes] = []
        self._firsts, self._ends = array("L"), array("L")
        self._open = bytearray()
        self._begun = False
        self._block = lru_cache(BLOCKS)(partial(unpacked, self._blocks))
        for text in texts:
            self.add(text)
        self.close()

    def __len__(self) -> int:
        return len(self._ends)

    def add(self, text: str) -> None:
        """Add a text."""
        if not self._begun:
            self._begun = True
            self._firsts.append(len(self._ends))
        self._open += text.encode("utf-8", "surrogatepass")
        self._ends.append(len(self._open))
        if len(self._open) >= BLOCK:
            self.close()

    def close(self) -> None:
        """Pack what was added last: until then it cannot be asked for."""
        if self._begun:
            self._blocks.append(zlib.compress(self._open, 1))
            self._open, self._begun = bytearray(), False

    def __getitem__(self, number: int) -> str:
        at = bisect_right(self._firsts, number) - 1
        begin = self._ends[number - 1] if number > self._firsts[at] else 0
        return self._block(at)[begin : self._ends[number]].decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        return (self[number] for number in range(len(self)))

    def told(self) -> bytes:
        """The texts as bytes."""
        head = [list(map(len, self._blocks)), self._firsts.tolist(), self._ends.tolist()]
        return b"\n".join((json.dumps(head).encode(), b"".join(self._blocks)))

    @classmethod
    def of(cls, told: bytes) -> Texts:
        """The texts that were told. Raises ValueError and TypeError for bytes of another make."""
        head, mark, packed = told.partition(b"\n")
        sizes, firsts, ends = json.loads(head)
        found = cls()
        found._firsts, found._ends = array("L", firsts), array("L", ends)
        places = list(accumulate(sizes, initial=0))
        if not mark or len(firsts) != len(sizes) or places[-1] != len(packed):
            raise ValueError("these are not packed texts")
        found._blocks += [packed[at : at + size] for at, size in zip(places, sizes, strict=False)]
        return found


def unpacked(blocks: list[bytes], number: int) -> bytes:
    """One of the blocks. It does not know the texts, which go at once when nobody has them any more."""
    return zlib.decompress(blocks[number])
