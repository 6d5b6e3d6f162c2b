"""Writes an export from an older one, where nothing but the texts of some entries is otherwise."""

from __future__ import annotations

import json
import shutil
from collections import deque
from collections.abc import Collection, Container, Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import cast

from kb.catalog.reader import Catalog
from kb.decks.games import checks_by_entry
from kb.export.changes import INDEX, LARGEST
from kb.export.gather import exported
from kb.export.shapes import IndexFileJson
from kb.export.write import compact, entry_file
from kb.files.inside import NewFolder, OutsideError
from kb.files.named import named
from kb.files.read import read_bounded
from kb.files.same import is_own_file, same_file

PIECE = 1 << 20
"""Bytes of a file that are held at once."""


class _OtherwiseError(Exception):
    """The older export is not as it was written."""


def write_again(
    catalog: Catalog, before: Path, digest: str, changed: Collection[str], folder: Path, there: Container[str] = ()
) -> IndexFileJson | None:
    """Write into the new folder `folder` the export that lies in `before`, with the texts of the entries `changed` as they are now.

    `digest` is the SHA-256 of its index, which holds those of all other files: what is not, byte for byte, as it was written is not
    taken for it. Files `there` surely are, and are left out where they stay. The answer is the new index; None, and no folder, when the
    export is to be written whole.
    """
    try:
        return Again(before, digest, folder).write(catalog, changed, there)
    except (_OtherwiseError, OutsideError, OSError):
        shutil.rmtree(folder, ignore_errors=True)
        return None


class Again:
    """An export that is written from another."""

    def __init__(self, before: Path, digest: str, folder: Path) -> None:
        """Begin in the new folder `folder`. Raises _OtherwiseError and OSError."""
        folder.mkdir(parents=True)
        self._before, self._folder = before, NewFolder(folder)
        self._index = cast(IndexFileJson, json.loads(self._checked(INDEX, digest)))

    def write(self, catalog: Catalog, changed: Collection[str], there: Container[str]) -> IndexFileJson:
        """Write all files that are not `there`; returns the index. Raises _OtherwiseError, OutsideError and OSError."""
        files = self._index["files"]
        of_game: dict[str, list[str]] = {}
        for entry_id in sorted(changed):
            of_game.setdefault(f"games/{entry_id.partition('/')[0]}.json", []).append(entry_id)
        for game, ids in of_game.items():
            if game not in files:
                raise _OtherwiseError
            self._game(game, ids, catalog)
        anew = {*of_game, *(f"entries/{entry_id}.json" for entry_id in changed)}
        for name, digest in files.items():
            if name not in anew and name not in there:
                self._take(name, digest)
        self._put(INDEX, [f"{compact(self._index)}\n".encode()])
        return self._index

    def _game(self, game: str, ids: Collection[str], catalog: Catalog) -> None:
        """Write the files of the entries `ids` anew, and that of their game: the largest of an export, which is never whole in memory."""
        files, cited, anew = self._index["files"], checks_by_entry(), {}
        head, _, end = entry_file("\0").encode().partition(b"\0")
        for entry_id in ids:
            entry = catalog.entry(entry_id)
            if entry is None or (name := f"entries/{entry_id}.json") not in files:
                raise _OtherwiseError
            before = self._checked(name, files[name]).removeprefix(head).removesuffix(end)
            anew[before] = compact(exported(catalog, entry, cited.get(entry_id, ()))).encode("utf-8")
            self._put(name, (head, anew[before], end))
        places = places_in(self._pieces(game, files[game]), anew)
        if places.keys() != anew.keys():
            raise _OtherwiseError
        others = sorted((at, at + len(before), anew[before]) for before, at in places.items())
        self._put(game, exchanged(self._pieces(game, files[game]), others))

    def _pieces(self, name: str, digest: str) -> Iterator[bytes]:
        """A file as it was, a piece at a time. Raises _OtherwiseError, at the end as well, where it is not as it was written."""
        path, found = self._before / name, sha256()
        if not is_own_file(path):
            raise _OtherwiseError
        with path.open("rb") as file:
            while piece := file.read(PIECE):
                found.update(piece)
                yield piece
        if found.hexdigest() != digest:
            raise _OtherwiseError

    def _checked(self, name: str, digest: str) -> bytes:
        path = self._before / name
        data = b"" if path.is_symlink() else read_bounded(path, LARGEST)
        if sha256(data).hexdigest() != digest:
            raise _OtherwiseError
        return data

    def _take(self, name: str, digest: str) -> None:
        """Let a file be the older one, which is looked at where nobody else can swap it for another."""
        old, new = self._before / name, self._folder.path(name)
        if not is_own_file(old):
            raise _OtherwiseError
        same_file(old, new)
        if sha256(new.read_bytes()).hexdigest() != digest:
            raise _OtherwiseError

    def _put(self, name: str, pieces: Iterable[bytes]) -> None:
        digest = sha256()
        with named(path := self._folder.path(name)), path.open("wb") as file:
            for piece in pieces:
                file.write(piece)
                digest.update(piece)
        if name != INDEX:
            self._index["files"][name] = digest.hexdigest()


def places_in(pieces: Iterable[bytes], texts: Collection[bytes]) -> dict[bytes, int]:
    """Where some texts stand in a file that comes in pieces: those that stand there once, each by itself."""
    reach = max(map(len, texts), default=1) - 1
    found: dict[bytes, set[int]] = {text: set() for text in texts}
    held, base = b"", 0
    for piece in pieces:
        held += piece
        for text, places in found.items():
            at = held.find(text)
            while at >= 0:
                places.add(base + at)
                at = held.find(text, at + 1)
        over = max(len(held) - reach, 0)  # what begins before that was found
        held, base = held[over:], base + over
    return {text: min(places) for text, places in found.items() if len(places) == 1}


def exchanged(pieces: Iterable[bytes], others: Iterable[tuple[int, int, bytes]]) -> Iterator[bytes]:
    """The pieces with another text from one place to the next, for each of the `others`, which come in order and do not meet."""
    todo, base, done = deque(others), 0, 0
    for piece in pieces:
        begin, base = base, base + len(piece)
        while todo and todo[0][0] < base:
            at, after, text = todo.popleft()
            yield piece[max(done - begin, 0) : at - begin]
            yield text
            done = after
        if done < base:
            yield piece[max(done - begin, 0) :]
