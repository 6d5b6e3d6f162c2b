"""A site on a server: it is installed, what was read opens without a network, it is taken along, and a newer edition breaks nothing."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from kb.catalog.store import build_catalog
from kb.site.build import build_site
from tests.conftest import chess

STORES = "caches.keys()"
NEWER = "The king moves two squares, as the second edition says. See [[fork]]."


@pytest.fixture(scope="module")
def editions(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two editions of a small site: one word of the second is another."""
    folder = tmp_path_factory.mktemp("editions")
    with pytest.MonkeyPatch.context() as patch:
        made = chess(folder / "sources")
        patch.setenv("KB_SOURCES", str(made.root))
        patch.setenv("KB_HOME", str(folder / "home"))
        patch.delenv("KB_DATABASE_URL", raising=False)
        with build_catalog() as catalog:
            build_site(catalog, folder / "one")
        made.entry("chess/castling", "Castling", NEWER, covers="[ch.castling]", aliases="[rochade]")
        with build_catalog() as catalog:
            build_site(catalog, folder / "two")
    for path in (folder / "two").rglob("*"):  # servers tell times in seconds, and both may be built within one
        os.utime(path, (later := path.stat().st_mtime + 2, later))
    return folder / "one", folder / "two"


class Host:
    """A server whose site can be exchanged, cut off in the middle of the whole edition, or stopped."""

    def __init__(self, site: Path, below: str = "") -> None:
        self.site, self.below, self.cut = site, below, 0
        self.asked: list[str] = []
        host = self

        class Handler(SimpleHTTPRequestHandler):
            def log_message(self, *_said: object) -> None:
                pass

            def translate_path(self, path: str) -> str:
                within = path.partition("?")[0].removeprefix(f"/{host.below}")
                return str(host.site / within.lstrip("/")) + ("/" if path.endswith("/") else "")

            def do_GET(self) -> None:
                host.asked.append(self.path)
                if not self.path.startswith(f"/{host.below}"):
                    self.send_error(404)
                elif host.cut and self.path.endswith("along.bin"):
                    data = (host.site / "assets/kb/along.bin").read_bytes()
                    self.send_response(200)
                    self.send_header("Content-Length", str(len(data)))
                    self.end_headers()
                    self.wfile.write(data[: host.cut])
                    time.sleep(
                        0.5
                    )  # what came is read before the break is seen: a browser drops what waits when it fails
                    self.close_connection = True
                else:
                    super().do_GET()

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(site)))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.base = f"http://127.0.0.1:{self.server.server_address[1]}/{below}".rstrip("/")


@pytest.fixture
def host(editions: tuple[Path, Path]) -> Iterator[Callable[..., Host]]:
    hosts = []

    def make(below: str = "") -> Host:
        hosts.append(Host(editions[0], below))
        return hosts[-1]

    yield make
    for made in hosts:
        made.server.shutdown()
        made.server.server_close()


def until(page: Any, asked: str, *given: Any) -> None:
    """Wait until something is true in the page. The page's policy bars Playwright's own way of waiting."""
    from playwright.sync_api import Error

    for _ in range(400):
        with contextlib.suppress(Error):  # a page that is just going away
            if page.evaluate(asked, *given):
                return
        page.wait_for_timeout(50)
    pytest.fail(f"never true: {asked}")


def start(tab: Callable[..., Any], base: str, path: str = "index.html") -> Any:
    """A tab that has opened a page, with the worker in charge and the page kept."""
    opened = tab(base)
    opened.open(path)
    until(opened.page, "Boolean(navigator.serviceWorker.controller)")
    kept(opened.page, path)
    return opened


def kept(page: Any, path: str) -> None:
    """Wait until the worker has kept a page."""
    until(
        page, "async (path) => Boolean(await caches.match(new URL(path, new URL(kbBase + '/', location)).href))", path
    )


def taken(page: Any) -> None:
    page.click("[data-kb-take]")
    page.wait_for_selector("[data-kb-state] p:has-text('Done:')")


def test_equal_sites_are_one_edition_and_others_are_not(editions: tuple[Path, Path], tmp_path: Path) -> None:
    one, two = ((site / "service-worker.js").read_text().partition("\nconst TOP")[0] for site in editions)
    assert one != two
    manifest = json.loads((editions[0] / "manifest.webmanifest").read_text())
    assert (manifest["name"], manifest["start_url"], manifest["scope"]) == ("kb", "index.html", "./")
    for icon in manifest["icons"]:
        size = int(icon["sizes"].partition("x")[0])
        assert (editions[0] / icon["src"]).read_bytes()[16:24] == size.to_bytes(4, "big") * 2


def test_a_whole_edition_has_equal_bytes_when_it_is_made_again(editions: tuple[Path, Path], tmp_path: Path) -> None:
    import shutil

    from kb.site.hosted.edition import UNFILLED, WHOLE, WORKER, taken_along, write_edition
    from kb.site.past import Past
    from kb.site.standing import Finished, digests_of

    again = tmp_path / "again"
    shutil.copytree(editions[0], again)
    (again / WHOLE).unlink()
    filled = (again / WORKER).read_text(encoding="utf-8")
    line = next(line for line in filled.splitlines() if line.startswith("const EDITION"))
    (again / WORKER).write_text(filled.replace(line, UNFILLED), encoding="utf-8")
    finished = Finished(again)
    write_edition(finished, digests_of(finished, Past(), taken_along(finished.names())))
    for name in (WHOLE, WORKER):
        assert (again / name).read_bytes() == (editions[0] / name).read_bytes()


def test_the_icons_look_as_browsers_draw_the_mark(editions: tuple[Path, Path], tab: Callable[..., Any]) -> None:
    import base64

    assets = editions[0] / "assets/kb"
    mark = (
        (assets / "logo.svg")
        .read_text()
        .replace("currentColor", "#2d4d7c")
        .replace("<svg", '<svg width="192" height="192"', 1)
    )
    drawn = base64.b64encode((assets / "icon-192.png").read_bytes()).decode()
    vector = base64.b64encode(mark.encode()).decode()
    page = tab("about:blank").page
    differ = page.evaluate(
        """async ([drawn, vector]) => {
            const pixels = async (source, at, size) => {
                const picture = new Image();
                picture.src = source;
                await picture.decode();
                const canvas = Object.assign(document.createElement("canvas"), { width: 192, height: 192 }).getContext("2d");
                canvas.fillStyle = "#fdfcf9";
                canvas.fillRect(0, 0, 192, 192);
                canvas.drawImage(picture, at, at, size, size);
                return canvas.getImageData(0, 0, 192, 192).data;
            };
            const one = await pixels("data:image/png;base64," + drawn, 0, 192);
            const two = await pixels("data:image/svg+xml;base64," + vector, 19.2, 153.6);
            let far = 0;
            for (let at = 0; at < one.length; at++) if (Math.abs(one[at] - two[at]) > 40) far += 1;
            return far;
        }""",
        [drawn, vector],
    )
    assert differ < 40


@pytest.mark.parametrize("below", ["", "some/folder/"], ids=["top", "subfolder"])
def test_what_was_read_opens_without_a_network(below: str, host: Callable[..., Host], tab: Callable[..., Any]) -> None:
    opened = start(tab, host(below).base)
    page = opened.open("chess/fork.html")
    kept(page, "chess/fork.html")
    page.context.set_offline(True)
    opened.open("chess/fork.html")
    assert page.inner_text("h1") == "Fork"
    assert page.evaluate("getComputedStyle(document.querySelector('.kb-logo')).display") == "flex", "with its style"
    opened.open("chess/castling.html")
    assert page.inner_text("h1") == "No network"
    page.click("a")
    page.wait_for_selector(".kb-hero")
    page.context.set_offline(False)
    opened.open("chess/castling.html")
    assert page.inner_text("h1") == "Castling"
    assert opened.strangers == []


@pytest.mark.parametrize("below", ["", "some/folder/"], ids=["top", "subfolder"])
def test_the_whole_site_is_taken_along(below: str, host: Callable[..., Host], tab: Callable[..., Any]) -> None:
    served = host(below)
    opened = start(tab, served.base, "along.html")
    page = opened.page
    taken(page)
    served.server.shutdown()
    served.server.server_close()
    page.context.set_offline(True)
    for path, title in {
        "chess/castling.html": "Castling",
        "using/site.html": "The site",
        "chess/index.html": "Chess",
    }.items():
        opened.open(path)
        assert page.inner_text("h1") == title
    assert (
        page.evaluate("(async () => (await kbSearch('hide the king')).map((hit) => hit.id))()")[0] == "chess/castling"
    )
    opened.open("along.html")
    page.wait_for_selector("[data-kb-state] p:has-text('The whole site is on this device')")
    page.click("[data-kb-drop]")
    page.wait_for_selector("[data-kb-state] p:has-text('taken off')")
    assert not [name for name in page.evaluate(STORES) if " whole " in name]
    assert opened.strangers == []


def test_half_an_edition_is_told_and_not_kept(
    editions: tuple[Path, Path], host: Callable[..., Host], tab: Callable[..., Any]
) -> None:
    served = host()
    page = start(tab, served.base, "along.html").page
    for cut, said in (
        (2, "The network broke off"),
        (200, "The network broke off"),
        (-500, "The network broke off after"),
    ):
        served.cut = cut
        page.click("[data-kb-take]")
        page.wait_for_selector(f".kb-check__state--bad p:has-text('{said}')")
        assert not [name for name in page.evaluate(STORES) if " whole " in name]
    served.cut = 0
    taken(page)


def test_an_edition_that_is_none_and_too_little_space_are_told(
    editions: tuple[Path, Path], host: Callable[..., Host], tab: Callable[..., Any]
) -> None:
    served = host()
    opened = start(tab, served.base, "along.html")
    page = opened.page
    page.route("**/along.bin", lambda route: route.fulfill(body=b"\0\0\0\x04no, not at all"))
    page.click("[data-kb-take]")
    page.wait_for_selector(".kb-check__state--bad p:has-text('is no edition of this site')")
    page.unroute("**/along.bin")
    page.route("**/along.bin", lambda route: route.fulfill(status=404))
    page.click("[data-kb-take]")
    page.wait_for_selector(".kb-check__state--bad p:has-text('The server answered 404')")
    page.unroute("**/along.bin")
    page.evaluate("navigator.storage.estimate = async () => ({ quota: 60000, usage: 10000 })")
    page.click("[data-kb-take]")
    page.wait_for_selector(".kb-check__state--bad p:has-text('There is too little space')")
    page.evaluate("navigator.storage.estimate = async () => ({})")
    page.evaluate(
        "() => { Cache.prototype.put = async () => { throw new DOMException('full', 'QuotaExceededError'); }; }"
    )
    page.click("[data-kb-take]")
    page.wait_for_selector(".kb-check__state--bad p:has-text('too little space on this device')")
    assert not [name for name in page.evaluate(STORES) if " whole " in name]


def test_a_newer_edition_is_told_and_the_open_page_keeps_what_it_has(
    editions: tuple[Path, Path], host: Callable[..., Host], tab: Callable[..., Any]
) -> None:
    served = host()
    opened = start(tab, served.base, "chess/castling.html")
    first = opened.page
    first.evaluate("kbSearch('fork', '', 3)")
    shared = set.intersection(
        *({f"search/{path.name}" for path in (each / "assets/kb/search").iterdir()} for each in editions)
    )
    loaded = {name for url in opened.requests if (name := url.partition("assets/kb/")[2]) in shared}
    assert loaded
    for name in loaded:
        kept(first, f"assets/kb/{name}")
    before = first.evaluate(STORES)
    assert len(before) == 1
    served.site = editions[1]
    other = first.context.new_page()
    other.goto(f"{served.base}/chess/fork.html")
    other.wait_for_selector(".kb-newer")
    assert "A newer edition is here" in other.inner_text(".kb-newer")
    assert "towards a rook" in first.inner_text("article"), "what is open stays as it is"
    other.click(".kb-newer .kb-button")
    until(other, "!document.querySelector('.kb-newer') && document.readyState === 'complete'")
    assert set(before) < set(other.evaluate(STORES)), "the older store stays as long as its page is open"
    first.keyboard.press("/")
    first.keyboard.type("fork")
    first.wait_for_selector(".kb-dialog .kb-results li")
    other.goto(f"{served.base}/index.html")
    assert set(before) < set(other.evaluate(STORES))
    first.close()
    other.goto(f"{served.base}/chess/fork.html")
    until(other, "async () => (await caches.keys()).length === 1")
    assert not set(before) & set(other.evaluate(STORES))
    for name in loaded:
        kept(other, f"assets/kb/{name}")
    other.context.set_offline(True)
    other.goto(f"{served.base}/chess/castling.html")
    assert "as the second edition says" in other.inner_text("article"), "what was read is there in the newer edition"


def test_what_was_taken_along_stays_until_the_newer_edition_is(
    editions: tuple[Path, Path], host: Callable[..., Host], tab: Callable[..., Any]
) -> None:
    served = host()
    opened = start(tab, served.base, "along.html")
    page = opened.page
    taken(page)
    served.site = editions[1]
    opened.open("chess/fork.html")
    page.wait_for_selector(".kb-newer")
    page.click(".kb-newer .kb-button")
    page.wait_for_selector(".kb-newer:has-text('an older edition')")
    page.context.set_offline(True)
    opened.open("chess/castling.html")
    assert "towards a rook" in page.inner_text("article"), "the older one is still whole"
    page.context.set_offline(False)
    opened.open("along.html")
    page.wait_for_selector("[data-kb-take]:has-text('Take the newer edition along')")
    taken(page)
    opened.open("index.html")
    until(page, "async () => (await caches.keys()).filter((name) => name.includes(' whole ')).length === 1")
    page.context.set_offline(True)
    opened.open("chess/castling.html")
    assert "as the second edition says" in page.inner_text("article")


def test_a_browser_may_install_it(host: Callable[..., Host], tab: Callable[..., Any]) -> None:
    page = start(tab, host("rules/").base).page
    page.wait_for_selector("link[rel=manifest]", state="attached")
    asked = page.context.new_cdp_session(page)
    told = asked.send("Page.getAppManifest")
    assert told["errors"] == []
    assert told["url"].endswith("/rules/manifest.webmanifest")
    wrong = [error["errorId"] for error in asked.send("Page.getInstallabilityErrors")["installabilityErrors"]]
    assert [error for error in wrong if error != "in-incognito"] == []


def test_from_a_folder_nothing_is_registered(editions: tuple[Path, Path], tab: Callable[..., Any]) -> None:
    opened = tab(f"file://{editions[0]}")
    page = opened.open("along.html")
    page.wait_for_timeout(200)
    assert page.is_visible("[data-kb-no]")
    assert not page.is_visible("[data-kb-take]")
    assert not [
        asked for asked in opened.requests if asked.endswith(("along.js", "manifest.webmanifest", "service-worker.js"))
    ]
    assert opened.errors == []
