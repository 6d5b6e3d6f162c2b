"""Queries that find cards by their facts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kb.frozen import frozen
from kb.registry import games
from kb.shapes import Jsonable

if TYPE_CHECKING:
    from kb.catalog.queries import Listed
    from kb.catalog.reader import Catalog
    from kb.decks.games import DeckRules, MayHave
    from kb.retrieval.card_words import CardWords

NO_TEXTS = "kb has no card texts to search. You can import texts for this machine only: `kb import --help`."

VALUE = re.compile(r"[:=]\"?([^\s\"]+)")
"""A value in a query for cards."""


@frozen
class Cards(Jsonable):
    """The cards that match a query."""

    query: str
    """The query."""
    total: int
    """The number of matching cards."""
    unknown: dict[str, int]
    """For each field, the number of matching cards whose fact is unknown."""
    cards: list[dict[str, Any]]
    """The first matching cards: id, game, set (the set or product), number, and all keys of each card's record."""
    notes: list[str]
    """Notes on the query. For `for:NAME`, they are the rule used, the assumptions made and the open questions."""
    read_as: str | None = None
    """The query that plain words were translated to; null if they were used unchanged."""
    unread: tuple[str, ...] = ()
    """Plain words that kb did not understand."""


def newer_than_facts(query: str) -> str | None:
    """Return a sentence if a query for cards, or a value in it, names a product or card code that is newer than the
    card data.
    """
    asked = [query, *VALUE.findall(query)]
    return next(filter(None, (about.newer_than_facts(text) for about in games().values() for text in asked)), None)


class CardLists:
    """The cards of a catalog, for queries by their facts. If `files` is False, deck files named in a query are not
    opened.
    """

    def __init__(self, catalog: Catalog, rules: DeckRules, files: bool) -> None:
        self._catalog, self._rules, self._files = catalog, rules, files
        self._cards = list(cards_with_all(catalog))
        self._words: dict[str | None, CardWords] = {}  # by the game or set chosen

    def asked(self, query: str, limit: int | None, chosen: str | None = None) -> Cards:
        """Return the cards that match a query, at most `limit` of them. Raises CardQueryError if the query cannot be
        read.

        A query without operators is read as a description (kb.retrieval.card_words) if no card's name contains its
        words. kb then looks for the described cards in the game or set `chosen`.
        """
        from kb.retrieval.card_words import CardWords
        from kb.retrieval.cards import ASKS, CardQueryError

        if newer := newer_than_facts(query):
            found = self._asked(query, limit) if ASKS.search(query) else Cards(query, 0, {}, [], [])
            return replace(found, notes=[*found.notes, newer])
        if ASKS.search(query):
            return self._asked(query, limit)
        try:
            answer = self._asked(query, limit)
        except CardQueryError:  # `or` without a word next to it, which is possible in a description
            answer = Cards(query, 0, {}, [], [])
        game, _, within = (chosen or "").partition("/")
        of_game = [card for card in self._cards if card["game"] == game] if game else self._cards
        of_set = [card for card in of_game if card["set"] == within] if within else []
        if chosen not in self._words:
            self._words[chosen] = CardWords(of_set or of_game)
        reading = self._words[chosen].read(query)
        place = f" game={game}{f' set={within}' if of_set else ''}" if game else ""
        described = f"{reading.query}{place}" if reading.query else ""
        if answer.total and (reading.unread or not described or " or " not in query):
            if described and not reading.unread:
                answer.notes.append(
                    f"These cards have the words in their names. To search by description: kb cards '{described}'"
                )
            return answer
        if not described:
            return replace(answer, unread=reading.unread or tuple(query.split()))
        answer = self._asked(described, limit)
        if reading.texts:
            answer.notes.append(NO_TEXTS)
        return replace(answer, query=query, read_as=described, unread=reading.unread)

    def _asked(self, query: str, limit: int | None) -> Cards:
        from kb.retrieval.cards import FOR, asked_for, parse_query, strange_values, unknown_among

        terms = {term for about in games().values() for term in about.asks}
        who, situation = asked_for(query, terms)
        character = self._may_have(who, situation) if who is not None else None
        wanted = parse_query(query, character, terms)
        matches = [card for card in self._cards if wanted(card)]
        unknown = unknown_among(query, matches)
        if character is not None and (open_cards := sum(character.may_have(card) is None for card in matches)):
            unknown[FOR] = open_cards
        notes = list(character.notes) if character is not None else []
        if not matches:
            notes += strange_values(query, self._cards)
        if "text:" in query and not any("text" in card for card in self._cards):
            notes.append(NO_TEXTS)
        return Cards(query, len(matches), unknown, matches[:limit], notes)

    def who_may_take(self, name: str) -> list[tuple[Listed, bool | None]]:
        """Return the characters who may take a card, each in a pair with True. If it depends on a choice whether a
        character may take the card, the pair has None instead of True.

        `name` is the name or the id of the card. `Shrivelling (3)` names a level; a name without a level means the
        lowest one. The result covers only games whose rules say which cards a character may have. Raises CardQueryError
        if no card has the name.
        """
        from kb.catalog.queries import who_plays
        from kb.decks.games import AccessError, access_of
        from kb.decks.names import did_you_mean, name_key
        from kb.retrieval.cards import CardQueryError

        found = [card for card in self._cards if name_key(name) in _called(card)]
        if not found and (alike := [card for card in self._cards if name_key(card["name"]) == name_key(name)]):
            lowest = min(card.get("level") or 0 for card in alike)
            found = [card for card in alike if (card.get("level") or 0) == lowest]
        if not found:
            raise CardQueryError(
                f"There is no card {name!r}.{did_you_mean(name, (card['name'] for card in self._cards))}"
            )
        takers = []
        for row in who_plays(self._catalog):
            cards = [card for card in found if card["game"] == row.game]
            part = access_of(row.game) if cards else None
            if part is None:
                continue
            facts = self._rules.game(row.game)[1]
            try:
                code = row.id.rpartition("/")[2]
                character = part.access(code, {}, facts) or part.access(row.name, {}, facts)
            except AccessError:  # a character without deckbuilding rules
                continue
            may = [character.may_have(card) for card in cards] if character else [False]
            if any(may) or None in may:
                takers.append((row, True if any(may) else None))
        return takers

    def _may_have(self, who: str, situation: dict[str, str]) -> MayHave:
        """Return the cards that the character `who` may have. `who` is a name from any game or, with `files`, a deck
        file. `situation` contains further terms of the query about the character.

        Raises CardQueryError, DeckFileError or AccessError if there is no such character or its cards are unknown.
        """
        from kb.catalog.queries import characters
        from kb.decks.deckfile import DECK_SUFFIXES
        from kb.decks.games import access_of, game_of
        from kb.decks.names import did_you_mean
        from kb.decks.reading import one_deck
        from kb.retrieval.cards import CardQueryError

        file = one_deck(who, None) if self._files and who.endswith(DECK_SUFFIXES) else None
        for about in [game_of(file)] if file is not None else [about for about in games().values() if about.asks]:
            part = access_of(about.id)
            if part is None:
                raise CardQueryError(
                    f"kb does not have the cards of {about.title}, so it does not know which ones {who} may take."
                )
            strange = [term for term in situation if term not in about.asks]
            character = part.access(file or who, {} if strange else situation, self._rules.game(about.id)[1])
            if character is not None and strange:
                known = ", ".join(about.asks)
                raise CardQueryError(f"{strange[0]}: does not apply to characters from {about.title}. Use {known}.")
            if character is not None:
                return character
        hint = did_you_mean(who, [name for name, _ in characters(self._catalog)])
        raise CardQueryError(f"There is no character or investigator {who!r}.{hint}")


def _called(card: dict[str, Any]) -> set[str]:
    """Return the normalized names that a query can use for a card: the card's name with its level, its code and its id."""
    from kb.decks.names import name_key

    level = card.get("level")
    names = [f"{card['name']} ({level})"] if level else [card["name"]]
    return {*map(name_key, names), name_key(str(card.get("code", ""))), name_key(str(card.get("id", "")))} - {""}


def cards_with_all(catalog: Catalog) -> Iterator[dict[str, Any]]:
    """Yield the cards, each with further data for queries.

    These data are values from other records of the game (`beside` in `game.yaml`), such as texts that the user
    imported. The key `errata` is True if an erratum names the card, and the key `taboo` is True if the taboo list
    names it.
    """

    related = [
        (about.id, by, keys, {record["code"]: record for record in catalog.records(about.id, kind)})
        for about in games().values()
        for kind, joins in about.query.beside.items()
        for by, keys in joins.items()
    ]
    named = {flag: catalog.cards_named_by(kind) for flag, kind in (("errata", "erratum"), ("taboo", "taboo"))}
    for card in catalog.all_cards():
        for game, by, keys, records in related:
            if card["game"] == game and (record := records.get(card.get(by))) is not None:
                card.update({key: record[key] for key in keys if key in record})
        card.update({flag: True for flag, ids in named.items() if card["id"] in ids})
        yield card
