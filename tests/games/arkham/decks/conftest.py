"""Shipped Arkham Horror card facts, and functions that make a legal deck, change it, and list the checks that report
something.
"""

import re
from dataclasses import replace

from kb.games.arkham.cards import load_arkham
from kb.games.arkham.decks.agreement import CAMPAIGN
from kb.games.arkham.decks.card_finder import CardFinder, UnknownName
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.judging import check_deck
from kb.games.arkham.decks.profile import Kind, profile_of
from kb.sources.problems import Problems
from tests.conftest import ROOT

CARDS = ROOT / "cards"


def load():
    problems = Problems(CARDS)
    records = load_arkham(CARDS, problems)
    assert problems.found == []
    return records


RECORDS = load()
FACTS = ArkhamFacts(lambda kind: RECORDS.get(kind, ()))
NAMES = CardFinder(FACTS)
CODE = re.compile(r"\d{5}[a-z]?")


def named(text):
    """Return the code of a card or investigator. `text` is a code, or a name as in a deck file, such as `Shrivelling
    (3)` or `Machete (rcore)`.
    """
    if CODE.fullmatch(text):
        return text
    try:
        return NAMES.fitting(text)[0].code
    except UnknownName:
        return NAMES.find(text, investigator=True).code


def by_code(cards):
    """Return the dict `cards` (copies by name) with codes instead of names."""
    return {named(name): copies for name, copies in cards.items()}


HAUNTED = named("Haunted")
ROLAND, DAISY, AGNES = map(named, ("Roland Banks", "Daisy Walker", "Agnes Baker"))


def plain(entry):
    """Return True if a card in a deck is a player card, has no special deck rules and takes no limited slot. `entry`
    is the status of the card.
    """
    if (card := entry.card) is None or entry.kind is not Kind.PLAYER:
        return False
    special = card.special
    return not (
        (entry.mask or card.sheet or card.story or card.keywords & {"myriad", "researched", "reward"})
        or (special.trait_limit or special.subtitle_limit or special.attach or special.at_least)
        or (special.single_copies or special.experience or special.buying.trauma)
    )


def deck(investigator=ROLAND, cards=None, **fields):
    """Return a legal deck of an investigator that contains `cards` (copies by name; 0 leaves a card out).

    The deck also gets the investigator's signature cards, one Haunted, and level 0 cards up to the deck size.
    """
    investigator, given = named(investigator), by_code(cards or {})
    slots = {HAUNTED: 1, **given}
    begun = ArkhamDeck(investigator, slots, **fields)
    profile = profile_of(FACTS, begun)
    for need in profile.needs:
        if need.set in ("", "original") and need.root not in given:
            by_size = need.rule.by_size.get(profile.base_size) if need.rule and need.rule.by_size else None
            slots[need.root] = by_size or need.most
    size = sum(slots[code] for code in slots if profile.status(code).counts)
    slots |= spare(begun, max(0, profile.size - size))
    return replace(begun, cards={code: copies for code, copies in slots.items() if copies})


def spare(one, number, backwards=False):
    """Return `number` plain level 0 cards, one copy each, that the deck may contain but does not contain. The result
    maps codes to copies.
    """
    profile = profile_of(FACTS, one)
    titles = {card.title for code in one.cards if (card := FACTS.card(code))}
    found = {}
    for code in sorted(FACTS._cards, reverse=backwards):
        entry = profile.status(code)
        card = entry.card
        fits = (
            card
            and plain(entry)
            and entry.counts
            and card.level == 0
            and "unique" not in card.keywords
            and not card.surcharge
        )
        if number and fits and card.code == card.root and card.title not in titles:
            titles.add(card.title)
            found[code] = min(entry.limit, number)
            number -= found[code]
    assert not number, "there are too few such cards"
    return found


def changed(old, cards):
    """Return the deck `old` with new numbers of copies for `cards` (copies by name)."""
    now = {**old.cards, **by_code(cards)}
    return replace(old, cards={code: number for code, number in now.items() if number})


def check(one, agreement=CAMPAIGN):
    return check_deck(one, FACTS, "deck.json", agreement)


def errors(one, agreement=CAMPAIGN):
    """Return the ids of the checks that report an error for the deck `one`."""
    return {finding.check.id for finding in check(one, agreement).findings if finding.severity == "error"}


def found(one, name, agreement=CAMPAIGN):
    """Return the finding of the check called `name`. Fails unless that check reports exactly one."""
    (finding,) = [finding for finding in check(one, agreement).findings if finding.check.id == name]
    return finding


def notes(one, agreement=CAMPAIGN):
    """Return the ids of the checks that report a note or a warning for the deck `one`."""
    return {finding.check.id for finding in check(one, agreement).findings if finding.severity != "error"}
