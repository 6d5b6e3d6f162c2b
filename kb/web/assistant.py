"""kb as tools of an assistant (Model Context Protocol, over standard input and output)."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from kb.api.session import Session
from kb.catalog.postgres import without_secrets
from kb.errors import KbError
from kb.registry import games
from kb.settings import chosen_game
from kb.version import __version__
from kb.web import tools
from kb.web.settings import LARGEST_BODY, LONGEST_QUESTION

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
ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[dD][89a-fA-F][0-9a-fA-F]{2}|.)", re.S
)


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
        return self._done(lambda session: tools.ask(session, question, game), rules)

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
        return self._done(lambda session: tools.search(session, question, game, kind, limit), rules)

    def show(
        self,
        name: Annotated[
            str, Field(max_length=LONGEST_QUESTION, description="A title, a card's name or code, or an id.")
        ],
        game: Game = None,
        rules: RulesOf = None,
    ) -> Answer:
        """Show an entry, a card or a list of entries whole, with its source and the rulings on it."""
        return self._done(lambda session: tools.show(session, name, game), rules)

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
        return self._done(lambda session: tools.cards(session, query, limit))

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
        return self._done(lambda session: tools.check_deck(session, deck, options or {}))


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
    sys.stdin = io.TextIOWrapper(io.BufferedReader(WholeCharacters(sys.stdin.buffer)), "utf-8", "replace")
    server(own).run("stdio")


class WholeCharacters(io.RawIOBase):
    """Lines of JSON with each half of a character (`"\\ud800"`) replaced: the SDK gives a message with one no answer at all."""

    def __init__(self, lines: IO[bytes]) -> None:
        self._lines, self._rest = lines, b""

    def readable(self) -> bool:
        """It is read."""
        return True

    def readinto(self, into: Any) -> int:
        """The next bytes, of one line at the most."""
        if not self._rest:
            self._rest = ESCAPE.sub(
                lambda found: b"\\ufffd" if len(found[0]) == 6 else found[0], self._lines.readline()
            )
        part, self._rest = self._rest[: len(into)], self._rest[len(into) :]
        into[: len(part)] = part
        return len(part)
