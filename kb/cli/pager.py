"""Shows output that is longer than the screen through the user's pager, as git does."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, TextIO

from kb.cli.layout import columns, rows, width_of

_open: list[Page] = []


class Page:
    """Takes what is printed in the place of standard output: keeps it until it is longer than the screen, then the pager has it.

    Everything else of the stream is that of the terminal behind it.
    """

    def __init__(self, terminal: TextIO) -> None:
        self._terminal = terminal
        self._kept: list[str] = []
        self._lines = 0
        self._pager: subprocess.Popen[str] | None = None
        self._to: IO[str] | None = None

    def __getattr__(self, name: str) -> object:
        return getattr(self._terminal, name)

    def write(self, text: str) -> int:
        """Keep `text`, or hand it on."""
        if not isinstance(text, str):
            raise TypeError("a stream of text")  # this is how Typer finds out
        if self._to is not None:
            try:
                self._to.write(text)
            except BrokenPipeError:
                raise _Left from None
            return len(text)
        self._kept.append(text)
        width = columns()
        self._lines += sum(max(0, width_of(line) - 1) // width for line in text.split("\n")) + text.count("\n")
        if self._lines >= rows():
            self._begin()
        return len(text)

    def flush(self) -> None:
        """What is kept stays kept until the end."""

    def _begin(self) -> None:
        words = pager()
        if words:
            try:
                self._pager = subprocess.Popen(
                    words, stdin=subprocess.PIPE, text=True, encoding=self._terminal.encoding, errors="backslashreplace",
                    env={"LESS": "FRX", "LV": "-c", **os.environ},
                )  # fmt: skip
                self._to = self._pager.stdin
            except OSError:
                self._pager = None
        if self._to is None:
            self._to = self._terminal
        kept, self._kept = "".join(self._kept), []
        self.write(kept)

    def close(self) -> None:
        """Show what is kept, and wait until the reader has left the pager."""
        if self._pager is None:
            self._terminal.write("".join(self._kept))
            self._terminal.flush()
            self._kept = []
            return
        assert self._pager.stdin is not None
        with suppress(BrokenPipeError):
            self._pager.stdin.close()
        while True:
            try:
                self._pager.wait()
                break
            except KeyboardInterrupt:  # Ctrl-C is the pager's: less stops searching then
                continue


class _Left(BrokenPipeError):
    """The reader has left the pager before everything was printed: nothing went wrong."""


def pager() -> list[str]:
    """The words of the pager's command: KB_PAGER, else PAGER, else less; none when that is empty, cat, or not there."""
    named = os.environ.get("KB_PAGER", os.environ.get("PAGER", "less"))
    try:
        words = shlex.split(named)
    except ValueError:
        return []
    return words if words and words != ["cat"] and shutil.which(words[0]) else []


@contextmanager
def paged() -> Iterator[None]:
    """Print to a terminal by pages within this block; does nothing where standard output is none."""
    terminal = sys.stdout
    if not (terminal.isatty() and os.environ.get("TERM") != "dumb" and pager()):
        yield
        return
    page = Page(terminal)
    sys.stdout = page
    _open.append(page)
    try:
        yield
    except _Left:
        pass
    finally:
        close_page()
        sys.stdout = terminal


def close_page() -> None:
    """Print at once from here on: what is kept is shown now, before a question or a prompt. Does nothing outside `paged`."""
    if _open:
        page = _open.pop()
        page.close()
        if sys.stdout is page:
            sys.stdout = page._terminal


def is_paged() -> bool:
    """Whether output is kept for the pager."""
    return bool(_open)
