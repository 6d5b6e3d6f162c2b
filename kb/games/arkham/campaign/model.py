"""An Arkham Horror campaign as frozen dataclasses: what one game's file says, and where the group stands before and after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from kb.campaigns.reader import GameRecord, Key, key
from kb.campaigns.replay import Between
from kb.campaigns.replay import Head as AnyHead
from kb.decks.names import name_key
from kb.decks.upgrades import StepReport
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.frame import CAMPAIGN, Frame
from kb.games.arkham.decks.model import Card, Deck

MOST_EXPERIENCE = 99
TRAUMA = ("physical", "mental")
TRAUMA_BY = {"damage": "physical", "horror": "mental"}
"""The trauma of who is defeated."""


@dataclass(frozen=True, slots=True)
class Held:
    """A deck with the name of the file that it stands in."""

    deck: Deck
    file: str


@dataclass(frozen=True, slots=True)
class Person:
    """An investigator at one point of the campaign; `name` is what the files call her.

    `unspent` is the experience left. `owed` are story cards and weaknesses (by first printing) that were earned and are not in
    a recorded deck yet, `exiled` and `lost` what left the deck since it was recorded.
    """

    name: str
    card: Card
    held: Held
    unspent: int = 0
    physical: int = 0
    mental: int = 0
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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Agreed:
    """What the group agreed on: the campaign's cycle ("" unknown), the taboo list (None: as each deck says), products, frame."""

    cycle: str = ""
    taboo: int | None = None
    owned: Mapping[str, int] = field(default_factory=Counter)
    frame: Frame = CAMPAIGN


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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
        "trauma", "{Roland: {physical: 1}}", "trauma suffered in this game, physical or mental", dict
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
    decks: Mapping[str, Held] = key(
        "decks", "{Roland: decks/roland-2.json}", "the decks after upgrades: keys, or files of this folder", dict
    )
    log: tuple[str, ...] = key("listed", "[Dr. Armitage was kidnapped]", "what was recorded in the campaign log", tuple)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Moment(Between):
    """A game between two states of the group. `steps` are the steps of the decks that were recorded with it, by investigator."""

    before: Group
    played: Played
    after: Group
    facts: Facts
    agreed: Agreed
    steps: Mapping[str, StepReport]
