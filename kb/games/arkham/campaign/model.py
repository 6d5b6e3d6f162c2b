"""An Arkham Horror campaign: what one game's file says, read with its line, and where the group stands before and after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field, replace

from kb.campaigns.game_campaign import CampaignHead as AnyHead
from kb.campaigns.model import Folder
from kb.campaigns.reader import GameRecord, Key, Reader, key
from kb.campaigns.replay import Between
from kb.campaigns.table import Table
from kb.decks import nodes
from kb.decks.deckfile import DeckFile
from kb.decks.names import did_you_mean, name_key, split_quantity
from kb.decks.nodes import Scalar
from kb.decks.upgrades import StepReport
from kb.frozen import frozen
from kb.games.arkham.decks.adapter import read_deck, taboo_number
from kb.games.arkham.decks.facts import CardFinder, Facts
from kb.games.arkham.decks.frame import Frame, FrameError, NamedDeck, frame_of
from kb.games.arkham.decks.model import Card, each_copy
from kb.games.arkham.decks.upgrade.changes import changes_between
from kb.games.arkham.decks.yaml_deck import DeckReader
from kb.games.arkham.upgrades import judge_step, left_at_the_start

MOST_EXPERIENCE = 99
OUT, JOINING = "killed-insane-investigators", "joining-or-leaving-a-campaign"
TRAUMA = ("physical", "mental")
TRAUMA_BY = {"damage": "physical", "horror": "mental"}
"""The trauma of who is defeated."""


@frozen
class Person:
    """An investigator at one point of the campaign; `name` is what the files call her.

    `unspent` is the experience left, `trauma` the points of each kind: physical, mental, or `either`, of purchases whose kind the player
    chose (less what they removed).
    `owed` are story cards and weaknesses (by first printing) that were earned and are not in a recorded deck yet, `exiled`
    and `lost` what left the deck since it was recorded.
    """

    name: str
    card: Card
    held: NamedDeck
    unspent: int = 0
    trauma: Counter[str] = field(default_factory=Counter)
    owed: tuple[str, ...] = ()
    exiled: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()

    @property
    def called(self) -> tuple[str, ...]:
        """What files may call her, as names are compared: the given name, the printed one, or the first word of it."""
        return name_key(self.name), name_key(self.card.name), name_key(self.card.name.split()[0])


@frozen
class Group(Table[Person]):
    """Where a campaign stands; `out` were killed or driven insane.

    `played` are the scenarios played, by name, `steps` the upgrades of the last game, by investigator.
    """

    played: tuple[str, ...] = ()
    steps: Mapping[str, StepReport] = field(default_factory=dict)


@frozen
class Head(AnyHead):
    """How a campaign begins: its cycle ("" unknown), and the taboo list (None: as each deck says), products and frame agreed on."""

    begins: Group
    difficulty: str
    cycle: str
    taboo: int | None
    owned: Mapping[str, int]
    frame: Frame


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

    scenario: str = key(
        "text", "The Miskatonic Museum", "the scenario", str, needs="Which scenario was played? Write `scenario: NAME`."
    )
    resolution: str = key("text", "R1", "how it ended", str)
    experience: Mapping[str, int] = key(
        "experience",
        "3",
        "what each earned; or {Roland: 3, Daisy: 4}",
        dict,
        most=MOST_EXPERIENCE,
        tells="earns {} experience",
        cite="experience",
    )
    side_story: bool = key("flag", "yes", "a side story, beside the campaign's own scenarios", bool)
    cost: int | None = key(
        "number",
        "3",
        "experience that each paid to play it",
        most=MOST_EXPERIENCE,
        tells="each pays {} experience for the side story",
        cite="experience",
    )
    defeated: Mapping[str, str] = key(
        "defeated",
        "{Roland: damage}",
        "who was defeated, by damage or horror",
        dict,
        tells="is defeated by {}",
        cite="trauma",
    )
    trauma: Mapping[str, Mapping[str, int]] = key(
        "trauma",
        "{Roland: {physical: 1}}",
        "trauma suffered in this game, physical or mental (that of purchases is counted)",
        dict,
        tells="suffers {} trauma",
        cite="trauma",
    )
    killed: tuple[str, ...] = key("names", "[Roland]", "who was killed", tuple, tells="is killed", cite=OUT)
    insane: tuple[str, ...] = key(
        "names", "[Daisy]", "who was driven insane", tuple, tells="is driven insane", cite=OUT
    )
    earned: Mapping[str, tuple[str, ...]] = key(
        "cards",
        "{Roland: [Dr. Henry Armitage]}",
        "story assets and weaknesses that came into the deck",
        dict,
        tells="earns {}",
        cite="story-assets",
    )
    lost: Mapping[str, tuple[str, ...]] = key(
        "cards",
        "{Roland: [Dr. Henry Armitage]}",
        "cards that the campaign took out of the deck",
        dict,
        tells="loses {}",
        cite="story-assets",
    )
    exiled: Mapping[str, tuple[str, ...]] = key(
        "cards", "{Roland: [Flare]}", "cards that were exiled", dict, tells="exiles {}", cite="exile"
    )
    left: tuple[str, ...] = key("names", "[Daisy]", "who does not go on", tuple, tells="leaves", cite=JOINING)
    joined: tuple[str, ...] = key(
        "names", "[Wendy]", "who begins, or comes back, for the next game", tuple, tells="joins", cite=JOINING
    )
    decks: Mapping[str, NamedDeck] = key(
        "decks", "{Roland: decks/roland-2.json}", "the decks after upgrades: keys, or files of this folder", dict
    )
    log: tuple[str, ...] = key(
        "words", "[Dr. Armitage was kidnapped]", "what was recorded in the campaign log", tuple,
        tells="log: {}", cite="record-in-your-campaign-log",
    )  # fmt: skip


@frozen
class Moment(Between):
    """A game between two states of the group."""

    head: Head
    before: Group
    played: Played
    after: Group
    facts: Facts


MOST_TRAUMA = 20
CORE_CAMPAIGN = "Night of the Zealot"
"""The campaign in the core set (see arkham/products/campaigns): its cycle is not called so."""
SOMETHING = "something else"
KINDS_OF_DEFEAT = {"damage": "damage", "horror": "horror", **dict.fromkeys((SOMETHING, "yes", "true"), SOMETHING)}


class ArkhamReader(Reader):
    """Reads one file of a group's campaign, with the taboo list that they agreed on."""

    deck_is = "`{investigator: …, cards: {…}}`"

    facts: Facts

    def __init__(
        self, file: DeckFile, folder: Folder, facts: Facts, head: Head | None = None, state: Group | None = None
    ) -> None:
        super().__init__(file, folder, facts)
        self.group, self.taboo = state, head.taboo if head else None
        self.finder = CardFinder(facts)
        if state:
            everybody = (*state.people, *state.away, *state.out)
            self.people = {key: person.name for person in reversed(everybody) for key in reversed(person.called)}

    def cards(self, key: str) -> dict[str, tuple[str, ...]]:
        """Codes of cards by investigator, each as often as it is there."""
        reader = DeckReader(self.mapping, self.finder, self.problems)
        return {
            name: each_copy(
                reader.pile(nodes.Sequence((value,), value.line) if isinstance(value, Scalar) else value, key)
            )
            for name, _, value in self.by_person(key)
        }

    def experience(self, key: str, most: int) -> dict[str, int]:
        """What each earned: one number for all, or one each."""
        node = self.get(key)
        if isinstance(node, Scalar) and self.group:
            return dict.fromkeys((person.name for person in self.group.people), self.number(key, most) or 0)
        return self.numbers(key, most)

    def defeated(self, key: str) -> dict[str, str]:
        """Who was defeated by what."""
        if not isinstance(self.get(key), nodes.Mapping):
            return dict.fromkeys(self.names(key), SOMETHING)
        return {
            name: self.choose(value, KINDS_OF_DEFEAT, "way to be defeated") or SOMETHING
            for name, _, value in self.by_person(key)
        }

    def trauma(self, key: str) -> dict[str, dict[str, int]]:
        """Trauma suffered in the game."""
        return {
            name: {kind: below.number(kind, MOST_TRAUMA) or 0 for kind in TRAUMA}
            for name, below in self.each_below(key, TRAUMA, "{physical: 1}")
        }

    def deck(self, file: DeckFile, name: str) -> NamedDeck:
        """A deck, with the taboo list of the campaign where it names none. Raises DeckFileError."""
        deck = read_deck(file, self.facts)
        if self.taboo is not None and not deck.taboo:
            deck = replace(deck, taboo=self.taboo)
        return NamedDeck(file.name, deck)

    def deck_keys(self, name: str) -> dict[str, str]:
        """The investigator is the one before whose name it stands."""
        return {"investigator": name}

    def head(self) -> Head:
        """How a campaign begins."""
        node = self.scalar("campaign")
        cycle = cycle_called(node.text, self.facts) if node else ""
        if node and not cycle:
            hint = did_you_mean(node.text, [each.name for each in self.facts.cycles.values()])
            self.note(node, f"There is no campaign {node.text!r} in the card facts.{hint}")
        if number := self.scalar("taboo"):
            try:
                self.taboo = taboo_number(number.text, self.facts)
            except FrameError as error:
                self.note(number, str(error))
        people = []
        for name, held in self.decks("decks").items():
            person = person_of(name, held, self.facts)
            if person is None:
                self.note(self.get("decks") or self.file.root, f"The investigator of the deck of {name} is not known.")
            else:
                people.append(person)
        if not people and not self.problems:
            self.note(0, "Nobody plays: write who has which deck under `decks:`.")
        called = self.text("name") or (node.text if node else "") or "A campaign"
        difficulty, agreed = self.text("difficulty"), self.collection()
        return Head(called, Group(tuple(people)), self.lines(), difficulty, cycle, self.taboo, *agreed)

    def collection(self) -> tuple[Counter[str], Frame]:
        """The products owned, with copies, and the frame: environment, ultimatums, boons. What is unknown is noted."""
        lists = {key.removesuffix("s"): list(self.words(key)) for key in ("expansions", "ultimatums", "boons")}
        frame = frame_of({}, self.facts)
        try:
            frame = frame_of({"environment": self.text("environment") or None, **lists}, self.facts)
        except FrameError as error:
            self.note(self.mapping, str(error))
        owned: Counter[str] = Counter()
        for node in self.scalars("owned"):
            copies, name = split_quantity(node.text)
            try:
                owned.update(dict.fromkeys(frame_of({"owned": [name]}, self.facts).products, copies))
            except FrameError as error:
                self.note(node, str(error))
        return owned, frame


def person_of(name: str, named_deck: NamedDeck, facts: Facts) -> Person | None:
    """An investigator who begins with a deck; None when the deck's investigator is unknown."""
    card = facts.card(named_deck.deck.front or named_deck.deck.investigator)
    if card is None:
        return None
    person = Person(name, card, named_deck, left_at_the_start(named_deck.deck, facts) or 0)
    return with_purchases(person, facts.held(named_deck.deck.cards))


def with_trauma(person: Person, points: Mapping[str, int]) -> Person:
    """The investigator with more trauma of some kinds; points below 0 take it away."""
    trauma = Counter(person.trauma)
    trauma.update(points)
    return replace(person, trauma=trauma)


def with_purchases(person: Person, bought: Iterable[tuple[Card, int]]) -> Person:
    """The investigator after copies of cards were purchased, some of which give trauma."""
    for card, copies in bought:
        given = card.special.buying.trauma.items()
        person = with_trauma(person, {kind: points * copies for kind, points in given})
    return person


def cycle_called(name: str, facts: Facts) -> str:
    """The cycle of a campaign by its name; a Return To box is played with the cycle it returns to. Empty when there is none."""
    key = name_key(name)
    own = key.removeprefix("returnto")
    return (
        facts.cycle_names.get(key) or facts.cycle_names.get(own) or ("core" if own == name_key(CORE_CAMPAIGN) else "")
    )


def after(before: Group, played: Played, head: Head, facts: Facts) -> Group:
    """The group after a game, with the steps of the decks that were recorded with it."""
    steps: dict[str, StepReport] = {}
    out = (*played.killed, *played.insane)

    def with_deck(now: Person, then: Person) -> Person:
        named_deck = played.decks.get(then.name)
        if named_deck is None or then.name in out:
            return now
        now, steps[then.name] = upgraded(now, then, named_deck, played, facts)
        return now

    def begin(name: str, back: Person | None) -> Person | None:
        named_deck = played.decks.get(name)
        return with_deck(back, back) if back else person_of(name, named_deck, facts) if named_deck else None

    people = before.moved(played, out, lambda person: with_deck(grown(person, played), person), begin)
    return Group(*people, (*before.played, played.scenario), steps)


def grown(person: Person, played: Played) -> Person:
    """An investigator after a game, before the deck is upgraded."""
    name = person.name
    return replace(
        with_trauma(person, played.trauma.get(name, {})),
        unspent=max(0, person.unspent - (played.cost or 0)) + played.experience.get(name, 0),
        owed=(*person.owed, *played.earned.get(name, ())),
        exiled=(*person.exiled, *played.exiled.get(name, ())),
        lost=(*person.lost, *played.lost.get(name, ())),
    )


def upgraded(
    now: Person, before: Person, named_deck: NamedDeck, played: Played, facts: Facts
) -> tuple[Person, StepReport]:
    """An investigator with the deck after the game, and the step to it.

    What the campaign says of experience and exile holds in place of what the deck file notes of them.
    """
    deck = replace(named_deck.deck, experience=None, adjustment=0, exiled=now.exiled or named_deck.deck.exiled)
    named_deck = replace(named_deck, deck=deck)
    earned = played.experience.get(before.name, 0)
    step = judge_step(before.held, named_deck, facts, earned, max(0, now.unspent - earned))
    roots = {facts.root(each) for each in deck.cards}
    still_owed = tuple(code for code in now.owed if facts.root(code) not in roots)
    left = step.unspent if step.unspent is not None else now.unspent
    now = with_purchases(
        now, ((each.card, each.come) for each in changes_between(before.held.deck, deck, facts).purchases())
    )
    return replace(now, held=named_deck, unspent=left, owed=still_owed, exiled=(), lost=()), step
