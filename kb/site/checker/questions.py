"""Shows a game's questions as a form on the site, and scores the final position that a user enters there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from kb.campaigns.record import dumped
from kb.citation import Citation
from kb.decks.deckfile import parse_deck
from kb.decks.form import Field
from kb.decks.nodes import DeckFileError, place
from kb.decks.party import UnreadableDecksError
from kb.decks.questions import Asked, Question, as_form
from kb.decks.scores import Score, scoring_of, with_scores
from kb.decks.share import to_link
from kb.errors import KbError
from kb.registry import About
from kb.site.checker.answers import QuestionForm, QuestionOnForm, ScoreAnswer
from kb.site.checker.messages import ScoreRequest

YES = "yes"
TYPED = re.compile(r"((?:deck|table)(?: \d+)?)")
"""Names that the page gives to texts that were typed or pasted."""
NO_LINKS: Mapping[str, str] = MappingProxyType({})


def scored_games(there: Iterable[str]) -> list[About]:
    """Return the games whose final positions kb can score, among the games whose ids are in `there`."""
    return [about for about in with_scores() if about.id in there and not about.foreign]


def drawn(
    questions: list[Asked], final: bool = False, folded: Collection[str] = (), links: Mapping[str, str] = NO_LINKS
) -> QuestionForm:
    """Return questions in the form that the page draws them from.

    With `final`, missing required answers are reported too. The groups in `folded` are closed at first. `links` are the
    addresses of the rules that notes cite.
    """
    lists = tuple(dict.fromkeys(tuple(each.question.choices) for each in questions if each.question.choices))
    rows = []
    for asked in questions:
        question = asked.question
        row = QuestionOnForm(
            key=asked.key,
            text=question.words,
            start=question.start,
            tail=question.tail,
            group=question.group,
            fold=question.group in folded,
            kind=kind_of(question),
            many=question.many,
            lines=question.lines,
            copies=question.copies,
            needed=question.needed,
            of=question.of,
            note=question.note,
            rule=links.get(question.cite, ""),
            list=lists.index(tuple(question.choices)) if question.choices else None,
            default=usual(question),
            share=to_link(asked.typed) if question.file and question.default and asked.typed else "",
            typed=asked.typed,
            wrong=question.wrong(asked.typed) if final else asked.wrong,
        )
        rows.append(row)
    finds = {choice: words for each in questions for choice, words in each.question.finds.items()}
    return QuestionForm(lists, tuple(rows), finds)


def told(error: KbError) -> str:
    """Return an error's message for the page. A typed text is not a file, so its location is written as `Deck, line 7:
    …`.
    """
    if isinstance(error, DeckFileError):
        return error.told(place_on_page)
    if isinstance(error, UnreadableDecksError):
        return "\n".join(each.told(place_on_page) for each in error.decks)
    return str(error)


def place_on_page(file: str, line: int) -> str:
    """Return the words for a line of a file. For a text that was typed on the page, they are `Deck, line 7`."""
    typed = TYPED.fullmatch(file)
    return f"{typed[1].capitalize()}, line {line}" if typed and line else place(file, line)


def usual(question: Question) -> str:
    """Return the default answer of a question. Several choices are separated by line breaks."""
    if question.choices and question.many:
        return "\n".join(question.answer(""))
    return "" if question.file else question.default


def kind_of(question: Question) -> str:
    """Return the kind of input that answers a question: `number`, `day`, `deck` or `text`."""
    kinds = {"number": question.number, "day": question.day, "deck": question.file}
    return next((kind for kind, is_so in kinds.items() if is_so), "text")


def score(
    request: ScoreRequest, text: str | None, cites: Mapping[str, Citation], links: Mapping[str, str]
) -> ScoreAnswer:
    """Return the form of a final position and, if no answer is missing, its score.

    The position comes from the file `text`, or else from `request.answers`.
    """
    part = scoring_of(request.game)
    name = request.name
    answers = part.answers(parse_deck(text, name)) if text is not None else dict(request.answers)
    questions, values = as_form(part.questions(), answers)
    answer = ScoreAnswer(drawn(questions), answers)
    if values is None:
        return answer
    text = dumped(values) + "\n"
    try:
        scored = part.scored(parse_deck(text, name))
    except DeckFileError as error:
        return replace(answer, text=text, problems=[each.message for each in error.problems])
    cited = {entry for player in scored.players for line in player.lines for entry in line.cites}
    return replace(
        answer,
        text=text,
        score=on_form(scored, cites),
        on_tie=scored.on_tie,
        links={each: links[each] for each in sorted(cited) if each in links},
    )


def on_form(score: Score, cites: Mapping[str, Citation]) -> dict[str, Any]:
    """Return a score as `kb score --json` prints it, with the form's words: `ask` does not say what to write in a file,
    and `question` is the key of the question that asks for the points.
    """
    printed = score.as_json(cites)
    for player, told in zip(score.players, printed["players"], strict=True):
        for line, row in zip(player.lines, told["lines"], strict=True):
            row |= {"ask": line.missing, "question": line.question}
    return printed


def as_questions(fields: Iterable[Field], group: str) -> list[Asked]:
    """Turn the fields that a party agrees on into questions. The choices are names; a tick box has the answer "yes"."""
    named = [(field, tuple(choice[1] for choice in field.choices) or (YES,)) for field in fields]
    return [
        Asked(
            field.key,
            Question(
                field.label,
                names,
                many=field.kind != "choice",
                default=names[0] if field.kind == "choice" else "",
                group=group,
            ),
            "",
            "",
        )
        for field, names in named
    ]


def agreed_on(fields: Iterable[Field], answers: Mapping[str, str]) -> dict[str, Any]:
    """Convert the answers to the questions of `as_questions` to options of a deck check."""
    options: dict[str, Any] = {}
    for field in fields:
        chosen = answers.get(field.key, "").split("\n")
        values = [choice[0] for choice in field.choices if choice[1] in chosen and choice[0]]
        if values or YES in chosen:
            options[field.key] = values if field.kind == "many" else values[0] if values else True
    return options
