"""Prints for people: with colours, wrapped to the terminal, by pages; plain text when piped."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from kb.files.text import named
from kb.jsonable import Jsonable, plain_json
from kb.markup import plain, render_links

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text


NARROWEST, HANG = 20, 2


def columns() -> int:
    """The width of the terminal in characters."""
    return max(NARROWEST, shutil.get_terminal_size().columns)


def rows() -> int:
    """The height of the terminal in lines."""
    return max(6, shutil.get_terminal_size().lines)


def width_of(text: str) -> int:
    """How many columns a text takes: marks none, wide characters two."""
    from rich.text import Text

    return Text.from_ansi(text).cell_len


def fitted(text: str, width: int | None = None) -> str:
    """Text as it is printed on standard output: its lines wrapped to the terminal, and as they are when it is none."""
    if width is None:
        if not sys.stdout.isatty():
            return text
        width = columns()
    return "\n".join(wrapped(line, width) for line in text.split("\n"))


def wrapped(line: str, width: int) -> str:
    """A line in lines of at most `width` columns: those after the first begin further in than it does."""
    from rich.text import Text

    text = Text.from_ansi(line)
    if text.cell_len <= width:
        return line
    indent = len(text.plain) - len(text.plain.lstrip(" "))
    further = min(indent + HANG, width * 2 // 3)
    lines = [with_marks(each) for each in text[indent:].wrap(rich_console(), width - further, overflow="fold")]
    return "\n".join([" " * min(indent, further) + lines[0], *(" " * further + each for each in lines[1:])])


def with_marks(text: Text) -> str:
    """A text of Rich's as a line with the marks that `tell` lets pass, without spaces at its end."""
    text.rstrip()
    text.end = ""
    return "".join(part.style.render(part.text) if part.style else part.text for part in text.render(rich_console()))


class Page(io.StringIO):
    """Collects what is printed to a terminal, to show it by pages later."""

    def __init__(self, terminal: TextIO) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        """Whether this is a terminal: yes, it is printed to one in the end."""
        return True


@contextmanager
def paged() -> Iterator[None]:
    """Print to a terminal by pages within this block; does nothing where standard output is none."""
    if not is_terminal() or pager() in ("", "cat"):
        yield
        return
    sys.stdout = Page(sys.stdout)
    try:
        yield
    finally:
        close_page()


def pager() -> str:
    """The command of the user's pager (KB_PAGER, else PAGER, else `less`)."""
    return os.environ.get("KB_PAGER", os.environ.get("PAGER", "less"))


def close_page() -> None:
    """Print at once from here on, before a question or a prompt: what is kept is shown, by the pager when it is longer than the screen.
    Does nothing outside `paged`."""
    page = sys.stdout
    if not isinstance(page, Page):
        return
    sys.stdout = page.terminal
    text, width = page.getvalue(), columns()
    if sum(1 + max(0, width_of(line) - 1) // width for line in text.split("\n")) <= rows():
        put(text)
        return
    import pydoc

    os.environ.setdefault("LESS", "FRX")
    os.environ["PAGER"] = pager()
    pydoc.pager(text)


AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]

# Control characters, the ones that turn the direction of writing around, line ends that only some programs see, half characters.
SIGNS = "\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff"
UNSAFE = re.compile(f"[{SIGNS}\x1b]")
# The same, but for the marks that `strong`, `dim`, `coloured` and `styled` put in.
MARKS = r"\[(?:0|1|2|22|39|(?:[12];)?3[1256])m"
NOT_OURS = re.compile(f"[{SIGNS}]|\x1b(?!{MARKS})")
OURS = re.compile(f"\x1b{MARKS}")
COLOUR = re.compile(r"\x1b\[3\dm")
# Readable on light and dark backgrounds alike (yellow is not), and what compilers have taught people.
COLOURS = {"red": 31, "green": 32, "magenta": 35, "cyan": 36}
# Wider lines are hard to read.
WIDEST_TEXT = 100


def is_terminal() -> bool:
    """Whether standard output is a terminal that can do more than print."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def at_a_terminal() -> bool:
    """Whether standard input and output are a terminal, so that questions can be asked."""
    return is_terminal() and sys.stdin.isatty()


def sure(question: str) -> bool:
    """Ask a yes-or-no question on the terminal; no is the default."""
    return typer.confirm(question, default=False)


def visible(text: str) -> str:
    """Text with its control characters written out (`\\x1b`): a terminal must not obey what a deck file holds.

    Line breaks and tabs stay. Halves of surrogate pairs, which cannot be printed, are written out too, and so are the
    characters that turn the direction of writing around.
    """
    return UNSAFE.sub(written_out, text)


def tell(text: str = "") -> None:
    """Print for people: whatever of it comes from a file, no control character of it reaches a terminal.

    On a terminal words wrap, and lines that go on begin further in.
    """
    put(fitted(marked(text)) + "\n")


def tell_all(lines: Iterable[str]) -> None:
    """Print lines for people as they come."""
    for line in lines:
        tell(line)


def marked(text: str) -> str:
    """Text with no control characters but our marks, and with none of these where they would not be obeyed."""
    cleaned = NOT_OURS.sub(written_out, text)
    unwanted = OURS if not is_terminal() else COLOUR if os.environ.get("NO_COLOR") else None
    return unwanted.sub("", cleaned) if unwanted else cleaned


def put(text: str) -> None:
    """Write to standard output at once. (Typer's own echo passes by what stands in the place of an ASCII stream.)"""
    with named("Standard output"):
        sys.stdout.write(text)
        sys.stdout.flush()


def written_out(match: re.Match[str]) -> str:
    """Write out a matched control character as an escape, such as `\\x1b`."""
    return match[0].encode("unicode_escape").decode()


def say(text: str) -> None:
    """Print text from a file, such as a deck in another format: to a terminal with control characters written out."""
    put(visible(text) if is_terminal() else text)


def print_found(
    found: object, lines: Iterable[str], as_json: bool, cites: Mapping[str, Jsonable] = MappingProxyType({})
) -> None:
    """Print what was found: as JSON, indented by one space and with the entries in `cites`, else its lines for people."""
    if as_json:
        put(f"{_harmless(json.dumps(plain_json(found, cites), ensure_ascii=False, indent=1))}\n")
    else:
        tell_all(lines)


def _harmless(text: str) -> str:
    """JSON with unsafe characters escaped. What is printable has none of them, and that is quicker to tell."""
    if (text.isascii() and "\x7f" not in text) or text.isprintable():
        return text
    return UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


class JsonList:
    """Prints several finds one after the other: with `as_json` as a list, each in a line, so that no more than one is held in memory."""

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json
        self._encode = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode
        self._before = "[\n"

    def add(self, found: object, lines: Iterable[str], cites: Mapping[str, Jsonable]) -> None:
        """Print one more, or its lines."""
        if not self._as_json:
            tell_all(lines)
            return
        with named("Standard output"):
            sys.stdout.write(f"{self._before} {_harmless(self._encode(plain_json(found, cites)))}")
        self._before = ",\n"

    def close(self) -> None:
        """Print the end of the list."""
        if self._as_json:
            put("\n]\n" if self._before == ",\n" else "[]\n")


def rich_console() -> Console:
    """A console on standard output whose code and headings suit light and dark backgrounds."""
    from rich.console import Console
    from rich.theme import Theme

    theme = {"markdown.code": "bold", "markdown.code_block": "none", "markdown.item.bullet": "none", "markdown.item.number": "none",
             "markdown.link": "none", "markdown.block_quote": "none", "table.header": "bold"}  # fmt: skip
    return Console(highlight=False, width=columns(), theme=Theme(theme))


def coloured(text: str, colour: str) -> str:
    """Format text as important: bold and coloured; `tell` leaves the colour out when NO_COLOR is set."""
    return f"\x1b[{COLOURS[colour]}m{strong(text)}\x1b[39m"


def styled(text: str) -> str:
    """Text whose marked words are bold."""
    return text.replace("\x02", "\x1b[1m").replace("\x03", "\x1b[22m")


def dim(text: str) -> str:
    """Format text as secondary: faint."""
    return f"\x1b[2m{visible(text)}\x1b[22m"


def strong(text: str) -> str:
    """Format text as important: bold."""
    return f"\x1b[1m{visible(text)}\x1b[22m"


def body_lines(body: str) -> list[str]:
    """A body in Markdown with resolved wiki links: laid out on a terminal, readable plain text when piped."""
    return laid_out(body) if is_terminal() else [readable(body)]


def laid_out(body: str) -> list[str]:
    """The lines of a body in Markdown, as wide as the terminal is, without spaces at their ends."""
    from rich.markdown import Markdown
    from rich.text import Text

    shown = render_links(visible(body), lambda _target, _anchor, _card, words: words)
    shown = re.sub(r"\s*\{#[^}]*\}", "", shown)
    shown = re.sub(r"```mermaid.*?```", "*(A diagram: see the page on the site.)*", shown, flags=re.S)
    shown = re.sub(r"^!!!\s+\w+\s*(?:\"([^\"]*)\")?\n((?:    .*\n?|\n)+)", admonition, shown, flags=re.M)
    shown = re.sub(r"^#+ (.*)$", r"**\1**", shown, flags=re.M)
    console = rich_console()
    with console.capture() as captured:
        console.print(Markdown(shown), width=min(WIDEST_TEXT, console.width))
    return [with_marks(Text.from_ansi(line)) for line in captured.get().strip("\n").split("\n")]


def admonition(match: re.Match[str]) -> str:
    """Turn a matched note (`!!!`) into a Markdown block quote."""
    lines = [line[4:] for line in match[2].rstrip().split("\n")]
    return "\n".join(f"> {line}" for line in [f"**{match[1] or 'Note'}**", "", *lines]) + "\n\n"


def readable(body: str) -> str:
    """Convert a Markdown body to plain text that keeps its lists and paragraphs."""
    text = re.sub(r"^([ \t]*)([-*+]|\d+\.)(\s)", lambda m: f"{m[1]}\x04{m[2]}{m[3]}", body, flags=re.M)
    text = re.sub(r"^#+\s*(.*?)\s*(?:\{#[^}]*\})?\s*$", r"\1", text, flags=re.M)
    text = re.sub(r"^\|[\s:|-]+\|[ \t]*\n", "", text, flags=re.M)
    return plain(text).replace("\x04", "")


class Progress:
    """A progress bar on standard error that appears only when the work takes longer than a second."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.started = time.monotonic()
        self.bar: Any = None

    def __call__(self, step: str, share: float) -> None:
        """Show that `share` (0 to 1) is done and `step` is under way."""
        if self.bar is None:
            if time.monotonic() - self.started < 1 or not sys.stderr.isatty():
                return
            from rich.console import Console
            from rich.progress import Progress as Bar

            self.bar = Bar(console=Console(stderr=True), transient=True)
            self.task = self.bar.add_task(self.title, total=1.0)
            self.bar.start()
        self.bar.update(self.task, completed=share, description=f"{self.title}: {step}")
        if share >= 1:
            self.bar.stop()


def warn(message: str) -> None:
    """A sentence on standard error; among the pages of the pager while there is one."""
    text = visible(message)
    if not sys.stderr.isatty():
        typer.echo(text, err=True)
    else:
        typer.echo(fitted(text, width=columns()), err=not isinstance(sys.stdout, Page))


# A column of words is not made narrower than this.
LEAST = 10


def table_lines(rows: Sequence[Sequence[str]], indent: int = 0) -> Iterator[str]:
    """The lines of a table, the first of whose rows has the names of the columns; a column of single words, such as ids, never wraps. On a
    terminal that is too narrow the cells of a row stand below its first one."""
    from rich.table import Table
    from rich.text import Text

    names, *shown = ([visible(cell) for cell in row] for row in rows)
    tall = list(zip(names, *shown, strict=True))
    widths = [max(map(width_of, column)) for column in tall]
    least = [
        min(width, LEAST) if " " in "".join(cells) else width for width, (_, *cells) in zip(widths, tall, strict=True)
    ]
    room = columns() - indent if sys.stdout.isatty() else sum(widths) + 2 * len(widths)
    margin = " " * indent
    if sum(least) + 2 * len(least) - 2 > room:
        for first, *others in shown:
            said = (f"{name} {cell}" for name, cell in zip(names[1:], others, strict=True) if cell)
            yield from (f"{margin}{strong(first)}", f"{margin}  {' · '.join(said)}")
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name, width in zip(names, least, strict=True):
        table.add_column(Text(name), overflow="fold", min_width=width)
    for row in shown:
        table.add_row(*map(Text, row))
    console = rich_console()
    console.width = room  # what is piped is never wrapped
    with console.capture() as captured:
        console.print(table, width=room)
    for line in captured.get().rstrip("\n").split("\n"):
        yield margin + with_marks(Text.from_ansi(line))
