"""`kb import arkhamdb`: what it prints, where it writes, and its exit codes."""

import pytest

from tests.games.arkham.test_imports import ENEMY, HERO, KNIFE, write


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("KB_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("KB_SOURCES", raising=False)
    return write(tmp_path / "db", [KNIFE, KNIFE, {**HERO, "deck_requirements": "size:30"}, ENEMY])


def test_an_import_says_what_it_took_and_skipped(kb, folder, tmp_path):
    done = kb("import arkhamdb", folder)
    assert (done.code, done.err) == (0, "")
    assert "1 player cards" in done.out
    assert "newer than the newest document" not in done.out
    assert "Skipped 97001 of pack/tst/tst.json: the code already stands" in done.out
    assert (tmp_path / "home" / "data" / "arkham" / "texts.json").is_file()


def test_json(kb, folder):
    said = kb("import arkhamdb {} --json", folder).json
    assert said["taken"]["investigators"] == 1
    assert said["skipped"][0]["code"] == "97001"


def test_a_folder_that_cannot_be_read(kb, folder, tmp_path):
    missing = kb("import arkhamdb", tmp_path / "nowhere")
    assert (missing.code, missing.out) == (2, "")
    assert "no folder `pack`" in missing.err
    assert not (tmp_path / "home" / "data").exists()


@pytest.mark.parametrize(
    ("file", "data"),
    [
        ("pack/core/core.json", "[" * 100_000),
        ("taboos.json", '[{"code":"1","cards":"[{bad"}]'),
        ("taboos.json", '[{"code":"1","date_start":"2020-01-01","cards":5}]'),
    ],
)  # fmt: skip
def test_records_of_another_shape_are_a_sentence(kb, folder, tmp_path, file, data):
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    (folder / file).write_text(data)
    assert "Nothing was changed." in kb("import arkhamdb", folder).refusal
    assert not list(tmp_path.rglob("data/arkham*"))


def test_card_facts_newer_than_the_documents_are_told(kb, folder):
    packs = [{"code": "tst", "name": "Tomorrow", "cycle_code": "tests", "position": 1, "date_release": "2199-01-01"}]
    write(folder, [KNIFE, {**HERO, "deck_requirements": "size:30"}, ENEMY], packs=packs)
    assert "Tomorrow came out on 2199-01-01" in kb("import arkhamdb", folder).out
