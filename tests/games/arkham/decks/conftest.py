"""The shipped card facts, and functions that make a legal deck, break it, and list the checks that find something."""

import re
from dataclasses import replace

from kb.games.arkham.cards import load_arkham
from kb.games.arkham.decks.agreement import CAMPAIGN
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.facts import ArkhamFacts, CardFinder, UnknownName
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
    """Return the code of a card or investigator, named as in a deck file (`Shrivelling (3)`, `Machete (rcore)`)."""
    if CODE.fullmatch(text):
        return text
    try:
        return NAMES.fitting(text)[0].code
    except UnknownName:
        return NAMES.find(text, investigator=True).code


def by_code(cards):
    """Return copies by code for cards given by name."""
    return {named(name): copies for name, copies in cards.items()}


HAUNTED = named("Haunted")
ROLAND, DAISY, AGNES = map(named, ("Roland Banks", "Daisy Walker", "Agnes Baker"))


def plain(entry):
    """Return True if a status is of a player card that uses no limited slot and has no special rules."""
    if (card := entry.card) is None or entry.kind is not Kind.PLAYER:
        return False
    special = card.special
    return not (
        (entry.mask or card.sheet or card.story or card.keywords & {"myriad", "researched", "reward"})
        or (special.trait_limit or special.subtitle_limit or special.attach or special.at_least)
        or (special.single_copies or special.experience or special.buying.trauma)
    )


def deck(investigator=ROLAND, cards=None, **fields):
    """Return a legal deck with `cards` (by names as in `named`): signatures, one Haunted, and level 0 cards up to the
    deck size.

    Cards with 0 copies in `cards` are left out.
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
    """Return `number` copies of plain level 0 cards that the deck does not contain but may contain."""
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
    assert not number, "there are not so many cards"
    return found


def changed(old, cards):
    """Return the deck with other numbers of copies."""
    now = {**old.cards, **by_code(cards)}
    return replace(old, cards={code: number for code, number in now.items() if number})


def check(one, agreement=CAMPAIGN):
    return check_deck(one, FACTS, "deck.json", agreement)


def errors(one, agreement=CAMPAIGN):
    """Return the ids of the checks that find an error."""
    return {finding.check.id for finding in check(one, agreement).findings if finding.severity == "error"}


def found(one, name, agreement=CAMPAIGN):
    """Return the only finding of a check."""
    (finding,) = [finding for finding in check(one, agreement).findings if finding.check.id == name]
    return finding


def notes(one, agreement=CAMPAIGN):
    """Return the ids of the checks that find a note or a warning."""
    return {finding.check.id for finding in check(one, agreement).findings if finding.severity != "error"}
