"""`kb search` without a query: a prompt with results as you type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit, Layout, VSplit, Window
from prompt_toolkit.styles import Style

from kb.api.places import Place
from kb.api.session import Session
from kb.search.answer import MARK
from kb.search.engine import Hit, SearchIndex

STYLE = Style.from_dict(
    {"chosen": "bg:#3b3f8c #ffffff", "dim": "#888888", "match": "bold", "title": "bold", "prompt": "bold #5c6bc0"}
)
SHOWN = 8


class SearchPrompt:
    """State of the prompt: what is typed, what was found, which hit is chosen."""

    def __init__(self, index: SearchIndex, looked: Place, kind: str | None, spoilers: bool | None) -> None:
        self.index, self.looked, self.kind, self.spoilers = index, looked, kind, spoilers
        self.hits: tuple[Hit, ...] = ()
        self.corrected: str | None = None
        self.at = 0
        self.buffer = Buffer(on_text_changed=lambda _buffer: self.look())

    def look(self) -> None:
        """Search for what is typed."""
        text = self.buffer.text.strip()
        self.at = 0
        if len(text) < 2:
            self.hits, self.corrected = (), None
            return
        looked = self.looked
        results = self.index.search(
            self.buffer.text.lstrip(), looked.within, self.kind, SHOWN, self.spoilers is not False,
            chosen=looked.chosen, anywhere=looked.anywhere, typing=True,
        )  # fmt: skip
        self.hits, self.corrected = results.hits, results.corrected

    def move(self, by: int) -> None:
        """Choose the hit `by` places further down."""
        self.at = max(0, min(len(self.hits) - 1, self.at + by))

    def lines(self) -> StyleAndTextTuples:
        """The results as formatted text."""
        shown: StyleAndTextTuples = []
        if self.corrected:
            shown.append(("class:dim", f"Searched for {self.corrected}\n"))
        for number, hit in enumerate(self.hits):
            style = "class:chosen" if number == self.at else "class:title"
            masked = hit.spoiler is not None and self.spoilers is None
            title = f"Spoiler for {hit.spoiler}" if masked else hit.title
            shown += [(style, f" {title} "), ("class:dim", f"  {hit.kind} · {hit.source}\n")]
            if number == self.at and not masked:
                shown += [("", "   "), *marked(hit.snippet), ("", "\n")]
        if not self.hits:
            empty = (
                "Nothing found."
                if len(self.buffer.text.strip()) > 1
                else "Type a question. Arrow keys choose, Enter opens, Esc leaves."
            )
            shown.append(("class:dim", empty))
        return shown


def marked(snippet: str) -> StyleAndTextTuples:
    """A snippet with its matched words in bold."""
    pieces: StyleAndTextTuples = []
    for part in snippet.split(MARK[0]):
        inside, sign, after = part.partition(MARK[1])
        pieces += [("class:match", inside), ("", after)] if sign else [("", inside)]
    return pieces


def keys(state: SearchPrompt) -> KeyBindings:
    """Arrow keys choose, Enter opens, Escape and Ctrl-C leave."""
    bindings = KeyBindings()

    def on(key: str, action: Callable[[KeyPressEvent], Any]) -> None:
        bindings.add(key)(action)

    on("down", lambda _event: state.move(1))
    on("up", lambda _event: state.move(-1))
    on("pagedown", lambda _event: state.move(SHOWN))
    on("pageup", lambda _event: state.move(-SHOWN))
    on("enter", lambda event: event.app.exit(result=state.hits[state.at].id if state.hits else None))
    for leave in ("escape", "c-c", "c-d", "<sigint>"):
        on(leave, lambda event: event.app.exit(result=None))
    return bindings


def run_prompt(session: Session, within: str | None, kind: str | None, spoilers: bool | None) -> str | None:
    """Show the prompt until the user opens an entry (its id is returned) or leaves (None). Raises NoSuchPlace."""
    looked = session.place(within)
    state = SearchPrompt(session.index, looked, kind, spoilers)
    shown = looked.within or looked.chosen
    label = f"kb {shown}> " if shown else "kb> "
    field = VSplit([
        Window(FormattedTextControl([("class:prompt", label)]), width=len(label), height=1),
        Window(BufferControl(state.buffer), height=1),
    ])  # fmt: skip
    body = HSplit([field, Window(FormattedTextControl(state.lines), wrap_lines=True)])
    application: Application[str | None] = Application(
        Layout(body), key_bindings=keys(state), style=STYLE, full_screen=False, erase_when_done=True
    )
    application.timeoutlen = application.ttimeoutlen = 0.05
    return application.run()
