"""What the prompt of `kb search` knows: what is typed, found, chosen and opened, and the questions of before. Draws nothing."""

from __future__ import annotations

from pathlib import Path

from kb.api.places import EVERYWHERE, NoSuchPlace, Place, scope_called
from kb.api.session import Session
from kb.catalog.called import names
from kb.retrieval.engine import Hit

SHOWN = 20
COMMANDS = ("/game", "/quit")
KEPT_QUESTIONS = 200
# How much of what was typed may be gone on with by Tab, and how many ways are offered.
SHORTEST, OFFERED = 2, 30


class SearchPrompt:
    """State of the prompt. `text` is what is typed; `at` the chosen hit; `opened` the entry or card that is read, from line `top` on."""

    def __init__(
        self,
        session: Session,
        looked: Place,
        kind: str | None = None,
        spoilers: bool | None = None,
        memory: Path | None = None,
    ) -> None:
        self.session, self.index, self.looked, self.kind, self.spoilers = session, session.index, looked, kind, spoilers
        self.memory = memory
        self.text = ""
        self.hits: tuple[Hit, ...] = ()
        self.corrected: str | None = None
        self.at = 0
        self.opened: str | None = None
        self.last: str | None = None  # what was opened last
        self.top = 0
        self.said = ""
        self.before = read_questions(memory)
        self._back: int | None = None  # how many questions back Up has gone
        self._ways: list[str] = []  # what Tab offers, and which of them stands there
        self._way = 0
        self._names: list[str] | None = None

    def prepare(self) -> None:
        """Read what every search needs, before the first key waits for it."""
        self.index.search("prepare", limit=1, typing=True)
        self.session.catalog.entry("")

    def typed(self, text: str) -> None:
        """Search for what is typed; what was opened is closed."""
        self.text, self.opened, self.said = text, None, ""
        if not self._ways or text != self._ways[self._way]:
            self._ways = []
        self.at = 0
        if len(text.strip()) < SHORTEST or self.is_command():
            self.hits, self.corrected = (), None
            return
        looked = self.looked
        results = self.index.search(
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
        """Open the chosen hit, and remember the question."""
        hit = self.chosen()
        if hit is not None:
            self.opened, self.last, self.top = hit.id, hit.id, 0
            self.remember()

    def close(self) -> bool:
        """Go back from what is opened to the question; False when nothing is."""
        was, self.opened = self.opened, None
        return was is not None

    def remember(self) -> None:
        """Keep the question for Up, also the next time; a disk that is full forgets it."""
        question = " ".join(self.text.split())
        self._back = None
        if not question or question == (self.before[-1] if self.before else ""):
            return
        others = [each for each in self.before if each != question]
        self.before = [*others[1 - KEPT_QUESTIONS :], question]
        if self.memory is not None:
            from kb.files.swap import write_whole

            try:
                self.memory.parent.mkdir(parents=True, exist_ok=True)
                write_whole(self.memory, ("\n".join(self.before) + "\n").encode())
            except (OSError, ValueError):
                self.said = "The question is not kept: its file cannot be written."

    def recall(self, back: int) -> str | None:
        """The question `back` further back than the one that stands there (-1: nearer); None when there is none."""
        now = (self._back or 0) + back
        if not 1 <= now <= len(self.before):
            if now == 0 and self._back:
                self._back = None
                return ""
            return None
        self._back = now
        return self.before[-now]

    def complete(self, by: int = 1) -> str | None:
        """What Tab makes of the text: the next of the ways in which it may go on; None when there are none."""
        if not self._ways:
            self._ways, self._way = [*self.ways()], -1 if by > 0 else 0
            if not self._ways:
                return None
            self._ways.append(self.text)  # Tab comes round to what was typed
        self._way = (self._way + by) % len(self._ways)
        return self._ways[self._way]

    def ways(self) -> list[str]:
        """In what ways the text may go on: games after /, else titles and names of cards, then words that entries hold."""
        begun = self.text.lstrip().casefold()
        if self.is_command():
            return self.commands_like(begun)
        if len(begun) < SHORTEST:
            return []
        whole = [name for name in self.names() if name.casefold().startswith(begun) and name.casefold() != begun]
        head, _, last = self.text.rpartition(" ")
        words: list[str] = []
        if len(last) >= SHORTEST:
            from kb.retrieval.suggest import completions

            words = [f"{head} {word}".lstrip() for word in completions(last.casefold(), self.index.words)]
        return list(dict.fromkeys([*whole, *words]))[:OFFERED]

    def commands_like(self, begun: str) -> list[str]:
        """The commands that begin so, with the games that they name."""
        games = [name for scope, names in self.index.called().items() for name in (scope, *names)]
        all_of = [*COMMANDS, *(f"/game {game}" for game in (*games, "all"))]
        plain = [f"/{game}" for game in (*games, "all")]
        return [each for each in [*all_of, *plain] if each.startswith(begun) and each != begun][:OFFERED]

    def names(self) -> list[str]:
        """Titles of entries and names of cards where the prompt looks, short ones first."""
        if self._names is None:
            place = self.looked.within or self.looked.chosen or ""
            self._names = names(self.session.catalog, place)
        return self._names

    def command(self) -> bool:
        """Do what the typed command says; False when it says to leave."""
        words = self.text.strip().lstrip("/").split(None, 1)
        name = words[0].casefold() if words else ""
        if name in ("quit", "exit", "q"):
            return False
        asked = (words[1] if len(words) > 1 else "") if name in ("game", "in", "use") else self.text.strip().lstrip("/")
        if asked.casefold() in EVERYWHERE:
            self.switch(Place(), "Everywhere.")
        elif not asked:
            self.said = f"/game NAME, or /NAME: {', '.join(self.index.called())} or all."
        else:
            try:
                scope = scope_called(self.index, asked)
            except NoSuchPlace as error:
                self.said = str(error)
            else:
                self.switch(Place(chosen=scope), f"In {scope}, until you leave. kb use {scope} keeps it.")
        return True

    def switch(self, looked: Place, said: str) -> None:
        """Look elsewhere from now on."""
        self.looked, self._names = looked, None
        self.typed("")
        self.said = said


def read_questions(memory: Path | None) -> list[str]:
    """The questions of before, the last one last; none when their file cannot be read."""
    try:
        text = memory.read_text(encoding="utf-8", errors="replace")[-50_000:] if memory else ""
    except OSError:
        return []
    return ["".join(sign for sign in line if sign.isprintable()) for line in text.splitlines() if line.strip()][
        -KEPT_QUESTIONS:
    ]
