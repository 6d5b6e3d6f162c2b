"""What is wrong with files that players keep: folders of campaigns, and folders of decks such as `kb party rebuild --write` makes.

Their text alone is looked at: whether each can be read, is whole as far as that shows, and has the files beside it that it names. Whether
decks and games follow the rules is for `kb deck check`, `kb party check` and `kb campaign check` to say.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from kb.campaigns.folder import HEAD, CampaignError, read_folder, text_of
from kb.campaigns.model import Folder, Page
from kb.decks.deckfile import parse_deck
from kb.decks.nodes import DeckFileError, place
from kb.settings import last_deck

SUFFIXES = (".yaml", ".yml")
# What `write_whole` leaves of a file when the process is killed.
HALF = re.compile(r"\.(.+)\.\d+\.tmp", re.S)
# How kb calls the decks of a campaign.
OURS = re.compile(r"decks/\d+-")
MOST = 1_000
# So many folders within this one are looked at when none is named.
MOST_PLACES = 200
AGAIN = "Write it again, or put back a copy"


def is_campaign(folder: Path) -> bool:
    """Whether a folder holds a campaign."""
    return (folder / HEAD).is_file()


def deck_files(folder: Path) -> list[Path]:
    """The files of a folder that may hold decks, in order; the first thousand."""
    return sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES and path.name[0] != ".")[:MOST]


def damage(folder: Path) -> Iterator[str]:
    """Sentences about a folder that holds a campaign or decks."""
    try:
        if is_campaign(folder):
            yield from of_campaign(read_folder(folder))
        else:
            for path in deck_files(folder):
                yield from of_file(path)
        yield from left_behind(folder)
    except CampaignError as error:
        yield str(error)
    except OSError as error:
        yield f"{folder} cannot be read: {error.strerror or error}."


def of_campaign(folder: Folder) -> Iterator[str]:
    """Sentences about the files of a campaign."""
    for name, message in folder.strays:
        yield f"{name} {message}"
    played = {page.number for page in folder.games}
    for number in sorted(set(range(1, max(played, default=0))) - played)[:MOST]:
        gone = f"{folder.path}: no file has the number {number}, yet there are later games"
        yield f"{gone}. {AGAIN}; if there never was one, number the others anew."
    for page in (folder.head, *folder.games):
        for problem in page.problems:
            yield f"{place(page.name, problem.line)}: {problem.message} {AGAIN}."
        if page.file is not None:
            yield from cut_off(Path(page.name))
        for name in sorted(set(named_files(page))):
            try:
                folder.deck(name)
            except DeckFileError as error:
                yield f"{error} {Path(page.name).name} names this file. {AGAIN}."
            else:
                yield from cut_off(Path(folder.path) / name, OURS.match(name) is not None)


def named_files(page: Page) -> Iterator[str]:
    """The deck files that a file of a campaign names."""
    pending: list[Any] = [] if page.file is None else [page.file.value()]
    while pending:
        value = pending.pop()
        if isinstance(value, str) and value.endswith(SUFFIXES) and "\n" not in value:
            yield value
        elif isinstance(value, (list, dict)):
            pending += value.values() if isinstance(value, dict) else value


def of_file(path: Path) -> Iterator[str]:
    """Sentences about a deck file."""
    try:
        parse_deck(text_of(path), str(path))
    except DeckFileError as error:
        yield f"{error} {AGAIN}."
        return
    yield from cut_off(path)


def cut_off(path: Path, ours: bool = False) -> Iterator[str]:
    """That a file which kb wrote (`ours`, or as its beginning tells) ends in the middle of a line: kb ends each. Other editors need not."""
    text = text_of(path)
    if (ours or text.startswith("# ")) and not text.endswith("\n"):
        line = text.count("\n") + 1
        yield f"{place(str(path), line)}: ends in the middle of a line, so what followed may be lost. {AGAIN}, or end the line."


def left_behind(folder: Path) -> Iterator[str]:
    """That a write was cut off: the new text lies beside the file, which is as it was."""
    for path in sorted(folder.iterdir())[:MOST]:
        if found := HALF.fullmatch(path.name):
            yield (
                f"{path} was left when the writing of {found[1]} was cut off; {found[1]} is as it was before, or missing. "
                f"Write it again, then remove {path.name}."
            )


def damage_of_places(named: Sequence[Path]) -> list[str]:
    """Sentences about the folders `named`; without any, about what campaigns there are in this folder and directly below it, and about the deck
    that was checked last."""
    if named:
        return [said for folder in named for said in damage_of(folder)]
    return [said for folder in found(Path()) if is_campaign(folder) for said in damage(folder)] + of_last_deck()


def found(here: Path) -> Iterator[Path]:
    """A folder, and those directly below it."""
    yield here.resolve()
    try:
        below = sorted(entry.name for entry in os.scandir(here))
    except OSError:
        return
    names = (name for name in below if not name.startswith(".") and (here / name).is_dir())
    yield from (here / name for name in islice(names, MOST_PLACES))


def damage_of(place: Path) -> list[str]:
    """What is wrong with a folder, or a deck's file, that somebody named."""
    if place.name in ("", ".."):  # what lies beside it is looked for by its name
        place = place.resolve()
    try:
        if place.is_file():
            return list(of_file(place))
        if not place.is_dir():
            return [f"{place} is not there."]
        if not is_campaign(place) and not deck_files(place):
            return [f"{place} holds no campaign and no deck files."]
    except OSError as error:
        return [f"{place} cannot be read: {error.strerror or error}."]
    return list(damage(place))


def of_last_deck() -> list[str]:
    """What is wrong with the file of the deck that was checked last."""
    deck = last_deck()
    return list(of_file(deck)) if deck and deck.suffix in SUFFIXES else []
