"""What things in the catalog are called: what a word that is being typed may become."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from kb.catalog.reader import Catalog

Named = list[tuple[str, str]]


class ListedJson(TypedDict):
    """A character, investigator or scenario."""

    id: str
    """Id of its card or entry; empty where it has none."""
    name: str
    """Its name."""
    subtitle: str
    """What stands below its name: a class, an adventure."""
    set: str
    """The product or set, where it is known."""
    game: str
    """Id of the game."""


def ids(catalog: Catalog, begun: str) -> list[str]:
    """The ids of entries and cards that begin so."""
    sql = "SELECT id FROM entry WHERE id LIKE ? UNION SELECT id FROM card WHERE id LIKE ? ORDER BY 1"
    return [str(row[0]) for row in catalog.rows(sql, (f"{begun}%",) * 2)]


def titles(catalog: Catalog, begun: str, most: int) -> Named:
    """Titles of entries, then names of cards, that begin so, short ones first, each with an id; at the `most` of both kinds."""
    found: Named = []
    for table, name in (("entry", "title"), ("card", "name")):
        sql = f"SELECT {name}, id FROM {table} WHERE {name} LIKE ? ORDER BY length({name}), {name} LIMIT {int(most)}"
        found += [(str(row[0]), str(row[1])) for row in catalog.rows(sql, (f"{begun}%",))]
    return found


def names(catalog: Catalog, place: str) -> list[str]:
    """Every title of an entry and name of a card below an id prefix, short ones first."""
    sql = "SELECT title FROM entry WHERE id LIKE ? UNION SELECT name FROM card WHERE id LIKE ?"
    return sorted((str(row[0]) for row in catalog.rows(sql, (f"{place}%",) * 2)), key=lambda name: (len(name), name))


def characters(catalog: Catalog) -> Named:
    """Characters and investigators, each with its game."""
    found = catalog.rows("SELECT name, game FROM character ORDER BY name")
    return [(str(name), str(game)) for name, game in found]


def products(catalog: Catalog) -> Named:
    """The codes of the products and sets that cards are from, each with its game."""
    found = catalog.rows('SELECT DISTINCT "set", game FROM card ORDER BY game DESC, "set"')
    return [(str(code), str(game)) for code, game in found]


def who_plays(catalog: Catalog) -> list[ListedJson]:
    """Characters and investigators: id, name, what stands below it, set, game; of a game without such cards its entries on characters."""
    found = catalog.rows('SELECT id, name, subtitle, "set", game FROM character ORDER BY game, "set", name')
    there = {row[4] for row in found}
    entries = catalog.rows("SELECT id, title, '', '', game FROM entry WHERE kind = 'character' ORDER BY game, title")
    return [_row(row) for row in [*found, *(row for row in entries if row[4] not in there)]]


def scenarios(catalog: Catalog) -> list[ListedJson]:
    """Scenarios: id (of its card, or of nothing), name, its adventure, set, game."""
    found = [_row(row) for row in catalog.rows("""SELECT id, name, subtitle, "set", game FROM card WHERE type = 'scenario'
        ORDER BY game, "set", code""")]  # fmt: skip
    for game in catalog.games():
        for adventure in catalog.records(game, "adventure"):
            above = f"{adventure['deck']}: {adventure['name']}"
            for part in adventure["scenarios"]:
                found.append(_row(("", part["name"], above, adventure["set"], game)))
    return found


def _row(values: Sequence[object]) -> ListedJson:
    exact_id, name, subtitle, within, game = (str(value or "") for value in values)
    return {"id": exact_id, "name": name, "subtitle": subtitle, "set": within, "game": game}
