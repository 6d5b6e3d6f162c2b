"""The decks of a Pathfinder table as `kb.decks.party` asks for them: judged together, and rebuilt between scenarios."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from kb.decks import nodes
from kb.decks.deckfile import DeckFile, parse_deck, refusal
from kb.decks.form import text_of
from kb.decks.names import counted_names, either, name_key, split_quantity
from kb.decks.nodes import DeckFileError, Scalar, key_name
from kb.decks.party import Collection, HeldCard, PartyError, PartyReport, Rebuilding, Refusable, Step
from kb.decks.questions import Conversation, Question, for_each
from kb.decks.report import Located
from kb.frozen import frozen
from kb.games.pathfinder.decks.adapter import adventure_titles, check_deck, new_deck
from kb.games.pathfinder.decks.counts import amount
from kb.games.pathfinder.decks.deckfile import DeckReader, keys_of, listed, number_of, read_deck
from kb.games.pathfinder.decks.model import (
    ADVENTURES,
    SET_TITLES,
    SETS,
    Card,
    Character,
    Deck,
    Facts,
    names,
    product_title,
)
from kb.games.pathfinder.party.checks import check_party, judge, written
from kb.games.pathfinder.party.rebuild import rebuild_party
from kb.games.pathfinder.party.table import (
    OF_THE_DECK,
    REWARDS,
    Member,
    Move,
    Rebuilt,
    Table,
    in_order,
    is_late,
    read_table,
)
from kb.games.pathfinder.records import CARD_TYPES
from kb.jsonable import Jsonable


@frozen
class UnknownTable(Jsonable):
    """A table that names what nobody knows, so that nothing can be rebuilt."""

    set: str
    """Id of the set."""
    adventure: int | str
    """The adventure that is played: B or a number."""
    game: str = field(default="pathfinder", kw_only=True)
    """Id of the game."""
    findings: tuple[Located, ...] = field(default=(), kw_only=True)
    """What is wrong or impossible, at its lines in the table's file."""


@frozen
class RebuiltDeck(Jsonable):
    """A member's deck after the rebuild."""

    cards: list[str]
    """Its cards, as far as they are chosen."""
    box: Mapping[str, int]
    """How many of each type are still to be chosen from the box."""


@frozen
class MissedWish(Jsonable):
    """A wish that does not come true."""

    member: str
    """Whose wish."""
    card: str
    """The card."""


@frozen
class KeptWishes(Jsonable):
    """What became of the wishes."""

    kept: int
    """How many come true."""
    missed: list[MissedWish]
    """Those that do not."""


@frozen
class RebuiltTable(UnknownTable):
    """A rebuilt table."""

    need: dict[str, Mapping[str, int]]
    """How many cards of each type every member's deck needs."""
    from_box: dict[str, int]
    """How many cards of each type must come from the box."""
    left_over: dict[str, int]
    """How many of each type nobody keeps."""
    dead_left_over: str | None
    """What becomes of those the dead held; null when nobody died."""
    eligible: dict[str, dict[str, list[str]]]
    """Cards that each member may take from the box, of types that the table lacks."""
    disputed: dict[str, dict[str, list[str]]]
    """Loot on which the rulebook is at odds with itself, likewise."""
    decks: dict[str, RebuiltDeck]
    """Each member's deck."""
    chosen: dict[str, list[str]]
    """Cards chosen from the box for each member (`--fill`)."""
    trades: tuple[Move, ...]
    """What members give each other."""
    moves: list[Move]
    """What members get from elsewhere: rewards, the dead."""
    refused: dict[str, list[str]]
    """Cards that members neither give away nor take (`refuses:`)."""
    wishes: KeptWishes
    """The wishes of all members."""
    left_over_cards: list[str]
    """The cards that nobody keeps."""
    dead_left_over_cards: list[str]
    """Those of them that the dead held."""


KEPT = "pathfinder/{}/rebuilding-your-deck"
GAINED = "A deck keeps no more cards than its list says: what fills no gap and nobody wishes for below may go back into the box."
DECKS = "Decks: the suggested ones, unless you choose others"
SHOWN = 8  # names of cards that are listed for a place


def printed(table: Table, rebuilt: Rebuilt | None) -> UnknownTable:
    """What `kb party rebuild --json` prints besides the findings; without `rebuilt` (unknown names) little more than the set."""
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
    """How many of each type, in the order of the Cards List; those of unknown type last."""
    return {kind: number[kind] for kind in (*CARD_TYPES, "unknown") if number[kind]}


def steps(table: Table, rebuilt: Rebuilt) -> Iterator[Step]:
    """What the players do, each with the entry that states the rule."""

    def step(title: str, entry: str, lines: Iterable[str] = (), moves: Iterable[Refusable] = ()) -> Step:
        one_by_one = tuple(moves)
        texts = tuple(lines) or tuple(move.text for move in one_by_one)
        return Step(title, texts, f"pathfinder/{table.set}/{entry}", one_by_one)

    box, rebuild, dying = "cards-from-the-box", "rebuilding-your-deck", "dying"
    nobody = () if rebuilt.trades else ["Nobody gives anything away."]
    yield step("Trade", rebuild, nobody, refusable(rebuilt.trades, rebuilt))
    taken = [move for move in rebuilt.moves if move not in rebuilt.trades]
    if taken:
        entry = dying if table.dead else rebuild
        yield step("Take what the party has gained or inherited", entry, moves=refusable(taken, rebuilt))

    def from_box(newcomers: bool) -> Iterator[Step]:
        members = [member for member in table.members if member.newcomer is newcomers]
        chosen = {member.name: cards for member in members if (cards := rebuilt.members[member.name].chosen)}
        if chosen:
            taken = (Move(card, "", name) for name, cards in chosen.items() for card in cards)
            chosen_lines = (f"{name}: {counted_names(names(cards))}" for name, cards in chosen.items())
            yield step("Take from the box", box, chosen_lines, refusable(taken, rebuilt))
        if open_places := [line for member in members for line in to_choose(member, rebuilt)]:
            yield step("Choose from the box", box, open_places)
        elif members and not chosen:
            play_on = "" if newcomers or len(members) == len(table.members) else " for those who play on"
            yield step("From the box", box, [f"Nothing{play_on}: the table has enough of every type."])

    yield from from_box(newcomers=False)
    if living := left_of(rebuilt, dead=False):
        yield step("Put back into the box", box, living)
    if late := left_of(rebuilt, dead=True):
        put = "Banish" if SETS[table.set].dead_cards == "banished" else "Put back into the box"
        yield step(f"{put}, from what the dead held", dying, late)
    yield from from_box(newcomers=True)  # from what was put back as well
    if rebuilt.missed:
        granted = [f"comes true: {name}: {card.name}" for name, card in rebuilt.kept]
        yield step("Wishes", rebuild, [*granted, *missed_wishes(table, rebuilt)])
    refused = [(member.name, card) for member in table.members for card in names(dict.fromkeys(member.refuses))]
    if refused:
        moves = [Refusable(f"Refused: {card}, by {name}", card, (name,), refused=True) for name, card in refused]
        lines = (f"{name}: {card}" for name, card in refused)
        yield step("Refused, neither given away nor taken", rebuild, lines, moves)


def missed_wishes(table: Table, rebuilt: Rebuilt) -> Iterator[str]:
    """The wishes that do not come true, with the reason where it is plain."""
    members = {member.name: member for member in table.members}
    for (name, card), copies in Counter(rebuilt.missed).items():
        why = ""
        if not rebuilt.members[name].need.keys() & set(members[name].deck.character.may_fill(card)):
            why = f" ({name}'s deck has no place for it)"
        elif members[name].newcomer:
            why = " (a newcomer takes only what the box may give)"
        elif card not in table.held():
            why = " (nobody at the table has it, and the box only fills gaps)"
        yield f"does not come true: {name}: {counted_names([card.name] * copies)}{why}"


def refusable(moves: Iterable[Move], rebuilt: Rebuilt) -> Iterator[Refusable]:
    """Each move by itself, copies together, with those who may refuse it: who gets the card, and who gives it away."""
    for move, copies in Counter(moves).items():
        card, both = move.card.name, [move.to, *([move.origin] if move.origin in rebuilt.members else [])]
        hands = f"{giver(move.origin)} to {move.to}" if move.origin else move.to
        why = f" ({move.why})" if move.why else ""
        yield Refusable(f"{hands}: {counted_names([card] * copies)}{why}", card, tuple(both))


def left_of(rebuilt: Rebuilt, dead: bool) -> list[str]:
    """The cards that nobody keeps, one line for each who had them."""
    holders = dict.fromkeys(name for name, _ in rebuilt.left if is_late(name) is dead)
    return [
        f"{giver(name)}: {counted_names([card.name for of, card in rebuilt.left if of == name])}" for name in holders
    ]


def giver(origin: str) -> str:
    """The name of the player or pile that a card comes from, for a line of a step."""
    return f"From the {origin}" if origin == REWARDS or is_late(origin) else origin


def to_choose(member: Member, rebuilt: Rebuilt) -> Iterator[str]:
    """The places of a member that are still open, with what may fill them."""
    renewed = rebuilt.members[member.name]
    missing = set(member.deck.character.must_hold) - set(names(renewed.cards))
    for kind, count in renewed.box.items():
        options = names(renewed.eligible.get(kind, ()))
        required = [name for name in options if name in missing]
        if required:  # these come first, so that with no further place there is nothing to choose
            others = [name for name in options if name not in missing]
            options = required + (others if count > len(required) else [])
        listed = f": {either(options)}" if options else ""
        if len(options) > SHOWN:
            listed = f": {', '.join(options[:SHOWN])} and {len(options) - SHOWN} more"
        loot = names(renewed.disputed.get(kind, ()))
        dispute = f" (loot, which the rulebook is at odds about: {either(loot)})" if loot else ""
        yield f"{member.name}: {amount(count, kind)}{listed}{dispute}"


def deck_file(member: Member, table: Table, rebuilt: Rebuilt) -> str:
    """A member's deck file: what she has now, and where it came from and went. `kb deck check` reads it."""
    deck = written(member, table, rebuilt)
    missing = [amount(count, kind) for kind, count in rebuilt.members[member.name].box.items()]
    note = f"# still to be chosen from the box: {', '.join(missing)}\n" if missing else ""
    keys = keys_of(replace(deck, cards=tuple(sorted(deck.cards, key=in_order))))
    return f"# {member.name}, {SET_TITLES[table.set]}, rebuilt\n{note}{text_of(keys)}"


def collection(files: Sequence[DeckFile], facts: Facts, owned: Sequence[str]) -> Collection:
    """The cards of decks. What is owned is what `owned` says, else what all decks say (`owns:`), else everything.

    Raises PartyError for decks that cannot be read, and for a product that nobody knows.
    """
    decks = readable_decks(files, facts)
    products = _products(owned, decks, facts)
    titles: dict[str, str] = {}
    wanted: dict[Card, Counter[str]] = {}
    for deck in decks:
        others = sum(title.split(" (")[0] == deck.character.name for title in titles)
        title = f"{deck.character.name} ({others + 1})" if others else deck.character.name
        titles[title] = f"{SET_TITLES[deck.set]}, adventure {deck.adventure}, {len(deck.cards)} cards"
        for card in deck.cards:
            wanted.setdefault(card, Counter())[title] += 1
    rows = [
        HeldCard(card.name, tuple(_facts(card)), dict(by), _stock(card, products, facts)) for card, by in wanted.items()
    ]
    scope = "every product" if products is None else "the products named"
    return Collection(titles, tuple(sorted(rows, key=lambda row: row.name)), scope)


def readable_decks(files: Sequence[DeckFile], facts: Facts) -> list[Deck]:
    """The decks of several files. Raises PartyError, which tells what is wrong with each that cannot be read."""
    decks: list[Deck] = []
    wrong: list[str] = []
    for file in files:
        try:
            decks.append(read_deck(file, facts))
        except DeckFileError as error:
            wrong.append(str(error))
    if wrong:
        raise PartyError("\n".join(wrong))
    return decks


def _products(owned: Sequence[str], decks: Sequence[Deck], facts: Facts) -> frozenset[str] | None:
    """What is owned: products, and sets for all of their products; None when nothing says so."""
    named = tuple(Scalar(part.strip(), 0) for name in owned for part in name.split(",") if part.strip())
    if not named:
        owned_by_deck = [deck.owns for deck in decks if deck.owns is not None]
        return frozenset[str]().union(*owned_by_deck) if owned_by_deck and len(owned_by_deck) == len(decks) else None
    reader = DeckReader(nodes.Mapping(((Scalar("owns", 0), nodes.Sequence(named, 0)),), 0), facts)
    products = reader.owns("") or frozenset()
    if reader.problems:
        raise PartyError(reader.problems[0].message)
    return products | {*ADVENTURES, "C"} if products & SET_TITLES.keys() else products


def _stock(card: Card, products: frozenset[str] | None, facts: Facts) -> dict[str, int | None]:
    """Copies by product owned; of Class Decks that a deck file describes, and where a source is silent, nobody knows how many.

    An own card lies with the list that names it. Where the user has told how many copies there are, what the products do not hold of
    them lies somewhere else.
    """
    at = card.set, name_key(card.name)
    stock: dict[str, int | None] = {}
    if card.class_deck is None:
        for product, copies in card.copies or (((card.deck, None),) if card.deck else ()):
            if products is None or product in products:
                set_title = SET_TITLES.get(card.set, card.set)
                where = f"Your own cards: {card.own}" if card.own else f"{set_title}: {product_title(product)}"
                stock[where] = copies
        if at in facts.owned:
            left, counted = facts.owned[at], dict(stock)
            stock = {}
            for where, copies in counted.items():
                if copies is not None and left > 0:
                    stock[where] = min(copies, left)
                    left -= min(copies, left)
            if left:
                stock["Your collection"] = left
    if products is None or "class decks" in products:
        for each in dict.fromkeys([*([card] if card.class_deck else []), *facts.class_printings.get(at, ())]):
            copies = sum(number or 0 for _, number in each.copies) if each.copies else None
            stock[f"{each.class_deck} Class Deck"] = copies
    return stock


def _facts(card: Card) -> list[str]:
    """Type, deck number, traits, loot and owner: what tells the card apart, nothing of its text."""
    marks = ["loot"] if card.loot else []
    marks += [f"owner: {card.owner}"] if card.owner else []
    lines = (card.type or "", f"deck {card.deck}" if card.deck else "", ", ".join(card.traits or ()), ", ".join(marks))
    return [line for line in (*lines, SET_TITLES.get(card.set, "")) if line]


def rebuild(file: DeckFile, facts: Facts, fill: bool) -> Rebuilding:
    """Rebuild the decks of the table that a file describes. Raises DeckFileError."""
    read = read_table(file, facts)
    rebuilt = None if read.strangers else rebuild_party(read.table, facts, fill)
    findings, printed_keys = judge(read, rebuilt, facts), printed(read.table, rebuilt)
    if rebuilt is None:
        return Rebuilding(file.name, findings, told=printed_keys)
    decks = {member.name: deck_file(member, read.table, rebuilt) for member in read.table.members}
    return Rebuilding(file.name, findings, tuple(steps(read.table, rebuilt)), decks, printed_keys)


def example() -> str:
    """A table after a scenario in which somebody died."""
    return Path(__file__).with_name("example.yaml").read_text(encoding="utf-8")


def asked(facts: Facts) -> Conversation:
    """What is asked of a table after a scenario; gives the keys of its file. Raises DeckFileError for a deck that cannot be read."""
    (title,) = yield Question("Which set?", tuple(SET_TITLES.values()), needed=True, key="set")
    set_id = next(each for each, named in SET_TITLES.items() if named == title)
    known = {each.name: each for each in facts.characters_of(set_id)}
    titles = adventure_titles(set_id, facts)
    (played,) = yield Question(
        "Which adventure is played?", tuple(titles.values()), default=titles[ADVENTURES[0]], key="adventure"
    )
    adventure = next(number for number, named in titles.items() if named == played)
    deck = ADVENTURES.index(adventure)
    cards = Question(choices=[card.name for card in facts.of_set(set_id)], many=True, copies=True)
    yet = replace(
        cards, choices=[card.name for card in facts.of_set(set_id) if card.number is None or card.number <= deck]
    )
    people = yield Question("Who played?", tuple(known), many=True, needed=True, key="members")
    died = yield Question("Who died?", people, many=True, key="dead")
    joined = yield Question("Who begins now?", [each for each in known if each not in people], many=True)
    had: dict[str, dict[str, Any]] = {}
    for name in people:
        text = yield Question(
            f"The deck that {name} had (empty: the suggested one)",
            file=True,
            group=DECKS,
            of=name,
            default=new_deck(name, set_id, facts) or "",
        )
        had[name] = told_by("".join(text), known[name], facts)
    gains = replace(yet, key="pool", note=GAINED, cite=KEPT.format(set_id))
    gained = yield from for_each(people, "Which boons did {} gain, and not lose again?", gains)
    banished = yield from for_each(people, "Which cards of {} were banished?", yet)
    rewards = yield replace(
        cards, text="Which cards did the reward give?", key="rewards", note=gains.note, cite=gains.cite
    )
    living = [each for each in people if each not in died]
    wishes = yield from for_each([*living, *joined], "Which cards would {} like to have?", replace(cards, key="wishes"))
    for name in people:
        lost = Counter(
            card for each in banished.get(name, ()) for copies, card in [split_quantity(each)] for _ in range(copies)
        )
        had[name]["pool"] = [*listed(without(had[name]["pool"], lost)), *gained.get(name, ())]
    members = {name: had[name] for name in living} | {name: {"new": True} for name in joined}
    for name, wished in wishes.items():
        members[name]["wishes"] = wished
    late = {name: {"pool": had[name]["pool"]} for name in people if name in died}
    people_keys = {"members": members, "dead": late, "rewards": rewards}
    return {"game": "pathfinder", "set": set_id, "adventure": adventure} | {
        key: each for key, each in people_keys.items() if each
    }


def told_by(text: str, character: Character, facts: Facts) -> dict[str, Any]:
    """What a member's deck tells a table: feats and role, and under `pool` its cards; without a text the suggested deck.

    Raises DeckFileError for another character's deck.
    """
    if not text:
        return {"pool": facts.suggested_for(character)}
    file = parse_deck(text, f"the deck of {character.name}")
    deck = read_deck(file, facts)
    if deck.character is not character:
        raise refusal(file.name, f"This is a deck of {deck.character.name}.")
    return {key_name(key): each for key, each in file.value().items() if key_name(key) in OF_THE_DECK} | {
        "pool": deck.cards
    }


def without(cards: Iterable[Card], lost: Counter[str]) -> Iterator[Card]:
    """The cards without the copies in `lost` (by name)."""
    for card in cards:
        if lost[card.name] > 0:
            lost[card.name] -= 1
        else:
            yield card


def check(files: Sequence[DeckFile], facts: Facts, owned: Sequence[str], out: Sequence[str]) -> PartyReport:
    """Check the decks of one table by themselves and together. Raises PartyError."""
    if owned or out:
        raise PartyError(
            "--owned and --out are not for Pathfinder; list the products owned under `owns:` in a deck file."
        )
    decks = readable_decks(files, facts)
    reports = tuple(check_deck(deck, facts, file.name) for deck, file in zip(decks, files, strict=True))
    return PartyReport(tuple(map(Located, check_party(decks, facts))), reports)
