"""`kb search` and `kb ask`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.place import Within, in_words
from kb.cli.session import session_here
from kb.cli.show import print_shown
from kb.cli.terminal import AsJson, dim, is_terminal, print_json, strong, styled, tell, warn

if TYPE_CHECKING:
    from kb.api.searching import Answer
    from kb.search.engine import Hit

Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="QUERY...", show_default=False, help="What you want to know, in your own words."),
]
Kind = Annotated[
    str | None, typer.Option("--kind", help="Only entries of this kind (rule, term, ruling, faq, card …).")
]
Spoilers = Annotated[
    bool | None,
    typer.Option(
        "--spoilers/--no-spoilers",
        help="Show texts that give away a campaign, or leave such entries out.",
        show_default=False,
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("search")(search)
    app.command("ask")(ask)


def search(
    query: Words = None,
    within: Within = None,
    kind: Kind = None,
    limit: Annotated[int, typer.Option(min=1, max=200, help="How many results at the most.")] = 10,
    as_json: AsJson = False,
    spoilers: Spoilers = None,
) -> None:
    """Find the rule, ruling, term or card that answers a question. Exit code 1 when nothing fits.

    Without a query it opens a prompt with results as you type.
    """
    text = " ".join(query or []).strip()
    if not text:
        prompt(within, kind, spoilers)
        return
    with session_here() as session:
        results = session.search(text, within=within, kind=kind, limit=limit, spoilers=spoilers is not False)
        looked = session.place(within)
        if as_json:
            print_json(session.as_json(results))
    if not as_json:
        if said := in_words(results, looked):
            tell(dim(said))
        if results.corrected:
            tell(f"Searched for {strong(results.corrected)}.")
        for number, hit in enumerate(results.hits, 1):
            print_hit(number, hit, spoilers)
        if not results.hits:
            tell(
                f"Nothing found for {text!r}{f' in {results.scope}' if results.scope else ''}. Try fewer or other words."
            )
    raise typer.Exit(0 if results.hits else 1)


def print_hit(number: int, hit: Hit, spoilers: bool | None) -> None:
    """One hit: title, kind and source, id, and the sentence that answers; then the same rule in other sets."""
    unofficial = " · not official" if hit.standing.startswith("community-consensus") else ""
    masked = hit.spoiler is not None and spoilers is None
    title = f"Spoiler for {hit.spoiler}" if masked else hit.title
    tell(f"{number:>2}  {strong(title)}  {dim(f'{hit.kind} · {hit.source}{unofficial}')}")
    tell(f"    {dim(hit.id)}" if not masked else f"    {dim('--spoilers shows it.')}")
    if hit.snippet and not masked:
        tell(f"    {styled(hit.snippet)}")
    for twin in hit.twins:
        tell(f"    {dim('also')} {dim(twin.id)}{': ' + twin.differs if twin.differs else ''}")


def ask(
    query: Words = None,
    within: Within = None,
    kind: Kind = None,
    as_json: AsJson = False,
    spoilers: Spoilers = None,
) -> None:
    """Answer a question: the best entry whole, with its source, and the next two in a line each. Exit code 1 when nothing answers for
    certain; the nearest entries are shown then."""
    text = " ".join(query or []).strip()
    if not text:
        warn('Ask something: kb ask "can I shoot into a friend\'s fight"')
        raise typer.Exit(2)
    with session_here() as session:
        answer = session.ask(text, within=within, kind=kind, spoilers=spoilers is not False)
        looked = session.place(within)
        if as_json:
            print_json(session.as_json(answer))
    if not as_json:
        if said := in_words(answer.results, looked):
            tell(dim(said))
        print_answer(answer, spoilers)
    raise typer.Exit(0 if answer.certain else 1)


def print_answer(answer: Answer, spoilers: bool | None) -> None:
    """An answer for people: the entry whole and the next two, or the nearest when none answers for certain."""
    results = answer.results
    if results.corrected:
        tell(f"Searched for {strong(results.corrected)}.")
    if answer.entry is None:
        tell("Not sure; the nearest are:" if results.hits else "No entry answers that. Try other words.")
        for number, hit in enumerate(results.hits, 1):
            print_hit(number, hit, spoilers)
        return
    best, *others = results.hits
    if best.spoiler and spoilers is None:
        tell(f"The answer gives away {best.spoiler}: ask again with --spoilers, or see kb show {best.id}.")
    else:
        print_shown(answer.entry)
    for twin in best.twins:
        tell(f"\nThe same rule: {strong(twin.title)}  {dim(f'{twin.id} · {twin.source}')}")
    if others:
        tell("\nOr perhaps:")
    for hit in others:
        title = f"Spoiler for {hit.spoiler}" if hit.spoiler and spoilers is None else hit.title
        tell(f"  {strong(title)}  {dim(f'{hit.id} · {hit.source}')}")


def prompt(within: str | None, kind: str | None, spoilers: bool | None) -> None:
    """Results as you type."""
    import sys

    if not (sys.stdin.isatty() and is_terminal()):
        warn("Say what to search for: kb search QUERY (the prompt needs a terminal).")
        raise typer.Exit(2)
    from kb.cli.prompt import run_prompt

    with session_here() as session:
        chosen = run_prompt(session, within, kind, spoilers)
        if chosen and (found := session.get(chosen)) is not None:
            print_shown(found)
