"""A command refuses to write to a file or folder that it also reads."""

import os
from pathlib import Path

import pytest

from kb.files.outputs import OutputError, refuse_inputs


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks" / "lini.yaml").write_text("lini")
    (tmp_path / "other.yaml").write_text("other")
    (tmp_path / "soft.yaml").symlink_to("decks/lini.yaml")
    (tmp_path / "folder").symlink_to("decks")
    os.link("decks/lini.yaml", "hard.yaml")
    return tmp_path


NAMES = (
    "decks/lini.yaml",
    "./decks/lini.yaml",
    "decks/../decks/lini.yaml",
    "folder/lini.yaml",
    "soft.yaml",
    "hard.yaml",
)


@pytest.mark.parametrize("out", NAMES)
@pytest.mark.parametrize("given", [*NAMES, "decks", "folder", "sqlite:///decks/lini.yaml"])
def test_an_input_file_is_not_written_under_any_name(here, out, given):
    with pytest.raises(OutputError, match="is read by this command"):
        refuse_inputs(Path(out), ["-", None, "postgresql://host/decks", given])
    with pytest.raises(OutputError, match="is read by this command"):
        refuse_inputs(here / out, [Path(given) if "://" not in given else given])


@pytest.mark.parametrize("given", [*NAMES[:4], "decks", "folder"])
def test_a_folder_that_holds_an_input_is_not_replaced(here, given):
    for out in (Path("decks"), Path("folder"), here):
        with pytest.raises(OutputError):
            refuse_inputs(out, [given])


def test_other_files_new_files_and_devices_are_written(here):
    for out in ("other.yaml", "new.yaml", "decks/new.yaml", os.devnull):
        refuse_inputs(Path(out), ["decks", "hard.yaml", "missing.yaml", os.devnull, "-", "a\0b"])
    refuse_inputs(None, ["decks"])
