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
    typer.Argument(metavar="QUERY...", autocompletion=titles, help="What you want to know, in your own words."),
]
Kind = Annotated[
    str | None, typer.Option("--kind", help="Only entries of this kind (rule, term, ruling, faq, card …).")
]
Spoilers = Annotated[
    bool | None,
    typer.Option(
        "--spoilers/--no-spoilers",
        help="Show texts that give away a campaign, or leave such entries out.",
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
            help="How many results at the most; else 10, and on a terminal what fits the screen.",
        ),
    ] = None,
    as_json: AsJson = False,
    spoilers: Spoilers = None,
) -> int:
    """Find the rule, ruling, term or card that answers a question. Exit code 1 when nothing fits.

    Without a query it opens a prompt with results as you type.

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
        bool, typer.Option("--all", help="The whole entry, with rulings, other questions and what cites it.")
    ] = False,
    as_json: AsJson = False,
    spoilers: Spoilers = None,
) -> int:
    """Answer a question: the question it answers, the sentence that answers, its source and the rest of the rule; on a terminal within 20 lines.

    Exit code 1 when nothing answers for certain; a probable answer or the nearest entries are shown then.

    Examples:
        kb ask "how many copies of a myriad card can I have"
        kb ask "how do I rebuild my deck" --in rotr --all
    """
    text = " ".join(query or []).strip()
    if not text:
        raise KbError('Ask something: kb ask "can I shoot into a friend\'s fight"')
    with session_here() as session:
        answer = session.ask(text, within=within, kind=kind, spoilers=spoilers is not False, rules=rules)
        print_found(answer, answer_lines(answer, session.place(within), whole, spoilers), as_json, session.cites)
    return 0 if answer.certain else 1


def prompt(within: str | None, kind: str | None, spoilers: bool | None, rules: str | None) -> None:
    """Results as you type."""
    if not (sys.stdin.isatty() and is_terminal()):
        raise KbError("Say what to search for: kb search QUERY (the prompt needs a terminal).")
    from kb.cli.prompt import run_prompt

    close_page()
    with session_here() as session:
        session.rules = rules
        run_prompt(session, within, kind, spoilers)
