"""Pathfinder campaigns as the framework replays them: values of their files, what is told and asked, the rules of decks and parties."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from kb.campaigns.conversation import SUCCESSORS
from kb.campaigns.model import Change, DeckNow, Folder, Line, Row, Tally
from kb.campaigns.reader import GAME_KEYS, HEAD_KEYS, Reader, described, line_in, text_of
from kb.campaigns.replay import Campaigns, placed, recorded_changes, run
from kb.decks import nodes
from kb.decks.deckfile import DeckFile
from kb.decks.fields import Fields
from kb.decks.names import both, counted_names, either, name_key, split_quantity
from kb.decks.nodes import DeckFileError, DeckProblem, Node, Scalar, key_name, scalars_below
from kb.decks.party import Step as Rebuilding
from kb.decks.questions import Conversation, Question, for_each, yes_or_no
from kb.decks.report import Located
from kb.games.pathfinder.campaign.model import (
    HEAD,
    Feat,
    Head,
    Listed,
    Moment,
    Party,
    Person,
    Played,
    Stop,
    Visit,
    after,
    deck_of,
    left_over,
    stops_before,
)
from kb.games.pathfinder.campaign.rules import CAMPAIGNS
from kb.games.pathfinder.decks.access import box_fills_holes_only, loot_is_earned
from kb.games.pathfinder.decks.adapter import check_deck
from kb.games.pathfinder.decks.counts import earned_feats, role_is_earned
from kb.games.pathfinder.decks.deckfile import TYPE_NAMES, CardReader, DeckReader, listed
from kb.games.pathfinder.decks.model import (
    ADVENTURES,
    FEAT_KINDS,
    SET_NAMES,
    SET_TITLES,
    SETS,
    SKILLS,
    Adventure,
    Card,
    Cards,
    Deck,
    Facts,
    FeatKind,
    names,
)
from kb.games.pathfinder.decks.ruleset import RULESETS, Subject
from kb.games.pathfinder.party.adapter import GAINED, KEPT, steps
from kb.games.pathfinder.party.checks import PARTIES, check_party, loot_over_all_decks, what_is_given_is_received
from kb.games.pathfinder.party.rebuild import rebuild_party
from kb.games.pathfinder.party.table import Member, Table, in_order
from kb.games.pathfinder.records import CARD_TYPES
from kb.plural import counted

BY_NUMBER = re.compile(r"([B1-6])[.\s/-]+(\d)", re.I)
MOST_FEATS = 30


class PathfinderReader(Reader):
    """Reads one file of a campaign of a set."""

    facts: Facts

    def __init__(
        self, file: DeckFile, folder: Folder, facts: Facts, head: Head | None = None, state: object = None
    ) -> None:
        super().__init__(file, folder, facts)
        self.set = head.set if head else next(iter(SET_TITLES))
        self.cards = CardReader(facts, self.set, self.note)

    def who(self, node: Scalar, key: str) -> str | None:
        """The name of a character as it is printed; None where the set has no such character."""
        known = {key: each.name for (owner, key), each in self.facts.characters.items() if owner == self.set}
        return self.choose(node, known, f"character of {SET_TITLES[self.set]}", known.values())

    def trader(self, node: Scalar) -> str:
        """The trader of that name as it is printed; sets without traders take any name, which a rule refuses."""
        known = {name: name for name in self.facts.traders(self.set)}
        return (self.choose(node, known, "trader") or "") if known else node.text

    def piles(self, key: str) -> dict[str, Cards]:
        """Cards by the character who held them; a plain list is the table's ("")."""
        node = self.get(key)
        if node is None:
            return {}
        if isinstance(node, nodes.Mapping) and not any(key_name(label.text) == "name" for label, _ in node.pairs):
            return {name: self.cards.pile(value) for name, _, value in self.by_person(key)}
        return {"": self.cards.pile(node)}

    def shared_pile(self, key: str) -> Cards:
        """Cards that the whole table was given."""
        piles = self.piles(key)
        if any(piles):
            self.note(line_in(self.lines(), key), f"`{key}` is a plain list of the cards that the reward gave.")
        return tuple(card for pile in piles.values() for card in pile)

    def feats(self, key: str) -> dict[str, tuple[Feat, ...]]:
        """The feats that each character chose."""
        return {
            name: tuple(
                Feat(kind, what)
                for kind in FEAT_KINDS
                for node in below.listed(kind)[:MOST_FEATS]
                if (what := self.feat(kind, node, below))
            )
            for name, below in self.each_below(key, FEAT_KINDS, "{skill: Wisdom, power: Light Armors, card: spell}")
        }

    def feat(self, kind: FeatKind, node: Node, fields: Fields) -> str | None:
        """What a feat was spent on."""
        if not isinstance(node, Scalar):
            fields.note(node, f"A {kind} feat is written by its name.")
            return None
        if kind == "power":
            return node.text
        known = {skill: skill for skill in SKILLS} if kind == "skill" else dict(TYPE_NAMES)
        return fields.choose(node, known, "skill" if kind == "skill" else "card type")

    def adjustments(self, key: str) -> dict[str, dict[str, int]]:
        """What the role cards change in the Cards Lists."""
        by_name: dict[str, dict[str, int]] = {}
        for name, _, value in self.by_person(key):
            reader = DeckReader(
                nodes.Mapping(((Scalar(key, value.line), value),), value.line), self.facts, self.problems
            )
            by_name[name] = reader.adjustments()
        return by_name

    def visits(self, key: str) -> dict[str, Visit]:
        """Visits to traders."""
        return {name: visit for name, _, value in self.by_person(key) if (visit := self.visit(name, value))}

    def visit(self, name: str, value: Node) -> Visit | None:
        """A visit to a trader: its name alone, or with what was traded."""
        if isinstance(value, Scalar) and value.text:
            return Visit(self.trader(value))
        if not isinstance(value, nodes.Mapping):
            self.note(value, f"`traders: {name}` must be like `{{trader: NAME, paid: [Mace], took: Dart}}`.")
            return None
        below = Fields(value, self.problems, f"traders: {name}: ")
        below.check_keys(("trader", "paid", "took"))
        took = self.cards.pile(below.get("took"))
        if len(took) > 1:
            self.note(value, f"{name} took {len(took)} cards from the trader; a character makes one trade at the most.")
        trader = below.scalar("trader")
        if trader is None:
            self.note(value, f"Which trader did {name} visit? Write `traders: {{{name}: {{trader: NAME}}}}`.")
            return None
        return Visit(self.trader(trader), self.cards.pile(below.get("paid")), took[0] if took else None)

    def deck_here(self, label: Scalar, value: Node) -> DeckFile:
        """A list of cards, the keys `cards` and `from_box`, or the word `suggested`."""
        keys = [key_name(key.text) for key, _ in value.pairs] if isinstance(value, nodes.Mapping) else []
        if isinstance(value, nodes.Mapping) and {"cards", "from_box"} & {*keys}:
            Fields(value, self.problems, f"decks: {label.text}: ").check_keys(("cards", "from_box"))
            root = value
        else:
            root = nodes.Mapping(((Scalar("cards", value.line), value),), value.line)
        return DeckFile(self.file.name, "yaml", lambda: root, "")

    def deck(self, file: DeckFile, name: str) -> Listed:
        """A deck from its file, or as it stands here. Raises DeckFileError."""
        said = text_of(file, "character")
        problems: list[DeckProblem] = []
        cards = file.get("cards")
        if isinstance(cards, Scalar) and name_key(cards.text) == "suggested":
            return Listed(self.facts.suggested.get((self.set, name), ()))
        reader = CardReader(self.facts, self.set, Fields(file.root, problems).note)
        held = Listed(reader.deck(file.root)[0], reader.pile(file.get("from_box")))
        if said and name_key(said) != name_key(name):
            problems.append(DeckProblem(0, f"It is a deck of {said}."))
        if problems:
            raise DeckFileError(file.name, problems)
        return held

    def lines(self) -> dict[str, int]:
        """The lines of keys, of what stands below them, and of cards, each where it stands first."""
        first_lines = super().lines()
        for node in scalars_below(self.file.root):
            first_lines.setdefault(name_key(split_quantity(node.text)[1]), node.line)
        return first_lines

    def scenario(self, key: str) -> tuple[Adventure, int] | None:
        """The scenario that was played, by its name or as adventure and number."""
        node = self.scalar(key)
        if node is None:
            return None
        stops = self.facts.scenarios(self.set)
        if numbered := BY_NUMBER.fullmatch(node.text.strip()):
            by_number = {(adventure.deck, number): (adventure, number) for adventure, number in stops.values()}
            if stop := by_number.get((numbered[1].upper(), int(numbered[2]))):
                return stop
        return self.choose(node, stops, "scenario", (), "Write its name, or 1.2 for the second of adventure 1.")

    def head(self) -> Head:
        """How a campaign begins."""
        self.set = self.cards.set_id = self.one_of("set", SET_NAMES) or self.set
        if self.get("set") is None:
            self.note(0, f"Which set is played? Write {' or '.join(f'`set: {each}`' for each in SET_TITLES)}.")
        adventures = self.facts.adventures.get(self.set, ())
        first = next((each.deck for each in adventures if each.path), "B")
        starts = self.one_of("start", {"base": "B", **{each: each for each in ADVENTURES}}, "adventure") or first
        earlier = [
            each for each in adventures if each.path and ADVENTURES.index(each.deck) < ADVENTURES.index(starts)
        ]  # fmt: skip
        won = frozenset((each.deck, number) for each in earlier for number in range(len(each.scenarios) + 1))
        met = frozenset(trader.name for each in earlier for trader in each.traders)
        if self.get("traders") is not None:
            met = frozenset(map(self.trader, self.scalars("traders"))) - {""}
        feats, roles = self.feats("feats"), self.texts("role")
        people = []
        for name, held in self.decks("decks").items():
            new = name not in {*feats, *roles}
            character = self.facts.characters[self.set, name_key(name)]
            earned = frozenset() if new else won
            people.append(Person(character, held.cards, feats.get(name, ()), roles.get(name), earned=earned, new=new))
        if not people and not self.problems:
            self.note(0, "Nobody plays: write who holds which deck under `decks:`.")
        party = Party(tuple(people), won=won, traders=met)
        owns = DeckReader(self.file.root, self.facts, self.problems).owns(self.set)
        return Head(self.text("name") or SET_TITLES[self.set], party, self.lines(), self.set, starts, owns)


NOT_CHECKED = (
    "whether the cards gained were met and won in the scenario, and whether a trader had drawn the card that was taken",
    "cards that a reward lets you draw by type: no source can tell which ones they were",
    "power feats against the boxes of the character, which the card facts do not hold",
)
TONES = {"skill": "combat", "power": "loot", "card": "tainted-grail"}


def changes(moment: Moment) -> Iterator[Change]:
    """What a game changed and why."""
    played, before, after = moment.played, moment.before, moment.after

    def entry(name: str) -> str:
        return f"pathfinder/{moment.set}/{name}"

    yield from recorded_changes(
        played, dict.fromkeys((*(each.name for each in before.people), *played.joined)), in_words, entry
    )
    for trader in played.gives.traders if played.won else ():
        yield Change("", f"trader checked off: {trader}", entry("bazaar" if SETS[moment.set].traders else "rewards"))
    if moment.completed and played.won and (played.adventure.deck, 0) not in before.won:
        yield Change("", f"{played.adventure.name} is complete", entry("completing-an-adventure"))
    hands, _ = moment.hands()
    for person in after.people:
        cards, rebuild = Counter(person.cards), "rebuilding-your-deck"
        had = hands.get(person.name, Counter())
        boxed = (cards - had) & Counter(file.from_box) if (file := played.decks.get(person.name)) else Counter()
        for words, moved, cite in (
            ("takes", cards - had - boxed, rebuild), ("from the box:", boxed, "cards-from-the-box"), ("gives up", had - cards, rebuild),
        ):  # fmt: skip
            if moved and file and person.name in before.names:
                yield Change(person.name, f"{words} {in_words(moved.elements())}", entry(cite))
        if missed := Counter(played.wishes.get(person.name, ())) - cards:
            yield Change(person.name, f"wished in vain for {in_words(missed.elements())}", entry(rebuild))
    if over := in_words(left_over(moment)) if moment.known else "":
        fate = "back into the box"
        if played.died and SETS[moment.set].dead_cards == "banished":
            fate = "what the dead held is banished; the rest goes back into the box"
        yield Change("", f"left over: {over} ({fate})", entry("dying" if played.died else "cards-from-the-box"))


def in_words(value: Any) -> str:
    """Cards with their number of copies, feats one by one; anything else as text."""
    if isinstance(value, str | Visit):
        return str(value)
    return counted_names(each.name if isinstance(each, Card) else str(each) for each in value)


def decks_now(party: Party, facts: Facts) -> Iterator[DeckNow]:
    """The decks of a party, by type."""
    for person in party.people:
        feats = Counter(f"{feat.kind} {feat.what}" for feat in person.feats)
        feat_list = ", ".join(f"{what}{f' x{number}' if number > 1 else ''}" for what, number in feats.items())
        heading = f"{person.name}{f', {person.role}' if person.role else ''}{f' ({feat_list})' if feat_list else ''}"
        piles: dict[str, list[Line]] = {}
        for card, copies in sorted(Counter(person.cards).items(), key=lambda each: in_order(each[0])):
            piles.setdefault(card.type or "type unknown", []).append(Line(card.name, copies, card.deck or ""))
        yield DeckNow(person.name, heading, piles)


def facts_of(head: Head, party: Party, facts: Facts) -> Iterable[tuple[str, str]]:
    """Labels and values below the campaign's name."""
    main, every = path(head, facts), facts.adventures.get(head.set, ())
    won = f"{sum(won_of(each, party) for each in main)} of {sum(len(each.scenarios) for each in main)}"
    beside = [f"{number} of {each.name}" for each in every if each not in main and (number := won_of(each, party))]
    return (
        ("Set", SET_TITLES[head.set]),
        ("Players", ", ".join(person.name for person in party.people) or "none"),
        ("Scenarios won", f"{won} of the adventure path, {both(beside)}" if beside else won),
        ("Dead", ", ".join(person.name for person in party.out)),
        ("Traders", ", ".join(sorted(party.traders))),
        ("Removed from the game", in_words(party.removed)),
    )


def path(head: Head, facts: Facts) -> list[Adventure]:
    """The adventures of the path, in order."""
    return [each for each in facts.adventures.get(head.set, ()) if each.path]


def won_of(adventure: Adventure, party: Party) -> int:
    """How many scenarios of an adventure are won."""
    return sum((adventure.deck, number) in party.won for number in range(1, len(adventure.scenarios) + 1))


def tallies(head: Head, parties: Sequence[Party], facts: Facts) -> tuple[Tally, ...]:
    """Scenarios won by adventure, and feats by character."""
    party = parties[-1]
    won = [
        Row(f"Adventure {each.deck}", ((won_of(each, party), "pathfinder", "won"),))
        for each in facts.adventures.get(head.set, ())
        if each.path or won_of(each, party)
    ]
    feats = [
        Row(person.name, tuple((person.count(kind), TONES[kind], f"{kind} feats") for kind in FEAT_KINDS))
        for person in party.people
    ]
    return Tally("Scenarios", tuple(won)), Tally("Feats", tuple(feats))


def asked(head: Head, party: Party, facts: Facts, free: Collection[str]) -> Conversation:
    """The questions about the next game of a party."""
    stops, in_set = facts.scenarios(head.set), names(facts.of_set(head.set))
    places = {name: (adventure.deck, number) for name, (adventure, number) in stops.items()}
    follow = [name for name, stop in places.items() if may_follow(head, party, facts, stop)]
    follow.sort(key=lambda name: (places[name] in party.won, not stops[name][0].path))
    fresh = [name for name in follow if places[name] not in party.won]
    words = f"Which scenario? (next: {either(fresh[:3]) or 'none is left'})"
    default = next((name for name in fresh if stops[name][0].path), "")
    (name,) = yield Question(words, follow, needed=True, default=default, key="scenario")
    values: dict[str, Any] = {"scenario": name}
    (values["won"],) = yield yes_or_no("Was it won?", key="won")
    people = [person.name for person in party.people]
    there = yield from some_of(people, Question("Who played?", default=", ".join(people)))
    values["absent"] = [each for each in people if each not in there]
    values["died"] = yield from some_of(there, Question("Who died?", key="died"))
    others = [
        each.name for (owner, _), each in facts.characters.items() if owner == head.set and each.name not in people
    ]
    words = SUCCESSORS if values["died"] else "Who begins, or comes back, for the next game?"
    values["joined"] = yield from some_of(others, Question(words, key="joined"))
    played = Played(stops[name], values["won"] == "yes", died=tuple(values["died"]), absent=tuple(values["absent"]))
    moment = Moment(head, party, played, after(party, played, head, facts), True, facts)
    begun = [card.name for card in facts.of_set(head.set) if card.number is None or card.number <= moment.number]
    cards = Question(choices=begun, many=True, copies=True)
    gained = replace(cards, key="gained", note=GAINED, cite=KEPT.format(head.set))
    values["gained"] = yield from for_each(there, "Which boons did {} gain, and not lose again?", gained)
    values["banished"] = yield from for_each(there, "Which cards of {} were banished?", replace(cards, key="banished"))
    if played.won:
        values |= yield from rewards(moment, replace(gained, choices=in_set, key="rewards"))
        new = [split_quantity(each)[1] for cards in values["gained"].values() for each in cards]
        values["traders"] = yield from trades(moment, list(dict.fromkeys([*names(party.held()), *new])))
    living = [person.name for person in moment.present]
    wish = Question(choices=in_set, many=True, key="wishes")
    values["wishes"] = yield from for_each(living, "Which cards of the table would {} like to have?", wish)
    values["left"] = yield from some_of(living, Question("Who leaves the party?", key="left"))
    return values


def some_of(people: Sequence[str], question: Question) -> Generator[Question, list[str], list[str]]:
    """Some of these people; where there are none, nobody is asked for (any text would do as an answer)."""
    return (yield replace(question, choices=people, many=True)) if people else []


def may_follow(head: Head, party: Party, facts: Facts, stop: Stop) -> bool:
    """Whether all scenarios before one are won, so that it may be played."""
    if stop[0] != "B" and ADVENTURES.index(stop[0]) < ADVENTURES.index(head.starts):
        return False
    return all(each in party.won for each, _ in stops_before(facts, head.set, stop, head.starts))


def rewards(moment: Moment, cards: Question) -> Conversation:
    """What the reward gave: its cards, and the feats and role of each who is there."""
    gives = {each.name: each for person in moment.present for each in moment.rewards(person)}.values()
    loot = [name for each in gives if each.said is not None for name in each.loot]
    reward = "; ".join(each.said for each in gives if each.said) or "no source tells the reward"
    taken = yield replace(cards, text=f"Which cards did the reward give? ({reward})", default=", ".join(loot))
    feats: dict[str, Any] = {}
    roles: dict[str, str] = {}
    for person in moment.present:
        due = list(moment.rewards(person))
        for kind in FEAT_KINDS:
            words = f"{person.name}: what is the {kind} feat spent on?"
            for _ in range(sum(each.feats.get(kind, 0) for each in due if each.said is not None)):
                for what in (yield Question(words, open_boxes(person, kind), key="feats")):
                    feats.setdefault(person.name, {}).setdefault(kind, []).append(what)
                    person = replace(person, feats=(*person.feats, Feat(kind, what)))
        if any(each.role for each in due) and not person.role:
            side = yield Question(f"{person.name}: which side of the role card?", person.character.roles, key="role")
            roles.update((person.name, name) for name in side)
    return {"rewards": taken, "feats": feats, "role": roles}


def trades(moment: Moment, boons: Sequence[str]) -> Conversation:
    """Who of the living visited which of the traders that are checked off, what she took there and which of the `boons` she paid."""
    visits: dict[str, Any] = {}
    for person in moment.present if moment.after.traders else ():
        there = sorted(moment.after.traders)
        for named in (yield Question(f"Which trader did {person.name} visit?", there, key="traders")):
            visits[person.name] = {"trader": named}
            trader, in_set = moment.facts.traders(moment.set).get(named), moment.facts.of_set(moment.set)
            offered = [card.name for card in in_set if trader is None or trader.may_have(card, moment.number)]
            price = f" (it costs {counted(trader.cost, 'boon')})" if trader else ""
            for took in (yield Question(f"{person.name}: which card from {named}?{price}", offered, key="took")):
                words = f"{person.name}: what was paid to {named}?"
                paid = yield Question(words, boons, many=True, copies=True, key="paid")
                visits[person.name] |= {"took": took, "paid": paid}
    return visits


def open_boxes(person: Person, kind: FeatKind) -> list[str]:
    """What a feat may be spent on; empty where any text will do."""
    taken = [feat.what for feat in person.feats if feat.kind == kind]
    if kind == "card":
        lines = person.character.cards_list
        boxes = {each: (lines[each].maximum or 99) - lines[each].base for each in CARD_TYPES}
    else:
        boxes = dict(person.character.skill_feat_boxes or {}) if kind == "skill" else {}
    return [what for what, number in boxes.items() if taken.count(what) < number]


# What a recorded game knows better than a single deck: it counts the rewards that were gained, and the cards of the whole table.
KNOWN_BETTER = (
    *(earned_feats, role_is_earned, loot_is_earned, box_fills_holes_only),
    *(loot_over_all_decks, what_is_given_is_received),
)


# Keys that fixes may name: those of the files, and of a deck below `decks:`.
HEAD_NAMES = frozenset({"cards", "from_box", *(key.name for key in (*HEAD_KEYS, *HEAD))})
GAME_NAMES = frozenset({"cards", "from_box", *(key.name for key in (*described(Played).values(), *GAME_KEYS))})


def first_findings(head: Head, facts: Facts) -> Iterator[Located]:
    """What the rules say of the decks that the characters bring along."""
    decks = [
        deck_of(person, head.starts, head.owns, after_scenario=0, from_box=None if person.new else ())
        for person in head.begins.people
    ]  # fmt: skip
    for deck in decks:
        at = line_in(head.lines, f"decks {deck.character.name}")
        found = check_deck(deck, facts, "").findings
        yield from placed(found, deck.character.name, at, (), HEAD_NAMES, head.lines)
    if decks:
        yield from placed(check_party(decks, facts), "", line_in(head.lines, "decks"), (), HEAD_NAMES, head.lines)


def findings(moment: Moment) -> Iterator[Located]:
    """What the rules say of a game, and of the decks after it."""
    yield from run(CAMPAIGNS[moment.set], moment)
    played, facts = moment.played, moment.facts
    decks = [moment.deck(person) for person in moment.after.people]
    for deck in decks:
        name = deck.character.name
        found = check_deck(deck, facts, "").findings
        certain = (each for each in found if moment.known or each.family in ("pool", "copies", "access"))
        at = played.line(f"decks {name}", f"feats {name}", "decks", "scenario")
        yield from placed(certain, name, at, KNOWN_BETTER, GAME_NAMES, played.lines)
    if decks:
        for key, cards in (("gained", tuple(chain(*played.gained.values()))), ("rewards", played.rewards)):
            yield from too_early(moment, replace(decks[0], stage="rebuilt", cards=cards, from_box=()), played.line(key))
        first = replace(decks[0], left_over=left_over(moment) if moment.known else ())
        together = check_party([first, *decks[1:]], facts, moment.after.removed)
        yield from placed(together, "", played.line("decks", "scenario"), KNOWN_BETTER, GAME_NAMES, played.lines)


def too_early(moment: Moment, gained: Deck, at: int) -> Iterator[Located]:
    """Cards that were gained although their adventure deck is not in the box yet, or that are of another box."""
    pools = (each for each in RULESETS[moment.set].run(Subject(gained, moment.facts)) if each.family == "pool")
    mended = (each.altered(fix="Take it out of `gained` and `rewards`, or correct `scenario:`.") for each in pools)
    return placed(mended, "", at, lines=moment.played.lines)


def decks_after(moment: Moment) -> tuple[dict[str, Any], tuple[Rebuilding, ...]]:
    """The rebuilt decks of a game as its file lists them, by character, and the steps that lead there; decks that did not change are left
    out."""
    table = table_of(moment)
    if not table.members:
        return {}, ()
    rebuilt = rebuild_party(table, moment.facts, fill=True)
    decks: dict[str, Any] = {}
    for member in table.members:
        cards, chosen = rebuilt.members[member.name].cards, rebuilt.members[member.name].chosen or ()
        before = moment.before.person(member.name)
        if member.newcomer:
            decks[member.name] = listed(cards)
        elif chosen:
            decks[member.name] = {"cards": listed(cards), "from_box": listed(chosen)}
        elif before is None or Counter(cards) != Counter(before.cards):
            decks[member.name] = listed(cards)
    return decks, tuple(steps(table, rebuilt))


def table_of(moment: Moment) -> Table:
    """The table between the game and the next, with all that everybody holds."""
    played = moment.played
    hands = {name: tuple(cards.elements()) for name, cards in moment.hands()[0].items()}
    members = []
    for person in moment.after.people:
        newcomer = person.new and person.name in played.joined
        cards = () if newcomer else hands.get(person.name, person.cards)
        deck = deck_of(
            replace(person, cards=cards), played.adventure.deck, moment.head.owns, after_scenario=moment.won_in_a_row()
        )
        members.append(
            Member(
                replace(deck, after_death=person.name in moment.successors() if newcomer else None), played.wishes.get(person.name, ()),
                newcomer, tuple((Counter(played.keep.get(person.name, ())) & Counter(cards)).elements()),
                played.refuses.get(person.name, ()),
            )
        )  # fmt: skip
    return Table(
        set=moment.set,
        adventure=played.adventure.deck,
        members=tuple(members),
        rewards=hands[""],
        dead=tuple((name, hands[name]) for name in played.died if name in moment.before.names),
        owns=moment.head.owns,
        removed=moment.after.removed,
    )


campaigns = Campaigns(
    game="pathfinder",
    head=HEAD,
    record=Played,
    rules={f"{set_id}-campaign": ruleset for set_id, ruleset in CAMPAIGNS.items()},
    rule_count=lambda head: sum(len(each[head.set].checks) for each in (CAMPAIGNS, RULESETS, PARTIES)),
    not_checked=NOT_CHECKED,
    reader=PathfinderReader,
    moment=Moment,
    after=after,
    named=lambda played, page: (played.gives.name, "won" if played.won else "lost"),
    changes=changes,
    first_findings=first_findings,
    findings=findings,
    decks=decks_now,
    facts_of=facts_of,
    tallies=tallies,
    questions=asked,
    rebuilt=decks_after,
    adds_up=True,
)
