"""Reads the files of an Arkham Horror campaign. Whatever is wrong is noted; the rest counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from kb.campaigns.keys import GAME_KEYS, HEAD_KEYS
from kb.campaigns.lines import lines_of
from kb.campaigns.model import Folder
from kb.decks import nodes
from kb.decks.deckfile import DECK_SUFFIXES, DeckFile
from kb.decks.fields import Fields
from kb.decks.names import did_you_mean, name_key, split_quantity
from kb.decks.nodes import DeckFileError, DeckProblem, Node, Scalar, key_name
from kb.games.arkham.campaign.model import GAME, HEAD, TRAUMA, Agreed, Group, Held, Person, Played
from kb.games.arkham.decks.adapter import read_deck, taboo_number
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.frame import Frame, FrameError, frame_of
from kb.games.arkham.decks.model import MOST_CARDS
from kb.games.arkham.decks.names import CardFinder, UnknownName
from kb.games.arkham.decks.upgrade.campaign import left_at_the_start

MOST_EXPERIENCE = 99
MOST_TRAUMA = 20
OTHER_NAMES = {"nightofthezealot": "core"}  # the campaign in the core set (see arkham/products/campaigns)
KINDS_OF_DEFEAT = {"damage": "damage", "horror": "horror", "yes": "", "true": ""}


@dataclass(frozen=True, slots=True)
class Head:
    """How a campaign begins."""

    name: str
    agreed: Agreed
    group: Group
    told: tuple[tuple[str, str], ...]
    lines: Mapping[str, int]


@dataclass(slots=True)
class Reader:
    """Reads one file. `problems` gathers what is wrong with it; `people` are those whom it may name."""

    file: DeckFile
    facts: Facts
    folder: Folder
    people: tuple[Person, ...] = ()
    problems: list[DeckProblem] = field(default_factory=list)
    fields: Fields = field(init=False)
    names: CardFinder = field(init=False)

    def __post_init__(self) -> None:
        self.fields = Fields(self.file.root, self.problems)
        self.names = CardFinder(self.facts)

    def who(self, node: Scalar, new: tuple[str, ...] = ()) -> str:
        """The name by which the files know an investigator; a stranger is noted."""
        found = next((each.name for each in self.people if each.goes_by(node.text)), None)
        if found is None and not any(name_key(node.text) == name_key(name) for name in new):
            known = [each.name for each in self.people]
            hint = did_you_mean(node.text, known) or (f" Known are {', '.join(known)}." if known else "")
            self.fields.note(node, f"Nobody called {node.text!r} plays.{hint}")
        return found or node.text

    def by_person(self, key: str, new: tuple[str, ...] = ()) -> list[tuple[str, Scalar, Node]]:
        """What stands under a key for each investigator."""
        below = self.fields.below(key)
        return [(self.who(label, new), label, value) for label, value in below.mapping.pairs] if below else []

    def listed(self, key: str, new: tuple[str, ...] = ()) -> tuple[str, ...]:
        """The investigators listed under a key."""
        nodes_of = [node for node in self.fields.listed(key) if isinstance(node, Scalar)]
        return tuple(dict.fromkeys(self.who(node, new) for node in nodes_of))

    def cards(self, key: str) -> dict[str, tuple[str, ...]]:
        """Codes of cards by investigator, each as often as it is there."""
        found: dict[str, tuple[str, ...]] = {}
        for name, _, value in self.by_person(key):
            items = value.items if isinstance(value, nodes.Sequence) else (value,)
            codes: list[str] = []
            for item in items:
                if not isinstance(item, Scalar) or not item.text:
                    self.fields.note(item, f"`{key}` must list cards, such as `{{{name}: [Flare]}}`.")
                    continue
                copies, text = (
                    split_quantity(item.text) if item.text[:1].isdigit() and " " in item.text else (1, item.text)
                )
                if len(codes) + copies > MOST_CARDS:
                    self.fields.note(
                        item, f"`{key}` holds more than {MOST_CARDS:,} cards for {name}; that is not a game."
                    )
                    break
                try:
                    codes += [self.names.find(text).code] * copies
                except UnknownName as error:
                    self.fields.note(item, str(error))
            found[name] = tuple(codes)
        return found

    def experience(self, playing: tuple[str, ...]) -> dict[str, int]:
        """What each earned: one number for all, or one each."""
        node = self.fields.get("experience")
        if isinstance(node, Scalar):
            number = self.fields.count(node, "experience", MOST_EXPERIENCE)
            return dict.fromkeys(playing, number or 0)
        return {
            name: self.fields.count(value, f"experience: {name}", MOST_EXPERIENCE) or 0
            for name, _, value in self.by_person("experience")
        }

    def defeated(self) -> dict[str, str]:
        """Who was defeated by what ("" where that is not said)."""
        node = self.fields.get("defeated")
        if node is None or not isinstance(node, nodes.Mapping):
            return dict.fromkeys(self.listed("defeated"), "")
        return {
            name: self.fields.choose(value, KINDS_OF_DEFEAT, "way to be defeated") or ""
            for name, _, value in self.by_person("defeated")
        }

    def trauma(self) -> dict[str, dict[str, int]]:
        """Trauma suffered in the game."""
        found: dict[str, dict[str, int]] = {}
        for name, _, value in self.by_person("trauma"):
            if not isinstance(value, nodes.Mapping):
                self.fields.note(value, f"`trauma: {name}` must be like `{{physical: 1}}`.")
                continue
            below = Fields(value, self.problems, f"trauma: {name}: ")
            below.check_keys(TRAUMA)
            found[name] = {kind: below.number(kind, MOST_TRAUMA) or 0 for kind in TRAUMA}
        return found

    def decks(self, taboo: int | None, new: tuple[str, ...] | None = None) -> dict[str, Held]:
        """The decks; at the beginning (`new` is None) their names are those of the investigators."""
        found: dict[str, Held] = {}
        below = self.fields.below("decks")
        for label, value in below.mapping.pairs if below else ():
            name = label.text if new is None else self.who(label, new)
            try:
                file = self.deck_file(label, value)
                deck = read_deck(file, self.facts)
            except DeckFileError as error:
                for problem in error.problems:
                    own = file_of(value) is None
                    self.fields.note(value, problem.message if own else f"{file_of(value)}: {problem.message}")
                continue
            if taboo is not None and not deck.taboo:
                deck = replace(deck, taboo=taboo)
            found[name] = Held(deck, file.name)
        return found

    def deck_file(self, label: Scalar, value: Node) -> DeckFile:
        """The deck file that a node names, or that it is itself. Raises DeckFileError."""
        if name := file_of(value):
            return self.folder.deck(name)
        if not isinstance(value, nodes.Mapping):
            said = f"the deck of {label.text} is a file of this folder, or `{{investigator: …, cards: {{…}}}}`."
            raise DeckFileError(self.file.name, [DeckProblem(value.line, said)])
        said_already = any(key_name(key.text) == "investigator" for key, _ in value.pairs)
        more = () if said_already else ((Scalar("investigator", value.line), label),)
        root = nodes.Mapping((*more, *value.pairs), value.line)
        return DeckFile(self.file.name, "yaml", lambda: root, "")


def file_of(value: Node) -> str | None:
    """The path that a node names; None when it is the deck itself."""
    return value.text if isinstance(value, Scalar) and value.text.endswith(DECK_SUFFIXES) else None


def person_of(name: str, held: Held, facts: Facts) -> Person | None:
    """An investigator who begins with a deck; None when the deck's investigator is unknown."""
    card = facts.card(held.deck.front or held.deck.investigator)
    return None if card is None else Person(name, card, held, left_at_the_start(held.deck, facts) or 0)


def read_head(file: DeckFile, facts: Facts, folder: Folder) -> tuple[Head, list[DeckProblem]]:
    """How a campaign begins, and what is wrong with the file."""
    reader = Reader(file, facts, folder)
    fields = reader.fields
    fields.check_keys([key.name for key in (*HEAD_KEYS, *HEAD)])
    node = fields.scalar("campaign")
    cycle = cycle_called(node.text, facts) if node else ""
    if node and not cycle:
        hint = did_you_mean(node.text, [each.name for each in facts.cycles.values()])
        fields.note(node, f"There is no campaign {node.text!r} in the card facts.{hint}")
    taboo = None
    if number := fields.scalar("taboo"):
        try:
            taboo = taboo_number(number.text, facts)
        except FrameError as error:
            fields.note(number, str(error))
    agreed = Agreed(cycle, taboo, *collection(fields, facts))
    people = []
    for name, held in reader.decks(taboo).items():
        person = person_of(name, held, facts)
        if person is None:
            fields.note(fields.get("decks") or file.root, f"The investigator of the deck of {name} is not known.")
        else:
            people.append(person)
    if not people:
        reader.problems.append(DeckProblem(0, "Nobody plays: write who has which deck under `decks:`."))
    told = tuple((key.capitalize(), text) for key in ("difficulty",) if (text := fields.text(key)))
    called = fields.text("name") or (node.text if node else "") or "A campaign"
    return Head(called, agreed, Group(tuple(people)), told, lines_of(reader.file.root)), reader.problems


def cycle_called(name: str, facts: Facts) -> str:
    """The cycle of a campaign by its name; a Return To box is played with the cycle it returns to. Empty when there is none."""
    key = name_key(name)
    return (
        facts.cycle_names.get(key)
        or facts.cycle_names.get(key.removeprefix("returnto"))
        or OTHER_NAMES.get(key.removeprefix("returnto"), "")
    )


def collection(fields: Fields, facts: Facts) -> tuple[Counter[str], Frame]:
    """The products owned, with copies, and the frame: environment, ultimatums, boons. What is unknown is noted."""
    said = {
        "environment": fields.text("environment"),
        "expansion": [node.text for node in fields.listed("expansions") if isinstance(node, Scalar)],
        "ultimatum": [node.text for node in fields.listed("ultimatums") if isinstance(node, Scalar)],
        "boon": [node.text for node in fields.listed("boons") if isinstance(node, Scalar)],
    }
    frame = frame_of({}, facts)
    try:
        frame = frame_of(said, facts)
    except FrameError as error:
        fields.note(fields.mapping, str(error))
    owned: Counter[str] = Counter()
    for node in fields.listed("owned"):
        copies, name = split_quantity(node.text) if isinstance(node, Scalar) else (1, "")
        try:
            owned.update(dict.fromkeys(frame_of({"owned": [name]}, facts).products, copies))
        except FrameError as error:
            fields.note(node, str(error))
    return owned, frame


def read_game(
    file: DeckFile, facts: Facts, folder: Folder, group: Group, taboo: int | None
) -> tuple[Played | None, list[DeckProblem]]:
    """A game, and what is wrong with its file; None when nobody can tell which scenario was played."""
    reader = Reader(file, facts, folder, (*group.people, *group.away, *group.out))
    fields = reader.fields
    fields.check_keys([key.name for key in (*GAME, *GAME_KEYS)])
    scenario = fields.text("scenario")
    if not scenario:
        reader.problems.append(DeckProblem(0, "Which scenario was played? Write `scenario: NAME`."))
        return None, reader.problems
    joining = tuple(node.text for node in fields.listed("joined") if isinstance(node, Scalar))
    played = Played(
        scenario,
        fields.text("resolution") or "",
        experience=reader.experience(tuple(person.name for person in group.people)),
        side_story=fields.flag("side_story"),
        cost=fields.number("cost", MOST_EXPERIENCE) or 0,
        defeated=reader.defeated(),
        trauma=reader.trauma(),
        killed=reader.listed("killed"),
        insane=reader.listed("insane"),
        earned=reader.cards("earned"),
        lost=reader.cards("lost"),
        exiled=reader.cards("exiled"),
        left=reader.listed("left"),
        joined=reader.listed("joined", joining),
        decks=reader.decks(taboo, joining),
        log=tuple(node.text for node in fields.listed("log") if isinstance(node, Scalar)),
        lines=lines_of(reader.file.root),
    )
    return played, reader.problems
