"""A rebuilt table as JSON, as steps for people, and as one deck file for each member."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, TypedDict

import yaml

from kb.decks.contract import LocatedJson
from kb.decks.names import either, tally
from kb.decks.party import Step
from kb.games.pathfinder.decks.counts import amount
from kb.games.pathfinder.decks.model import CARD_TYPES, PLURALS, SET_TITLES, SETS, Card, Deck
from kb.games.pathfinder.party.judge import written
from kb.games.pathfinder.party.model import REWARDS, Member, Move, Rebuilt, Table, by_type


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
        "why": Annotated[str, "Why, in words."],
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


SHOWN = 8  # names of cards that are listed for a place


def as_json(table: Table, rebuilt: Rebuilt | None) -> TableJson | RebuiltJson:
    """What `kb party rebuild --json` prints besides the findings; without `rebuilt` (unknown names) little more than the set."""
    told: TableJson = {"game": "pathfinder", "set": table.set, "adventure": number(table.adventure)}
    if rebuilt is None:
        return told
    from_box = sum((Counter(lacking) for lacking in rebuilt.lacking.values()), Counter[str]())
    return {
        **told,
        "need": {name: dict(need) for name, need in rebuilt.need.items()},
        "from_box": {kind: from_box[kind] for kind in CARD_TYPES if from_box[kind]},
        "left_over": by_type(rebuilt.left_over),
        "dead_left_over": fate_of_the_dead(table),
        "eligible": names_by_type(rebuilt.eligible),
        "disputed": names_by_type(rebuilt.disputed),
        "decks": {
            name: {"cards": [card.name for card in rebuilt.cards(name)], "box": dict(rebuilt.box[name])}
            for name in rebuilt.decks
        },
        "chosen": {name: [card.name for card in cards] for name, cards in rebuilt.chosen.items()},
        "trades": [trade(move) for move in rebuilt.trades],
        "moves": [trade(move) for move in rebuilt.moves if move not in rebuilt.trades],
        "wishes": {
            "kept": len(rebuilt.kept),
            "missed": [{"member": name, "card": card.name} for name, card in rebuilt.missed],
        },
        "left_over_cards": [card.name for card in rebuilt.left_over],
        "dead_left_over_cards": [card.name for card in rebuilt.left_by_dead],
    }


def names_by_type(held: Mapping[str, Mapping[str, tuple[Card, ...]]]) -> dict[str, dict[str, list[str]]]:
    """Names of cards by member and type."""
    return {
        member: {kind: [card.name for card in cards] for kind, cards in kinds.items()} for member, kinds in held.items()
    }


def number(adventure: str) -> int | str:
    """The adventure as a table file says it."""
    return int(adventure) if adventure.isdigit() else adventure


def trade(move: Move) -> MoveJson:
    """A card that changes hands."""
    return {"card": move.card.name, "from": move.origin, "to": move.to, "why": move.why}


def fate_of_the_dead(table: Table) -> str | None:
    """What becomes of the cards of the dead that nobody keeps; None when nobody died."""
    if not table.dead:
        return None
    return SETS[table.set].dead_cards


def rules_of(table: Table) -> dict[str, str]:
    """The entries that the steps cite."""
    names = {
        "box": "cards-from-the-box", "rebuild": "rebuilding-your-deck", "dead": "dying",
        "new": "starting-after-dying",
    }  # fmt: skip
    return {key: f"pathfinder/{table.set}/{entry}" for key, entry in names.items()}


def steps(table: Table, rebuilt: Rebuilt) -> Iterator[Step]:
    """What the players do."""
    for title, lines, cite in headed_lines(table, rebuilt):
        yield Step(title, tuple(lines), cite)


def headed_lines(table: Table, rebuilt: Rebuilt) -> Iterator[tuple[str, list[str], str]]:
    """The steps: a heading, its lines, and the entry that states the rule."""
    rules = rules_of(table)
    trades = list(by_hands(rebuilt.trades))
    yield ("Trade", trades or ["Nobody gives anything away."], rules["rebuild"])
    taken = list(by_hands(move for move in rebuilt.moves if move.origin not in rebuilt.decks))
    if taken:
        yield ("Take what the party has gained or inherited", taken, rules["dead" if table.dead else "rebuild"])
    chosen = [f"{name}: {tally(card.name for card in cards)}" for name, cards in rebuilt.chosen.items() if cards]
    if chosen:
        yield ("Take from the box", chosen, rules["box"])
    open_places = [line for member in table.members for line in to_choose(member, rebuilt)]
    if open_places:
        yield ("Choose from the box", open_places, rules["box"])
    elif not chosen:
        yield ("From the box", ["Nothing: the table has enough of every type."], rules["box"])
    living = list((Counter(rebuilt.left_over) - Counter(rebuilt.left_by_dead)).elements())
    if living:
        yield ("Put back into the box", [tally(card.name for card in living)], rules["box"])
    if rebuilt.left_by_dead:
        heading = (
            "Banish, from what the dead held"
            if SETS[table.set].dead_cards == "banished"
            else "Put back into the box, from what the dead held"
        )
        yield (heading, [tally(card.name for card in rebuilt.left_by_dead)], rules["dead"])
    if rebuilt.missed:
        told = [f"comes true: {name}: {card.name}" for name, card in rebuilt.kept]
        told += [f"does not: {name}: {card.name}" for name, card in rebuilt.missed]
        yield ("Wishes", told, rules["rebuild"])


def by_hands(moves: Iterable[Move]) -> Iterator[str]:
    """`Kyra to Ezren: Cure (Ezren wished for it), Mace (fills Ezren's first weapon)`, one line for each pair of hands."""
    hands: dict[tuple[str, str], list[str]] = {}
    for move in moves:
        hands.setdefault((move.origin, move.to), []).append(f"{move.card.name} ({move.why})")
    for (origin, to), cards in hands.items():
        giver = (
            "From the rewards" if origin == REWARDS else f"From the {origin}" if origin.startswith("late ") else origin
        )
        yield f"{giver} to {to}: {', '.join(cards)}"


def to_choose(member: Member, rebuilt: Rebuilt) -> Iterator[str]:
    """The places of a member that are still open, with what may fill them."""
    for kind, count in rebuilt.box[member.name].items():
        options = [card.name for card in rebuilt.eligible.get(member.name, {}).get(kind, ())]
        held = {card.name for card in rebuilt.cards(member.name)}
        required = [name for name in options if name in member.deck.character.must_hold and name not in held]
        if required:  # these come first, so that with no further place there is nothing to choose
            options = (
                [*required, *(name for name in options if name not in required)] if count > len(required) else required
            )
        more = f" and {len(options) - SHOWN} more" if len(options) > SHOWN else ""
        names = f": {', '.join(options[:SHOWN])}{more}" if more else f": {either(options)}" if options else ""
        loot = [card.name for card in rebuilt.disputed.get(member.name, {}).get(kind, ())]
        dispute = f" (loot, which the rulebook is at odds about: {either(loot)})" if loot else ""
        yield f"{member.name}: {amount(count, kind)}{names}{dispute}"


def deck_file(member: Member, table: Table, rebuilt: Rebuilt) -> str:
    """A member's deck file: what she has now, and where it came from and went. `kb deck check` reads it."""
    deck = written(member, table, rebuilt)
    said: dict[str, Any] = {
        "game": "pathfinder",
        "set": table.set,
        "character": member.name,
        "adventure": number(table.adventure),
        "stage": deck.stage,
    }
    if member.newcomer:
        said["after_death"] = bool(deck.after_death)
    said |= heading(deck)
    said["cards"] = pile(
        sorted(deck.cards, key=lambda card: (CARD_TYPES.index(card.type) if card.type else 9, card.name))
    )
    piles = ("received", "gave") if member.newcomer else ("from_box", "had", "received", "gave", "left_over")
    for key in piles:
        if cards := getattr(deck, key):
            said[key] = pile(cards)
    missing = [f"{count} {kind if count == 1 else PLURALS[kind]}" for kind, count in rebuilt.box[member.name].items()]
    note = f"# still to be chosen from the box: {', '.join(missing)}\n" if missing else ""
    return f"# {member.name}, {SET_TITLES[table.set]}, rebuilt\n{note}" + yaml.safe_dump(
        said, sort_keys=False, allow_unicode=True, width=1000
    )


def heading(deck: Deck) -> dict[str, Any]:
    """Feats, role, products and party of a deck, where anything is said of them."""
    owned = {"B": "base", "C": "add-on", "P": "promo"}
    said: dict[str, Any] = {
        "after_scenario": deck.after_scenario,
        "role": deck.role,
        "card_feats": boxes(deck.card_feats, {kind: deck.character.base(kind) for kind in CARD_TYPES}),
        "skill_feats": boxes(deck.skill_feats, {}),
        "power_feats": deck.power_feats,
        "deck_adjustments": dict(deck.deck_adjustments),
        "owns": sorted((owned.get(each, each) for each in deck.owns), key=str) if deck.owns is not None else None,
        "party": list(deck.party),
    }
    return {key: value for key, value in said.items() if value not in (None, {}, [])}


def boxes(feats: Mapping[str, tuple[int, ...]], base: Mapping[str, int]) -> dict[str, int | list[int]]:
    """Checked boxes: their number, or what is printed in them where one to the left is free."""
    return {
        line: len(checked)
        if checked == tuple(range(1, len(checked) + 1))
        else [base.get(line, 0) + box for box in checked]
        for line, checked in feats.items()
    }


def pile(cards: Iterable[Card]) -> list[str | dict[str, Any]]:
    """Cards as a deck file lists them; a card that the facts do not know is described."""
    lines: list[str | dict[str, Any]] = []
    for card, count in Counter(cards).items():
        if not card.own and (card.class_deck or not card.copies):
            said = {
                "name": card.name, "type": card.type, "deck": card.deck, "count": count, "basic": card.basic,
                "loot": card.loot or None, "owner": card.owner, "class_deck": card.class_deck,
            }  # fmt: skip
            lines.append({key: value for key, value in said.items() if value is not None})
        else:
            lines.append(f"{count}x {card.name}" if count > 1 else card.name)
    return lines
