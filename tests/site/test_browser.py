"""The site in a real browser: no request leaves, the search answers, tables filter, nothing is cut off, axe has no complaint."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

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
    "gathered": "arkham/all/rulings.html",
    "start": "arkham/index.html",
    "card": "arkham/cards/01087.html",
    "check": "check.html",
    "party": "party.html",
    "checks": "checks/index.html",
    "search": "search.html?q=taboo",
    "about": "about.html",
    "along": "along.html",
    "manual": "using/site.html",
    "score": "luxor/score-sheet.html",
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
    opened = tab(f"file://{site}", width=320)
    opened.open(path)
    opened.page.wait_for_timeout(100)
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 320


def complaints(page: Any) -> list[tuple[str, str, str]]:
    """What axe finds fault with."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [(item["id"], item["nodes"][0]["html"][:160], item["nodes"][0]["failureSummary"][-160:]) for item in found]


@pytest.mark.parametrize(
    ("width", "dark"), [(1280, False), (1280, True), (320, False)], ids=["light", "dark", "narrow"]
)
@pytest.mark.parametrize("name", [name for name in PAGES if name != "glossary"])
def test_axe_has_no_complaint(name: str, width: int, dark: bool, site: Path, tab: Callable[..., Any]) -> None:
    opened = tab(f"file://{site}", width=width, dark=dark)
    opened.open(PAGES[name])
    opened.page.wait_for_timeout(100)
    assert complaints(opened.page) == []


@pytest.mark.parametrize("width", [1280, 390, 320])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_has_no_complaint_about_what_opens(
    dark: bool, width: int, site: Path, served: str, tab: Callable[..., Any]
) -> None:
    """The list of keys, the search with its answers, folds and spoilers, the contents on a phone, the page for readers without
    a network with its control."""
    page = tab(f"file://{site}", width=width, dark=dark).open(spoiled(site))
    page.keyboard.press("?")
    page.wait_for_selector(".kb-keys[open]")
    assert complaints(page) == []
    page.keyboard.press("Escape")
    page.click("[data-kb-open-search]")
    page.keyboard.type("location")
    page.wait_for_selector(".kb-dialog .kb-results li")
    assert complaints(page) == []
    page.keyboard.press("Escape")
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    assert complaints(page) == []
    if width < 1000:
        page.click(".kb-menu")
        page.wait_for_timeout(400)
        assert complaints(page) == []
    page = tab(served, width=width, dark=dark).open("along.html")
    page.wait_for_selector("[data-kb-take]:not([disabled])")
    assert complaints(page) == []


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


def test_an_empty_search_offers_questions_and_an_answered_one_does_not(site: Path, tab: Callable[..., Any]) -> None:
    page = tab(f"file://{site}").open("search.html")
    first = page.locator(".kb-try a").first
    assert first.is_visible()
    first.click()
    page.wait_for_selector(".kb-results__title")
    assert page.locator(".kb-try").is_hidden()
    page.fill("#kb-page-input", "")
    page.wait_for_selector(".kb-try", state="visible")


def test_the_search_results_hide_what_gives_a_campaign_away(site: Path, real: Path, tab: Callable[..., Any]) -> None:
    from kb.catalog.store import open_catalog

    with open_catalog() as catalog:
        entry = next(entry for entry in catalog.entries("arkham") if entry.spoiler)
    page = tab(f"file://{site}").open("search.html")
    page.fill("#kb-page-input", entry.title)
    page.wait_for_selector(".kb-results__spoiler")
    first = page.locator(".kb-results li", has=page.locator(".kb-results__spoiler")).first
    assert "Spoiler for" in first.inner_text()


def test_the_sites_words_are_the_indexs_words(site: Path, real: Path, tab: Callable[..., Any]) -> None:
    """The stemmer in the browser and the one of the index agree on every word of the content."""
    from kb.catalog.store import open_catalog
    from kb.retrieval.analysis import stemmed, words
    from kb.retrieval.engine import SearchIndex

    with open_catalog() as catalog:
        index = SearchIndex(catalog.index_folder)
    entries = [item for item in index.documents() if item.kind != "card"]
    vocabulary = sorted(
        {
            word
            for item in entries
            for text in (item.title, *item.aliases, *item.asked, *item.sentences)
            for word in words(text)
        }
    )
    index.close()
    assert len(vocabulary) > 3_000
    page = tab(f"file://{site}").open("index.html")
    there = page.evaluate("(list) => kbSearch('x').then(() => list.map(kbText.stemmed))", vocabulary)
    assert [(word, found) for word, found in zip(vocabulary, there, strict=True) if found != stemmed(word)] == []


def test_the_site_answers_as_the_command_line_does(site: Path, real: Path, tab: Callable[..., Any]) -> None:
    """The ranking in the browser follows kb.search: the same first hit for nearly every question of the content."""
    from kb.catalog.store import open_catalog
    from kb.retrieval.engine import SearchIndex
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


def said(page: Any) -> int:
    """How many rows a table says it has."""
    return int(page.inner_text("[data-kb-filters] output").split()[0].replace(",", ""))


def test_a_table_of_cards_filters_and_sorts(site: Path, tab: Callable[..., Any]) -> None:
    page = tab(f"file://{site}").open(PAGES["cards"])
    everything = said(page)
    assert everything > 1_500
    assert page.locator("tbody tr").count() < 200, "rows are drawn as they are looked at"
    page.select_option("select[name=class]", "seeker")
    page.fill("[data-kb-filters] input[name=q]", "tome")
    page.wait_for_timeout(200)
    some = said(page)
    assert 0 < some < everything / 10
    assert page.locator("tbody tr").count() == min(some, 12 + 40), "twelve at once, forty when they are looked at"
    assert "class=seeker" in page.url
    page.click("th:has-text('Cost')")
    costs = page.evaluate("[...document.querySelectorAll('tbody tr')].map((row) => row.cells[4].textContent)")
    numbers = [float(cost) for cost in costs if cost.strip("–X ")]
    assert numbers == sorted(numbers)
    page.reload()
    page.wait_for_timeout(200)
    assert said(page) == some, "the filter stands in the address"
    assert page.get_attribute("th:has-text('Cost')", "aria-sort") == "ascending", "and the order"
    page.click("button[type=reset]")
    page.wait_for_timeout(200)
    assert said(page) == everything


def test_a_table_is_drawn_to_its_end_when_it_is_scrolled(site: Path, tab: Callable[..., Any]) -> None:
    page = tab(f"file://{site}").open(PAGES["cards"])
    page.select_option("select[name=type]", "skill")
    page.wait_for_timeout(200)
    whole = said(page)
    assert page.locator("tbody tr").count() < whole
    for _ in range(30):
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.wait_for_timeout(60)
        if page.locator("tbody tr").count() == whole:
            break
    assert page.locator("tbody tr").count() == whole
    assert page.locator("tbody tr").last.get_attribute("aria-rowindex") == str(whole + 1)


@pytest.mark.parametrize(
    ("address", "some"),
    [
        ("arkham/cards/index.html#?investigator=01001&type=asset", "Beat Cop"),
        ("arkham/cards/index.html#?trait=Tome&slot=Hand&cost=3", "Old Book of Lore"),
        ("arkham/all/taboos.html#?class=mystic", "Blood of Thoth"),
        ("pathfinder/rotr/cards/index.html#?character=lini&adventure=3&type=spell", "Cure"),
    ],
)
def test_an_address_opens_a_filtered_table(address: str, some: str, site: Path, tab: Callable[..., Any]) -> None:
    page = tab(f"file://{site}").open(address)
    found = said(page)
    assert found > 0
    page.fill("[data-kb-filters] input[name=q]", some)
    page.wait_for_timeout(200)
    assert 0 < said(page) <= found
    assert some in page.inner_text("tbody")


def test_a_large_table_is_there_at_once_and_filters_in_a_moment(site: Path, tab: Callable[..., Any]) -> None:
    page = tab(f"file://{site}").open(PAGES["cards"])
    spent = page.evaluate(
        """() => {
            const field = document.querySelector("[data-kb-filters] input[name=q]"), output = document.querySelector("output");
            const before = output.textContent, start = performance.now(), spent = () => performance.now() - start;
            field.value = "weapon";
            field.dispatchEvent(new Event("input", { bubbles: true }));
            return new Promise((done) => {
                const look = () => (output.textContent !== before || spent() > 5000 ? done(spent()) : setTimeout(look, 5));
                look();
            });
        }"""
    )
    assert spent < 2_000
    assert said(page) > 20


def spoiled(site: Path) -> str:
    """A page whose title gives a campaign away."""
    for path in sorted((site / "arkham" / "faq" / "the-dunwich-legacy").glob("*.html")):
        if '<h1><span class="kb-masked"' in path.read_text(encoding="utf-8"):
            return path.relative_to(site).as_posix()
    pytest.fail("no entry of The Dunwich Legacy is a spoiler")


def test_a_spoiler_is_told_when_it_is_opened_or_its_campaign_is_finished(site: Path, tab: Callable[..., Any]) -> None:
    path = spoiled(site)
    page = tab(f"file://{site}").open(path)
    assert page.inner_text("h1") == "Spoiler for The Dunwich Legacy"
    assert page.title().startswith("Spoiler for The Dunwich Legacy")
    shut = page.inner_text("details.spoiler > summary")
    assert shut == "Spoiler for The Dunwich Legacy: show"
    page.click("details.spoiler > summary")
    assert page.inner_text("details.spoiler > summary") == shut.removesuffix(": show"), "open is open"
    page.wait_for_function("!document.querySelector('h1').innerText.startsWith('Spoiler')")
    assert page.title().startswith(page.inner_text("h1"))
    page.reload()
    assert page.inner_text("h1") == "Spoiler for The Dunwich Legacy", "opened once is not finished"
    page.click("details.spoiler > summary")
    page.check(".kb-finished input")
    page.reload()
    assert not page.inner_text("h1").startswith("Spoiler")
    page.goto(f"file://{site}/arkham/index.html")
    assert page.locator("[data-kb-finished]:checked").count() == 1
    told = page.evaluate(
        "[...document.querySelectorAll('.kb-masked')].filter((one) => one.textContent !== one.dataset.told)"
    )
    assert told
    assert (
        page.locator(".kb-masked[data-campaign='The Dunwich Legacy']").first.inner_text()
        != "Spoiler for The Dunwich Legacy"
    )


def test_no_title_that_gives_a_campaign_away_stands_in_the_open(site: Path, tab: Callable[..., Any]) -> None:
    page = tab(f"file://{site}").open("arkham/index.html")
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    told = page.evaluate("[...document.querySelectorAll('.kb-masked')].map((one) => one.dataset.told)")
    text = page.inner_text("body")
    assert len(told) > 20
    assert not [title for title in told if title in text]


def test_the_dialog_searches_where_the_page_is_and_wider_on_request(served: str, tab: Callable[..., Any]) -> None:
    page = tab(served).open("pathfinder/mm/closing-a-location.html")
    page.keyboard.press("/")
    page.keyboard.type("villain escapes")
    page.wait_for_selector(".kb-dialog .kb-results li")
    assert page.locator(".kb-chip[aria-pressed=true]").inner_text() == "Mummy's Mask"
    places = page.locator(".kb-dialog .kb-results__meta").all_inner_texts()
    assert places
    # Rulings that hold for both sets are found in each of them.
    rules = [place for place in places if not place.startswith("ruling")]
    assert rules
    assert not any("Rise of the Runelords" in place for place in rules), places
    page.click(".kb-chip:has-text('Everything')")
    page.wait_for_function(
        "[...document.querySelectorAll('.kb-dialog .kb-results__meta')].some((one) => one.innerText.includes('Rise of'))"
    )
    page.click('.kb-chip:has-text("Mummy\'s")')
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=villain+escapes&in=pathfinder%2Fmm")
    assert page.input_value("[data-kb-search-in]") == "pathfinder/mm"


def test_a_link_says_where_it_leads_and_a_citation_is_copied(
    served: str, browser: Any, tab: Callable[..., Any]
) -> None:
    page = tab(served).open("pathfinder/mm/closing-a-location.html")
    page.hover(".kb-entry__text a[data-hint] >> nth=0")
    page.wait_for_selector(".kb-tip:not([hidden])")
    assert "Mummy's Mask rulebook" in page.inner_text(".kb-tip")
    page.keyboard.press("Escape")
    assert page.locator(".kb-tip:visible").count() == 0
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click(".kb-cite")
    page.wait_for_selector(".kb-cite:has-text('Copied')")
    said = page.evaluate("navigator.clipboard.readText()")
    assert said.startswith("Closing a location. Mummy's Mask rulebook, p. 15 (pathfinder/mm/closing-a-location), http")
    touch = browser.new_context(viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
    phone = touch.new_page()
    phone.goto(f"{served}/pathfinder/mm/closing-a-location.html")
    phone.tap(".kb-entry__text a[data-hint] >> nth=0")
    phone.wait_for_selector(".kb-tip:not([hidden])")
    assert phone.url.endswith("closing-a-location.html")
    phone.tap(".kb-tip__open")
    phone.wait_for_url("**/henchman.html")
    touch.close()


def test_keys_turn_pages_and_are_listed(site: Path, tab: Callable[..., Any]) -> None:
    page = tab(f"file://{site}").open("pathfinder/mm/closing-a-location.html")
    page.keyboard.press("?")
    assert "next page" in page.inner_text(".kb-keys")
    page.keyboard.press("Escape")
    following = page.get_attribute("a[rel=next]", "href")
    page.keyboard.press("n")
    page.wait_for_url(f"**/{following}")
    page.keyboard.press("p")
    page.wait_for_url("**/closing-a-location.html")


def test_every_page_has_a_title_of_its_own_and_first_pages_are_light(site: Path, tab: Callable[..., Any]) -> None:
    import re
    from collections import Counter

    titles = Counter(
        found[1]
        for path in site.rglob("*.html")
        if (found := re.search(r"<title>(.*?)</title>", path.read_text(encoding="utf-8"))) and found[1] != "Moved"
    )
    assert [title for title, number in titles.items() if number > 1] == []
    opened = tab(f"file://{site}")
    opened.open("index.html")
    assert len(opened.requests) <= 8
    files = [Path(url.removeprefix("file://").split("?")[0]) for url in opened.requests]
    assert sum(path.stat().st_size for path in files) <= 200_000
    opened.page.keyboard.press("Tab")
    assert opened.page.evaluate("document.activeElement.className") == "md-skip"


def test_all_pages_together_stay_light(site: Path) -> None:
    assert sum(path.stat().st_size for path in site.rglob("*.html")) <= 40_000_000


@pytest.mark.parametrize("below", ["", "some/folder/"])
@pytest.mark.parametrize(
    ("slip", "words"),
    [
        ("closing-a-location.html", "closing a location"),
        ("100%25_sure.html", "100% sure"),
        ("100%-sure", "100% sure"),
        ("a%E0-z", "a%E0 z"),
    ],
)
def test_the_page_for_a_wrong_address_finds_the_site(
    slip: str, words: str, below: str, site: Path, tmp_path: Path, tab: Callable[..., Any]
) -> None:
    import functools
    import threading
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

    top = tmp_path / below
    top.parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "top").symlink_to(site) if not below else top.with_name(top.name).symlink_to(site)
    root = tmp_path / "top" if not below else tmp_path

    class Host(SimpleHTTPRequestHandler):
        def log_message(self, *_args: object) -> None:
            pass

        def send_error(self, code: int, *_said: Any) -> None:
            self.send_response(code)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write((site / "404.html").read_bytes())

    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Host, directory=str(root))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        base = f"http://127.0.0.1:{server.server_address[1]}"
        page = tab(base).open(f"{below}arkham/no/such/{slip}")
        page.wait_for_selector("[data-search]:not([hidden])")
        asked = page.get_attribute("[data-search] a", "href")
        assert parse_qs(asked.partition("?")[2]) == {"q": [words]}
        page.click("[data-home]")
        page.wait_for_url(f"{base}/{below}index.html")
        server.shutdown()


def test_a_row_is_found_by_its_anchor(site: Path, tab: Callable[..., Any]) -> None:
    page = tab(f"file://{site}").open("pathfinder/rotr/cards/types/spell.html#cure")
    page.wait_for_selector("tr#cure.kb-here")


@pytest.mark.parametrize("width", [1280, 390])
def test_a_row_with_a_ground_has_room_around_its_words(width: int, site: Path, tab: Callable[..., Any]) -> None:
    page = tab(f"file://{site}", width=width).open("arkham/cards/01030.html")
    words = """() => {
      const row = document.querySelector("tr.kb-here"), range = document.createRange();
      range.selectNodeContents(row.firstElementChild);
      return range.getBoundingClientRect().left - row.getBoundingClientRect().left;
    }"""
    assert page.evaluate(words) >= 8


@pytest.mark.parametrize(
    "path",
    [
        "pathfinder/mm/turn-sequence.html",
        "pathfinder/rotr/villain-sequence.html",
        "pathfinder/topics/turn-sequence.html",
    ],
)
def test_diagrams_are_drawn(path: str, site: Path, tab: Callable[..., Any]) -> None:
    opened = tab(f"file://{site}")
    page = opened.open(path)
    assert page.locator("figure.kb-diagram svg").count() == page.locator(".kb-diagram").count() > 0
    assert "blessings" in (page.text_content(".kb-diagram svg") or "").lower()
    assert opened.strangers == []
    assert opened.errors == []


def test_dark_and_light_follow_the_system_and_the_switch(site: Path, tab: Callable[..., Any]) -> None:
    page = tab(f"file://{site}", dark=True).open("index.html")
    scheme = "document.body.dataset.mdColorScheme"
    assert page.evaluate(scheme) == "slate"
    page.click("[data-kb-colours]")
    page.wait_for_function(f"{scheme} === 'default'")


def test_a_reference_sheet_prints_without_the_frame(site: Path, tab: Callable[..., Any]) -> None:
    page = tab(f"file://{site}").open("pathfinder/mm/reference-sheet.html")
    page.emulate_media(media="print")
    for part in (".kb-header", ".kb-sidebar", ".kb-entry__aside", ".kb-footer"):
        assert not page.locator(part).first.is_visible()
    assert page.locator("h1").is_visible()


def test_the_contents_are_scrolled_only_to_what_is_out_of_sight(site: Path, tab: Callable[..., Any]) -> None:
    moved = "document.querySelector('.kb-sidebar .md-sidebar__scrollwrap').scrollTop"
    page = tab(f"file://{site}").open(PAGES["entry"])
    assert page.evaluate(moved) == 0
    page.set_viewport_size({"width": 1280, "height": 260})
    page.reload()
    assert page.evaluate(moved) > 0


def test_the_contents_open_on_a_phone(site: Path, tab: Callable[..., Any]) -> None:
    page = tab(f"file://{site}", width=390).open(PAGES["entry"])
    page.click(".kb-menu")
    page.wait_for_timeout(400)
    link = page.locator(".kb-nav a[aria-current]")
    assert link.count() == 1
    box = page.locator(".kb-nav__shelf a").bounding_box()
    assert box is not None
    assert box["x"] >= 0


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_where_colours_are_forced_icons_and_buttons_are_seen(dark: bool, site: Path, browser: Any) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 800}, forced_colors="active", color_scheme="dark" if dark else "light"
    )
    page = context.new_page()
    page.goto(f"file://{site}/index.html")
    paper, *drawn = page.evaluate(
        "[getComputedStyle(document.body).backgroundColor, ...['.kb-menu', '.kb-open-search']"
        ".map((one) => getComputedStyle(document.querySelector(one), '::before').backgroundColor),"
        " getComputedStyle(document.querySelector('.kb-mark')).backgroundColor]"
    )
    assert paper not in drawn
    assert len(set(drawn)) == 1
    assert page.evaluate("getComputedStyle(document.querySelector('.kb-hero button')).borderTopWidth") == "1px"
    page.goto(f"file://{site}/check.html")
    if page.locator(".kb-check__go").count():
        assert page.evaluate("getComputedStyle(document.querySelector('.kb-check__go')).borderTopWidth") == "1px"
    context.close()
