"""Tab completion of games, products, characters, titles and ids. (`kb --install-completion` is Typer's own.)

Each function takes the typed text and returns candidates with an explanation. The functions read the existing catalog
and never build one. If the catalog cannot be read, they return nothing.
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
    """Complete the names of games and sets, and `all`."""
    from kb.registry import games as all_games

    listed = [("all", "everything")]
    for about in all_games().values():
        listed.append((about.id, about.title))
        for scope, others in about.called.items():
            listed += [(scope, about.title), *((name, scope) for name in others if " " not in name)]
    return begun_so(incomplete, listed)


def editions(incomplete: str) -> list[Candidate]:
    """Complete the editions of all games."""
    from kb.registry import games as all_games

    listed = [(edition.id, edition.title) for about in all_games().values() for edition in about.editions]
    return begun_so(incomplete, listed)


def characters(incomplete: str) -> list[Candidate]:
    """Complete characters and investigators of all games."""
    from kb.catalog.queries import characters as all_characters

    return begun_so(incomplete, read(all_characters))


def products(incomplete: str) -> list[Candidate]:
    """Complete codes of products and sets."""
    from kb.catalog.queries import products as all_products

    return begun_so(incomplete, read(all_products))


def titles(incomplete: str) -> list[Candidate]:
    """Complete ids, folder by folder, if the word has a slash; otherwise entry titles and card names."""
    from kb.catalog import queries

    if "/" not in incomplete:
        return begun_so(incomplete, read(lambda catalog: queries.titles(catalog, incomplete, MOST)))
    candidates = read(lambda catalog: [(each, "") for each in queries.ids(catalog, incomplete)])
    if len(candidates) > MOST:
        start = len(incomplete)
        candidates = [(incomplete + "".join(each[start:].partition("/")[:2]), "") for each, _ in candidates]
    return begun_so(incomplete, candidates)


def begun_so(incomplete: str, listed: Iterable[Candidate]) -> list[Candidate]:
    """Return the candidates that begin with the typed text. Case and accents are ignored; the typed part stays as
    typed.
    """
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
    """Escape `rest`, the part of a word after the typed text, because Typer's script for bash inserts it unchanged."""
    bash = "complete_bash" in {os.environ.get("_KB_COMPLETE"), os.environ.get("_CARDLORE_KB_COMPLETE")}
    return re.sub(r"([\s'\"()&!])", r"\\\1", rest) if bash else rest


def read(question: Callable[[Catalog], list[Candidate]]) -> list[Candidate]:
    """Return the candidates that `question` gets from the latest catalog; empty if there is no catalog or it cannot be
    read.
    """
    from kb.catalog.store import home, open_built, own_data, read_current

    with suppress(Exception):
        own = own_data()
        current = read_current(home(own))
        if current is not None:
            with open_built(own, current) as catalog:
                return question(catalog)
    return []
