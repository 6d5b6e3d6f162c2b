"""What `kb doctor` says of the folders where players keep campaigns and decks."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from kb.campaigns import damage as of_files
from kb.settings import last_deck

# So many folders within this one are looked at when none is named.
MOST = 200


def damage_of_places(named: Sequence[Path]) -> list[str]:
    """Sentences about the folders `named`; without any, about what campaigns there are in this folder and directly below it, and about the deck
    that was checked last."""
    if named:
        return [said for place in named for said in damage_of(place)]
    return [said for place in found(Path()) for said in known_damage(place)] + of_last_deck()


def found(here: Path) -> Iterator[Path]:
    """A folder, and those directly below it."""
    yield here.resolve()
    try:
        below = sorted(entry.name for entry in os.scandir(here))
    except OSError:
        return
    names = (name for name in below if not name.startswith(".") and (here / name).is_dir())
    yield from (here / name for name in islice(names, MOST))


def known_damage(place: Path) -> list[str]:
    """What is wrong with a campaign in a folder; nothing where there is none."""
    return list(of_files.damage(place)) if of_files.is_campaign(place) else []


def damage_of(place: Path) -> list[str]:
    """What is wrong with a folder, or a deck's file, that somebody named."""
    if place.name in ("", ".."):  # what lies beside it is looked for by its name
        place = place.resolve()
    try:
        if place.is_file():
            return list(of_files.of_file(place))
        if not place.is_dir():
            return [f"{place} is not there."]
        if not of_files.is_campaign(place) and not of_files.deck_files(place):
            return [f"{place} holds no campaign and no deck files."]
    except OSError as error:
        return [f"{place} cannot be read: {error.strerror or error}."]
    return list(of_files.damage(place))


def of_last_deck() -> list[str]:
    """What is wrong with the file of the deck that was checked last."""
    deck = last_deck()
    return list(of_files.of_file(deck)) if deck and deck.suffix in of_files.SUFFIXES else []
