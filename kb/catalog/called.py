"""What things in the catalog are called: what a word that is being typed may become."""

from __future__ import annotations

from kb.catalog.reader import Catalog

Named = list[tuple[str, str]]


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
