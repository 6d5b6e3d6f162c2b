"""The subject of the Tainted Grail checks: a character sheet as frozen dataclasses, and the numbers of the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args

from kb.decks.file_keys import key
from kb.decks.names import both, either, name_key
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
MOST = 9999
MOST_POINTS = 99
NOT_CHECKED = "not checked"


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

    character: str = key(
        "character",
        "Beor",
        "the name",
        str,
        needs=f"There is no character. Write `character: NAME`, such as {', '.join(each.name for each in CHARACTERS)}.",
    )
    mode: Mode = key(
        "mode", "standard", either(MODES), lambda: "standard", choices=MODES, default="standard", asks="Mode"
    )
    free_play: bool = key("flag", "no", "yes for free play", bool, default="no", asks="Free play")
    experience_spent: int | None = key(
        "number",
        "8",
        "all EXP spent since the campaign began",
        most=MOST,
        default=NOT_CHECKED,
        asks="EXP spent since the campaign began",
    )
    starting: Mapping[str, int] | None = key(
        "attributes",
        "{aggression: 2, courage: 1, practicality: 1}",
        "as printed on the back of the tile; those not named are 0",
        name="starting_attributes",
        most=MOST_POINTS,
        default=NOT_CHECKED,
        asks="On the tile",
    )
    attributes: Mapping[str, int] | None = key(
        "attributes",
        "{aggression: 3, empathy: 1, courage: 1, practicality: 1}",
        "as they are now",
        most=MOST_POINTS,
        default="the starting ones",
        asks="Now",
    )
    granted: Mapping[str, int] = key(
        "counts",
        "{empathy: 1, combat: 1}",
        "points of attributes, and cards of combat or diplomacy, that the story gave without EXP",
        dict,
        most=MOST_POINTS,
        choices=(*ATTRIBUTES, *DECK_NAMES),
        default="none",
        asks="Given by the story",
    )
    skills: Mapping[str, tuple[str, ...]] = key(
        "skills",
        "{aggression: [12]}",
        "numbers of the skill cards, by attribute",
        dict,
        default="none",
        asks="Its skill cards",
    )
    resources: Mapping[str, int] = key(
        "counts",
        "{food: 4, wealth: 7, reputation: 2, magic: 3, experience: 5}",
        both(RESOURCES),
        dict,
        most=MOST,
        choices=RESOURCES,
        default=NOT_CHECKED,
    )
    items: tuple[Item, ...] = key(
        "items",
        '[Rusty Sword (WEAPON), "Old Mace (WEAPON, facedown)", Rope]',
        "lines such as 2x Torch, or the keys below",
        tuple,
        default="none",
    )
    secrets: tuple[Item, ...] = key(
        "secrets",
        "[{number: 14, keywords: [RELIC, PERSONAL], owner: Beor}]",
        "lines, numbers, or the keys below",
        tuple,
        default="none",
    )
    combat: GrailDeck = key(
        "side",
        "{gained: {advanced: [Cleave], basic: [17]}, out: [3]}",
        "the deck itself, or the keys below",
        lambda: GrailDeck("combat"),
        default=NOT_CHECKED,
    )
    diplomacy: GrailDeck = key(
        "side", "1-15", "the same for diplomacy cards", lambda: GrailDeck("diplomacy"), default=NOT_CHECKED
    )
    challenge_rules: frozenset[ChallengeRule] = key(
        "challenge_rules",
        "[advancement, items]",
        f"the challenge mode changes that you use: {both(CHALLENGE_RULES)}",
        lambda: frozenset(CHALLENGE_RULES),
        choices=CHALLENGE_RULES,
        default="all of them",
    )
    earlier_modes: tuple[Mode, ...] = key(
        "modes",
        "[story]",
        "the modes of earlier chapters, if the mode has changed",
        tuple,
        choices=MODES,
        default="none",
    )
    pairs: Pairs | None = key(
        "pairs",
        "[aggression-empathy, courage-caution, practicality-spirituality]",
        "opposed attributes on the tray",
        default="those of the example",
        asks="Opposed attributes on the tray",
    )
    tray: str | None = key("text", "red", "the colour of the tray", default=NOT_CHECKED)
    deck_color: str | None = key("text", "red", "the colour of the cards", default=NOT_CHECKED)

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
