"""Questions that a game asks to fill in a file, and checks of the answers. The file is the record of a campaign's next
game, a final position or a party file.

The questions do not depend on the user interface: a terminal asks them one by one, a page shows them all as a form.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, TypeAlias

from kb.decks.deckfile import parse_deck
from kb.decks.names import did_you_mean, either, name_key, split_quantity
from kb.decks.nodes import DeckFileError
from kb.errors import KbError
from kb.frozen import NOTHING, frozen

MOST_ASKED = 1_000


class QuestionsError(KbError, ValueError):
    """The answers lead to a form that cannot be drawn; the message is written for users."""


@frozen
class Question:
    """A question to the user.

    `text` is the question; `{}` in the text stands for `of`, the person that the question is about. `tail` is the end
    of the question, which is left out below a heading with the person's name. `hint` says how to answer. `id`
    distinguishes the question from others about the same person; if it is empty, `key` does.

    `choices` are the possible answers (none: any text). With `many`, several answers may be given, separated by commas,
    semicolons or line breaks. With `lines` too, commas do not separate answers, because an answer may contain one. An
    empty answer means `default`, or no answer if `default` is empty; with `needed`, the answer must not be empty. With
    `copies`, a choice may have a number, such as `2x Cure`. With `number`, an answer is a whole number up to `most`.
    With `day`, it is a date. With `file`, it is the unchanged text of a deck file.

    `group` is the heading in a form, and `key` the key of the file that the answer fills. `who` is the person's name in
    files, if `of` shows more than that name. `note` explains how the answer is used, according to the entry `cite`.
    `finds` maps choices to further words that a form searches, such as type and traits. `called` maps choices to their
    names in files, if the text of a choice shows more than its name.
    """

    text: str = ""
    choices: Sequence[str] = ()
    id: str = ""
    tail: str = ""
    hint: str = ""
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
    who: str = ""
    note: str = ""
    cite: str = ""
    finds: Mapping[str, str] = NOTHING
    called: Mapping[str, str] = NOTHING

    @property
    def words(self) -> str:
        """Return the whole question, with its tail and hint."""
        return f"{self.start}{self.tail}{f' ({self.hint})' if self.hint else ''}"

    @property
    def start(self) -> str:
        """Return the question without its tail and hint."""
        return self.about(self.of)

    @property
    def key_in_form(self) -> str:
        """Return the key of the question in a form: its id and the person it is about. Saved answers then remain valid
        after a change of wording. Only a question with neither `id` nor `key` is identified by its text.
        """
        return "/".join(filter(None, (self.id or self.key or self.text, self.person)))

    @property
    def person(self) -> str:
        """Return the name, as used in files, of the person that the question is about; empty if it is about nobody."""
        return self.who or self.of

    def about(self, name: str) -> str:
        """Return the question with `name` as the person that it is about, without tail and hint."""
        return self.text.replace("{}", name)

    def parts(self, answer: str) -> list[str]:
        """Split the typed text into answers; a choice that contains a comma is one answer."""
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
        """Return the choice that `part` names, with its number of copies; None if there is no such choice."""
        count, name = split_quantity(part) if self.copies else (1, part)
        chosen = next((choice for choice in self.choices if name_key(choice) == name_key(name)), None)
        return chosen if chosen is None or count == 1 else f"{count}x {chosen}"

    def wrong(self, answer: str) -> str:
        """Return a sentence that says why an answer is invalid; empty if it is valid."""
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
                return f"{part} is too high: at most {self.most}."
            if not (self.choices or self.number) and [name_key(each) for each in answers].count(name_key(part)) > 1:
                return f"{part!r} appears more than once. Each needs its own name."
        if self.file and answers:
            try:
                parse_deck(answers[0], "the deck")
            except DeckFileError as error:
                return error.told(lambda _, line: f"Deck, line {line}" if line else "the deck")
        return (no_day(answers[0]) or "") if self.day else ""

    def answer(self, typed: str) -> list[str]:
        """Convert the typed text to the list of answers that is written to the file."""
        return [self.named(part) or part if self.choices else part for part in self.parts(typed)]


Conversation: TypeAlias = Generator[Question, list[str], dict[str, Any]]
"""Yields questions, receives the answers, and returns the keys of the file with their values."""


def yes_or_no(text: str, default: str = "", key: str = "") -> Question:
    """Return a question whose answers are yes and no."""
    return Question(text, ("yes", "no"), needed=not default, default=default, key=key)


def for_each(
    names: Iterable[str], text: str, question: Question
) -> Generator[Question, list[str], dict[str, list[str]]]:
    """Ask `question` once for each name, with the wording `text`, where `{}` stands for the name. Return the answers by
    name. Names without an answer, or with the answer 0, are left out.
    """
    answers = {}
    for name in names:
        answer = yield replace(question, text=text, of=name)
        if answer and answer != ["0"]:
            answers[name] = answer
    return answers


def single(answers: Mapping[str, list[str]]) -> dict[str, str]:
    """Return the first answer for each name, for questions that take a single answer."""
    return {name: answer[0] for name, answer in answers.items()}


@frozen
class Asked:
    """A question in a form, with the user's input.

    `key` is the key of the question in the form, with a number if the same question is asked again. `typed` is the
    input, and `wrong` says what is wrong with it (empty: nothing, or no input yet).
    """

    key: str
    question: Question
    typed: str
    wrong: str


def as_form(
    conversation: Conversation, typed: Mapping[str, str], guess: bool = False
) -> tuple[list[Asked], dict[str, Any] | None]:
    """Run a conversation with the input in `typed`, by question key. Return its questions, and its result if all
    answers are valid (otherwise None).

    A question without input gets its default. After an invalid answer, the conversation continues as if there were no
    input. If the question needs an answer, the form ends there; with `guess`, it continues with the first choice.
    Raises QuestionsError if there are too many questions.
    """
    questions: list[Asked] = []
    before: Counter[str] = Counter()
    whole = True
    try:
        question = next(conversation)
        while True:
            if len(questions) == MOST_ASKED:
                raise QuestionsError(f"Too many questions: the limit is {MOST_ASKED:,}.")
            key = question.key_in_form
            before[key] += 1
            key = key if before[key] == 1 else f"{key} ({before[key]})"
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
    """Map each key of the file to the text of the question that fills it.

    If several questions fill one key, the question about `name` is chosen. Without `name`, the texts have `…` instead
    of a name.
    """
    words: dict[str, str] = {}
    for question in (each.question for each in questions):
        if question.key not in words or (name and question.of):
            words[question.key] = question.about(name or "…")
    return words


def no_day(text: str) -> str | None:
    """Return a sentence that says why `text` is not a date; None if it is one."""
    try:
        if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text) and date.fromisoformat(text):
            return None
    except ValueError:
        pass
    return f"`date` is {text[:60]!r}; write a day as year-month-day, such as 2026-11-01."
