"""Finds the deck files in a folder, and the files that look like decks but are not read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from kb import registry
from kb.decks.deckfile import DECK_SUFFIXES, LARGEST_FILE, LINES_SUFFIXES, refusal
from kb.files.text import one_line
from kb.frozen import frozen

LIST_SUFFIXES = (".md", ".markdown", ".text", ".o8d")
"""Suffixes of text files that may be something else than a deck. Such a file is a deck if it names the deck's owner."""

_OTHER_FILE = re.compile(r"^(?:members|campaign|decks|scenario)\s*:", re.MULTILINE)
"""Matches, at the beginning of a line, a key that only a party file, a campaign file or the record of a game has."""
_OWN_DECK = re.compile(r"^\W*(?:character|investigator)\W*:", re.MULTILINE | re.IGNORECASE)
"""Matches the key that names a deck's owner. A file with this key is checked even if `_OTHER_FILE` matches too."""
_COPIES = re.compile(r"^\W*[1-9] ?[x×] ?\w.*$|^\W*\w.* [x×][1-9]\W*$|<card\s[^>]*\bqty=", re.MULTILINE | re.IGNORECASE)
"""Matches a line that lists copies of a card, in a text or in a deck of OCTGN."""
_FEWEST_CARDS = 5
"""A file of `LIST_SUFFIXES` without an owner looks like a deck if it lists at least this many cards."""
_NO_DECKS = frozenset({"node_modules", "__pycache__", "site-packages"})


@frozen
class FolderFiles:
    """The files in a folder and its subfolders. `decks` are the paths of the deck files. `skipped` are the paths of the
    other files that look like decks; kb does not read them.

    Hidden folders, installed packages, party files and campaigns are in neither list.
    """

    decks: tuple[str, ...]
    skipped: tuple[str, ...]


def folder_files(folder: str) -> FolderFiles:
    """Return the deck files in a folder and its subfolders, and the files that kb skips. Raises DeckFileError if the
    folder has no deck files.
    """
    decks: list[str] = []
    skipped: list[str] = []
    for path in _candidates(Path(folder)):
        is_deck = _is_deck(path)
        if is_deck is not None:
            (decks if is_deck else skipped).append(str(path))
    if not decks:
        others = f" These files have no key of a deck file: {', '.join(map(one_line, skipped))}." if skipped else ""
        raise refusal(folder, f"the folder has no deck files ({', '.join(DECK_SUFFIXES)}).{others}")
    return FolderFiles(tuple(decks), tuple(skipped))


def deck_paths(argument: str) -> list[str]:
    """Return the paths of the deck files for a command's `argument`. If it is a folder, return the deck files in it
    and in its subfolders. `-` stands for standard input.

    Raises DeckFileError for a folder without deck files. An empty argument raises it too, because an empty variable in
    a script must not mean the current folder.
    """
    if not argument:
        raise refusal("''", "is not a file name; write . for this folder.")
    if argument == "-" or not Path(argument).is_dir():
        return [argument]
    return list(folder_files(argument).decks)


def _candidates(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder and its subfolders whose suffix a deck file may have."""
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.suffix.lower() not in (*DECK_SUFFIXES, *LINES_SUFFIXES, *LIST_SUFFIXES):
            continue
        if not any(part.startswith(".") or part in _NO_DECKS for part in parts) and path.is_file():
            yield path


def _is_deck(path: Path) -> bool | None:
    """Return True if the file at `path` may be a deck file, False if kb skips it although it looks like one, and None
    if it is something else.

    A YAML or JSON file needs a key that identifies the deck files of a game. A YAML file that looks like a party file
    or a campaign file is something else.
    """
    suffix = path.suffix.lower()
    if suffix not in (".yaml", ".yml", ".json", *LIST_SUFFIXES):
        return True
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST_FILE).decode("utf-8", "replace")
    except OSError:
        return True
    if suffix in LIST_SUFFIXES:
        if "```" in text:  # a page about decks, with examples
            return None
        listed = sum(1 for _, _ in zip(_COPIES.finditer(text), range(_FEWEST_CARDS), strict=False))
        return True if _OWN_DECK.search(text) else False if listed == _FEWEST_CARDS else None
    if suffix != ".json" and _OTHER_FILE.search(text) and not _OWN_DECK.search(text):
        return None
    keys = {"game", *(mark for about in registry.games().values() for mark in about.marks)}
    words = "|".join(re.escape(key).replace("_", "[ _-]?") for key in sorted(keys))
    return re.search(rf"""(?:^|[{{,\[])\s*["']?(?:{words})["']?\s*:""", text, re.MULTILINE | re.IGNORECASE) is not None
