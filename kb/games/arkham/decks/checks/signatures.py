"""Checks on signature cards: complete, no more than listed, sets not mixed."""

from __future__ import annotations

from collections.abc import Iterator

from kb.decks.names import either
from kb.decks.report import Problem
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.model import Deck
from kb.games.arkham.decks.profile import Need, Profile
from kb.games.arkham.decks.ruleset import ARKHAM, DECKBUILDING, SIGNATURES, TRANSFIGURED
from kb.games.arkham.decks.status import Kind
from kb.games.arkham.decks.tally import Tally
from kb.games.arkham.decks.wording import labels, with_copies
from kb.games.arkham.schema.special import FromCards
from kb.plural import counted

ORIGINAL, ADVANCED = "original", "advanced"


def _number(tally: Tally, need: Need) -> tuple[int, int]:
    """How many copies of a signature card the deck must hold: least and most."""
    rule = need.rule
    if rule is None:
        return need.least, need.most
    if rule.by_size:
        number = rule.by_size.get(tally.profile.base_size, need.most)
    elif rule.as_many_as:
        number = sum(tally.signatures.get(code, 0) for code in rule.as_many_as)
    else:
        return need.least, need.most
    return number, number


def signatures_replaced(facts: Facts, deck: Deck) -> bool:
    """Whether the investigator was transformed into one for whom random basic weaknesses replace the signature cards."""
    card = facts.card(deck.transformed) if deck.transformed else None
    return card is not None and card.special.replaces_signatures


def advanced_instead(profile: Profile, deck: Deck) -> frozenset[str]:
    """The signature cards (first printings) in whose place the deck holds a whole advanced set; empty when it does not.

    An advanced set replaces the original one, whole, for no experience, at any point between scenarios, for good
    (inserts of the parallel investigators).
    """
    facts = profile.facts
    held = {facts.root(code) for code, copies in deck.cards.items() if copies > 0}
    advanced = [need.root for need in profile.needs if need.set == ADVANCED]
    if not advanced or not held.issuperset(advanced):
        return frozenset()
    return frozenset(need.root for need in profile.needs if need.set == ORIGINAL) - held


def number_of_signatures(tally: Tally) -> int:
    """How many signature cards the deck had at first: the original set."""
    return sum(_number(tally, need)[0] for need in tally.profile.needs if need.set in ("", ORIGINAL))


def _name(tally: Tally, need: Need) -> str:
    card = tally.profile.facts.card(need.root)
    return card.label if card else need.root


def _missing(tally: Tally, name: str) -> list[Need]:
    """The cards of a set of which the deck has too few."""
    return [
        need
        for need in tally.profile.needs
        if need.set == name and tally.signatures.get(need.root, 0) < _number(tally, need)[0]
    ]


def _touched(tally: Tally, name: str) -> bool:
    """Whether the deck holds any card of a set."""
    return any(need.set == name and need.root in tally.signatures for need in tally.profile.needs)


@ARKHAM.check(SIGNATURES, DECKBUILDING, family="required", when=lambda tally: tally.irregular)
def signatures_present(tally: Tally) -> Iterator[Problem]:
    """Every required signature card is in the deck, or a whole set that may stand in its place."""
    signatures = tally.signatures
    if signatures_replaced(tally.profile.facts, tally.deck):
        return
    if all(signatures.get(need.root, 0) >= _number(tally, need)[0] for need in tally.profile.needs):
        return
    for need in _missing(tally, ""):
        least, _ = _number(tally, need)
        name = _name(tally, need)
        yield Problem(
            f"{counted(signatures.get(need.root, 0), 'copy')} of {name}; the requirements list {least}.",
            f"Add {counted(least - signatures.get(need.root, 0), 'copy')}.",
            (name,),
            count=signatures.get(need.root, 0),
            limit=least,
        )
    sets = list(dict.fromkeys(need.set for need in tally.profile.needs if need.set))
    if not sets or any(not _missing(tally, name) for name in sets):
        return
    begun = [name for name in sets if _touched(tally, name)]
    if not begun:
        names = tuple(_name(tally, need) for need in tally.profile.needs if need.set == sets[0])
        yield Problem(
            f"The signature cards are missing: {', '.join(names)}.", f"Add {', '.join(names)}, or another set.", names
        )
    for name in begun:
        names = tuple(_name(tally, need) for need in _missing(tally, name))
        others = [
            _name(tally, need)
            for need in tally.profile.needs
            if need.set in begun and need.set != name and need.root in tally.signatures
        ]
        yield Problem(
            f"The {name} set of signature cards is not complete: {', '.join(names)} missing.",
            f"Add {', '.join(names)}" + (f", and take out {', '.join(others)}." if others else "."),
            names,
        )


@ARKHAM.check(SIGNATURES, TRANSFIGURED, family="required", when=lambda tally: tally.deck.transformed)
def signatures_given_up(tally: Tally) -> Iterator[Problem]:
    """No signature card stays with an investigator transformed so that weaknesses replace all of them."""
    rows = tally.of_kind(Kind.SIGNATURE)
    if rows and signatures_replaced(tally.profile.facts, tally.deck):
        facts = tally.profile.facts
        yield Problem(
            f"Still in the deck: {with_copies(rows, facts)}; random basic weaknesses replace the signature cards.",
            "Replace each of them with a random basic weakness.",
            labels(rows, facts),
        )


@ARKHAM.check(SIGNATURES, DECKBUILDING, family="required", when=lambda tally: tally.irregular)
def signature_sets_whole(tally: Tally) -> Iterator[Problem]:
    """Sets go in whole, pairs are not mixed: a replacement set instead of the original or besides it, an advanced one
    instead of it."""
    sets = list(dict.fromkeys(need.set for need in tally.profile.needs if need.set))
    complete = [name for name in sets if not _missing(tally, name)]
    if not complete or len(sets) < 2:
        return
    if ADVANCED in complete and _touched(tally, ORIGINAL):
        both = [need for need in tally.profile.needs if need.set == ORIGINAL and need.root in tally.signatures]
        names = tuple(_name(tally, need) for need in both)
        yield Problem(
            f"{', '.join(names)}: the advanced set replaces the original one.",
            "Take out the original set, or the whole advanced set.",
            names,
        )
        complete = [name for name in complete if name != ORIGINAL]
        sets = [name for name in sets if name != ORIGINAL]
    for name in sets:
        if name in complete or not _touched(tally, name):
            continue
        present = [
            _name(tally, need) for need in tally.profile.needs if need.set == name and need.root in tally.signatures
        ]
        missing = tuple(_name(tally, need) for need in _missing(tally, name))
        yield Problem(
            f"{', '.join(present)}: without the rest of the {name} set ({', '.join(missing)}).",
            f"Add {', '.join(missing)}, or take out what is there of this set.",
            tuple(present),
        )


@ARKHAM.check(SIGNATURES, DECKBUILDING, family="required", when=lambda tally: tally.irregular)
def signatures_no_more_than_listed(tally: Tally) -> Iterator[Problem]:
    """No signature card more often than the requirements list it, and none that this version does not list."""
    listed = {need.root: _number(tally, need)[1] for need in tally.profile.needs}
    for root, copies in tally.signatures.items():
        most = listed.get(root)
        if most is not None and copies > most:
            card = tally.profile.facts.card(root)
            name = card.label if card else root
            yield Problem(
                f"{counted(copies, 'copy')} of {name}; the requirements list {most}.",
                f"Take out {counted(copies - most, 'copy')}.",
                (name,),
                count=copies,
                limit=most,
            )
    rows = [
        row for row in tally.of_kind(Kind.SIGNATURE) if row[0].card and row[0].card.root not in tally.profile.signatures
    ]
    if rows:
        facts = tally.profile.facts
        yield Problem(
            f"Not among the requirements of the sides in use: {with_copies(rows, facts)}.",
            "Take these cards out, or use the version of the investigator that lists them.",
            labels(rows, facts),
        )


def earned_later(demand: FromCards, total: int, names: tuple[str, ...]) -> Problem:
    """The note on cards out of a list of which there are more than at the start: how much must have been earned for them."""
    earned = demand.per_experience * (total - demand.at_start)
    return Problem(
        f"{total} of {', '.join(names)}: {demand.at_start} at deck creation, 1 more for every {demand.per_experience} "
        f"experience earned in total, so at least {earned} must have been earned so far, spent or not.",
        "Check that this much has been earned.",
        names,
        "note",
    )


@ARKHAM.check(DECKBUILDING, family="required", when=lambda tally: tally.profile.demands)
def cards_of_the_sides(tally: Tally) -> Iterator[Problem]:
    """What the front or back tells to add at deck creation is there, in the right number, each different."""
    for demand in tally.profile.demands:
        facts = tally.profile.facts
        present = {code: tally.signatures.get(code, 0) for code in demand.codes}
        total = sum(present.values())
        offered = {card.name for code in demand.codes if (card := facts.card(code))}
        called = {code: card.label for code in demand.codes if (card := facts.card(code))}
        names = tuple(label for code, label in called.items() if present[code])
        paired = "".join(
            f", and as many of {_name(tally, need)}"
            for need in tally.profile.needs
            if need.rule and not set(need.rule.as_many_as).isdisjoint(demand.codes)
        )
        most = demand.at_start if demand.at_start and tally.frame.start else demand.most
        wanted = f"{demand.least}" if demand.least == most else f"{demand.least} to {most}"
        if not demand.least <= total <= most:
            yield Problem(
                f"{total} of {either(sorted(offered))} in the deck; the investigator card says to add {wanted}.",
                (f"Add {demand.least - total}" if total < demand.least else f"Take out {total - most}")
                + f" of them{paired}.",
                names if total > most else tuple(label for code, label in called.items() if not present[code]),
                count=total,
                limit=most if total > most else demand.least,
            )
        elif demand.per_experience and total > demand.at_start:
            yield earned_later(demand, total, names)
        twice = [code for code, copies in present.items() if copies > demand.each]
        for code in twice:
            card = facts.card(code)
            if card:
                yield Problem(
                    f"{card.label} is there {present[code]} times; each must be different.",
                    f"Take out {counted(present[code] - 1, 'copy')}{paired}, or take others in place of them.",
                    (card.label,),
                    count=present[code],
                    limit=1,
                )
