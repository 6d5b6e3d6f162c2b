"""Requests from outside cannot open files by naming them. Python's audit events record every file that is opened
meanwhile.
"""

import json
import os
import sys
import sysconfig
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

import kb
from kb import paths
from kb.api.decks import Campaign, Deck, Party
from kb.api.session import FilesError, Session
from kb.errors import KbError
from kb.registry import games
from kb.web import questions, work

pytest.importorskip("mcp")
from mcp.server.mcpserver.exceptions import ToolError

from kb.web.assistant import tools

watching = None
OPENS = {"open", "os.listdir", "os.scandir", "os.open", "glob.glob"}


def hook(event, given):
    """If `watching` is not None, append the path of each opened file or folder to it. Python cannot remove an audit
    hook.
    """
    if watching is not None and event in OPENS and isinstance(given[0], str | bytes | os.PathLike):
        watching.append(str(Path.cwd() / os.fsdecode(given[0])))


sys.addaudithook(hook)


@contextmanager
def watched():
    """Yield a list. After the block, it contains the files that were opened in the block, except those of kb's code,
    of Python, and of the catalog.
    """
    global watching
    own = [
        str(Path(kb.__file__).parent),
        os.environ["KB_HOME"],
        str(paths.sources_root()),
        sys.prefix,
        sys.base_prefix,
        *sysconfig.get_paths().values(),
    ]
    watching = opened = []
    try:
        yield opened
    finally:
        watching = None
        opened[:] = [path for path in opened if not any(path.startswith(f"{place}/") for place in own)]


@pytest.fixture
def secret(tmp_path, monkeypatch):
    """Create files, a folder and a pipe with secret contents, and return their names in all possible forms."""
    monkeypatch.chdir(tmp_path)
    files = [tmp_path / f"deck{end}" for end in (".yaml", ".json", ".jsonl")]
    for file in files:
        file.write_text("game: arkham\ninvestigator: SECRET\ncards: [SECRET]\n")
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks" / "one.yaml").write_text("SECRET")
    (tmp_path / "link.yaml").symlink_to(files[0])
    return [
        *map(str, files),
        "deck.json",
        f"../{tmp_path.name}/deck.yaml",
        "link.yaml",
        "pipe.yaml",
        "decks",
        "-",
        "/dev/zero",
    ]


def decks_naming(name):
    """Yield texts of decks, parties and campaigns that contain the file name `name` in every possible position."""
    said = json.dumps(name)
    keys = "upgrades", "taboo", "spirit_deck", "side", "owned", "owns", "file", "party", "campaign"
    for key in keys:
        yield f"game: arkham\ninvestigator: Roland Banks\ncards: [2x Machete]\n{key}: {said}\n"
        yield f"game: pathfinder\nset: rotr\ncharacter: Kyra\ncards: [2x Mace]\n{key}: [{said}]\n"
    yield f"game: arkham\ninvestigator: {said}\ncards: [{said}]\n"
    yield f"game: {said}\n"
    yield json.dumps({"investigator_code": name, "slots": {name: 2}, "meta": name, "taboo_id": name})
    yield f"game: pathfinder\nset: rotr\nadventure: 1\nmembers:\n  Kyra: {said}\n  Ezren:\n    pool: [{said}]\n    file: {said}\n"
    yield f"game: tainted-grail\ncharacter: {said}\ncombat: {said}\n"
    yield name


def http(name):
    """Yield (question, arguments) for every question of the service, with the file name `name` in every possible
    argument.
    """
    yield "cards", {"query": f"for:{name}", "limit": 5}
    yield "cards", {"query": f'for:"{name}" is:upgrade taboo:{name}', "limit": 5}
    yield "cards", {"query": f"{name} owned:{name} set:{name} name:{name}", "limit": 5}
    for question in ("search", "ask"):
        yield question, {"question": name}
        yield question, {"question": "mulligan", "game": name, "kind": name}
    yield "show", {"name": name}
    yield "show", {"name": "mulligan", "game": name, "rules": name}
    yield "entry", {"id": name}
    for text in decks_naming(name):
        yield "check_deck", {"text": text}
        yield "rebuild_party", {"text": text, "fill": True}
    deck = "game: arkham\ninvestigator: Roland Banks\ncards: [2x Machete]\n"
    for option in (each for about in games().values() for each in about.options):
        yield "check_deck", {"text": deck, option.name: [name] if option.many else name}


@pytest.mark.extended
def test_the_service_opens_no_file(real, secret):
    with Session(own=False, files=False) as session:
        session.catalog.entry("arkham/glossary/mulligan")
        for name in secret[::4]:
            for question, arguments in http(name):
                with watched() as opened:
                    status, told = work.answered(session, getattr(questions, question), arguments)
                assert opened == [], (question, arguments)
                assert status < 500
                assert b"SECRET" not in told


def calls(name):
    """Yield (tool, arguments) for every tool of `kb mcp`, with the file name `name` in every possible argument."""
    yield from (("ask", {"question": name}), ("ask", {"question": "mulligan", "game": name}))
    yield "search", {"question": "x", "game": name, "kind": name}
    yield from (("show", {"name": name}), ("show", {"name": "mulligan", "game": name}))
    yield from (("cards", {"query": f"for:{name}"}), ("cards", {"query": f'"{name}" taboo:{name} for:"{name}"'}))
    for option in ("file", "text", "want", "owned", "taboo", "environment", "nonsense", "self", name):
        yield "check_deck", {"deck": "game: arkham\ninvestigator: Roland Banks\n", "options": {option: name}}
    yield "check_deck", {"deck": name, "options": {"taboo": True, "start": "yes"}}
    yield "check_deck", {"deck": name}


@pytest.mark.extended
@pytest.mark.parametrize("own", [False, True])
def test_the_tools_open_no_file(real, secret, own):
    tool = tools(own)
    for name, arguments in calls(secret[own]):
        with watched() as opened:
            try:
                told = json.dumps(tool[name](**arguments))
            except ToolError as error:
                told = str(error)
        assert opened == [], (name, arguments)
        assert "SECRET" not in told
        assert "bug in kb" not in told


def test_a_session_without_files_refuses_their_names(real, secret):
    deck = "game: arkham\ninvestigator: Roland Banks\ncards: [2x Machete]\n"
    with Session(files=False) as session:
        assert Deck(deck, session=session).check().character
        for name in secret:
            asked_for = [
                partial(list, session.read_decks([name])),
                partial(list, session.check_decks([name])),
                Party(name, session=session).pull,
                Party(name, session=session).check,
                Party(name, session=session).rebuild,
                partial(Deck.load, name, session=session),
                partial(Deck.load_all, [name], session=session),
                Campaign(name, session=session).check,
            ]
            with watched() as opened:
                for ask in asked_for:
                    with pytest.raises(FilesError, match="Give the text"):
                        ask()
                with pytest.raises(KbError):
                    Deck(deck, session=session).plan([name])
            assert opened == [], name
