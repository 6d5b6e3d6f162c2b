"""`kb search` without a query: a prompt that lists hits below the line as you type. Enter prints the answer."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator
from contextlib import suppress

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory
from prompt_toolkit.output import ColorDepth

from kb.api.searching import EVERYWHERE, NoSuchPlace, scope_called
from kb.api.session import Session
from kb.cli.results import about, answer_lines, lines_of, title_of
from kb.cli.terminal import tell, tell_all, visible
from kb.paths import settings_file
from kb.retrieval.answer import plain
from kb.retrieval.engine import Hit

SHOWN, SHORTEST = 20, 2
QUIT = ("/quit", "/exit", "/q")
EMPTY = (
    "Type a question and press Enter. Tab or Down selects a hit, Enter opens it. Up: earlier questions. "
    "/NAME: another game. Ctrl-D: leave."
)


class Hits(Completer):
    """Completes a question with its hits, and completes a word after a slash with the names of games. `hits` contains
    the latest hits by title.
    """

    def __init__(self, session: Session, within: str | None, kind: str | None, spoilers: bool | None) -> None:
        self.session, self.within, self.kind, self.spoilers = session, within, kind, spoilers
        self.hits: dict[str, Hit] = {}
        self.said = EMPTY

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """Yield the hits for the text typed so far, best first."""
        text = document.text.lstrip()
        self.hits, self.said = {}, EMPTY
        if text.startswith("/"):
            called = self.session.index.called()
            for name in ("all", "quit", *(name for scope, others in called.items() for name in (scope, *others))):
                if name.casefold().startswith(text[1:].casefold()):
                    yield Completion(f"/{name}", -len(document.text))
            return
        if len(text) < SHORTEST:
            return
        looked = self.session.place(self.within)
        results = self.session.index.search(
            text,
            looked.within,
            self.kind,
            SHOWN,
            self.spoilers is not False,
            chosen=looked.chosen,
            anywhere=looked.anywhere,
            typing=True,
            rules=looked.rules,
        )
        if not results.hits:
            self.said = "Nothing found. Try fewer or different words."
        for number, hit in enumerate(results.hits, 1):
            title = visible(title_of(hit, self.masked(hit)))
            title = f"{title} ({number})" if title in self.hits else title
            self.hits[title] = hit
        for title, hit in self.hits.items():
            yield Completion(title, -len(document.text), display_meta="" if self.masked(hit) else about(hit))

    def masked(self, hit: Hit) -> bool:
        """Return True if a hit is a spoiler that the user has not asked for."""
        return hit.spoiler is not None and self.spoilers is None

    def below(self) -> str:
        """Return the text below the line: the text of the selected or best hit. If the line is empty, return the help
        on keys.
        """
        line, width = get_app().current_buffer, get_app().output.get_size().columns
        if not line.text:
            self.hits, self.said = {}, EMPTY
        chosen = line.complete_state.current_completion if line.complete_state else None
        return self.says(chosen.text if chosen else next(iter(self.hits), ""), width)

    def says(self, title: str, width: int) -> str:
        """Return the text of the hit called `title`, wrapped to `width` columns. If there is no such hit, return the
        current message.
        """
        hit = self.hits.get(title)
        message = self.said
        if hit is not None:
            snippet = f"Spoiler for {hit.spoiler}. Enter shows it." if self.masked(hit) else plain(hit.marked)
            message = f"{title}: {visible(snippet)}"
        return "\n".join(textwrap.wrap(message, width))

    def enter(self, text: str) -> None:
        """Open the selected hit, switch to another game, or answer the question."""
        if text.startswith("/"):
            tell(self.look_in(text[1:].removeprefix("game ").strip()))
        elif text in self.hits:
            entry = self.session.get(self.hits[text].id)
            tell_all(lines_of(entry) if entry is not None else ())
        elif text:
            answer = self.session.ask(text, within=self.within, kind=self.kind, spoilers=self.spoilers is not False)
            tell_all(answer_lines(answer, self.session.place(self.within), False, self.spoilers))

    def look_in(self, name: str) -> str:
        """Search the game called `name` from now on. Return a message that says so."""
        self.hits = {}
        if name.casefold() in EVERYWHERE:
            self.within = self.session.chosen = None
            return "Searching all games."
        try:
            scope = scope_called(self.session.index, name)
        except NoSuchPlace as error:
            return str(error)
        self.within, self.session.chosen = None, scope
        return f"Searching {scope} until you leave. kb use {scope} makes it your default."


def run_prompt(session: Session, within: str | None, kind: str | None, spoilers: bool | None) -> None:
    """Show the prompt and answer questions until the user leaves. Raises NoSuchPlace if `within` is unknown."""
    memory = settings_file().with_name("questions.txt")
    with suppress(OSError):
        memory.parent.mkdir(parents=True, exist_ok=True)
    session.place(within)
    session.index.search("prepare", limit=1, typing=True)  # read the data for searches before the first key is pressed
    hits = Hits(session, within, kind, spoilers)
    line: PromptSession[str] = PromptSession(
        completer=hits,
        complete_while_typing=True,
        history=FileHistory(str(memory)),
        bottom_toolbar=hits.below,
        color_depth=ColorDepth.DEPTH_1_BIT if os.environ.get("NO_COLOR") else None,
    )
    with suppress(EOFError, KeyboardInterrupt):
        while True:
            place = hits.within or session.chosen
            text = line.prompt(f"kb {place}> " if place else "kb> ").strip()
            if text in QUIT:
                return
            hits.enter(text)
