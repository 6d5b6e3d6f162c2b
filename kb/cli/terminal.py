"""Output for people: coloured, wrapped and paged on a terminal; plain text when piped."""

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

from kb.files.text import named, one_line
from kb.markup import plain, render_links
from kb.shapes import Jsonable, plain_json

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text


NARROWEST, HANG = 20, 2


def columns() -> int:
    """Return the width of the terminal in characters."""
    return max(NARROWEST, shutil.get_terminal_size().columns)


def rows() -> int:
    """Return the height of the terminal in lines."""
    return max(6, shutil.get_terminal_size().lines)


def width_of(text: str) -> int:
    """Return the number of columns that a text takes. Colour codes take none, wide characters two."""
    from rich.text import Text

    return Text.from_ansi(text).cell_len


def fitted(text: str, width: int | None = None) -> str:
    """Wrap lines to the terminal; return them unchanged if standard output is not a terminal."""
    if width is None:
        if not sys.stdout.isatty():
            return text
        width = columns()
    return "\n".join(wrapped(line, width) for line in text.split("\n"))


def wrapped(line: str, width: int) -> str:
    """Wrap a line to at most `width` columns; the lines after the first are indented further."""
    from rich.text import Text

    text = Text.from_ansi(line)
    if text.cell_len <= width:
        return line
    indent = len(text.plain) - len(text.plain.lstrip(" "))
    further = min(indent + HANG, width * 2 // 3)
    lines = [with_marks(each) for each in text[indent:].wrap(rich_console(), width - further, overflow="fold")]
    return "\n".join([" " * min(indent, further) + lines[0], *(" " * further + each for each in lines[1:])])


def with_marks(text: Text) -> str:
    """Convert a Rich text to a line with the colour codes that `tell` prints, without trailing spaces."""
    text.rstrip()
    text.end = ""
    return "".join(part.style.render(part.text) if part.style else part.text for part in text.render(rich_console()))


class PagedOutput(io.StringIO):
    """Collects the output for a terminal, which is shown in a pager later."""

    def __init__(self, terminal: TextIO) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        """Return True, because the output is eventually shown on a terminal."""
        return True


@contextmanager
def paged() -> Iterator[None]:
    """Show the output of this block in the pager; do nothing if standard output is not a terminal."""
    if not is_terminal() or pager() in ("", "cat"):
        yield
        return
    sys.stdout = PagedOutput(sys.stdout)
    try:
        yield
    finally:
        close_page()


def pager() -> str:
    """Return the user's pager command: KB_PAGER, or else PAGER, or else `less`."""
    return os.environ.get("KB_PAGER", os.environ.get("PAGER", "less"))


def close_page() -> None:
    """Show the collected output, in the pager if it is longer than the screen, and print directly from now on.

    Do nothing outside `paged`.
    """
    page = sys.stdout
    if not isinstance(page, PagedOutput):
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


AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]

# Control characters, changes of the writing direction, line ends that only some programs see, unpaired surrogates.
SIGNS = "\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff"
UNSAFE = re.compile(f"[{SIGNS}\x1b]")
# The same, except the codes that `strong`, `dim`, `coloured` and `styled` add.
MARKS = r"\[(?:0|1|2|22|39|(?:[12];)?3[1256])m"
NOT_OURS = re.compile(f"[{SIGNS}]|\x1b(?!{MARKS})")
OURS = re.compile(f"\x1b{MARKS}")
COLOUR = re.compile(r"\x1b\[3\dm")
# Readable on light and dark backgrounds (yellow is not), and used as compilers use them.
COLOURS = {"red": 31, "green": 32, "magenta": 35, "cyan": 36}
# Wider lines are hard to read.
WIDEST_TEXT = 100
# Bytes of the longest path on common systems: longer words name no file.
LONGEST_WORD = 4_096


def is_terminal() -> bool:
    """Return True if standard output is a terminal that supports colours and paging."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def at_a_terminal() -> bool:
    """Return True if standard input and output are a terminal, so that the user can answer questions."""
    return is_terminal() and sys.stdin.isatty()


def sure(question: str) -> bool:
    """Ask a yes-or-no question on the terminal; no is the default."""
    return typer.confirm(question, default=False)


def visible(text: str) -> str:
    """Escape control characters (as `\\x1b`), so that a deck file cannot control the terminal.

    Line breaks and tabs stay, except in words from the command line. Unpaired surrogates and characters that change
    the writing direction are escaped too.
    """
    return UNSAFE.sub(written_out, with_whole_names(text))


def with_whole_names(text: str) -> str:
    """Remove line breaks from names in `text` that come from the command line. The part after a line break could look
    like a message from kb.
    """
    for word in sys.argv[1:]:
        for name in re.split("[/=]", word) if len(word) < LONGEST_WORD and not word.isprintable() else ():
            if name != (plain_name := one_line(name)):
                text = text.replace(name, plain_name)
    return text


def tell(text: str = "") -> None:
    """Print a line for people. Control characters from files are escaped; on a terminal, long lines are wrapped with an
    indent.
    """
    put(fitted(marked(text)) + "\n")


def tell_all(lines: Iterable[str]) -> None:
    """Print lines for people, one by one."""
    for line in lines:
        tell(line)


def marked(text: str) -> str:
    """Escape all control characters except kb's own colour codes. If the output cannot show colour codes, remove them
    too.
    """
    cleaned = NOT_OURS.sub(written_out, with_whole_names(text))
    unwanted = OURS if not is_terminal() else COLOUR if os.environ.get("NO_COLOR") else None
    return unwanted.sub("", cleaned) if unwanted else cleaned


def put(text: str) -> None:
    """Write a text to standard output and flush it. Typer's echo would bypass our substitute for an ASCII stream."""
    with named("Standard output"):
        sys.stdout.write(text)
        sys.stdout.flush()


def written_out(match: re.Match[str]) -> str:
    """Return the escape of a matched control character, such as `\\x1b`."""
    return match[0].encode("unicode_escape").decode()


def say(text: str) -> None:
    """Print a text from a file, such as a deck in another format. On a terminal, control characters are escaped."""
    put(visible(text) if is_terminal() else text)


def print_found(
    found: object, lines: Iterable[str], as_json: bool, cites: Mapping[str, Jsonable] = MappingProxyType({})
) -> None:
    """Print a result: with `as_json` as JSON, otherwise as `lines` for people. `cites` contains the cited entries by
    their ids.
    """
    if as_json:
        put(f"{_harmless(json.dumps(plain_json(found, cites), ensure_ascii=False, indent=1))}\n")
    else:
        tell_all(lines)


def _harmless(text: str) -> str:
    """Escape unsafe characters in JSON. Printable text contains none and is quicker to test for."""
    if (text.isascii() and "\x7f" not in text) or text.isprintable():
        return text
    return UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


class JsonList:
    """Prints results one by one, so that only one is in memory. With `as_json`, they form a JSON list with one result
    per line.
    """

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json
        self._encode = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode
        self._before = "[\n"

    def add(self, found: object, lines: Iterable[str], cites: Mapping[str, Jsonable]) -> None:
        """Print one more result: as JSON, or as its `lines`."""
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
    """Return a Rich console on standard output with styles for light and dark backgrounds."""
    from rich.console import Console
    from rich.theme import Theme

    theme = {
        "markdown.code": "bold",
        "markdown.code_block": "none",
        "markdown.item.bullet": "none",
        "markdown.item.number": "none",
        "markdown.link": "none",
        "markdown.block_quote": "none",
        "table.header": "bold",
    }
    return Console(highlight=False, width=columns(), theme=Theme(theme))


def coloured(text: str, colour: str) -> str:
    """Format a text in bold and in a colour. `tell` omits the colour if NO_COLOR is set."""
    return f"\x1b[{COLOURS[colour]}m{strong(text)}\x1b[39m"


def styled(text: str) -> str:
    """Format the marked words of a search hit as bold."""
    return text.replace("\x02", "\x1b[1m").replace("\x03", "\x1b[22m")


def dim(text: str) -> str:
    """Format text as secondary: faint."""
    return f"\x1b[2m{visible(text)}\x1b[22m"


def strong(text: str) -> str:
    """Format text as important: bold."""
    return f"\x1b[1m{visible(text)}\x1b[22m"


def body_lines(body: str) -> list[str]:
    """Return the lines of `body`, Markdown whose wiki links are already resolved: formatted on a terminal, otherwise as
    plain text.
    """
    return laid_out(body) if is_terminal() else [readable(body)]


def laid_out(body: str) -> list[str]:
    """Return the formatted lines of a Markdown body, wrapped to the terminal and without trailing spaces."""
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
    """Convert a matched note (`!!!`) to a Markdown block quote."""
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
    """Print a sentence to standard error, or to the pager while one is open."""
    text = visible(message)
    if not sys.stderr.isatty():
        typer.echo(text, err=True)
    else:
        typer.echo(fitted(text, width=columns()), err=not isinstance(sys.stdout, PagedOutput))


# The least width of a column of words.
LEAST = 10


def table_lines(rows: Sequence[Sequence[str]], indent: int = 0) -> Iterator[str]:
    """Yield the lines of a table; the first row contains the names of the columns. A column of single words, such as
    ids, is never wrapped.

    If the terminal is too narrow, each row begins with its first cell, and its other cells are listed on the next line.
    """
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
    console.width = room  # piped output is never wrapped
    with console.capture() as captured:
        console.print(table, width=room)
    for line in captured.get().rstrip("\n").split("\n"):
        yield margin + with_marks(Text.from_ansi(line))
