"""Prints for people: with colours on a terminal, plain text when piped."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kb.cli.layout import columns, fitted
from kb.cli.pager import is_paged
from kb.files.named import named
from kb.markup import plain, render_links

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
if TYPE_CHECKING:
    from rich.console import Console

BOLD = ("\x02", "\x03")
# Control characters, the ones that turn the direction of writing around, line ends that only some programs see, half characters.
SIGNS = "\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff"
UNSAFE = re.compile(f"[{SIGNS}\x1b]")
# The same, but for the marks that `strong`, `dim`, `coloured` and `styled` put in.
NOT_OURS = re.compile(f"[{SIGNS}]|\x1b(?!\\[(?:1|2|22|3[1256]|39)m)")
OURS = re.compile(r"\x1b\[(?:1|2|22|3[1256]|39)m")
# Readable on light and dark backgrounds alike (yellow is not), and what compilers have taught people.
COLOURS = {"red": 31, "green": 32, "magenta": 35, "cyan": 36}
# Wider lines are hard to read.
WIDEST_TEXT = 100


def is_terminal() -> bool:
    """Whether standard output is a terminal that can do more than print."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def at_a_terminal() -> bool:
    """Whether somebody sits there who can be asked."""
    return is_terminal() and sys.stdin.isatty()


def sure(question: str) -> bool:
    """Ask for a yes on a terminal; anything else is a no."""
    return typer.confirm(question, default=False)


def visible(text: str) -> str:
    """Text from a file with its control characters written out (`\\x1b`): a terminal must not obey a deck file.

    Line breaks and tabs stay. Halves of surrogate pairs, which cannot be printed, are written out too, and so are the
    characters that turn the direction of writing around.
    """
    return UNSAFE.sub(written_out, text)


def tell(text: str = "", hang: int = 2) -> None:
    """Print for people: whatever of it comes from a file, no control character of it reaches a terminal.

    On a terminal words wrap, and lines that go on begin `hang` columns further in.
    """
    put(fitted(marked(text), hang) + "\n")


def tell_as_is(text: str) -> None:
    """Print a text that people save or copy, such as a deck file: as `tell`, but its lines stay whole, and no line end is added."""
    put(marked(text))


def marked(text: str) -> str:
    """Text with no control characters but our marks, and with none of these where they would not be obeyed."""
    kept = NOT_OURS.sub(written_out, text)
    return kept if is_terminal() else OURS.sub("", kept)


def put(text: str) -> None:
    """Write to standard output at once. (Typer's own echo passes by what stands in the place of an ASCII stream.)"""
    with named("Standard output"):
        sys.stdout.write(text)
        sys.stdout.flush()


def written_out(found: re.Match[str]) -> str:
    """A control character as `\\x1b`."""
    return found[0].encode("unicode_escape").decode()


def say(text: str) -> None:
    """Print text from a file, such as a deck in another format: to a terminal with control characters written out."""
    put(visible(text) if is_terminal() else text)


def print_json(value: object) -> None:
    """Print JSON for scripts."""
    put(f"{_harmless(json.dumps(value, ensure_ascii=False, indent=1))}\n")


def _harmless(text: str) -> str:
    """JSON with unsafe characters escaped. What is printable has none of them, and that is quicker to tell."""
    if (text.isascii() and "\x7f" not in text) or text.isprintable():
        return text
    return UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class JsonList:
    """Prints a list for scripts item by item, each in a line, so that no more than one of them is held in memory."""

    def __init__(self) -> None:
        self._encode = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode
        self._before = "[\n"

    def add(self, value: object) -> None:
        """Print one more item."""
        with named("Standard output"):
            sys.stdout.write(f"{self._before} {_harmless(self._encode(value))}")
        self._before = ",\n"

    def close(self) -> None:
        """Print the end of the list."""
        put("\n]\n" if self._before == ",\n" else "[]\n")


def rich_console() -> Console:
    """A console on standard output whose code and headings suit light and dark backgrounds."""
    from rich.console import Console
    from rich.theme import Theme

    theme = {"markdown.code": "bold", "markdown.code_block": "none", "markdown.item.bullet": "none", "markdown.item.number": "none",
             "markdown.link": "none", "markdown.block_quote": "none", "table.header": "bold"}  # fmt: skip
    return Console(highlight=False, width=columns(), theme=Theme(theme))


def coloured(text: str, colour: str) -> str:
    """Text that carries the line, in a colour where the user wants any (NO_COLOR is not set)."""
    if not is_terminal() or os.environ.get("NO_COLOR"):
        return strong(text)
    return f"\x1b[1m\x1b[{COLOURS[colour]}m{visible(text)}\x1b[39m\x1b[22m"


def styled(text: str) -> str:
    """Text whose marked words are bold on a terminal and bare otherwise."""
    on, off = ("\x1b[1m", "\x1b[22m") if is_terminal() else ("", "")
    return text.replace(BOLD[0], on).replace(BOLD[1], off)


def dim(text: str) -> str:
    """Secondary text."""
    return f"\x1b[2m{visible(text)}\x1b[22m" if is_terminal() else visible(text)


def strong(text: str) -> str:
    """Text that carries the line."""
    return f"\x1b[1m{visible(text)}\x1b[22m" if is_terminal() else visible(text)


def body_lines(body: str) -> list[str]:
    """A body in Markdown with resolved wiki links: laid out on a terminal, readable plain text when piped."""
    return laid_out(body) if is_terminal() else [readable(body)]


def laid_out(body: str, width: int | None = None) -> list[str]:
    """The lines of a body in Markdown, as wide as the terminal is (or `width`), without spaces at their ends."""
    from rich.markdown import Markdown

    shown = render_links(visible(body), lambda _target, _anchor, _card, words: words)
    shown = re.sub(r"\s*\{#[^}]*\}", "", shown)
    shown = re.sub(r"```mermaid.*?```", "*(A diagram: see the page on the site.)*", shown, flags=re.S)
    shown = re.sub(r"^!!!\s+\w+\s*(?:\"([^\"]*)\")?\n((?:    .*\n?|\n)+)", admonition, shown, flags=re.M)
    shown = re.sub(r"^#+ (.*)$", r"**\1**", shown, flags=re.M)
    console = rich_console()
    with console.capture() as captured:
        console.print(Markdown(shown), width=min(WIDEST_TEXT, width or console.width))
    return [tidy(line) for line in captured.get().strip("\n").split("\n")]


def tidy(line: str) -> str:
    """A line of rich's with the marks that `tell` lets pass, and without the spaces that fill it up."""
    parts = re.split(r"(\x1b\[[\d;]*m)", line)
    bold, kept = False, ""
    for part in parts:
        if part.startswith("\x1b["):
            now = "1" in part[2:-1].split(";")
            kept += "" if now is bold else "\x1b[1m" if now else "\x1b[22m"
            bold = now
        else:
            kept += part
    kept = kept.rstrip()
    return re.sub(r"\s+\x1b\[22m$", "\x1b[22m", kept)


def admonition(found: re.Match[str]) -> str:
    """A note as a block quote."""
    lines = [line[4:] for line in found[2].rstrip().split("\n")]
    return "\n".join(f"> {line}" for line in [f"**{found[1] or 'Note'}**", "", *lines]) + "\n\n"


def readable(body: str) -> str:
    """A body as plain text that keeps its lists and paragraphs."""
    kept = re.sub(r"^([ \t]*)([-*+]|\d+\.)(\s)", lambda m: f"{m[1]}\x04{m[2]}{m[3]}", body, flags=re.M)
    kept = re.sub(r"^#+\s*(.*?)\s*(?:\{#[^}]*\})?\s*$", r"\1", kept, flags=re.M)
    kept = re.sub(r"^\|[\s:|-]+\|[ \t]*\n", "", kept, flags=re.M)
    return plain(kept).replace("\x04", "")


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
        typer.echo(fitted(text, width=columns()), err=not is_paged())
