"""Applies the remedies of findings to an Arkham Horror deck or to the record of a game, as a player who follows the
report would.
"""

import copy
import re
from collections import Counter
from dataclasses import replace

from kb.decks.remedies import Add, Boxes, Clear, Exchange, Fill, ListUnder, Remove, Set, Steps, Unlist
from kb.games.arkham.decks.checks.required import ANOTHER_WEAKNESS
from kb.games.arkham.decks.profile import Kind, profile_of
from tests.games.arkham.decks.conftest import FACTS, errors, named

PILES = {"": "cards", "spirit_deck": "extra", "side_deck": "side_deck", "uncounted": "ignored"}


def code_of(label, held=()):
    """Return the card code in `label`. If `held` contains a code of the same card, return that code."""
    code = found[1] if (found := re.search(r"\[(\w+)\]$", label)) else label
    return next((each for each in held if code in (each, FACTS.root(each))), code)


def status(deck, code, extra=False):
    profile = profile_of(FACTS, deck)
    return (profile.extra if extra else profile).status(code)


def counts(deck, code, extra=False):
    return status(deck, code, extra).counts


def without(held, labels, copies):
    """Return the dict `held` (copies by code) without `copies` of the cards named by `labels`, beginning with the
    last label. Fails if there are too few copies.
    """
    left = dict(held)
    for label in reversed(labels):
        code = code_of(label, held)
        if copies and left.get(code, 0) > 0:
            left[code] -= 1
            copies -= 1
    assert not copies, f"{copies} copies of {labels} are missing"
    return {code: number for code, number in left.items() if number > 0}


def level_0(extra):
    cards = (FACTS.card(code) for code in sorted(FACTS.codes()))
    plain = [card for card in cards if card and card.level == 0 and card.code == card.root and not card.spent]
    return [card.code for card in sorted(plain, key=lambda card: {*card.classes} != {"neutral"} and not extra)]


def filled(deck, agreement, copies, pile):
    """Return the deck with `copies` more level 0 cards in `pile`, chosen so that they break no rule except the deck
    size.
    """
    extra = pile == "extra"
    before = errors(deck, agreement)
    for code in level_0(extra):
        held, entry = getattr(deck, pile), status(deck, code, extra)
        if copies and code not in held and entry.kind is Kind.PLAYER and entry.counts:
            more = replace(deck, **{pile: {**held, code: 1}})
            if errors(more, agreement) - before <= {"deck-size", "extra-deck-size"}:
                deck, copies = more, copies - 1
    assert not copies, "no legal card is left to add"
    return deck


def added(deck, labels, pile):
    held = dict(getattr(deck, pile))
    for label in labels:
        code = code_of(label, held)
        held[code] = held.get(code, 0) + 1
    return replace(deck, **{pile: held})


def any_leave(deck, agreement, copies, pile):
    """Return the deck with `copies` fewer cards in `pile`. Required cards stay."""
    extra = pile == "extra"
    for _ in range(copies):
        before = errors(deck, agreement)
        held = getattr(deck, pile)
        spare = (code for code in reversed(held) if held[code] > 0 and status(deck, code, extra).kind is Kind.PLAYER)
        fewer = (replace(deck, **{pile: without(held, [code], 1)}) for code in spare if counts(deck, code, extra))
        deck = next(each for each in fewer if errors(each, agreement) - before <= {"deck-size", "extra-deck-size"})
    return deck


def exchanged(deck, agreement, remedy, pile):
    """Return the deck after an Exchange. If the remedy does not name the new cards, they are another weakness, or level
    0 cards that break no rule.
    """
    if remedy.out:
        fewer = replace(deck, **{pile: without(getattr(deck, pile), remedy.out, remedy.copies)})
        if remedy.what == ANOTHER_WEAKNESS:
            return added(fewer, [weakness(fewer) for _ in range(remedy.copies)], pile)
        if remedy.into:
            cards = (remedy.into * remedy.copies)[: remedy.copies]
            return added(fewer, cards, pile)
        return filled(fewer, agreement, remedy.copies, pile)
    for label in (remedy.into * remedy.copies)[: remedy.copies]:
        more, before = added(deck, [label], pile), errors(deck, agreement)
        new = FACTS.card(code_of(label))
        spare = [
            code
            for code in more.cards
            if counts(more, code) and (card := FACTS.card(code)) and set(card.classes).isdisjoint(new.classes)
        ]
        most = Counter()
        for code in spare:
            most[FACTS.card(code).classes] += more.cards[code]
        spare.sort(key=lambda code: (FACTS.card(code).type == new.type, -most[FACTS.card(code).classes]))
        fewer = (replace(more, cards=without(more.cards, [code], 1)) for code in spare)
        deck = next(each for each in fewer if errors(each, agreement) <= before)
    return deck


def weakness(deck):
    def fits(code):
        entry = status(deck, code)
        return entry.kind is Kind.BASIC and entry.card and not entry.card.hidden and not entry.card.only_classes

    return next(code for code in sorted(FACTS.codes()) if code not in deck.cards and fits(code))


def marks_less(deck, key, number):
    """Return the deck's customizations with `number` fewer marked boxes. `key` is `upgrades.CODE.N` for one upgrade of
    a card, or `upgrades.CODE` for any of its upgrades.
    """
    _, code, *upgrade = key.split(".")
    code, marks = code_of(code, deck.customizations), []
    for mark in reversed(deck.customizations[code]):
        fewer = min(number, mark.spent) if not upgrade or mark.index == int(upgrade[0]) - 1 else 0
        number -= fewer
        if mark.spent - fewer > 0:
            marks.append(replace(mark, spent=mark.spent - fewer))
    return {**deck.customizations, code: tuple(reversed(marks))}


def with_value(deck, agreement, key, value):
    """Return (deck, agreement) after setting `key` to `value`. The key belongs to the deck file or to the options of
    the check. Return None for any other key.
    """
    first, *inner = key.split(".")
    match first:
        case "choices":
            return replace(deck, choices={**deck.choices, inner[0]: value}), agreement
        case "cards":
            return replace(deck, cards={**deck.cards, inner[0]: int(value)}), agreement
        case "taboo":
            return replace(deck, taboo=0 if value == "none" else int(value)), agreement
        case "environment":
            return deck, replace(agreement, environment=value)
        case "expansion":
            return deck, replace(agreement, expansions=(value,))
        case "front" | "back":
            return replace(deck, **{first: value}), agreement
    return None


def applied(deck, agreement, remedy):
    """Return (deck, agreement) after `remedy`, or None if only a person can follow it."""
    pile = PILES.get(getattr(remedy, "pile", ""))
    match remedy:
        case Steps(steps=steps):
            told = deck, agreement
            for step in steps:
                told = told and applied(*told, step)
            return told
        case Remove(copies=copies, of=of, pile="expansion"):
            return deck, replace(
                agreement, expansions=tuple(each for each in agreement.expansions if each not in of[-copies:])
            )
        case Remove(copies=copies, of=of, pile="attached") | Exchange(copies=copies, out=of, pile="attached"):
            gone = Counter(map(code_of, of[-copies:]))
            left = {code: tuple((Counter(cards) - gone).elements()) for code, cards in deck.attachments.items()}
            new = replace(deck, attachments=left)
            return (new, agreement) if isinstance(remedy, Remove) else None
        case Remove(copies=copies, of=()):
            return any_leave(deck, agreement, copies, pile), agreement
        case Remove(copies=copies, of=of):
            return replace(deck, **{pile: without(getattr(deck, pile), of, copies)}), agreement
        case Add(cards=cards, pile="attached"):
            (holder,) = deck.attachments
            codes = (*deck.attachments[holder], *map(code_of, cards))
            return replace(deck, attachments={holder: codes}), agreement
        case Add(cards=cards):
            return added(deck, cards, pile), agreement
        case Fill(pile="attached"):
            return None
        case Fill(copies=copies, among=among) if among:
            return added(deck, among[:copies], pile), agreement
        case Fill(copies=copies):
            return filled(deck, agreement, copies, pile), agreement
        case Exchange() if remedy.out or remedy.into:
            return exchanged(deck, agreement, remedy, pile), agreement
        case Set(key=key, value=value, choices=choices) if value or choices:
            return with_value(deck, agreement, key, value or choices[0])
        case Clear(clears=keys):
            fields = {key: "" for key in keys if "." not in key}
            for key in set(keys) - set(fields):
                deck = replace(deck, customizations=marks_less(deck, key, 99))
            return replace(deck, **fields), agreement
        case Unlist(key="uncounted", cards=cards):
            return replace(deck, ignored=without(deck.ignored, cards, len(cards))), agreement
        case Unlist(key="upgrades", cards=cards):
            gone = {code_of(card, deck.customizations) for card in cards}
            left = {code: marks for code, marks in deck.customizations.items() if code not in gone}
            return replace(deck, customizations=left), agreement
        case Boxes(number=number, checked=False, key=key):
            return replace(deck, customizations=marks_less(deck, key, number)), agreement
    return None


def in_record(game, remedy, who=""):
    """Return a copy of `game` (the keys of a game's file) after `remedy` for the player `who`, or None if only a person
    can follow it.
    """
    new = copy.deepcopy(game)
    match remedy:
        case Steps(steps=steps):
            for step in steps:
                new = new and in_record(new, step, who)
            return new
        case Set(key=key, value=value) if value:
            *way, last = key.split(".")
            held = new
            for part in way:
                held = held.setdefault(part, {})
            held[last] = value
        case Clear(clears=keys):
            for key in keys:
                new.pop(key, None)
        case ListUnder(key=key, cards=cards, who=person):
            if person:
                new[key] = {**new.get(key, {}), person: [*new.get(key, {}).get(person, []), *cards]}
            else:
                new[key] = [*new.get(key, []), *cards]
        case Unlist(key=key, cards=cards, who=person) if person:
            new[key] = {**new[key], person: [name for name in new[key][person] if name not in cards]}
        case Unlist(key=key, cards=cards):
            held = new[key]
            if isinstance(held, dict):
                new[key] = {name: each for name, each in held.items() if name not in cards}
            else:
                new[key] = [name for name in held if name not in cards] if isinstance(held, list) else None
        case Add(cards=cards) | Remove(of=cards) if who in new.get("decks", {}):
            held = new["decks"][who]["cards"]
            for label in cards if isinstance(remedy, Add) else cards[: remedy.copies]:
                name = next((name for name in held if named(name) == code_of(label)), code_of(label))
                held[name] = max(0, int(held.get(name, 0)) + (1 if isinstance(remedy, Add) else -1))
        case _:
            return None
    return new
