"""What Tab completes values from: games, products, characters, titles and ids. `kb --install-completion` is Typer's own.

Each function takes what is typed so far and gives what it may become, with what that is. They read the catalog that is there: while a line
is being typed nothing is built, and what cannot be read completes nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kb.catalog.reader import Catalog

MOST = 60
Candidate = tuple[str, str]


def games(incomplete: str) -> list[Candidate]:
    """Games and sets by all their names, and `all`."""
    from kb.registry import games as all_games

    listed = [("all", "everywhere")]
    for about in all_games().values():
        listed.append((about.id, about.title))
        for scope, others in about.called.items():
            listed += [(scope, about.title), *((name, scope) for name in others if " " not in name)]
    return begun_so(incomplete, listed)


def editions(incomplete: str) -> list[Candidate]:
    """The editions of all games."""
    from kb.registry import games as all_games

    listed = [(edition.id, edition.title) for about in all_games().values() for edition in about.editions]
    return begun_so(incomplete, listed)


def characters(incomplete: str) -> list[Candidate]:
    """Characters and investigators of all games."""
    from kb.catalog.queries import characters as all_characters

    return begun_so(incomplete, read(all_characters))


def products(incomplete: str) -> list[Candidate]:
    """Codes of products and sets that cards are from."""
    from kb.catalog.queries import products as all_products

    return begun_so(incomplete, read(all_products))


def titles(incomplete: str) -> list[Candidate]:
    """Ids when the word has a slash, a folder at a time; else titles of entries and names of cards."""
    from kb.catalog import queries

    if "/" not in incomplete:
        return begun_so(incomplete, read(lambda catalog: queries.titles(catalog, incomplete, MOST)))
    candidates = read(lambda catalog: [(each, "") for each in queries.ids(catalog, incomplete)])
    if len(candidates) > MOST:
        start = len(incomplete)
        candidates = [(incomplete + "".join(each[start:].partition("/")[:2]), "") for each, _ in candidates]
    return begun_so(incomplete, candidates)


def begun_so(incomplete: str, listed: Iterable[Candidate]) -> list[Candidate]:
    """Those of a list that go on from what is typed, whatever its capitals and accents, which stay as they were typed."""
    from kb.retrieval.analysis import folded

    typed, size = folded(incomplete), len(incomplete)
    matches: dict[str, str] = {}
    for name, what in listed:
        if folded(name[:size]) == typed:
            matches.setdefault(incomplete + for_shell(name[size:]), what)
        if len(matches) == MOST:
            break
    return list(matches.items())


def for_shell(rest: str) -> str:
    """What completes a word as the shell must see it: Typer's script for bash puts it in the line as it is."""
    return re.sub(r"([\s'\"()&!])", r"\\\1", rest) if os.environ.get("_KB_COMPLETE") == "complete_bash" else rest


def read(question: Callable[[Catalog], list[Candidate]]) -> list[Candidate]:
    """What the catalog that was built last answers; nothing when there is none, or it cannot be read."""
    from kb.catalog.store import home, open_built, own_data, read_current

    with suppress(Exception):
        own = own_data()
        current = read_current(home(own))
        if current is not None:
            with open_built(own, current) as catalog:
                return question(catalog)
    return []
