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
            help="A title, name, code or id (mulligan, Holy Light, 01020).",
        ),
    ],
    within: Within = None,
    rules: ByRules = None,
    as_json: AsJson = False,
) -> None:
    """Print an entry, a card or a list: text, source, links and the deck checks that cite it.

    If the name is ambiguous, the matches are listed; on a terminal you can choose one.

    Examples:
        kb show mulligan
        kb show 01020
    """
    name = " ".join(entry).strip()
    with session_here() as session:
        answer = of_one(session.show, name, within, rules)
        print_found(answer, lines_of(answer), as_json, session.cites)


def of_one(question: Callable[..., Answer], name: str, within: str | None, rules: str | None) -> Answer:
    """Call `question` with a name and return the answer. If several entries have the name, a user at a terminal chooses
    one; otherwise, raises Ambiguous. Raises NotFound if nothing has the name.
    """
    try:
        return question(name, within=within, rules=rules)
    except Ambiguous as several:
        if not at_a_terminal():
            raise
        candidates = several.candidates
    listed = [f"{number:>2}  {title}  {dim(exact_id)}" for number, (exact_id, title) in enumerate(candidates, 1)]
    tell_all([f"{name!r} matches several entries:", *listed])
    close_page()
    number: int = typer.prompt("Which one", type=int, default=1)
    return question(candidates[max(1, min(len(candidates), number)) - 1][0], rules=rules)


def compare(
    rule: Annotated[list[str], typer.Argument(metavar="RULE...", autocompletion=titles, help="A title, name or id.")],
    within: Within = None,
    rules: ByRules = None,
    as_json: AsJson = False,
) -> None:
    """Compare a rule between editions or sets, and say what differs. Give a game to compare all its rules.

    The exit code is 1 if only one edition or set has the rule.

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
    """Yield the rules of a game that differ between editions or sets, each with the difference, as lines."""
    for each in entries:
        yield f"{strong(each['title'])}  {dim(each['id'])}"
        yield f"  {each['differs']}"


def comparison_lines(entries: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yield the text of a rule in each edition or set, with the difference, as lines."""
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
        typer.Argument(metavar="GAME", autocompletion=games, help="A game or set, or `all`."),
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option("--rules", metavar="EDITION", autocompletion=editions, help="The rules edition that you use."),
    ] = None,
) -> None:
    """Set your default game or set (`kb use all` clears it).

    Without a name it prints the current default. A question that names another game is still answered from that game. `--rules` sets
    the edition that searches and deck checks use; otherwise they use the newest.

    Examples:
        kb use rotr
        kb use --rules faq
    """
    try:
        choose(game, rules)
    except OSError as error:
        message = f"{paths.settings_file()}: cannot save the setting: {error.strerror or error}."
        raise KbError(message) from None


def choose(game: str | None, rules: str | None) -> None:
    """Save the default game and the edition of its rules. If only `rules` is given, the edition is saved for the game
    that has it. Raises KbError for an unknown name, and OSError if the settings cannot be written.
    """
    scope = None
    everywhere = game is not None and game.strip().casefold() in EVERYWHERE
    if game is not None and not everywhere:
        with session_here() as session:
            scope = scope_called(session.index, game)
    if rules is not None:
        of, edition = choose_edition(rules, scope.partition("/")[0] if scope else None)
        tell(f"Using {edition.title} for {of}. --rules, KB_RULES and `rules:` in a deck file override it.")
    if game is not None:
        choose_game(scope)
        message = "Now searching all games."
        tell(f"Now searching {scope}. --in all searches everything once; kb use all resets." if scope else message)
    elif rules is None:
        if wrong := damage():
            warn(wrong)
        tell(said_of(chosen_game()))


def said_of(chosen: str | None) -> str:
    """Return a sentence that names the default game, or says that kb no longer has it."""
    if chosen is None:
        return "No default game: searches cover all games. Set one with kb use GAME."
    with session_here() as session:
        if chosen in session.index.called():
            edition = chosen_edition(chosen.partition("/")[0])
            return f"Your default is {chosen}{f' ({edition.title})' if edition else ''}."
    return (
        f"kb does not have your default game {chosen!a}, so searches cover all games. Set another one with kb use GAME."
    )


def cards(
    context: typer.Context,
    query: Annotated[
        list[str],
        typer.Argument(
            metavar="QUERY...",
            autocompletion=titles,
            help="Terms such as type:weapon deck<=2 -trait:basic, or a description.",
        ),
    ],
    limit: Annotated[int, typer.Option(metavar="NUMBER", min=1, max=5000, help="Maximum number of cards.")] = 50,
    as_json: AsJson = False,
) -> int:
    """List cards by their facts.

    kb looks for words in the name. If no name contains them, it reads them as a description ("seeker assets level 0")
    and shows the query that it understood. FIELD:VALUE matches part of a field, FIELD=VALUE the whole field; <, <=, >
    and >= compare numbers. A minus excludes, `or` joins, brackets group, and FIELD:unknown finds cards whose fact is
    unknown.

    Fields: name, type, trait, set, deck, level, game, class, slot, cost, owner, loot, basic, elite, unique, pack,
    cycle, code, is, icon, willpower and the other skills (number of icons), uses, health, sanity, fast, taboo, errata,
    chapter, released, check, closes (closes:Wisdom<=8), and text (card texts that you imported). for:NAME or
    for:DECKFILE lists the cards that a character may take; is:upgrade keeps only upgrades of cards in the deck. With
    for:, you can add adventure: (the adventure being played), taboo: (a taboo list) and choice: (a choice at deck
    creation). Without for:, taboo:up finds the cards that the newest taboo list makes harder to include, taboo:down
    those that it makes easier to include, and taboo:changed those that it changes in another way.

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
        if named != words and not answer["total"]:  # not a name but a description: 'machete or knife', 'staff flame'
            answer = session.cards(words, limit=limit)
        print_found(answer, list_of_cards(answer, limit), as_json, session.cites)
    return 0 if answer["total"] else 1


def list_of_cards(answer: dict[str, Any], limit: int) -> Iterator[str]:
    """Yield the cards as a table. Lines before it say how kb understood the query, and lines after it say which facts
    are unknown.
    """
    if answer["read_as"]:
        yield f"Read as: {answer['read_as']}"
    if answer["unread"]:
        yield f"Not understood: {', '.join(answer['unread'])}. kb cards --help lists the fields."
    keys = ("name", "type", "set", "number", "traits", "id")
    names = ["deck/level" if key == "number" else key for key in keys]
    yield from rows_lines(names, [[cell(card.get(key)) for key in keys] for card in answer["cards"]])
    shown = f", the first {limit} shown (--limit)" if answer["total"] > limit else ""
    yield f"{counted(answer['total'], 'card')}{shown}."
    yield from answer["notes"]
    for field, count in answer["unknown"].items():
        if field == "for":
            yield f"For {count} of them, it is unknown or undecided whether the character may take them."
        else:
            yield f"For {count} of them, the {field} is unknown. -{field}:unknown leaves them out."


def rows_lines(names: list[str], rows: list[list[str]]) -> Iterable[str]:
    """Return rows as the lines of a table whose last column, the ids, is never cut. If the output is piped, the cells
    are separated by tabs.
    """
    if rows and is_terminal():
        return table_lines([names, *rows])
    return map("\t".join, rows)


def cell(value: object) -> str:
    """Return a value as the text of a table cell."""
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else "" if value is None else str(value)


def characters(
    within: Within = None,
    as_json: AsJson = False,
    may_take: Annotated[
        str | None, typer.Option(metavar="CARD", help="Only characters who may take this card.")
    ] = None,
) -> int:
    """List characters and investigators.

    Examples:
        kb characters
        kb characters --in mm
        kb characters --may-take "Holy Rosary"
    """
    return print_takers(may_take, within, as_json) if may_take else print_listed("characters", within, as_json)


def print_takers(card: str, within: str | None, as_json: bool) -> int:
    """Print the characters of the requested game or set who may take a card, and return the exit code."""
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
            tell(f"No character here may take {card!r}.")
        return 0 if takers else 1


def scenarios(within: Within = None, as_json: AsJson = False) -> int:
    """List scenarios.

    Examples:
        kb scenarios
        kb scenarios --in rotr
    """
    return print_listed("scenarios", within, as_json)


def print_listed(what: str, within: str | None, as_json: bool) -> int:
    """Print the characters or scenarios in the game or set `within` (default: the chosen game). Return the exit code."""
    with session_here() as session:
        place = session.place(within)
        scope = place.within or place.chosen or ""
        rows = queries.who_plays(session.catalog) if what == "characters" else queries.scenarios(session.catalog)
    of_set = [row for row in rows if f"{row.game}/{row.set}" == scope]
    rows = of_set or [row for row in rows if not scope or row.game == scope.partition("/")[0]]
    cells = [[row.name, row.subtitle, row.set, row.game, row.id] for row in rows]
    print_found(rows, rows_lines(["name", "", "set", "game", "id"], cells), as_json)
    if not rows:
        tell(f"kb has no {what}{f' for {scope}' if scope else ''}.")
    return 0 if rows else 1
