"""`kb cards`: cards by their facts."""

from __future__ import annotations

from typing import Annotated

import typer

from kb.cli.completion import titles
from kb.cli.session import session_here
from kb.cli.table import print_table
from kb.cli.terminal import AsJson, is_terminal, print_json, tell
from kb.plural import counted


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    # A minus excludes (`-trait:basic`): what is no option is part of the query, also when it begins like `-h`; `-h` alone is help.
    app.command("cards", context_settings={"ignore_unknown_options": True, "help_option_names": ["--help"]})(cards)


def cards(
    context: typer.Context,
    query: Annotated[
        list[str],
        typer.Argument(
            metavar="QUERY...",
            autocompletion=titles,
            help='Such as: type:weapon deck<=2 -trait:basic name:"flame staff"',
        ),
    ],
    limit: Annotated[int, typer.Option(min=1, max=5000, help="How many cards at the most.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List cards by their facts (kb cards --help shows the fields). Exit code 1 when none fits.

    A bare word is looked for in the name; where no name has the words they are read as a description ("seeker assets level 0"),
    and the query they were read as is shown. FIELD:VALUE contains, FIELD=VALUE is exactly, and <, <=, >, >= compare numbers; a
    minus before a term excludes; `or` between terms joins them; brackets group. Fields: name, type, trait, set, deck, level,
    game, class, slot, cost, owner, loot, basic, elite, unique, pack, cycle, code, is, icon, willpower (and the other skills: how
    many icons), uses, health, sanity, fast, taboo, errata, chapter, released; text looks into card texts that you imported.
    FIELD:unknown lists the cards of which no source tells it. for:NAME (or for:DECKFILE) lists what that character may have,
    is:upgrade what of it is better than what the deck has; adventure:, taboo: and choice: say where the character stands.

    Examples:
        kb cards 'type:weapon set:mm deck<=2 -trait:basic'
        kb cards "fast events under 2 resources for Wendy"
    """
    if query == ["-h"]:
        tell(context.get_help())
        raise typer.Exit(0)
    from kb.retrieval.cards import ASKS

    words = " ".join(query)
    named = " ".join(f'"{part}"' if " " in part and not ASKS.search(part) else part for part in query)
    with session_here() as session:
        found = session.cards(named, limit=limit)
        if named != words and not found["total"]:  # no name, then: 'machete or knife', 'staff flame'
            found = session.cards(words, limit=limit)
    total = found["total"]
    if as_json:
        print_json(found)
    else:
        if found["read_as"]:
            tell(f"Read as: {found['read_as']}")
        if found["unread"]:
            tell(f"Not read: {', '.join(found['unread'])}. kb cards --help names the fields.")
        print_cards(found["cards"])
        tell(counted(total, "card") + (f", the first {limit} shown (--limit)" if total > limit else "") + ".")
        for note in found["notes"]:
            tell(note)
        for field, count in found["unknown"].items():
            if field == "for":
                tell(f"For {count} of them it is open, or no source here knows, whether they may be had.")
                continue
            tell(
                f"For {count} of them the {field} is unknown: {field}:unknown lists such cards, -{field}:unknown leaves them out."
            )
    raise typer.Exit(0 if total else 1)


def print_cards(found: list[dict[str, object]]) -> None:
    """Cards as a table whose ids are never cut; tab-separated when piped."""
    columns = ("name", "type", "set", "number", "traits", "id")
    if not is_terminal():
        for card in found:
            tell("\t".join(cell(card.get(column)) for column in columns))
        return
    names = ["deck/level" if column == "number" else column for column in columns]
    print_table([names, *([cell(card.get(column)) for column in columns] for card in found)], whole=columns.index("id"))


def cell(value: object) -> str:
    """A value as a table shows it."""
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else "" if value is None else str(value)
