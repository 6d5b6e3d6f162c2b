"""Shows output that is longer than the screen through the user's pager, as git does."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from kb.cli.layout import columns, rows, width_of

_open: list[Page] = []


class Page:
    """Takes what is printed in the place of standard output; everything else of it is that of the terminal."""

    def __init__(self, terminal: TextIO) -> None:
        self.terminal = terminal
        self._kept: list[str] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self.terminal, name)

    def write(self, text: str) -> int:
        """Keep `text`."""
        if not isinstance(text, str):
            raise TypeError("a stream of text")  # this is how Typer finds out
        self._kept.append(text)
        return len(text)

    def flush(self) -> None:
        """What is kept stays kept until the end."""

    def show(self) -> None:
        """Print what is kept: by the pager when it is longer than the screen."""
        text, width = "".join(self._kept), columns()
        if sum(1 + max(0, width_of(line) - 1) // width for line in text.split("\n")) <= rows():
            self.terminal.write(text)
            self.terminal.flush()
            return
        import pydoc

        os.environ.setdefault("LESS", "FRX")
        os.environ["PAGER"] = os.environ.get("KB_PAGER", os.environ.get("PAGER", "less"))
        pydoc.pager(text)


@contextmanager
def paged() -> Iterator[None]:
    """Print to a terminal by pages within this block; does nothing where standard output is none."""
    pager = os.environ.get("KB_PAGER", os.environ.get("PAGER", "less"))
    if not sys.stdout.isatty() or os.environ.get("TERM") == "dumb" or pager in ("", "cat"):
        yield
        return
    page = Page(sys.stdout)
    sys.stdout = page
    _open.append(page)
    try:
        yield
    finally:
        close_page()


def close_page() -> None:
    """Print at once from here on: what is kept is shown now, before a question or a prompt. Does nothing outside `paged`."""
    if _open:
        page = _open.pop()
        if sys.stdout is page:
            sys.stdout = page.terminal
        page.show()


def is_paged() -> bool:
    """Whether output is kept for the pager."""
    return bool(_open)
