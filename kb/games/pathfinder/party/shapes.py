"""A rebuilt table as JSON: what `kb party rebuild` prints, key by key."""

from __future__ import annotations

from typing import Annotated, TypedDict

from kb.decks.contract import LocatedJson


class TableJson(TypedDict):
    """A table, as far as it is told without its decks."""

    game: Annotated[str, "Id of the game."]
    set: Annotated[str, "Id of the set."]
    adventure: Annotated[int | str, "The adventure that is played: B or a number."]


class UnknownTableJson(TableJson):
    """A table that names what nobody knows, so that nothing can be rebuilt."""

    findings: Annotated[list[LocatedJson], "What is wrong with it, at its lines."]


class RebuiltDeckJson(TypedDict):
    """A member's deck after the rebuild."""

    cards: Annotated[list[str], "Its cards, as far as they are chosen."]
    box: Annotated[dict[str, int], "How many of each type are still to be chosen from the box."]


# "from" is no name in Python: such an object is written as a call.
MoveJson = TypedDict(
    "MoveJson",
    {
        "card": Annotated[str, "The card."],
        "from": Annotated[str, "Who gives it, or where it comes from."],
        "to": Annotated[str, "Who gets it."],
    },
)
MoveJson.__doc__ = "A card that changes hands."


class MissedWishJson(TypedDict):
    """A wish that does not come true."""

    member: Annotated[str, "Whose wish."]
    card: Annotated[str, "The card."]


class KeptWishesJson(TypedDict):
    """What became of the wishes."""

    kept: Annotated[int, "How many come true."]
    missed: Annotated[list[MissedWishJson], "Those that do not."]


class RebuiltJson(TableJson):
    """A rebuilt table, without the findings."""

    need: Annotated[dict[str, dict[str, int]], "How many cards of each type every member's deck needs."]
    from_box: Annotated[dict[str, int], "How many cards of each type must come from the box."]
    left_over: Annotated[dict[str, int], "How many of each type nobody keeps."]
    dead_left_over: Annotated[str | None, "What becomes of those the dead held; null when nobody died."]
    eligible: Annotated[
        dict[str, dict[str, list[str]]], "Cards that each member may take from the box, of types that the table lacks."
    ]
    disputed: Annotated[dict[str, dict[str, list[str]]], "Loot on which the rulebook is at odds with itself, likewise."]
    decks: Annotated[dict[str, RebuiltDeckJson], "Each member's deck."]
    chosen: Annotated[dict[str, list[str]], "Cards chosen from the box for each member (`--fill`)."]
    trades: Annotated[list[MoveJson], "What members give each other."]
    moves: Annotated[list[MoveJson], "What members get from elsewhere: rewards, the dead."]
    wishes: Annotated[KeptWishesJson, "What became of the wishes."]
    left_over_cards: Annotated[list[str], "The cards that nobody keeps."]
    dead_left_over_cards: Annotated[list[str], "Those of them that the dead held."]


class RebuildingJson(RebuiltJson):
    """A rebuilt table."""

    findings: Annotated[list[LocatedJson], "What is wrong or impossible, at its lines in the table's file."]
