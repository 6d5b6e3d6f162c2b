"""Finds the dice that a character rolls for each skill, with the bonuses of derived skills and skill feats."""

from __future__ import annotations

from collections.abc import Mapping

from kb.frozen import NOTHING
from kb.games.pathfinder.records import CharacterRecord
from kb.games.pathfinder.scenarios.odds import DiceRoll


def dice_of(character: CharacterRecord, feats: Mapping[str, int] = NOTHING) -> dict[str, DiceRoll]:
    """Return the dice and bonus that a character rolls for each skill on the character card, by skill.

    `feats` is the number of checked skill feat boxes, by skill.
    """
    dice = {str(skill): int(die[1:]) for skill, die in (character.skills or {}).items()}
    rolls = {skill: DiceRoll((sides,), feats.get(skill, 0)) for skill, sides in dice.items()}
    for name, derived in (character.derived_skills or {}).items():
        if derived.skill in dice:
            rolls[str(name)] = DiceRoll((dice[derived.skill],), derived.bonus + feats.get(derived.skill, 0))
    return rolls
