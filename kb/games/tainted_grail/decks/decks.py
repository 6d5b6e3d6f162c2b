"""Checks on the combat and the diplomacy deck: their size, and that their cards are owned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kb.decks.names import both, name_key, tallied, tally
from kb.decks.report import Problem
from kb.games.tainted_grail.decks.model import BASIC_CARDS, POOL, POOL_CARDS, STARTER_CARDS, Card, Sheet, Side
from kb.games.tainted_grail.decks.ruleset import entry, rule
from kb.plural import counted

LEAST_CARDS = 15
SHOWN = 6


def unowned(side: Side) -> list[Card]:
    """Cards of the deck beyond those that the sheet lists as starter or gained, one for each copy."""
    left = Counter(card.key for card in (*side.starter_cards, *side.gained))
    found = []
    for card in side.deck:
        if left[card.key] > 0:
            left[card.key] -= 1
        else:
            found.append(card)
    return found


def others_start(sheet: Sheet, side: Side) -> bool:
    """Whether the starter cards may be others than those numbered 1 to 15: a character of another campaign, and no list."""
    return side.starter is None and (sheet.free_play or sheet.known is None)


def unknown_starters(side: Side) -> str:
    """What shows that the starter cards are others than 1 to 15; empty when nothing does."""
    beyond = [card for card in unowned(side) if card.number]
    gained = [card for card in side.gained if card.key in {each.key for each in side.starter_cards}]
    if beyond:
        return f"The {side.name} deck holds {names(beyond)}, not gained"
    return f"{names(gained)} {'is' if len(gained) == 1 else 'are'} listed as gained {side.name} cards" if gained else ""


def beyond_the_gained(side: Side, assumed: list[Card]) -> str:
    """`Smite and Bash: not among the gained combat cards`, or how many more than the gained ones there are."""
    gained = Counter(card.name for card in side.gained)
    more = Counter(card.name for card in assumed if gained[card.name])
    said = [f"{number} more {name} than the {gained[name]} gained" for name, number in more.items()]
    none = [card for card in assumed if not gained[card.name]]
    said += [f"{names(none)}: not among the gained {side.name} cards"] if none else []
    return "; ".join(said)


def taken_for_starters(side: Side) -> list[Card]:
    """Named cards that may be starter cards, because the sheet does not list those; see `cards_owned`."""
    if side.starter is not None:
        return []
    places = STARTER_CARDS - len({card.key for card in side.deck} & {card.key for card in side.starter_cards})
    return [card for card in unowned(side) if card.number is None][:places]


@rule("deck-size", "no-cards-in-deck", family="count")
def deck_size(sheet: Sheet) -> Iterator[Problem]:
    """The combat deck and the diplomacy deck hold at least 15 cards each.

    The step at the end of the day says "must consist of 15 cards"; a larger deck is worth a note.
    """
    for side in sheet.sides:
        held = len(side.deck)
        if held < LEAST_CARDS:
            spare = Counter(card.name for card in (*side.starter_cards, *side.gained))
            spare.subtract(card.name for card in side.deck)
            free = tally(name for name, number in spare.items() for _ in range(max(0, number)))
            add = f"Add {LEAST_CARDS - held} of the cards owned: {free}." if held and free else ""
            yield Problem(
                f"The {side.name} deck holds {counted(held, 'card')}; it must hold at least {LEAST_CARDS}.",
                add or f"Add {LEAST_CARDS - held}; `{side.name}: 1-{STARTER_CARDS}` is the starter deck.",
                count=held,
                limit=LEAST_CARDS,
            )
        elif held > LEAST_CARDS:
            yield Problem(
                f"The {side.name} deck holds {held} cards. The rules of advancement say at least {LEAST_CARDS}, the end of "
                f"the day that a deck must consist of {LEAST_CARDS}.",
                "Nothing to do, if your table reads it as a minimum, as this check does.",
                severity="note",
                cites=(entry("deck-size"), entry("build-your-character-decks")),
                count=held,
                limit=LEAST_CARDS,
            )


@rule("starter-decks", family="required")
def starter_cards(sheet: Sheet) -> Iterator[Problem]:
    """Each side has 15 starter cards; in this campaign they are those numbered 1 to 15 of 25."""
    for side in sheet.sides:
        if side.starter is None:
            continue
        if len(side.starter) != STARTER_CARDS:
            yield Problem(
                f"The sheet lists {counted(len(side.starter), 'starter card')} for {side.name}; there are {STARTER_CARDS}.",
                "List the cards with the banner of the tray's color, all of them and no others.",
                count=len(side.starter),
                limit=STARTER_CARDS,
            )
        wrong = [card for card in side.starter if card.number and card.number > STARTER_CARDS]
        if wrong and sheet.known:
            yield Problem(
                f"{names(wrong)} {'is' if len(wrong) == 1 else 'are'} listed as {side.name} starter cards; those of this "
                f"campaign are numbered 1-{STARTER_CARDS}/{BASIC_CARDS}.",
                "List them under `gained`, if they were gained from the advancement pool.",
                tuple(card.name for card in wrong),
            )


@rule("advancement-pools", "advancing-decks", family="pool")
def gained_from_the_pool(sheet: Sheet) -> Iterator[Problem]:
    """Gained cards come from the advancement pool: at most its 15 advanced and 10 basic cards, and no starter card."""
    for side in sheet.sides:
        for grade, there in POOL.items():
            count = sum(card.grade == grade for card in side.gained)
            if count > there:
                yield Problem(
                    f"{count} {grade} {side.name} cards are gained; the advancement pool has {there}.",
                    f"Remove {count - there} of them from `gained`.",
                    count=count,
                    limit=there,
                )
        if len(side.gained) > POOL_CARDS:
            yield Problem(
                f"{len(side.gained)} {side.name} cards are gained; the advancement pool has {POOL_CARDS}.",
                f"Remove {len(side.gained) - POOL_CARDS} of them from `gained`.",
                count=len(side.gained),
                limit=POOL_CARDS,
            )
        starters = {card.key for card in side.starter_cards}
        for card in dict.fromkeys(side.gained):
            if card.number and card.key in starters and not others_start(sheet, side):
                yield Problem(
                    f"The {side.name} card {card.name} is a starter card, so it is not in the advancement pool.",
                    "Remove it from `gained`.",
                    (card.name,),
                )
            elif card.number and side.gained.count(card) > 1:
                yield Problem(
                    f"The {side.name} card {card.name} is gained {side.gained.count(card)} times; there is one of each number.",
                    "Name it once in `gained`.",
                    (card.name,),
                    count=side.gained.count(card),
                    limit=1,
                )


@rule("build-your-character-decks", "starter-decks", "advancing-decks", family="access")
def cards_owned(sheet: Sheet) -> Iterator[Problem]:
    """A deck holds only cards owned: the 15 starter cards and those gained from the advancement pool.

    Where the sheet does not list the starter cards, named cards that are not gained may be starter cards, as long as
    there are no more than 15 of them together with the starter cards given by number.
    """
    for side in sheet.sides:
        if others_start(sheet, side) and (why := unknown_starters(side)):
            yield Problem(
                f"{why}; outside this campaign the tile says which {STARTER_CARDS} of the numbers 1 to {BASIC_CARDS} are the "
                f"starter cards, so the sheet has to give them.",
                f"List the starter cards as the tile gives them, such as `{side.name}: {{starter: [1-10, 16-20]}}`.",
                tuple(dict.fromkeys(card.name for card in unowned(side))),
            )
            continue
        assumed = taken_for_starters(side)
        if assumed:
            yield Problem(
                f"{beyond_the_gained(side, assumed)}, so taken for starter cards.",
                f"List the starter cards under `{side.name}: starter:` to have it checked.",
                tuple(dict.fromkeys(card.name for card in assumed)),
                "note",
            )
        missing = Counter(card.name for card in unowned(side))
        missing.subtract(card.name for card in assumed)
        for name, number in missing.items():
            held = [card for card in side.deck if card.name == name]
            if number > 0:
                owned = len(held) - number
                have = f"{counted(owned, 'copy')} of it" if owned else "it"
                what = f"{len(held)} copies of {name}" if len(held) > 1 else name
                yield Problem(
                    f"The {side.name} deck holds {what}, but the sheet "
                    f"{'lists only ' + have if owned else 'does not list it'} among the starter and gained cards.",
                    f"Take it out, or add it under `{side.name}: gained:` if it was gained from the advancement pool.",
                    (name,),
                )


@rule("combat-and-diplomacy-cards", "advancement-pools", family="access", severity="note")
def cards_taken_on_trust(sheet: Sheet) -> Iterator[Problem]:
    """Named cards are counted as the sheet names them: there are no card lists of this game to hold them against."""
    named = list(
        dict.fromkeys(card.name for side in sheet.sides for card in (*side.deck, *side.gained) if not card.number)
    )
    if named:
        yield Problem(
            f"There are no card lists of this game: that {tally(named[:SHOWN])}{' and more' if len(named) > SHOWN else ''} "
            f"{'are' if len(named) > 1 else 'is'} of this character's cards is taken from the sheet.",
            "Nothing to do; look for the character's name or the color on the cards.",
            tuple(named),
        )


@rule("combat-and-diplomacy-cards", "setting-up-your-character", "free-play", family="required")
def color_of_the_decks(sheet: Sheet) -> Iterator[Problem]:
    """The combat and diplomacy cards have the color of the tray, save in free play, where they have any."""
    if sheet.tray and sheet.deck_color and color(sheet.tray) != color(sheet.deck_color) and not sheet.free_play:
        yield Problem(
            f"The cards are {sheet.deck_color}, the tray is {sheet.tray}; outside free play they have the same color.",
            "Take the cards of the tray's color, or write `free_play: yes`.",
        )


def color(text: str) -> str:
    """A color however it is written: gray is grey."""
    return name_key(text).replace("gray", "grey") or text.casefold()


def names(cards: list[Card]) -> str:
    """`A, B and 2x C`, shortened."""
    shown = tallied(card.name for card in cards)
    return both(shown[:SHOWN]) + (" and more" if len(shown) > SHOWN else "")
