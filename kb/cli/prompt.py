"""`kb search` without a query: a prompt that stays, with answers as you type."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Always, Condition, Filter
from prompt_toolkit.formatted_text import ANSI, StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit, Layout, VSplit, Window
from prompt_toolkit.output import ColorDepth

from kb.api.session import Session
from kb.cli.prompt_state import SearchPrompt
from kb.cli.prompt_view import screen
from kb.paths import settings_file

PAGE = 8
WARM_AFTER = 2.0
ALWAYS = Always()


class Prompt:
    """The prompt on the screen: the line that is typed in, and what is below it."""

    def __init__(self, state: SearchPrompt) -> None:
        self.state = state
        self.buffer = Buffer(on_text_changed=lambda buffer: state.typed(buffer.text), multiline=False)
        line = VSplit([
            Window(FormattedTextControl(self.label), dont_extend_width=True, height=1),
            Window(BufferControl(self.buffer), height=1),
        ])  # fmt: skip
        self.application: Application[None] = Application(
            Layout(HSplit([line, Window(FormattedTextControl(self.below))])),
            key_bindings=self.keys(),
            full_screen=True,
            color_depth=ColorDepth.DEPTH_1_BIT if os.environ.get("NO_COLOR") else None,
        )
        self.application.timeoutlen = self.application.ttimeoutlen = 0.05

    def label(self) -> StyleAndTextTuples:
        """What stands before the question: where it looks."""
        place = self.state.looked.within or self.state.looked.chosen
        return [("bold", f"kb {place}> " if place else "kb> ")]

    def below(self) -> ANSI:
        """What is shown below the line."""
        size = self.application.output.get_size()
        return ANSI("\n".join(screen(self.state, size.columns, size.rows - 1)))

    def put(self, text: str | None) -> None:
        """Put a text into the line, where there is one."""
        if text is not None:
            self.buffer.text = text
            self.buffer.cursor_position = len(text)

    def enter(self, event: KeyPressEvent) -> None:
        """Open the chosen hit; do a command."""
        state = self.state
        if not state.is_command():
            state.open()
        elif not state.command():
            event.app.exit()
        else:
            said = state.said
            self.buffer.reset()
            state.typed("")
            state.said = said

    def escape(self, event: KeyPressEvent) -> None:
        """Back to the question; from there leave."""
        if not self.state.close():
            event.app.exit()

    def up(self) -> None:
        """Choose the hit above; from the first one, the question before."""
        if self.state.at == 0:
            self.put(self.state.recall(1))
        else:
            self.state.move(-1)

    def keys(self) -> KeyBindings:
        """What each key does, in the list and in what is opened."""
        bindings = KeyBindings()
        state = self.state
        reading = Condition(lambda: state.opened is not None)

        def on(*names: str, do: Callable[[KeyPressEvent], Any], when: Filter = ALWAYS) -> None:
            for name in names:
                bindings.add(name, filter=when)(do)

        def read_on(by: int, pages: bool = False) -> Callable[[KeyPressEvent], None]:
            def scroll(event: KeyPressEvent) -> None:
                state.top += by * (event.app.output.get_size().rows - 3 if pages else 1)

            return scroll

        on("enter", do=self.enter, when=~reading)
        on("escape", do=self.escape)
        on("c-c", "c-d", "<sigint>", do=lambda event: event.app.exit())
        on("down", do=lambda _event: state.move(1), when=~reading)
        on("up", do=lambda _event: self.up(), when=~reading)
        on("pagedown", do=lambda _event: state.move(PAGE), when=~reading)
        on("pageup", do=lambda _event: state.move(-PAGE), when=~reading)
        on("tab", do=lambda _event: self.put(state.complete()), when=~reading)
        on("s-tab", do=lambda _event: self.put(state.complete(-1)), when=~reading)
        on("c-p", do=lambda _event: self.put(state.recall(1)))
        on("c-n", do=lambda _event: self.put(state.recall(-1)))
        on("down", "enter", do=read_on(1), when=reading)
        on("up", do=read_on(-1), when=reading)
        on("pagedown", " ", do=read_on(1, True), when=reading)
        on("pageup", do=read_on(-1, True), when=reading)
        return bindings


def run_prompt(session: Session, within: str | None, kind: str | None, spoilers: bool | None) -> str | None:
    """Show the prompt until the user leaves; the id of what was opened last, None when nothing was. Raises NoSuchPlace."""
    memory = settings_file().with_name("questions.txt")
    state = SearchPrompt(session, session.place(within), kind, spoilers, memory)
    state.prepare()
    threading.Thread(target=warm, daemon=True).start()
    Prompt(state).application.run()
    return state.last


def warm() -> None:
    """Import what the first Enter needs, once the first letters have been typed: they must not wait for it."""
    time.sleep(WARM_AFTER)
    for name in ("rich.markdown", "kb.api.showing", "kb.decks.games"):
        import_module(name)
