"""The site of the repository's content, built once, and a real browser in which tests open its pages."""

from __future__ import annotations

import functools
import os
import shutil
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from tests.conftest import at_home
from tests.site.firefox import FIREFOX, firefox
from tests.site.firefox_page import FoxPage

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--js-flags=--liftoff-only",  # a third of the processor's time of a start of Python went into optimizing its code
]
# Debian's headless build comes first: for the same page it needs less than half of the processor time.
CHROMIUM = (
    os.environ.get("KB_TEST_CHROMIUM")
    or shutil.which("chromium-headless-shell")
    or shutil.which("chromium")
    or shutil.which("chromium-browser")
    or shutil.which("google-chrome")
)

CHECK = """
document.getElementById("kb-deck").value = given[0];
document.querySelector(".kb-check__go").click();
for (let turn = 0; turn < 2400; turn++) {
  await new Promise((go) => setTimeout(go, 50));
  const bad = document.querySelector(".kb-check__state--bad");
  if (bad) return { bad: bad.textContent };
  if (!document.querySelector("[data-kb-verdict]").hidden) break;
}
const shadow = document.querySelector("[data-kb-page]").shadowRoot;
return { title: document.getElementById("kb-verdict").textContent, link: location.hash,
         links: [...shadow.querySelectorAll(".rules a")].map((each) => each.href), drawn: shadow.querySelectorAll(".finding").length };
"""
"""A script that checks a deck on "Check a deck" and returns what the page shows; `given[0]` is the deck's text."""


SMALL = """() => [...document.querySelectorAll(':is(.kb-build, .kb-check) :is(button, select, input), .kb-check .kb-asked__choices label')]
    .map((each) => each.type === 'checkbox' && each.closest('label') || each)
    .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 43.5 && !each.classList.contains('kb-hidden'))
    .map((each) => each.outerHTML.slice(0, 80))"""
ON_TOP = """each => { const { x, y, width, height } = each.getBoundingClientRect();
    return each.contains(document.elementFromPoint(x + width / 2, y + height / 2)); }"""
"""A JavaScript function that returns true if the centre of an element is visible and not covered by another element."""
ON_TWO_SCREENS = pytest.mark.parametrize(
    ("width", "dark"), [pytest.param(1280, False, marks=pytest.mark.extended), (320, True)], ids=["wide", "dark-phone"]
)
WIDE = "document.documentElement.scrollWidth"


def complaints(page):
    """Return the accessibility violations that axe finds on the page, as tuples (rule, HTML, explanation)."""
    from axe_playwright_python.sync_playwright import Axe

    page.evaluate(
        "document.getAnimations().forEach((each) => each.finish())"
    )  # axe measures too little contrast during an animation
    found = Axe().run(page).response["violations"]
    return [(item["id"], item["nodes"][0]["html"][:160], item["nodes"][0]["failureSummary"][-160:]) for item in found]


def file(name, text):
    """Return a text file for Playwright's `set_input_files`."""
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


def fits(page):
    """Check that nothing on the page is too small for a thumb or wider than a phone's screen. In Chromium, also check
    that axe finds no violation.
    """
    assert page.evaluate(SMALL) == []
    assert page.evaluate(WIDE) <= 390
    if isinstance(page, FoxPage):
        return
    page.mouse.move(0, 0)
    page.wait_for_selector(".md-tooltip2", state="detached")
    page.wait_for_timeout(600)  # the header's title fades in
    assert complaints(page) == []


@pytest.fixture(scope="session")
def site(real_home, tmp_path_factory):
    """Build the site once, and return its folder. If KB_TEST_SITE names a folder with a built site, return that
    folder.
    """
    from kb.site.build import build_site

    if made := os.environ.get("KB_TEST_SITE"):
        return Path(made)

    with at_home(real_home):
        build_site(out := tmp_path_factory.mktemp("site") / "out")
    return out


@contextmanager
def serving(folder):
    """Serve `folder` on a local web server while the block runs. Yields the server's address."""

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *_args):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture(scope="session")
def served(site):
    with serving(site) as address:
        yield address


@pytest.fixture(scope="session")
def browser():
    if CHROMIUM is None:
        if os.environ.get("KB_TEST_BROWSER") == "required":
            pytest.fail("KB_TEST_BROWSER requires a browser, but chromium is not installed (or set KB_TEST_CHROMIUM)")
        pytest.skip("chromium is not installed (or set KB_TEST_CHROMIUM)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@dataclass
class Tab:
    """A browser page that records its requests and errors. `base` is the address of the site."""

    page: Any
    base: str
    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def open(self, path):
        self.page.goto(f"{self.base}/{path}")
        self.page.wait_for_load_state("load")
        return self.page

    @property
    def strangers(self):
        return [url for url in self.requests if not url.startswith((self.base, "data:", "blob:"))]


@pytest.fixture
def tab(browser):
    """Return a function that opens a Tab on a site: `tab(base, width=1280, dark=False, touch=False)`."""
    contexts = []

    def make(base, width=1280, dark=False, touch=False):
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
            has_touch=touch,
            is_mobile=touch,
        )
        contexts.append(context)
        made = Tab(context.new_page(), base)
        made.page.on("request", lambda request: made.requests.append(request.url))
        made.page.on("pageerror", lambda error: made.errors.append(str(error)))
        made.page.on("console", lambda message: made.errors.append(message.text) if message.type == "error" else None)
        return made

    yield make
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def packed(site):
    """Return the folder of the built site. Skips the test if the site does not include the checker."""
    if not list(site.glob("assets/kb/python/*.js")):
        pytest.skip("the page has no checker: KB_PYODIDE names no package of Pyodide")
    return site


@pytest.fixture
def from_folder(site, tab):
    """Return a function that opens a page of the site from its folder, without a server."""
    return lambda path, **how: tab(f"file://{site}", **how).open(path)


@pytest.fixture
def on_phone(packed, served, tab):
    """Return a function that opens a page of the site on a phone, from a server. After the test, check that there were
    no errors and no requests to other hosts.
    """
    tabs = []

    def page(path, **how):
        tabs.append(tab(served, width=390, **how))
        return tabs[-1].open(path)

    yield page
    for each in tabs:
        assert (each.errors, each.strangers) == ([], [])


@pytest.fixture
def base(request, packed, served):
    """Return the address of the site: a server for half of the tests, chosen by their names, and the site's folder for
    the others.
    """
    return served if crc32(request.node.name.encode()) % 2 else f"file://{packed}"


def ask(page, script, *values):
    """Run `script`, the body of an asynchronous JavaScript function, in the page, and return its result. In the script,
    `given` contains `values`.
    """
    return page.evaluate(f"async (given) => {{ {script} }}", list(values))


@pytest.fixture(scope="session")
def fox(tmp_path_factory):
    if FIREFOX is None:
        pytest.skip("Firefox is not installed")
    with firefox(tmp_path_factory.mktemp("fox")) as opened:
        yield opened
