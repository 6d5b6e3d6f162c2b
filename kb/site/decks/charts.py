"""The data of charts on a deck page: bars with names and numbers. The templates draw them."""

from __future__ import annotations

from collections.abc import Iterable

from kb.frozen import frozen


@frozen
class BarPart:
    """A part of a bar. `tone` names its colour in the style sheet, `words` the things it counts (in the chart's key)."""

    value: int
    tone: str = "plain"
    words: str = ""


@frozen
class Bar:
    """A bar of one or more parts. `goal` is the number that it is compared with, `spoken` its label for screen readers."""

    label: str
    parts: tuple[BarPart, ...]
    icon: str = ""
    goal: int | None = None
    spoken: str = ""

    @property
    def value(self) -> int:
        """Return the length of the whole bar: the sum of its parts."""
        return sum(part.value for part in self.parts)


@frozen
class Chart:
    """A chart. `goal_words` are shown before a goal (`of`, `at least`); `note` is a sentence below the drawing."""

    title: str
    bars: tuple[Bar, ...]
    note: str = ""
    goal_words: str = "of"

    @property
    def total(self) -> int:
        """Return the sum of all bars."""
        return sum(bar.value for bar in self.bars)

    @property
    def empty(self) -> bool:
        """Return True if there is nothing to draw."""
        return not any(bar.value or bar.goal for bar in self.bars)

    @property
    def highest(self) -> int:
        """Return the number of the longest bar or the furthest goal; never 0."""
        return max([1, *(max(bar.value, bar.goal or 0) for bar in self.bars)])

    @property
    def key(self) -> tuple[BarPart, ...]:
        """Return the meanings of the parts' colours, in the order of the parts, without parts that no bar has."""
        named = {part.words: part for bar in self.bars for part in bar.parts if part.words}
        drawn = {part.words for bar in self.bars for part in bar.parts if part.value}
        return tuple(part for words, part in named.items() if words in drawn)

    @property
    def words(self) -> str:
        """Return the chart as a sentence, for readers who do not see it."""
        return f"{self.title}: {'; '.join(map(self._said, self.bars)) or 'nothing'}."

    def _said(self, bar: Bar) -> str:
        goal = f" ({self.goal_words} {bar.goal})" if bar.goal is not None else ""
        named = [f"{part.value} {part.words}" for part in bar.parts if part.words and part.value]
        parts = f" ({', '.join(named)})" if len(named) > 1 else ""
        return f"{bar.spoken or bar.label} {bar.value}{goal}{parts}"


def bar(label: str, value: int, tone: str = "plain", icon: str = "", goal: int | None = None) -> Bar:
    """Make a bar of one part, in one colour."""
    return Bar(label, (BarPart(value, tone),), icon, goal)


def filled(bars: Iterable[Bar]) -> tuple[Bar, ...]:
    """Return the bars that are not empty."""
    return tuple(each for each in bars if each.value)
