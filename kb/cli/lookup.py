"""`kb show`, `kb compare`, `kb use`, `kb cards`, `kb characters` and `kb scenarios`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any

import typer

from kb import paths
from kb.api.searching import EVERYWHERE, scope_called
from kb.api.showing import Ambiguous
from kb.catalog import queries
from kb.cli.completion import editions, games, titles
from kb.cli.results import lines_of
from kb.cli.session import ByRules, Within, session_here
from kb.cli.terminal import (
    AsJson,
    at_a_terminal,
    body_lines,
    close_page,
    dim,
    is_terminal,
    print_found,
    strong,
    table_lines,
    tell,
    tell_all,
    warn,
)
from kb.errors import KbError
from kb.plural import counted
from kb.registry.editions import choose_edition, chosen_edition
from kb.retrieval.cards import ASKS
from kb.settings import choose_game, chosen_game, damage

Answer = dict[str, Any]


def show(
    entry: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME...",
            autocompletion=titles,
            help="A title, name or code (mulligan, Holy Light, 01020), the last part of an id, or a whole id.",
        ),
    ],
    within: Within = None,
    rules: ByRules = None,
    as_json: AsJson = False,
) -> None:
    """Print an entry, a card or a list of entries whole: text, source, what links to it, which deck checks cite it.

    When several are called so, they are listed; a terminal asks which is meant.

    Examples:
        kb show mulligan
        kb show 01020
    """
    name = " ".join(entry).strip()
    with session_here() as session:
        answer = of_one(session.show, name, within, rules)
        print_found(answer, lines_of(answer), as_json, session.cites)


def of_one(question: Callable[..., Answer], name: str, within: str | None, rules: str | None) -> Answer:
    """What a question says of a name; of several called so that of which the user at the terminal chooses. Raises NotFound."""
    try:
        return question(name, within=within, rules=rules)
    except Ambiguous as several:
        if not at_a_terminal():
            raise
        candidates = several.candidates
    listed = [f"{number:>2}  {title}  {dim(exact_id)}" for number, (exact_id, title) in enumerate(candidates, 1)]
    tell_all([f"Several are called {name!r}:", *listed])
    close_page()
    number: int = typer.prompt("Which", type=int, default=1)
    return question(candidates[max(1, min(len(candidates), number)) - 1][0], rules=rules)


def compare(
    rule: Annotated[list[str], typer.Argument(metavar="RULE...", autocompletion=titles, help="A title, name or id.")],
    within: Within = None,
    rules: ByRules = None,
    as_json: AsJson = False,
) -> None:
    """Compare a rule in the editions or sets of its game, with what differs in a sentence. A game gives all its rules that differ.

    Exit code 1 when there is nothing to compare.

    Examples:
        kb compare alert
        kb compare closing a location --in mm
    """
    name = " ".join(rule).strip()
    with session_here() as session:
        comparison = of_one(session.compare, name, within, rules)
        drawn = difference_lines if session.game_called(name) else comparison_lines
        print_found(comparison, drawn(comparison["entries"]), as_json, session.cites)


def difference_lines(entries: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Give the rules of a game that differ, each with how."""
    for each in entries:
        yield f"{strong(each['title'])}  {dim(each['id'])}"
        yield f"  {each['differs']}"


def comparison_lines(entries: Iterable[dict[str, Any]]) -> Iterator[str]:
    """What each edition or set says of a rule."""
    for number, each in enumerate(entries):
        yield from [""] if number else []
        yield f"{strong(each['of'])}: {strong(each['title'])}"
        yield dim(f"{each['id']} · {each['source']}")
        yield ""
        yield from body_lines(each["text"])
        if each["differs"]:
            yield f"\n{strong('What differs')}: {each['differs']}"


def use(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", autocompletion=games, help="A game or set by any name, or all."),
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option("--rules", metavar="EDITION", autocompletion=editions, help="The edition you play by."),
    ] = None,
) -> None:
    """Choose the game you play: search, ask and show look there until you choose another one, or all of them again (kb use all).

    Without a name it says which is chosen. A question that names another game is answered from that one; `--in all` looks everywhere once.
    With `--rules` a game whose rules have several editions is searched and judged by that one, until you choose another; else by the newest.

    Examples:
        kb use rotr
        kb use --rules faq
    """
    try:
        choose(game, rules)
    except OSError as error:
        message = f"{paths.settings_file()}: the choice cannot be kept here: {error.strerror or error}."
        raise KbError(message) from None


def choose(game: str | None, rules: str | None) -> None:
    """Keep which game is played, and by which edition: of that game, else of the one that has such an edition. Raises KbError and OSError."""
    scope = None
    everywhere = game is not None and game.strip().casefold() in EVERYWHERE
    if game is not None and not everywhere:
        with session_here() as session:
            scope = scope_called(session.index, game)
    if rules is not None:
        of, edition = choose_edition(rules, scope.partition("/")[0] if scope else None)
        tell(f"{of} is played by {edition.title}. `--rules`, `rules:` of a deck file and KB_RULES come before it.")
    if game is not None:
        choose_game(scope)
        message = "Searches look at all games."
        tell(f"Searches look at {scope}. --in all looks everywhere once; kb use all forgets it." if scope else message)
    elif rules is None:
        if wrong := damage():
            warn(wrong)
        tell(said_of(chosen_game()))


def said_of(chosen: str | None) -> str:
    """Which game is chosen, as a sentence; a chosen one that is not among the sources any more is said to be gone."""
    if chosen is None:
        return "No game is chosen: searches look at all of them. kb use GAME chooses one."
    with session_here() as session:
        if chosen in session.index.called():
            edition = chosen_edition(chosen.partition("/")[0])
            return f"{chosen} is chosen{f', by {edition.title}' if edition else ''}."
    return f"{chosen!a} was chosen, but kb knows no such game: searches look at all of them. kb use GAME chooses another one."


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
) -> int:
    """List cards by their facts (kb cards --help shows the fields). Exit code 1 when none fits.

    A bare word is looked for in the name; where no name has the words they are read as a description ("seeker assets level 0"),
    and the query they were read as is shown. FIELD:VALUE contains, FIELD=VALUE is exactly, and <, <=, >, >= compare numbers; a
    minus before a term excludes; `or` between terms joins them; brackets group. Fields: name, type, trait, set, deck, level,
    game, class, slot, cost, owner, loot, basic, elite, unique, pack, cycle, code, is, icon, willpower (and the other skills: how
    many icons), uses, health, sanity, fast, taboo, errata, chapter, released, check, closes (closes:Wisdom<=8);
    text looks into card texts that you imported.
    FIELD:unknown lists the cards of which no source tells it. for:NAME (or for:DECKFILE) lists what that character may have,
    is:upgrade what of it is better than what the deck has; adventure:, taboo: and choice: say where the character stands.

    Examples:
        kb cards 'type:weapon set:mm deck<=2 -trait:basic'
        kb cards "fast events under 2 resources for Wendy"
    """
    if query == ["-h"]:
        tell(context.get_help())
        return 0

    words = " ".join(query)
    named = " ".join(f'"{part}"' if " " in part and not ASKS.search(part) else part for part in query)
    with session_here() as session:
        answer = session.cards(named, limit=limit)
        if named != words and not answer["total"]:  # no name, then: 'machete or knife', 'staff flame'
            answer = session.cards(words, limit=limit)
        print_found(answer, list_of_cards(answer, limit), as_json, session.cites)
    return 0 if answer["total"] else 1


def list_of_cards(answer: dict[str, Any], limit: int) -> Iterator[str]:
    """The cards as a table, how a query was read, and what is not known of them."""
    if answer["read_as"]:
        yield f"Read as: {answer['read_as']}"
    if answer["unread"]:
        yield f"Not read: {', '.join(answer['unread'])}. kb cards --help names the fields."
    keys = ("name", "type", "set", "number", "traits", "id")
    names = ["deck/level" if key == "number" else key for key in keys]
    yield from rows_lines(names, [[cell(card.get(key)) for key in keys] for card in answer["cards"]])
    shown = f", the first {limit} shown (--limit)" if answer["total"] > limit else ""
    yield f"{counted(answer['total'], 'card')}{shown}."
    yield from answer["notes"]
    for field, count in answer["unknown"].items():
        if field == "for":
            yield f"For {count} of them it is open, or no source here knows, whether they may be had."
        else:
            yield f"For {count} of them the {field} is unknown: {field}:unknown lists such cards, -{field}:unknown leaves them out."


def rows_lines(names: list[str], rows: list[list[str]]) -> Iterable[str]:
    """Rows as a table whose last column, the ids, is never cut; tab-separated when piped."""
    if rows and is_terminal():
        return table_lines([names, *rows])
    return map("\t".join, rows)


def cell(value: object) -> str:
    """Format a value as a cell of a table."""
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else "" if value is None else str(value)


def characters(
    within: Within = None,
    as_json: AsJson = False,
    may_take: Annotated[
        str | None, typer.Option(metavar="CARD", help="Only those whose deckbuilding rules let them take this card.")
    ] = None,
) -> int:
    """List the characters and investigators of each game. Exit code 1 when there is none.

    Examples:
        kb characters
        kb characters --in mm
        kb characters --may-take "Holy Rosary"
    """
    return print_takers(may_take, within, as_json) if may_take else print_listed("characters", within, as_json)


def print_takers(card: str, within: str | None, as_json: bool) -> int:
    """Print the characters who may take a card, of the game or set that is asked for; returns the exit code."""
    with session_here() as session:
        scope = session.place(within).within or ""
        takers = [
            (row, may)
            for row, may in session.card_lists.who_may_take(card)
            if not scope or scope in (row.game, f"{row.game}/{row.set}")
        ]
        cells = [[row.name, row.subtitle, row.set, "" if may else "depends on a choice", row.id] for row, may in takers]
        print_found([row for row, _ in takers], rows_lines(["name", "", "set", "", "id"], cells), as_json)
        if not takers:
            tell(f"Nobody here may take {card!r}.")
        return 0 if takers else 1


def scenarios(within: Within = None, as_json: AsJson = False) -> int:
    """List the scenarios of each game that has any. Exit code 1 when there is none.

    Examples:
        kb scenarios
        kb scenarios --in rotr
    """
    return print_listed("scenarios", within, as_json)


def print_listed(what: str, within: str | None, as_json: bool) -> int:
    """Print a list of the games and sets that are asked for, or of the chosen one; returns the exit code."""
    with session_here() as session:
        place = session.place(within)
        scope = place.within or place.chosen or ""
        rows = queries.who_plays(session.catalog) if what == "characters" else queries.scenarios(session.catalog)
    of_set = [row for row in rows if f"{row.game}/{row.set}" == scope]
    rows = of_set or [row for row in rows if not scope or row.game == scope.partition("/")[0]]
    cells = [[row.name, row.subtitle, row.set, row.game, row.id] for row in rows]
    print_found(rows, rows_lines(["name", "", "set", "game", "id"], cells), as_json)
    if not rows:
        tell(f"No {what} are listed here{f' of {scope}' if scope else ''}.")
    return 0 if rows else 1
