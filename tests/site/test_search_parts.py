"""A page loads what its search needs, and no more: the bytes are counted in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PART = re.compile(r"assets/kb/(search-data\.js|search/[0-9a-f]{12}\.js)")
SEARCHES = [
    ("arkham/glossary/chaos-tokens.html", "does an exhausted enemy attack me when I move", "arkham"),
    ("arkham/index.html", "can I use two hand slots for a weapon", "arkham"),
    ("pathfinder/mm/closing-a-location.html", "can I close a location I am not standing at", "pathfinder"),
    ("tainted-grail/index.html", "when does the menhir go out", "tainted-grail"),
]
MOST = 500_000


def told(site: Path, name: str, call: str) -> Any:
    """What a script of the search data hands on."""
    text = (site / "assets/kb" / name).read_text(encoding="utf-8").strip()
    return json.loads(text.removeprefix(call).removesuffix(")"))


def shared_parts(site: Path) -> set[str]:
    """The parts with the vectors of words."""
    return set(told(site, "search-data.js", "kbSearchData(")["vectors"][1::2])


def parts_by_game(site: Path) -> dict[str, set[str]]:
    """The parts of each game, its head among them."""
    found = {}
    for game, _size, head in told(site, "search-data.js", "kbSearchData(")["games"]:
        data = told(site, f"search/{head}.js", f'kbSearchPart("{head}",')
        found[game] = {head, data["likeness"]}.union(*(data[kind][1::2] for kind in ("words", "names", "texts")))
    return found


@pytest.mark.parametrize(("path", "question", "game"), SEARCHES)
def test_a_search_in_a_game_fetches_less_than_half_a_megabyte(
    path: str, question: str, game: str, site: Path, served: str, tab: Callable[..., Any]
) -> None:
    opened = tab(served, width=390)
    page = opened.open(path)
    assert not list(filter(PART.search, opened.requests)), "nothing before somebody searches"
    page.keyboard.press("/")
    page.keyboard.type(question, delay=90)
    page.wait_for_selector(".kb-dialog .kb-results li a")
    page.wait_for_timeout(500)
    asked = {found[1] for url in opened.requests if (found := PART.search(url))}
    fetched = sum((site / "assets/kb" / name).stat().st_size for name in asked)
    assert 100_000 < fetched < MOST, f"{fetched} bytes in {len(asked)} files"
    held = parts_by_game(site)
    loaded = {name.removeprefix("search/").removesuffix(".js") for name in asked} - {"search-data"}
    assert loaded <= held[game] | shared_parts(site)
    page.click(".kb-chip:has-text('Everything')")
    for _ in range(100):  # a busy machine takes its time
        loaded = {found[1][7:-3] for url in opened.requests if (found := PART.search(url))}
        if all(loaded & parts for parts in held.values()):
            break
        page.wait_for_timeout(200)
    assert all(loaded & parts for parts in held.values()), "the others when it is made wider"
    assert opened.errors == []


def test_every_part_is_there_once_and_named_by_what_is_in_it(site: Path) -> None:
    held = parts_by_game(site)
    there = {path.stem for path in (site / "assets/kb/search").iterdir()}
    assert set().union(*held.values(), shared_parts(site)) == there
    assert max(path.stat().st_size for path in (site / "assets/kb/search").iterdir()) < 150_000
    assert (site / "assets/kb/search-data.js").stat().st_size < 200_000


def test_a_part_that_has_gone_is_looked_for_in_what_the_site_holds_now(site: Path, tab: Callable[..., Any]) -> None:
    """The site was written anew while the page was open: the page loads the list of parts again."""
    opened = tab(f"file://{site}")
    gone: list[str] = []

    def answer(route: Any) -> None:
        if not gone and PART.search(route.request.url) and "search-data" not in route.request.url:
            gone.append(route.request.url)
            route.abort()
        else:
            route.continue_()

    opened.page.route("**/*", answer)
    page = opened.open("index.html")
    found = page.evaluate("kbSearch('closing a location', 'pathfinder/mm', 3)")
    assert gone
    assert found[0]["url"] == "pathfinder/mm/closing-a-location.html"
    assert sum("search-data.js" in url for url in opened.requests) == 2
