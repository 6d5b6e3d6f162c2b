"""Store the user's imports (rulebooks and lists of cards) in the user's own data, each under a short name, and remove
them.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path

from kb.errors import KbError
from kb.files.folders import inside, is_plain, keep_private
from kb.files.outputs import refuse_inputs
from kb.files.swap import locked, write_whole
from kb.files.text import NotTextError, TooLargeError, decoded, read_bounded, writable
from kb.frozen import frozen
from kb.shapes import Jsonable
from kb.sources.own import FOLDERS, Book, CardList, kept_files, read_kept
from kb.sources.problems import Problems


class NotTakenError(KbError, ValueError):
    """A file cannot be imported, or an import does not exist. The message gives the reasons, one on each line."""


@frozen
class Imported(Jsonable):
    """An imported rulebook or list of cards, as the list of imports shows it."""

    name: str
    """Short name of the import."""
    title: str
    """Title of the rulebook or list."""
    game: str
    """Id of the game."""
    file: str
    """Name of the file that was imported."""


@frozen
class ImportStore:
    """The storage for one kind of import.

    `shape` is the type of an import. In messages, `command` is the command for this kind, `what` is the noun for it,
    and `none` is the sentence for an empty list.
    """

    shape: type[Book] | type[CardList]
    command: str
    what: str
    none: str

    def place(self, data: Path, file: Path, game: str, title: str, name: str | None) -> tuple[Path, str]:
        """Return the path for storing an import of `file`, and the title to store.

        Without `name`, the name is made from the title. An older import of the same game with the same `name` is
        replaced. If the name was made from the title, the older import must also have the same title. Raises
        OutputError, and NotTakenError if the name belongs to another import.
        """
        title = writable(title.strip())[:200]
        if not title:
            raise NotTakenError(f"The {self.what} needs a title: --title TEXT.")
        made = re.sub(r"[^a-z0-9]+", "-", title.casefold()).strip("-")[:80]
        kept_as = name if name is not None else made if is_plain(made) else f"{self.what}-{made}".strip("-")
        if not is_plain(kept_as):
            raise NotTakenError(
                f"{kept_as!r} is not a valid name for a {self.what}. Use --name with letters, digits and . _ + - (no device name, such as con)."
            )
        target = inside(data, f"{FOLDERS[self.shape][0]}/{kept_as}.json")
        refuse_inputs(target, [file])
        older = read_kept(self.shape, target, Problems(data)) if target.exists() else None
        if older is not None and (older.game != game or (name is None and older.title != title)):
            raise NotTakenError(
                f"There is another {self.what} {kept_as} ({older.title}, {older.game}). Give this one another name with --name, "
                f"or run `{self.command} --remove {kept_as}` first."
            )
        return target, title

    def read(self, file: Path, most: int) -> bytes:
        """Return the bytes of a file to import. Raises NotTakenError if it has more than `most` bytes, and OSError."""
        try:
            return read_bounded(file, most)
        except TooLargeError as error:
            raise NotTakenError(f"{file}: {error.strerror}.") from error

    def text(self, raw: bytes, file: Path) -> str:
        """Return the bytes `raw` of a file as text. Raises NotTakenError if they are not text."""
        try:
            return decoded(raw)
        except NotTextError as error:
            raise NotTakenError(f"{file}: {error}") from error

    def keep(self, imported: Book | CardList, target: Path, data: Path) -> None:
        """Write an import to `target` so that only the user can read it. Raises OSError; in that case nothing has
        changed.
        """
        with locked(target):
            keep_private(data)
            target.parent.mkdir(exist_ok=True)
            write_whole(target, json.dumps(asdict(imported), ensure_ascii=False).encode("utf-8"))
            keep_private(data)

    def remove(self, name: str, data: Path) -> None:
        """Remove the import called `name`. Raises NotTakenError if there is none."""
        known = {path.stem: path for path in kept_files(self.shape, data)}
        if name not in known:
            listed = f"There are {', '.join(known)}." if known else self.none
            raise NotTakenError(f"There is no {FOLDERS[self.shape][1]} {name!r}. {listed}")
        with locked(known[name]):
            known[name].unlink(missing_ok=True)
