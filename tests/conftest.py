"""Fixtures for all tests: small separate sources, the real catalog (built once), and the command line in this process."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import socket
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import HealthCheck, settings

# Tests assert no times, as the machine may be busy.
# Manual runs try new examples each time. CI always tries the same ones, so that a failure comes from the change.
settings.register_profile(
    "kb",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=bool(os.environ.get("KB_TEST_SAME_EXAMPLES")),
)
settings.load_profile("kb")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """With `-n`, keep the tests of a module together, as they share what they build, and all tests that open the site
    in a browser: one process builds the site first, while the others run the rest.
    """
    from xdist.scheduler.loadscope import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return "site" if nodeid.startswith("tests/site/") and not BUILT else nodeid.partition("::")[0]

    config.option.loadscopereorder = False
    return Scheduling(config, log)


ROOT = Path(__file__).resolve().parent.parent

EXTENDED = (
    "fuzz",
    "catalog/test_damage.py",
    "cli/test_hostile_texts.py",
    "cli/test_terminals_and_disks.py",
    "cli/test_walks.py",
    "games/arkham/test_hostile_folders.py",
    "judge/test_cluster.py",
    "site/test_checker_attacked.py",
    "site/test_checker_refuses.py",
    "site/test_hosted.py",
    "site/test_hostile_sources.py",
    "site/test_single.py",
    "site/test_with_own.py",
)
"""Folders and modules whose tests all get the mark `extended`; single tests have the mark themselves."""

POSIX = (
    "catalog/test_postgres.py",
    "cli/test_hostile_texts.py",
    "cli/test_terminals_and_disks.py",
    "cli/test_walks.py",
    "cli/test_welcome.py",
    "files/test_swap.py",
    "judge/test_judge.py",
    "web/test_no_files.py",
)
"""Modules that need features missing on Windows; single tests have the mark `posix`."""
collect_ignore = list(POSIX) if os.name == "nt" else []


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark the tests of the modules above (`-m` selects among the marked ones later), and put the longest ones first."""
    folder = Path(__file__).parent
    extended = tuple(str(folder / name) for name in EXTENDED)
    for item in items:
        if str(item.path).startswith(extended):
            item.add_marker("extended")
        if os.name == "nt" and item.get_closest_marker("posix"):
            item.add_marker(pytest.mark.skip(reason="Windows has no such pipes, permissions or signals"))
    if int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")) > 1:
        items.sort(key=lambda item: FIRST.index(first) if (first := item.nodeid.split("/")[1]) in FIRST else len(FIRST))


BUILT = "KB_TEST_SITE" in os.environ
FIRST = ("campaigns", "cli") if BUILT else ("site", "campaigns", "cli")
"""Folders to begin with if several processes run: the site takes longest, and prompts do not work after a browser's event loop."""


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def refusal(self):
        """Return the message with which kb refuses."""
        assert self.code == 2, self
        return self.err


HEAVY = ("playwright", "axe_playwright_python", "psycopg", "pyarrow", "distributed", "datasette")
"""Libraries of the extra `test` that `dev` does not contain."""


def pytest_ignore_collect(collection_path):
    """Leave out test modules that import a library of the extra `test` that is not installed."""
    missing = [name for name in HEAVY if find_spec(name) is None]
    if not missing or collection_path.suffix != ".py":
        return None
    needs = re.compile(rf"^(?:from|import) (?:{'|'.join(missing)})\b", re.M)
    return True if needs.search(collection_path.read_text("utf-8")) else None


def words_of(line, *values):
    """Return the words of a command line (or of a list of words). Each `{}` is replaced by the next value; other
    values are appended.
    """
    left = list(map(str, values))
    words = shlex.split(line) if isinstance(line, str) else map(str, line)
    return [left.pop(0) if word == "{}" else word for word in words] + left


@pytest.fixture
def kb(capsys, monkeypatch):
    """Run `kb LINE` in this process, with `input` as standard input; return its output and exit code.

    Of the commands run this way, only those that are servers may open one.
    """
    listened = []

    def watched(name):
        real = getattr(socket.socket, name)
        return lambda *given: listened.append(given) or real(*given)

    for name in ("bind", "listen"):
        monkeypatch.setattr(socket.socket, name, watched(name))

    def run(line="", *values, input=None):
        from kb.cli import main

        if input is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(input.encode())))
        monkeypatch.setattr(sys, "argv", ["kb", *words_of(line, *values)])
        capsys.readouterr()
        before = len(listened)  # a test may run a server itself
        with pytest.raises(SystemExit) as stopped:
            main()
        printed = capsys.readouterr()
        assert len(listened) == before or "serve" in sys.argv, f"kb {line} opened a server"
        listened.clear()
        code = stopped.value.code
        return Outcome(code if isinstance(code, int) else 0 if code is None else 1, printed.out, printed.err)

    return run


@contextmanager
def at_home(folder):
    """Set KB_HOME to this folder and read the repository's own content."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KB_HOME", str(folder))
        patch.delenv("KB_SOURCES", raising=False)
        patch.delenv("KB_DATABASE_URL", raising=False)
        yield


@pytest.fixture(scope="session")
def real_home(tmp_path_factory):
    """A KB_HOME with the catalog of the repository's own content, built once for the whole run."""
    folder = tmp_path_factory.mktemp("home")
    with at_home(folder):
        from kb.catalog.store import build_catalog

        build_catalog().close()
    return folder


@pytest.fixture
def real(real_home, monkeypatch):
    """Use the catalog of the repository's own content in this test."""
    monkeypatch.setenv("KB_HOME", str(real_home))
    monkeypatch.delenv("KB_SOURCES", raising=False)
    monkeypatch.delenv("KB_DATABASE_URL", raising=False)
    return real_home


@pytest.fixture
def own_home(real, tmp_path):
    """A KB_HOME with the existing catalog, but separate settings and data."""
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "cache").symlink_to(real / "cache")
    return tmp_path / "own"


class Sources:
    """A small folder of sources to write to."""

    def __init__(self, root):
        self.root = root

    def write(self, path, text):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(dedent(text).lstrip("\n"), "utf-8")
        return target

    def entry(self, entry_id, title, body, **fields):
        front = {"title": title, "kind": "rule", "source": "{doc: book, page: 3}", **fields}
        lines = "\n".join(f"{key}: {value}" for key, value in front.items() if value is not None)
        return self.write(f"content/{entry_id}.md", f"---\n{lines}\n---\n{dedent(body).strip()}\n")


def chess(root):
    """Return small valid sources of an invented game."""
    made = Sources(root)
    made.write("content/chess/game.yaml", "title: Chess\n")
    made.write("content/chess/sources.yaml", "- {id: book, title: Book of Chess, outline: outline.tsv}\n")
    made.write(
        "content/chess/outline.tsv",
        "id\ttitle\tkind\tsection\tpage\nch.castling\tCastling\trule\tMoves\t3\nch.fork\tFork\tterm\tTactics\t\n",
    )
    made.write("content/chess/synonyms.yaml", "- [castling, hide the king]\n")
    made.entry(
        "chess/castling",
        "Castling",
        "Move the king two squares towards a rook; the rook jumps over. You cannot castle out of check. See [[fork|the fork]].",
        covers="[ch.castling]",
        asked="[may the king swap with the tower]",
        aliases="[rochade]",
        see="[fork]",
    )
    made.entry(
        "chess/fork",
        "Fork",
        "One piece attacks two. It is not related to [[castling]].",
        kind="term",
        covers="[ch.fork]",
    )
    made.write("cards/.keep", "")
    return made


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """The small sources, with KB_HOME and KB_SOURCES set to them."""
    made = chess(tmp_path / "sources")
    monkeypatch.setenv("KB_SOURCES", str(made.root))
    monkeypatch.setenv("KB_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("KB_DATABASE_URL", raising=False)
    return made
