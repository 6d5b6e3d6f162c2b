"""File names that come from data cannot lead out of their folder."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.files.folders import OutsideError, inside, is_plain

LEADING_OUT = [
    "", ".", "..", "../x", "a/../b", "a/../../b", "/etc/passwd", "a//b", "a/", "\\\\server\\x", "..\\x", "C:\\x", "C:x", "a\0b",
    "a\nb", "con", "CON.json", "nul.txt", "com1", "a.", "a ", ".git", "~x", "a:b", "a?b", "a#b", "a%2e", "x" * 200, "\u202eexe",
]  # fmt: skip


@pytest.mark.parametrize("name", LEADING_OUT)
def test_names_that_lead_out_or_are_reserved_are_refused(name, tmp_path):
    with pytest.raises(OutsideError):
        inside(tmp_path, name)


@pytest.mark.parametrize("name", ["core", "player/core.json", "01001", "a-b_c.d+e", "mm/rulings/1.13", "Ω", "console"])
def test_a_plain_name_is_accepted(name, tmp_path):
    assert inside(tmp_path, name) == tmp_path / name


def test_a_link_out_of_the_folder_is_refused(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "link").symlink_to(tmp_path)
    (folder / "loop").symlink_to(folder / "loop")
    with pytest.raises(OutsideError):
        inside(folder, "link/x")
    with pytest.raises(OutsideError):
        inside(folder, "link")


@given(st.text())
def test_every_accepted_name_stays_inside(name):
    folder = Path("/nowhere/at/all")
    try:
        path = inside(folder, name)
    except OutsideError:
        return
    assert path.resolve().is_relative_to(folder)
    assert path != folder
    assert all(is_plain(part) for part in name.split("/"))
