"""A terminal for tests: runs `kb` in a pseudo-terminal of a given size, and reads the text and colours on its
screen.
"""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pyte

ROOT = Path(__file__).resolve().parents[2]
KB = [sys.executable, "-c", "from kb.cli import run; run()"]
ENTER, TAB, UP = "\r", "\t", "\x1b[A"
PATIENCE = 60.0


class Terminal:
    """A pseudo-terminal with `columns` and `lines` in which `kb ARGS…` runs."""

    def __init__(
        self,
        *args,
        columns=80,
        lines=24,
        folder=None,
        env=None,
    ):
        self.screen = pyte.HistoryScreen(columns, lines, history=5_000, ratio=0.5)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.keys = 0
        self._main, side = pty.openpty()
        fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        kept = {
            key: value
            for key, value in os.environ.items()
            if key not in ("COLUMNS", "LINES", "NO_COLOR", "PAGER", "LESS", "KB_PAGER")
        }
        self.process = subprocess.Popen(
            [*KB, *args],
            cwd=folder,
            stdin=side,
            stdout=side,
            stderr=side,
            start_new_session=True,
            close_fds=True,
            env=kept | {"TERM": "xterm-256color", "PYTHONPATH": str(ROOT)} | dict(env or {}),
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(side)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self._main)

    def press(self, text):
        """Type `text`. An escape sequence counts as one key in `keys`, the number of keys pressed."""
        self.keys += 1 if text.startswith("\x1b") else len(text)
        os.write(self._main, text.encode())

    def read(self, seconds=0.05):
        """Wait up to `seconds` for output and show it on the screen. Return False if the program has ended."""
        if not select.select([self._main], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self._main, 65536)
        except OSError:  # the program has closed its side of the terminal
            return False
        self.raw += data
        self._stream.feed(data)
        if b"\x1b[6n" in data:  # prompt_toolkit asks where the cursor is
            os.write(self._main, f"\x1b[{self.screen.cursor.y + 1};{self.screen.cursor.x + 1}R".encode())
        return bool(data)

    def until(self, wanted, within=PATIENCE):
        """Wait until the screen shows the text `wanted` (or `wanted` returns True for the screen's text), and return
        the screen's text.
        """
        end = time.monotonic() + within
        fits = wanted if callable(wanted) else lambda text: wanted in text
        while not fits(self.text()):
            assert time.monotonic() < end, f"not shown within {within} s: {wanted!r}\n{self.text()}"
            if not self.read():
                assert fits(self.text()), f"the program ended without {wanted!r}\n{self.text()}"
        return self.text()

    def end(self, within=PATIENCE):
        """Wait up to `within` seconds for the program to end, and return its exit code."""
        end = time.monotonic() + within
        while self.read():
            assert time.monotonic() < end, f"still running:\n{self.text()}"
        return self.process.wait(within)

    def text(self):
        """Return the text on the screen."""
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip()

    def printed(self):
        """Return all printed lines, including those that have scrolled off the screen."""
        past = [self._line(row) for row in self.screen.history.top]
        return "\n".join([*past, *(line.rstrip() for line in self.screen.display)]).rstrip().split("\n")

    def _line(self, row):
        return "".join(row[column].data for column in range(self.screen.columns)).rstrip()


def run(*args, **how):
    """Run `kb ARGS…` in a terminal without a pager. Return the exit code and the list of printed lines. `how` contains
    arguments of `Terminal`.
    """
    how["env"] = {"PAGER": "cat"} | dict(how.get("env") or {})
    with Terminal(*args, **how) as terminal:
        code = terminal.end()
        return code, terminal.printed()
