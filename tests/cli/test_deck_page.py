"""`kb deck page`: where the page goes, and what is said when there is none."""

import json

import pytest


@pytest.fixture
def deck(real, kb, tmp_path, monkeypatch):
    """A folder to work in, with a deck."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lini.txt").write_text(kb("deck new Lini").out)
    return tmp_path


def test_the_page_goes_to_a_file_or_to_standard_output(deck, kb):
    printed = kb("deck page lini.txt")
    assert printed.code == 0
    assert printed.out.startswith("<!doctype html>")
    written = kb("deck page lini.txt --out lini.html")
    assert (written.code, written.out) == (0, "Wrote lini.html.\n")
    assert (deck / "lini.html").read_text(encoding="utf-8") == printed.out


def test_a_file_that_exists_is_only_overwritten_when_asked(deck, kb):
    (deck / "lini.html").write_text("mine")
    refused = kb("deck page lini.txt --out lini.html")
    assert (refused.code, refused.err) == (2, "lini.html exists; --force overwrites it.\n")
    assert (deck / "lini.html").read_text() == "mine"
    assert kb("deck page lini.txt --out lini.html --force").code == 0
    assert "Lini" in (deck / "lini.html").read_text(encoding="utf-8")


def test_an_illegal_deck_has_a_page_all_the_same(deck, kb):
    (deck / "bad.txt").write_text("character: Lini\n2x Cure\n")
    page = kb("deck page bad.txt")
    assert page.code == 0
    assert "Not legal" in page.out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("game: chess\n", "Unknown game"),
        ("character: Nobody\nadventure: B\n2x Cure\n", "There is no character"),
        (json.dumps({"investigator_code": "01001", "slots": "01006"}), "must map card codes"),
    ],
)
def test_what_cannot_be_read_is_said(text, said, deck, kb):
    (deck / "bad.txt").write_text(text)
    outcome = kb("deck page bad.txt")
    assert (outcome.code, outcome.out) == (2, "")
    assert said in outcome.err
    assert "Traceback" not in outcome.err


def test_a_page_is_made_of_one_deck(deck, kb):
    (deck / "more.txt").write_text((deck / "lini.txt").read_text())
    outcome = kb("deck page .")
    assert (outcome.code, outcome.err) == (2, ".: holds 2 decks; this is done with one.\n")
    assert kb("deck page missing.txt").code == 2
