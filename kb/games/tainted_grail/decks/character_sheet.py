"""The subject of the Tainted Grail checks: a character sheet as frozen dataclasses, and the numbers of the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, Literal, get_args

from kb.decks.names import name_key
from kb.decks.problems import Check, Rule
from kb.decks.ruleset import Ruleset
from kb.frozen import frozen

Mode = Literal["story", "standard", "challenge"]
ChallengeRule = Literal["setup", "escaping", "menhirs", "advancement", "items", "mercy"]
Grade = Literal["basic", "advanced"]
DeckName = Literal["combat", "diplomacy"]

MODES: tuple[Mode, ...] = get_args(Mode)
CHALLENGE_RULES: tuple[ChallengeRule, ...] = get_args(ChallengeRule)
DECK_NAMES: tuple[DeckName, ...] = get_args(DeckName)
ATTRIBUTES = ("aggression", "empathy", "courage", "caution", "practicality", "spirituality")
RESOURCES = ("food", "wealth", "reputation", "magic", "experience")
ITEM_KEYWORDS = ("WEAPON", "ARMOR", "SHIELD", "COMPANION", "RELIC")
SECRET_KEYWORDS = ("PERSONAL", "GLOBAL")

Pairs = tuple[tuple[str, str], ...]

# The source prints two lines of three names without saying which oppose each other. In the order of the words, the
# pairs are PAIRS (the default, because their meanings are opposite); with one line above the other, OTHER_PAIRS.
PAIRS: Pairs = (("aggression", "empathy"), ("courage", "caution"), ("practicality", "spirituality"))
OTHER_PAIRS: Pairs = (("aggression", "caution"), ("empathy", "practicality"), ("courage", "spirituality"))

# Setup: the cards of one color and one kind (combat or diplomacy).
STARTER_CARDS = 15
BASIC_CARDS = 25
POOL: Mapping[Grade, int] = {"advanced": 15, "basic": BASIC_CARDS - STARTER_CARDS}
POOL_CARDS = sum(POOL.values())
CARDS_OF_A_SIDE = STARTER_CARDS + POOL_CARDS


@frozen
class GrailCharacter:
    """A character of the campaign as the source describes it; the numbers on its tile are not in the source."""

    name: str
    title: str
    favors: tuple[str, ...]


CHARACTERS = (
    GrailCharacter("Beor", "the Warrior", ("aggression", "courage")),
    GrailCharacter("Ailei", "the Sage", ("empathy", "spirituality")),
    GrailCharacter("Arev", "the Hunter", ("practicality", "caution")),
    GrailCharacter("Niamh", "the Outcast", ()),
)


def character_named(text: str) -> GrailCharacter | None:
    """Return the character of the campaign with a name, alone or with its title (`Beor the Warrior`)."""
    wanted = name_key(text)
    return next(
        (each for each in CHARACTERS if wanted in map(name_key, (each.name, f"{each.name} {each.title}"))), None
    )


@frozen
class GrailCard:
    """A combat or diplomacy card: a name, or the number printed on a basic card. `grade` is None if unknown."""

    name: str
    number: int | None = None
    grade: Grade | None = None

    @property
    def key(self) -> str:
        """Return the number or the normalized name: two cards with the same key are the same card."""
        return f"#{self.number}" if self.number else name_key(self.name) or self.name.casefold()


Cards = tuple[GrailCard, ...]


def basic_card(number: int) -> GrailCard:
    """Return the basic card with a number."""
    return GrailCard(f"{number}/{BASIC_CARDS}", number, "basic")


STARTERS = tuple(basic_card(number) for number in range(1, STARTER_CARDS + 1))


@frozen
class GrailDeck:
    """The combat or the diplomacy cards of a sheet. `starter` is None if the sheet does not list the starter cards."""

    name: DeckName
    cards: Cards = ()
    gained: Cards = ()
    starter: Cards | None = None

    @property
    def starter_cards(self) -> Cards:
        """Return the starter cards: as listed, or else those numbered 1 to 15."""
        return STARTERS if self.starter is None else self.starter


@frozen
class Item:
    """An item or a secret. `number` is for secrets; `owner` is the first character who got a secret (None: this one)."""

    name: str
    keywords: tuple[str, ...] = ()
    facedown: bool = False
    number: int | None = None
    owner: str | None = None

    @property
    def marks(self) -> list[str]:
        """Return its keywords, with `facedown` if it is facedown."""
        return [*self.keywords, *(["facedown"] if self.facedown else [])]


@frozen
class Sheet:
    """A character sheet as its file gives it; None means that the file does not say.

    `attributes` and `starting` contain all six attributes. `granted` counts attribute points (by attribute) and cards
    (by `combat` and `diplomacy`) that the story gave without EXP. `challenge_rules` are the changes of challenge mode
    in use.
    """

    character: str
    mode: Mode = "standard"
    challenge_rules: frozenset[ChallengeRule] = frozenset(CHALLENGE_RULES)
    earlier_modes: tuple[Mode, ...] = ()
    free_play: bool = False
    tray: str | None = None
    deck_color: str | None = None
    experience_spent: int | None = None
    starting: Mapping[str, int] | None = None
    attributes: Mapping[str, int] | None = None
    granted: Mapping[str, int] = field(default_factory=dict)
    pairs: Pairs | None = None
    skills: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    resources: Mapping[str, int] = field(default_factory=dict)
    items: tuple[Item, ...] = ()
    secrets: tuple[Item, ...] = ()
    combat: GrailDeck = field(default_factory=lambda: GrailDeck("combat"))
    diplomacy: GrailDeck = field(default_factory=lambda: GrailDeck("diplomacy"))

    @property
    def decks(self) -> tuple[GrailDeck, GrailDeck]:
        """Return combat and diplomacy."""
        return self.combat, self.diplomacy

    @property
    def known(self) -> GrailCharacter | None:
        """Return the character of this campaign; None for one of another."""
        return character_named(self.character)

    def plays(self, rule: ChallengeRule) -> bool:
        """Return True if a change of challenge mode is in force."""
        return self.mode == "challenge" and rule in self.challenge_rules


GAME = "tainted-grail"
TITLE = "Tainted Grail: The Fall of Avalon"
RULESET = Ruleset[Sheet](GAME, TITLE)


def rule(*cites: str, **how: Any) -> Callable[[Rule[Sheet]], Check[Sheet]]:
    """Register a check of a sheet; `how` are arguments of `Ruleset.check`, and a citation is the last part of an
    entry's id.
    """
    return RULESET.check(*map(entry, cites), **how)


def entry(name: str) -> str:
    """Return the id of an entry of the game."""
    return f"{GAME}/{name}"
