"""`kb search` and `kb ask`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.catalog import open_here
from kb.cli.show import card_contract, entry_contract, print_card, print_entry
from kb.cli.terminal import AsJson, Progress, dim, is_terminal, print_json, strong, styled, tell, warn

if TYPE_CHECKING:
    from kb.search.engine import Hit, Results

Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="QUERY...", show_default=False, help="What you want to know, in your own words."),
]
Within = Annotated[
    str | None, typer.Option("--in", metavar="PREFIX", help="Only below this id: a game, or a set of it.")
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
    results = run(text, within, kind, limit, spoilers)
    if as_json:
        print_json(as_contract(results))
    else:
        if results.corrected:
            tell(f"Searched for {strong(results.corrected)}.")
        for number, hit in enumerate(results.hits, 1):
            print_hit(number, hit, spoilers)
        if not results.hits:
            tell(f"Nothing found for {text!r}{f' in {within}' if within else ''}. Try fewer or other words.")
    raise typer.Exit(0 if results.hits else 1)


def run(text: str, within: str | None, kind: str | None, limit: int, spoilers: bool | None) -> Results:
    """Search, with the options' values checked. Stops with exit code 2 when one names nothing."""
    from kb.catalog.store import open_index
    from kb.search.engine import SearchIndex

    index = SearchIndex(open_index(Progress("Building the catalog"), warn))
    try:
        if within and not index.has_scope(within := within.strip("/")):
            warn(
                f"Nothing lies below {within!r}. Use a game or folder such as {', '.join(index.scopes(1))} (kb doctor lists them)."
            )
            raise typer.Exit(2)
        if kind and kind not in index.kinds():
            warn(f"There is no kind {kind!r}. Kinds are {', '.join(index.kinds())}.")
            raise typer.Exit(2)
        return index.search(text, within, kind, limit, spoilers is not False)
    finally:
        index.close()


def as_contract(results: Results) -> dict[str, object]:
    """Results as the JSON that scripts rely on."""
    from kb.search.answer import unmarked

    return {
        "query": results.query,
        "corrected": results.corrected,
        "total": results.total,
        "hits": [
            {
                "id": hit.id, "title": hit.title, "game": hit.game, "kind": hit.kind, "source": hit.source, "score": hit.score,
                "snippet": unmarked(hit.snippet), "covers": list(hit.covers), "spoiler": hit.spoiler,
            }
            for hit in results.hits
        ],
    }  # fmt: skip


def print_hit(number: int, hit: Hit, spoilers: bool | None) -> None:
    """One hit: title, kind and source, id, and the sentence that answers."""
    unofficial = " · not official" if hit.standing.startswith("community-consensus") else ""
    tell(f"{number:>2}  {strong(hit.title)}  {dim(f'{hit.kind} · {hit.source}{unofficial}')}")
    tell(f"    {dim(hit.id)}")
    if hit.spoiler and spoilers is None:
        tell(f"    (Spoiler for {hit.spoiler}: --spoilers shows it.)")
    elif hit.snippet:
        tell(f"    {styled(hit.snippet)}")


def ask(
    query: Words = None,
    within: Within = None,
    kind: Kind = None,
    as_json: AsJson = False,
    spoilers: Spoilers = None,
) -> None:
    """Answer a question: the best entry whole, with its source, and the next two in a line each."""
    text = " ".join(query or []).strip()
    if not text:
        warn('Ask something: kb ask "can I shoot into a friend\'s fight"')
        raise typer.Exit(2)
    results = run(text, within, kind, 3, spoilers)
    best = results.hits[0] if results.hits else None
    if as_json:
        contract = as_contract(results)
        contract["answer"] = entry_contract(best.id) if best and results.sure >= UNSURE else None
        print_json(contract)
        raise typer.Exit(0 if best and results.sure >= UNSURE else 1)
    if best is None or results.sure < UNSURE:
        tell("No entry answers that." + (" The nearest are:" if best else " Try other words."))
        for hit in results.hits:
            tell(f"  {strong(hit.title)}  {dim(hit.id)}")
        raise typer.Exit(1)
    if results.corrected:
        tell(f"Searched for {strong(results.corrected)}.")
    if best.spoiler and spoilers is None:
        tell(f"The answer gives away {best.spoiler}: ask again with --spoilers, or see kb show {best.id}.")
    else:
        print_entry(best.id)
    others = results.hits[1:]
    if others:
        tell("\nOr perhaps:")
    for hit in others:
        tell(f"  {strong(hit.title)}  {dim(f'{hit.id} · {hit.source}')}")


# Below this share of the question's weight found in a hit, the answer is more likely about something else.
UNSURE = 0.45


def prompt(within: str | None, kind: str | None, spoilers: bool | None) -> None:
    """Results as you type."""
    import sys

    if not (sys.stdin.isatty() and is_terminal()):
        warn("Say what to search for: kb search QUERY (the prompt needs a terminal).")
        raise typer.Exit(2)
    from kb.cli.prompt import run_prompt

    chosen = run_prompt(open_here, within, kind, spoilers is not False)
    if chosen:
        if "/cards/" in chosen and (card := card_contract(chosen)):
            print_card(card)
        else:
            print_entry(chosen)
