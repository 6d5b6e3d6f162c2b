"""Outputs are never inputs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kb.files.outputs import OutputError, refuse_inputs


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
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
def test_a_file_that_is_read_is_not_written_by_any_name(here: Path, out: str, given: str) -> None:
    with pytest.raises(OutputError, match="is read by this command"):
        refuse_inputs(Path(out), ["-", None, "postgresql://host/decks", given])
    with pytest.raises(OutputError, match="is read by this command"):
        refuse_inputs(here / out, [Path(given) if "://" not in given else given])


def test_letter_case_alone_makes_no_other_file(here: Path) -> None:
    (here / "Other.YAML").write_text("elsewhere a second file, on many disks the same")
    with pytest.raises(OutputError):
        refuse_inputs(Path("Other.YAML"), ["other.yaml"])


@pytest.mark.parametrize("given", [*NAMES[:4], "decks", "folder"])
def test_a_folder_that_holds_an_input_is_not_replaced(here: Path, given: str) -> None:
    for out in (Path("decks"), Path("folder"), here):
        with pytest.raises(OutputError):
            refuse_inputs(out, [given])


def test_a_folder_with_only_the_link_to_an_input_is_not_replaced_either(here: Path) -> None:
    (here / "links").mkdir()
    (here / "links" / "lini.yaml").symlink_to(here / "decks" / "lini.yaml")
    with pytest.raises(OutputError, match="holds"):
        refuse_inputs(Path("links"), ["links/lini.yaml"])


def test_other_files_new_files_and_devices_are_written(here: Path) -> None:
    for out in ("other.yaml", "new.yaml", "decks/new.yaml", os.devnull):
        refuse_inputs(Path(out), ["decks", "hard.yaml", "missing.yaml", os.devnull, "-", "a\0b"])
    refuse_inputs(None, ["decks"])
