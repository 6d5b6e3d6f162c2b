"""Checks a character sheet. Importing this module registers all checks and sorts them by their family."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from typing import get_args

from kb.decks.names import both, counted_names, each_counted, name_key, suggest
from kb.decks.problems import At, Family, Problem, Problems
from kb.decks.remedies import Advice, Exchange, Fill, ListUnder, Move, Remove, Set, Unlist
from kb.decks.report import Report
from kb.games.tainted_grail.decks.character_sheet import (
    BASIC_CARDS,
    CHARACTERS,
    GAME,
    ITEM_KEYWORDS,
    POOL,
    POOL_CARDS,
    RULESET,
    STARTER_CARDS,
    STARTERS,
    GrailCard,
    GrailDeck,
    Item,
    Sheet,
    entry,
    rule,
)
from kb.games.tainted_grail.decks.growth import least_cost, pairs_of, prices_ever
from kb.plural import counted

MOST_OF_A_RESOURCE = 20
MOST_ITEMS_IN_CHALLENGE = 5
CHALLENGE_SECRET = 42


@rule("item-keywords", "equip-for-your-journey", "items-in-encounters", family="copies")
def one_for_each_keyword(sheet: Sheet) -> Problems:
    """At most one faceup item or secret has each of these keywords: WEAPON, ARMOR, SHIELD, COMPANION, RELIC."""
    for keyword in ITEM_KEYWORDS:
        used = [item for item in (*sheet.items, *sheet.secrets) if keyword in item.keywords and not item.facedown]
        if len(used) > 1:
            names = tuple(item.name for item in used)
            down = both(pasted(replace(item, facedown=True)) for item in used[1:])
            yield Problem(
                f"{len(used)} cards with {keyword} are in use: {both(names)}. Only 1 item or secret with each keyword "
                "can be in use.",
                cards=names,
                count=len(used),
                limit=1,
                remedies=(Advice(f"turn all but one facedown, so that the sheet lists {down}"),),
            )


@rule("carrying-limit", "experience", family="count")
def carrying_limit(sheet: Sheet) -> Problems:
    """A character carries at most 20 of each resource. There is no limit for experience."""
    for name, number in sheet.resources.items():
        if name != "experience" and number > MOST_OF_A_RESOURCE:
            yield Problem(
                f"{sheet.character} carries {number} {name}; the limit is {MOST_OF_A_RESOURCE}.",
                count=number,
                limit=MOST_OF_A_RESOURCE,
                at=At("resources", name),
                remedies=(Set(f"resources.{name}", str(MOST_OF_A_RESOURCE)),),
                names_owner=True,
            )


@rule("challenge-mode-item-limit", "secrets", family="count")
def items_in_challenge_mode(sheet: Sheet) -> Problems:
    """In challenge mode, a character carries at most 5 items. Secrets do not count."""
    if sheet.plays("items") and len(sheet.items) > MOST_ITEMS_IN_CHALLENGE:
        names = tuple(item.name for item in sheet.items)
        yield Problem(
            f"{sheet.character} carries {len(names)} items; in challenge mode the limit is {MOST_ITEMS_IN_CHALLENGE}.",
            cards=names,
            count=len(names),
            limit=MOST_ITEMS_IN_CHALLENGE,
            at=At("items"),
            remedies=(Remove(len(names) - MOST_ITEMS_IN_CHALLENGE, of=names, pile="items"),),
            names_owner=True,
        )


@rule("trading-secrets", "secrets", "character-death", family="access")
def personal_secrets_stay(sheet: Sheet) -> Problems:
    """A secret with the keyword PERSONAL stays with the character who got it first."""
    for secret in sheet.secrets:
        if "PERSONAL" in secret.keywords and secret.owner and name_key(secret.owner) != name_key(sheet.character):
            yield Problem(
                f"{secret.name[0].upper()}{secret.name[1:]} is PERSONAL and belongs to {secret.owner}. It can never be "
                f"transferred to {sheet.character}.",
                cards=(secret.name,),
                at=At("secrets"),
                remedies=(
                    Move((secret.name,), from_=sheet.character, to=secret.owner),
                    Remove(1, of=(secret.name,), pile="secrets", why=f"if {secret.owner} is dead"),
                ),
            )


@rule("challenge-mode-setup", family="campaign", severity="note")
def secret_of_challenge_mode(sheet: Sheet) -> Problems:
    """If a campaign begins in challenge mode, the party takes secret card 42 at the start."""
    if (
        sheet.plays("setup")
        and not sheet.earlier_modes
        and not any(each.number == CHALLENGE_SECRET for each in sheet.secrets)
    ):
        yield Problem(
            f"In challenge mode the party takes secret card {CHALLENGE_SECRET} at the start of the game; this sheet does not list it.",
            at=At("secrets"),
            remedies=(Advice("ignore this if the secret is on another sheet or was resolved since"),),
        )


def pasted(item: Item) -> str:
    """Return `item` as a line that users can paste into a sheet's file, with its number, keywords and owner."""
    words = ", ".join(item.marks)
    called = str(item.number) if item.number else item.name
    if item.owner is None and not re.search(r'["\\()\[\]{},]|^\d+\s|\s[xX×*]?\d+$', called):
        return f'`"{called} ({words})"`' if words else f'`"{called}"`'
    name = f"number: {item.number}" if item.number else f"name: {json.dumps(item.name, ensure_ascii=False)}"
    owner = f", owner: {json.dumps(item.owner, ensure_ascii=False)}" if item.owner else ""
    down = ", facedown: yes" if item.facedown else ""
    return f"`{{{name}, keywords: [{', '.join(item.keywords)}]{down}{owner}}}`"


LEAST_CARDS = 15
SHOWN = 6


def unowned(deck: GrailDeck) -> list[GrailCard]:
    """Return the cards in the deck that the sheet lists neither as starter nor as gained cards.

    A card is repeated for each copy that the sheet does not account for.
    """
    left = Counter(card.key for card in (*deck.starter_cards, *deck.gained))
    beyond = []
    for card in deck.cards:
        if left[card.key] > 0:
            left[card.key] -= 1
        else:
            beyond.append(card)
    return beyond


def others_start(sheet: Sheet, deck: GrailDeck) -> bool:
    """Return True if the starter cards of `deck` may be cards other than the cards numbered 1 to 15.

    This is the case if the sheet does not list the starter cards and the character may be from another campaign.
    """
    return deck.starter is None and (sheet.free_play or sheet.known is None)


def taken_for_starters(deck: GrailDeck) -> list[GrailCard]:
    """Return the cards in the deck that are assumed to be starter cards because the sheet does not list starter cards.

    Such cards have a name instead of a number, and are not among the gained cards; see `cards_owned`.
    """
    if deck.starter is not None:
        return []
    places = STARTER_CARDS - len({card.key for card in deck.cards} & {card.key for card in deck.starter_cards})
    return [card for card in unowned(deck) if card.number is None][:places]


def spare(deck: GrailDeck) -> tuple[str, ...]:
    """Return the names of the cards that the character owns but does not have in the deck. A name is repeated for
    each copy.
    """
    left = Counter(card.name for card in (*deck.starter_cards, *deck.gained))
    left.subtract(card.name for card in deck.cards)
    return tuple(name for name, number in left.items() for _ in range(max(0, number)))


@rule("deck-size", "no-cards-in-deck", family="count")
def deck_size(sheet: Sheet) -> Problems:
    """The combat deck and the diplomacy deck have at least 15 cards each.

    The step at the end of the day says "must consist of 15 cards", so a larger deck gets a note.
    """
    for deck in sheet.decks:
        size = len(deck.cards)
        if size < LEAST_CARDS:
            free = spare(deck)
            yield Problem(
                f"The {deck.name} deck has {counted(size, 'card')}, but needs at least {LEAST_CARDS}.",
                count=size,
                limit=LEAST_CARDS,
                at=At(deck.name),
                remedies=(
                    (Fill(LEAST_CARDS - size, "card", among=free, pile=f"{deck.name}.deck"),)
                    if size and free
                    else (Set(deck.name, f"1-{STARTER_CARDS}", why="for the starter deck"),)
                ),
            )
        elif size > LEAST_CARDS:
            yield Problem(
                f"The {deck.name} deck has {size} cards. The rules for advancement require at least {LEAST_CARDS}; "
                f"the rules for the end of the day say that a deck consists of {LEAST_CARDS}.",
                severity="note",
                cites=(entry("deck-size"), entry("build-your-character-decks")),
                count=size,
                limit=LEAST_CARDS,
                at=At(deck.name),
                remedies=(Advice("agree on it with your group; this check reads 15 as a minimum"),),
            )


@rule("starter-decks", family="required")
def starter_cards(sheet: Sheet) -> Problems:
    """A character has 15 starter cards for combat and 15 for diplomacy. In this campaign they are the cards 1 to 15."""
    for deck in sheet.decks:
        if deck.starter is None:
            continue
        if len(deck.starter) != STARTER_CARDS:
            yield Problem(
                f"The sheet lists {counted(len(deck.starter), 'starter card')} for {deck.name}; there are {STARTER_CARDS}.",
                count=len(deck.starter),
                limit=STARTER_CARDS,
                at=At(deck.name),
                remedies=(
                    *((Set(f"{deck.name}.starter", f"1-{STARTER_CARDS}"),) if sheet.known else ()),
                    Advice("list all starter cards that the character tile names, and no others"),
                ),
            )
        wrong = [card for card in deck.starter if card.number and card.number > STARTER_CARDS]
        if wrong and sheet.known:
            yield Problem(
                f"{names(wrong)} {'is' if len(wrong) == 1 else 'are'} listed as {deck.name} starter cards. The starter cards of this "
                f"campaign are numbered 1-{STARTER_CARDS}/{BASIC_CARDS}.",
                cards=tuple(card.name for card in wrong),
                at=At(deck.name),
                remedies=(
                    ListUnder(
                        f"{deck.name}.gained",
                        tuple(card.name for card in wrong),
                        why="if they were gained from the advancement pool",
                        instead_of=f"{deck.name}.starter",
                    ),
                ),
            )


@rule("advancement-pools", "advancing-decks", family="pool")
def gained_from_the_pool(sheet: Sheet) -> Problems:
    """Gained cards come from the advancement pool. It has 15 advanced and 10 basic cards, but no starter cards."""
    for deck in sheet.decks:
        piles = [
            (f"{grade} ", [card for card in deck.gained if card.grade == grade], there) for grade, there in POOL.items()
        ]
        for grade, gained, there in (*piles, ("", deck.gained, POOL_CARDS)):
            if len(gained) > there:
                yield Problem(
                    f"{len(gained)} {grade}{deck.name} cards are gained; the advancement pool has {there}.",
                    count=len(gained),
                    limit=there,
                    at=At(deck.name),
                    remedies=(
                        Remove(len(gained) - there, of=tuple(card.name for card in gained), pile=f"{deck.name}.gained"),
                    ),
                )
        starters = {card.key for card in deck.starter_cards}
        for card in dict.fromkeys(deck.gained):
            if card.number and card.key in starters and not others_start(sheet, deck):
                yield Problem(
                    f"The {deck.name} card {card.name} is a starter card, so it is not in the advancement pool.",
                    cards=(card.name,),
                    at=At(deck.name),
                    remedies=(Unlist(f"{deck.name}.gained", (card.name,)),),
                )
            elif card.number and (number := deck.gained.count(card)) > 1:
                yield Problem(
                    f"The {deck.name} card {card.name} is listed as gained {number} times, but there is "
                    "only one card of each number.",
                    cards=(card.name,),
                    count=number,
                    limit=1,
                    at=At(deck.name),
                    remedies=(Remove(number - 1, of=(card.name,) * number, pile=f"{deck.name}.gained"),),
                )


@rule("build-your-character-decks", "starter-decks", "advancing-decks", family="access")
def cards_owned(sheet: Sheet) -> Problems:
    """A deck contains only cards that the character owns: 15 starter cards, and cards gained from the advancement pool.

    If the sheet does not list the starter cards, kb assumes that named cards in the deck are starter cards unless they
    are among the gained cards. It assumes at most 15 starter cards, including those given by number.
    """
    for deck in sheet.decks:
        beyond = any(card.number for card in unowned(deck))
        if others_start(sheet, deck) and (
            beyond or {card.key for card in deck.gained} & {card.key for card in STARTERS}
        ):
            yield Problem(
                f"The {deck.name} deck does not fit the starter cards 1 to {STARTER_CARDS}. For a character from another campaign, the tile "
                f"says which of the numbers 1 to {BASIC_CARDS} are starter cards, so the sheet must list them.",
                cards=tuple(dict.fromkeys(card.name for card in unowned(deck))),
                at=At(deck.name),
                remedies=(Set(f"{deck.name}.starter", why="to the numbers on the tile, for example [1-10, 16-20]"),),
            )
            continue
        assumed = taken_for_starters(deck)
        if assumed:
            yield Problem(
                f"{names(assumed)}: not among the gained {deck.name} cards, so counted as starter cards.",
                cards=tuple(dict.fromkeys(card.name for card in assumed)),
                severity="note",
                at=At(deck.name),
                remedies=(Set(f"{deck.name}.starter", why="to the starter cards, so that kb can check this"),),
            )
        missing = Counter(card.name for card in unowned(deck))
        missing.subtract(card.name for card in assumed)
        for name, number in missing.items():
            copies = [card for card in deck.cards if card.name == name]
            if number > 0:
                have = (
                    f"lists only {counted(len(copies) - number, 'copy')} of it"
                    if len(copies) > number
                    else "does not list it"
                )
                free = spare(deck) if len(deck.cards) - number < LEAST_CARDS else ()
                yield Problem(
                    f"The {deck.name} deck contains {counted_names([name] * len(copies))}, but the sheet {have} among the starter and gained "
                    "cards.",
                    cards=(name,),
                    at=At(deck.name),
                    remedies=(
                        Exchange(
                            number, (name,), into=free, what="cards that the character owns", pile=f"{deck.name}.deck"
                        )
                        if free
                        else Remove(number, of=(name,) * len(copies), pile=f"{deck.name}.deck"),
                        ListUnder(
                            f"{deck.name}.gained", (name,) * number, why="if it was gained from the advancement pool"
                        ),
                    ),
                )


@rule("combat-and-diplomacy-cards", "advancement-pools", family="access", severity="note")
def cards_taken_on_trust(sheet: Sheet) -> Problems:
    """kb accepts the named cards on a sheet without checking them, because it has no card lists for this game."""
    named = list(
        dict.fromkeys(card.name for deck in sheet.decks for card in (*deck.cards, *deck.gained) if not card.number)
    )
    if named:
        yield Problem(
            f"kb has no card lists for this game, so it cannot check that {counted_names(named[:SHOWN])}"
            f"{' and more' if len(named) > SHOWN else ''} {'are' if len(named) > 1 else 'is'} among this character's cards.",
            cards=tuple(named),
            remedies=(Advice("look for the character's name or color on the cards"),),
        )


@rule("combat-and-diplomacy-cards", "setting-up-your-character", "free-play", family="required")
def color_of_the_decks(sheet: Sheet) -> Problems:
    """Outside free play, the cards have the same color as the tray. This is checked if the sheet gives both colors."""
    if sheet.tray and sheet.deck_color and color(sheet.tray) != color(sheet.deck_color) and not sheet.free_play:
        yield Problem(
            f"The cards are {sheet.deck_color} and the tray is {sheet.tray}. Outside free play they have the same color.",
            at=At("deck_color"),
            remedies=(Set("deck_color", sheet.tray), Set("free_play", "yes", why="if you play freely")),
        )


def color(text: str) -> str:
    """Return `text` in a form that can be compared: without capitals, and with `grey` for `gray`."""
    return name_key(text).replace("gray", "grey") or text.casefold()


def names(cards: list[GrailCard]) -> str:
    """Return the names of the cards with their numbers of copies, such as `A, B and 2x C`. If there are more than 6
    names, only the first 6 are shown, followed by `and more`.
    """
    shown = each_counted(card.name for card in cards)
    return both(shown[:SHOWN]) + (" and more" if len(shown) > SHOWN else "")


@rule("free-play", "playable-characters", "starter-decks", family="campaign", severity="warning")
def character_of_the_campaign(sheet: Sheet) -> Problems:
    """The character is one of the four in The Fall of Avalon. Free play allows characters from other campaigns, but
    they cannot progress through their personal story.
    """
    if sheet.known:
        return
    if sheet.free_play:
        yield Problem(
            f"{sheet.character} is not one of the characters of The Fall of Avalon. A character from another campaign cannot "
            "progress through the personal story.",
            severity="note",
            remedies=(Advice("look for the starter cards on the back of the character tile"),),
            names_owner=True,
        )
        return
    known = tuple(each.name for each in CHARACTERS)
    yield Problem(
        f"{sheet.character} is not one of the characters of The Fall of Avalon.",
        at=At("character"),
        remedies=(
            Set("character", choices=tuple(suggest(sheet.character, known)) or known),
            Set("free_play", "yes", why="for a character from another campaign"),
        ),
        names_owner=True,
    )


RULESET.checks.sort(key=lambda each: get_args(Family).index(each.family))


def check_sheet(sheet: Sheet, file: str) -> Report:
    """Check a character sheet and return the report. `file` is the name of its file in the report.

    The report's `details` contain the mode, the sizes of both decks, the EXP spent, and the least EXP that the
    attributes and cards on the sheet can have cost.
    """
    return Report(
        file=file,
        game=GAME,
        character=sheet.character,
        findings=tuple(RULESET.run(sheet)),
        details={
            "mode": sheet.mode,
            "free_play": sheet.free_play,
            "combat": len(sheet.combat.cards),
            "diplomacy": len(sheet.diplomacy.cards),
            "experience": {
                "spent": sheet.experience_spent,
                "cost": least_cost(sheet, prices_ever(sheet)[0], pairs_of(sheet)),
            },
        },
    )
