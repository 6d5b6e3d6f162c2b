"""What a document brings to its segment: its words with their weights, its names, and what it adds to the totals."""

from __future__ import annotations

import json
from array import array
from dataclasses import dataclass

from kb.search.document import json_bytes

HEAD = json.JSONDecoder().raw_decode


@dataclass(frozen=True, slots=True)
class Terms:
    """The words of a document (`text`) with their weights; by field, what else it is found by (`names`); the words it knows with how much
    they count, those it bears as a card's name and those of the cards it is `about`; and whether it `counts` among its game's entries."""

    game: str
    counts: bool
    names: dict[str, list[str]]
    text: dict[str, float]
    known: dict[str, int]
    bears: list[str]
    about: list[str]

    def packed(self) -> bytes:
        """The terms as `unpacked` reads them. Words and figures lie in blocks: of thousands of documents JSON's would take seconds."""
        words = "\n".join((*self.text, *self.known)).encode("utf-8")
        head = [self.game, self.counts, self.names, self.bears, self.about, len(self.text), len(words)]
        blocks = (array("d", self.text.values()), array("I", self.known.values()))
        return b"".join((json_bytes(head), b"\n", words, *(block.tobytes() for block in blocks)))

    @classmethod
    def unpacked(cls, data: bytes) -> Terms:
        """The terms that were packed."""
        head, _, rest = data.partition(b"\n")
        game, counts, names, bears, about, size, length = HEAD(head.decode("utf-8"))[0]
        words, weights, often = rest[:length].decode("utf-8").split("\n"), array("d"), array("I")
        weights.frombytes(rest[length : (end := length + size * weights.itemsize)])
        often.frombytes(rest[end:])
        return cls(
            game, counts, names, dict(zip(words, weights)), dict(zip(words[size:], often)), bears, about  # noqa: B905
        )  # fmt: skip
