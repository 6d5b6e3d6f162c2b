"""Fixtures for all tests: small sources of an invented game, the catalog of the repository's content (built once), and
a function that runs kb commands in this process.
"""

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
from fnmatch import fnmatchcase
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import HealthCheck, settings

# Hypothesis: no deadlines, because the machine may be busy. Manual runs try new examples each time. CI always tries the
# same examples, so that a failure comes from the change under test.
settings.register_profile(
    "kb",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=bool(os.environ.get("KB_TEST_SAME_EXAMPLES")),
)
settings.load_profile("kb")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Distribute tests over processes (`pytest -n`). Tests of one module run in one process, because they share what
    they build. All tests in tests/site also run in one process, which builds the site only once.
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
"""Folders and modules whose tests all get the mark `extended`. Tests in a browser get it too. Elsewhere, single tests
have the mark.
"""

WEEKLY = (
    "cli/test_help.py::test_the_examples_of_every_help_run",
    "cli/test_hostile_texts.py::test_file_names_cannot_forge_output_lines*export*",
    "cli/test_listening.py::test_no_command_listens*import arkhamdb*",
    "cli/test_listening.py::test_no_other_command_listens",
    "cli/test_walks.py::*80*",
    "fuzz/test_campaign_keys.py::*",
    "fuzz/test_hundred_megabytes.py::*",
    "fuzz/test_large.py::*",
    "judge/test_cluster.py::*",
    "judge/test_judge.py::*killed*",
    "personal/test_private.py::test_public_answers_are_the_same_with_and_without_own_data",
    "site/test_browser.py::test_pages_load_nothing_external_fit_the_screen_and_pass_axe*-wide*",
    "site/test_builder.py::*firefox",
    "site/test_campaign_page.py::test_a_beginning_is_replaced_before_and_after_a_game",
    "site/test_campaign_page.py::test_undone_games_restore_their_answers",
    "site/test_checker_attacked.py::test_a_damaged_copy_is_fetched_anew?short?",
    "site/test_checker_attacked.py::test_a_damaged_copy_is_fetched_anew?text?",
    "site/test_checker_refuses.py::test_too_large_inputs_are_refused?both?",
    "site/test_checker_refuses.py::test_too_large_inputs_are_refused?lines?",
    "site/test_evening.py::*firefox",
    "site/test_hostile_sources.py::test_nothing_runs_on_any_page_nor_in_the_search",
    "starter/test_game.py::test_the_tutorial_runs_from_an_empty_folder_to_a_site",
)
"""Patterns of slow tests that repeat what another test shows, on another scale or in another browser. They get the marks
`extended` and `weekly`.
"""

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
"""Modules that need features that Windows lacks. Elsewhere, single tests have the mark `posix`."""
collect_ignore = list(POSIX) if os.name == "nt" else []


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark the tests of EXTENDED and WEEKLY and those in a browser, and skip tests that Windows cannot run. If several processes run the
    tests, put the folders of FIRST first. The hook runs before `-m` selects tests by their marks.
    """
    folder = Path(__file__).parent
    extended = tuple(str(folder / name) for name in EXTENDED)
    for item in items:
        name = item.nodeid.removeprefix("tests/")
        weekly = any(fnmatchcase(name, pattern) for pattern in WEEKLY)
        if weekly:
            item.add_marker("weekly")
        if weekly or str(item.path).startswith(extended) or {"browser", "fox"} & set(item.fixturenames):
            item.add_marker("extended")
        if os.name == "nt" and item.get_closest_marker("posix"):
            item.add_marker(pytest.mark.skip(reason="needs pipes, permissions or signals that Windows lacks"))
    if int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")) > 1:
        items.sort(key=lambda item: FIRST.index(first) if (first := item.nodeid.split("/")[1]) in FIRST else len(FIRST))


BUILT = "KB_TEST_SITE" in os.environ
FIRST = ("campaigns", "cli") if BUILT else ("site", "campaigns", "cli")
"""Folders whose tests run first if several processes run. The site takes longest; tests of prompts cannot run after a
browser has started an event loop in the same process.
"""


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
        """Return the error message on standard error. Fails if the exit code is not 2."""
        assert self.code == 2, self
        return self.err


HEAVY = ("playwright", "axe_playwright_python", "psycopg", "pyarrow", "distributed", "datasette")
"""Libraries that the extra `test` installs and the extra `dev` does not."""


def pytest_ignore_collect(collection_path):
    """Return True for a test module that imports a library of HEAVY that is not installed, so that pytest skips it."""
    missing = [name for name in HEAVY if find_spec(name) is None]
    if not missing or collection_path.suffix != ".py":
        return None
    needs = re.compile(rf"^(?:from|import) (?:{'|'.join(missing)})\b", re.M)
    return True if needs.search(collection_path.read_text("utf-8")) else None


def words_of(line, *values):
    """Return the arguments of a command as a list. `line` is a command line or a list of words. Each word `{}` in it is
    replaced by the next of `values`; the remaining values are appended.
    """
    left = list(map(str, values))
    words = shlex.split(line) if isinstance(line, str) else map(str, line)
    return [left.pop(0) if word == "{}" else word for word in words] + left


@pytest.fixture
def kb(capsys, monkeypatch):
    """Return a function that runs `kb LINE` in this process, with `input` as standard input, and returns an Outcome.

    The function fails if a command other than `kb serve` or `kb site serve` opens a server.
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
        before = len(listened)  # the test itself may have opened a server before
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
    """Set KB_HOME to `folder`, and make kb read the repository's own content, while the block runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KB_HOME", str(folder))
        patch.delenv("KB_SOURCES", raising=False)
        patch.delenv("KB_DATABASE_URL", raising=False)
        yield


@pytest.fixture(scope="session")
def real_home(tmp_path_factory):
    """Build the catalog of the repository's own content, once for all tests, and return the KB_HOME folder with it."""
    folder = tmp_path_factory.mktemp("home")
    with at_home(folder):
        from kb.catalog.store import build_catalog

        build_catalog().close()
    return folder


@pytest.fixture
def real(real_home, monkeypatch):
    """Use the catalog of the repository's own content in this test, and return its KB_HOME."""
    monkeypatch.setenv("KB_HOME", str(real_home))
    monkeypatch.delenv("KB_SOURCES", raising=False)
    monkeypatch.delenv("KB_DATABASE_URL", raising=False)
    return real_home


@pytest.fixture
def own_home(real, tmp_path):
    """Return a KB_HOME that shares the catalog of `real`, but has its own settings and data."""
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "cache").symlink_to(real / "cache")
    return tmp_path / "own"


class Sources:
    """A folder of sources in which a test can write files and entries."""

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
    """Write small, valid sources of an invented game into the folder `root`, and return them as Sources."""
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
    """Write the small sources of `chess`, set KB_SOURCES to them and KB_HOME to an empty folder, and return them."""
    made = chess(tmp_path / "sources")
    monkeypatch.setenv("KB_SOURCES", str(made.root))
    monkeypatch.setenv("KB_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("KB_DATABASE_URL", raising=False)
    return made
