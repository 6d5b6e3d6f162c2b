"""Printed pages: a sheet fits one page of A4 or Letter and names its game, and the rule is in the largest type."""

import re

import pytest

SHEETS = [
    "pathfinder/rotr/reference-sheet.html",
    "pathfinder/mm/reference-sheet.html",
    "pathfinder/mm/turn-sequence.html",
    "pathfinder/rotr/villain-sequence.html",
    "arkham/reference-sheet.html",
    "tainted-grail/reference-sheet.html",
    "tainted-grail/character-sheet.html",
    "luxor/reference-sheet.html",
    "luxor/score-sheet.html",
]
PRINTED = """(part) => [...document.querySelectorAll(part)].filter((one) => one.checkVisibility())
    .map((one) => parseFloat(getComputedStyle(one).fontSize))"""

LINES = """(cells) => cells.map((cell) => {
    const text = document.createRange();
    text.selectNodeContents(cell);
    return [cell.textContent.trim(), text.getClientRects().length];
})"""
"""Returns the text of each cell and the number of its printed lines."""


def number(pdf):
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))


@pytest.mark.parametrize(
    "path", [*SHEETS[:2], *(pytest.param(path, marks=pytest.mark.extended) for path in SHEETS[2:])]
)
def test_a_sheet_is_one_page(path, from_folder):
    page = from_folder(path)
    before = page.evaluate("document.documentElement.style.fontSize")
    assert [number(page.pdf(format=paper)) for paper in ("A4", "Letter")] == [1, 1]
    assert page.evaluate("document.documentElement.style.fontSize") == before, (
        "after printing, the font size on the screen is restored"
    )
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("parseFloat(document.documentElement.style.fontSize)") > 8
    assert page.evaluate("document.querySelector('.kb-content--sheet').scrollHeight / 96 * 25.4") > 150, (
        "the sheet fills the page"
    )
    assert page.locator(".kb-where:visible").count() == 1, "the sheet names its game"
    assert not page.locator("article pre:not(.kb-diagram):visible").count()
    for figure in page.locator(".kb-diagram svg").all():
        assert figure.bounding_box()["height"] < 190 / 25.4 * 96


def test_the_rule_is_printed_largest(from_folder):
    page = from_folder("pathfinder/mm/closing-a-location.html")
    page.emulate_media(media="print")
    rule = min(page.evaluate(PRINTED, ".kb-entry__text > p:not([class])"))
    for part in (".kb-ruling", ".kb-ruling p", ".kb-source", ".kb-where"):
        sizes = page.evaluate(PRINTED, part)
        assert sizes
        assert max(sizes) < rule, part


def test_a_long_table_is_headed_on_every_page(from_folder):
    page = from_folder("arkham/investigators/index.html")
    assert number(page.pdf(format="A4")) < 8
    page.emulate_media(media="print")
    assert {page.evaluate("getComputedStyle(document.querySelector('.kb-table thead button')).display")} == {"contents"}
    assert not page.locator("[data-kb-filters]:visible").count()


def test_a_dark_page_is_printed_dark_on_light(from_folder):
    page = from_folder("pathfinder/mm/closing-a-location.html")
    ink = "getComputedStyle(document.querySelector('.kb-source')).color"
    light = page.evaluate(ink)
    page.evaluate("document.body.dataset.mdColorScheme = 'slate'")
    dark = page.evaluate(ink)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(ink) == light != dark
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(ink) == dark


@pytest.mark.extended
def test_a_deck_with_its_sheet_is_printed_on_one_page(real, kb, browser, tmp_path):
    deck, page = tmp_path / "lini.yaml", tmp_path / "lini.html"
    deck.write_text(kb("deck new Lini --in rotr").out, "utf-8")
    page.write_text(kb("deck page {}", deck).out, "utf-8")
    opened = browser.new_page()
    opened.goto(page.as_uri())
    assert number(opened.pdf(format="A4")) == 1
    opened.emulate_media(media="print")
    values = opened.locator(".sheet__part td:nth-child(2)")
    lines = values.evaluate_all(LINES)
    assert {text: number for text, number in lines if text and " " not in text and number != 1} == {}
    opened.close()
