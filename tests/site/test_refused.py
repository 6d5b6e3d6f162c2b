"""What the site says when the network goes, storage is refused or an address names what is not there."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

REFUSED = """
const stores = { localStorage: window, sessionStorage: window, caches: window, serviceWorker: Navigator.prototype };
for (const [key, of] of Object.entries(stores))
  Object.defineProperty(of, key, { configurable: true, get() { throw new DOMException("The operation is insecure.", "SecurityError"); } });
"""
"""A window whose cookies are forbidden: to look at its stores is an error already."""


@pytest.fixture
def mortal(site: Path) -> Iterator[tuple[str, Callable[[], None]]]:
    """Address of the site behind a server, and what ends that."""

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *_args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    alive = [True]

    def end() -> None:
        if alive:
            alive.clear()
            server.shutdown()
            server.server_close()

    yield f"http://127.0.0.1:{server.server_address[1]}", end
    end()


def said(page: Any) -> str:
    page.wait_for_selector(".kb-results__said")
    return str(page.inner_text(".kb-results__said"))


def test_a_server_that_went_away_is_told_as_that(
    mortal: tuple[str, Callable[[], None]], tab: Callable[..., Any]
) -> None:
    base, end = mortal
    page = tab(base).open("index.html")
    end()
    assert page.evaluate("navigator.onLine"), "a browser knows its cable only"
    page.fill("#kb-hero-input", "close a location")
    assert said(page).startswith("There is no network, or the site's server does not answer")


@pytest.mark.parametrize(
    ("status", "words"), [(404, "the server answered 404. Load this page again."), (200, "could not be read.")]
)
def test_a_part_that_a_server_does_not_give_is_told(
    status: int, words: str, served: str, tab: Callable[..., Any]
) -> None:
    opened = tab(served)

    def answer(route: Any) -> None:
        if route.request.method == "HEAD":
            route.fulfill(status=status)
        else:
            route.abort()

    opened.page.route("**/assets/kb/search-data.js*", answer)
    page = opened.open("search.html")
    page.fill("#kb-page-input", "close a location")
    assert said(page).endswith(words)


def test_a_folder_without_its_search_is_told(site: Path, tab: Callable[..., Any]) -> None:
    opened = tab(f"file://{site}")
    opened.page.route("**/assets/kb/search-data.js*", lambda route: route.abort())
    page = opened.open("search.html")
    page.fill("#kb-page-input", "close a location")
    assert said(page) == "A file of the search is not beside this page: copy the whole folder of the site."


def test_a_search_in_no_game_says_so_and_searches_all(site: Path, tab: Callable[..., Any]) -> None:
    page = tab(f"file://{site}").open("search.html?in=nonsense")
    assert said(page) == "There is no game or set “nonsense” here: all games are searched."
    page.fill("#kb-page-input", "villain")
    page.wait_for_selector(".kb-results__title")
    assert said(page).startswith("There is no game or set “nonsense” here: all games are searched. ")
    assert said(page).endswith("results")
    page.select_option("[data-kb-search-in]", "pathfinder")
    page.wait_for_function("!document.querySelector('.kb-results__said').textContent.includes('nonsense')")
    page = tab(f"file://{site}").open("search.html?in=pathfinder/mm&q=villain")
    page.wait_for_selector(".kb-results__title")
    assert "There is no" not in said(page)


@pytest.mark.parametrize(
    "address", ["index.html", "arkham/all/errata.html", "arkham/cards/index.html", "along.html", "check.html"]
)
def test_a_window_that_keeps_nothing_is_told_and_logs_no_error(
    address: str, served: str, tab: Callable[..., Any]
) -> None:
    opened = tab(served)
    opened.page.add_init_script(REFUSED)
    page = opened.open(address)
    page.wait_for_selector("script[src*='along.js']", state="attached")
    page.wait_for_timeout(150)
    if address == "along.html":
        assert "perhaps a private window" in page.inner_text("[data-kb-why]")
    assert opened.errors == []
