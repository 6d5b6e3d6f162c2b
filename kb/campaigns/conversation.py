"""Recording a game as a conversation: the questions that a game asks, and what an answer must be. Who asks is not known here."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from kb.campaigns.keys import DATE, no_day
from kb.decks.names import did_you_mean, either, name_key, split_quantity


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked. `choices` are the answers there are (none: any text); with `many` several are given, parted by commas.

    An empty answer means `default`, or nothing where that is empty; `needed` allows no empty answer. With `copies` a choice may stand
    with its number, such as `2x Cure`; with `number` an answer is a whole number.
    """

    text: str = ""
    choices: Sequence[str] = ()
    many: bool = False
    needed: bool = False
    default: str = ""
    copies: bool = False
    number: bool = False
    day: bool = False

    def parts(self, answer: str) -> list[str]:
        """The answers in what was typed; a choice that holds a comma is one answer."""
        whole = " ".join((answer.strip() or self.default).split())
        if not self.many or self.named(whole) is not None:
            return [whole] if whole else []
        return [part.strip() for part in whole.split(",") if part.strip()]

    def named(self, part: str) -> str | None:
        """The choice that a part means, with its number of copies; None when there is no such choice."""
        count, name = split_quantity(part) if self.copies else (1, part)
        found = next((choice for choice in self.choices if name_key(choice) == name_key(name)), None)
        return found if found is None or count == 1 else f"{count}x {found}"

    def wrong(self, answer: str) -> str:
        """What is wrong with an answer, as a sentence; empty when it will do."""
        found = self.parts(answer)
        if not found:
            return "An answer is needed here." if self.needed else ""
        for part in found:
            if self.choices and self.named(part) is None:
                name = split_quantity(part)[1] if self.copies else part
                near = did_you_mean(name, self.choices)
                return f"{part!r} is none of the answers.{near or f' Known are {either(list(self.choices)[:12])}.'}"
            if self.number and not (part.isascii() and part.isdigit() and len(part) < 5):
                return f"{part!r} is no whole number."
        return (no_day(found[0]) or "") if self.day else ""

    def answer(self, typed: str) -> list[str]:
        """The answers as the file has them."""
        return [self.named(part) or part if self.choices else part for part in self.parts(typed)]


Conversation: TypeAlias = Generator[Question, list[str], dict[str, Any]]
"""Yields questions, is sent the answers, and returns the keys of the game's file with their values."""


def yes_or_no(text: str, default: str = "") -> Question:
    """A question that is answered by yes or no."""
    return Question(text, ("yes", "no"), needed=not default, default=default)


def for_each(
    names: Iterable[str], text: str, question: Question
) -> Generator[Question, list[str], dict[str, list[str]]]:
    """The same question about each (`{}` in `text` stands for the name); names without an answer, or with 0, are left out."""
    found = {}
    for name in names:
        answer = yield replace(question, text=text.format(name))
        if answer and answer != ["0"]:
            found[name] = answer
    return found


def single(answers: Mapping[str, list[str]]) -> dict[str, str]:
    """Answers that are one word each."""
    return {name: answer[0] for name, answer in answers.items()}


def whole_record(asked: Conversation) -> Conversation:
    """A game's questions, and those that every game asks at the end."""
    values = yield from asked
    if day := (yield Question("When was it played? (year-month-day)", day=True)):
        values[DATE] = day[0]
    if notes := (yield Question("A line for the diary?")):
        values["notes"] = notes[0]
    return {key: value for key, value in values.items() if value not in ("", [], {}, None)}
