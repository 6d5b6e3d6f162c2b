"""`kb search` without a query: a prompt that stays, with answers as you type."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from prompt_toolkit.application import Application, get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Always, Condition, Filter
from prompt_toolkit.formatted_text import ANSI, StyleAndTextTuples
from prompt_toolkit.history import FileHistory, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit, Layout, VSplit, Window
from prompt_toolkit.output import ColorDepth

from kb.api.searching import EVERYWHERE, NoSuchPlace, Place, scope_called
from kb.api.session import Session
from kb.catalog.queries import names
from kb.cli.results import about, fact_lines, lines_of, title_of, visible_marks, without_said
from kb.cli.terminal import closed, dim, readable, strong, styled, visible, width_of, wrapped
from kb.paths import settings_file
from kb.retrieval.engine import Hit
from kb.retrieval.suggest import completions

SHOWN, PAGE = 20, 8
# How much of what was typed may be gone on with by Tab, and how many ways are offered.
SHORTEST, OFFERED = 2, 30
# From this width on the answer stands beside the list, else below it.
WIDE, LIST_SHARE = 100, 0.42
EMPTY = "Type a question. Tab completes titles, cards and words; /NAME looks in another game; Up brings back earlier questions."
KEYS_LIST = "Enter opens · Tab · Up · /NAME · Esc"
KEYS_OPEN = "Space: read on · Esc: back"
# An item of a list.
LISTED = re.compile(r"\s*(?:[-*•]|\d+\.)\s")
ALWAYS = Always()


class SearchPrompt:
    """What is typed (`text`), found, chosen (`at`) and opened (an id, read from line `top` on), and the questions of before. Draws nothing."""

    def __init__(
        self,
        session: Session,
        looked: Place,
        kind: str | None = None,
        spoilers: bool | None = None,
        memory: Path | None = None,
    ) -> None:
        self.session, self.looked, self.kind, self.spoilers = session, looked, kind, spoilers
        self.text = self.said = ""
        self.hits: tuple[Hit, ...] = ()
        self.corrected: str | None = None
        self.opened: str | None = None
        self.last: str | None = None  # what was opened last
        self.at = self.top = 0
        self._history = FileHistory(str(memory)) if memory else InMemoryHistory()
        self._before = [*dict.fromkeys(self._history.load_history_strings())]  # the last one first
        self._back = self._way = 0
        self._ways: list[str] = []

    def typed(self, text: str) -> None:
        """Search for what is typed; what was opened is closed."""
        self.text, self.opened, self.said, self.at = text, None, "", 0
        if text not in self._ways:
            self._ways = []
        self.hits, self.corrected = (), None
        if len(text.strip()) >= SHORTEST and not self.is_command():
            looked = self.looked
            results = self.session.index.search(
                text.lstrip(), looked.within, self.kind, SHOWN, self.spoilers is not False,
                chosen=looked.chosen, anywhere=looked.anywhere, typing=True, rules=looked.rules,
            )  # fmt: skip
            self.hits, self.corrected = results.hits, results.corrected

    def is_command(self) -> bool:
        """Whether a command is typed and no question."""
        return self.text.lstrip().startswith("/")

    def chosen(self) -> Hit | None:
        """The hit that is chosen."""
        return self.hits[self.at] if self.hits else None

    def masked(self, hit: Hit) -> bool:
        """Whether a hit gives away what the user has not asked to see."""
        return hit.spoiler is not None and self.spoilers is None

    def move(self, by: int) -> None:
        """Choose the hit `by` places further down."""
        self.at = max(0, min(len(self.hits) - 1, self.at + by))

    def open(self) -> None:
        """Open the chosen hit, and keep the question for Up, also the next time."""
        hit = self.chosen()
        if hit is None:
            return
        self.opened = self.last = hit.id
        self.top = self._back = 0
        question = " ".join(self.text.split())
        if question not in self._before[:1]:
            self._before = [question, *(each for each in self._before if each != question)]
            with suppress(OSError):  # a disk that is full forgets it
                self._history.store_string(question)

    def close(self) -> bool:
        """Go back from what is opened to the question; False when nothing is."""
        was, self.opened = self.opened, None
        return was is not None

    def recall(self, back: int) -> str | None:
        """The question `back` further back than the one that stands there (-1: nearer); None when there is none."""
        now = self._back + back
        if not 0 <= now <= len(self._before):
            return None
        self._back = now
        return self._before[now - 1] if now else ""

    def complete(self, by: int = 1) -> str | None:
        """What Tab makes of the text: the next of the ways in which it may go on, at last what was typed; None when there are none."""
        if not self._ways:
            self._ways, self._way = [self.text, *self.ways()], 0
        self._way = (self._way + by) % len(self._ways)
        return self._ways[self._way] if len(self._ways) > 1 else None

    def ways(self) -> list[str]:
        """In what ways the text may go on: games after /, else titles and names of cards, then words that entries hold."""
        begun = self.text.lstrip().casefold()
        if self.is_command():
            games = [
                *(name for scope, called in self.session.index.called().items() for name in (scope, *called)),
                "all",
            ]
            listed = ["/game", "/quit", *(f"/game {game}" for game in games), *(f"/{game}" for game in games)]
        elif len(begun) < SHORTEST:
            return []
        else:
            listed = names(self.session.catalog, self.looked.within or self.looked.chosen or "")
        found = [each for each in listed if each.casefold().startswith(begun) and each.casefold() != begun]
        head, _, last = self.text.rpartition(" ")
        if not self.is_command() and len(last) >= SHORTEST:
            words = completions(last.casefold(), self.session.index.words)
            found += [f"{head} {word}".lstrip() for word in words]
        return list(dict.fromkeys(found))[:OFFERED]

    def command(self) -> bool:
        """Do what the typed command says; False when it says to leave."""
        name, _, rest = self.text.strip().lstrip("/").partition(" ")
        if name.casefold() in ("quit", "exit", "q"):
            return False
        asked = rest.strip() if name.casefold() in ("game", "in", "use") else f"{name} {rest}".strip()
        index = self.session.index
        said = f"/game NAME, or /NAME: {', '.join(index.called())} or all."
        try:
            if asked.casefold() in EVERYWHERE:
                self.looked, said = Place(), "Everywhere."
            elif asked:
                scope = scope_called(index, asked)
                self.looked, said = Place(chosen=scope), f"In {scope}, until you leave. kb use {scope} keeps it."
        except NoSuchPlace as error:
            said = str(error)
        self.typed("")
        self.said = said
        return True


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
        size = get_app().output.get_size()
        return ANSI("\n".join(screen(self.state, size.columns, size.rows - 1)))

    def put(self, text: str | None) -> None:
        """Put a text into the line, where there is one."""
        if text is not None:
            self.buffer.text = text
            self.buffer.cursor_position = len(text)

    def enter(self) -> None:
        """Open the chosen hit; do a command."""
        if not self.state.is_command():
            self.state.open()
        elif self.state.command():
            self.buffer.reset()
        else:
            get_app().exit()

    def escape(self) -> None:
        """Back to the question; from there leave."""
        if not self.state.close():
            get_app().exit()

    def up(self) -> None:
        """Choose the hit above; from the first one, the question before."""
        if self.state.at == 0:
            self.put(self.state.recall(1))
        else:
            self.state.move(-1)

    def read_on(self, by: int, pages: bool = False) -> None:
        """Go on in what is opened, by lines or pages."""
        self.state.top += by * (get_app().output.get_size().rows - 3 if pages else 1)

    def keys(self) -> KeyBindings:
        """What each key does, in the list and in what is opened."""
        bindings = KeyBindings()
        state = self.state
        reading = Condition(lambda: state.opened is not None)

        def on(*keys: str, do: Callable[[], None], when: Filter = ALWAYS) -> None:
            for key in keys:
                bindings.add(key, filter=when)(lambda _event: do())

        on("escape", do=self.escape)
        on("c-c", "c-d", "<sigint>", do=lambda: get_app().exit())
        on("c-p", do=lambda: self.put(state.recall(1)))
        on("c-n", do=lambda: self.put(state.recall(-1)))
        on("enter", do=self.enter, when=~reading)
        on("down", do=lambda: state.move(1), when=~reading)
        on("up", do=self.up, when=~reading)
        on("pagedown", do=lambda: state.move(PAGE), when=~reading)
        on("pageup", do=lambda: state.move(-PAGE), when=~reading)
        on("tab", do=lambda: self.put(state.complete()), when=~reading)
        on("s-tab", do=lambda: self.put(state.complete(-1)), when=~reading)
        on("down", "enter", do=lambda: self.read_on(1), when=reading)
        on("up", do=lambda: self.read_on(-1), when=reading)
        on("pagedown", " ", do=lambda: self.read_on(1, True), when=reading)
        on("pageup", do=lambda: self.read_on(-1, True), when=reading)
        return bindings


def run_prompt(session: Session, within: str | None, kind: str | None, spoilers: bool | None) -> str | None:
    """Show the prompt until the user leaves; the id of what was opened last, None when nothing was. Raises NoSuchPlace."""
    memory = settings_file().with_name("questions.txt")
    with suppress(OSError):
        memory.parent.mkdir(parents=True, exist_ok=True)
    state = SearchPrompt(session, session.place(within), kind, spoilers, memory)
    session.index.search("prepare", limit=1, typing=True)  # what every search needs is read before a key waits for it
    Prompt(state).application.run()
    return state.last


def screen(state: SearchPrompt, width: int, height: int) -> list[str]:
    """The lines below the question: `height` of them at most, the last of which says what keys do."""
    room = max(2, height - 1)
    lines = opened(state, width, room) if state.opened is not None else found(state, width, room)
    last = state.said or (KEYS_LIST if state.opened is None else KEYS_OPEN)
    return [*lines[:room], *[""] * (room - len(lines)), dim(last[:width])]


def found(state: SearchPrompt, width: int, room: int) -> list[str]:
    """The list of hits, and what the chosen one says."""
    if state.chosen() is None:
        nothing = len(state.text.strip()) >= SHORTEST and not state.is_command()
        return fit([dim("Nothing found. Try fewer or other words." if nothing else EMPTY)], width, 0)
    if width < WIDE:
        listing = hit_lines(state, width, max(3, room * 2 // 5))
        return [*listing, dim("─" * width), *pane_lines(state, width, room - len(listing) - 1)]
    left = int(width * LIST_SHARE)
    listing, pane = hit_lines(state, left, room), pane_lines(state, width - left - 2, room)
    listing += [""] * (len(pane) - len(listing))
    pane += [""] * (len(listing) - len(pane))
    return [
        f"{one}{' ' * (left + 2 - width_of(one))}{other}".rstrip() for one, other in zip(listing, pane, strict=True)
    ]


def hit_lines(state: SearchPrompt, width: int, room: int) -> list[str]:
    """The titles of hits, in a window around the chosen one."""
    blocks = [fit([dim(f"Searched for {state.corrected}")], width, 2)] if state.corrected else []
    here = len(blocks) + state.at
    for number, hit in enumerate(state.hits):
        title = visible(title_of(hit, state.masked(hit)))
        if number == state.at:
            blocks.append([f"\x1b[7m{line}\x1b[27m" for line in fit([f"> {title}"], width, 2)])
        else:
            blocks.append(closed(fit([f"  {strong(title)}  {dim(hit.kind)}"], width, 2)))
    start = 0
    while start < here and sum(map(len, blocks[start : here + 1])) > room:
        start += 1
    return [line for block in blocks[start:] for line in block][:room]


def pane_lines(state: SearchPrompt, width: int, room: int) -> list[str]:
    """What the chosen hit says: its answer, then its rule, as much as there is room for."""
    hit = state.chosen()
    if hit is None or room < 1:
        return []
    if state.masked(hit):
        return fit([dim(f"It gives away {hit.spoiler}. Enter shows it.")], width, 0)[:room]
    lines = fit([styled(visible_marks(hit.snippet)), dim(f"{about(hit)} · {hit.id}"), ""], width, 0)
    entry, card = state.session.catalog.entry(hit.id), state.session.catalog.card(hit.id)
    if entry is not None:
        for line in visible(readable(without_said(entry.body, hit.snippet))).split("\n"):
            lines += fit([line], width, 2 if LISTED.match(line) else 0)
    elif card is not None:
        lines += fit(fact_lines(card), width, 2)
    return lines if len(lines) <= room else [*lines[: room - 1], dim("… Enter shows the rest")]


def opened(state: SearchPrompt, width: int, room: int) -> list[str]:
    """What is opened, from the line that stands at the top; `top` is brought within it."""
    shown = state.session.get(state.opened or "")
    lines = fit(lines_of(dict(shown)), width, 2) if shown is not None else [f"{state.opened} is no longer there."]
    state.top = max(0, min(state.top, len(lines) - room))
    return lines[state.top : state.top + room]


def fit(lines: Iterable[str], width: int, hang: int) -> list[str]:
    """Lines, some of which hold several, wrapped to a width."""
    return [part for text in lines for line in text.split("\n") for part in wrapped(line, width, hang).split("\n")]
