"""Reads the folder of a campaign: `campaign.yaml`, and a numbered file for each game. If one file is broken, the others
are still read.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from kb.campaigns.campaign import CampaignFile, Folder
from kb.decks.deckfile import DeckFile, decode_deck, parse_deck, refusal, unread
from kb.decks.nodes import DeckFileError
from kb.errors import KbError
from kb.files.folders import OutsideError, inside
from kb.files.text import one_line, read_bounded

CAMPAIGN_FILE = "campaign.yaml"
NUMBERED = re.compile(r"(\d{1,4})(?!\d).*\.ya?ml", re.S)
LARGEST = 250_000
MOST_GAMES = 1_000
STRAY = (
    "is not read: the name of a game's file must begin with an unused number, such as 01-the-first.yaml, and must not "
    "contain control characters."
)


class CampaignError(KbError):
    """A folder contains no campaign, or it cannot be read or written; the message is written for users."""


def read_folder(path: Path) -> Folder:
    """Read the campaign in the folder `path`, with as much of each file as possible. Raises CampaignError if there is
    no campaign.
    """
    try:
        names = sorted(entry.name for entry in os.scandir(path) if not entry.name.startswith("."))
    except OSError as error:
        raise CampaignError(f"{path} cannot be read: {error.strerror or error}.") from None
    if CAMPAIGN_FILE not in names:
        raise CampaignError(f"{path} has no {CAMPAIGN_FILE}. Start a campaign there with `kb campaign new {path}`.")
    games_by_number: dict[int, str] = {}
    strays: list[tuple[str, str]] = []
    for name in names:
        if name == CAMPAIGN_FILE or not name.endswith((".yaml", ".yml")):
            continue
        number = number_of(name) if name.isprintable() else 0
        if number and number not in games_by_number:
            games_by_number[number] = name
        else:
            strays.append((one_line(str(path / name)), STRAY))
    if len(games_by_number) > MOST_GAMES:
        raise CampaignError(f"{path} has {len(games_by_number)} games; kb reads at most {MOST_GAMES:,}.")
    games = tuple(read_page(path, games_by_number[number], number) for number in sorted(games_by_number))
    return Folder(
        str(path), read_page(path, CAMPAIGN_FILE, 0), games, lambda name: read_below(path, name), tuple(strays)
    )


def number_of(name: str) -> int:
    """Return the number at the beginning of a file's name; 0 if there is none."""
    begins = NUMBERED.fullmatch(name)
    return int(begins[1]) if begins else 0


def read_page(folder: Path, name: str, number: int) -> CampaignFile:
    """Read a file of the campaign. If it cannot be read, the result contains the problems."""
    shown = str(folder / name)
    try:
        if not (folder / name).resolve().is_relative_to(folder.resolve()):
            raise refusal(shown, "is a link that points outside the folder.")
        return CampaignFile(shown, number, parse_page(text_of(folder / name), shown))
    except DeckFileError as error:
        return CampaignFile(shown, number, None, tuple(error.problems))


def parse_page(text: str, name: str) -> DeckFile:
    """Parse the text of a campaign's file, which is always YAML. Raises DeckFileError."""
    return parse_deck(text, name, may_list=False)


def read_below(folder: Path, name: str) -> DeckFile:
    """Read a deck file by its path in the folder. Raises DeckFileError if the file cannot be read or its path leads out
    of the folder.
    """
    shown = str(folder / name)
    try:
        path = inside(folder, name)
    except OutsideError as error:
        raise refusal(name, f"{error}.") from None
    return parse_deck(text_of(path), shown)


def text_of(path: Path) -> str:
    """Return the text of a file. Raises DeckFileError if it cannot be read, is too large or is not text."""
    try:
        raw = read_bounded(path, LARGEST)
    except (OSError, ValueError) as error:
        raise unread(str(path), error) from None
    return decode_deck(str(path), raw)
