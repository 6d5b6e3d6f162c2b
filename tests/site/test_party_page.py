"""The page "Rebuild the party" returns the same JSON as the command line, from a server and from a folder, in Chromium
and in Firefox.
"""

import pytest

from tests.conftest import ROOT
from tests.site.conftest import ON_TOP, ON_TWO_SCREENS, WIDE, ask, complaints, file, fits
from tests.site.test_campaign_page import answered, picked
from tests.site.test_checker import same

TABLES = sorted((ROOT / "tests" / "data" / "party").glob("*.yaml"))
DECKS = sorted((ROOT / "tests" / "data" / "decks").glob("*/*.yaml"))
ASK = """
const found = [];
for (const question of given[0]) found.push(await window.kbChecker.ask(question));
return found;
"""
RUN = """
if (given[1] !== null) document.getElementById("kb-table").value = given[1];
document.querySelector(`[data-kb-do="${given[0]}"]`).click();
for (let turn = 0; turn < 2400; turn++) {
  await new Promise((go) => setTimeout(go, 50));
  const bad = document.querySelector(".kb-check__state--bad");
  if (bad) return { bad: bad.textContent };
  if (!document.querySelector("[data-kb-verdict]").hidden && !document.querySelector("[data-kb-do]").disabled) break;
}
const shadow = document.querySelector("[data-kb-page]").shadowRoot;
return { title: document.getElementById("kb-verdict").textContent, link: location.hash, text: shadow.textContent,
         links: [...shadow.querySelectorAll(".rules a")].map((each) => each.href),
         checks: [...shadow.querySelectorAll(".member .rules a")].map((each) => each.href) };
"""


def printed(kb, *command):
    """Run `kb party COMMAND`. Return `{'told': JSON}`, or `{'problem': message}` if kb refuses."""
    done = kb("party", *command, "--json")
    return {"problem": done.err.strip()} if done.code == 2 else {"told": done.json}


def test_own_tables_get_the_same_json(base, tab, kb, real):
    opened = tab(base)
    asked = [
        {"do": "rebuild", "name": str(path), "text": path.read_text("utf-8"), "fill": fill}
        for path in TABLES
        for fill in (False, True)
    ]
    for question, answer in zip(asked, ask(opened.open("party.html"), ASK, asked), strict=True):
        same(answer, printed(kb, "rebuild", question["name"], *(["--fill"] if question["fill"] else [])))
    assert opened.strangers == []
    assert opened.errors == []


@pytest.mark.extended
def test_decks_together_get_the_same_json(on_phone, kb, real):
    tables = [(DECKS[at : at + 3], {}) for at in range(0, len(DECKS), 3)]  # some groups contain decks of two games
    arkham = {"owned": ["core", "core"]}, {"owned": ["no such product"]}, {"out": ["Roland Banks"]}
    tables += [(DECKS[:3], more) for more in arkham]
    asked = [
        {"do": "together", "files": [{"name": str(path), "text": path.read_text("utf-8")} for path in paths], **more}
        for paths, more in tables
    ]
    answers = ask(on_phone("party.html"), ASK, asked)
    assert sum("told" in answer for answer in answers) > 10
    for answer, (paths, more) in zip(answers, tables, strict=True):
        options = [f"--{key}={value}" for key, values in more.items() for value in values]
        same(answer, printed(kb, "check", *map(str, paths), *options))


def test_the_example_is_rebuilt_by_a_click_and_handed_on_as_a_link(base, packed, tab):
    opened = tab(base)
    page = opened.open("party.html")
    assert not [url for url in opened.requests if "python/" in url], "opening the page does not load the checker"
    page.locator("[data-kb-text] > summary").click()
    page.click("[data-kb-example] >> text=Try an example")
    page.get_by_label("Also choose the cards from the box").uncheck()
    ask(page, RUN, "rebuild", None)
    assert page.locator("[data-kb-keep]").is_hidden(), "a party cannot be kept before each member has cards"
    page.get_by_label("Also choose the cards from the box").check()
    assert page.inner_text("#kb-verdict").startswith("Before your last change: ")
    seen = ask(page, RUN, "rebuild", None)
    assert seen["title"].endswith(": rebuilt")
    assert "Trade" in seen["text"]
    for link in seen["links"]:
        assert (packed / link.removeprefix(base).partition("#")[0].lstrip("/")).is_file(), link
    assert seen["links"]
    check = next(address for address in seen["checks"] if "check.html#deck=" in address)
    assert page.input_value("#kb-table").startswith("# After a scenario"), "the text of the party stays"
    other = tab(base).open(check.removeprefix(f"{base}/"))
    other.wait_for_selector("[data-kb-verdict]:not([hidden])", timeout=60_000)
    assert other.inner_text("#kb-verdict").endswith(": legal")
    again = tab(base).open(f"party.html{seen['link']}")
    assert again.input_value("#kb-table") == ""
    assert ask(again, RUN, "rebuild", None)["title"] == seen["title"]


def test_several_files_are_the_decks_of_the_table(on_phone):
    page = on_phone("party.html")
    files = [path for path in DECKS if path.parent.name == "pathfinder"]
    page.set_input_files("[data-kb-open]", files[:2])
    page.get_by_text("Given: pasted text").nth(1).wait_for()
    assert ask(page, RUN, "together", None)["title"].startswith("2 decks ")
    page.locator("summary", has_text="More decks").click()
    page.get_by_label("Open a file: Deck 3").set_input_files(files[2])
    page.get_by_text(f"Given: {files[2].name}").first.wait_for()
    assert ask(page, RUN, "together", None)["title"].startswith("3 decks ")
    page.reload()  # the answer appears again
    page.locator("#kb-verdict", has_text="3 decks ").wait_for(timeout=120_000)
    page.set_input_files("[data-kb-open]", files[:1])
    assert "there is no kb party rebuild" not in page.inner_text("[data-kb-state]")
    assert page.input_value("#kb-table") == files[0].read_text(), "a single file may be a party file"
    page.set_input_files("[data-kb-open]", [*files[:2]] * 4)
    page.locator("[data-kb-state]", has_text="at most six decks").wait_for()


def test_similar_findings_of_a_group_are_folded(on_phone):
    page = on_phone("party.html")
    page.select_option("[data-kb-game]", "arkham")
    page.click("text=Try two decks for Arkham Horror")
    page.locator("summary", has_text="Products you own").click()
    owned = page.locator(".kb-asked", has_text="products owned")
    owned.locator("input").fill("core set")
    owned.locator(".kb-offers button").first.click()
    seen = ask(page, RUN, "together", None)
    assert "more of these" in seen["text"], "similar findings are folded"
    assert " has 2" in seen["text"]


TWO = {
    "Kyra": "character: Kyra\nset: rotr\nadventure: B\ncards: [Longspear, Mace]\n",
    "Ezren": "character: Ezren\nset: rotr\nadventure: B\ncards: {Longspear: 1, Quarterstaff: 1}\n",
}


def test_a_finding_of_the_group_has_a_button_that_fixes_it(on_phone):
    page = on_phone("party.html")
    page.set_input_files("[data-kb-open]", [file(f"{who}.yaml", text) for who, text in TWO.items()])
    page.get_by_text("Given: pasted text").nth(1).wait_for()
    assert "2 copies of Longspear are out of the box" in ask(page, RUN, "together", None)["text"]
    fits(page)
    page.get_by_role("button", name="Remove Longspear (Ezren)").first.click()
    taken = page.locator("[data-kb-said]", has_text="Remove Longspear (Ezren)")
    taken.wait_for()
    back = taken.get_by_role("button", name="Undo")
    page.locator("#kb-verdict").evaluate("each => each.closest('section').scrollIntoView()")
    assert back.evaluate(ON_TOP), "the header does not cover the button"
    verdict = page.locator("[data-kb-page] .kb-deck")
    assert "copies of Longspear" not in verdict.text_content()
    inputs = page.locator("[data-kb-asked] textarea")
    assert "Longspear" in inputs.nth(0).input_value()
    assert "Longspear" not in inputs.nth(1).input_value()
    fits(page)
    back.click()
    verdict.get_by_text("2 copies of Longspear are out of the box").wait_for()
    assert inputs.nth(1).input_value() == TWO["Ezren"]


def test_impossible_requests_give_an_error_message(on_phone):
    page = on_phone("party.html")
    assert "There is nothing here yet" in ask(page, RUN, "rebuild", "")["bad"]
    page.locator('[data-kb-do="together"]').evaluate("each => each.scrollIntoView({ block: 'end' })")
    assert page.locator('[data-kb-do="together"]').evaluate(ON_TOP), "the message does not cover the button"
    assert (
        "there is no kb party rebuild" in ask(page, RUN, "rebuild", "game: arkham\ninvestigator: Roland Banks\n")["bad"]
    )
    assert "cut off" in ask(on_phone("party.html#table=1AAAA"), RUN, "rebuild", None)["bad"]


@ON_TWO_SCREENS
def test_axe_has_no_complaint_about_a_table(width, dark, packed, tab):
    page = tab(f"file://{packed}", width=width, dark=dark).open("party.html")
    page.locator("[data-kb-text] > summary").click()
    page.click("[data-kb-example] >> text=Try an example")
    page.locator("summary", has_text="More decks").click()
    for what in ("rebuild", "together"):
        if what == "together":
            page.click("text=Try two decks for Pathfinder")
        ask(page, RUN, what, None)
        page.wait_for_timeout(300)
        assert complaints(page) == []
        assert page.evaluate(WIDE) <= width
        assert page.evaluate("document.activeElement.id") == "kb-verdict"


def test_a_site_with_some_games_offers_only_those(real, tmp_path):
    from kb.catalog.store import open_catalog
    from kb.site.library import Library
    from kb.site.writing import write_all

    script = tmp_path / "checker.js"
    script.write_text("")
    for game, rebuilds in (("tainted-grail", False), ("luxor", False), ("pathfinder", True)):
        with open_catalog() as catalog:
            written = write_all(Library(catalog, [game]), "kb", checker=lambda _writer: script).written
        assert ("party" in written) == rebuilds
        assert ("party.html" in written["index"].html) == rebuilds


def test_a_rebuilt_table_is_shown_again_after_a_reload(on_phone):
    page = on_phone("party.html")
    answered(page, "Which set?", "Rise of the Runelords")
    answered(page, "Who played?", "Ezren", "Kyra")
    fold = page.locator(".kb-asked__fold > summary", has_text="Decks: the")
    fold.click()
    change = page.locator(".kb-asked", has_text="Another deck for Kyra").get_by_text("Change it in the deck builder")
    assert "#deck=" in change.get_attribute("href"), "the suggested deck can be changed"
    page.get_by_label("Open a file: Another deck for Kyra").set_input_files(file("ours.yaml", TWO["Kyra"]))
    page.wait_for_function(
        "() => document.querySelector('.kb-asked__fold > summary').textContent.includes('ours.yaml')"
    )
    page.click("[data-kb-write]")
    page.locator("#kb-verdict", has_text="rebuilt").wait_for(timeout=60_000)
    words = page.inner_text("#kb-verdict")
    page.reload()
    page.locator("#kb-verdict", has_text="rebuilt").wait_for(timeout=120_000)
    assert page.inner_text("#kb-verdict") == words


def test_an_unreadable_deck_shows_its_problem_and_can_be_corrected(on_phone):
    page = on_phone("party.html")
    texts = [TWO["Kyra"], TWO["Ezren"], TWO["Kyra"].replace("Mace", "Maze")]
    page.set_input_files("[data-kb-open]", [file(f"{at}.yaml", text) for at, text in enumerate(texts)])
    page.get_by_text("Given: pasted text").nth(1).wait_for()
    page.click('[data-kb-do="together"]')
    third = page.locator(".kb-asked", has_text="Deck 3")
    third.get_by_text("Maze").first.wait_for(timeout=120_000)
    assert third.locator("textarea").evaluate("each => each === document.activeElement"), (
        "the fold of the unreadable deck is open"
    )
    assert page.inner_text("[data-kb-state]") == ""
    assert page.get_attribute("[data-kb-text]", "open") is None
    fits(page)
    third.get_by_role("button", name="is Mace").click()
    page.locator("#kb-verdict", has_text="3 decks ").wait_for()
    assert third.locator(".kb-asked__wrong").inner_text() == ""
    page.get_by_label("Open a file: Deck 3").set_input_files(file("bad.txt", "{{{"))
    page.locator("summary", has_text="More decks Given: bad.txt").wait_for()


def test_a_typed_wish_that_was_not_added_is_not_ignored(on_phone):
    page = on_phone("party.html")
    answered(page, "Which set?", "Rise of the Runelords")
    answered(page, "Who played?", "Ezren")
    wish = page.get_by_label("Which cards would Ezren like")
    wish.fill("sp")
    page.click("[data-kb-write]")
    page.get_by_text("“sp” is not added yet").wait_for()
    assert page.locator("#kb-verdict").is_hidden()
    wish.fill("aid")
    page.click("[data-kb-write]")
    page.locator("#kb-verdict", has_text="rebuilt").wait_for(timeout=60_000)
    assert page.get_by_role("button", name="Remove one Aid").is_visible(), (
        "only one card matches the typed name, so the page adds it"
    )


def test_a_tapped_element_does_not_move(on_phone):
    """The tapped element is not at the top of the form, so redrawing the form could scroll the page."""
    page = on_phone("party.html")
    answered(page, "Which set?", "Rise of the Runelords")
    answered(page, "Who played?", "Ezren")
    page.get_by_label("Which new boons did Ezren end with").wait_for()
    tapped = page.locator("fieldset.kb-asked", has_text="Who joins the party?").locator("label", has_text="Kyra")
    tapped.evaluate("each => scrollBy(0, each.getBoundingClientRect().top - 60)")
    before = tapped.bounding_box()["y"]
    tapped.click()
    page.get_by_label("Which cards would Kyra like").wait_for()
    assert abs(tapped.bounding_box()["y"] - before) < 2


def test_each_character_has_a_folded_card_that_summarizes_the_answers(on_phone):
    page = on_phone("party.html")
    answered(page, "Which set?", "Rise of the Runelords")
    answered(page, "Who played?", "Kyra", "Merisiel", "Valeros")
    cards = page.locator("details.kb-asked__person")
    cards.nth(2).wait_for()
    assert cards.locator("summary strong").all_inner_texts() == ["Kyra", "Merisiel", "Valeros"]
    assert cards.evaluate_all("(cards) => cards.map((each) => each.open)") == [True, False, False]
    tall = page.evaluate("document.querySelector('[data-kb-table] > div').scrollHeight")
    assert tall < 1500, "the height with all cards unfolded was 3,900"
    picked(page, "Which new boons did Merisiel end with?", "Night Watch")
    cards.nth(1).locator("summary").filter(has_text="Night Watch").wait_for()
    assert cards.evaluate_all("(cards) => cards.map((each) => each.open)") == [True, True, False], (
        "cards that are unfolded stay unfolded"
    )
    fits(page)


def test_a_wish_is_found_by_type_and_trait(on_phone):
    page = on_phone("party.html")
    answered(page, "Which set?", "Rise of the Runelords")
    answered(page, "Who played?", "Kyra")
    wishes = page.get_by_label("Which cards would Kyra like?")
    wishes.fill("spell divine healing")
    page.get_by_role("button", name="Add Cure", exact=True).wait_for()
