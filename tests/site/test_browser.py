"""The site in a real browser: pages make no requests to other hosts, the search and the table filters work, nothing is
cut off, and axe finds no violations.
"""

import re

import pytest

from tests.site.conftest import WIDE, complaints, fits

PAGES = {
    "home": "index.html",
    "entry": "pathfinder/mm/closing-a-location.html",
    "ruling": "arkham/rulings/1-6.html",
    "volume": "pathfinder/mm/index.html",
    "game": "pathfinder/index.html",
    "glossary": "arkham/glossary/index.html",
    "topics": "pathfinder/topics/index.html",
    "topic": "pathfinder/topics/permanently-closing.html",
    "diagram": "pathfinder/mm/turn-sequence.html",
    "character": "pathfinder/rotr/characters/ezren.html",
    "characters": "pathfinder/mm/characters/index.html",
    "adventures": "pathfinder/mm/adventures/index.html",
    "cards": "arkham/cards/index.html",
    "list": "arkham/taboo/mutated.html",
    "gathered": "arkham/all/rulings.html",
    "card": "arkham/cards/01087.html",
    "check": "check.html",
    "build": "build.html",
    "party": "party.html",
    "scored": "score.html",
    "checks": "checks/index.html",
    "about": "about.html",
    "along": "along.html",
    "manual": "using/site.html",
    "score": "luxor/score-sheet.html",
}
SEARCH = "[data-md-component=search-query]"
HITS = ".md-search-result__item"


def search(page, text, awaited=HITS):
    page.keyboard.press("/")
    page.keyboard.type(text)
    page.wait_for_selector(awaited)


@pytest.mark.parametrize("phone", [True, pytest.param(False, marks=pytest.mark.extended)], ids=["phone", "wide"])
@pytest.mark.parametrize("name", PAGES)
def test_pages_load_nothing_external_fit_the_screen_and_pass_axe(name, phone, site, served, tab):
    """Opens each page from a folder on a dark phone, and from a server on a light, wide screen."""
    if name in ("check", "build", "party", "scored") and not (site / PAGES[name]).exists():
        pytest.skip("the page has no checker: KB_PYODIDE names no package of Pyodide")
    opened = tab(f"file://{site}", width=320, dark=True) if phone else tab(served)
    page = opened.open(PAGES[name])
    page.wait_for_timeout(150)
    assert page.evaluate(WIDE) <= (320 if phone else 1280)
    assert (opened.strangers, opened.errors) == (
        [],
        [],
    )  # checked before axe runs, because axe makes requests that the page refuses
    assert name == "glossary" or complaints(page) == []  # for the glossary with hundreds of links, axe needs a minute


@pytest.mark.parametrize(
    ("width", "dark"), [pytest.param(1280, True, marks=pytest.mark.extended), (320, False)], ids=["dark", "narrow"]
)
def test_opened_parts_of_pages_pass_axe(dark, width, site, served, tab, from_folder):
    """Opens the search with its answers, folded parts and spoilers, the table of contents on a phone, and the page for
    offline readers.
    """
    page = from_folder(spoiled(site), width=width, dark=dark)
    search(page, "location")
    assert complaints(page) == []
    page.keyboard.press("Escape")
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    assert complaints(page) == []
    if width < 1000:
        page.click(".md-header [for=__drawer]")
        page.wait_for_timeout(400)
        assert complaints(page) == []
    page = tab(served, width=width, dark=dark).open("along.html")
    page.wait_for_selector("[data-kb-take]:not([disabled])")
    assert complaints(page) == []


@pytest.mark.parametrize("how", ["folder", "server"])
def test_the_search_answers_in_the_themes_dialog(how, site, served, tab):
    opened = tab(f"file://{site}" if how == "folder" else served)
    page = opened.open("pathfinder/mm/closing-a-location.html")
    search(page, "what happens when my deck runs out")
    page.wait_for_timeout(500)
    first = page.locator(HITS).first.inner_text()
    assert "die" in first
    assert "Mummy" in first, "the results are limited to the set of this page"
    assert page.locator(".kb-chip[aria-pressed=true]").inner_text() == "Mummy's Mask"
    page.click(".kb-chip:has-text('Everything')")
    page.wait_for_timeout(800)
    page.fill(SEARCH, "attack of opportunity")
    page.keyboard.press("End")
    page.wait_for_timeout(1500)
    assert "Attack of opportunity" in page.locator(HITS).first.inner_text()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/arkham/**")
    assert page.locator("mark").count(), "the words of the query are marked on the page that opens"
    assert opened.errors == []


def test_a_result_in_a_list_shows_its_text_and_opens_at_its_row(from_folder):
    page = from_folder("arkham/index.html")
    search(page, "Which forbidden tome can i translate", f"{HITS} a[href*='?to=']")
    page.wait_for_timeout(500)
    found = page.locator(HITS, has=page.locator("a[href*='?to=']")).first
    assert len(found.locator("p").first.inner_text()) > 40
    found.locator("a").click()
    page.wait_for_url("**/arkham/**#*")
    assert page.locator(":target").is_visible()
    assert 0 <= page.evaluate("document.querySelector(':target').getBoundingClientRect().top") < 900


def test_the_edition_is_chosen_once_for_search_and_entries(site, tab):
    opened = tab(f"file://{site}")
    page = opened.open("arkham/glossary/aloof.html")
    told = page.locator("[data-kb-edition]")
    assert told.inner_text() == "Older edition. Current: Aloof."
    page = opened.open("arkham/index.html")
    page.select_option("[data-kb-rules] select", label="FAQ 2.5")
    search(page, "may I fight an aloof enemy", f"{HITS} a[href*='arkham/glossary/aloof']")
    assert page.locator(f"{HITS} a[href*='/grimoire/']").count() == 0
    page.select_option(".kb-scopes select", label="Grimoire 1.1")
    page.wait_for_selector(f"{HITS} a[href*='arkham/grimoire/glossary/aloof']")
    page.select_option(".kb-scopes select", label="FAQ 2.5")
    page = opened.open(
        "arkham/glossary/aloof.html"
    )  # the page keeps the choice, and an entry of the chosen edition shows no notice
    assert not page.locator("[data-kb-edition]").is_visible()
    assert not opened.open("arkham/glossary/index.html").locator("[data-kb-edition]").is_visible()
    page = opened.open("arkham/grimoire/glossary/aloof.html")
    assert page.locator("[data-kb-edition]").inner_text() == "Grimoire 1.1. FAQ 2.5: Aloof."
    page = opened.open("arkham/index.html")  # the entry points, chapters and menu are those of the chosen edition
    page.click(".kb-front__first a")
    page.wait_for_url("**/arkham/reference-sheet.html")
    assert not page.locator("[data-kb-edition]").is_visible()
    page.go_back()
    shown = page.locator("[data-kb-rules-by]:visible")
    assert shown.evaluate_all("all => all.map((each) => each.dataset.kbRulesBy)") == ["faq"]
    assert page.locator(".md-nav__link", has_text="Rules: ").first.inner_text().strip() == "Rules: FAQ 2.5"
    assert not opened.errors


def test_a_chapter_of_an_older_edition_leads_to_todays_chapter_and_can_be_filtered(from_folder):
    page = from_folder("arkham/glossary/index.html")
    lines = page.locator(".kb-lines > li")
    everything = lines.count()
    page.fill("[data-kb-filter]", "Aloof enemy")
    shown = page.locator(".kb-lines > li:visible")
    assert 0 < shown.count() < 20
    assert "Aloof" in shown.first.inner_text()
    assert page.inner_text("[data-kb-found]") == f"{shown.count()} of {everything}"
    assert page.locator("h2:visible").count() == page.locator(".kb-letters a:not(.kb-none)").count() < 10
    page.fill("[data-kb-filter]", "")
    assert page.locator(".kb-lines > li:visible").count() == everything
    page.locator(".kb-edition a").click()
    page.wait_for_url("**/arkham/grimoire/glossary/index.html")
    assert not page.locator(".kb-edition").count()


def test_the_field_on_the_first_page_opens_the_search(site, from_folder):
    page = from_folder("index.html")
    page.click("[data-kb-search]")
    page.wait_for_selector(f"{SEARCH}:focus")
    page.keyboard.insert_text("when can I close a location")  # pasted or dictated text: no key is pressed
    page.wait_for_selector(HITS)
    page.wait_for_timeout(500)
    assert page.input_value(SEARCH) == "when can I close a location"
    assert "losing" in page.locator(HITS).first.inner_text()
    page.goto(f"file://{site}/index.html?q=taboo")
    page.wait_for_selector(HITS)


def test_back_from_a_result_restores_the_search(served, tab):
    page = tab(served, width=390).open("pathfinder/mm/dying.html")
    page.click("header [for=__search]")
    page.keyboard.type("weakness")
    page.get_by_role("button", name="Everything").click()
    page.locator(HITS, has_text="Arkham").first.wait_for()
    page.locator(f"{HITS} a").first.click()
    page.wait_for_url(lambda url: "dying.html" not in url)
    page.go_back()
    page.locator(HITS, has_text="Arkham").first.wait_for()
    assert page.input_value(SEARCH) == "weakness"
    assert page.locator(".kb-scopes [aria-pressed=true]").inner_text() == "Everything"
    page.fill(SEARCH, "mulligan")  # the same applies after another question
    page.press(SEARCH, "End")
    page.wait_for_url("**?q=mulligan")
    page.locator(HITS, has_text="Mulligan").first.wait_for()
    page.locator(f"{HITS} a").first.click()
    page.wait_for_url("**/*mulligan*.html*")
    page.go_back()
    page.locator(HITS, has_text="Mulligan").first.wait_for()
    assert page.input_value(SEARCH) == "mulligan"


def test_back_from_a_card_restores_the_filtered_table(served, tab):
    page = tab(served, width=390).open("arkham/cards/index.html")
    page.locator("[data-kb-filters]").evaluate("(form) => { form.closest('details').open = true; }")
    page.fill("[data-kb-filters] [name=q]", "knife")
    page.select_option("[data-kb-filters] [name=type]", "asset")
    page.wait_for_url("**&type=*")
    was, rows = page.url, page.locator("[data-kb-table] tbody tr").count()
    page.locator("[data-kb-table] tbody a").first.click()
    page.wait_for_url(re.compile(r"/cards/[0-9]+[.]html$"))
    page.go_back()
    page.wait_for_url(was)
    assert page.locator("[data-kb-table] tbody tr").count() == rows
    assert page.input_value("[data-kb-filters] [name=type]") == "asset"


def test_breadcrumbs_are_large_enough_for_a_thumb(from_folder):
    page = from_folder("pathfinder/mm/dying.html", width=390, touch=True)
    reached = """() => [...document.querySelectorAll('.md-path a')].slice(1, 3).map((link) => {
        const { x, width, top, height } = link.getBoundingClientRect();
        return [-21.5, 21.5].every((off) => link.contains(document.elementFromPoint(x + width / 2, top + height / 2 + off))); })"""
    assert page.evaluate(reached) == [True, True]


def test_search_results_hide_spoilers(site, from_folder):
    title = spoiled(site)
    told = (site / title).read_text("utf-8").partition('data-told="')[2].partition('"')[0]
    page = from_folder("index.html")
    page.click(SEARCH)
    page.keyboard.type(told)
    page.wait_for_selector(HITS)
    page.wait_for_timeout(500)
    assert "Spoiler for The Dunwich Legacy" in page.inner_text(".md-search-result")
    assert told not in page.inner_text(".md-search-result")


def test_a_question_loads_few_files_and_more_results_on_request(served, tab):
    opened = tab(served, width=390, touch=True)
    page = opened.open("arkham/index.html")
    assert not [url for url in opened.requests if "search-data" in url], (
        "search data is not loaded before somebody searches"
    )
    before = len(opened.requests)
    page.click("header [for=__search]")
    # Insert the text at once, then press a key: typing on a slow machine would also search for the first words alone.
    page.keyboard.insert_text("can I use two hand slots for a weapon")
    page.keyboard.press("End")
    page.wait_for_selector(HITS)
    page.wait_for_timeout(1500)
    assert sum("/assets/" in url for url in opened.requests[before:]) <= 12
    first = page.locator(HITS).all_inner_texts()
    page.click("text=More results")
    page.locator(HITS).nth(5).wait_for()
    assert (len(first), page.locator(HITS).all_inner_texts()[:5]) == (5, first)
    assert not page.locator("text=More results").is_visible()
    for text, more in (("skill test", True), ("zzqqxxw", False)):
        page.fill(SEARCH, text)
        page.press(SEARCH, "End")
        page.locator(HITS if more else "text=No answers").first.wait_for()
        page.wait_for_timeout(500)
        assert page.locator("text=More results").is_visible() is more


@pytest.mark.parametrize(
    ("address", "alone"),
    [
        ("index.html", ".kb-game :is(h2, li) > a:not(.headerlink), .kb-try a"),
        ("arkham/index.html", ".kb-front li a, .kb-chapter li a, .kb-chapter > p a, .kb-letters a"),
        ("arkham/glossary/mulligan.html", ".kb-cite, .kb-facts li a"),
        (
            "arkham/cards/index.html",
            ".kb-fold summary, .kb-table button, .kb-filters :is(label:has([type=checkbox]), [type=search], select)",
        ),
    ],
)
def test_single_links_on_a_phone_are_large_enough_for_a_thumb(address, alone, from_folder):
    page = from_folder(address, width=390, touch=True)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    small = """(alone) => [...document.querySelectorAll(alone)].filter((each) => each.checkVisibility()
        && each.getBoundingClientRect().height < 43.5).map((each) => each.outerHTML.slice(0, 90))"""
    assert page.locator(alone).count()
    assert page.evaluate(small, f"{alone}, .md-header__button:not(.md-logo)") == []


def test_a_table_of_pathfinders_cards_has_its_heading_first(from_folder):
    page = from_folder("pathfinder/rotr/cards/index.html", width=390)
    assert page.inner_text("h1") == "Cards of Rise of the Runelords"
    after = page.locator(".kb-tablewrap ~ p", has_text="unknown because")
    assert after.count() == 1


def test_back_to_a_long_table_restores_the_scroll_position(from_folder):
    page = from_folder("arkham/cards/index.html")
    for _ in range(20):
        page.evaluate("scrollBy(0, 1500)")
        page.wait_for_timeout(60)
    place = page.evaluate("scrollY")
    assert place > 6_000
    page.evaluate("document.querySelector('tbody tr:last-child a').click()")
    page.wait_for_url(re.compile(r"/cards/[0-9]+[.]html$"))
    page.go_back()
    page.wait_for_url("**/arkham/cards/index.html")
    page.wait_for_function("(place) => Math.abs(scrollY - place) < 5", arg=place)


def test_filters_are_folded_on_a_phone_and_the_contents_open_by_key(from_folder):
    page = from_folder("arkham/cards/index.html", width=390)
    assert page.locator("tbody tr").first.bounding_box()["y"] < 620
    assert not page.locator("[data-kb-filters]").is_visible()
    page.click(".kb-fold > summary")
    page.fill("[name=q]", "machette")
    count = page.get_by_text("0 cards: type part of the name")
    assert count.bounding_box()["y"] < 400, "the count is in the part of the screen above an on-screen keyboard"


def test_the_colours_follow_the_system_and_the_switch(from_folder):
    page = from_folder("index.html", dark=True)
    ground = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(ground) == "rgb(21, 24, 29)"
    page.click("label[title='Use light colours']")
    page.wait_for_timeout(200)
    assert page.evaluate(ground) == "rgb(253, 252, 249)"


@pytest.mark.parametrize(
    "address", ["index.html#100%", "arkham/all/errata.html#%E0", "arkham/cards/index.html#?length=3&q=%"]
)
def test_a_malformed_address_causes_no_error(address, served, tab):
    opened = tab(served)
    opened.open(address).wait_for_selector("script[src*='along.js']", state="attached")
    assert not opened.errors


@pytest.mark.extended
def test_in_firefox(served, fox):
    """The search finds an answer, and a table can be filtered."""
    fox.open(f"{served}/arkham/cards/index.html#?class=seeker")
    found = fox.run(
        """
        const field = document.querySelector("[data-md-component=search-query]");
        field.focus(); field.value = "attack of opportunity"; field.dispatchEvent(new KeyboardEvent("keyup", { bubbles: true }));
        const hit = () => document.querySelector(".md-search-result__item");
        for (let turn = 0; turn < 200 && !hit(); turn++) await new Promise((go) => setTimeout(go, 100));
        return [document.querySelector("output").textContent, hit().innerText];
        """
    )
    assert 50 < int(found[0].split()[0]) < 1_000
    assert "ttack" in found[1]


def said(page):
    """Return the number of rows that the table says it shows."""
    return int(page.inner_text("[data-kb-filters] output").split()[0].replace(",", ""))


def test_a_phone_sorts_each_column_once_and_an_unknown_field_is_named(from_folder):
    page = from_folder(PAGES["cards"], width=390)
    orders = page.locator("[data-kb-sort] option").all_inner_texts()
    assert orders[0] == "Name"
    assert len(set(orders)) == len(orders)
    page.goto(f"{page.url.partition('#')[0]}#?sort=4")
    page.wait_for_function("() => document.querySelector('[data-kb-sort]').selectedOptions[0].text === 'Cost'")
    page.locator("summary", has_text="Filter").click()
    page.fill("[data-kb-filters] input[name=q]", "cost:x")
    page.wait_for_timeout(200)
    assert said(page) > 0
    page.select_option("[data-kb-sort]", "Name")
    for typed, meant in (
        ("clas:guardian", "Did you mean “class”?"),
        ("trais:tome", "Did you mean “traits”?"),
        ("zzzzz:1", ""),
    ):
        page.fill("[data-kb-filters] input[name=q]", typed)
        page.wait_for_timeout(200)
        told = page.inner_text("[data-kb-filters] output")
        assert told.startswith(f"0 cards: there is no field “{typed.partition(':')[0]}”. {meant}"), told
        assert told.endswith("Fields: name, class, type, level, cost, icons, traits, slot.")
    fits(page)


def test_a_table_of_cards_can_be_filtered_sorted_and_scrolled_to_its_end(from_folder):
    page = from_folder(PAGES["cards"])
    everything = said(page)
    assert everything > 1_500
    assert page.locator("tbody tr").count() < 200, "rows are drawn only when they scroll into view"
    page.select_option("select[name=class]", "seeker")
    page.fill("[data-kb-filters] input[name=q]", "tome")
    page.wait_for_timeout(200)
    some = said(page)
    assert 0 < some < everything / 10
    assert 0 < page.locator("tbody tr").count() <= some
    assert "class=seeker" in page.url
    page.click("th:has-text('Cost')")
    costs = page.evaluate("[...document.querySelectorAll('tbody tr')].map((row) => row.cells[4].textContent)")
    numbers = [float(cost) for cost in costs if cost.strip("–X ")]
    assert numbers == sorted(numbers)
    assert costs[: len(numbers)] == [cost for cost in costs if cost.strip("–X ")], "rows without a number come last"
    page.reload()
    page.wait_for_timeout(200)
    assert said(page) == some, "the address contains the filter"
    assert page.get_attribute("th:has-text('Cost')", "aria-sort") == "ascending", "the address contains the sort order"
    page.click("[data-kb-filters] button[type=reset]")
    page.wait_for_timeout(200)
    assert said(page) == everything
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
def test_an_address_opens_a_filtered_table(address, some, from_folder):
    page = from_folder(address)
    found = said(page)
    assert found > 0
    page.fill("[data-kb-filters] input[name=q]", some)
    page.wait_for_timeout(200)
    assert 0 < said(page) <= found
    assert some in page.inner_text("tbody")


def spoiled(site):
    """Return the path of a page whose title is a spoiler."""
    for path in sorted((site / "arkham" / "faq" / "the-dunwich-legacy").glob("*.html")):
        if '<h1><span class="kb-masked"' in path.read_text("utf-8"):
            return path.relative_to(site).as_posix()
    pytest.fail("no entry of The Dunwich Legacy is a spoiler")


def test_the_search_draws_icons_and_says_what_is_newer_than_the_data(from_folder):
    page = from_folder("arkham/index.html")
    page.click(SEARCH)
    page.fill(SEARCH, "fast action triggered ability")
    page.press(SEARCH, "End")
    page.locator(f"{HITS} .kb-icon").first.wait_for()
    assert not re.findall(r"\[[a-z_]+\]", page.inner_text(".md-search-result__list"))
    page.fill(SEARCH, "children of blood")
    page.press(SEARCH, "End")
    page.locator(HITS, has_text="Children of Blood is newer than kb's data (2026-08-04).").wait_for()


def test_a_spoiler_shows_when_opened_or_its_campaign_is_finished(site, from_folder):
    path = spoiled(site)
    page = from_folder(path)
    assert page.inner_text("h1") == "Spoiler for The Dunwich Legacy"
    assert page.title().startswith("Spoiler for The Dunwich Legacy")
    shut = page.inner_text("details.spoiler > summary")
    assert shut == "Spoiler for The Dunwich Legacy: show"
    page.click("details.spoiler > summary")
    assert page.inner_text("details.spoiler > summary") == shut.removesuffix(": show"), "the open fold stays open"
    page.wait_for_function("!document.querySelector('h1').innerText.startsWith('Spoiler')")
    assert page.title().startswith(page.inner_text("h1"))
    page.reload()
    assert page.inner_text("h1") == "Spoiler for The Dunwich Legacy", (
        "opening a spoiler once does not mark the campaign as finished"
    )
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


def test_no_spoiler_title_is_visible(from_folder):
    page = from_folder("arkham/index.html")
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    told = page.evaluate("[...document.querySelectorAll('.kb-masked')].map((one) => one.dataset.told)")
    text = page.inner_text("body")
    assert len(told) > 20
    assert not [title for title in told if title in text]


def test_a_row_is_found_by_its_anchor(from_folder):
    page = from_folder("pathfinder/rotr/cards/index.html#cure")
    page.wait_for_selector("tr#cure.kb-here")


@pytest.mark.parametrize("width", [1280, 390])
def test_highlighted_rows_have_a_margin(width, from_folder):
    page = from_folder("arkham/cards/01030.html", width=width)
    words = """() => {
      const row = document.querySelector("tr.kb-here"), range = document.createRange();
      range.selectNodeContents(row.firstElementChild);
      return range.getBoundingClientRect().left - row.getBoundingClientRect().left;
    }"""
    assert page.evaluate(words) >= 8


def test_diagrams_are_drawn(site, tab):
    opened = tab(f"file://{site}")
    for path in ("mm/turn-sequence", "rotr/villain-sequence", "topics/turn-sequence"):
        page = opened.open(f"pathfinder/{path}.html")
        assert page.locator("figure.kb-diagram svg").count() == page.locator(".kb-diagram").count() > 0, path
        assert "blessings" in page.text_content(".kb-diagram svg").lower(), path
    assert (opened.strangers, opened.errors) == ([], [])


MASKED = "[...document.querySelectorAll('tbody th a')].filter((one) => one.textContent === 'Spoiler for The Circle Undone').length"


def test_a_campaign_finished_in_another_tab_shows_its_spoilers_here(served, tab):
    opened = tab(served)
    table = opened.open("arkham/all/errata.html")
    # Draw all rows first, so that both counts include rows further down.
    table.evaluate("dispatchEvent(new Event('beforeprint'))")
    hidden = table.evaluate(MASKED)
    assert hidden > 0
    other = table.context.new_page()
    other.goto(f"{served}/arkham/index.html")
    other.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    box = "input[data-kb-finished][value='The Circle Undone']"
    for change, left in ((other.check, 0), (other.uncheck, hidden)):
        change(box)
        table.wait_for_function(f"(left) => {MASKED} === left", arg=left)


@pytest.mark.parametrize("width", [320, 390])
def test_on_a_phone_sentences_in_a_table_are_as_wide_as_the_page(width, from_folder):
    page = from_folder("arkham/all/questions.html", width=width)
    wrap, table, told = page.evaluate(
        "['.kb-tablewrap', '.kb-table', 'tbody td:nth-last-child(2)'].map((one) => document.querySelector(one).scrollWidth)"
    )
    assert table <= wrap, "the table must not scroll sideways"
    assert told > wrap * 0.95
    assert page.locator("thead button").count() == 3, "the table can still be sorted"


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
def test_on_a_phone_a_row_of_numbers_is_read_without_scrolling(address, first, told, from_folder):
    page = from_folder(address, width=320)
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    page.wait_for_selector("tbody tr")
    assert page.evaluate(
        "[...document.querySelectorAll('article table, .kb-tablewrap')].every((one) => one.scrollWidth <= one.clientWidth)"
    ), "the page must not scroll sideways"
    row = page.locator("tbody tr").first
    assert row.locator("th, td").first.inner_text().strip() == first
    said = row.evaluate(
        "(row) => [...row.cells].map((cell) => getComputedStyle(cell, '::before').content.replaceAll('\"', '') + cell.textContent)"
    )
    assert not told or {*told} <= {*said}


def test_keys_open_the_menu_on_a_tablet(from_folder):
    page = from_folder("arkham/index.html", width=900)
    page.focus(".md-header [for=__drawer]")
    page.keyboard.press("Enter")
    assert page.is_checked("#__drawer")
