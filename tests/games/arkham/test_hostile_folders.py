"""Hostile, broken and huge folders of card data, and interrupted imports."""

import os

import pytest

from kb.games.arkham.imports.arkhamdb import ImportFailed, read_folder
from kb.games.arkham.imports.own import import_folder
from tests.games.arkham.test_imports import CARDS, KNIFE, SIMPLE, write

OUTSIDE = "../../../../outside"


@pytest.mark.parametrize("key", ["code", "pack_code", "encounter_code", "alternate_of", "back_link", "duplicate_of"])
@pytest.mark.parametrize("code", [OUTSIDE, "/x", "a\0b", "a b", "con", "..", "x\n"])
def test_a_code_that_is_not_a_plain_name_is_refused(key, code, tmp_path):
    card = {**KNIFE, key: code}
    source = write(
        tmp_path / "deep/er/still/source", [card, {**KNIFE, "code": code}] if key == "duplicate_of" else [card]
    )
    before = everything(tmp_path)
    with pytest.raises(ImportFailed, match="Nothing was changed"):
        import_folder(source, tmp_path / "deep/er/still/data", CARDS)
    assert everything(tmp_path) == before


@pytest.mark.parametrize(
    "change",
    [
        {"slot": "Hand x9999999999"},
        {"slot": "Hand x" + "9" * 5000},
        {"xp": 10**4000},
        {"slot": "Hand x-1"},
        {"deck_options": [{"option_select": "x"}]},
        {"deck_options": [{"option_select": [5]}]},
        {"deck_options": [{"level": 3}]},
        {"deck_options": [{"deck_size_select": [[]]}]},
        {"deck_requirements": "size:" + "9" * 5000},
        {"deck_requirements": 5},
        {"customization_options": [{"choice": "nothing"}]},
        {"name": "half \ud800"},
    ],
)
def test_a_record_of_another_type_gives_an_error_message(change, tmp_path):
    with pytest.raises(ImportFailed, match="Nothing was changed"):
        import_folder(write(tmp_path / "source", [{**SIMPLE, **change}]), tmp_path / "data", CARDS)
    assert not (tmp_path / "data/arkham").exists()


@pytest.mark.posix
def test_pipes_and_huge_card_files_are_refused_at_once(tmp_path):
    source = write(tmp_path, [KNIFE])
    os.mkfifo(source / "pack/pipe.json")
    with pytest.raises(ImportFailed, match=r"pack/pipe.json cannot be read: this is not a file"):
        read_folder(source)
    (source / "pack/pipe.json").unlink()
    with (source / "pack/huge.json").open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(ImportFailed, match=r"pack/huge.json cannot be read: this is larger than 64 MB"):
        read_folder(source)


def everything(folder):
    """Return the contents of every file below a folder by path, except lock files."""
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock"}
