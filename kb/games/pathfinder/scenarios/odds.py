"""Calculates the odds of a check: the exact probability that a roll of dice with modifiers reaches a difficulty."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from kb.errors import KbError
from kb.frozen import frozen
from kb.shapes import Jsonable

MOST_DICE = 60
MOST_SIDES = 100
MOST_NUMBER = 10_000
ONE_MORE = (4, 6, 8, 10, 12)
"""The numbers of sides of the game's dice. The table of odds shows the chance with one more die, for each size."""
EXAMPLE = "d10+2+2d6 vs 14"
_PIECE = re.compile(r"([+-])(?:(\d*)d(\d+)|(\d+))")
_VERSUS = re.compile(r"\s*(?:\bvs\b\.?|\bversus\b|\bagainst\b|>=)\s*", re.I)


class OddsError(KbError, ValueError):
    """Raised for a text that is not a check. The message says what is wrong and how to write a check."""


@frozen
class DiceRoll:
    """A roll of dice with modifiers. `dice` contains the number of sides of each die. `added` is the sum of modifiers."""

    dice: tuple[int, ...]
    added: int = 0

    def __str__(self) -> str:
        counts = Counter(self.dice)
        words = [f"{number if number > 1 else ''}d{sides}" for sides, number in counts.items()]
        return " + ".join(words) + (f" {'+' if self.added > 0 else '-'} {abs(self.added)}" if self.added else "")


@frozen
class OneMoreDie(Jsonable):
    """The chance to succeed at a check with one more die."""

    die: str
    """The added die, such as `d6`."""
    chance: float
    """The probability of success, from 0 to 1."""


@frozen
class CheckOdds(Jsonable):
    """The odds of success at a check."""

    roll: str
    """The dice and modifiers of the roll."""
    difficulty: int
    """The difficulty of the check."""
    chance: float
    """The probability of success, from 0 to 1, rounded to six decimal places."""
    exact: str
    """The exact probability as a fraction, such as `3/8`."""
    average: float
    """The average result of the roll."""
    least: int
    """The lowest possible result of the roll."""
    most: int
    """The highest possible result of the roll."""
    one_more_die: list[OneMoreDie]
    """The probability of success with one more die, for each size of die."""


def odds(text: str) -> CheckOdds:
    """Return the odds of the check in `text`, such as `d10+2+2d6 vs 14`. Raises OddsError if it cannot be read."""
    roll, difficulty = read_check(text)
    return check_odds(roll, difficulty)


def check_odds(roll: DiceRoll, difficulty: int) -> CheckOdds:
    """Return the odds that the result of `roll` is at least `difficulty`, also with one more die of each size."""
    ways = results(roll.dice)
    chance = reaches(ways, difficulty - roll.added)
    more = [OneMoreDie(f"d{die}", rounded(reaches(added(ways, die), difficulty - roll.added))) for die in ONE_MORE]
    average = sum((sides + 1) / 2 for sides in roll.dice) + roll.added
    return CheckOdds(
        str(roll),
        difficulty,
        rounded(chance),
        str(chance),
        average,
        len(roll.dice) + roll.added,
        sum(roll.dice) + roll.added,
        more,
    )


def read_check(text: str) -> tuple[DiceRoll, int]:
    """Return the roll and the difficulty of a check written as `DICE vs DIFFICULTY`. Raises OddsError for other texts."""
    parts = _VERSUS.split(text.strip())
    if len(parts) != 2 or not re.fullmatch(r"\d{1,5}", parts[1].strip(), re.ASCII):
        raise OddsError(f"{text!r}: write the dice, `vs` and the difficulty, such as {EXAMPLE!r}.")
    return read_roll(parts[0]), int(parts[1])


def read_roll(text: str) -> DiceRoll:
    """Return the dice and modifiers in a text such as `d10+2+2d6`. Raises OddsError if it cannot be read."""
    written = re.sub(r"\s+", "", text).casefold()
    signed = written if written[:1] in ("+", "-") else f"+{written}"
    dice: list[int] = []
    total = at = 0
    while match := _PIECE.match(signed, at):
        sign, number, sides, plain = match.groups()
        at = match.end()
        if sides:
            dice += [checked(sides, MOST_SIDES, "sides", text)] * (
                checked(number, MOST_DICE, "dice", text) if number else 1
            )
            if sign == "-":
                raise OddsError(f"{text!r}: a die cannot be subtracted here. Write a modifier as a number, such as -2.")
        else:
            total += checked(plain, MOST_NUMBER, "", text) * (-1 if sign == "-" else 1)
    if at != len(signed) or not dice:
        where = f" from {signed[at:]!r} on" if at < len(signed) and at else ""
        raise OddsError(f"{text!r} cannot be read{where}. Write dice and numbers with + and -, such as d10+2+2d6.")
    if len(dice) > MOST_DICE:
        raise OddsError(f"{text!r} has {len(dice)} dice; at most {MOST_DICE} are allowed.")
    return DiceRoll(tuple(dice), total)


def checked(number: str, most: int, what: str, text: str) -> int:
    """Return `number` as an integer. `what` is `dice`, `sides`, or empty for points.

    Raises OddsError if `number` is larger than `most` or smaller than 1 (for points: 0). `text` is the whole roll,
    for the message.
    """
    if len(number) > 6 or not number.isascii() or not (0 if not what else 1) <= int(number) <= most:
        raise OddsError(
            f"{text!r}: {number} {what or 'points'} is out of range; at most {most}, and at least {1 if what else 0}."
        )
    return int(number)


def results(dice: Iterable[int]) -> list[int]:
    """Return a list where the item with index N is the number of ways to roll a total of N with these dice."""
    ways = [1]
    for sides in dice:
        ways = added(ways, sides)
    return ways


def added(ways: Sequence[int], sides: int) -> list[int]:
    """Return the list of `results` for one more die with this number of sides, given the list for the other dice."""
    longer = [0] * (len(ways) + sides)
    for total, number in enumerate(ways):
        for face in range(1, sides + 1):
            longer[total + face] += number
    return longer


def reaches(ways: Sequence[int], least: int) -> Fraction:
    """Return the probability that the total of the dice is at least `least`. `ways` is a list of `results`."""
    return Fraction(sum(ways[max(0, least) :]), sum(ways))


def rounded(chance: Fraction) -> float:
    """Return a probability rounded to six decimal places."""
    return round(float(chance), 6)
