"""Builds the character sheet on a deck's page: skills, powers and the Cards List, each with its feat boxes."""

from __future__ import annotations

from collections.abc import Iterator

from kb.frozen import frozen
from kb.games.pathfinder.decks.deck import PathfinderDeck
from kb.games.pathfinder.decks.facts import PLURALS
from kb.games.pathfinder.decks.feats import POWER_FEAT_BOXES, POWER_FEAT_BOXES_WITH_ROLE
from kb.games.pathfinder.decks.power_feats import PowerFeats, hand_size_box, hand_sizes, known_boxes, on_the_card
from kb.games.pathfinder.records import CARD_TYPES
from kb.plural import counted


@frozen
class FeatBox:
    """A feat box on the sheet, with the text printed in it. `checked` is None if the deck file does not say."""

    label: str
    checked: bool | None = None


@frozen
class SheetLine:
    """A line of the sheet, such as a skill. `value` is the value without feats."""

    label: str
    value: str = ""
    boxes: tuple[FeatBox, ...] = ()


@frozen
class SheetPart:
    """A part of the sheet, such as the skills.

    `note` is a sentence about facts that the sheet does not show. `blanks` is the number of blank lines that players
    fill in from the character card.
    """

    title: str
    lines: tuple[SheetLine, ...]
    note: str = ""
    blanks: int = 0


def character_sheet(deck: PathfinderDeck) -> tuple[SheetPart, ...]:
    """Return the parts of the character sheet: skills, powers and Cards List. Parts without known lines are left out."""
    parts = (
        SheetPart("Skills", tuple(skill_lines(deck)), skills_note(deck)),
        SheetPart("Powers", tuple(power_lines(deck)), powers_note(deck), blank_powers(deck)),
        SheetPart("Cards List", tuple(card_lines(deck)), adjustments_note(deck)),
    )
    return tuple(part for part in parts if part.lines)


def skill_lines(deck: PathfinderDeck) -> Iterator[SheetLine]:
    """Yield a line for each skill, with its die and feat boxes, followed by the skills that are based on it."""
    who = deck.character
    for skill, die in (who.skills or {}).items():
        checked = deck.skill_feats.get(skill, ())
        there = (who.skill_feat_boxes or {}).get(skill, max(checked, default=0))
        boxes = tuple(FeatBox(f"+{box}", box in checked) for box in range(1, there + 1))
        yield SheetLine(skill, str(die), boxes)
        for name, derived in (who.derived_skills or {}).items():
            if derived.skill == skill:
                yield SheetLine(f"{name}: {skill} +{derived.bonus}", f"{die}+{derived.bonus + len(checked)}")


def skills_note(deck: PathfinderDeck) -> str:
    """Return a sentence if the numbers of skill feat boxes are unknown; otherwise an empty text."""
    return "" if deck.character.skill_feat_boxes is not None else "The number of boxes of each skill is unknown."


def power_lines(deck: PathfinderDeck) -> Iterator[SheetLine]:
    """Yield lines for the hand size, proficiencies, number of power feats, powers named in the deck file, and roles."""
    who = deck.character
    powers = deck.powers or PowerFeats(0)
    left_open = None if deck.powers is None or powers.unnamed > 0 else False
    if who.hand_size:
        sizes = tuple(
            FeatBox(str(size), hand_size_box(size) in powers.named or left_open) for size in hand_sizes(who, deck.role)
        )
        yield SheetLine("Hand size", str(who.hand_size), sizes)
    if who.proficient or who.proficiency_by_feat:
        boxes = tuple(FeatBox(name, name in powers.named or left_open) for name in who.proficiency_by_feat or ())
        yield SheetLine("Proficient with", ", ".join(who.proficient or ()) or "nothing", boxes)
    yield SheetLine("Power feats", f"{powers.number} of {power_boxes(deck)}")
    if others := on_the_card(powers, who, deck.role):
        yield SheetLine("Powers", "", tuple(FeatBox(each, True) for each in others))
    if who.roles:
        yield SheetLine("Role", "", tuple(FeatBox(role, role == deck.role) for role in who.roles))


def power_boxes(deck: PathfinderDeck) -> int:
    """Return the number of power feat boxes on the character card, or on the role card if there is one."""
    return POWER_FEAT_BOXES_WITH_ROLE if deck.role else POWER_FEAT_BOXES


def blank_powers(deck: PathfinderDeck) -> int:
    """Return the number of power feat boxes that only the card names, so that the sheet has a blank line for each."""
    shown = {*known_boxes(deck.character, deck.role), *(deck.powers.named if deck.powers else ())}
    return max(0, power_boxes(deck) - len(shown))


def powers_note(deck: PathfinderDeck) -> str:
    """Return a sentence about the powers and power feats that the sheet does not show."""
    unnamed = deck.powers.unnamed if deck.powers else 0
    checked = f"The deck file does not name {counted(unnamed, 'checked power feat')}. " if unnamed else ""
    return f"{checked}Other powers are printed on the character card: fill them in."


def card_lines(deck: PathfinderDeck) -> Iterator[SheetLine]:
    """Yield a line for each card type of the Cards List. Each box in a line is for a card feat, and shows the number
    of cards of the type after this feat.
    """
    for kind in CARD_TYPES:
        line, checked = deck.character.cards_list[kind], deck.card_feats.get(kind, ())
        there = max(checked, default=0) if line.maximum is None else line.maximum - line.base
        if line.base or there:
            boxes = tuple(FeatBox(str(line.base + box), box in checked) for box in range(1, there + 1))
            yield SheetLine(PLURALS[kind].capitalize(), str(line.base), boxes)


def adjustments_note(deck: PathfinderDeck) -> str:
    """Return sentences about the role card's changes to the Cards List, and about cards that the deck must contain."""
    changes = ", ".join(f"{kind} {number:+}" for kind, number in deck.deck_adjustments.items())
    held = ", ".join(deck.character.must_hold)
    notes = [f"The role card changes: {changes}." if changes else "", f"The deck must contain {held}." if held else ""]
    return " ".join(filter(None, notes))
