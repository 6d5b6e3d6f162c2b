"""Every fix of a deck check, followed to the letter: the finding is gone, no new one has come, and the deck ends legal."""

import re
from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from kb.games.arkham.decks.profile import Kind, profile_of
from tests.games.arkham.decks.conftest import FACTS, check, errors
from tests.games.arkham.decks.test_verdicts import VERDICTS, judged
from tests.games.camp import mend, named

ROWS = [judged(row) for rows in VERDICTS.values() for row in rows if row.get("errors") and row.get("followed", True)]


def wrong(told):
    return named((found for found in check(*told).findings if found.fix), "error", "warning")


@cache
def level_0():
    cards = (FACTS.card(code) for code in sorted(FACTS._cards))
    plain = [card for card in cards if card and card.level == 0 and card.code == card.root and not card.spent]
    return [card.code for card in sorted(plain, key=lambda card: {*card.classes} != {"neutral"})]


def codes(deck, finding):
    """The codes of the deck that a finding names, by code or, without one, by name."""
    named = [found[1] if (found := re.search(r"\[(\w+)\]$", card)) else card for card in finding.cards]
    held = [*deck.cards, *deck.extra, *deck.side_deck]
    found = [code for name in named for code in held if name in (code, FACTS.root(code)) or called(code) == name]
    return list(dict.fromkeys(found)) or [FACTS.root(name) for name in named]


def called(code):
    card = FACTS.card(code)
    return card.name if card else code


def less(cards, names, number):
    """The cards without `number` copies of the first of some that are there."""
    left = dict(cards)
    for name in reversed(names):
        taken = min(left.get(name, 0), number)
        number -= taken
        left[name] = left.get(name, 0) - taken
    return {name: copies for name, copies in left.items() if copies > 0}


def filled(deck, frame, number, fits=lambda card: True):
    """The deck with so many more level 0 cards that bring no new finding."""
    profile, before = profile_of(FACTS, deck), errors(deck, frame)
    for code in level_0():
        status = profile.status(code)
        if not number:
            break
        if code in deck.cards or status.kind is not Kind.PLAYER or not status.counts or not fits(status.card):
            continue
        more = replace(deck, cards={**deck.cards, code: 1})
        if errors(more, frame) - before <= {"deck-size"}:
            deck, number = more, number - 1
    assert not number, "no card could be found to put in"
    return deck


def size(deck):
    profile = profile_of(FACTS, deck)
    return sum(copies for code, copies in deck.cards.items() if profile.status(code).counts)


def follow(deck, frame, finding):
    """The deck after the first way that a fix names."""
    fix, names, before = finding.fix, codes(deck, finding), size(deck)
    number = int(found[1]) if (found := re.search(r"(?:out|Add|Draw|Replace|Take back|in) (\d+)", fix)) else 0
    extra = finding.check.startswith("extra-deck")
    pile = "side_deck" if "side deck" in fix else "extra" if extra else "cards"
    held = dict(getattr(deck, pile))
    if finding.check == "choices-made":
        return chosen(deck, finding)
    if framed(frame, finding) != frame:
        return deck
    if re.search("marks out|Mark |Take back|each upgrade once|Choose a card", fix):
        return replace(deck, customizations={})
    if fix.startswith(("Use the", "Choose the")):
        return replace(deck, front="", back="")
    if fix.startswith(("Name one of the lists", "Use taboo list")):
        return replace(deck, taboo=int(re.findall(r"\d+", fix)[-1]))
    if fix.startswith("Put in"):
        wanted = re.findall(r"(\d+) more(?: (\w+))?", fix)
        for count, kind in wanted:
            deck = swapped(deck, frame, finding, int(count), kind, [each for _, each in wanted])
        return deck
    if fix.startswith("Draw ") or "another random basic weakness" in fix:
        if finding.cards:
            held = less(held, names, number or 99)
        for _ in range(number or 1):
            drawn = next(c for c in sorted(FACTS._cards) if is_basic(deck, c) and held.get(c, 0) == 0)
            held[drawn] = 1
        return replace(deck, cards=held)
    if extra and re.match("Add .* to it|Exchange|Take .* out of it", fix):
        number = number or int(re.search(r"\d+", fix)[0])
        if names or "out of it" in fix:
            theirs = [c for c in held if (card := FACTS.card(c)) and not card.only_investigators]
            held = less(held, names or theirs, number)
        profile = profile_of(FACTS, deck).extra
        fitting = [c for c in level_0() if c not in held and profile and profile.status(c).kind is Kind.PLAYER]
        return replace(deck, extra={**held, **dict.fromkeys(fitting[: 0 if "out of it" in fix else number], 1)})
    if found := re.search(r"as many of .*\[(\w+)\]", fix):
        more = [names[0], found[1]] if fix.startswith("Add") else []
        held = held if more else less(less(held, names, number), [found[1]], number)
        return replace(deck, cards={**held, **{name: held.get(name, 0) + number for name in more}})
    if fix.startswith("Add") and re.search(r"\[\w+\]", fix):
        here, _, gone = fix.partition(" take out ")
        held = less(held, re.findall(r"\[(\w+)\]", gone), 99)
        return replace(deck, cards={**held, **{c: held.get(c, 0) + 1 for c in re.findall(r"\[(\w+)\]", here)}})
    if fix.startswith("Add") and not names:  # "Add 2 cards."
        return filled(deck, frame, number)
    if fix.startswith("Add"):
        return replace(
            deck, **{pile: {**held, **{n: held.get(n, 0) + (number or 1) for n in names[: 1 if number else None]}}}
        )
    if re.match(r"Take out \d+ cards?\.$", fix) and not names:
        return replace(deck, **{pile: less(held, [n for n in held if counts(deck, n)], number)})
    if fix.startswith(("Take", "Set it aside", "Replace", "Correct", "Write 0")):
        if finding.check in ("level-0-at-the-start", "standalone-experience"):
            names = [n for n in held if (card := FACTS.card(n)) and card.level]
        at_most = number if fix.startswith("Take out") or "Replace " + str(number) in fix else 0
        others = 1 if "the others" in fix else 0
        left = less(held, names, at_most or sum(max(0, held.get(n, 0)) for n in names) - others)
        deck = replace(deck, **{pile: left}, customizations={} if "mark no boxes" in fix else deck.customizations)
        more = int(found[1]) if (found := re.search(r"Put (\d+) other cards? in", fix)) else 0
        if found := re.search(r"Take (\d+) other cards? out", fix):
            spare = [
                c
                for c in deck.cards
                if counts(deck, c) and c not in names and (card := FACTS.card(c)) and card.level == 0
            ]
            deck = replace(deck, cards=less(deck.cards, spare, int(found[1])))
        return filled(deck, frame, before - size(deck) if fix.startswith("Replace") else more)
    raise AssertionError(f"nobody could follow this fix: {finding}")


def framed(frame, finding):
    """The frame after a fix that is about it: which expansions are chosen, or where the investigator may play."""
    if finding.fix == "Choose three.":
        return replace(frame, expansions=frame.expansions[:3])
    if found := re.match(r"Choose among (\w+)", finding.fix):
        return replace(frame, expansions=(found[1],))
    return replace(frame, environment="legacy") if "or play in Legacy" in finding.fix else frame


def chosen(deck, finding):
    name = re.search(r"\((\w+)\)", finding.message)
    taken = set(deck.choices.values())
    offered = [
        value
        for value in re.split(r", | or ", re.sub(r"Choose (two different ones from )?|\.$", "", finding.fix))
        if value
    ]
    if name:
        return replace(deck, choices={**deck.choices, name[1]: next(value for value in offered if value not in taken)})
    *_, last = deck.choices
    return replace(deck, choices={**deck.choices, last: next(value for value in offered if value not in taken)})


def swapped(deck, frame, finding, number, kind, wanted):
    """The deck with cards of a class (or skills) in place of others that the demand does not need."""

    def fits(card):
        return kind in card.classes if kind else card.type == "skill"

    held = dict(deck.cards)
    for _ in range(number):
        spare = [
            c
            for c in held
            if counts(deck, c) and (card := FACTS.card(c)) and not fits(card) and {*card.classes}.isdisjoint(wanted)
        ]
        groups = Counter()
        for code in spare:
            groups[FACTS.card(code).classes] += held[code]
        ((most, _),) = groups.most_common(1)
        held = less(held, [c for c in spare if FACTS.card(c).classes == most], 1)
    return filled(replace(deck, cards=held), frame, number, fits)


def is_basic(deck, code):
    status = profile_of(FACTS, deck).status(code)
    return (
        status.kind is Kind.BASIC
        and status.card is not None
        and not status.card.hidden
        and not status.card.only_classes
    )


def counts(deck, code):
    return profile_of(FACTS, deck).status(code).counts


@pytest.mark.parametrize("row", range(len(ROWS)))
def test_the_fix_of_a_finding_ends_it_and_brings_no_other(row):
    def after(told, finding):
        return follow(*told, finding), framed(told[1], finding)

    # the whole deck was built for that back
    assert check(*mend(ROWS[row], wrong, after, known="sides-of-one-investigator")).legal
