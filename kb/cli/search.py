"""`kb search` and `kb ask`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.catalog import open_here
from kb.cli.place import Place, Within, in_words, place
from kb.cli.show import card_contract, entry_contract, print_whole
from kb.cli.terminal import AsJson, Progress, dim, is_terminal, print_json, strong, styled, tell, warn

if TYPE_CHECKING:
    from kb.search.engine import Hit, Results

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
    results, looked = run(text, within, kind, limit, spoilers)
    if as_json:
        print_json(as_contract(results))
    else:
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


def run(text: str, within: str | None, kind: str | None, limit: int, spoilers: bool | None) -> tuple[Results, Place]:
    """Search, with the options' values checked. Stops with exit code 2 when one names nothing."""
    from kb.catalog.store import open_index
    from kb.search.engine import SearchIndex

    index = SearchIndex(open_index(Progress("Building the catalog"), warn))
    try:
        looked = place(index, within)
        if kind and kind not in index.kinds():
            warn(f"There is no kind {kind!r}. Kinds are {', '.join(index.kinds())}.")
            raise typer.Exit(2)
        found = index.search(
            text, looked.within, kind, limit, spoilers is not False, chosen=looked.chosen, anywhere=looked.anywhere
        )
        return found, looked
    finally:
        index.close()


def as_contract(results: Results) -> dict[str, object]:
    """Results as the JSON that scripts rely on."""
    from kb.search.answer import unmarked

    return {
        "query": results.query,
        "corrected": results.corrected,
        "scope": results.scope,
        "named": results.named,
        "sure": round(results.sure, 3),
        "total": results.total,
        "hits": [
            {
                "id": hit.id, "title": hit.title, "game": hit.game, "kind": hit.kind, "source": hit.source, "score": hit.score,
                "snippet": unmarked(hit.snippet), "covers": list(hit.covers), "spoiler": hit.spoiler,
                "twins": [
                    {"id": twin.id, "title": twin.title, "source": twin.source, "differs": twin.differs} for twin in hit.twins
                ],
            }
            for hit in results.hits
        ],
    }  # fmt: skip


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
    from kb.search.certainty import SURE

    text = " ".join(query or []).strip()
    if not text:
        warn('Ask something: kb ask "can I shoot into a friend\'s fight"')
        raise typer.Exit(2)
    results, looked = run(text, within, kind, 3, spoilers)
    best = results.hits[0] if results.hits else None
    certain = best is not None and results.sure >= SURE
    if as_json:
        contract = as_contract(results)
        contract["answer"] = entry_contract(best.id) or card_contract(best.id) if best and certain else None
        print_json(contract)
        raise typer.Exit(0 if certain else 1)
    if said := in_words(results, looked):
        tell(dim(said))
    if results.corrected:
        tell(f"Searched for {strong(results.corrected)}.")
    if best is None or not certain:
        tell("Not sure; the nearest are:" if best else "No entry answers that. Try other words.")
        for number, hit in enumerate(results.hits, 1):
            print_hit(number, hit, spoilers)
        raise typer.Exit(1)
    if best.spoiler and spoilers is None:
        tell(f"The answer gives away {best.spoiler}: ask again with --spoilers, or see kb show {best.id}.")
    else:
        print_whole(best.id)
    for twin in best.twins:
        tell(f"\nThe same rule: {strong(twin.title)}  {dim(f'{twin.id} · {twin.source}')}")
    others = results.hits[1:]
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

    chosen = run_prompt(open_here, within, kind, spoilers)
    if chosen:
        print_whole(chosen)
