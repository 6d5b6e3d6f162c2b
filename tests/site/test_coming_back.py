"""A reader who comes back, has several tabs, follows a link that a message bent, or holds a phone."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.site.firefox import Firefox


def masked(page: Any) -> int:
    return int(
        page.evaluate(
            "[...document.querySelectorAll('tbody th a')].filter((one) => one.textContent === 'Spoiler for The Circle Undone').length"
        )
    )


def test_who_comes_back_to_a_long_table_finds_the_place(site: Path, tab: Callable[..., Any]) -> None:
    page = tab(f"file://{site}").open("arkham/cards/index.html")
    for _ in range(20):
        page.evaluate("scrollBy(0, 1500)")
        page.wait_for_timeout(60)
        if page.evaluate("scrollY") > 6_000:
            break
    place = page.evaluate("scrollY")
    assert place > 6_000
    page.evaluate("document.querySelector('tbody tr:last-child a').click()")
    page.wait_for_url(re.compile(r"/cards/[0-9]+[.]html$"))
    page.go_back()
    page.wait_for_url("**/arkham/cards/index.html")
    for _ in range(40):
        if abs(page.evaluate("scrollY") - place) < 5:
            break
        page.wait_for_timeout(50)
    assert abs(page.evaluate("scrollY") - place) < 5


def test_firefox_finds_the_place_too(served: str, fox: Firefox) -> None:
    """It may keep the page itself; then nothing is drawn anew. The place is the browser's, and there with the rows."""
    fox.open(f"{served}/arkham/cards/index.html")
    scroll = """
    for (let turn = 0; turn < 60 && scrollY < 6000; turn++) { scrollBy(0, 1500); await new Promise((go) => setTimeout(go, 50)); }
    await new Promise((go) => setTimeout(go, 500));
    setTimeout(() => document.querySelector("tbody tr:last-child a").click());
    return document.querySelectorAll("tbody tr").length;
    """
    rows = fox.run(scroll)
    assert rows > 150
    until(fox, "/cards/[0-9]+[.]html$", "")
    fox("WebDriver:Back")
    until(fox, "/cards/index.html$", f"document.querySelectorAll('tbody tr').length >= {rows}")


def until(fox: Firefox, address: str, what: str) -> None:
    """Wait for a page whose address is such, and there for something."""
    for _ in range(300):
        with suppress(RuntimeError):  # the page went while it was asked
            if fox.run(f"return new RegExp(given[0]).test(location.href) && ({what or 'true'})", address) is True:
                return
        time.sleep(0.1)
    raise AssertionError(f"{address}: {what}")


def test_a_campaign_that_another_tab_calls_finished_is_told_here_too(served: str, tab: Callable[..., Any]) -> None:
    opened = tab(served)
    table = opened.open("arkham/all/errata.html")
    # All rows are drawn: one that came later would be counted once only.
    table.evaluate("dispatchEvent(new Event('beforeprint'))")
    hidden = masked(table)
    assert hidden > 0
    other = table.context.new_page()
    other.goto(f"{served}/arkham/index.html")
    other.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    box = "input[data-kb-finished][value='The Circle Undone']"
    for change, left in ((other.check, 0), (other.uncheck, hidden)):
        change(box)
        for _ in range(40):
            if masked(table) == left:
                break
            table.wait_for_timeout(50)
        assert masked(table) == left


@pytest.mark.parametrize(
    "address",
    ["index.html#100%", "arkham/all/errata.html#%E0", "arkham/cards/index.html#?length=3&q=%"],
)
def test_an_address_that_is_bent_breaks_nothing(address: str, served: str, tab: Callable[..., Any]) -> None:
    opened = tab(served)
    page = opened.open(address)
    page.wait_for_selector("script[src*='along.js']", state="attached")
    assert not opened.errors


@pytest.mark.parametrize(("key", "value"), [("colours", '"purple"'), ("finished", "5"), ("finished", '{"a": 1}')])
def test_what_another_program_kept_under_the_same_name_breaks_nothing(
    key: str, value: str, served: str, tab: Callable[..., Any]
) -> None:
    opened = tab(served)
    page = opened.open("index.html")
    page.evaluate(
        "([key, value]) => localStorage.setItem(new URL(window.kbBase + '/', location).pathname + '.' + key, value)",
        [key, value],
    )
    page = opened.open("arkham/all/errata.html")
    page.wait_for_timeout(100)
    assert masked(page) > 0
    assert not opened.errors


@pytest.mark.parametrize("end", ["", ".", ")", "%"])
def test_a_full_stop_behind_a_link_is_no_part_of_the_deck(end: str, packed: Path, tab: Callable[..., Any]) -> None:
    opened = tab(f"file://{packed}")
    page = opened.open(f"check.html#deck=1AAAA{end}")
    assert page.inner_text("[data-kb-state]").startswith("This link holds a deck")
    assert not opened.errors


def test_an_example_is_shown_from_its_beginning(packed: Path, tab: Callable[..., Any]) -> None:
    page = tab(f"file://{packed}").open("check.html")
    page.click("[data-kb-example] >> nth=1")
    assert page.evaluate("document.activeElement.id") == "kb-deck"
    assert page.evaluate("document.getElementById('kb-deck').scrollTop") == 0


@pytest.mark.parametrize("width", [320, 390])
def test_on_a_phone_sentences_in_a_table_are_as_wide_as_the_page(
    width: int, site: Path, tab: Callable[..., Any]
) -> None:
    page = tab(f"file://{site}", width=width).open("arkham/all/questions.html")
    wrap, table, told = page.evaluate(
        "['.kb-tablewrap', '.kb-table', 'tbody td:nth-last-child(2)'].map((one) => document.querySelector(one).scrollWidth)"
    )
    assert table <= wrap, "nothing is to be scrolled sideways"
    assert told > wrap * 0.95
    assert page.locator("thead button").count() == 3, "and it can still be sorted"


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize(
    ("address", "first", "told"),
    [
        ("arkham/cards/index.html#?q=beat+cop&length=1", "Beat Cop", ["Lvl 0", "Cost 4", "Slot Ally"]),
        ("arkham/investigators/index.html#?q=agatha", "Agatha Crane The Parapsychologist", ["willpower 4", "Sanity 8"]),
        ("arkham/cards/01001.html", "The Fed this card", ["Class guardian", "Health 9"]),
        ("pathfinder/mm/characters/index.html", "Alahazra", ["Class Oracle", "Weapon 0", "Blessing 5"]),
        ("tainted-grail/resources.html", "food", []),
        ("arkham/errata/the-path-to-carcosa.html", "95", []),
    ],
)
def test_on_a_phone_a_row_of_numbers_is_read_without_scrolling(
    address: str, first: str, told: list[str], width: int, site: Path, tab: Callable[..., Any]
) -> None:
    page = tab(f"file://{site}", width=width).open(address)
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    page.wait_for_selector("tbody tr")
    assert page.evaluate(
        "[...document.querySelectorAll('article table, .kb-tablewrap')].every((one) => one.scrollWidth <= one.clientWidth)"
    ), "nothing is to be scrolled sideways"
    row = page.locator("tbody tr").first
    assert row.locator("th, td").first.inner_text().strip() == first
    said = row.evaluate(
        "(row) => [...row.cells].map((cell) => getComputedStyle(cell, '::before').content.replaceAll('\"', '') + cell.textContent)"
    )
    assert not told or {*told} <= {*said}
