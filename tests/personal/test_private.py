"""Answers to other people are byte for byte the same as without the user's imports, and kb does not open the imported
files for them.
"""

import json
import shutil
import subprocess
import sys

import pytest

from kb import paths
from kb.api.session import Session
from kb.catalog.store import build_catalog, home, open_catalog, own_data
from kb.errors import KbError

BOOK = """# House rules

A player with no oportunity takes a muligan when the enmy is exhausted. The zanzibar gambit skips the mulligan phase.

## Zanzibar gambit

An enemy that is engaged with the quorbel attacks twice. You may castle when the doom is placed on the agenda.

## Attack of opportunity

My copy says that an attack of opportunity is a zorblax.
"""
CARDS = "name,copies,type,deck,class_deck,basic\nDagger,1,,,,\nZorblax Mace,2,weapon,B,Cleric,yes\nSample Priest,,character,,,\n"
OF_THE_BOOK = [
    "muligan", "enmy", "oportunity", "zanzibar gambit", "what is the zanzibar", "quorbel", "zorblx", "zorblax mace", "house rules",
    "may I castle", "rulebook", "sample priest", "your copy of house rules", "pathfinder quorbels", "arkham muligan", "dager",
]  # fmt: skip
NAMES = [
    "zanzibar gambit",
    "Zorblax Mace",
    "muligan",
    "house rules",
    "arkham/rulebooks/house-rules/1",
    "1",
    "2",
    "Dagger",
    "mulligan",
]
PLACES = [None, "arkham", "pathfinder", "rulebooks", "own-cards", "house-rules", "all"]


def imported(kb, folder):
    """Import a rulebook and a list of cards from files in `folder`."""
    (folder / "book.md").write_text(BOOK)
    (folder / "mine.csv").write_text(CARDS.rsplit("\n", 2)[0] + "\n")
    for args in (
        ("rulebook", str(folder / "book.md"), "--game", "arkham", "--title", "House rules"),
        ("cards", str(folder / "mine.csv"), "--game", "rotr", "--title", "Quorbels"),
    ):
        done = kb(["import", *args])
        assert done.code == 0, done


def questions():
    """Return a sample of the questions that our entries answer; a third of the sample is also returned with a missing
    letter.
    """
    with open_catalog() as catalog:
        asked = [question for entry in catalog.entries() for question in entry.listed("asked")]
    some = asked[:: max(1, len(asked) // 60)]
    return [*some, *(question[:4] + question[5:] for question in some[::3])]


def answers(asked, own=False):
    """Return a session's answers to all questions in `asked` and to fixed names and places, as one text. If `own` is
    True, the session also reads the user's imports.
    """
    told = []
    with Session(own=own) as session:

        def say(work, *given, **options):
            try:
                told.append([given, session.as_json(work(*given, **options))])
            except KbError as error:
                told.append([given, f"{type(error).__name__}: {error}"])

        for question in [*asked, *OF_THE_BOOK]:
            say(session.search, question)
            say(session.ask, question)
        for place in PLACES:
            say(session.search, "when may I take a muligan", within=place)
            say(session.search, "zanzibar", within=place, kind="rulebook")
        for name in NAMES:
            say(session.show, name)
        for query in ("zorblax", "owned>=1", "set:own", "dagger"):
            told.append(session.cards(query))
        for word in OF_THE_BOOK:
            told.append(session.index.search(word[:5], typing=True))
            told.append([near.id for near in session.index.near(word)])
        told.append(session.catalog.counts())
    return json.dumps(told, default=repr)


@pytest.mark.extended
def test_public_answers_are_the_same_with_and_without_own_data(real, kb, tmp_path, monkeypatch):
    asked = questions()
    assert len(asked) > 70
    without = answers(asked)
    shutil.copytree(real, tmp_path / "home")
    monkeypatch.setenv("KB_HOME", str(tmp_path / "home"))
    imported(kb, tmp_path)
    mine = answers(asked, own=True)
    assert "your copy of House rules" in mine
    assert "Zorblax Mace" in mine
    assert answers(asked) == without


@pytest.fixture
def book(sources, tmp_path):
    """Build the catalog of the small sources, and return the path of a rulebook that can be imported."""
    build_catalog().close()
    file = tmp_path / "kings.md"
    file.write_text("# Of kings\n\nA king wears a zorblax.\n\n## Castling\n\nThe rook leaps over, says my copy.\n")
    return file


def taken(kb, book):
    done = kb("import rulebook {} --game chess --title Kings", book)
    assert done.code == 0, done


PUBLIC = """
import os, sys
seen, private = [], [os.path.join(os.environ["KB_HOME"], *part) for part in (("data",), ("cache", "own-"))]
def hook(event, given):
    if event in ("open", "os.listdir", "os.scandir", "sqlite3.connect", "mmap.__new__") and given:
        name = os.fsdecode(given[0]) if isinstance(given[0], (str, bytes, os.PathLike)) else ""
        if any(part in name for part in private):
            seen.append((event, name))
sys.addaudithook(hook)
from kb.api.session import Session
from kb.cli import main
with Session(own=sys.argv[1] == "own") as session:
    for name in ("zorblax", "castling", "may the king swap with the twer"):
        session.search(name), session.ask(name), session.index.near(name, None)
    session.show("castling"), session.cards("zorblax")
sys.argv = ["kb", "export", os.path.join(os.environ["KB_HOME"], "exported")]
try:
    main()
except SystemExit as ended:
    assert not ended.code
print(len(seen))
"""


@pytest.mark.extended
def test_no_file_of_the_users_own_is_opened_for_others(book, kb):
    taken(kb, book)
    assert kb("search zorblax").code == 0

    def opened(whose):
        done = subprocess.run([sys.executable, "-c", PUBLIC, whose], capture_output=True, text=True, check=True)
        return int(done.stdout.split()[-1])

    assert opened("own") > 3
    assert opened("others") == 0


@pytest.mark.posix
def test_only_the_user_can_read_what_is_theirs(book, kb):
    taken(kb, book)
    data = paths.user_data_dir()
    for path in (data, *data.rglob("*")):  # older versions of kb used these modes
        path.chmod(0o755 if path.is_dir() else 0o644)
    book.write_text(book.read_text() + "\nAnd a quorbel.\n")
    taken(kb, book)
    assert kb("search quorbel").code == 0
    assert kb("show chess/rulebooks/kings/1").code == 0
    private = [path for top in (data, home(data)) for path in (top, *top.rglob("*"))]
    assert len(private) > 8
    for path in private:
        assert oct(path.stat().st_mode & 0o777) == ("0o700" if path.is_dir() else "0o600"), path


def test_removing_an_import_also_removes_its_catalog(book, kb):
    taken(kb, book)
    assert kb("search zorblax").code == 0
    private = home(own_data())
    assert private.is_dir()
    assert kb("import rulebook --remove kings").code == 0
    assert kb("search zorblax").code == 1
    assert own_data() is None
    assert not private.exists()


def test_damaged_private_data_does_not_affect_public_answers(book, kb):
    taken(kb, book)
    build_catalog().close()
    (database,) = home(own_data()).rglob("catalog.sqlite")
    database.write_bytes(b"damaged")
    done = kb("doctor")
    assert "catalog.sqlite" in done.out
    assert "it was rebuilt" in done.out
    (paths.user_data_dir() / "rulebooks" / "kings.json").write_text("{")
    said = []
    with Session(own=False, say=said.append) as session:
        assert session.search("castling").hits
        assert session.show("castling")
    assert said == []


@pytest.mark.posix
def test_a_dangling_link_stops_no_command_and_doctor_names_it(book, kb):
    taken(kb, book)
    (paths.user_data_dir() / "rulebooks" / "lost.json").symlink_to("nowhere.json")
    (paths.user_data_dir() / "other.json").symlink_to("nowhere.json")
    for command in ("search castling", "show castling", "search zorblax"):
        done = kb(command)
        assert (done.code, "bug in kb" in done.err) == (0, False), done
    assert "lost.json" in kb("doctor").out
