"""Checks of the decks of one group: different investigators, one shared collection, one pool of weaknesses, and nobody
who is out of the campaign.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from kb.decks.names import both, name_key
from kb.decks.problems import Finding, Problem, Problems
from kb.decks.remedies import Act, Advice, Remove
from kb.decks.ruleset import Ruleset
from kb.frozen import NOTHING, frozen
from kb.games.arkham.decks.agreement import CAMPAIGN, NamedDeck
from kb.games.arkham.decks.card import ArkhamCard
from kb.games.arkham.decks.card_pool import copies_by_product, copies_owned
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.deck_counts import count_deck, excess
from kb.games.arkham.decks.edition import edition_of_all
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.profile import Kind, profile_of
from kb.games.arkham.schema.cards import BASIC_WEAKNESS
from kb.plural import counted

MOST_INVESTIGATORS = 4


@frozen
class ArkhamParty:
    """The decks of one group, as the group's checks see them.

    - `owned`: copies of each product, empty if unknown.
    - `out`: names of investigators who were killed or driven insane.
    """

    decks: Sequence[NamedDeck]
    facts: ArkhamFacts
    owned: Mapping[str, int] = NOTHING
    out: Sequence[str] = ()

    def investigators(self) -> list[tuple[str, ArkhamCard]]:
        """Return the file and the investigator card of each deck. Decks with an unknown investigator are left out."""
        return [(each.file, card) for each in self.decks if (card := self.facts.card(each.deck.investigator))]


PARTY: Ruleset[ArkhamParty] = Ruleset("arkham", "Arkham Horror: The Card Game, the decks of one party")


def check_party(
    decks: Sequence[NamedDeck], facts: ArkhamFacts, owned: Mapping[str, int] = NOTHING, out: Sequence[str] = ()
) -> tuple[Finding, ...]:
    """Return all findings on the decks of a group together; single decks are checked elsewhere.

    The findings cite entries of the newest edition that one of the decks uses.
    """
    by = edition_of_all(each.deck.rules for each in decks)
    return tuple(by.restated(PARTY.run(ArkhamParty(decks, facts, owned, out))))


@PARTY.check("arkham/setup/choose-investigators", family="campaign")
def one_of_each_investigator(party: ArkhamParty) -> Problems:
    """All players play different investigators. Two versions of one investigator count as the same."""
    by_name: dict[str, list[tuple[str, ArkhamCard]]] = {}
    for file, card in party.investigators():
        by_name.setdefault(card.title, []).append((file, card))
    for rows in by_name.values():
        if len(rows) > 1:
            files = ", ".join(file for file, _ in rows)
            labels = tuple(dict.fromkeys(card.label for _, card in rows))
            yield Problem(
                f"{rows[0][1].name} is played {len(rows)} times ({files}).",
                cards=labels,
                remedies=(Advice("let each player choose a different investigator"),),
                count=len(rows),
                limit=1,
            )


@PARTY.check("arkham/setup/choose-investigators", family="campaign")
def no_more_than_four(party: ArkhamParty) -> Problems:
    """The game is for one to four investigators."""
    if len(party.decks) > MOST_INVESTIGATORS:
        yield Problem(
            f"{len(party.decks)} decks are in the party; the game is for up to {MOST_INVESTIGATORS} investigators.",
            count=len(party.decks),
            limit=MOST_INVESTIGATORS,
            remedies=(Advice(f"leave out {counted(len(party.decks) - MOST_INVESTIGATORS, 'deck')}"),),
        )


@PARTY.check("arkham/glossary/killed-insane-investigators", family="campaign")
def nobody_out_of_the_campaign(party: ArkhamParty) -> Problems:
    """An investigator who was killed or driven insane is not used for the rest of the campaign."""
    out = {name_key(name) for name in party.out}
    for file, card in party.investigators():
        if name_key(card.name) in out:
            yield Problem(
                f"{card.name} ({file}) was killed or driven insane and can no longer be used in this campaign.",
                who=card.name,
                cards=(card.label,),
                remedies=(Advice("choose a new investigator and build a new deck"),),
            )


@PARTY.check("arkham/glossary/deckbuilding", "arkham/glossary/collection", family="pool")
def copies_in_the_collection(party: ArkhamParty) -> Problems:
    """All decks together have no more copies of a card than the owned products contain."""
    if not party.owned:
        return
    wanted: dict[tuple[str, bool], Counter[str]] = {}
    first: dict[tuple[str, bool], ArkhamCard] = {}
    for named in party.decks:
        whose = party.facts.name(named.deck.investigator)
        deck_counts = count_deck(named.deck, profile_of(party.facts, named.deck), CAMPAIGN)
        for status, copies in (*deck_counts.rows, *(deck_counts.extra.rows if deck_counts.extra else ())):
            card = status.card
            if card and not (card.subtype or card.story or card.hidden or status.kind is Kind.SIGNATURE):
                wanted.setdefault(card.version, Counter())[whose] += copies
                first.setdefault(card.version, card)
    for version, by_investigator in wanted.items():
        held = first[version]
        there, copies = copies_owned(party.owned, held, party.facts), by_investigator.total()
        if copies > there:
            shares = both(f"{who} has {own}" for who, own in by_investigator.items())
            remove = Remove(copies - there, (held.label,) * copies, why=f"({shares})")
            yield excess(held, copies, there, "the products owned contain", (remove,))


def story_copies(facts: ArkhamFacts, root: str) -> int:
    """Return how many copies of a story card a campaign has; for any other card, return 0.

    `root` is the code of the card's first printing.
    """
    card = facts.card(root)
    if card is None or not card.story or card.level is not None or card.hidden:
        return 0
    return max(printing.quantity for printing in facts.printings(root))


@PARTY.check("arkham/glossary/bearer", "arkham/glossary/story-assets", family="copies")
def bearers_of_story_cards(party: ArkhamParty) -> Problems:
    """All decks together contain no more copies of a story card than its product contains, because each copy has only
    one bearer.
    """
    held: dict[str, list[tuple[str, int]]] = {}
    for named in party.decks:
        for each, copies in party.facts.held(named.deck.cards):
            held.setdefault(each.root, []).append((party.facts.name(named.deck.investigator), copies))
    for root, rows in held.items():
        there, copies = story_copies(party.facts, root), sum(own for _, own in rows)
        if len(rows) > 1 and 0 < there < copies and (card := party.facts.card(root)):
            shares = both(f"{who} has {own}" for who, own in rows)
            remove = Remove(copies - there, (card.label,) * copies, why=f"({shares})")
            yield excess(card, copies, there, "the campaign has", (remove,))


@PARTY.check("arkham/faq/searching-collection-basic-weakness", "arkham/glossary/basic-weakness", family="copies")
def one_weakness_pool(party: ArkhamParty) -> Problems:
    """All decks together have no more copies of a basic weakness than one copy of each product contains."""
    there = pool(party.facts, party.owned)
    for root, copies in drawn_in((each.deck for each in party.decks), party.facts).items():
        if (card := party.facts.card(root)) and copies > there.get(root, 0):
            draw = Act("draw another random basic weakness", "kb deck weakness")
            problem = excess(card, copies, there.get(root, 0), "the pool contains", (draw,))
            yield problem if party.owned else replace(problem, severity="warning")


def pool(facts: ArkhamFacts, products: Iterable[str] = ()) -> dict[str, int]:
    """Return the copies of each basic weakness, by first printing, in one copy of each of the `products`.

    If `products` is empty, the result has every weakness, with the most copies that one product contains. A product
    that reprints older packs counts for their cards. Source: FAQ, on searching the collection.
    """
    owned = dict.fromkeys(products, 1)
    first = {card.root: card for card in reversed(facts.basic_weaknesses)}
    by_root = {root: copies_by_product(first[root], owned, facts).values() for root in sorted(first)}
    return {root: sum(copies) if owned else max(copies) for root, copies in by_root.items() if copies}


def basic_weaknesses(deck: ArkhamDeck, facts: ArkhamFacts, hidden: bool) -> Counter[str]:
    """Return the copies of the basic weaknesses in a deck, by first printing. With `hidden`, count only their
    placeholders.
    """
    counts: Counter[str] = Counter()
    for card, copies in facts.held(deck.cards):
        if card.subtype == BASIC_WEAKNESS and card.hidden == hidden:
            counts[card.root] += copies
    return counts


def drawn_in(decks: Iterable[ArkhamDeck], facts: ArkhamFacts) -> dict[str, int]:
    """Return the copies of the basic weaknesses that the decks contain together, by first printing, without
    placeholders.
    """
    return sum((basic_weaknesses(deck, facts, hidden=False) for deck in decks), Counter())
