"""The site in a real browser: no request leaves, the search answers, tables filter, nothing is cut off, axe has no complaint."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PAGES = {
    "home": "index.html",
    "entry": "pathfinder/mm/closing-a-location.html",
    "icons": "arkham/glossary/chaos-tokens.html",
    "ruling": "arkham/rulings/1-6.html",
    "shelf": "pathfinder/mm/index.html",
    "game": "pathfinder/index.html",
    "glossary": "arkham/glossary/index.html",
    "topics": "pathfinder/topics/index.html",
    "topic": "pathfinder/topics/permanently-closing.html",
    "diagram": "pathfinder/mm/turn-sequence.html",
    "character": "pathfinder/rotr/characters/ezren.html",
    "characters": "pathfinder/mm/characters/index.html",
    "boons": "pathfinder/rotr/cards/types/spell.html",
    "adventures": "pathfinder/mm/adventures/index.html",
    "investigator": "arkham/cards/01001.html",
    "investigators": "arkham/investigators/index.html",
    "cards": "arkham/cards/index.html",
    "list": "arkham/taboo/mutated.html",
    "check": "check.html",
    "checks": "checks/index.html",
    "search": "search.html?q=taboo",
    "about": "about.html",
}


@pytest.mark.parametrize("path", PAGES.values(), ids=PAGES)
def test_no_request_leaves_and_nothing_fails(path: str, site: Path, served: str, tab: Callable[..., Any]) -> None:
    for base in (f"file://{site}", served):
        opened = tab(base)
        opened.open(path)
        opened.page.wait_for_timeout(150)
        assert opened.strangers == []
        assert opened.errors == []


@pytest.mark.parametrize("path", PAGES.values(), ids=PAGES)
def test_a_phone_needs_no_sideways_scrolling(path: str, site: Path, tab: Callable[..., Any]) -> None:
    opened = tab(f"file://{site}", width=390)
    opened.open(path)
    opened.page.wait_for_timeout(100)
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", [name for name in PAGES if name not in {"cards", "glossary"}])
def test_axe_has_no_complaint(name: str, dark: bool, site: Path, tab: Callable[..., Any]) -> None:
    from axe_playwright_python.sync_playwright import Axe

    opened = tab(f"file://{site}", dark=dark)
    opened.open(PAGES[name])
    opened.page.wait_for_timeout(200)
    found = Axe().run(opened.page).response["violations"]
    assert [
        (item["id"], item["nodes"][0]["html"][:160], item["nodes"][0]["failureSummary"][-160:]) for item in found
    ] == []


def test_the_search_field_on_the_first_page_answers(site: Path, tab: Callable[..., Any]) -> None:
    opened = tab(f"file://{site}")
    page = opened.open("index.html")
    page.fill("#kb-hero-input", "when can I close a location")
    page.wait_for_selector(".kb-results a")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/*.html")
    assert "losing" in page.inner_text("h1")
    assert opened.strangers == []


def test_the_search_opens_with_a_key_and_closes_with_escape(site: Path, tab: Callable[..., Any]) -> None:
    page = tab(f"file://{site}").open(PAGES["entry"])
    page.keyboard.press("/")
    page.wait_for_selector("dialog[open]")
    page.keyboard.type("recharge")
    # Answers come while one types: the first list may still be that of half the word.
    for _ in range(100):
        titles = page.locator("dialog .kb-results__title").all_inner_texts()
        if titles[:1] == ["Recharge"]:
            break
        page.wait_for_timeout(50)
    assert titles[0] == "Recharge"
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0


def test_the_search_finds_titles_names_questions_and_cards(site: Path, served: str, tab: Callable[..., Any]) -> None:
    page = tab(served).open("index.html")

    def found(query: str, within: str = "") -> list[str]:
        return [hit["url"] for hit in page.evaluate("([query, within]) => kbSearch(query, within, 5)", [query, within])]

    assert "arkham/glossary/chaos-tokens.html" in found("Chaos tokens")[:2]
    assert "arkham/glossary/chaos-tokens.html" in found("tentacle token"), "another name"
    assert "pathfinder/mm/closing-a-location.html" in found("can I close a location I am not standing at"), "a question"
    assert "arkham/glossary/chaos-tokens.html" in found("choas tokens"), "a slip of the finger"
    assert found("Roland's .38 Special")[0].startswith("arkham/"), "a card's very name"
    assert "cards/" not in found("villain")[0], "entries above cards"
    assert all(url.startswith("pathfinder/") for url in found("villain", "pathfinder/mm"))


def test_the_search_results_hide_what_gives_a_campaign_away(site: Path, real: Path, tab: Callable[..., Any]) -> None:
    from kb.catalog.store import open_catalog

    with open_catalog() as catalog:
        entry = next(entry for entry in catalog.entries("arkham") if entry.spoiler)
    page = tab(f"file://{site}").open("search.html")
    page.fill("#kb-page-input", entry.title)
    page.wait_for_selector(".kb-results__spoiler")
    first = page.locator(".kb-results li", has=page.locator(".kb-results__spoiler")).first
    assert "Spoiler for" in first.inner_text()


def test_the_sites_words_are_the_indexs_words(site: Path, tab: Callable[..., Any]) -> None:
    """The stemmer in the browser and the one of the index agree on every word of the content."""
    from kb.search.analysis import stemmed, words

    data = (site / "assets/kb/search-data.js").read_text(encoding="utf-8")
    entries = json.loads(data[len("kbSearchData(") : -2].replace("<\\/", "</"))["entries"]
    vocabulary = sorted(
        {word for entry in entries for text in (entry[3], *entry[6], *entry[7], *entry[9]) for word in words(text)}
    )
    assert len(vocabulary) > 3_000
    page = tab(f"file://{site}").open("index.html")
    there = page.evaluate("(list) => list.map(kbText.stemmed)", vocabulary)
    assert [(word, found) for word, found in zip(vocabulary, there, strict=True) if found != stemmed(word)] == []


def test_the_site_answers_as_the_command_line_does(site: Path, real: Path, tab: Callable[..., Any]) -> None:
    """The ranking in the browser follows kb.search: the same first hit for nearly every question of the content."""
    from kb.catalog.store import open_catalog
    from kb.search.engine import SearchIndex
    from kb.site.addresses import Addresses
    from kb.site.library import read_library
    from kb.site.places import all_pages

    with open_catalog() as catalog:
        index, library = SearchIndex(catalog.index_folder), read_library(catalog)
    addresses = Addresses(library, all_pages())
    questions = [entry.listed("asked")[0] for entry in library.entries.values() if entry.listed("asked")][::12]
    page = tab(f"file://{site}").open("index.html")
    agree = 0
    for question in questions:
        there = [hit["url"] for hit in page.evaluate("(query) => kbSearch(query, '', 3)", question)]
        here = index.search(question, limit=1).hits
        agree += bool(here) and addresses.entry(here[0].id) in there
    index.close()
    assert len(questions) > 60
    assert agree / len(questions) > 0.9


def test_a_table_of_cards_filters_and_sorts(site: Path, tab: Callable[..., Any]) -> None:
    page = tab(f"file://{site}").open(PAGES["cards"])

    def shown() -> int:
        return int(page.evaluate("document.querySelectorAll('tbody tr:not([hidden])').length"))

    everything = shown()
    assert everything > 1_500
    page.select_option("select[name=class]", "seeker")
    page.fill("[data-kb-filters] input[name=q]", "tome")
    page.wait_for_timeout(200)
    some = shown()
    assert 0 < some < everything / 10
    assert page.inner_text("output").startswith(str(some))
    assert "class=seeker" in page.url
    page.click("th:has-text('Cost')")
    costs = page.evaluate(
        "[...document.querySelectorAll('tbody tr:not([hidden])')].map((row) => row.cells[4].textContent)"
    )
    numbers = [float(cost) for cost in costs if cost.strip("–X ")]
    assert numbers == sorted(numbers)
    page.reload()
    page.wait_for_timeout(200)
    assert shown() == some, "the filter stands in the address"


def test_a_large_table_filters_in_a_moment(site: Path, tab: Callable[..., Any]) -> None:
    page = tab(f"file://{site}").open(PAGES["cards"])
    spent = page.evaluate(
        """() => {
            const field = document.querySelector("[data-kb-filters] input[name=q]"), rows = [...document.querySelectorAll("tbody tr")];
            const start = performance.now(), spent = () => performance.now() - start;
            field.value = "weapon";
            field.dispatchEvent(new Event("input", { bubbles: true }));
            return new Promise((done) => {
                const look = () => (rows.some((row) => row.hidden) || spent() > 5000 ? done(spent()) : setTimeout(look, 5));
                look();
            });
        }"""
    )
    assert spent < 2_000
    assert page.locator("tbody tr:not([hidden])").count() > 20


@pytest.mark.parametrize(
    "path",
    [
        "pathfinder/mm/turn-sequence.html",
        "pathfinder/rotr/villain-sequence.html",
        "pathfinder/topics/turn-sequence.html",
    ],
)
def test_diagrams_are_drawn_from_a_folder(path: str, site: Path, tab: Callable[..., Any]) -> None:
    opened = tab(f"file://{site}")
    page = opened.open(path)
    page.wait_for_selector(".kb-diagram--drawn svg", timeout=10_000)
    assert page.locator(".kb-diagram--drawn").count() == page.locator(".kb-diagram").count()
    assert "blessings" in (page.text_content(".kb-diagram svg") or "").lower()
    assert opened.strangers == []
    assert opened.errors == []


def test_dark_and_light_follow_the_system_and_the_switch(site: Path, tab: Callable[..., Any]) -> None:
    page = tab(f"file://{site}", dark=True).open("index.html")
    scheme = "document.body.dataset.mdColorScheme"
    assert page.evaluate(scheme) == "slate"
    page.click("form[data-md-component=palette] label:not([hidden])")
    page.wait_for_function(f"{scheme} === 'default'")


def test_a_reference_sheet_prints_without_the_frame(site: Path, tab: Callable[..., Any]) -> None:
    page = tab(f"file://{site}").open("pathfinder/mm/reference-sheet.html")
    page.emulate_media(media="print")
    for part in (".kb-header", ".kb-sidebar", ".kb-entry__aside", ".kb-footer"):
        assert not page.locator(part).first.is_visible()
    assert page.locator("h1").is_visible()


def test_the_contents_open_on_a_phone(site: Path, tab: Callable[..., Any]) -> None:
    page = tab(f"file://{site}", width=390).open(PAGES["entry"])
    page.click(".kb-menu")
    page.wait_for_timeout(400)
    link = page.locator(".kb-nav a[aria-current=page]")
    assert link.count() == 1
    box = page.locator(".kb-nav__shelf a").bounding_box()
    assert box is not None
    assert box["x"] >= 0
