"""What other programs may ask. Each question is a function of a session whose signature says what it takes, as Pydantic checks and describes
it, and what it gives: the addresses of the service and the tools of an assistant are made of them. None opens a file that is named."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from kb.api.card_lists import Cards
from kb.api.decks import Deck, Party
from kb.api.session import Session
from kb.api.showing import Answer, NotFound, Shown
from kb.decks.report import Report
from kb.frozen import frozen
from kb.jsonable import Jsonable, PrintedAs
from kb.retrieval.engine import Results
from kb.version import __version__
from kb.web.settings import LONGEST_QUESTION

Text = Annotated[str, StringConstraints(max_length=LONGEST_QUESTION, pattern=r"^[^\x00-\x08\x0e-\x1f\x7f]*$")]
Words = Annotated[Text, StringConstraints(strip_whitespace=True, min_length=1)]
Question = Annotated[Words, Field(description="What you want to know, in the player's own words.")]
Game = Annotated[Text | None, Field(description="Search only this game, set or folder; `all` searches everything.")]
Edition = Annotated[
    Text | None,
    Field(description="Edition of the rules (grimoire, faq) [default: the one in use, or the newest]."),
]
Kind = Annotated[Text | None, Field(description="Only entries of this kind (rule, term, ruling, faq, card …).")]
Spoilers = Annotated[bool, Field(description="Include entries that spoil a campaign.")]


@frozen
class Health(Jsonable):
    """A service that answers."""

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
    """Find rules, rulings, terms and cards, best first, each with the sentence that answers, its id, source and page."""
    return session.search(question, within=game, kind=kind, limit=limit, spoilers=spoilers, rules=rules)


def ask(
    session: Session,
    question: Question,
    game: Game = None,
    rules: Edition = None,
    kind: Kind = None,
    spoilers: Spoilers = True,
) -> Answer:
    """Answer a rules question: the entry that answers for certain, whole, with id, source and page; else the nearest entries."""
    return session.ask(question, within=game, kind=kind, spoilers=spoilers, rules=rules)


def show(
    session: Session,
    name: Annotated[Words, Field(description="A title, a card's name or code, or an id.")],
    game: Game = None,
    rules: Edition = None,
) -> Shown:
    """Show an entry, a card or a list of entries whole, with its source and the rulings on it."""
    return session.show(name, within=game, rules=rules)


def entry(session: Session, id: str) -> Shown:
    """Show the entry, card or list with an id."""
    shown = session.get(id.strip("/"))
    if shown is None:
        raise NotFound(f"There is no entry with the id {id[:200]!r}; /show finds it by its name.")
    return shown


def cards(
    session: Session,
    query: Annotated[Words, Field(description='Such as `type:weapon set:mm deck<=2 -trait:basic name:"flame staff"`.')],
    limit: Annotated[int, Field(ge=1, le=1000, description="Maximum number of results.")] = 50,
) -> Annotated[dict[str, Any], PrintedAs(Cards)]:
    """List cards by their facts: type, traits, level, set and more. A wrong field is told with those that there are."""
    return session.cards(query, limit=limit)


def health(session: Session) -> Health:
    """Search the index and read a table; say which version of kb answers."""
    session.search("mulligan")
    session.catalog.games()
    return Health(__version__)


def check_deck(session: Session, text: str, **options: Any) -> Report:
    """Judge a deck, the text of a deck file in any format that kb reads: each finding with what mends it, and its rule with the page."""
    return Deck(text, session=session).check(**options)


def rebuild_party(
    session: Session,
    text: str,
    fill: Annotated[bool, Field(description="Also choose the cards from the box.")] = False,
) -> Any:
    """Rebuild the decks of a table after a scenario, given the text of a table file."""
    return Party(Deck(text), session=session).rebuild(fill=fill)
