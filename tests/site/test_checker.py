"""The checker in the page returns the same JSON as the command line, from a server and from a folder, in Chromium and
in Firefox.
"""

import json
import subprocess
import sys
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from kb.site.checker import pyodide
from kb.site.checker.pack import PURE
from tests.site.compile_library import COMPARE, in_browser
from tests.site.conftest import CHECK, ON_TWO_SCREENS, WIDE, ask, complaints

DECKS = {
    "new.yaml": "game: arkham\ninvestigator: Roland Banks\ncards:\n  Machete: 3\n  Zoëy’s Cross: 1\n",
    "list.txt": "Investigator: Daisy Walker\n2x Knife\n1x Emergency Cache\n",
    "export.json": '{"investigator_code": "01001", "slots": {"01020": 2, "01088": 3}, "name": "x <b> & y"}',
    "lini.yaml": "game: rotr\ncharacter: Lini\ncards: [Dagger, Dagger, Sleep]\n",
    "beor.yaml": "game: tainted-grail\ncharacter: Beor\ncombat: 3\n",
    "empty.yaml": "",
    "odd.yaml": "game: chess\n",
}
ASK = """
const found = [];
for (const [name, text, options] of given[0]) found.push(await window.kbChecker.ask({ do: "check", name, text, options }));
return found;
"""


def printed(kb, path, text):
    """Check a deck on the command line. Return `{'report': JSON}`, or `{'problem': message}` if kb refuses."""
    path.write_text(text, "utf-8")
    done = kb("deck check --json", path)
    return {"problem": done.err.strip()} if done.code == 2 else {"report": done.json[0]}


def same(answer, wanted):
    """Check that `answer` contains all items of `wanted`. The page may add more."""
    assert wanted.items() <= answer.items()


def checks_alike(run, kb, folder):
    """Check that a browser gives the same answer for each deck as the command line. `run` is a function that runs a
    script with values in that browser.
    """
    asked = [(str(folder / name), text, {}) for name, text in DECKS.items()]
    for answer, (name, text, _) in zip(run(ASK, asked), asked, strict=True):
        same(answer, printed(kb, Path(name), text))


def test_own_decks_get_the_same_json(base, tab, kb, real, tmp_path):
    opened = tab(base)
    checks_alike(partial(ask, opened.open("check.html")), kb, tmp_path)
    assert opened.strangers == []
    assert opened.errors == []


def test_a_deck_is_checked_by_a_click_and_handed_on_as_a_link(base, packed, tab):
    opened = tab(base)
    page = opened.open("check.html")
    before = list(opened.requests)
    assert not [url for url in before if "python/" in url]
    seen = ask(page, CHECK, DECKS["list.txt"])
    assert seen["title"].startswith("Daisy Walker: not legal")
    assert seen["drawn"] >= 2
    for link in seen["links"]:
        path = link.removeprefix(base).partition("#")[0].lstrip("/")
        assert (packed / path).is_file(), link
    assert len(seen["link"]) < 400
    again = tab(base)
    page = again.open(f"check.html{seen['link']}")
    page.wait_for_selector("[data-kb-shared]:not([hidden])")
    assert page.inner_text("[data-kb-shared] h2") == "Daisy Walker"
    assert page.locator(".kb-shared__card").count() >= 2
    assert not [url for url in again.requests if "python/" in url], "a shared deck is shown without loading the checker"
    page.click("text=Check this deck")
    page.wait_for_selector("[data-kb-verdict]:not([hidden])", timeout=120_000)
    assert page.inner_text("#kb-verdict") == seen["title"]
    assert page.input_value("#kb-deck") == DECKS["list.txt"]
    assert page.evaluate("location.hash")
    page.fill("#kb-deck", "1x Machete")
    page.click(".kb-check__go")
    page.wait_for_selector(".kb-check__state--bad")
    assert "there is no investigator" in page.inner_text(".kb-check__state--bad")
    assert page.evaluate("location.hash") == ""  # the address no longer contains the removed deck


def test_options_of_the_game_are_asked_for(on_phone):
    page = on_phone("check.html")
    page.evaluate("() => document.querySelectorAll('.kb-check details').forEach((fold) => { fold.open = true; })")
    for name in ("limited", "The Path to Carcosa", "Ultimatum of the Highlander"):
        page.get_by_label(name, exact=True).dispatch_event("click")
    verdict = ask(page, CHECK, DECKS["list.txt"])
    assert "not legal" in verdict["title"]
    page.reload()
    assert page.get_by_label("limited", exact=True).is_checked(), (
        "the page keeps the options that the players agreed on"
    )
    assert page.get_by_label("Ultimatum of the Highlander").is_checked()
    assert "Kyra" in ask(page, CHECK, "game: pathfinder\nset: rotr\ncharacter: Kyra\ncards: [Mace]\n")["title"], (
        "options of Arkham Horror do not affect a Pathfinder deck"
    )


def test_a_broken_link_and_an_empty_deck_give_messages(on_phone):
    for end in (".", ")", "%", ""):  # a full stop after a link does not belong to the deck
        page = on_phone(f"check.html#deck=1AAAA{end}")
        page.locator("[data-kb-state]", has_text="cut off").wait_for()
        assert "#" not in page.url
    assert "There is no deck yet" in ask(page, CHECK, "")["bad"]
    assert "There is no deck yet" in ask(on_phone("check.html"), CHECK, "")["bad"]


@ON_TWO_SCREENS
def test_axe_has_no_complaint_about_a_verdict(width, dark, packed, tab):
    page = tab(f"file://{packed}", width=width, dark=dark).open("check.html")
    page.click(".kb-asked__fold summary")
    ask(page, CHECK, DECKS["new.yaml"].replace("  Zoëy’s Cross: 1\n", ""))
    page.wait_for_timeout(300)
    assert complaints(page) == []
    assert page.evaluate(WIDE) <= width
    assert page.evaluate("document.activeElement.id") == "kb-verdict"


@pytest.mark.extended
def test_firefox_checks_the_same(base, fox, kb, real, tmp_path):
    fox.open(f"{base}/check.html")
    checks_alike(fox.run, kb, tmp_path)
    assert fox.run(CHECK, DECKS["lini.yaml"])["title"].startswith("Lini: not legal")


@pytest.mark.extended
def test_the_compiled_library_matches_its_source():
    if not pyodide.package():
        pytest.skip("Pyodide is missing: set KB_PYODIDE to its package")
    given = b64encode(pyodide.COMPILED.read_bytes()).decode()
    with ThreadPoolExecutor() as apart:  # in another thread, because the browser of other tests uses this one
        assert apart.submit(in_browser, COMPARE, given).result() == ""


def test_a_file_that_is_not_pyodide_is_refused(tmp_path, kb, monkeypatch):
    monkeypatch.setenv("KB_HOME", str(tmp_path / "home"))
    other = tmp_path / pyodide.PACKAGE
    other.write_bytes(b"something else")
    assert "is not the package pyodide-" in kb("site build --python {} --out", other, tmp_path / "site").refusal
    assert not (tmp_path / "site").exists()
    assert not pyodide.stored().exists()


def test_the_page_imports_no_more_than_it_packs():
    code = """
import sys
before = set(sys.modules)
import kb.registry
kb.registry.installed = dict  # in a browser, kb does not look for other packages
import kb.site.checker.worker
from kb.decks.games import decks_of, with_decks
from kb.site.places import pages_of
for game in with_decks():
    decks_of(game.id).rulesets()
    pages_of(game.id)
print(*sorted({name.partition(".")[0] for name in set(sys.modules) - before} - sys.stdlib_module_names))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    found = {name for name in done.stdout.split() if not name.startswith(("_", "cython"))}
    assert found <= {"kb", *PURE}
    assert "sqlite3" not in done.stdout


def test_a_deck_of_a_game_missing_on_the_site_gives_a_message():
    from kb.site.checker.worker import Checker

    checker = Checker({"records": {"arkham": {}}, "cites": [], "links": {}})
    asked = {"do": "check", "text": "game: pathfinder\nset: rotr\ncharacter: Kyra\ncards: [Mace]\n"}
    said = json.loads(checker.answer(json.dumps(asked)))
    problem = "This site does not include Pathfinder Adventure Card Game, so it cannot check this deck."
    assert said == {"problem": problem, "deck": None, "mends": []}


def test_a_deck_is_judged_by_the_edition_that_the_reader_chose_unless_it_says_its_own(
    monkeypatch,
):
    from kb.site.checker.worker import Checker
    from tests.games.arkham.decks.conftest import RECORDS

    monkeypatch.setenv("KB_RULES", "")
    checker = Checker({"records": {"arkham": RECORDS}, "cites": [], "links": {}})
    deck = "game: arkham\ninvestigator: Roland Banks (01001)\ncards: []\n"
    told = {}
    for text in (deck, deck + "rules: grimoire\n"):
        for chosen in ("arkham/faq", "arkham/grimoire"):
            asked = {"do": "check", "text": text, "rules": [chosen]}
            told[text, chosen] = json.loads(checker.answer(json.dumps(asked)))["report"]["details"]["judged_by"][
                "rules"
            ]
    grimoire = "Arkham Grimoire 1.1"
    assert list(told.values()) == ["Rules Reference with FAQ 2.5", grimoire, grimoire, grimoire]


def test_an_example_is_shown_from_its_beginning(on_phone):
    page = on_phone("check.html")
    page.click("[data-kb-example] >> nth=1")
    assert page.evaluate("document.activeElement.id") == "kb-deck"
    assert page.evaluate("document.getElementById('kb-deck').scrollTop") == 0


def test_typed_text_survives_reload_back_and_closing_the_tab(packed, served, tab):
    opened = tab(served)
    page = opened.open("check.html")
    page.fill("#kb-deck", DECKS["list.txt"])
    page.reload()
    assert page.input_value("#kb-deck") == DECKS["list.txt"]
    opened.open("index.html")
    page.go_back()
    assert page.input_value("#kb-deck") == DECKS["list.txt"]
    page.close()
    opened.page = opened.page.context.new_page()
    assert opened.open("check.html").input_value("#kb-deck") == DECKS["list.txt"]
    opened.open("party.html").click("[data-kb-text] > summary")
    opened.page.fill("#kb-table", "members: {}")
    opened.page.reload()
    assert opened.page.input_value("#kb-table") == "members: {}"


def test_an_unknown_name_can_be_corrected_and_the_verdict_links_to_build_a_deck(on_phone):
    page = on_phone("check.html", touch=True)
    page.fill("#kb-deck", "Wendy Adams (The Urchin)\n\nAssets\n2x Leather Coat\n1x Kinfe\n")
    page.tap(".kb-check__go")
    page.locator(".kb-check__state").get_by_role("button", name="“Kinfe” is Knife").tap(timeout=120_000)
    page.locator("#kb-verdict", has_text="not legal").wait_for()
    assert "1x Knife" in page.input_value("#kb-deck")
    page.get_by_role("link", name="Fix it in the deck builder").tap()
    page.locator("#kb-built", has_text="Wendy Adams").wait_for(timeout=120_000)
    assert page.locator("[data-kb-lines] li", has_text="Knife").is_visible()


def test_a_refusal_is_in_sight_on_a_phone(on_phone):
    page = on_phone("party.html")
    page.click("[data-kb-do=together]")
    page.wait_for_selector(".kb-check__state--bad")
    page.wait_for_timeout(100)
    assert page.eval_on_selector("[data-kb-state]", "(each) => each.getBoundingClientRect().bottom <= innerHeight")


SHARED = {
    "yaml": "game: arkham\nname: Thursday\ninvestigator: '01001'\ncards:\n  '01020': 2\n  '01006': 1\nside_deck:\n  '01025': 1\n",
    "json": json.dumps(
        {"name": "Thursday", "investigator_code": "01001", "slots": {"01020": 2, "01006": 1}, "sideSlots": {"01025": 1}}
    ),
    "flow": "game: arkham\nname: Thursday\ninvestigator: Roland Banks (01001)\n"
    'cards: {Machete: 2, "Roland\'s .38 Special": 1}\nside_deck: [Vicious Blow]\n',
    "list": "Thursday\nRoland Banks\n2x Machete\n1 Roland's .38 Special\nVicious Blow x1\n",
}


def test_a_shared_deck_is_a_page_whatever_its_form(packed, served, tab):
    from kb.decks.share import to_link

    opened = tab(served, width=390)
    for form, text in SHARED.items():
        page = opened.open("index.html")
        page = opened.open(f"check.html#deck={to_link(text)}")
        page.wait_for_selector("[data-kb-shared]:not([hidden])")
        assert page.inner_text("[data-kb-shared] h2") == "Thursday", form
        assert "Roland Banks" in page.inner_text(".kb-shared__head p"), form
        cards = page.locator(".kb-shared__card").evaluate_all(
            "all => all.map((each) => each.innerText.replace(/\\s+/g, ' ').trim())"
        )
        assert "2× Machete guardian 3" in cards, form
        assert any(card.startswith("1× Vicious Blow") for card in cards), form
    assert page.evaluate(WIDE) <= 390
    assert complaints(page) == []
    assert opened.errors == []
    assert opened.strangers == []
