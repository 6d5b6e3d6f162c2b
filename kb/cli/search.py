"""`kb search` and `kb ask`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from kb.cli.completion import titles
from kb.cli.results import answer_lines, found_lines
from kb.cli.session import ByRules, Within, session_here
from kb.cli.terminal import AsJson, close_page, is_terminal, print_found
from kb.errors import KbError

FOUND = 10
Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="QUERY...", autocompletion=titles, help="Your question, in your own words."),
]
Kind = Annotated[
    str | None,
    typer.Option("--kind", metavar="KIND", help="Only entries of this kind: rule, term, ruling, faq, card …"),
]
Spoilers = Annotated[
    bool | None,
    typer.Option(
        "--spoilers/--no-spoilers",
        help="Show the hidden texts that spoil a campaign, or leave these entries out.",
    ),
]


def search(
    query: Words = None,
    within: Within = None,
    rules: ByRules = None,
    kind: Kind = None,
    limit: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=200,
            metavar="NUMBER",
            help="Maximum results [default: 10, or as many as fit on the screen].",
        ),
    ] = None,
    as_json: AsJson = False,
    spoilers: Spoilers = None,
) -> int:
    """Find the rules, rulings and cards that answer a question.

    Without a query, it opens a prompt that shows results as you type.

    Examples:
        kb search "can I recharge a spell without the skill"
        kb search mulligan --limit 3
    """
    text = " ".join(query or []).strip()
    if not text:
        prompt(within, kind, spoilers, rules)
        return 0
    with session_here() as session:
        results = session.search(
            text, within=within, kind=kind, limit=limit or FOUND, spoilers=spoilers is not False, rules=rules
        )
        print_found(
            results, found_lines(results, session.place(within), spoilers, limit is not None), as_json, session.cites
        )
    return 0 if results.hits else 1


def ask(
    query: Words = None,
    within: Within = None,
    rules: ByRules = None,
    kind: Kind = None,
    whole: Annotated[
        bool, typer.Option("--all", help="Print the whole entry, with rulings and related entries.")
    ] = False,
    as_json: AsJson = False,
    spoilers: Spoilers = None,
) -> int:
    """Answer a question: one sentence, its source and the rest of the rule.

    If no answer is certain, it shows a probable answer or the closest entries, and the exit code is 1.

    Examples:
        kb ask "how many copies of a myriad card can I have"
        kb ask "how do I rebuild my deck" --in rotr --all
    """
    text = " ".join(query or []).strip()
    if not text:
        raise KbError('Add a question: kb ask "can I shoot into a friend\'s fight"')
    with session_here() as session:
        answer = session.ask(text, within=within, kind=kind, spoilers=spoilers is not False, rules=rules)
        print_found(answer, answer_lines(answer, session.place(within), whole, spoilers), as_json, session.cites)
    return 0 if answer.certain else 1


def prompt(within: str | None, kind: str | None, spoilers: bool | None, rules: str | None) -> None:
    """Open the prompt that shows results as you type."""
    if not (sys.stdin.isatty() and is_terminal()):
        raise KbError("Add a question: kb search QUESTION (the prompt needs a terminal).")
    from kb.cli.prompt import run_prompt

    close_page()
    with session_here() as session:
        session.rules = rules
        run_prompt(session, within, kind, spoilers)
