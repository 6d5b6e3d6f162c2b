"""kb as tools of an assistant (Model Context Protocol, over standard input and output): the JSON of the commands in fewer words."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from kb.api.decks import Deck
from kb.api.session import Session
from kb.catalog.postgres import without_secrets
from kb.errors import KbError
from kb.registry import games
from kb.settings import chosen_game
from kb.version import __version__
from kb.web.openapi import options as options_of
from kb.web.settings import LARGEST_BODY, LONGEST_QUESTION

PAGE = re.compile(r",? pp?\. ([\d, -]+)$")
CARD_FACTS = "kb's card facts"
# Of an entry, what an assistant has no use for, and the lists that may be long.
UNSAID = {"body", "covers", "aliases", "asked", "linked_from", "checks"}
LONG, MOST = {"rulings", "see", "same_card", "rulebooks", "bears_on"}, 10


def in_short(value: Any, key: str = "") -> Any:
    """JSON without what an assistant has no use for; each source is parted into document and page."""
    if isinstance(value, list):
        return [in_short(each) for each in (value[:MOST] if key in LONG else value)]
    if not isinstance(value, dict):
        return value
    short = {name: in_short(each, name) for name, each in value.items() if name not in UNSAID}
    if isinstance(source := short.get("source"), str):
        page = PAGE.search(source)
        short |= {"source": PAGE.sub("", source), "page": page[1] if page else None}
    return short


def card(facts: dict[str, Any]) -> dict[str, Any]:
    """What is known of a card; it is kb's own compilation."""
    known = {key: value for key, value in facts.items() if value not in (None, [], {}, "")}
    return {**known, "title": known.get("name", known["id"]), "source": CARD_FACTS, "page": None}


def search(session: Session, question: str, game: str | None, kind: str | None, limit: int) -> Any:
    """The entries that answer, each with the sentence that does."""
    return in_short(session.as_json(session.search(question, within=game, kind=kind, limit=limit)))


def ask(session: Session, question: str, game: str | None) -> dict[str, Any]:
    """The entry that answers for certain, whole; and the nearest."""
    answer = session.ask(question, within=game)
    return {"certain": answer.certain, **in_short(session.as_json(answer)), "answer": whole(answer.entry)}


def show(session: Session, name: str, game: str | None) -> dict[str, Any]:
    """An entry, a card or a list whole."""
    return dict(whole(session.show(name, within=game)) or {})


def whole(answer: Any) -> dict[str, Any] | None:
    """An entry, card, list or passage with its source."""
    if answer is None or "facts" not in answer:
        short = in_short(answer)
        return short if short is None or "source" in short else {**short, "source": short["title"], "page": None}
    facts = card(answer["facts"])
    return {
        **{key: facts[key] for key in ("id", "title", "source", "page")},
        "facts": facts,
        "entries": in_short(answer["entries"]),
    }


def cards(session: Session, query: str, limit: int) -> dict[str, Any]:
    """Cards by their facts, without those that are unknown."""
    answer = session.cards(query, limit=limit)
    return {**answer, "cards": [card(each) for each in answer["cards"]]}


def check_deck(session: Session, deck: str, options: dict[str, Any]) -> Any:
    """The report on a deck, each finding with the rule it cites."""
    report = Deck(deck, session=session).check(**options_of(options))
    return in_short(session.as_json(report))


INSTRUCTIONS = (
    "Rules of adventure card games ({games}), restated in plain words with their sources. Answer questions about these games "
    "from these tools, not from memory: `ask` first, then `search` for more, `show` for an entry or card whole. Name the id, "
    "source and page of what you answer with. Where `certain` is false, say so. `check_deck` judges a deck by the rules."
)
ONLY_READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)

Question = Annotated[str, Field(max_length=LONGEST_QUESTION, description="The question, in the player's own words.")]
Game = Annotated[
    str | None,
    Field(
        max_length=100,
        description="Only in this game or set, by any of its names; all: everywhere. Left out: the game that is played.",
    ),
]
RulesOf = Annotated[
    str | None,
    Field(
        max_length=100,
        description="By this edition of the game's rules (grimoire, faq). Left out: the one that is played, else the newest.",
    ),
]
Answer = dict[str, Any]


class Assistant:
    """The tools; `own`: the user's own rulebooks may be found too.

    One thread does one call after the other, each with a session of its own: the SDK's forty would hold the tables forty times.
    """

    def __init__(self, own: bool) -> None:
        self._own = own
        self._thread = ThreadPoolExecutor(1)

    def _done(self, work: Callable[[Session], Answer], rules: str | None = None) -> Answer:
        return self._thread.submit(self._answered, work, rules).result()

    def _answered(self, work: Callable[[Session], Answer], rules: str | None) -> Answer:
        try:
            with Session(chosen=chosen_game(), rules=rules, own=self._own, files=False) as session:
                return work(session)
        except KbError as error:
            raise ToolError(str(error)) from None
        except Exception as error:
            print(f"kb mcp: {type(error).__name__}: {without_secrets(error)[:300]!r}", file=sys.stderr)
            raise ToolError("This is a bug in kb; its log says more.") from None

    def ask(self, question: Question, game: Game = None, rules: RulesOf = None) -> Answer:
        """Answer a rules question: the entry that answers for certain, whole, with id, source and page; else the nearest entries."""
        return self._done(lambda session: ask(session, question, game), rules)

    def search(
        self,
        question: Question,
        game: Game = None,
        kind: Annotated[
            str | None, Field(max_length=40, description="Only this kind: rule, term, ruling, faq, card …")
        ] = None,
        limit: Annotated[int, Field(ge=1, le=20, description="How many at the most.")] = 5,
        rules: RulesOf = None,
    ) -> Answer:
        """Find rules, rulings, terms and cards, best first, each with the sentence that answers, its id, source and page."""
        return self._done(lambda session: search(session, question, game, kind, limit), rules)

    def show(
        self,
        name: Annotated[
            str, Field(max_length=LONGEST_QUESTION, description="A title, a card's name or code, or an id.")
        ],
        game: Game = None,
        rules: RulesOf = None,
    ) -> Answer:
        """Show an entry, a card or a list of entries whole, with its source and the rulings on it."""
        return self._done(lambda session: show(session, name, game), rules)

    def cards(
        self,
        query: Annotated[
            str,
            Field(
                max_length=LONGEST_QUESTION,
                description='Such as `type:weapon set:mm deck<=2 -trait:basic name:"flame staff"`.',
            ),
        ],
        limit: Annotated[int, Field(ge=1, le=100, description="How many at the most.")] = 20,
    ) -> Answer:
        """List cards by their facts: type, traits, level, set and more. A wrong field is told with those that there are."""
        return self._done(lambda session: cards(session, query, limit))

    def check_deck(
        self,
        deck: Annotated[
            str,
            Field(
                max_length=LARGEST_BODY,
                description="The text of a deck file: YAML, JSON of another program, or a list.",
            ),
        ],
        options: Annotated[
            dict[str, str | bool | list[str]] | None,
            Field(description='Options of `kb deck check` by name, such as {"taboo": "latest"}.'),
        ] = None,
    ) -> Answer:
        """Judge a deck by the rules of its game: each finding with what is wrong, what mends it, and the rule with its page."""
        return self._done(lambda session: check_deck(session, deck, options or {}))


def server(own: bool) -> MCPServer[Any]:
    """The tools as a server that speaks the protocol."""
    titles = ", ".join(about.title for about in games().values())
    made: MCPServer[Any] = MCPServer(
        "kb", version=__version__, instructions=INSTRUCTIONS.format(games=titles), log_level="ERROR"
    )
    offered = Assistant(own)
    for tool in (offered.ask, offered.search, offered.show, offered.cards, offered.check_deck):
        made.add_tool(tool, annotations=ONLY_READS)
    return made


def run(own: bool) -> None:
    """Serve the tools over standard input and output until the input ends."""
    server(own).run("stdio")
