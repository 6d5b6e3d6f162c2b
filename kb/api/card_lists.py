"""Cards by their facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

if TYPE_CHECKING:
    from kb.catalog.reader import Catalog
    from kb.decks.access import MayHave
    from kb.decks.table import Table


class CardsJson(TypedDict):
    """The cards that a query asks for."""

    query: Annotated[str, "The query."]
    total: Annotated[int, "How many cards fit."]
    unknown: Annotated[dict[str, int], "Of how many of them a fact that was asked about is unknown, by field."]
    cards: Annotated[
        list[dict[str, Any]], "The first of them: id, game, set, number, and all keys of each card's record."
    ]
    notes: Annotated[list[str], "Of a query `for:NAME`: by which rule, what was taken for granted, what is open."]


def cards_asked(
    cards: Iterable[dict[str, Any]], query: str, limit: int | None, ask: Callable[[str, dict[str, str]], MayHave]
) -> CardsJson:
    """The cards of `cards` (the first `limit` of them) that fit a query. Raises CardQueryError.

    `ask(who, said)` tells what a character may have (see `may_have`), and raises what that raises.
    """
    from kb.registry import games
    from kb.retrieval.cards import FOR, asked_for, parse_query, unknown_among

    terms = {term for about in games().values() for term in about.asks}
    who, said = asked_for(query, terms)
    character = ask(who, said) if who is not None else None
    wanted = parse_query(query, character, terms)
    found = [card for card in cards if wanted(card)]
    unknown = unknown_among(query, found)
    if character is not None and (open_cards := sum(character.may_have(card) is None for card in found)):
        unknown[FOR] = open_cards
    notes = list(character.notes) if character is not None else []
    return {"query": query, "total": len(found), "unknown": unknown, "cards": found[:limit], "notes": notes}


def may_have(catalog: Catalog, table: Table, who: str, said: dict[str, str], *, files: bool) -> MayHave:
    """What a character of some game may have, by name or (with `files`) by deck file.

    Raises CardQueryError, DeckFileError, AccessError.
    """
    from kb.catalog import called
    from kb.decks.access import access_of
    from kb.decks.deckfile import DECK_SUFFIXES, read_deck_file
    from kb.decks.games import game_of
    from kb.decks.names import did_you_mean
    from kb.registry import games
    from kb.retrieval.cards import CardQueryError

    file = read_deck_file(who) if files and who.endswith(DECK_SUFFIXES) else None
    for about in [game_of(file)] if file is not None else [about for about in games().values() if about.asks]:
        part = access_of(about.id)
        if part is None:
            raise CardQueryError(
                f"The cards of {about.title} are in no source here: nobody can tell what {who} may have."
            )
        strange = [term for term in said if term not in about.asks]
        found = part.access(file or who, {} if strange else said, table.game(about.id)[1])
        if found is not None and strange:
            known = ", ".join(about.asks)
            raise CardQueryError(f"{strange[0]} says nothing of characters of {about.title}; there are {known}.")
        if found is not None:
            return found
    hint = did_you_mean(who, [name for name, _ in called.characters(catalog)])
    raise CardQueryError(f"There is no character or investigator {who!r}.{hint}")
