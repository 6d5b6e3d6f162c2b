"""What a word on the command line may become: commands, options, ids, cards, characters, products and files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import typer

from kb.catalog import called
from kb.search.analysis import folded

MOST = 60
Candidate = tuple[str, str]


def candidates(words: list[str]) -> list[Candidate]:
    """What the last of the words after `kb` may become, each with what it is; none where a file is meant."""
    *before, begun = words
    command, path, rest = found_command(before)
    options = {
        name: each
        for each in command.params
        for name in (*each.opts, *each.secondary_opts)
        if each.param_type_name == "option"
    }
    last = rest[-1] if rest else ""
    if last in options and not options[last].is_flag:
        return listed(begun, of_metavar(options[last].metavar or "", options[last].name))
    if begun.startswith("-"):
        return [(name, each.help or "") for name, each in sorted(options.items()) if name.startswith(begun)][:MOST]
    below: dict[str, Any] = getattr(command, "commands", {})
    if below:
        from kb.cli.help import first_sentence

        return [
            (name, first_sentence(each)) for name, each in below.items() if name.startswith(begun) and not each.hidden
        ]
    asked = next((each.metavar or "" for each in command.params if each.param_type_name == "argument"), "")
    return listed(begun, of_metavar(asked.rstrip("."), path))


def found_command(words: list[str]) -> tuple[Any, str, list[str]]:
    """The command that words lead to, its words, and those left over."""
    from kb.cli import app, register_commands

    named = [word for word in words if not word.startswith("-")]
    register_commands(*named[:1])
    command: Any = typer.main.get_command(app)
    path, rest = "", list(words)
    while rest and rest[0] in getattr(command, "commands", {}):
        word = rest.pop(0)
        command, path = command.commands[word], f"{path} {word}".strip()
    return command, path, rest


def of_metavar(metavar: str, path: str) -> Callable[[str], Iterable[Candidate]] | None:
    """What an argument or option is completed from, by what its help calls it; None for files and free text."""
    if metavar == "GAME":
        return games
    if metavar in ("PRODUCT", "SET"):
        return products
    if metavar == "CHARACTER" or path == "investigator":
        return characters
    return names if path in ("show", "ask", "search", "cards") else None


def listed(begun: str, source: Callable[[str], Iterable[Candidate]] | None) -> list[Candidate]:
    """The candidates of a source that go on from `begun` (whatever its capitals and accents), in their order."""
    if source is None:
        return []
    wanted = folded(begun.lstrip("\"'"))
    found: dict[str, str] = {}
    for name, what in source(begun):
        if folded(name).startswith(wanted):
            found.setdefault(name, what)
        if len(found) >= MOST:
            break
    return list(found.items())


def games(_begun: str) -> Iterator[Candidate]:
    """Games and sets, and `all`."""
    from kb.games import games as all_games

    yield "all", "everywhere"
    for about in all_games().values():
        yield about.id, about.title
        for scope, others in about.called.items():
            yield scope, about.title
            yield from ((name, scope) for name in others if " " not in name)


def names(begun: str) -> Iterator[Candidate]:
    """Ids when the word has a slash, a folder at a time; else titles of entries and names of cards, and games."""
    with opened() as catalog:
        if "/" in begun:
            found = called.ids(catalog, begun)
            yield from (
                ((each, "") for each in found)
                if len(found) <= MOST
                else ((part, "") for part in dict.fromkeys(begun + next_part(each[len(begun) :]) for each in found))
            )
            return
        yield from called.titles(catalog, begun, MOST)
    yield from games(begun)
    if begun.startswith("for:"):
        for name, game in characters(begun):
            yield f"for:{name}", game


def next_part(rest: str) -> str:
    """What is left of an id up to its next slash, with that."""
    part, slash, _ = rest.partition("/")
    return part + slash


def characters(_begun: str) -> list[Candidate]:
    """Characters and investigators of all games."""
    with opened() as catalog:
        return called.characters(catalog)


def products(_begun: str) -> list[Candidate]:
    """Codes of products and sets that cards are from."""
    with opened() as catalog:
        return called.products(catalog)


def opened() -> Any:
    """The catalog in use: nothing is said, and nothing shown, while a line is being typed."""
    from kb.catalog.store import open_catalog

    return open_catalog()
