"""The deck that the Pathfinder checks examine, as a frozen dataclass, and the keys of a deck file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Literal, get_args

from kb.decks.file_keys import Key, described, key
from kb.decks.names import either
from kb.decks.remedies import Remedy
from kb.frozen import frozen
from kb.games.pathfinder.decks.facts import (
    ADVENTURES,
    PLURALS,
    SET_TITLES,
    Cards,
    FeatKind,
    PathfinderCard,
    PathfinderCharacter,
)
from kb.games.pathfinder.decks.power_feats import PowerFeats

Stage = Literal["new", "rebuilt"]
STAGES: tuple[Stage, ...] = get_args(Stage)
PLAYED_KEYS = ("card_feats", "skill_feats", "power_feats", "role", "after_scenario", "from_box", "left_over", "had")
"""The keys for a deck that has been played. A file with one of them is for a rebuilt deck, unless it gives the stage."""
NONE, NOT_CHECKED = "none", "not checked"


@frozen
class PathfinderDeck:
    """The content of a deck file, in the order that kb writes it. A key that depends on another key comes after it.

    adventure: `B` or a number. after_scenario: the scenario's number. card_feats, skill_feats: the checked boxes of each
    type or skill, as positions from the left, counted from 1. owns: the products owned (`B`, `C`, `1` … `6`, `P`),
    `class decks`, and the ids of sets mixed into the box. contradictions: the name of each card whose description in the
    file contradicts the card facts, with the contradiction and a remedy.

    A value of None means that the file does not give it.
    """

    character: PathfinderCharacter = key(
        "character",
        "Lini",
        "the name; `Ezren (mm)` names the set as well",
        needs="There is no character. Write `character: NAME`.",
    )
    adventure: str = key(
        "adventure",
        "3",
        "the adventure being played: `B`, 1 to 6, or its name",
        default="`B` for a new deck; required for a rebuilt one",
        asks="Adventure being played",
    )
    stage: Stage = key(
        "stage",
        "rebuilt",
        "`new` (a new deck) or `rebuilt` (between scenarios)",
        choices=STAGES,
        default=f"`rebuilt` if there is a key about play ({', '.join(f'`{each}`' for each in PLAYED_KEYS)}), else `new`",
        asks="The deck is",
    )
    after_death: bool | None = key(
        "said", "yes", "`yes` or `no`: a new character replaces one who died", default="required if it matters"
    )
    after_scenario: int | None = key(
        "scenario",
        "2",
        "the last scenario of that adventure that was played, by number or name; 0 for none",
        default="feats are counted as if the whole adventure had been played",
        asks="Last scenario played",
    )
    role: str | None = key("text", "Exorcist", "the role card", default=NONE, asks="Role")
    card_feats: Mapping[str, tuple[int, ...]] = key(
        "card_feats",
        "{spell: 1}",
        "boxes checked by type, or the numbers printed in them",
        dict,
        note="`{spell: [7, 9]}`",
        default=NONE,
        asks="Card feats",
    )
    skill_feats: Mapping[str, tuple[int, ...]] = key(
        "skill_feats",
        "{Wisdom: 2}",
        "boxes checked by skill, or what is printed in them",
        dict,
        default=NONE,
        asks="Skill feats",
    )
    powers: PowerFeats | None = key(
        "power_feats",
        "2",
        "how many power boxes are checked, or which",
        name="power_feats",
        note="`[hand size 7, light armors, recharge instead of discarding]`",
        default=NOT_CHECKED,
        asks="Power feats",
    )
    deck_adjustments: Mapping[str, int] = key(
        "adjustments",
        "{item: 1, blessing: -1}",
        "changes that the role card makes to the Cards List; Rise of the Runelords only",
        dict,
        default="nothing",
    )
    cohorts: tuple[str, ...] = key("words", "[Toad]", "cohorts outside the deck", tuple, default=NONE)
    owns: frozenset[str] | None = key(
        "products",
        "[base, add-on, 1, 2]",
        "the products in the box",
        note=f"`base`, `add-on`, `1` to `6`, `promo`, `class decks`, {', '.join(f'`{each}`' for each in SET_TITLES)}; the base "
        "set and deck 1 are always included",
        default="every product",
    )
    party: tuple[str, ...] = key("words", "[Kyra, Lini]", "the characters in the party", tuple, default=NOT_CHECKED)
    cards: Cards = key(
        "pile",
        "[3x Cure, Crow]",
        "the deck",
        note=f"or list the cards of a type under {either(f'`{each}`' for each in PLURALS.values())}, also in the singular",
        default="required, unless the cards are listed by type",
    )
    from_box: Cards | None = key("pile", "[2x Dog]", "which cards in the deck came from the box", default=NOT_CHECKED)
    left_over: Cards = key("pile", "[Codex]", "cards that the party had and no one kept", tuple, default=NOT_CHECKED)
    had: Cards | None = key(
        "pile", "[3x Cure, Crow]", "all cards before rebuilding", default="the origin of each card is not checked"
    )
    received: Cards = key(
        "pile", "[Mace]", "cards received from other players; also for a new deck", tuple, default=NONE
    )
    gave: Cards = key("pile", "[Cure]", "cards given to other players; also for a new deck", tuple, default=NONE)
    contradictions: tuple[tuple[str, str, Remedy], ...] = ()

    @property
    def set(self) -> str:
        """The id of the character's set. The rulebook of this set applies."""
        return self.character.set

    @property
    def number(self) -> int:
        """The adventure deck number of the adventure being played; 0 for the base set."""
        return ADVENTURES.index(self.adventure)

    def not_kept(self) -> Counter[PathfinderCard]:
        """Return the cards that the character had or received, but neither kept nor gave away, with their copies.

        The result is empty for a new deck, and if the file does not say what the character had.
        """
        if self.had is None or self.stage != "rebuilt":
            return Counter()
        kept = Counter(self.cards) - Counter(self.from_box or ())
        return Counter(self.had) + Counter(self.received) - Counter(self.gave) - kept

    def feats(self, kind: FeatKind) -> int:
        """Return the number of feats of a kind that the character has."""
        boxes = {"card": self.card_feats, "skill": self.skill_feats}.get(kind)
        if boxes is None:
            return self.powers.number if self.powers else 0
        return sum(map(len, boxes.values()))

    def of_type(self, card_type: str | None) -> Cards:
        """Return the deck's cards of a type, including loot of that type. If the type is None, return the cards whose
        type is unknown.
        """
        return tuple(card for card in self.cards if card.type == card_type)


DECK_KEYS: Mapping[str, Key] = described(PathfinderDeck)
"""The description of each key that is a field of `PathfinderDeck`, by the name of the field."""
KEYS = (
    Key("game", "pathfinder", "the game", default="detected from the other keys"),
    Key(
        "set",
        "rotr",
        f"{either(f'`{each}`' for each in SET_TITLES)}, or the set's title",
        default="detected from the character and the cards",
    ),
    *DECK_KEYS.values(),
)
"""The keys of a deck file, as the manual lists them."""
