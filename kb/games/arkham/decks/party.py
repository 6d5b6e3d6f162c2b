"""Checks the decks of one table together: investigators, shared collection, one weakness pool, who is out of the campaign."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kb.decks.names import name_key
from kb.decks.report import Finding, Problem
from kb.decks.ruleset import Ruleset
from kb.games.arkham.decks.editions import edition_of_all
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.frame import CAMPAIGN
from kb.games.arkham.decks.model import Card, Deck
from kb.games.arkham.decks.products import copies_owned
from kb.games.arkham.decks.profile import Kind, profile_of
from kb.games.arkham.decks.ruleset import BASIC_WEAKNESS, DECKBUILDING, WEAKNESS_POOL
from kb.games.arkham.decks.tally import tally
from kb.games.arkham.decks.weakness_pool import drawn_in, pool
from kb.plural import counted
from kb.records import NOTHING

MOST_INVESTIGATORS = 4
CHOOSE = "arkham/setup/choose-investigators"
COLLECTION = "arkham/glossary/collection"
KILLED = "arkham/glossary/killed-insane-investigators"


@dataclass(frozen=True, slots=True)
class Party:
    """The decks of one table. files: their names. owned: copies of each product, empty when nothing is said about that.

    out: investigators who were killed or driven insane, by name.
    """

    decks: tuple[Deck, ...]
    files: tuple[str, ...]
    facts: Facts
    owned: Mapping[str, int] = NOTHING
    out: tuple[str, ...] = ()

    def investigators(self) -> list[tuple[str, Card]]:
        """Files with the investigators of their decks (unknown ones left out)."""
        cards = (self.facts.card(deck.investigator) for deck in self.decks)
        return [(file, card) for file, card in zip(self.files, cards, strict=True) if card is not None]


PARTY: Ruleset[Party] = Ruleset("arkham", "Arkham Horror: The Card Game, the decks of one table")


def check_party(
    decks: Sequence[Deck],
    files: Sequence[str],
    facts: Facts,
    owned: Mapping[str, int] = NOTHING,
    out: Sequence[str] = (),
) -> tuple[Finding, ...]:
    """All findings on the decks of a table together, with the entries of the newest edition by which one of them is judged; each deck by
    itself is checked elsewhere."""
    by = edition_of_all(deck.rules for deck in decks)
    return tuple(by.restated(PARTY.run(Party(tuple(decks), tuple(files), facts, owned, tuple(out)))))


@PARTY.check(CHOOSE, family="campaign")
def one_of_each_investigator(party: Party) -> Iterator[Problem]:
    """Each player plays a different investigator, by name whatever the version."""
    by_name: dict[str, list[tuple[str, Card]]] = {}
    for file, card in party.investigators():
        by_name.setdefault(card.title, []).append((file, card))
    for rows in by_name.values():
        if len(rows) > 1:
            files = ", ".join(file for file, _ in rows)
            labels = tuple(dict.fromkeys(card.label for _, card in rows))
            yield Problem(
                f"{rows[0][1].name} is played {len(rows)} times ({files}).",
                "Let each player choose a different investigator.",
                labels,
                count=len(rows),
                limit=1,
            )


@PARTY.check(CHOOSE, family="campaign")
def no_more_than_four(party: Party) -> Iterator[Problem]:
    """The game is for one to four investigators."""
    if len(party.decks) > MOST_INVESTIGATORS:
        yield Problem(
            f"{len(party.decks)} decks are at the table; the game is for up to {MOST_INVESTIGATORS} investigators.",
            "Leave some out.",
            count=len(party.decks),
            limit=MOST_INVESTIGATORS,
        )


@PARTY.check(KILLED, family="campaign")
def nobody_out_of_the_campaign(party: Party) -> Iterator[Problem]:
    """An investigator who was killed or driven insane is not used for the rest of the campaign."""
    out = {name_key(name) for name in party.out}
    for file, card in party.investigators():
        if name_key(card.name) in out:
            yield Problem(
                f"{card.name} ({file}) was killed or driven insane and can no longer be used in this campaign.",
                "Choose a new investigator and build a new deck.",
                (card.label,),
            )


@PARTY.check(DECKBUILDING, COLLECTION, family="pool")
def copies_in_the_collection(party: Party) -> Iterator[Problem]:
    """All decks together hold no more copies of a card than the products owned."""
    if not party.owned:
        return
    wanted: Counter[str] = Counter()
    for deck in party.decks:
        found = tally(deck, profile_of(party.facts, deck), CAMPAIGN)
        for status, copies in (*found.rows, *(found.extra.rows if found.extra else ())):
            card = status.card
            if card and not (card.subtype or card.story or card.hidden or status.kind is Kind.SIGNATURE):
                wanted[card.root] += copies
    for root, copies in wanted.items():
        there = copies_owned(party.owned, root, party.facts)
        if (card := party.facts.card(root)) and copies > there:
            fix = f"Take out {counted(copies - there, 'copy')} somewhere."
            yield _too_many(card, copies, there, "the products owned hold", fix)


@PARTY.check(WEAKNESS_POOL, BASIC_WEAKNESS, family="copies")
def one_weakness_pool(party: Party) -> Iterator[Problem]:
    """All decks together hold no more copies of a basic weakness than one copy of each product."""
    there = pool(party.facts, party.owned)
    for root, copies in drawn_in(party.decks, party.facts).items():
        if (card := party.facts.card(root)) and copies > there.get(root, 0):
            fix = "Draw another random basic weakness (`kb deck weakness`)."
            found = _too_many(card, copies, there.get(root, 0), "the pool holds", fix)
            yield found if party.owned else replace(found, severity="warning")


def _too_many(card: Card, copies: int, there: int, where: str, fix: str) -> Problem:
    said = f"The decks hold {counted(copies, 'copy')} of {card.label}; {where} {there}."
    return Problem(said, fix, (card.label,), count=copies, limit=there)
