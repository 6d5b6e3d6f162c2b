"""Reports a rebuild of decks: the steps for the players, the new deck files, and all results as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace

from kb.decks.form import text_of
from kb.decks.names import counted_names, either
from kb.decks.party import RebuildStep, Refusable
from kb.decks.report import Located
from kb.frozen import frozen
from kb.games.pathfinder.decks.deckfile import keys_of, number_of
from kb.games.pathfinder.decks.facts import SET_TITLES, SETS, names
from kb.games.pathfinder.decks.rulesets import amount
from kb.games.pathfinder.party.table_check import written
from kb.games.pathfinder.party.to_rebuild import REWARDS, CardMove, Member, Rebuilt, TableToRebuild, in_order, is_late
from kb.games.pathfinder.records import CARD_TYPES
from kb.shapes import Jsonable


@frozen
class UnknownTable(Jsonable):
    """The result for a party file with unknown names. kb cannot rebuild the decks of such a file."""

    set: str
    """The id of the set."""
    adventure: int | str
    """The adventure being played: `B` or a number."""
    game: str = field(default="pathfinder", kw_only=True)
    """The id of the game."""
    findings: tuple[Located, ...] = field(default=(), kw_only=True)
    """The problems found, with their lines in the party file."""


@frozen
class RebuiltDeck(Jsonable):
    """A member's deck after the rebuild, with the number of cards that must still be chosen."""

    cards: list[str]
    """The cards in the deck, without cards that the player must still choose."""
    box: Mapping[str, int]
    """The number of cards of each type that the player must still choose from the box."""


@frozen
class MissedWish(Jsonable):
    """A member's wish for a card, unfulfilled by the rebuild."""

    member: str
    """The name of the member."""
    card: str
    """The name of the card."""


@frozen
class KeptWishes(Jsonable):
    """The wishes of all members: how many are fulfilled, and which are not."""

    kept: int
    """The number of wishes that are fulfilled."""
    missed: list[MissedWish]
    """The wishes that are not fulfilled."""


@frozen
class RebuiltTable(UnknownTable):
    """The result of a rebuild, for all members of the party."""

    need: dict[str, Mapping[str, int]]
    """The number of cards of each type that a member's deck needs, by member."""
    from_box: dict[str, int]
    """The number of cards of each type that must come from the box."""
    left_over: dict[str, int]
    """The number of cards of each type that nobody keeps."""
    dead_left_over: str | None
    """The fate of dead characters' cards that nobody keeps, such as `banished`; null if nobody died."""
    eligible: dict[str, dict[str, list[str]]]
    """The cards that a member may take from the box, by member and type. Only types that the party lacks are listed."""
    disputed: dict[str, dict[str, list[str]]]
    """Loot of these types. The rulebook contradicts itself on whether a member may take it from the box."""
    decks: dict[str, RebuiltDeck]
    """The deck of each member after the rebuild."""
    chosen: dict[str, list[str]]
    """The cards chosen from the box for each member (with `--fill`)."""
    trades: tuple[CardMove, ...]
    """The cards that living members give to each other."""
    moves: list[CardMove]
    """The cards that members get from rewards and from dead characters."""
    refused: dict[str, list[str]]
    """The cards that each member neither gives away nor takes (`refuses:`)."""
    wishes: KeptWishes
    """The wishes of all members."""
    left_over_cards: list[str]
    """The names of the cards that nobody keeps."""
    dead_left_over_cards: list[str]
    """The names of dead characters' cards that nobody keeps."""


SHOWN = 8  # the maximum number of card names that are listed for an empty place


def printed(table: TableToRebuild, rebuilt: Rebuilt | None) -> UnknownTable:
    """Return the object that `kb party rebuild --json` prints, without the findings.

    If `rebuilt` is None, because the party file has unknown names, the object has only a few keys.
    """
    adventure = number_of(table.adventure)
    if rebuilt is None:
        return UnknownTable(table.set, adventure)
    people = rebuilt.members.items()
    eligible, disputed = (
        {
            name: {kind: names(cards) for kind, cards in getattr(each, key).items()}
            for name, each in people
            if getattr(each, key)
        }
        for key in ("eligible", "disputed")
    )
    return RebuiltTable(
        table.set,
        adventure,
        need={name: each.need for name, each in people},
        from_box=by_type(sum((Counter(each.lacking) for _, each in people), Counter())),
        left_over=by_type(Counter(card.type or "unknown" for card in rebuilt.left_over)),
        dead_left_over=SETS[table.set].dead_cards if table.dead else None,
        eligible=eligible,
        disputed=disputed,
        decks={name: RebuiltDeck(names(each.cards), each.box) for name, each in people},
        chosen={name: names(each.chosen) for name, each in people if each.chosen is not None},
        trades=rebuilt.trades,
        moves=[move for move in rebuilt.moves if move not in rebuilt.trades],
        refused={member.name: names(member.refuses) for member in table.members if member.refuses},
        wishes=KeptWishes(len(rebuilt.kept), [MissedWish(name, card.name) for name, card in rebuilt.missed]),
        left_over_cards=names(rebuilt.left_over),
        dead_left_over_cards=[card.name for origin, card in rebuilt.left if is_late(origin)],
    )


def by_type(number: Counter[str]) -> dict[str, int]:
    """Return the numbers by card type, in the order of the Cards List, without zeros. Unknown types come last."""
    return {kind: number[kind] for kind in (*CARD_TYPES, "unknown") if number[kind]}


def steps(table: TableToRebuild, rebuilt: Rebuilt) -> Iterator[RebuildStep]:
    """Yield the steps that the players follow to rebuild their decks, each with the rules entry that states it."""

    def step(title: str, entry: str, lines: Iterable[str] = (), moves: Iterable[Refusable] = ()) -> RebuildStep:
        one_by_one = tuple(moves)
        texts = tuple(lines) or tuple(move.text for move in one_by_one)
        return RebuildStep(title, texts, f"pathfinder/{table.set}/{entry}", one_by_one)

    box, rebuild, dying = "cards-from-the-box", "rebuilding-your-deck", "dying"
    nobody = () if rebuilt.trades else ["No trades."]
    yield step("Trade", rebuild, nobody, refusable(rebuilt.trades, rebuilt))
    taken = [move for move in rebuilt.moves if move not in rebuilt.trades]
    if taken:
        entry = dying if table.dead else rebuild
        yield step("Take what the party has gained or inherited", entry, moves=refusable(taken, rebuilt))

    def from_box(newcomers: bool) -> Iterator[RebuildStep]:
        members = [member for member in table.members if member.newcomer is newcomers]
        chosen = {member.name: cards for member in members if (cards := rebuilt.members[member.name].chosen)}
        if chosen:
            taken = (CardMove(card, "", name) for name, cards in chosen.items() for card in cards)
            chosen_lines = (f"{name}: {counted_names(names(cards))}" for name, cards in chosen.items())
            yield step("Take from the box", box, chosen_lines, refusable(taken, rebuilt))
        if open_places := [line for member in members for line in to_choose(member, rebuilt)]:
            yield step("Choose from the box", box, open_places)
        elif members and not chosen:
            play_on = "" if newcomers or len(members) == len(table.members) else " for those who play on"
            yield step("From the box", box, [f"Nothing{play_on}: the party has enough of every type."])

    yield from from_box(newcomers=False)
    if living := left_of(rebuilt, dead=False):
        yield step("Put back into the box", box, living)
    if late := left_of(rebuilt, dead=True):
        put = "Banish" if SETS[table.set].dead_cards == "banished" else "Put back into the box"
        yield step(f"{put}, from the cards of the dead", dying, late)
    yield from from_box(newcomers=True)  # newcomers may also take cards that were put back
    if rebuilt.missed:
        granted = [f"granted: {name}: {card.name}" for name, card in rebuilt.kept]
        yield step("Wishes", rebuild, [*granted, *missed_wishes(table, rebuilt)])
    refused = [(member.name, card) for member in table.members for card in names(dict.fromkeys(member.refuses))]
    if refused:
        moves = [Refusable(f"Refused: {card}, by {name}", card, (name,), refused=True) for name, card in refused]
        lines = (f"{name}: {card}" for name, card in refused)
        yield step("Refused, neither given away nor taken", rebuild, lines, moves)


def missed_wishes(table: TableToRebuild, rebuilt: Rebuilt) -> Iterator[str]:
    """Yield a line for each wish that is not fulfilled, with the reason if it is known."""
    members = {member.name: member for member in table.members}
    for (name, card), copies in Counter(rebuilt.missed).items():
        why = ""
        if not rebuilt.members[name].need.keys() & set(members[name].deck.character.may_fill(card)):
            why = f" ({name}'s deck has no room for it)"
        elif members[name].newcomer:
            why = " (a new character only takes cards from the box)"
        elif card not in table.held():
            why = " (no one in the party has it, and cards from the box may only fill gaps)"
        yield f"not possible: {name}: {counted_names([card.name] * copies)}{why}"


def refusable(moves: Iterable[CardMove], rebuilt: Rebuilt) -> Iterator[Refusable]:
    """Yield each move of cards, with the members who may refuse it: the receiver, and the giver if the giver is a
    member.

    Moves of several copies of a card are combined.
    """
    for move, copies in Counter(moves).items():
        card, both = move.card.name, [move.to, *([move.origin] if move.origin in rebuilt.members else [])]
        hands = f"{giver(move.origin)} to {move.to}" if move.origin else move.to
        why = f" ({move.why})" if move.why else ""
        yield Refusable(f"{hands}: {counted_names([card] * copies)}{why}", card, tuple(both))


def left_of(rebuilt: Rebuilt, dead: bool) -> list[str]:
    """Return the cards that nobody keeps, as a line for each previous owner. `dead` selects dead or living owners."""
    holders = dict.fromkeys(name for name, _ in rebuilt.left if is_late(name) is dead)
    return [
        f"{giver(name)}: {counted_names([card.name for of, card in rebuilt.left if of == name])}" for name in holders
    ]


def giver(origin: str) -> str:
    """Return the words that say where a card comes from: a member's name, or words such as `From the rewards`."""
    return f"From the {origin}" if origin == REWARDS or is_late(origin) else origin


def to_choose(member: Member, rebuilt: Rebuilt) -> Iterator[str]:
    """Yield a line for each type of card that a member must choose from the box, with the cards to choose from."""
    renewed = rebuilt.members[member.name]
    missing = set(member.deck.character.must_hold) - set(names(renewed.cards))
    for kind, count in renewed.box.items():
        options = names(renewed.eligible.get(kind, ()))
        required = [name for name in options if name in missing]
        if required:  # required cards come first, and leave nothing to choose if they fill all places
            others = [name for name in options if name not in missing]
            options = required + (others if count > len(required) else [])
        listed = f": {either(options)}" if options else ""
        if len(options) > SHOWN:
            listed = f": {', '.join(options[:SHOWN])} and {len(options) - SHOWN} more"
        loot = names(renewed.disputed.get(kind, ()))
        dispute = f" (loot, on which the rulebook contradicts itself: {either(loot)})" if loot else ""
        yield f"{member.name}: {amount(count, kind)}{listed}{dispute}"


def deck_file(member: Member, table: TableToRebuild, rebuilt: Rebuilt) -> str:
    """Return the text of a member's deck file after the rebuild, which `kb deck check` can read.

    It contains the new cards, where they came from, and the cards given away.
    """
    deck = written(member, table, rebuilt)
    missing = [amount(count, kind) for kind, count in rebuilt.members[member.name].box.items()]
    note = f"# still to be chosen from the box: {', '.join(missing)}\n" if missing else ""
    keys = keys_of(replace(deck, cards=tuple(sorted(deck.cards, key=in_order))))
    return f"# {member.name}, {SET_TITLES[table.set]}, rebuilt\n{note}{text_of(keys)}"
