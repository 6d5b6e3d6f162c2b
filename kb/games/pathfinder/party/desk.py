"""The decks of a Pathfinder table as `kb.decks.party` asks for them: judged together, and rebuilt between scenarios."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kb.decks.deckfile import DeckFile
from kb.decks.nodes import DeckFileError
from kb.decks.party import PartyError, PartyReport, Rebuilding
from kb.decks.report import Located
from kb.games.pathfinder.decks.check import check_deck
from kb.games.pathfinder.decks.deckfile import read_deck
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import Deck
from kb.games.pathfinder.party.checks import check_party
from kb.games.pathfinder.party.judge import judge
from kb.games.pathfinder.party.pull import collection
from kb.games.pathfinder.party.rebuild import rebuild_party
from kb.games.pathfinder.party.table import read_table
from kb.games.pathfinder.party.told import as_json, deck_file, steps

__all__ = ["check", "collection", "example", "rebuild"]


def rebuild(file: DeckFile, facts: Facts, fill: bool) -> Rebuilding:
    """Rebuild the decks of the table that a file describes. Raises DeckFileError."""
    read = read_table(file, facts)
    rebuilt = None if read.strangers else rebuild_party(read.table, facts, fill)
    found, told = judge(read, rebuilt, facts), as_json(read.table, rebuilt)
    if rebuilt is None:
        return Rebuilding(file.name, found, told=told)
    decks = {member.name: deck_file(member, read.table, rebuilt) for member in read.table.members}
    return Rebuilding(file.name, found, tuple(steps(read.table, rebuilt)), decks, told)


def example() -> str:
    """A table after a scenario in which somebody died."""
    return Path(__file__).with_name("example.yaml").read_text(encoding="utf-8")


def check(files: Sequence[DeckFile], facts: Facts, owned: Sequence[str], out: Sequence[str]) -> PartyReport:
    """Check the decks of one table by themselves and together. Raises DeckFileError, and PartyError for `owned` or `out`."""
    if owned or out:
        raise PartyError(
            "--owned and --out are not for Pathfinder; list the products owned under `owns:` in a deck file."
        )
    decks: list[Deck] = []
    unreadable: list[DeckFileError] = []
    for file in files:
        try:
            decks.append(read_deck(file, facts))
        except DeckFileError as error:
            unreadable.append(error)
    if unreadable:
        raise PartyError("\n".join(map(str, unreadable)))
    reports = tuple(check_deck(deck, facts, file.name) for deck, file in zip(decks, files, strict=True))
    return PartyReport(tuple(map(Located, check_party(decks, facts))), reports)
