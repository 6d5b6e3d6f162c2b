"""What a game asks to make a file - of the next game of a campaign, of a final position, of a table - and what an answer must be.

Who asks is not known here: a terminal asks one question after the other, a page all of them as a form.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Protocol, TypeAlias, cast

from kb import registry
from kb.citation import Citation
from kb.decks.deckfile import DeckFile, parse_deck
from kb.decks.names import did_you_mean, either, name_key, split_quantity
from kb.decks.nodes import DeckFileError
from kb.errors import KbError
from kb.frozen import frozen

MOST_ASKED = 1_000


class QuestionsError(KbError, ValueError):
    """The answers lead to a form that cannot be drawn; the message is a sentence."""


@frozen
class Question:
    """What is asked. `choices` are the answers there are (none: any text); with `many` several are given: parted by commas, by semicolons or
    in lines of their own; with `lines` not by commas, which such an answer may hold.

    An empty answer means `default`, or nothing where that is empty; `needed` allows no empty answer. With `copies` a choice may stand
    with its number, such as `2x Cure`; with `number` an answer is a whole number, `most` at most, with `file` the text of a deck file,
    as it stands.
    `group` is what a form shows it under, `key` the key of the file that it fills, `of` whom it is about. `note` says what becomes of
    the answer, by the entry `cite`.
    """

    text: str = ""
    choices: Sequence[str] = ()
    many: bool = False
    needed: bool = False
    default: str = ""
    copies: bool = False
    number: bool = False
    most: int = 9_999
    day: bool = False
    file: bool = False
    lines: bool = False
    group: str = ""
    key: str = ""
    of: str = ""
    note: str = ""
    cite: str = ""

    def parts(self, answer: str) -> list[str]:
        """The answers in what was typed; a choice that holds a comma is one answer."""
        if self.file:
            return [answer] if answer.strip() else []
        typed = answer.strip() or self.default
        answers: list[str] = []
        for line in re.split(r"[\n;]", typed) if self.many else [typed]:
            line = " ".join(line.split())
            apart = self.many and not self.lines and self.named(line) is None
            joined = len(answers)
            for part in (each.strip() for each in line.split(",")) if apart else [line]:
                if len(answers) > joined and self.named(both := f"{answers[-1]}, {part}") is not None:
                    answers[-1] = both
                elif part:
                    answers.append(part)
        return answers

    def named(self, part: str) -> str | None:
        """The choice that a part means, with its number of copies; None when there is no such choice."""
        count, name = split_quantity(part) if self.copies else (1, part)
        chosen = next((choice for choice in self.choices if name_key(choice) == name_key(name)), None)
        return chosen if chosen is None or count == 1 else f"{count}x {chosen}"

    def wrong(self, answer: str) -> str:
        """What is wrong with an answer, as a sentence; empty when it will do."""
        answers = self.parts(answer)
        if not answers:
            return "Enter an answer." if self.needed else ""
        for part in answers:
            if self.choices and self.named(part) is None:
                name = split_quantity(part)[1] if self.copies else part
                near = did_you_mean(name, self.choices)
                return f"{part!r} is not a valid answer.{near or f' Choose {either(list(self.choices)[:12])}.'}"
            if self.number and not (part.isascii() and part.isdigit() and len(part) < 5):
                return f"{part!r} is not a whole number from 0 to {self.most}."
            if self.number and int(part) > self.most:
                return f"{part} is too much: {self.most} at most."
            if not (self.choices or self.number) and [name_key(each) for each in answers].count(name_key(part)) > 1:
                return f"{part!r} appears more than once. Each needs its own name."
        if self.file and answers:
            try:
                parse_deck(answers[0], "the deck")
            except DeckFileError as error:
                return str(error)
        return (no_day(answers[0]) or "") if self.day else ""

    def answer(self, typed: str) -> list[str]:
        """The answers as the file has them."""
        return [self.named(part) or part if self.choices else part for part in self.parts(typed)]


Conversation: TypeAlias = Generator[Question, list[str], dict[str, Any]]
"""Yields questions, is sent the answers, and returns the keys of the game's file with their values."""


def yes_or_no(text: str, default: str = "", key: str = "") -> Question:
    """A question that is answered by yes or no."""
    return Question(text, ("yes", "no"), needed=not default, default=default, key=key)


def for_each(
    names: Iterable[str], text: str, question: Question
) -> Generator[Question, list[str], dict[str, list[str]]]:
    """The same question about each (`{}` in `text` stands for the name); names without an answer, or with 0, are left out."""
    answers = {}
    for name in names:
        answer = yield replace(question, text=text.format(name), of=name)
        if answer and answer != ["0"]:
            answers[name] = answer
    return answers


def single(answers: Mapping[str, list[str]]) -> dict[str, str]:
    """The first answer of each name, for questions that take a single one."""
    return {name: answer[0] for name, answer in answers.items()}


@frozen
class Asked:
    """A question of a form: its key there (its text, with a number where the same is asked again), what was typed, and what is wrong
    with that (empty: nothing, or nothing was typed yet)."""

    key: str
    question: Question
    typed: str
    wrong: str


def as_form(
    conversation: Conversation, typed: Mapping[str, str], guess: bool = False
) -> tuple[list[Asked], dict[str, Any] | None]:
    """A conversation as far as what was typed leads, by the keys of its questions; with what comes of it, where nothing is wrong or lacks.

    What was not typed is answered by its default. Behind an answer that will not do the questions go on as if it were not given, unless
    it is needed; with `guess` as if it were the first answer there is. Raises QuestionsError.
    """
    questions: list[Asked] = []
    before: Counter[str] = Counter()
    whole = True
    try:
        question = next(conversation)
        while True:
            if len(questions) == MOST_ASKED:
                raise QuestionsError(f"This makes more than {MOST_ASKED:,} questions, which is the limit.")
            before[question.text] += 1
            again = before[question.text]
            key = question.text if again == 1 else f"{question.text} ({again})"
            answer = typed.get(key, "")
            wrong = question.wrong(answer)
            questions.append(Asked(key, question, typed.get(key, question.default), wrong if answer.strip() else ""))
            whole = whole and not wrong
            answer = "" if wrong else answer
            if question.wrong(answer):
                if not guess:
                    return questions, None
                answer = next(iter(question.choices), "1")
            question = conversation.send(question.answer(answer))
    except StopIteration as done:
        return questions, done.value if whole else None


def words_of(questions: Iterable[Asked], name: str = "") -> dict[str, str]:
    """The questions of a form by the keys of the file that they fill; of several the one about `name` (empty: `…` stands for whom)."""
    words: dict[str, str] = {}
    for each in questions:
        text = each.question.text
        text = (text.replace(each.question.of, name or "…") if each.question.of else text).partition(" (")[0]
        if each.question.key not in words or (name and name in text):
            words[each.question.key] = text
    return words


class Scoring(Protocol):
    """What a game offers whose final positions are scored: its part `scoring`."""

    def questions(self) -> Conversation:
        """What is asked of a final position; gives the keys of its file."""

    def answers(self, file: DeckFile) -> dict[str, str]:
        """What a file answers, by the keys of the questions. Raises DeckFileError."""

    def scored(self, file: DeckFile, cites: Mapping[str, Citation]) -> Mapping[str, Any]:
        """The score of a final position, as the command prints it. Raises DeckFileError."""


def scoring_of(game: str) -> Scoring | None:
    """The part of a game that scores final positions; None when it has none."""
    return cast(Scoring | None, registry.part(game, "scoring"))


def no_day(text: str) -> str | None:
    """Why a text is not the day of a game, as a sentence; None when it is one."""
    try:
        if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text) and date.fromisoformat(text):
            return None
    except ValueError:
        pass
    return f"`date` is {text[:60]!r}; write a day as year-month-day, such as 2026-11-01."
