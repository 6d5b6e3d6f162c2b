"""Asks the questions of a game on a terminal: answers are completed as they are typed and checked before they are taken."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.shortcuts import PromptSession
from prompt_toolkit.validation import ValidationError, Validator

from kb.campaigns.conversation import Conversation, Question
from kb.decks.names import name_key, split_quantity

MOST_SHOWN = 40


class Choices(Completer):
    """Completes the part behind the last comma by the choices that hold what is typed, those that begin with it first."""

    def __init__(self, question: Question) -> None:
        self.question = question

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """The choices for what is typed so far."""
        typed = document.text_before_cursor
        part = (typed.rpartition(",")[2] if self.question.many else typed).lstrip()
        name = split_quantity(part)[1] if self.question.copies else part
        key = name_key(name)
        found = [choice for choice in self.question.choices if key in name_key(choice)]
        found.sort(key=lambda choice: not name_key(choice).startswith(key))
        for choice in found[:MOST_SHOWN]:
            yield Completion(choice, -len(name))


class Answers(Validator):
    """Refuses an answer that will not do, with a sentence that says why."""

    def __init__(self, question: Question) -> None:
        self.question = question

    def validate(self, document: Document) -> None:
        """Raise ValidationError for what will not do."""
        if wrong := self.question.wrong(document.text):
            raise ValidationError(len(document.text), wrong)


def converse(asked: Conversation) -> dict[str, Any]:
    """Ask every question, and give what the answers say. Raises EOFError and KeyboardInterrupt where the user leaves."""
    session: PromptSession[str] = PromptSession()
    question = next(asked)
    while True:
        line = session.prompt(
            f"{question.text}{f' [{question.default}]' if question.default else ''} ",
            completer=Choices(question) if question.choices else None,
            complete_while_typing=True,
            validator=Answers(question),
            validate_while_typing=False,
        )
        try:
            question = asked.send(question.answer(line))
        except StopIteration as done:
            values: dict[str, Any] = done.value
            return values
