"""The questions that other programs can ask. Each question is a function whose first argument is a session.

The addresses of the service and the tools for assistants are made from the signatures of these functions. The
signatures contain constraints and descriptions in Pydantic's form. No question can open a file by a name that the
caller sends.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from kb.api.card_lists import Cards
from kb.api.decks import Deck, Party
from kb.api.session import Session
from kb.api.showing import Answer, NotFound, Shown
from kb.decks.report import Report
from kb.frozen import frozen
from kb.retrieval.engine import Results
from kb.shapes import Jsonable, PrintedAs
from kb.version import __version__
from kb.web.settings import LONGEST_QUESTION

Text = Annotated[str, StringConstraints(max_length=LONGEST_QUESTION, pattern=r"^[^\x00-\x08\x0e-\x1f\x7f]*$")]
Words = Annotated[Text, StringConstraints(strip_whitespace=True, min_length=1)]
Question = Annotated[Words, Field(description="What you want to know, in the player's own words.")]
Game = Annotated[Text | None, Field(description="Search only this game, set or folder; `all` searches everything.")]
Edition = Annotated[
    Text | None,
    Field(description="The rules edition (grimoire, faq) [default: the edition in use, or the newest]."),
]
Kind = Annotated[Text | None, Field(description="Only entries of this kind (rule, term, ruling, faq, card …).")]
Spoilers = Annotated[bool, Field(description="Include entries that spoil a campaign.")]


@frozen
class Health(Jsonable):
    """The response of a running service to a health check."""

    kb: str
    """Version of kb."""


def search(
    session: Session,
    question: Question,
    game: Game = None,
    rules: Edition = None,
    kind: Kind = None,
    limit: Annotated[int, Field(ge=1, le=50, description="Maximum number of results.")] = 10,
    spoilers: Spoilers = True,
) -> Results:
    """Find rules, rulings, terms and cards, best first. Each result has the sentence that answers, and its id, source
    and page.
    """
    return session.search(question, within=game, kind=kind, limit=limit, spoilers=spoilers, rules=rules)


def ask(
    session: Session,
    question: Question,
    game: Game = None,
    rules: Edition = None,
    kind: Kind = None,
    spoilers: Spoilers = True,
) -> Answer:
    """Answer a rules question. If the answer is certain, return the whole entry with id, source and page. If not,
    return the nearest entries.
    """
    return session.ask(question, within=game, kind=kind, spoilers=spoilers, rules=rules)


def show(
    session: Session,
    name: Annotated[Words, Field(description="A title, a card's name or code, or an id.")],
    game: Game = None,
    rules: Edition = None,
) -> Shown:
    """Show a whole entry, card or list of entries, with its source and the rulings on it."""
    return session.show(name, within=game, rules=rules)


def entry(session: Session, id: str) -> Shown:
    """Show the entry, card or list with the given id."""
    shown = session.get(id.strip("/"))
    if shown is None:
        raise NotFound(f"There is no entry with the id {id[:200]!r}. To look up a name, use /show.")
    return shown


def cards(
    session: Session,
    query: Annotated[Words, Field(description='Such as `type:weapon set:mm deck<=2 -trait:basic name:"flame staff"`.')],
    limit: Annotated[int, Field(ge=1, le=1000, description="Maximum number of results.")] = 50,
) -> Annotated[dict[str, Any], PrintedAs(Cards)]:
    """List cards by their facts: type, traits, level, set and more. If a field is unknown, the error lists the known
    ones.
    """
    return session.cards(query, limit=limit)


def health(session: Session) -> Health:
    """Return kb's version, after checking that the index and the tables can be read."""
    session.search("mulligan")
    session.catalog.games()
    return Health(__version__)


def check_deck(session: Session, text: str, **options: Any) -> Report:
    """Check a deck against the rules of its game. The deck is the text of a file in any format that kb reads.

    Each finding says how to correct the deck, and which rule applies.
    """
    return Deck(text, session=session).check(**options)


def rebuild_party(
    session: Session,
    text: str,
    fill: Annotated[bool, Field(description="Also choose the cards from the box.")] = False,
) -> Any:
    """Rebuild the decks of a party after a scenario. The party is the text of a party file."""
    return Party(Deck(text), session=session).rebuild(fill=fill)
