"""Cards by their facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kb.frozen import frozen
from kb.jsonable import Jsonable
from kb.registry import games

if TYPE_CHECKING:
    from kb.catalog.reader import Catalog
    from kb.decks.games import DeckRules, MayHave

NO_TEXTS = (
    "No card texts are here to look into: `kb import --help` says whose can be brought in, for this machine only."
)


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


def cards_asked(
    cards: Iterable[dict[str, Any]],
    query: str,
    limit: int | None,
    ask: Callable[[str, dict[str, str]], MayHave],
    chosen: str | None = None,
) -> Cards:
    """The cards of `cards` (the first `limit` of them) that fit a query. Raises CardQueryError.

    A query without operators whose words no card has in its name is read as a description (kb.retrieval.card_words) of the cards of
    `chosen`, a game or set. `ask(who, said)` tells what a character may have (see `may_have`), and raises what that raises.
    """
    from kb.retrieval.card_words import read_words
    from kb.retrieval.cards import ASKS

    cards = list(cards)
    answer = _asked(cards, query, limit, ask)
    if ASKS.search(query):
        return answer
    game, _, within = (chosen or "").partition("/")
    of_game = [card for card in cards if card["game"] == game] if game else cards
    of_set = [card for card in of_game if card["set"] == within] if within else []
    reading = read_words(query, of_set or of_game)
    place = f" game={game}{f' set={within}' if of_set else ''}" if game else ""
    described = f"{reading.query}{place}" if reading.query else ""
    if answer.total and (reading.unread or not described or " or " not in query):
        if described and not reading.unread:
            answer.notes.append(
                f"These have the words in their names; as a description it would be: kb cards '{described}'"
            )
        return answer
    if not described:
        return replace(answer, unread=reading.unread)
    answer = _asked(cards, described, limit, ask)
    if reading.texts:
        answer.notes.append(NO_TEXTS)
    return replace(answer, query=query, read_as=described, unread=reading.unread)


def _asked(
    cards: list[dict[str, Any]], query: str, limit: int | None, ask: Callable[[str, dict[str, str]], MayHave]
) -> Cards:
    from kb.retrieval.cards import FOR, asked_for, parse_query, unknown_among

    terms = {term for about in games().values() for term in about.asks}
    who, situation = asked_for(query, terms)
    character = ask(who, situation) if who is not None else None
    wanted = parse_query(query, character, terms)
    matches = [card for card in cards if wanted(card)]
    unknown = unknown_among(query, matches)
    if character is not None and (open_cards := sum(character.may_have(card) is None for card in matches)):
        unknown[FOR] = open_cards
    notes = list(character.notes) if character is not None else []
    if "text:" in query and not any("text" in card for card in cards):
        notes.append(NO_TEXTS)
    return Cards(query, len(matches), unknown, matches[:limit], notes)


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


def may_have(catalog: Catalog, deck_rules: DeckRules, who: str, situation: dict[str, str], *, files: bool) -> MayHave:
    """What a character of some game may have, by name or (with `files`) by deck file.

    Raises CardQueryError, DeckFileError, AccessError.
    """
    from kb.catalog.queries import characters
    from kb.decks.deckfile import DECK_SUFFIXES
    from kb.decks.games import access_of, game_of
    from kb.decks.names import did_you_mean
    from kb.decks.reading import one_deck
    from kb.retrieval.cards import CardQueryError

    file = one_deck(who, None) if files and who.endswith(DECK_SUFFIXES) else None
    for about in [game_of(file)] if file is not None else [about for about in games().values() if about.asks]:
        part = access_of(about.id)
        if part is None:
            raise CardQueryError(
                f"The cards of {about.title} are in no source here: nobody can tell what {who} may have."
            )
        strange = [term for term in situation if term not in about.asks]
        character = part.access(file or who, {} if strange else situation, deck_rules.game(about.id)[1])
        if character is not None and strange:
            known = ", ".join(about.asks)
            raise CardQueryError(f"{strange[0]} says nothing of characters of {about.title}; there are {known}.")
        if character is not None:
            return character
    hint = did_you_mean(who, [name for name, _ in characters(catalog)])
    raise CardQueryError(f"There is no character or investigator {who!r}.{hint}")
