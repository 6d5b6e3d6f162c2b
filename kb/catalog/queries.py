"""Queries on the catalog: relations between entries, names, and the changes in each version of a document."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kb.authority import RULING_KINDS, rank
from kb.catalog.reader import Catalog, EntryView, PublishedDocument, marks
from kb.citation import Citation
from kb.frozen import frozen
from kb.registry import games
from kb.registry.editions import editions_of
from kb.shapes import Jsonable

_COLUMNS = "e.id, e.title, e.citation, e.kind, e.authority, e.data"


def rulings_on(catalog: Catalog, entry: EntryView) -> list[Citation]:
    """Return the rulings on an entry, by authority: those about its headings, and those with a link from or to it."""
    rows = catalog.rows(
        f"SELECT {_COLUMNS} FROM entry e "
        f"WHERE e.id IN (SELECT entry FROM covers WHERE about = 1 AND heading IN ({marks(entry.covers)})) OR e.kind = 'ruling'"
        " AND (e.id IN (SELECT entry FROM link WHERE target = ?) OR e.id IN (SELECT target FROM link WHERE entry = ? AND kind = 'see'))",
        (*entry.covers, entry.id, entry.id),
    )
    return _cited(row for row in _in_order(rows) if row[0] != entry.id)


def borne_on(catalog: Catalog, entry: EntryView) -> list[Citation]:
    """Return the entries that a ruling is about. These entries restate the headings in the key `about`."""
    wanted = entry.listed("about")
    rows = catalog.rows(
        "SELECT DISTINCT e.id, e.title, e.citation FROM covers c JOIN entry e ON e.id = c.entry "
        f"WHERE c.about = 0 AND c.heading IN ({marks(wanted)}) ORDER BY e.id",
        wanted,
    )
    return [Citation(*row) for row in rows if row[0] != entry.id]


def ruled_on(catalog: Catalog, card: dict[str, Any]) -> list[tuple[Citation, str, str]]:
    """Return the entries that name a card, by authority. `card` is a result of `Catalog.card`; entries that name
    another card of the same name are included.

    Each is a tuple of the citation, the kind, and the level or version that the entry is about. The last is empty if
    the entry is about this card or a reprint of it.
    """
    about: dict[str, str] = {}
    rows: list[tuple[Any, ...]] = []
    for target, words in [(str(card["id"]), ""), *_others(catalog, card)]:
        for row in _naming(catalog, [target]):
            about.setdefault(row[0], words)
            rows.append(row)
    return [(Citation(*row[:3]), row[3], about[row[0]]) for row in _in_order(rows)]


def sharing(catalog: Catalog, entry: EntryView) -> list[Citation]:
    """Return the other rulings, FAQ answers, errata and taboos on the cards of an entry, including other levels and
    printings of these cards.
    """
    cards: dict[str, None] = {}
    for card_id in entry.listed("cards"):
        cards[card_id] = None
        if (card := catalog.card(card_id)) is not None:
            cards |= dict.fromkeys(other for other, _words in _others(catalog, card))
    rows = _naming(catalog, list(cards))
    return _cited(row for row in _in_order(rows) if row[0] != entry.id and row[3] in RULING_KINDS)


def of_topic(catalog: Catalog, entry: EntryView) -> list[str]:
    """Return the ids of all entries of the game with the topic of `entry`, including the entry itself."""
    if not entry.topic:
        return [entry.id]
    rows = catalog.rows("SELECT id FROM entry WHERE game = ? AND topic = ? ORDER BY id", (entry.game, entry.topic))
    return [row[0] for row in rows]


def passages_on(catalog: Catalog, headings: Iterable[str]) -> list[Citation]:
    """Return the passages of the user's own rulebooks whose section is one of these `headings` of kb's outlines."""
    wanted = list(headings)
    rows = catalog.rows(
        "SELECT DISTINCT p.id, p.title, p.source FROM passagecovers c JOIN passage p ON p.id = c.passage "
        f"WHERE c.heading IN ({marks(wanted)}) ORDER BY p.id",
        wanted,
    )
    return [Citation(*row) for row in rows]


def restating(catalog: Catalog, passage_id: str) -> list[Citation]:
    """Return the entries that restate the heading of a passage in the user's own rulebook."""
    rows = catalog.rows(
        "SELECT DISTINCT e.id, e.title, e.citation FROM passagecovers p JOIN covers c ON c.heading = p.heading AND c.about = 0 "
        "JOIN entry e ON e.id = c.entry WHERE p.passage = ? ORDER BY e.id",
        (passage_id,),
    )
    return [Citation(*row) for row in rows]


def _others(catalog: Catalog, card: dict[str, Any]) -> list[tuple[str, str]]:
    rows = catalog.rows("SELECT id FROM card WHERE game = ? AND name = ? ORDER BY id", (card["game"], card["name"]))
    named = [other for (card_id,) in rows if (other := catalog.card(card_id)) is not None]
    products = product_names(catalog.records(str(card["game"]), "pack")) if len(named) > 1 else {}
    return [(other.id, other.words) for other in namesakes(card, named, products)]


def _naming(catalog: Catalog, cards: list[str]) -> list[tuple[Any, ...]]:
    return catalog.rows(
        f"SELECT {_COLUMNS} FROM link l JOIN entry e ON e.id = l.entry "
        f"WHERE l.kind = 'card' AND l.target IN ({marks(cards)})",
        cards,
    )


def _in_order(rows: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Remove repeated entries from rows, and sort the rows by authority."""

    def place(row: tuple[Any, ...]) -> tuple[int, str]:
        data = row[5] if isinstance(row[5], dict) else json.loads(row[5])
        return rank(row[3], row[4], bool(data.get("superseded_by")), data.get("signed")), str(row[0])

    return sorted({row[0]: row for row in rows}.values(), key=place)


def _cited(rows: Iterable[tuple[Any, ...]]) -> list[Citation]:
    return [Citation(*row[:3]) for row in rows]


@frozen
class Namesake:
    """Another card with the same name, or the other side of a card. `words` distinguish it, such as its subtitle,
    `level 2`, `its other side` or `number 02040, The Dunwich Legacy`. They are empty for another printing of the same
    card.
    """

    id: str
    words: str


def namesakes(
    card: Mapping[str, Any], named: Iterable[Mapping[str, Any]], products: Mapping[str, str]
) -> list[Namesake]:
    """Return the other cards in `named`, which all have the game and the name of `card`. Other printings come first,
    then different cards, by level and id.

    `products` contains the names of the game's products by code.
    """
    others = [Namesake(str(other["id"]), _words(card, other, products)) for other in named if other["id"] != card["id"]]
    return sorted(others, key=lambda other: (bool(other.words), other.words, other.id))


def product_names(packs: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the names of products by code. `packs` are the records of the products."""
    return {str(pack["code"]): str(pack["name"]) for pack in packs if "code" in pack and "name" in pack}


_ARTICLE = re.compile(r"\A(?:the|an?) ")


def _words(card: Mapping[str, Any], other: Mapping[str, Any], products: Mapping[str, str]) -> str:
    if _printed(card) == _printed(other):
        return ""
    if _is_back(card, other) or _is_back(other, card):
        return "its other side"
    if other.get("subtitle") and _compared(other["subtitle"]) != _compared(card.get("subtitle") or ""):
        return str(other["subtitle"])
    if other.get("level") is not None and other.get("level") != card.get("level"):
        return f"level {other['level']}"
    if not other.get("code"):
        return f"the card of {other['set']}"
    product = products.get(str(other["set"]), "") if other["set"] != card["set"] else ""
    return f"number {other['code']}{f', {product}' if product else ''}"


def _is_back(card: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return bool(card.get("back")) and card["back"] == other.get("code")


def _compared(subtitle: str) -> str:
    """Return a subtitle without capitals and without the article at its beginning, which do not tell cards apart."""
    return _ARTICLE.sub("", subtitle.casefold())


def _printed(card: Mapping[str, Any]) -> object:
    """Return a value that all printings of a card have in common: the number of the first printing."""
    return card.get("duplicate_of") or card.get("code") or card["id"]


Named = list[tuple[str, str]]


@frozen
class Listed(Jsonable):
    """A character, investigator or scenario."""

    id: str
    """Id of the card or entry; empty if there is none."""
    name: str
    """Name of the character, investigator or scenario."""
    subtitle: str
    """The text below the name: a class or an adventure."""
    set: str
    """The product or set, if known."""
    game: str
    """Id of the game."""


def ids(catalog: Catalog, begun: str) -> list[str]:
    """Return the ids of entries and cards that begin with `begun`."""
    sql = "SELECT id FROM entry WHERE id LIKE ? UNION SELECT id FROM card WHERE id LIKE ? ORDER BY 1"
    return [str(row[0]) for row in catalog.rows(sql, (f"{begun}%",) * 2)]


def titles(catalog: Catalog, begun: str, most: int) -> Named:
    """Return pairs of title and id for entries, then pairs of name and id for cards. The titles and names begin with
    `begun`. Within each kind, the shortest come first, and there are at most `most`.
    """
    matches: Named = []
    for table, name in (("entry", "title"), ("card", "name")):
        sql = f"SELECT {name}, id FROM {table} WHERE {name} LIKE ? ORDER BY length({name}), {name} LIMIT {int(most)}"
        matches += [(str(row[0]), str(row[1])) for row in catalog.rows(sql, (f"{begun}%",))]
    return matches


def characters(catalog: Catalog) -> Named:
    """Return the names of characters and investigators, each with its game's id."""
    rows = catalog.rows("SELECT name, game FROM character ORDER BY name")
    return [(str(name), str(game)) for name, game in rows]


def products(catalog: Catalog) -> Named:
    """Return the codes of all products and sets that contain cards, each with its game's id."""
    rows = catalog.rows('SELECT DISTINCT "set", game FROM card ORDER BY game DESC, "set"')
    return [(str(code), str(game)) for code, game in rows]


def who_plays(catalog: Catalog) -> list[Listed]:
    """Return the characters and investigators of all games. For a game without character cards, return its entries
    about characters.
    """
    rows = catalog.rows('SELECT id, name, subtitle, "set", game FROM character ORDER BY game, "set", name')
    games = {row[4] for row in rows}
    entries = catalog.rows("SELECT id, title, '', '', game FROM entry WHERE kind = 'character' ORDER BY game, title")
    return [_row(row) for row in [*rows, *(row for row in entries if row[4] not in games)]]


def scenarios(catalog: Catalog) -> list[Listed]:
    """Return the scenarios of all games. Scenarios of an adventure are in the order of play, with the adventure as
    subtitle.
    """
    of_cards = """SELECT id, name, subtitle, "set", game FROM card WHERE type = 'scenario' ORDER BY game, "set", code"""
    cards = [_row(row) for row in catalog.rows(of_cards)]
    ids = {(card.game, card.set, card.name): card.id for card in cards}
    of_adventures = []
    for game, adventure in _adventures(catalog):
        above = f"{adventure['deck']}: {adventure['name']}"
        for part in adventure["scenarios"]:
            card_id = ids.pop((game, adventure["set"], part["name"]), "")
            of_adventures.append(_row((card_id, part["name"], above, adventure["set"], game)))
    return [card for card in cards if (card.game, card.set, card.name) in ids] + of_adventures


def _adventures(catalog: Catalog) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the records of the adventures of all games, each with its game's id."""
    for game in catalog.games():
        for adventure in catalog.records(game, "adventure"):
            yield game, adventure


def adventures_called(catalog: Catalog, name: str) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the records of the adventures with this name, each with its game's id."""
    wanted = name.strip().casefold()
    return [(game, each) for game, each in _adventures(catalog) if each["name"].casefold() == wanted]


def _row(values: Sequence[object]) -> Listed:
    return Listed(*(str(value or "") for value in values))


@dataclass(slots=True)
class Version:
    """A version of a document: its `new` entries, its entries with new wording (`reworded`), and the entries that it
    `changed`, each with its former wording.
    """

    document: PublishedDocument
    version: str
    new: list[EntryView] = field(default_factory=list)
    reworded: list[EntryView] = field(default_factory=list)
    changed: list[tuple[EntryView, str]] = field(default_factory=list)


@dataclass(slots=True)
class Changes:
    """The versions of a game's documents, newest first. If one document replaced another, the versions of the new
    document come first.

    `document` is the newest document. `undated` contains the changes whose version is unknown, as entries with their
    former wording.
    """

    document: PublishedDocument
    versions: list[Version] = field(default_factory=list)
    undated: list[tuple[EntryView, str]] = field(default_factory=list)

    def newest(self) -> Version:
        """Return the changes of the newest version; an empty Version if no entry is from it."""
        document = self.document
        matches = (
            version for version in self.versions if (version.document, version.version) == (document, document.version)
        )
        return next(matches, Version(document, document.version or ""))


def changes(documents: Iterable[PublishedDocument], entries: Iterable[EntryView]) -> dict[str, Changes]:
    """Return the changes in the versions of each game's documents, by game. Games without such changes are left out.

    An entry is new in the version `source.since`, and has new wording in the version `reworded`. `history` contains its
    earlier wordings, each with the version (`since`) that changed it, if known. These versions belong to the entry's
    own document or, if that has no versions, to another document of its edition.
    """
    versioned: dict[str, dict[str, PublishedDocument]] = defaultdict(dict)
    for document in sorted(documents, key=lambda document: document.date or ""):
        if document.version:
            versioned[document.game][document.id] = document
    versions: dict[str, dict[tuple[str, str], Version]] = defaultdict(dict)
    undated: dict[str, list[tuple[EntryView, str]]] = defaultdict(list)

    def version_of(entry: EntryView, version: str) -> Version:
        document = _document_of(entry, versioned[entry.game])
        return versions[entry.game].setdefault((document.id, version), Version(document, version))

    for entry in entries:
        if entry.game not in versioned:
            continue
        if since := entry.data.get("source", {}).get("since"):
            version_of(entry, since).new.append(entry)
        if reworded := entry.data.get("reworded"):
            version_of(entry, reworded).reworded.append(entry)
        for item in entry.listed("history"):
            if item.get("since"):
                version_of(entry, item["since"]).changed.append((entry, item["text"]))
            else:
                undated[entry.game].append((entry, item["text"]))
    return {
        game: Changes(
            list(versioned[game].values())[-1], sorted(of_game.values(), key=_newest_last, reverse=True), undated[game]
        )
        for game, of_game in versions.items()
    }


@frozen
class Age(Jsonable):
    """The dates of the newest data on a game."""

    game: str
    """Id of the game."""
    document: str | None
    """The newest rules document with a version; null if no document has one."""
    document_date: str | None
    """Date of that document."""
    product: str | None
    """The newest product in the card data; null if release dates are unknown."""
    released: str | None
    """Release date of that product."""
    facts_of: str | None
    """Date of the card data; null if no newer product is known."""
    missing: list[str]
    """Products that are newer than the card data."""


def ages(catalog: Catalog) -> list[Age]:
    """Return the newest document and the newest product of each game. Games without dates are left out."""
    rows = []
    for game in sorted(catalog.games()):
        document, product = (
            newest_document(game, catalog.documents().values()),
            newest_product(catalog.records(game, "pack")),
        )
        called = f"{document.called} v{document.version}" if document else None
        about = games().get(game)
        newer = dict(about.newer) if about else {}
        facts_of = max((str(says["facts_of"]) for says in newer.values()), default=None)
        name, released = product or (None, None)
        age = Age(game, called, document.date if document else None, name, released, facts_of, list(newer))
        if age.document or age.product:
            rows.append(age)
    return rows


def newest_document(game: str, documents: Iterable[PublishedDocument]) -> PublishedDocument | None:
    """Return the document of a game with the latest date. Documents without a version or date do not count."""
    dated = [each for each in documents if each.game == game and each.version and each.date]
    return max(dated, key=lambda document: document.date or "", default=None)


def newest_product(packs: Iterable[Mapping[str, Any]]) -> tuple[str, str] | None:
    """Return the name and the release date of the latest product; `packs` are records of products (`name`,
    `released`).
    """
    dated = [(str(pack["released"]), str(pack["name"])) for pack in packs if pack.get("released")]
    released, name = max(dated, default=("", ""), key=lambda pair: pair[0])
    return (name, released) if name else None


def all_newer_facts(catalog: Catalog) -> list[str]:
    """Return the sentences of `newer_facts` for all games."""
    known = catalog.documents().values()
    sentences = (newer_facts(game, known, catalog.records(game, "pack")) for game in sorted(catalog.games()))
    return [sentence for sentence in sentences if sentence]


def newer_facts(game: str, documents: Iterable[PublishedDocument], packs: Iterable[Mapping[str, Any]]) -> str | None:
    """Return a sentence if the card data of a game are newer than its newest rules document; None if they are not.

    `packs` are the records of the game's products (`name`, `released`).
    """
    known, last = newest_document(game, documents), newest_product(packs)
    if known is None or known.date is None or last is None:
        return None
    name, released = last
    if released[: len(known.date)] <= known.date:
        return None
    return (
        f"The card data of {game} are newer than its rules: {name} was released on {released}, {known.called} v{known.version} on "
        f"{known.date}. Rules published since then are missing."
    )


def _document_of(entry: EntryView, versioned: dict[str, PublishedDocument]) -> PublishedDocument:
    """Return the document whose versions an entry names: its own document, another document of its edition, or else the
    oldest document.
    """
    own = entry.data.get("source", {}).get("doc")
    edition = next((each.documents for each in editions_of(entry.game) if own in each.documents), ())
    return next((versioned[each] for each in (own, *edition) if each in versioned), next(iter(versioned.values())))


def _newest_last(version: Version) -> tuple[str, float, str]:
    """Return a sort key that puts the newest document last. Version numbers are compared as decimals, as in the
    documents: 1.41 is between 1.4 and 1.5.
    """
    whole, _, part = version.version.partition(".")
    known = whole.isdecimal() and (not part or part.isdecimal())
    return (version.document.date or "", float(version.version) if known else 0.0, version.version)
