"""An Arkham Horror campaign: what one game's file says, read with its line, and where the group stands before and after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field, replace

from kb.campaigns.model import Folder
from kb.campaigns.reader import GameRecord, Key, Reader, key
from kb.campaigns.replay import Between
from kb.campaigns.replay import Head as AnyHead
from kb.decks import nodes
from kb.decks.deckfile import DeckFile
from kb.decks.fields import Fields
from kb.decks.names import did_you_mean, name_key, split_quantity
from kb.decks.nodes import DeckProblem, Scalar
from kb.decks.upgrades import StepReport
from kb.frozen import frozen
from kb.games.arkham.decks.adapter import read_deck, taboo_number
from kb.games.arkham.decks.facts import CardFinder, Facts, UnknownName
from kb.games.arkham.decks.frame import CAMPAIGN, Frame, FrameError, NamedDeck, frame_of
from kb.games.arkham.decks.model import MOST_CARDS, Card
from kb.games.arkham.decks.upgrade.changes import changes_between
from kb.games.arkham.upgrades import judge_step, left_at_the_start

MOST_EXPERIENCE = 99
TRAUMA = ("physical", "mental")
TRAUMA_BY = {"damage": "physical", "horror": "mental"}
"""The trauma of who is defeated."""


@frozen
class Person:
    """An investigator at one point of the campaign; `name` is what the files call her.

    `unspent` is the experience left, `either` trauma of purchases whose kind the player chose (less what they removed).
    `owed` are story cards and weaknesses (by first printing) that were earned and are not in a recorded deck yet, `exiled`
    and `lost` what left the deck since it was recorded.
    """

    name: str
    card: Card
    held: NamedDeck
    unspent: int = 0
    physical: int = 0
    mental: int = 0
    either: int = 0
    owed: tuple[str, ...] = ()
    exiled: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()

    @property
    def called(self) -> tuple[str, ...]:
        """What files may call her, as names are compared: the given name, the printed one, or the first word of it."""
        return name_key(self.name), name_key(self.card.name), name_key(self.card.name.split()[0])

    def goes_by(self, name: str) -> bool:
        """Whether a file means this investigator by a name."""
        return name_key(name) in self.called


@frozen
class Group:
    """Where a campaign stands. `away` left and may come back; `out` were killed or driven insane.

    `played` are the scenarios played, by name.
    """

    people: tuple[Person, ...] = ()
    away: tuple[Person, ...] = ()
    out: tuple[Person, ...] = ()
    played: tuple[str, ...] = ()

    def person(self, name: str) -> Person | None:
        """The investigator of that name who plays on."""
        return next((each for each in self.people if each.goes_by(name)), None)


@frozen
class Agreed:
    """What the group agreed on: the campaign's cycle ("" unknown), the taboo list (None: as each deck says), products, frame."""

    cycle: str = ""
    taboo: int | None = None
    owned: Mapping[str, int] = field(default_factory=Counter)
    frame: Frame = CAMPAIGN


@frozen
class Head(AnyHead):
    """How a campaign begins."""

    begins: Group
    agreed: Agreed
    difficulty: str


HEAD = (
    Key("campaign", "The Dunwich Legacy", "the campaign, by the name of its cycle"),
    Key("difficulty", "standard", "the difficulty, which kb only notes"),
    Key("taboo", "8", "the taboo list by number, for all decks"),
    Key("owned", "[core, dwl]", "products owned, by code or name: copies are counted over all decks"),
    Key("environment", "current", "the environment: current, limited or legacy", ("current", "limited", "legacy")),
    Key("expansions", "[The Dunwich Legacy]", "expansions of the limited environment"),
    Key("ultimatums", "[chaos]", "ultimatums in force"),
    Key("boons", "[ancients]", "boons in force"),
    Key("decks", "{Roland: decks/roland.json}", "each investigator's deck as the campaign begins: keys, or a file of this folder"),
)  # fmt: skip


@frozen
class Played(GameRecord):
    """What a game's file says. What concerns one investigator is by her name in the files; cards are codes."""

    scenario: str = key("text", "The Miskatonic Museum", "the scenario", str)
    resolution: str = key("text", "R1", "how it ended", str)
    experience: Mapping[str, int] = key(
        "experience", "3", "what each earned; or {Roland: 3, Daisy: 4}", dict, most=MOST_EXPERIENCE
    )
    side_story: bool = key("flag", "yes", "a side story, beside the campaign's own scenarios", bool)
    cost: int | None = key("number", "3", "experience that each paid to play it", most=MOST_EXPERIENCE)
    defeated: Mapping[str, str] = key("defeated", "{Roland: damage}", "who was defeated, by damage or horror", dict)
    trauma: Mapping[str, Mapping[str, int]] = key(
        "trauma",
        "{Roland: {physical: 1}}",
        "trauma suffered in this game, physical or mental (that of purchases is counted)",
        dict,
    )
    killed: tuple[str, ...] = key("names", "[Roland]", "who was killed", tuple)
    insane: tuple[str, ...] = key("names", "[Daisy]", "who was driven insane", tuple)
    earned: Mapping[str, tuple[str, ...]] = key(
        "cards", "{Roland: [Dr. Henry Armitage]}", "story assets and weaknesses that came into the deck", dict
    )
    lost: Mapping[str, tuple[str, ...]] = key(
        "cards", "{Roland: [Dr. Henry Armitage]}", "cards that the campaign took out of the deck", dict
    )
    exiled: Mapping[str, tuple[str, ...]] = key("cards", "{Roland: [Flare]}", "cards that were exiled", dict)
    left: tuple[str, ...] = key("names", "[Daisy]", "who does not go on", tuple)
    joined: tuple[str, ...] = key("names", "[Wendy]", "who begins, or comes back, for the next game", tuple)
    decks: Mapping[str, NamedDeck] = key(
        "decks", "{Roland: decks/roland-2.json}", "the decks after upgrades: keys, or files of this folder", dict
    )
    log: tuple[str, ...] = key("words", "[Dr. Armitage was kidnapped]", "what was recorded in the campaign log", tuple)  # fmt: skip


@frozen
class Moment(Between):
    """A game between two states of the group. `steps` are the steps of the decks that were recorded with it, by investigator."""

    before: Group
    played: Played
    after: Group
    facts: Facts
    agreed: Agreed
    steps: Mapping[str, StepReport]


MOST_TRAUMA = 20
CORE_CAMPAIGN = "Night of the Zealot"
"""The campaign in the core set (see arkham/products/campaigns): its cycle is not called so."""
KINDS_OF_DEFEAT = {"damage": "damage", "horror": "horror", "yes": "", "true": ""}


class ArkhamReader(Reader):
    """Reads one file of a group's campaign, with the taboo list that they agreed on."""

    deck_is = "`{investigator: …, cards: {…}}`"

    def __init__(self, file: DeckFile, folder: Folder, facts: Facts, group: Group | None, taboo: int | None) -> None:
        everybody = (*group.people, *group.away, *group.out) if group else ()
        called = {key: person.name for person in reversed(everybody) for key in reversed(person.called)}
        super().__init__(file, folder, called if group else None)
        self.facts, self.group, self.taboo = facts, group, taboo
        self.finder = CardFinder(facts)

    def cards(self, key: str) -> dict[str, tuple[str, ...]]:
        """Codes of cards by investigator, each as often as it is there."""
        found: dict[str, tuple[str, ...]] = {}
        for name, _, value in self.by_person(key):
            codes: list[str] = []
            for item in value.items if isinstance(value, nodes.Sequence) else (value,):
                if not isinstance(item, Scalar) or not item.text:
                    self.note(item, f"`{key}` must list cards, such as `{{{name}: [Flare]}}`.")
                    continue
                copies, text = self.finder.counted(item.text)
                if len(codes) + copies > MOST_CARDS:
                    self.note(item, f"`{key}` holds more than {MOST_CARDS:,} cards for {name}; that is not a game.")
                    break
                try:
                    codes += [self.finder.find(text).code] * copies
                except UnknownName as error:
                    self.note(item, str(error))
            found[name] = tuple(codes)
        return found

    def experience(self, key: str, most: int) -> dict[str, int]:
        """What each earned: one number for all, or one each."""
        node = self.get(key)
        if isinstance(node, Scalar) and self.group:
            return dict.fromkeys((person.name for person in self.group.people), self.number(key, most) or 0)
        return self.their_numbers(key, most)

    def defeated(self, key: str) -> dict[str, str]:
        """Who was defeated by what ("" where that is not said)."""
        if not isinstance(self.get(key), nodes.Mapping):
            return dict.fromkeys(self.names(key), "")
        return {
            name: self.choose(value, KINDS_OF_DEFEAT, "way to be defeated") or ""
            for name, _, value in self.by_person(key)
        }

    def trauma(self, key: str) -> dict[str, dict[str, int]]:
        """Trauma suffered in the game."""
        found: dict[str, dict[str, int]] = {}
        for name, _, value in self.by_person(key):
            if not isinstance(value, nodes.Mapping):
                self.note(value, f"`trauma: {name}` must be like `{{physical: 1}}`.")
                continue
            below = Fields(value, self.problems, f"trauma: {name}: ")
            below.check_keys(TRAUMA)
            found[name] = {kind: below.number(kind, MOST_TRAUMA) or 0 for kind in TRAUMA}
        return found

    def deck(self, file: DeckFile) -> NamedDeck:
        """A deck, with the taboo list of the campaign where it names none. Raises DeckFileError."""
        deck = read_deck(file, self.facts)
        if self.taboo is not None and not deck.taboo:
            deck = replace(deck, taboo=self.taboo)
        return NamedDeck(file.name, deck)

    def deck_keys(self, name: str) -> dict[str, str]:
        """The investigator is the one before whose name it stands."""
        return {"investigator": name}


def person_of(name: str, held: NamedDeck, facts: Facts) -> Person | None:
    """An investigator who begins with a deck; None when the deck's investigator is unknown."""
    card = facts.card(held.deck.front or held.deck.investigator)
    if card is None:
        return None
    person = Person(name, card, held, left_at_the_start(held.deck, facts) or 0)
    return with_trauma(person, facts.held(held.deck.cards))


def with_trauma(person: Person, bought: Iterable[tuple[Card, int]]) -> Person:
    """The investigator after copies of cards were purchased, some of which give trauma."""
    for card, copies in bought:
        given = card.special.buying.trauma.items()
        person = replace(person, **{kind: getattr(person, kind) + points * copies for kind, points in given})
    return person


def read_head(file: DeckFile, facts: Facts, folder: Folder) -> tuple[Head, list[DeckProblem]]:
    """How a campaign begins, and what is wrong with the file."""
    reader = ArkhamReader(file, folder, facts, None, None)
    reader.check_head_keys(HEAD)
    node = reader.scalar("campaign")
    cycle = cycle_called(node.text, facts) if node else ""
    if node and not cycle:
        hint = did_you_mean(node.text, [each.name for each in facts.cycles.values()])
        reader.note(node, f"There is no campaign {node.text!r} in the card facts.{hint}")
    if number := reader.scalar("taboo"):
        try:
            reader.taboo = taboo_number(number.text, facts)
        except FrameError as error:
            reader.note(number, str(error))
    agreed = Agreed(cycle, reader.taboo, *collection(reader, facts))
    people = []
    for name, held in reader.decks("decks").items():
        person = person_of(name, held, facts)
        if person is None:
            reader.note(reader.get("decks") or file.root, f"The investigator of the deck of {name} is not known.")
        else:
            people.append(person)
    if not people:
        reader.note(0, "Nobody plays: write who has which deck under `decks:`.")
    called = reader.text("name") or (node.text if node else "") or "A campaign"
    return Head(called, Group(tuple(people)), reader.lines(), agreed, reader.text("difficulty")), reader.problems


def cycle_called(name: str, facts: Facts) -> str:
    """The cycle of a campaign by its name; a Return To box is played with the cycle it returns to. Empty when there is none."""
    key = name_key(name)
    own = key.removeprefix("returnto")
    return (
        facts.cycle_names.get(key) or facts.cycle_names.get(own) or ("core" if own == name_key(CORE_CAMPAIGN) else "")
    )


def collection(reader: ArkhamReader, facts: Facts) -> tuple[Counter[str], Frame]:
    """The products owned, with copies, and the frame: environment, ultimatums, boons. What is unknown is noted."""
    said = {
        "environment": reader.text("environment") or None,
        **{key.removesuffix("s"): list(reader.words(key)) for key in ("expansions", "ultimatums", "boons")},
    }
    frame = frame_of({}, facts)
    try:
        frame = frame_of(said, facts)
    except FrameError as error:
        reader.note(reader.mapping, str(error))
    owned: Counter[str] = Counter()
    for node in reader.listed("owned"):
        copies, name = split_quantity(node.text) if isinstance(node, Scalar) else (1, "")
        try:
            owned.update(dict.fromkeys(frame_of({"owned": [name]}, facts).products, copies))
        except FrameError as error:
            reader.note(node, str(error))
    return owned, frame


def read_game(
    file: DeckFile, head: Head, before: Group, facts: Facts, folder: Folder
) -> tuple[Played | None, list[DeckProblem]]:
    """A game, and what is wrong with its file; None when nobody can tell which scenario was played."""
    reader = ArkhamReader(file, folder, facts, before, head.agreed.taboo)
    reader.check_game_keys(Played)
    scenario = reader.text("scenario")
    if not scenario:
        reader.note(0, "Which scenario was played? Write `scenario: NAME`.")
        return None, reader.problems
    return reader.read(Played, scenario=scenario), reader.problems


def after(before: Group, played: Played, facts: Facts) -> tuple[Group, Mapping[str, StepReport]]:
    """The group after a game, and the steps of the decks that were recorded with it, by investigator."""
    steps: dict[str, StepReport] = {}
    people: list[Person] = []
    away = list(before.away)
    out = list(before.out)
    for person in before.people:
        now = grown(person, played)
        held = played.decks.get(person.name)
        gone = person.name in (*played.killed, *played.insane)
        if held is not None and not gone:
            now, steps[person.name] = upgraded(now, person, held, played, facts)
        (out if gone else away if person.name in played.left else people).append(now)
    for name in played.joined:
        back = next((person for person in away if person.goes_by(name)), None)
        held = played.decks.get(back.name if back else name)
        if any(person.goes_by(name) for person in people):
            continue
        if back is not None:
            away.remove(back)
            now = back
            if held is not None:
                now, steps[back.name] = upgraded(back, back, held, played, facts)
            people.append(now)
        elif held is not None and (new := person_of(name, held, facts)):
            people.append(new)
    return Group(tuple(people), tuple(away), tuple(out), (*before.played, played.scenario)), steps


def grown(person: Person, played: Played) -> Person:
    """An investigator after a game, before the deck is upgraded."""
    name, suffered = person.name, played.trauma.get(person.name, {})
    return replace(
        person,
        unspent=max(0, person.unspent - (played.cost or 0)) + played.experience.get(name, 0),
        owed=(*person.owed, *played.earned.get(name, ())),
        exiled=(*person.exiled, *played.exiled.get(name, ())),
        lost=(*person.lost, *played.lost.get(name, ())),
        **{kind: getattr(person, kind) + suffered.get(kind, 0) for kind in TRAUMA},
    )


def upgraded(now: Person, before: Person, held: NamedDeck, played: Played, facts: Facts) -> tuple[Person, StepReport]:
    """An investigator with the deck after the game, and the step to it.

    What the campaign says of experience and exile holds in place of what the deck file notes of them.
    """
    deck = replace(held.deck, experience=None, adjustment=0, exiled=now.exiled or held.deck.exiled)
    held = replace(held, deck=deck)
    earned = played.experience.get(before.name, 0)
    step = judge_step(before.held, held, facts, earned, max(0, now.unspent - earned))
    roots = {facts.root(each) for each in deck.cards}
    kept = tuple(code for code in now.owed if facts.root(code) not in roots)
    left = step.unspent if step.unspent is not None else now.unspent
    now = with_trauma(
        now, ((each.card, each.come) for each in changes_between(before.held.deck, deck, facts).purchases())
    )
    return replace(now, held=held, unspent=left, owed=kept, exiled=(), lost=()), step
