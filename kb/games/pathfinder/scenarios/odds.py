"""The odds of a check: the exact chance that dice and modifiers reach a difficulty, computed by convolution."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from kb.errors import KbError
from kb.frozen import frozen
from kb.jsonable import Jsonable

MOST_DICE = 60
MOST_SIDES = 100
MOST_NUMBER = 10_000
ONE_MORE = (4, 6, 8, 10, 12)
"""The dice of the game: one of each is added in the table."""
EXAMPLE = "d10+2+2d6 vs 14"
_PIECE = re.compile(r"([+-])(?:(\d*)d(\d+)|(\d+))")
_VERSUS = re.compile(r"\s*(?:\bvs\b\.?|\bversus\b|\bagainst\b|>=)\s*", re.I)


class OddsError(KbError, ValueError):
    """A check cannot be read; the message says what is wrong and how a check is written."""


@frozen
class DiceRoll:
    """Dice and modifiers: `dice` has the number of sides of each die, `added` the sum of the modifiers."""

    dice: tuple[int, ...]
    added: int = 0

    def __str__(self) -> str:
        counts = Counter(self.dice)
        words = [f"{number if number > 1 else ''}d{sides}" for sides, number in counts.items()]
        return " + ".join(words) + (f" {'+' if self.added > 0 else '-'} {abs(self.added)}" if self.added else "")


@frozen
class OneMoreDie(Jsonable):
    """The chance with one more die."""

    die: str
    """The added die, such as `d6`."""
    chance: float
    """The probability to succeed, from 0 to 1."""


@frozen
class CheckOdds(Jsonable):
    """The odds of a check."""

    roll: str
    """The dice and modifiers."""
    difficulty: int
    """The difficulty of the check."""
    chance: float
    """The probability to succeed, from 0 to 1, rounded to six places."""
    exact: str
    """The same as a fraction."""
    average: float
    """The average result."""
    least: int
    """The lowest result."""
    most: int
    """The highest result."""
    one_more_die: list[OneMoreDie]
    """The chance with one more die of each size."""


def odds(text: str) -> CheckOdds:
    """Return the odds of a check such as `d10+2+2d6 vs 14`. Raises OddsError."""
    roll, difficulty = read_check(text)
    return check_odds(roll, difficulty)


def check_odds(roll: DiceRoll, difficulty: int) -> CheckOdds:
    """Return the odds that a roll reaches a difficulty, and those with one more die."""
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
    """Return the roll and the difficulty of a check that is written as `DICE vs DIFFICULTY`. Raises OddsError."""
    parts = _VERSUS.split(text.strip())
    if len(parts) != 2 or not re.fullmatch(r"\d{1,5}", parts[1].strip(), re.ASCII):
        raise OddsError(f"{text!r}: write the dice, `vs` and the difficulty, such as {EXAMPLE!r}.")
    return read_roll(parts[0]), int(parts[1])


def read_roll(text: str) -> DiceRoll:
    """Return the dice and modifiers of a text such as `d10+2+2d6`. Raises OddsError."""
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
        raise OddsError(f"{text!r} has {len(dice)} dice; at most {MOST_DICE} are counted.")
    return DiceRoll(tuple(dice), total)


def checked(number: str, most: int, what: str, text: str) -> int:
    """Return a number of dice, sides or points. Raises OddsError if it is not between 1 (points: 0) and `most`."""
    if len(number) > 6 or not number.isascii() or not (0 if not what else 1) <= int(number) <= most:
        raise OddsError(
            f"{text!r}: {number} {what or 'points'} is out of range; at most {most}, and at least {1 if what else 0}."
        )
    return int(number)


def results(dice: Iterable[int]) -> list[int]:
    """Return the number of ways in which the dice add up to 0, 1, 2 and so on."""
    ways = [1]
    for sides in dice:
        ways = added(ways, sides)
    return ways


def added(ways: Sequence[int], sides: int) -> list[int]:
    """Return the ways of a sum with one more die: the convolution with its faces."""
    longer = [0] * (len(ways) + sides)
    for total, number in enumerate(ways):
        for face in range(1, sides + 1):
            longer[total + face] += number
    return longer


def reaches(ways: Sequence[int], least: int) -> Fraction:
    """Return the probability that a sum is at least `least`."""
    return Fraction(sum(ways[max(0, least) :]), sum(ways))


def rounded(chance: Fraction) -> float:
    """Return a probability as a number with six places."""
    return round(float(chance), 6)
