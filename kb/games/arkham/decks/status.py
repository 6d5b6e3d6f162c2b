"""What the rules say of one card in decks of one profile: how it counts, what it costs, whether and how it may be in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from kb.games.arkham.decks.model import Card
from kb.games.arkham.schema.cards import BASIC_WEAKNESS
from kb.games.arkham.schema.options import NO_NAMES, Names, Option

_DECK_TYPES = ("asset", "event", "skill")
_NO_LIMIT = 1_000_000


class Kind(Enum):
    """As what a card is in a deck."""

    PLAYER = "player card"
    SIGNATURE = "signature card"
    BASIC = "basic weakness"
    WEAKNESS = "weakness"
    STORY = "story card"
    DENIED = "denied"
    UNKNOWN = "unknown"


class Denial(Enum):
    """Why a card may not be in the deck."""

    NONE = ""
    TYPE = "no card of a deck"
    BONDED = "bonded"
    SIGNATURE = "signature of another investigator"
    TRAIT = "only for investigators with other traits"
    CLASS = "weakness of another class"
    TABOO = "forbidden by the taboo list"
    FORBIDDEN = "excluded by a deckbuilding restriction"
    OPTIONS = "in none of the deckbuilding options"


@dataclass(frozen=True, slots=True)
class Status:
    """One card in decks of one profile.

    title: what copies are counted by, empty for cards that no limit by title concerns. counts: towards the deck size.
    limit: copies by title. cost: experience of a copy. mask: the limited options (bit by
    place) that let it in, 0 when it takes no limited slot. plain: nothing about it needs a second look unless there are
    more copies than `limit` or another card with its title.
    """

    code: str
    card: Card | None
    kind: Kind
    title: str = ""
    counts: bool = False
    limit: int = _NO_LIMIT
    cost: int = 0
    mask: int = 0
    denial: Denial = Denial.NONE
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Access:
    """What decides which cards decks of one profile may hold.

    options: in order, choices put in. signatures: first printings of the signature cards. family: codes that stand for
    the investigator on cards of one investigator only. classes, traits: those of the front in use. single_copies: one
    copy of each card. either_class: a card of several classes takes no limited slot where an option without a limit lets it in.
    """

    options: tuple[Option, ...] = ()
    signatures: Names = NO_NAMES
    family: Names = NO_NAMES
    classes: Names = NO_NAMES
    traits: Names = NO_NAMES
    single_copies: bool = False
    either_class: bool = False


def no_player_card(code: str, *, of_scenarios: bool) -> Status:
    """The status of a code that no player card has: a card of scenarios, or nothing known."""
    if of_scenarios:
        return Status(code, None, Kind.DENIED, denial=Denial.TYPE)
    return Status(code, None, Kind.UNKNOWN)


def classify(access: Access, code: str, card: Card) -> Status:
    """The status of a card (with the taboo list and its upgrades in it), under the code that the deck file has for it."""
    cost = card.cost_of_a_copy
    denial = _never(access, card)
    if denial is not Denial.NONE:
        return Status(code, card, Kind.DENIED, cost=cost, denial=denial)
    if card.root in access.signatures or card.only_investigators:
        return Status(code, card, Kind.SIGNATURE, cost=cost)
    if card.weakness:
        return Status(code, card, Kind.BASIC if card.subtype == BASIC_WEAKNESS else Kind.WEAKNESS)
    if card.story and card.level is None:
        return Status(code, card, Kind.STORY, limit=card.limit or card.quantity)
    counts = not card.permanent
    limit = 1 if card.exceptional or access.single_copies else card.limit or 0
    denial, mask = _let_in(access, card)
    if card.forbidden:
        denial = Denial.TABOO
    elif card.only_traits and card.only_traits.isdisjoint(access.traits):
        denial = Denial.TRAIT
    if denial is not Denial.NONE:
        return Status(code, card, Kind.DENIED, card.title, counts, limit, cost, denial=denial)
    special = card.special
    look_again = (
        (mask or card.myriad or card.sheet or card.researched or card.story or card.reward)
        or (special.trait_limit or special.subtitle_limit or special.attach or special.at_least)
        or (special.single_copies or special.experience or special.buying.trauma)
    )
    plain = not look_again
    return Status(code, card, Kind.PLAYER, card.title, counts, limit, cost, mask, plain=plain)


def _never(access: Access, card: Card) -> Denial:
    """Why a card may be in no such deck whatever the options are."""
    of_a_deck = card.type in _DECK_TYPES or card.subtype or (card.story and card.type == "investigator")
    other_side = card.hidden and not card.story and card.subtype != BASIC_WEAKNESS
    if not of_a_deck or other_side:
        return Denial.TYPE
    if card.bonded:
        return Denial.BONDED
    own = card.root in access.signatures or not card.only_investigators
    if not own and card.only_investigators.isdisjoint(access.family):
        return Denial.SIGNATURE
    if card.only_classes and card.only_classes.isdisjoint(access.classes):
        return Denial.CLASS
    return Denial.NONE


def _let_in(access: Access, card: Card) -> tuple[Denial, int]:
    """Whether the options let a card in, and which limited ones it may take a slot of (0: none is needed).

    A prohibition holds unless an earlier option let the card in. A limited option with "other" is only needed when no
    option without a limit lets the card in; one without that word always takes a slot (rulings 1.15, 1.16), but by the Grimoire
    (1.101) not for a card of several classes.
    """
    free = False
    mask, must, bit = 0, 0, 1
    for option in access.options:
        if option.limit:
            bit <<= 1
        if option.only_counts or not option.wanted.admits(card):
            continue
        if option.forbids:
            if not free and not mask:
                return Denial.FORBIDDEN, 0
        elif option.limit:
            mask |= bit >> 1
            if not option.other:
                must |= bit >> 1
        else:
            free = True
    if not free and not mask:
        return Denial.OPTIONS, 0
    if free and access.either_class and len(card.classes) > 1:
        return Denial.NONE, 0
    return Denial.NONE, must if free else mask
