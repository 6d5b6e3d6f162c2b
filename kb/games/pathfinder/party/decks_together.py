"""Implements the protocol of a game's `party` for Pathfinder: checks the decks of a party together and rebuilds them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kb.decks.deckfile import DeckFile
from kb.decks.party import PartyError, PartyReport, Rebuilding
from kb.decks.report import Located
from kb.games.pathfinder.decks.deck_check import check_deck
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.party.after_scenario import asked, table
from kb.games.pathfinder.party.collection import collection, readable_decks
from kb.games.pathfinder.party.rebuild import rebuild_party
from kb.games.pathfinder.party.rebuild_report import deck_file, printed, steps
from kb.games.pathfinder.party.refusals import with_refusal, with_refusals
from kb.games.pathfinder.party.table_check import check_party, judge
from kb.games.pathfinder.party.table_file import read_table

__all__ = ["asked", "check", "collection", "example", "rebuild", "table", "with_refusal", "with_refusals"]


def rebuild(file: DeckFile, facts: Facts, fill: bool) -> Rebuilding:
    """Rebuild the decks of the party in `file`. `fill` says whether to fill gaps with cards from the box.

    Raises DeckFileError if the file cannot be read.
    """
    read = read_table(file, facts)
    rebuilt = None if read.strangers else rebuild_party(read.table, facts, fill)
    findings, printed_keys = judge(read, rebuilt, facts), printed(read.table, rebuilt)
    if rebuilt is None:
        return Rebuilding(file.name, findings, told=printed_keys)
    decks = {member.name: deck_file(member, read.table, rebuilt) for member in read.table.members}
    return Rebuilding(file.name, findings, tuple(steps(read.table, rebuilt)), decks, printed_keys)


def example() -> str:
    """Return the text of an example party file, for a party after a scenario where a character died."""
    return Path(__file__).with_name("example.yaml").read_text(encoding="utf-8")


def check(files: Sequence[DeckFile], facts: Facts, owned: Sequence[str], out: Sequence[str]) -> PartyReport:
    """Check the decks in one party, each on its own and all together. Returns the report.

    Raises PartyError if a deck cannot be read, or if `owned` or `out` is given, because they are for other games.
    """
    if owned or out:
        raise PartyError(
            "--owned and --out are not for Pathfinder; list the products owned under `owns:` in a deck file."
        )
    decks = readable_decks(files, facts)
    reports = tuple(check_deck(deck, facts, file.name) for deck, file in zip(decks, files, strict=True))
    return PartyReport(tuple(map(Located, check_party(decks, facts))), reports)
