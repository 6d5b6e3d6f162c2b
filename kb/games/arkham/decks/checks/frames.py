"""Checks of the frame and of the card pool: start of a campaign, standalone mode, ultimatums, environments, owned products, sealed pools."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from kb.decks.problems import Problem, Problems
from kb.games.arkham.decks.frame import (
    DISCRETION,
    GRIMOIRE,
    copies_owned,
    edition,
    expanded,
    expansions,
    fitting_expansions,
    groups,
    latest_expansions,
    not_known,
    outside,
)
from kb.games.arkham.decks.model import Card
from kb.games.arkham.decks.profile import DENIED, Kind
from kb.games.arkham.decks.tally import ARKHAM, Row, Tally, excess, leaving_first
from kb.plural import counted

_MOST_STANDALONE = 49
_PER_WEAKNESS = 10
_ANCIENTS = 5


def starting_experience(tally: Tally) -> int:
    """Experience at the start of a campaign: of the investigator, of cards in the deck, of a boon, of the file."""
    experience = bonus_experience(tally) + (tally.deck.experience or 0)
    return experience + (_ANCIENTS if "ancients" in tally.frame.boons else 0)


def bonus_experience(tally: Tally) -> int:
    """Experience that the investigator's back and cards in the deck give when the deck is built."""
    from_cards = sum(card.special.experience * copies for card, copies in tally.special)
    return tally.profile.starting_experience + from_cards


@ARKHAM.check(
    "arkham/glossary/deckbuilding", "arkham/glossary/experience", "arkham/variants/boons/ancients", family="experience"
)
def level_0_at_the_start(tally: Tally) -> Problems:
    """A new deck holds level 0 cards only, unless experience is given at the start of the campaign."""
    if tally.frame.standalone:
        return
    if not tally.frame.start and (tally.deck.previous or tally.deck.experience is not None):
        return
    available = starting_experience(tally)
    if tally.spent <= max(0, available):
        return
    if tally.frame.start:
        yield Problem(
            f"The deck needs {tally.spent} experience; at the start of the campaign there is {available}.",
            f"Replace cards with level 0 cards{_unmarked(tally)}.",
            count=tally.spent,
            limit=available,
        )
    else:
        yield Problem(
            f"The deck needs {tally.spent} experience: legal once it is earned, not at the start of a campaign.",
            severity="note",
            count=tally.spent,
            limit=available,
        )


def _unmarked(tally: Tally) -> str:
    """What a fix adds where boxes of customizable cards cost experience."""
    return ", and mark no boxes of customizable cards" if any(card.spent for card, _ in tally.cards()) else ""


@ARKHAM.check("arkham/glossary/standalone-experience", "arkham/rulings/1-20", family="experience")
def standalone_experience(tally: Tally) -> Problems:
    """A standalone deck holds less than 50 experience."""
    if tally.frame.standalone and tally.spent > _MOST_STANDALONE:
        yield Problem(
            f"The deck has {tally.spent} experience; a standalone deck cannot have 50 or more.",
            f"Replace cards with others that need {tally.spent - _MOST_STANDALONE} experience less.",
            count=tally.spent,
            limit=_MOST_STANDALONE,
        )


@ARKHAM.check(
    "arkham/glossary/standalone-experience",
    "arkham/rulings/edge-of-the-earth/in-the-thick-of-it-standalone",
    family="required",
)
def standalone_weaknesses(tally: Tally) -> Problems:
    """A standalone deck has an additional random basic weakness for each full 10 experience, bonus experience apart."""
    build = tally.profile.build
    if not tally.frame.standalone or build is None:
        return
    bonus = min(tally.spent, bonus_experience(tally))
    more = (min(tally.spent, _MOST_STANDALONE) - bonus) // _PER_WEAKNESS
    wanted = build.random_weaknesses + more + ("disaster" in tally.frame.ultimatums)
    there = sum(copies for _, copies in tally.basics)
    apart = f", {bonus} of it bonus experience that counts for none," if bonus else ""
    if there < wanted and more:
        yield Problem(
            f"{tally.spent} experience{apart} needs {counted(more, 'additional random basic weakness')}: {wanted} in all, "
            f"{there} in the deck.",
            f"Draw {wanted - there} at random (`kb deck weakness`).",
            count=there,
            limit=wanted,
        )


@ARKHAM.check("arkham/glossary/standalone-experience", "arkham/variants/ultimatums/exile", family="pool")
def campaign_mode_only(tally: Tally) -> Problems:
    """No "Campaign Mode only" card in a standalone deck; with the Ultimatum of Exile, no card with exile either."""
    if not tally.frame.standalone:
        return
    exile = "exile" in tally.frame.ultimatums
    for card, copies in tally.cards():
        if "campaign_only" in card.keywords or (exile and "exile" in card.keywords):
            why = (
                "says Campaign Mode only"
                if "campaign_only" in card.keywords
                else "has exile, which counts as Campaign Mode only"
            )
            fix = tally.without("Take it out of the deck.", [(card, copies)])
            yield Problem(f"{card.label} {why}.", fix, (card.label,))


@ARKHAM.check("arkham/variants/ultimatums/highlander", family="copies")
def highlander(tally: Tally) -> Problems:
    """Ultimatum of the Highlander: one copy of each title, weaknesses and required copies apart."""
    if "highlander" not in tally.frame.ultimatums:
        return
    by_name: dict[str, list[Row]] = {}
    for status, copies in tally.rows:
        if status.card is not None and not status.card.subtype and status.kind is not Kind.SIGNATURE:
            by_name.setdefault(status.card.name, []).append((status, copies))
    for name, rows in by_name.items():
        copies = sum(number for _, number in rows)
        if copies > 1:
            yield Problem(
                f"{counted(copies, 'copy')} of {name}; only 1 of each title.",
                tally.without(f"Take out {copies - 1}.", leaving_first(rows, copies - 1)),
                (name,),
                count=copies,
                limit=1,
            )


@ARKHAM.check("arkham/variants/ultimatums/induction", family="experience")
def induction(tally: Tally) -> Problems:
    """Ultimatum of Induction: only level 0 cards, no experience."""
    if "induction" not in tally.frame.ultimatums:
        return
    names = tuple(dict.fromkeys(card.label for card, _ in tally.cards() if card.level or card.spent))
    if names:
        yield Problem(
            f"Above level 0: {', '.join(names)}.", f"Replace them with level 0 cards{_unmarked(tally)}.", names
        )


@ARKHAM.check("arkham/variants/ultimatums/orthodoxy", "arkham/taboo", family="choice")
def orthodoxy(tally: Tally) -> Problems:
    """Ultimatum of Orthodoxy: the taboo list is in force."""
    if "orthodoxy" in tally.frame.ultimatums and tally.profile.taboo is None:
        yield Problem("The deck names no taboo list.", f"Use taboo list {max(tally.facts.taboos, default=0)}.")


@ARKHAM.check("arkham/variants/ultimatums/chaos", family="choice", severity="note")
def chaos(tally: Tally) -> Problems:
    """Ultimatum of Chaos: the starting deck is chosen at random, which a deck file cannot show."""
    if "chaos" in tally.frame.ultimatums:
        yield Problem("Whether the starting deck was chosen at random cannot be seen from the file.")


_FROM_COLLECTION = (Kind.PLAYER, Kind.BASIC, *DENIED)


def _pooled(tally: Tally) -> list[tuple[Card, int]]:
    """The cards that come out of a collection: no signatures, no cards that scenarios gave, no placeholders."""
    return [
        (status.card, copies)
        for status, copies in tally.rows
        if status.card is not None
        and status.kind in _FROM_COLLECTION
        and not status.card.story
        and not status.card.hidden
    ]


def _report(cards: list[Card], where: str, fix: str = "Replace these cards.") -> Problem:
    names = tuple(dict.fromkeys(card.label for card in cards))
    return Problem(f"Not in {where}: {', '.join(names)}.", fix, names)


@ARKHAM.check("arkham/environments/current", "arkham/environments/limited", family="pool")
def environment(tally: Tally) -> Problems:
    """Cards and investigator come from the products of the environment that was chosen."""
    frame, facts, by = tally.frame, tally.facts, edition(tally.deck.rules)
    called = frame.environment
    if called == "legacy":
        return
    known = [card for card, _ in _pooled(tally) if not not_known(card, facts, by)]
    free = [card for card in known if groups(card, facts) <= DISCRETION]
    restricted = [card for card in known if card not in free]
    if called == "current":
        chosen = latest_expansions(facts, by)
    elif frame.expansions:
        chosen = frame.expansions
        there = expansions(facts, by)
        if unknown := [code for code in chosen if code not in there]:
            yield Problem(
                f"No investigator expansion is called {', '.join(unknown)}.", f"Choose among {', '.join(there)}."
            )
        if len(chosen) > by.at_once:
            message = f"{len(chosen)} expansions are chosen, the limit is {by.at_once}."
            yield Problem(message, "Choose three.", count=len(chosen), limit=by.at_once)
    else:
        chosen = fitting_expansions(restricted, facts, by)
    products = ", ".join(facts.cycles[code].name for code in (*by.base, *chosen) if code in facts.cycles)
    cites, discretion = (f"arkham/environments/{called}",), "arkham/environments/parallels-promos-story-assets"
    if left := outside(restricted, chosen, facts, by):
        others = [
            each.label
            for card in left
            for each in facts.printings(card.root)
            if each.modified != card.modified and not outside([each], chosen, facts, by)
        ]
        fix = f"Replace these cards; {', '.join(others)} would be in it." if others else "Replace these cards."
        yield replace(_report(left, f"the {called} environment of {by.short} ({products})", fix), cites=cites)
    who = tally.profile.back
    if who and outside([who], chosen, facts, by) and not not_known(who, facts, by):
        if groups(who, facts) <= DISCRETION or called == "limited":
            message = f"{who.label} is outside the environment: at the group's discretion."
            yield Problem(message, "", (who.label,), "note", (discretion, *cites))
        else:
            message = f"{who.label} is outside the {called} environment of {by.short}."
            fix = f"Choose an investigator of its products ({products}), or play in Legacy."
            yield Problem(message, fix, (who.label,), cites=cites)
    if labels := tuple(dict.fromkeys(card.label for card in free)):
        yield Problem(f"At the group's discretion: {', '.join(labels)}.", "", labels, "note", (discretion,))


@ARKHAM.check(
    "arkham/grimoire/reprints/modified-reprints", family="copies", when=lambda tally: tally.deck.rules == GRIMOIRE
)
def one_version_of_a_reprint(tally: Tally) -> Problems:
    """Of a card with a modified reprint the deck holds the original or the reprint, not both."""
    by_root: dict[str, dict[bool, str]] = {}
    for card, _ in tally.cards():
        by_root.setdefault(card.root, {}).setdefault(card.modified, card.label)
    for versions in by_root.values():
        if len(versions) > 1:
            yield Problem(
                f"{versions[False]} and {versions[True]} are two versions of one card, which play differently; "
                "a deck may hold copies of only one of them.",
                "Take all of the same version.",
                tuple(versions.values()),
            )


@ARKHAM.check("arkham/grimoire/campaign/reward-cards", family="access", severity="note")
def reward_cards_unlocked(tally: Tally) -> Problems:
    """Reward cards are for decks once a campaign has unlocked them, and no more than one permanent one is in a deck."""
    rewards = [(card, copies) for card, copies in tally.cards() if "reward" in card.keywords]
    if not rewards:
        return
    labels = tuple(dict.fromkeys(card.label for card, _ in rewards))
    yield Problem(
        f"Reward cards, allowed once the outcome of a campaign has unlocked them: {', '.join(labels)}.",
        "Compare with what your collection has unlocked.",
        labels,
    )
    lasting = sum(copies for card, copies in rewards if "permanent" in card.keywords)
    if lasting > 1:
        yield Problem(
            f"{lasting} permanent reward cards; a deck may have 1.",
            f"Take out {counted(lasting - 1, 'card')}.",
            labels,
            "error",
            count=lasting,
            limit=1,
        )


@ARKHAM.check("arkham/glossary/deckbuilding", family="pool", when=lambda tally: tally.frame.products)
def owned_products(tally: Tally) -> Problems:
    """No more copies of a card than the owned products hold."""
    facts = tally.facts
    owned = Counter(tally.frame.products)
    copies: Counter[str] = Counter()
    for card, number in _pooled(tally):
        if not card.subtype:
            copies[card.root] += number
    for root, number in copies.items():
        there = copies_owned(owned, root, facts)
        first = facts.card(root)
        if number > there and first is not None:
            yield excess(first, number, there, "the products owned hold", "Take copies out, or add the product.")


@ARKHAM.check("arkham/glossary/deckbuilding", family="pool", when=lambda tally: tally.deck.pool)
def named_pool(tally: Tally) -> Problems:
    """Cards come from the packs to which the deck confines itself."""
    facts = tally.facts
    packs = expanded(tally.deck.pool, facts)
    left = [
        card
        for card, _ in _pooled(tally)
        if not any(printing.pack in packs for printing in facts.printings(card.root))
        and f"card:{card.root}" not in packs
    ]
    if left:
        yield _report(left, "the packs that the deck is confined to")


@ARKHAM.check("arkham/glossary/deckbuilding", family="pool", when=lambda tally: tally.deck.sealed)
def sealed_pool(tally: Tally) -> Problems:
    """Cards come from the sealed pool, no more copies than it holds."""
    facts = tally.facts
    pool: Counter[str] = Counter()
    for code, number in tally.deck.sealed.items():
        pool[facts.root(code)] += number
    for card, number in _pooled(tally):
        if number > pool[card.root] and not card.subtype:
            yield excess(card, number, pool[card.root], "the sealed pool holds", "Take copies out.")
