"""A site on a server: installing it as an app, reading it offline, downloading all of it, and updating to a newer
edition.
"""

import contextlib
import functools
import json
import os
import threading
import time
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from kb.site.build import build_site
from tests.conftest import chess

STORES = "caches.keys()"
NEWER = "The king moves two squares, as the second edition says. See [[fork]]."


@pytest.fixture(scope="module")
def editions(tmp_path_factory):
    """Build two editions of a small site that differ in one entry, and return their folders."""
    folder = tmp_path_factory.mktemp("editions")
    with pytest.MonkeyPatch.context() as patch:
        made = chess(folder / "sources")
        patch.setenv("KB_SOURCES", str(made.root))
        patch.setenv("KB_HOME", str(folder / "home"))
        patch.delenv("KB_DATABASE_URL", raising=False)
        build_site(folder / "one")
        made.entry("chess/castling", "Castling", NEWER, covers="[ch.castling]", aliases="[rochade]")
        build_site(folder / "two")
    for path in (folder / "two").rglob(
        "*"
    ):  # servers report times in whole seconds, and both editions may be built within the same second
        os.utime(path, (later := path.stat().st_mtime + 2, later))
    return folder / "one", folder / "two"


class Host:
    """A web server for tests. It can change its site (`site`), break off the download of the whole site after `cut`
    bytes, or stop.
    """

    def __init__(self, site, below=""):
        self.site, self.below, self.cut = site, below, 0
        self.asked = []
        host = self

        class Handler(SimpleHTTPRequestHandler):
            def log_message(self, *_said):
                pass

            def translate_path(self, path):
                within = path.partition("?")[0].removeprefix(f"/{host.below}")
                return str(host.site / within.lstrip("/")) + ("/" if path.endswith("/") else "")

            def do_GET(self):
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
                    )  # let the browser read the data first: it drops unread data when the connection breaks
                    self.close_connection = True
                else:
                    super().do_GET()

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(site)))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.base = f"http://127.0.0.1:{self.server.server_address[1]}/{below}".rstrip("/")


@pytest.fixture
def host(editions):
    hosts = []

    def make(below=""):
        hosts.append(Host(editions[0], below))
        return hosts[-1]

    yield make
    for made in hosts:
        made.server.shutdown()
        made.server.server_close()


def until(page, asked, *given):
    """Wait until the JavaScript `asked` returns true in the page. The page's security policy blocks Playwright's own
    wait.
    """
    from playwright.sync_api import Error

    for _ in range(400):
        with contextlib.suppress(Error):  # the page may be closing
            if page.evaluate(asked, *given):
                return
        page.wait_for_timeout(50)
    pytest.fail(f"never true: {asked}")


def start(tab, base, path="index.html"):
    """Open a page in a tab, wait until the service worker controls the page and has stored it, and return the Tab."""
    opened = tab(base)
    opened.open(path)
    until(opened.page, "Boolean(navigator.serviceWorker.controller)")
    kept(opened.page, path)
    return opened


def kept(page, path):
    """Wait until the service worker has stored the page at `path`."""
    until(
        page, "async (path) => Boolean(await caches.match(new URL(path, new URL(kbBase + '/', location)).href))", path
    )


def taken(page):
    page.click("[data-kb-take]")
    page.wait_for_selector("[data-kb-state] p:has-text('Done.')")


def test_different_sites_are_different_editions_with_a_manifest(editions):
    one, two = ((site / "service-worker.js").read_text().partition("\nconst TOP")[0] for site in editions)
    assert one != two
    manifest = json.loads((editions[0] / "manifest.webmanifest").read_text())
    assert (manifest["name"], manifest["start_url"], manifest["scope"]) == ("kb", "index.html", "./")
    for icon in manifest["icons"]:
        size = int(icon["sizes"].partition("x")[0])
        assert (editions[0] / icon["src"]).read_bytes()[16:24] == size.to_bytes(4, "big") * 2


@pytest.mark.parametrize("below", ["", "some/folder/"], ids=["top", "subfolder"])
def test_visited_pages_open_without_a_network(below, host, tab):
    opened = start(tab, host(below).base)
    page = opened.open("chess/fork.html")
    kept(page, "chess/fork.html")
    page.context.set_offline(True)
    opened.open("chess/fork.html")
    assert page.inner_text("h1") == "Fork"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(253, 252, 249)", (
        "the page has its style sheet"
    )
    opened.open("chess/castling.html")
    assert page.inner_text("h1") == "No network"
    page.click("a")
    page.wait_for_selector(".kb-hero")
    page.context.set_offline(False)
    opened.open("chess/castling.html")
    assert page.inner_text("h1") == "Castling"
    assert opened.strangers == []


@pytest.mark.parametrize("below", ["", "some/folder/"], ids=["top", "subfolder"])
def test_the_whole_site_can_be_downloaded(below, host, tab):
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
        assert page.inner_text("h1").replace("¶", "").strip() == title
    page.keyboard.press("/")
    page.keyboard.type("hide the king")
    page.wait_for_selector(".md-search-result__item:has-text('Castling')")
    opened.open("chess/no-such-page.html")
    assert page.inner_text("p") == "This page is not saved on this device."
    opened.open("along.html")
    page.wait_for_selector("[data-kb-state] p:has-text('The whole site is saved on this device')")
    page.click("[data-kb-drop]")
    page.wait_for_selector("[data-kb-state] p:has-text('Removed from this device')")
    assert not [name for name in page.evaluate(STORES) if " whole " in name]
    assert opened.strangers == []


def test_an_invalid_download_and_too_little_space_give_messages(editions, host, tab):
    served = host()
    opened = start(tab, served.base, "along.html")
    page = opened.page
    page.route("**/along.bin", lambda route: route.fulfill(body=b"\0\0\0\x04no, not at all"))
    page.click("[data-kb-take]")
    page.wait_for_selector(".kb-check__state--bad p:has-text('is not a copy of this site')")
    page.unroute("**/along.bin")
    page.route("**/along.bin", lambda route: route.fulfill(status=404))
    page.click("[data-kb-take]")
    page.wait_for_selector(".kb-check__state--bad p:has-text('The server responded with status 404')")
    page.unroute("**/along.bin")
    page.evaluate(
        "() => { Cache.prototype.put = async () => { throw new DOMException('full', 'QuotaExceededError'); }; }"
    )
    page.click("[data-kb-take]")
    page.wait_for_selector(".kb-check__state--bad p:has-text('nothing was saved. full')")
    assert not [name for name in page.evaluate(STORES) if " whole " in name]


def test_a_downloaded_site_stays_until_the_newer_one_is_complete(editions, host, tab):
    served = host()
    opened = start(tab, served.base, "along.html")
    page = opened.page
    taken(page)
    served.site = editions[1]
    opened.open("chess/fork.html")
    page.wait_for_selector(".kb-newer")
    page.click(".kb-newer .kb-button")
    page.wait_for_selector(".kb-newer:has-text('is older than this one')")
    opened.open("chess/castling.html")
    assert "as the second edition says" in page.inner_text("article"), "with a network, the newest edition is shown"
    page.context.set_offline(True)
    opened.open("using/search.html")
    assert "Search" in page.inner_text("h1"), "the older edition is still complete"
    page.context.set_offline(False)
    opened.open("along.html")
    page.wait_for_selector("[data-kb-take]:has-text('Download the newer version')")
    taken(page)
    opened.open("index.html")
    until(page, "async () => (await caches.keys()).filter((name) => name.includes(' whole ')).length === 1")
    page.context.set_offline(True)
    opened.open("chess/castling.html")
    assert "as the second edition says" in page.inner_text("article")


def test_all_open_pages_announce_a_newer_edition(editions, host, tab):
    served = host()
    opened = start(tab, served.base)
    other = opened.page.context.new_page()
    other.goto(f"{served.base}/chess/castling.html")
    until(other, "Boolean(navigator.serviceWorker.controller)")
    served.site = editions[1]
    opened.open("chess/fork.html")
    other.click(".kb-newer .kb-button")
    until(other, "document.querySelector('article').innerText.includes('as the second edition says')")


def test_opened_from_a_folder_the_site_registers_no_service_worker(editions, tab):
    opened = tab(f"file://{editions[0]}")
    page = opened.open("along.html")
    page.wait_for_timeout(200)
    assert page.is_visible("[data-kb-no]")
    assert not page.is_visible("[data-kb-take]")
    assert not [
        asked for asked in opened.requests if asked.endswith(("along.js", "manifest.webmanifest", "service-worker.js"))
    ]
    assert opened.errors == []
