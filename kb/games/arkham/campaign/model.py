"""An Arkham Horror campaign as frozen dataclasses: what one game's file says, and where the group stands before and after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from kb.campaigns.lines import line_in
from kb.campaigns.model import Key
from kb.decks.names import name_key
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.frame import CAMPAIGN, Frame
from kb.games.arkham.decks.model import Card, Deck


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

    def goes_by(self, name: str) -> bool:
        """Whether a file means this investigator by a name: the one it was given, the printed one, or the first word of it."""
        key = name_key(name)
        return key in (name_key(self.name), name_key(self.card.name), name_key(self.card.name.split()[0]))


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
class Played:
    """What a game's file says. What concerns one investigator is by her name in the files.

    `experience` is what each earned; cards are codes. `lines` are the lines of the file by key and by key and name.
    """

    scenario: str
    resolution: str = ""
    experience: Mapping[str, int] = field(default_factory=dict)
    side_story: bool = False
    cost: int = 0
    defeated: Mapping[str, str] = field(default_factory=dict)
    trauma: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    killed: tuple[str, ...] = ()
    insane: tuple[str, ...] = ()
    earned: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lost: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    exiled: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    left: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    decks: Mapping[str, Held] = field(default_factory=dict)
    log: tuple[str, ...] = ()
    lines: Mapping[str, int] = field(default_factory=dict)

    def line(self, *names: str) -> int:
        """The line of the first of these keys (or `key name`) that stands in the file; 0 when none does."""
        return line_in(self.lines, *names)


@dataclass(frozen=True, slots=True)
class Agreed:
    """What the group agreed on: the campaign's cycle ("" unknown), the taboo list (None: as each deck says), products, frame."""

    cycle: str = ""
    taboo: int | None = None
    owned: Mapping[str, int] = field(default_factory=Counter)
    frame: Frame = CAMPAIGN


@dataclass(frozen=True, slots=True)
class Moment:
    """A game between two states of the group: what the rules look at. `known`: nothing before it is missing."""

    facts: Facts
    agreed: Agreed
    before: Group
    played: Played
    after: Group
    known: bool = True


HEAD = (
    Key("campaign", "The Dunwich Legacy", "the campaign, by the name of its cycle"),
    Key("difficulty", "standard", "for you"),
    Key("taboo", "8", "the taboo list by number, for all decks"),
    Key("owned", "[core, dwl]", "products owned, by code or name: copies are counted over all decks"),
    Key("environment", "current", "current, limited or legacy; expansions: those of the limited one"),
    Key("expansions", "[The Dunwich Legacy]", "expansions of the limited environment"),
    Key("ultimatums", "[chaos]", "ultimatums in force"),
    Key("boons", "[ancients]", "boons in force"),
    Key("decks", "{Roland: decks/roland.json}", "each investigator's deck as the campaign begins: keys, or a file of this folder"),
)  # fmt: skip
GAME = (
    Key("scenario", "The Miskatonic Museum", "the scenario"),
    Key("resolution", "R1", "how it ended"),
    Key("experience", "3", "what each earned; or {Roland: 3, Daisy: 4}"),
    Key("side_story", "yes", "a side story, beside the campaign's own scenarios"),
    Key("cost", "3", "experience that each paid to play it"),
    Key("defeated", "{Roland: damage}", "who was defeated, by damage or horror"),
    Key("trauma", "{Roland: {physical: 1}}", "trauma suffered in this game, physical or mental"),
    Key("killed", "[Roland]", "who was killed"),
    Key("insane", "[Daisy]", "who was driven insane"),
    Key("earned", "{Roland: [Dr. Henry Armitage]}", "story assets and weaknesses that came into the deck"),
    Key("lost", "{Roland: [Dr. Henry Armitage]}", "cards that the campaign took out of the deck"),
    Key("exiled", "{Roland: [Flare]}", "cards that were exiled"),
    Key("left", "[Daisy]", "who does not go on"),
    Key("joined", "[Wendy]", "who begins, or comes back, for the next game"),
    Key("decks", "{Roland: decks/roland-2.json}", "the decks after upgrades: keys, or files of this folder"),
    Key("log", "[Dr. Armitage was kidnapped]", "what was recorded in the campaign log"),
)  # fmt: skip
TRAUMA = ("physical", "mental")
