"""`kb search`, `kb ask`, `kb show`, `kb cards`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.terminal import Progress, dim, is_terminal, print_body, strong, styled, warn

if TYPE_CHECKING:
    from kb.catalog.reader import Catalog
    from kb.search.engine import Hit, Results

Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="QUERY...", show_default=False, help="What you want to know, in your own words."),
]
Within = Annotated[
    str | None, typer.Option("--in", metavar="PREFIX", help="Only below this id, such as arkham or pathfinder/mm.")
]
Kind = Annotated[
    str | None, typer.Option("--kind", help="Only entries of this kind (rule, term, ruling, faq, card …).")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
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
    app.command("show")(show)
    # A minus excludes (`-trait:basic`): what is no option is part of the query, also when it begins like `-h`.
    app.command("cards", context_settings={"ignore_unknown_options": True, "help_option_names": ["--help"]})(cards)


def open_here() -> Catalog:
    """The catalog, with a progress bar and warnings for people."""
    from kb.catalog.store import open_catalog

    return open_catalog(Progress("Building the catalog"), warn)


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
        typer.echo(json.dumps(as_contract(results), ensure_ascii=False, indent=1))
    else:
        if results.corrected:
            typer.echo(f"Searched for {strong(results.corrected)}.")
        for number, hit in enumerate(results.hits, 1):
            print_hit(number, hit, spoilers)
        if not results.hits:
            typer.echo(f"Nothing found for {text!r}{f' in {within}' if within else ''}. Try fewer or other words.")
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
    unofficial = " · not official" if hit.standing == "community-consensus" else ""
    typer.echo(f"{number:>2}  {strong(hit.title)}  {dim(f'{hit.kind} · {hit.source}{unofficial}')}")
    typer.echo(f"    {dim(hit.id)}")
    if hit.spoiler and spoilers is None:
        typer.echo(f"    (Spoiler for {hit.spoiler}: --spoilers shows it.)")
    elif hit.snippet:
        typer.echo(f"    {styled(hit.snippet)}")


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
        typer.echo(json.dumps(contract, ensure_ascii=False, indent=1))
        raise typer.Exit(0 if best and results.sure >= UNSURE else 1)
    if best is None or results.sure < UNSURE:
        typer.echo("No entry answers that." + (" The nearest are:" if best else " Try other words."))
        for hit in results.hits:
            typer.echo(f"  {strong(hit.title)}  {dim(hit.id)}")
        raise typer.Exit(1)
    if results.corrected:
        typer.echo(f"Searched for {strong(results.corrected)}.")
    if best.spoiler and spoilers is None:
        typer.echo(f"The answer gives away {best.spoiler}: ask again with --spoilers, or see kb show {best.id}.")
    else:
        print_entry(best.id)
    others = results.hits[1:]
    if others:
        typer.echo("\nOr perhaps:")
    for hit in others:
        typer.echo(f"  {strong(hit.title)}  {dim(f'{hit.id} · {hit.source}')}")


# Below this share of the question's weight found in a hit, the answer is more likely about something else.
UNSURE = 0.45


def show(
    entry: Annotated[
        str, typer.Argument(metavar="ID", help="An id such as pathfinder/mm/closing-a-location or arkham/cards/01012.")
    ],
    as_json: AsJson = False,
) -> None:
    """Print an entry or card whole: text, source, what links to it and which deck checks cite it."""
    found = entry_contract(entry.strip("/")) or card_contract(entry.strip("/"))
    if found is None:
        results = run(entry.replace("/", " ").replace("-", " "), None, None, 3, True)
        near = ", ".join(hit.id for hit in results.hits)
        warn(f"There is no entry {entry!r}." + (f" Did you mean {near}?" if near else ""))
        raise typer.Exit(1)
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False, indent=1))
    elif "facts" in found:
        print_card(found)
    else:
        print_entry(entry.strip("/"))


def entry_contract(entry_id: str) -> dict[str, object] | None:
    """An entry as JSON: its text and everything around it."""
    from kb.catalog.markup import plain
    from kb.decks.games import checks_citing

    with open_here() as catalog:
        entry = catalog.entry(entry_id)
        if entry is None:
            return None
        see = catalog.citations(entry.listed("see"))
        return {
            "id": entry.id, "title": entry.title, "game": entry.game, "kind": entry.kind, "source": entry.citation,
            "body": entry.body, "text": plain(entry.body), "covers": list(entry.covers), "aliases": entry.listed("aliases"),
            "asked": entry.listed("asked"), "spoiler": entry.spoiler, "authority": entry.authority,
            "topic_note": entry.data.get("topic_note"), "history": entry.listed("history"),
            "see": [{"id": item.id, "title": item.title} for item in see.values()],
            "rulings": [{"id": item.id, "title": item.title, "source": item.source} for item in catalog.bearing_on(entry.covers)],
            "linked_from": [{"id": item.id, "title": item.title} for item in catalog.linking(entry.id)],
            "checks": [{"game": game, "id": check.id, "summary": check.summary} for game, check in checks_citing(entry.id)],
        }  # fmt: skip


def card_contract(card_id: str) -> dict[str, object] | None:
    """A card as JSON: its facts and the entries that name it."""
    with open_here() as catalog:
        card = catalog.card(card_id)
        if card is None:
            return None
        named = catalog.linking(card_id, ("card",))
        return {
            "id": card_id,
            "facts": card,
            "entries": [{"id": item.id, "title": item.title, "source": item.source} for item in named],
        }


def print_entry(entry_id: str) -> None:
    """An entry for people."""
    found = entry_contract(entry_id)
    assert found is not None
    typer.echo(strong(str(found["title"])))
    typer.echo(dim(f"{found['id']} · {found['kind']} · {found['source']}") + "\n")
    print_body(str(found["body"]))
    for item in listed(found, "history"):
        typer.echo(f"\nUntil {item['until']}: {item['text']}")
    if found["topic_note"]:
        typer.echo(f"\nThe other set: {found['topic_note']}")
    for label, key, shown in (
        ("Also asked as", "asked", lambda item: item),
        ("Rulings", "rulings", lambda item: f"{item['title']} ({item['id']})"),
        ("See also", "see", lambda item: f"{item['title']} ({item['id']})"),
        ("Deck checks that cite it", "checks", lambda item: f"{item['id']}: {item['summary']}"),
    ):
        items = listed(found, key)
        if items:
            typer.echo(f"\n{strong(label)}")
            for item in items:
                typer.echo(f"  {shown(item)}")


def listed(found: dict[str, object], key: str) -> list[dict[str, str]]:
    """A list of the contract."""
    value = found[key]
    return value if isinstance(value, list) else []


def print_card(found: dict[str, object]) -> None:
    """A card's facts for people."""
    facts = found["facts"]
    assert isinstance(facts, dict)
    typer.echo(strong(str(facts.get("name"))))
    for key, value in facts.items():
        if value not in (None, [], {}, "", False) and key != "name":
            shown = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            typer.echo(f"  {key.replace('_', ' '):<16} {shown}")
    for item in listed(found, "entries"):
        typer.echo(f"  {item['title']}  {dim(item['id'])}")


def cards(
    query: Annotated[
        list[str],
        typer.Argument(metavar="QUERY...", help='Such as: type:weapon set:mm deck<=2 -trait:basic name:"flame staff"'),
    ],
    limit: Annotated[int, typer.Option(min=1, max=5000, help="How many cards at the most.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List cards by their facts (kb cards --help shows the fields). Exit code 1 when none fits.

    A bare word is looked for in the name. FIELD:VALUE contains, FIELD=VALUE is exactly, and <, <=, >, >= compare numbers; a
    minus before a term excludes; `or` between terms joins them; brackets group. Fields: name, type, trait, set, deck, level,
    game, class, slot, cost, owner, loot, basic, elite, unique, pack, cycle, code, is.
    """
    from kb.search.cards import CardQueryError, parse_query

    text = " ".join(f'"{part}"' if " " in part and ":" not in part and '"' not in part else part for part in query)
    try:
        wanted = parse_query(text)
    except CardQueryError as error:
        warn(str(error))
        raise typer.Exit(2) from None
    with open_here() as catalog:
        found = [card for card in catalog.all_cards() if wanted(card)]
    if as_json:
        typer.echo(
            json.dumps({"query": text, "total": len(found), "cards": found[:limit]}, ensure_ascii=False, indent=1)
        )
    else:
        print_cards(found[:limit])
        typer.echo(f"{len(found)} cards" + (f", the first {limit} shown (--limit)" if len(found) > limit else ""))
    raise typer.Exit(0 if found else 1)


def print_cards(found: list[dict[str, object]]) -> None:
    """Cards as a table: on a terminal with rich, tab-separated when piped."""
    columns = ("name", "type", "set", "number", "traits", "id")
    if not is_terminal():
        for card in found:
            typer.echo("\t".join(cell(card.get(column)) for column in columns))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(
        *(("deck/level" if column == "number" else column) for column in columns), box=None, header_style="bold"
    )
    for card in found:
        table.add_row(*(cell(card.get(column)) for column in columns))
    Console().print(table)


def cell(value: object) -> str:
    """A value as a table shows it."""
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else "" if value is None else str(value)


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
