"""The character sheet that the Tainted Grail checks examine, as frozen dataclasses, and the numbers of the game."""

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

# The source prints the attributes in two lines of three names, without saying which oppose each other. If consecutive
# words form a pair, the pairs are PAIRS. If a word forms a pair with the word below it, they are OTHER_PAIRS. PAIRS is
# the default, because the words in each of its pairs have opposite meanings.
PAIRS: Pairs = (("aggression", "empathy"), ("courage", "caution"), ("practicality", "spirituality"))
OTHER_PAIRS: Pairs = (("aggression", "caution"), ("empathy", "practicality"), ("courage", "spirituality"))

# The cards that a character has at setup, for each kind (combat and diplomacy).
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
    """A character of The Fall of Avalon. `favors` are the attributes that the character favors, according to the source.

    The source does not contain the numbers on the character's tile.
    """

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
    """Return the character that `text` names, with or without title (`Beor the Warrior`); None for an unknown name."""
    wanted = name_key(text)
    return next(
        (each for each in CHARACTERS if wanted in map(name_key, (each.name, f"{each.name} {each.title}"))), None
    )


@frozen
class GrailCard:
    """A combat or diplomacy card.

    `number` is the number printed on a basic card, or None. `grade` is None if it is unknown whether the card is basic
    or advanced.
    """

    name: str
    number: int | None = None
    grade: Grade | None = None

    @property
    def key(self) -> str:
        """The number or the normalized name of the card. Two cards with the same key are copies of the same card."""
        return f"#{self.number}" if self.number else name_key(self.name) or self.name.casefold()


Cards = tuple[GrailCard, ...]


def basic_card(number: int) -> GrailCard:
    """Return the basic card with this number, from 1 to 25."""
    return GrailCard(f"{number}/{BASIC_CARDS}", number, "basic")


STARTERS = tuple(basic_card(number) for number in range(1, STARTER_CARDS + 1))


@frozen
class GrailDeck:
    """A character's combat cards or diplomacy cards.

    `cards` are the cards in the deck, and `gained` are the cards gained from the advancement pool. `starter` is None
    if the sheet does not list the starter cards.
    """

    name: DeckName
    cards: Cards = ()
    gained: Cards = ()
    starter: Cards | None = None

    @property
    def starter_cards(self) -> Cards:
        """The starter cards that the sheet lists. If it lists none, they are the cards numbered 1 to 15."""
        return STARTERS if self.starter is None else self.starter


@frozen
class Item:
    """An item or a secret of a character. Only a secret has a `number` and an `owner`.

    `owner` is the character who got the secret first. None means the sheet's character.
    """

    name: str
    keywords: tuple[str, ...] = ()
    facedown: bool = False
    number: int | None = None
    owner: str | None = None

    @property
    def marks(self) -> list[str]:
        """The keywords of the item or secret, followed by `facedown` if it is facedown."""
        return [*self.keywords, *(["facedown"] if self.facedown else [])]


@frozen
class Sheet:
    """The content of a character sheet's file. None means that the file does not give the value.

    `attributes` and `starting` contain all six attributes. `granted` contains the numbers of attribute points and cards
    that the story gave without EXP. The keys of `granted` are attributes, `combat` and `diplomacy`. `challenge_rules`
    names the rules of challenge mode that the players use.
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
        "the attributes printed on the back of the tile; attributes that are not listed are 0",
        name="starting_attributes",
        most=MOST_POINTS,
        default=NOT_CHECKED,
        asks="On the tile",
    )
    attributes: Mapping[str, int] | None = key(
        "attributes",
        "{aggression: 3, empathy: 1, courage: 1, practicality: 1}",
        "the current attributes",
        most=MOST_POINTS,
        default="the starting attributes",
        asks="Now",
    )
    granted: Mapping[str, int] = key(
        "counts",
        "{empathy: 1, combat: 1}",
        "attribute points, and combat or diplomacy cards, that the story gave without EXP",
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
        "the combat cards: a list of the cards in the deck, or the keys below",
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
        "the modes in earlier chapters, if the mode has changed",
        tuple,
        choices=MODES,
        default="none",
    )
    pairs: Pairs | None = key(
        "pairs",
        "[aggression-empathy, courage-caution, practicality-spirituality]",
        "opposed attributes on the tray",
        default="the pairs in the example",
        asks="Opposed attributes on the tray",
    )
    tray: str | None = key("text", "red", "the colour of the tray", default=NOT_CHECKED)
    deck_color: str | None = key("text", "red", "the colour of the cards", default=NOT_CHECKED)

    @property
    def decks(self) -> tuple[GrailDeck, GrailDeck]:
        """The combat deck and the diplomacy deck, in this order."""
        return self.combat, self.diplomacy

    @property
    def known(self) -> GrailCharacter | None:
        """The character of The Fall of Avalon with the sheet's name; None if the character is from another campaign."""
        return character_named(self.character)

    def plays(self, rule: ChallengeRule) -> bool:
        """Return True if the sheet is in challenge mode and its players use the challenge rule `rule`."""
        return self.mode == "challenge" and rule in self.challenge_rules


GAME = "tainted-grail"
TITLE = "Tainted Grail: The Fall of Avalon"
RULESET = Ruleset[Sheet](GAME, TITLE)


def rule(*cites: str, **how: Any) -> Callable[[Rule[Sheet]], Check[Sheet]]:
    """Register the decorated function as a check of character sheets.

    `cites` lists the entries that state the rule, each by the last part of its id. `how` contains further arguments
    of `Ruleset.check`.
    """
    return RULESET.check(*map(entry, cites), **how)


def entry(name: str) -> str:
    """Return the id of the rules entry of Tainted Grail that is called `name`."""
    return f"{GAME}/{name}"
