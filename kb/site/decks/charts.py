"""The data of charts on a deck page: bars with labels and numbers. Templates draw them."""

from __future__ import annotations

from collections.abc import Iterable

from kb.frozen import frozen


@frozen
class BarPart:
    """A part of a bar. `tone` is the name of its colour in the style sheet, and `words` its meaning in the chart's
    legend.
    """

    value: int
    tone: str = "plain"
    words: str = ""


@frozen
class Bar:
    """A bar of one or more parts. `goal` is a number to compare the bar with. `spoken` is its label for screen readers."""

    label: str
    parts: tuple[BarPart, ...]
    icon: str = ""
    goal: int | None = None
    spoken: str = ""

    @property
    def value(self) -> int:
        """The length of the whole bar: the sum of its parts."""
        return sum(part.value for part in self.parts)


@frozen
class Chart:
    """A chart. `goal_words` are the words before a goal (`of`, `at least`). `note` is a sentence below the chart."""

    title: str
    bars: tuple[Bar, ...]
    note: str = ""
    goal_words: str = "of"

    @property
    def total(self) -> int:
        """The sum of all bars."""
        return sum(bar.value for bar in self.bars)

    @property
    def empty(self) -> bool:
        """True if all bars are empty and no bar has a goal."""
        return not any(bar.value or bar.goal for bar in self.bars)

    @property
    def highest(self) -> int:
        """The value of the longest bar, or the highest goal if that is higher. At least 1."""
        return max([1, *(max(bar.value, bar.goal or 0) for bar in self.bars)])

    @property
    def key(self) -> tuple[BarPart, ...]:
        """The legend: one part of a bar for each meaning of a colour, in the order of the parts. Meanings that no bar
        shows are left out.
        """
        named = {part.words: part for bar in self.bars for part in bar.parts if part.words}
        drawn = {part.words for bar in self.bars for part in bar.parts if part.value}
        return tuple(part for words, part in named.items() if words in drawn)

    @property
    def words(self) -> str:
        """The chart as a sentence, for readers who cannot see it."""
        return f"{self.title}: {'; '.join(map(self._said, self.bars)) or 'nothing'}."

    def _said(self, bar: Bar) -> str:
        goal = f" ({self.goal_words} {bar.goal})" if bar.goal is not None else ""
        named = [f"{part.value} {part.words}" for part in bar.parts if part.words and part.value]
        parts = f" ({', '.join(named)})" if len(named) > 1 else ""
        return f"{bar.spoken or bar.label} {bar.value}{goal}{parts}"


def bar(label: str, value: int, tone: str = "plain", icon: str = "", goal: int | None = None) -> Bar:
    """Return a bar with a single part."""
    return Bar(label, (BarPart(value, tone),), icon, goal)


def filled(bars: Iterable[Bar]) -> tuple[Bar, ...]:
    """Return the bars whose value is not 0."""
    return tuple(each for each in bars if each.value)
