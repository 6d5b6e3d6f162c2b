"""The export for programs: it is complete, fits its schema, is identical for identical sources, and lists the changes
since an older export.
"""

import asyncio
import json
import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import pytest

from kb.catalog.store import open_catalog
from kb.export.write import ExportError, write_export
from tests.conftest import ROOT


def files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


@pytest.fixture
def made(sources, kb, tmp_path):
    done = kb("export", tmp_path / "data")
    assert done.code == 0, done.err
    return tmp_path / "data"


def test_every_entry_has_its_file_and_every_file_its_hash(made):
    index = json.loads((made / "index.json").read_bytes())
    assert index["games"] == {"chess": {"entries": 2, "cards": 0, "checks": 0}}
    found = files(made)
    assert index["files"] == {name: sha256(data).hexdigest() for name, data in found.items() if name != "index.json"}
    assert {name for name in found if name.startswith("entries/")} == {
        "entries/chess/castling.json",
        "entries/chess/fork.json",
    }
    entry = json.loads(found["entries/chess/castling.json"])["entry"]
    assert entry["place"] == {"document": "book", "page": 3, "pages": [], "section": None, "version": None, "url": None}
    assert entry["asked"] == ["may the king swap with the tower"]
    for name, data in found.items():
        assert b"CC-BY-4.0" in data, f"{name} does not name its licence"


@pytest.mark.extended
def test_the_files_of_our_own_content_fit_their_schemas(real, tmp_path):
    jsonschema = pytest.importorskip("jsonschema")
    with open_catalog() as catalog:
        write_export(catalog, tmp_path / "data")
    validators = {
        name: jsonschema.Draft202012Validator(json.loads((tmp_path / "data" / "schema" / f"{name}.json").read_bytes()))
        for name in ("game", "entry", "index")
    }
    index = json.loads((tmp_path / "data" / "index.json").read_bytes())
    validators["index"].validate(index)
    assert set(index["games"]) >= {"arkham", "luxor", "pathfinder", "tainted-grail"}
    for game, counts in index["games"].items():
        whole = json.loads((tmp_path / "data" / "games" / f"{game}.json").read_bytes())
        validators["game"].validate(whole)
        ids = {entry["id"] for entry in whole["entries"]}
        assert (len(ids), len(whole["cards"]), len(whole["checks"])) == (
            counts["entries"],
            counts["cards"],
            counts["checks"],
        )
        assert {cited for check in whole["checks"] for cited in check["cites"]} <= ids
        for entry in whole["entries"][:20]:
            alone = json.loads((tmp_path / "data" / "entries" / f"{entry['id']}.json").read_bytes())
            validators["entry"].validate(alone)
            assert alone["entry"] == entry


def test_datasette_opens_it_searches_it_and_explains_it(made):
    app = pytest.importorskip("datasette.app")

    async def asked():
        opened = app.Datasette([], immutables=[str(made / "kb.sqlite")])
        await opened.invoke_startup()
        paths = [
            "/kb/entry.json?_shape=array&_search=tower",
            "/kb/link.json?_shape=array&entry__exact=chess/castling&kind=see",
            "/kb/entry.json?_facet=kind&_size=0",
            "/kb/about/texts.json?_shape=array",
        ]
        return [(await opened.client.get(path)).json() for path in paths]

    with ThreadPoolExecutor(1) as apart:  # in another thread, because a browser's event loop may be running in this one
        found, links, facets, licence = apart.submit(lambda: asyncio.run(asked())).result()
    assert [row["id"] for row in found] == ["chess/castling"]
    assert [row["target"] for row in links] == ["chess/fork"]
    kinds = facets["facet_results"]["kind"]["results"]
    assert {kind["value"]: kind["count"] for kind in kinds} == {"rule": 1, "term": 1}
    assert licence[0]["value"] == "CC-BY-4.0"


def test_the_manual_explains_every_table(made):
    with sqlite3.connect(made / "kb.sqlite") as database:
        names = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    manual = ROOT / "site" / "using" / "scripts.md"
    told = manual.read_text("utf-8").partition("The tables in `kb.sqlite`:")[2].partition("##")[0]
    cells = [row.split("|")[1] for row in told.splitlines() if row.startswith("| `")]
    assert {name for cell in cells for name in re.findall(r"`(\w+)`", cell)} == {
        name for name in names if not name.startswith("entry_fts")
    }


def test_an_export_lists_its_changes(made, sources, kb, tmp_path):
    sources.entry("chess/fork", "Fork", "One piece attacks three.", kind="term", covers="[ch.fork]")
    sources.entry("chess/pin", "Pin", "A piece cannot move. See [[fork]].")
    done = kb("export {} --since", tmp_path / "new", made)
    assert done.code == 0, done.err
    told = json.loads((tmp_path / "new" / "changes.json").read_bytes())
    assert [item["id"] for item in told["entries_added"]] == ["chess/pin"]
    assert {item["id"]: item["keys"] for item in told["entries_changed"]}["chess/fork"] == [
        "body",
        "linked_from",
        "text",
    ]
    assert "* Pin (`chess/pin`)" in (tmp_path / "new" / "CHANGES.md").read_text("utf-8")
    same = kb("export {} --since", tmp_path / "same", tmp_path / "new")
    assert same.code == 0
    assert "Nothing has changed." in (tmp_path / "same" / "CHANGES.md").read_text("utf-8")


def test_an_older_export_is_replaced_and_nothing_else(made, sources, kb, tmp_path):
    (sources.root / "content" / "chess" / "fork.md").unlink()
    sources.entry("chess/castling", "Castling", "The king moves two squares.", covers="[ch.castling]")
    assert kb("export", made).code == 0
    assert "entries/chess/fork.json" not in files(made)
    (tmp_path / "letter.txt").write_text("x")
    assert "is not a kb export" in kb("export", tmp_path / "letter.txt").refusal
    assert (tmp_path / "letter.txt").read_text() == "x"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize("name", ["thesis.txt", ".git/config", "entries/chess/mine.json"])
def test_an_export_refuses_a_folder_with_files_of_others(made, kb, name):
    (made / name).parent.mkdir(exist_ok=True)
    (made / name).write_text("mine")
    before = files(made)
    assert f"contains files that are not part of a kb export ({name})" in kb("export", made).refusal
    assert files(made) == before


@pytest.mark.parametrize("index", ["", "{}", "[]", '{"files": ["thesis.txt"]}', '{"files": {"thesis.txt": 1}}'])
def test_a_folder_with_another_index_json_is_not_an_export(sources, kb, tmp_path, index):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "index.json").write_text(index)
    (tmp_path / "mine" / "thesis.txt").write_text("mine")
    before = files(tmp_path / "mine")
    assert kb("export", tmp_path / "mine").code == 2
    assert files(tmp_path / "mine") == before


@pytest.mark.parametrize(
    "index", ["", "{}", "[]", '{"version": 1, "games": ["../x"]}', '{"version": 1, "games": {"chess": 1}}']
)
def test_a_broken_older_export_gives_an_error_message(made, tmp_path, index):
    old = tmp_path / "old"
    old.mkdir()
    (old / "index.json").write_text(index)
    with open_catalog() as catalog, pytest.raises(ExportError, match="no readable kb export"):
        write_export(catalog, tmp_path / "new", old)
    assert not (tmp_path / "new").exists()


@pytest.mark.extended
def test_an_export_contains_private_data_only_on_request(sources, kb, tmp_path):
    jsonschema = pytest.importorskip("jsonschema")
    (tmp_path / "kings.md").write_text("# Castling\n\nA king wears a zorblax.\n\n# Forks\n\nA fork has prongs.\n")
    assert kb("import rulebook {} --game chess --title Kings", tmp_path / "kings.md").code == 0
    done = kb("export {} --with-own", tmp_path / "data")
    assert "Check their licences before you publish it" in done.out
    game = json.loads((tmp_path / "data" / "games" / "chess.json").read_bytes())
    schema = json.loads((tmp_path / "data" / "schema" / "game.json").read_bytes())
    jsonschema.Draft202012Validator(schema).validate(game)
    assert "does not cover it" in game["own"]["notice"]
    assert [item["title"] for item in game["own"]["passages"]] == ["Castling", "Forks"]
    assert kb("export", tmp_path / "data").code == 0
    assert not [name for name, data in files(tmp_path / "data").items() if b"zorblax" in data or b"kings" in data]
