"""Damage of a built site is told: files that are gone, cut off or changed, and what killed builds have left."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from kb.files.folders import HELD
from kb.files.swap import kept
from kb.site.damage import damage, is_site
from kb.site.past import Past, file_digest, keep_past
from kb.site.placing import MARKER, write_marker
from kb.site.standing import mark_of

FILES = {
    "index.html": "<html>a</html>\n",
    "a/page.html": "<html>b</html>\n",
    "api/x.json": "{}\n",
    "one.css": "a{}",
    "two.css": "b{}",
}


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site; of `one.css` the digest is known, of the others what the disk says of them."""
    monkeypatch.setenv("KB_HOME", str(tmp_path / "home"))
    folder = tmp_path / "public"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    write_marker(folder, {"version": "1"}, FILES)
    marks = {name: ("", mark_of((folder / name).lstat())) for name in FILES}
    keep_past(folder, Past(files=marks | {"one.css": (file_digest(folder / "one.css"), marks["one.css"][1])}))
    return folder


def test_nothing_is_said_of_a_site_that_is_whole_or_was_only_copied(out: Path) -> None:
    assert is_site(out)
    assert list(damage(out)) == []
    for name, text in FILES.items():
        (out / name).unlink()
        (out / name).write_text(text)
    (out / "CNAME").write_text("somebody else's")
    assert list(damage(out)) == []


@pytest.mark.parametrize(
    ("name", "spoil", "said"),
    [
        ("a/page.html", Path.unlink, "a/page.html is missing"),
        ("a/page.html", lambda path: os.truncate(path, 8), "a/page.html is cut off or empty"),
        ("api/x.json", lambda path: path.write_bytes(b""), "api/x.json is cut off or empty"),
        ("one.css", lambda path: path.write_text("c{}"), "one.css is not as kb wrote it"),
        ("two.css", lambda path: path.write_text("longer{}"), "two.css is not as kb wrote it"),
        (MARKER, lambda path: path.write_text("{"), "nobody can tell which files"),
    ],
)  # fmt: skip
def test_a_damaged_file_is_told(out: Path, name: str, spoil: Callable[[Path], object], said: str) -> None:
    spoil(out / name)
    (sentence,) = damage(out)
    assert said in sentence
    assert "build" in sentence


def test_many_are_told_in_one_sentence(out: Path) -> None:
    for name in list(FILES)[:4]:
        (out / name).unlink()
    (sentence,) = damage(out)
    assert "a/page.html, api/x.json, index.html and 1 more are missing" in sentence


def test_a_swap_that_was_cut_off_is_told(out: Path) -> None:
    out.rename(kept(out))
    assert is_site(out)
    assert [("the site is still the old one" in sentence, "site build" in sentence) for sentence in damage(out)] == [
        (True, True)
    ]
    out.mkdir()
    assert [("was not cleared away" in sentence) for sentence in damage(out)] == [True]


def test_what_killed_builds_have_left_is_told_and_not_what_one_holds(out: Path) -> None:
    left, held = (out.with_name(f".public.kb-build-{name}") for name in ("left", "held"))
    for folder in (left, held):
        folder.mkdir()
        (folder / HELD).touch()
    with FileLock(held / HELD):
        (sentence,) = damage(out)
    assert str(left) in sentence
    patch = out.with_name(f".public.kb-patch-{out.stat().st_ino}")
    patch.mkdir()
    assert any("some are old yet" in sentence for sentence in damage(out))
