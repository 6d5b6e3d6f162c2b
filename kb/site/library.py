"""The data that the site shows, read once from the catalog: games, volumes, entries, cards, and the relations between
them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from kb import registry
from kb.authority import RULING_KINDS, rank
from kb.catalog.queries import Changes, changes, namesakes, product_names, restating
from kb.catalog.reader import Catalog, EntryView, HeadingView, PassageView, PublishedDocument
from kb.frozen import frozen
from kb.site.folder import SiteError

IN_ONE_FOLDER = 0.8
"""If at least this share of a source's entries is in one folder, the folder is a volume."""
Record = dict[str, Any]
"""A card, or a record of another kind, as stored in the catalog."""


@frozen
class Volume:
    """A part of the rules with its own table of contents: a whole game, or one set of a game that has several sets."""

    id: str
    game: str
    title: str
    source: str

    @property
    def set(self) -> str | None:
        """The set's code, such as `mm`. None for a whole game."""
        return self.id.split("/")[1] if "/" in self.id else None


class Library:
    """The contents of the catalog with all relations resolved. The contents are kept in memory, because thousands of
    pages need them.
    """

    def __init__(self, catalog: Catalog, games: Iterable[str] = (), own: Catalog | None = None) -> None:
        """Load the data of a catalog for a site.

        `games` are the ids or other names of the games to show; empty for all games. `own` is the catalog that includes
        the user's imported data, or None for a site without them. Raises SiteError for an unknown game.
        """
        titles = catalog.games()
        shown = known_games(titles, games) or set(titles)
        self.hash = catalog.hash
        self.headings = {heading.id: heading for heading in catalog.headings() if heading.game in shown}
        self.entries = {entry.id: entry for entry in catalog.entries() if entry.game in shown}
        many = Counter(entry.game for entry in self.entries.values())
        self.games = {game: titles[game] for game in sorted(shown, key=lambda game: (-many[game], game))}
        self.documents = catalog.documents()
        self.volumes = read_volumes(self.documents, self.games, self.headings, self.entries.values())
        self.tables = {key: table for key, table in catalog.lists().items() if table[0] in shown}
        self.cards: dict[str, Record] = {str(card["id"]): card for card in catalog.all_cards() if card["game"] in shown}
        self.records = {(game, kind): catalog.records(game, kind) for game, kind in catalog.kinds() if game in shown}
        self.links: dict[str, list[str]] = defaultdict(list)
        self.card_entries: dict[str, list[str]] = defaultdict(list)
        for linking, target, kind in catalog.links():
            listed = (self.card_entries if kind == "card" else self.links)[target]
            if linking in self.entries and linking not in listed:
                listed.append(linking)
        self.rulings: dict[str, list[str]] = defaultdict(list)
        for entry in self.entries.values():
            for heading in entry.listed("about"):
                self.rulings[heading].append(entry.id)
        self.formerly = {old: entry.id for entry in self.entries.values() for old in entry.listed("formerly")}
        self.own_changes = catalog.own_changes()
        self.checks: dict[str, list[tuple[str, Any]]] = {}
        """The deck checks that cite each entry, with the anchor of their ruleset (see kb.site.writing.cited_by)."""
        self.places: dict[str, list[tuple[str, str, str]]] = {}
        """The results of `kb.site.places.places_of` by volume. They are kept, because many pages use them."""
        self.own_passages: dict[str, PassageView] = {}
        self.own_cards: dict[str, Record] = {}
        self.restating: dict[str, list[str]] = {}
        """For each passage of the user's rulebooks, by id: the ids of the entries that restate its section."""
        if own:
            self.own_passages = {item.id: item for item in own.passages() if item.game in shown}
            self.own_cards = {
                str(card["id"]): card for card in own.all_cards() if "own" in card and card["game"] in shown
            }
            self.restating = {item: [entry.id for entry in restating(own, item)] for item in self.own_passages}

    def of_kind(self, game: str, kind: str) -> list[Record]:
        """Return a game's records of one kind, such as its packs. Empty if the game has none."""
        return self.records.get((game, kind), [])

    def cards_of(self, game: str) -> Iterator[Record]:
        """Yield the cards of a game."""
        return (card for card in self.cards.values() if card["game"] == game)

    def of_volume(self, volume: str) -> Iterator[EntryView]:
        """Yield the entries of a volume, in reading order."""
        return (entry for entry in self.entries.values() if self.volume_of(entry.id) == volume)

    def volume_of(self, entry_id: str) -> str:
        """Return the id of the volume that contains an entry. An entry outside all volumes, such as a ruling on two
        sets, belongs to its game.
        """
        parts = entry_id.split("/")
        longest = "/".join(parts[:2])
        return longest if longest in self.volumes else parts[0]

    def rulings_on(self, entry: EntryView) -> list[EntryView]:
        """Return the rulings on the headings that an entry covers, and the rulings that link to it or that it links to.
        Official rulings come first.
        """
        rulings = {ruling for heading in entry.covers for ruling in self.rulings.get(heading, ())}
        linked = {*entry.listed("see"), *self.links.get(entry.id, ())}
        rulings |= {other for other in linked if other in self.entries and self.entries[other].kind == "ruling"}
        rulings.discard(entry.id)
        return sorted((self.entries[item] for item in rulings), key=by_authority)

    def ruled_on(self, card_id: str) -> list[tuple[EntryView, str]]:
        """Return the entries that name a card, or another card with the same name, sorted by authority.

        Each entry comes with the words for the level or version that it names. The words are empty if the entry names
        this card or a reprint of it.
        """
        card = self.cards[card_id]
        about: dict[str, str] = {}
        for target, words in [
            (card_id, ""),
            *(
                (other.id, other.words)
                for other in namesakes(card, self.of_name(card), self._products[str(card["game"])])
            ),
        ]:
            for entry in self.card_entries.get(target, ()):
                about.setdefault(entry, words)
        return sorted(
            ((self.entries[entry], words) for entry, words in about.items()), key=lambda item: by_authority(item[0])
        )

    @cached_property
    def _products(self) -> dict[str, dict[str, str]]:
        """Names of products by code, for each game."""
        return {game: product_names(self.of_kind(game, "pack")) for game in self.games}

    def of_name(self, card: Record) -> list[Record]:
        """Return all cards of the same game with the same name as `card`, including `card`."""
        return [self.cards[other] for other in self.named.get(str(card["game"]), {}).get(str(card["name"]), ())]

    def sharing(self, entry: EntryView) -> list[EntryView]:
        """Return the rulings, questions, errata and taboos on the cards that an entry names, sorted by authority,
        without the entry itself.
        """
        cards = [card for card in entry.listed("cards") if card in self.cards]
        others = {
            other.id: other for card in cards for other, _words in self.ruled_on(card) if other.kind in RULING_KINDS
        }
        others.pop(entry.id, None)
        return sorted(others.values(), key=by_authority)

    @cached_property
    def named(self) -> dict[str, dict[str, tuple[str, ...]]]:
        """The ids of the cards with each name: by game, then by name."""
        by_name: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
        for card_id, card in self.cards.items():
            of_game, name = by_name[str(card["game"])], str(card["name"])
            of_game[name] = (*of_game.get(name, ()), card_id)
        return by_name

    @cached_property
    def covering(self) -> dict[str, list[EntryView]]:
        """The entries that cover each heading, by the heading's id."""
        by_heading: dict[str, list[EntryView]] = defaultdict(list)
        for entry in self.entries.values():
            for heading in entry.covers:
                by_heading[heading].append(entry)
        return by_heading

    @cached_property
    def sections(self) -> dict[tuple[str, str], set[str]]:
        """The names of all sections that contain headings, by game and document."""
        names: dict[tuple[str, str], set[str]] = defaultdict(set)
        for heading in self.headings.values():
            names[heading.game, heading.source].update(heading.section.split(" > "))
        return names

    def document_of(self, entry: EntryView) -> PublishedDocument | None:
        """Return the document that an entry restates. None if the document's date, or both its version and edition, are
        unknown.
        """
        document = self.documents.get((entry.game, str(entry.data.get("source", {}).get("doc"))))
        return document if document and document.date and (document.version or document.edition) else None

    @cached_property
    def changes(self) -> dict[str, Changes]:
        """The changes in each version of a game's FAQ, by game."""
        return changes(self.documents.values(), self.entries.values())

    @cached_property
    def topics(self) -> dict[str, list[EntryView]]:
        """The entries on the same rule in several volumes of a game, by `game/topic`. The entries are in the order of
        the volumes.
        """
        grouped: dict[str, list[EntryView]] = defaultdict(list)
        for entry in self.entries.values():
            if entry.topic and self.volume_of(entry.id) in self.volumes:
                grouped[f"{entry.game}/{entry.topic}"].append(entry)
        return {
            topic: sorted(entries, key=lambda entry: list(self.volumes).index(self.volume_of(entry.id)))
            for topic, entries in grouped.items()
            if len({self.volume_of(entry.id) for entry in entries}) > 1
        }


def by_authority(entry: EntryView) -> tuple[int, str]:
    """Return a sort key for rulings: by authority (see kb.authority), then by title."""
    return (
        rank(entry.kind, entry.authority, bool(entry.listed("superseded_by")), entry.data.get("signed")),
        entry.title,
    )


def known_games(titles: Mapping[str, str], names: Iterable[str]) -> set[str]:
    """Return the ids of the games in `names`, which are ids or other names. `titles` are the known games. Raises
    SiteError for an unknown name.
    """
    ids = {game.casefold(): game for game in titles}
    ids |= {
        name.casefold(): about.id for about in registry.games().values() for name in about.names if about.id in titles
    }
    for name in names:
        if name.casefold() not in ids:
            raise SiteError(f"games: there is no game {name}. Choose from {', '.join(sorted(titles))}.")
    return {ids[name.casefold()] for name in names}


def read_volumes(
    documents: Mapping[tuple[str, str], PublishedDocument],
    games: Mapping[str, str],
    headings: Mapping[str, HeadingView],
    entries: Iterable[EntryView],
) -> dict[str, Volume]:
    """Return the volumes of all games by id: one for each source with an outline.

    If a game has several such sources, the volume of a source is the folder that contains nearly all entries of the
    source. If no folder does, the volume is the game itself.
    """
    outlined = Counter((heading.game, heading.source) for heading in headings.values())
    several = Counter(game for game, _source in outlined)
    folders: dict[str, Counter[str]] = defaultdict(Counter)
    for entry in entries:
        for covered in entry.covers[:1]:
            if covered in headings:
                folders[headings[covered].source]["/".join(entry.id.split("/")[:2])] += 1
    volumes: dict[str, Volume] = {}
    length: dict[str, int] = {}
    for (game, source), number in outlined.items():
        title, counts = documents[game, source].title, folders[source]
        folder, most = counts.most_common(1)[0] if counts else ("", 0)
        if several[game] > 1 and not counts:
            continue
        if several[game] > 1 and most >= IN_ONE_FOLDER * counts.total():
            volume = Volume(folder, game, title.removesuffix(" rulebook"), title)
        else:
            volume = Volume(game, game, games[game], title)
        volumes[volume.id], length[volume.id] = volume, number
    # Older sets come first: later rulebooks of a game have more headings.
    return dict(sorted(volumes.items(), key=lambda item: (item[1].game, length[item[0]], item[0])))
