"""Cards by their facts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kb.frozen import frozen
from kb.jsonable import Jsonable
from kb.registry import games

if TYPE_CHECKING:
    from kb.catalog.queries import Listed
    from kb.catalog.reader import Catalog
    from kb.decks.games import DeckRules, MayHave

NO_TEXTS = "kb has no card texts to search. You can import texts for this machine only: `kb import --help`."


@frozen
class Cards(Jsonable):
    """The cards that a query asks for."""

    query: str
    """The query."""
    total: int
    """How many cards fit."""
    unknown: dict[str, int]
    """Of how many of them a fact that was asked about is unknown, by field."""
    cards: list[dict[str, Any]]
    """The first of them: id, game, set, number, and all keys of each card's record."""
    notes: list[str]
    """Of a query `for:NAME`: by which rule, what was taken for granted, what is open."""
    read_as: str | None = None
    """The query that plain words were read as; null where they were taken as they stand."""
    unread: tuple[str, ...] = ()
    """Plain words that say nothing to us."""


class CardLists:
    """The cards of a catalog, to be asked for by their facts. Without `files` no deck file that a query names is opened."""

    def __init__(self, catalog: Catalog, rules: DeckRules, files: bool) -> None:
        self._catalog, self._rules, self._files = catalog, rules, files
        self._cards = list(cards_with_all(catalog))

    def asked(self, query: str, limit: int | None, chosen: str | None = None) -> Cards:
        """The cards (the first `limit` of them) that fit a query. Raises CardQueryError.

        A query without operators whose words no card has in its name is read as a description (kb.retrieval.card_words) of the cards of the
        game or set that is `chosen`.
        """
        from kb.retrieval.card_words import read_words
        from kb.retrieval.cards import ASKS, CardQueryError

        if ASKS.search(query):
            return self._asked(query, limit)
        try:
            answer = self._asked(query, limit)
        except CardQueryError:  # `or` without a word beside it, which a description may well have
            answer = Cards(query, 0, {}, [], [])
        game, _, within = (chosen or "").partition("/")
        of_game = [card for card in self._cards if card["game"] == game] if game else self._cards
        of_set = [card for card in of_game if card["set"] == within] if within else []
        reading = read_words(query, of_set or of_game)
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
        from kb.retrieval.cards import FOR, asked_for, parse_query, unknown_among

        terms = {term for about in games().values() for term in about.asks}
        who, situation = asked_for(query, terms)
        character = self._may_have(who, situation) if who is not None else None
        wanted = parse_query(query, character, terms)
        matches = [card for card in self._cards if wanted(card)]
        unknown = unknown_among(query, matches)
        if character is not None and (open_cards := sum(character.may_have(card) is None for card in matches)):
            unknown[FOR] = open_cards
        notes = list(character.notes) if character is not None else []
        if "text:" in query and not any("text" in card for card in self._cards):
            notes.append(NO_TEXTS)
        return Cards(query, len(matches), unknown, matches[:limit], notes)

    def who_may_take(self, name: str) -> list[tuple[Listed, bool | None]]:
        """Return the characters who may take a card, by name (`Shrivelling (3)` names a level) or id; None: it depends on a choice.

        Only games whose rules say what a character may have are asked. Raises CardQueryError when no card has the name.
        """
        from kb.catalog.queries import who_plays
        from kb.decks.games import AccessError, access_of
        from kb.decks.names import did_you_mean, name_key
        from kb.retrieval.cards import CardQueryError

        found = [card for card in self._cards if name_key(name) in _called(card)]
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
        """What a character of some game may have, by name or (with `files`) by deck file.

        Raises CardQueryError, DeckFileError, AccessError.
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
                    f"The cards of {about.title} are not in kb, so it cannot tell which ones {who} may take."
                )
            strange = [term for term in situation if term not in about.asks]
            character = part.access(file or who, {} if strange else situation, self._rules.game(about.id)[1])
            if character is not None and strange:
                known = ", ".join(about.asks)
                raise CardQueryError(f"{strange[0]} says nothing of characters of {about.title}; there are {known}.")
            if character is not None:
                return character
        hint = did_you_mean(who, [name for name, _ in characters(self._catalog)])
        raise CardQueryError(f"There is no character or investigator {who!r}.{hint}")


def _called(card: dict[str, Any]) -> set[str]:
    """Return the keys of the names by which a card is asked for: its name, with its level, its code and its id."""
    from kb.decks.names import name_key

    level = card.get("level")
    names = [f"{card['name']} ({level})"] if level else [card["name"]]
    return {*map(name_key, names), name_key(str(card.get("code", ""))), name_key(str(card.get("id", "")))} - {""}


def cards_with_all(catalog: Catalog) -> Iterator[dict[str, Any]]:
    """The cards, each with what a query may ask besides its own facts: what other records of its game tell of it (`beside` in `game.yaml`;
    texts only where the user has imported them), and whether an erratum or the list of taboos names it."""

    related = [
        (about.id, by, keys, {record["code"]: record for record in catalog.records(about.id, kind)})
        for about in games().values() for kind, joins in about.query.beside.items() for by, keys in joins.items()
    ]  # fmt: skip
    named = {flag: catalog.cards_named_by(kind) for flag, kind in (("errata", "erratum"), ("taboo", "taboo"))}
    for card in catalog.all_cards():
        for game, by, keys, records in related:
            if card["game"] == game and (record := records.get(card.get(by))) is not None:
                card.update({key: record[key] for key in keys if key in record})
        card.update({flag: True for flag, ids in named.items() if card["id"] in ids})
        yield card
