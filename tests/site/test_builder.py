"""Building a deck on the page "Build a deck": by touch and by keyboard. The page keeps drafts, and saves files."""

from pathlib import Path

import pytest

from tests.site.conftest import fits
from tests.site.firefox_page import FoxPage

SETTLED = "[data-kb-check]:not([aria-busy])"


def built(page):
    """Wait until the page shows the deck and its verdict."""
    page.wait_for_selector("[data-kb-built]:not([hidden])", timeout=120_000)
    page.wait_for_selector(SETTLED)


def saved(page):
    """Click the button that saves the deck, and return the text of the downloaded file."""
    with page.expect_download() as download:
        page.click("[data-kb-save]")
    return Path(download.value.path()).read_text("utf-8")


def begun(page, game, who):
    page.select_option("[data-kb-game]", game)
    page.select_option("[data-kb-person]", label=who)
    page.click("[data-kb-start]")
    built(page)


def test_a_deck_is_built_on_a_phone_and_stays(packed, tab):
    opened = tab(f"file://{packed}", width=390, dark=True)
    page = opened.open("build.html")
    begun(page, "pathfinder", "Kyra")
    assert page.inner_text("[data-kb-said] button") == "Legal"
    page.click("[data-kb-over]")
    page.click("[data-kb-empty]")
    page.wait_for_selector(SETTLED)
    page.get_by_role("button", name="No cards yet").wait_for()
    assert "weapon 0 of 2" in page.inner_text("[data-kb-said]")
    page.click("[data-kb-over]")
    page.click("[data-kb-start]")
    page.get_by_role("button", name="Legal").wait_for()
    page.click("[data-kb-whole]")
    page.locator("#kb-verdict", has_text="legal").wait_for(timeout=120_000)
    page.go_back()
    built(page)
    page.fill("[data-kb-add]", "cure")
    page.press("[data-kb-add]", "Enter")
    page.wait_for_selector(".kb-build__finding--error")
    assert "The deck contains 4 spells" in page.inner_text(".kb-build__finding--error")
    fits(page)
    page.reload()  # the page shows the same deck again
    built(page)
    assert page.inner_text("#kb-built") == "Kyra"
    page.click('[data-key="-Cure"]')
    page.wait_for_function("() => document.querySelector('[data-kb-said] button').textContent === 'Legal'")
    assert page.evaluate("document.activeElement.dataset.key") == "-Cure", "the focus stays on the tapped button"
    page.click("[data-kb-undo]")
    page.wait_for_selector(".kb-build__finding--error")
    assert "Cure: 2" in saved(page)
    assert opened.strangers == []


def test_the_deck_has_its_place_before_the_checker_answers(packed, tab):
    page = tab(f"file://{packed}", width=390).open("build.html")
    page.evaluate("""() => {
        window.moved = 0;
        const count = (shifts) => { for (const each of shifts.getEntries()) if (!each.hadRecentInput) moved += each.value; };
        new PerformanceObserver(count).observe({ type: "layout-shift" });
    }""")
    page.select_option("[data-kb-game]", "pathfinder")
    page.click("[data-kb-start]")
    assert page.locator("#kb-built").is_visible()
    assert not page.locator("[data-kb-begin]").is_visible()
    built(page)
    page.wait_for_timeout(300)
    assert page.evaluate("moved") < 0.02


def test_deck_search_and_verdict_stand_beside_each_other_on_a_wide_screen(packed, tab):
    page = tab(f"file://{packed}", width=1280).open("build.html")
    begun(page, "pathfinder", "Kyra")
    page.locator('[data-key="-Cure"]').first.click()
    page.wait_for_selector("[data-kb-whole-deck]:visible, .kb-build__finding:visible")
    deck, search, verdict = (
        page.locator(each).first.bounding_box() for each in ("[data-kb-lines]", "[data-kb-add]", "[data-kb-said]")
    )
    assert deck["x"] + deck["width"] <= search["x"]
    assert search["x"] + search["width"] <= verdict["x"]
    page.mouse.wheel(0, 5_000)
    page.wait_for_timeout(300)
    for part in ("[data-kb-add]", "[data-kb-said]"):
        assert 0 < page.locator(part).bounding_box()["y"] < 800, "search and verdict stay in sight"
    assert page.evaluate("document.documentElement.scrollWidth") == 1280


def test_a_sheet_of_tainted_grail_is_filled_in(on_phone):
    page = on_phone("build.html")
    begun(page, "tainted-grail", "Beor")

    def told(group, label, value):
        (
            page.get_by_label(f"{group}: {label}")
            if group == "Aggression"
            else page.get_by_role("group", name=group).get_by_label(label)
        ).fill(value)
        page.keyboard.press("Tab")
        page.wait_for_selector(SETTLED)

    told("Aggression", "On the tile", "2")
    told("Aggression", "Now", "3")
    told("Aggression", "Its skill cards", "12")
    beside = page.locator("div", has=page.get_by_label("EXP spent since the campaign began")).last
    assert "at least 6 EXP" in beside.locator(".kb-build__finding--error").inner_text()
    told("Carried", "Food", "4")
    page.get_by_label("EXP spent since the campaign began").fill("6")
    page.keyboard.press("Tab")
    page.wait_for_selector(SETTLED)
    page.fill("[data-kb-add]", "Rusty Sword")
    page.get_by_role("button", name="Add Rusty Sword item").click()
    page.wait_for_selector(SETTLED)
    page.locator("summary", has_text="no keyword").click()
    page.get_by_role("combobox", name="Keyword").select_option("WEAPON")
    page.wait_for_selector(SETTLED)
    page.wait_for_function("() => document.querySelector('[data-kb-said] button').textContent === 'Legal'")
    fits(page)
    text = saved(page)
    assert "Rusty Sword" in text
    assert "WEAPON" in text
    told("Aggression", "Its skill cards", "12, 13, 14, 15")  # the next Tab goes to the link to the rule
    page.wait_for_selector(".kb-build__finding--error a")
    spent = page.get_by_label("EXP spent since the campaign began")
    for number in ("5", "4"):
        spent.fill(number)
        page.keyboard.press("Tab")
        page.wait_for_selector(SETTLED)
    assert page.evaluate("document.activeElement.href"), "the focus is on the rule"
    page.reload()
    built(page)
    assert page.get_by_role("group", name="Carried").get_by_label("Food").input_value() == "4"


def test_typing_while_the_checker_answers_stays_in_its_field(on_phone):
    page = on_phone("build.html")
    begun(page, "tainted-grail", "Beor")
    carried = page.get_by_role("group", name="Carried")
    told = {"Food": "3", "Wealth": "5", "Magic": "1"}
    for label, value in told.items():
        carried.get_by_label(label).click()
        page.keyboard.type(value)
    page.wait_for_selector(SETTLED)  # the checker has answered for the earlier fields
    page.keyboard.type("2")
    page.keyboard.press("Tab")
    page.wait_for_selector(SETTLED)
    assert {label: carried.get_by_label(label).input_value() for label in told} == {**told, "Magic": "12"}
    assert page.evaluate("document.activeElement.id") != "kb-field-resources-magic", (
        "the focus has moved to the next field"
    )
    stays_through_a_reload(page)


def stays_through_a_reload(page):
    """Type a number into a field, reload the page while the field still has the focus, and check that the number is
    still there.
    """
    page.locator("#kb-field-resources-reputation").fill("7")
    page.reload()
    built(page)
    assert page.input_value("#kb-field-resources-reputation") == "7"


@pytest.mark.extended
def test_typed_values_survive_a_reload_in_firefox(packed, served, fox):
    page = FoxPage(fox)
    page.goto(f"{served}/build.html")
    page.select_option("[data-kb-game]", "tainted-grail")
    page.click("[data-kb-start]")
    stays_through_a_reload(page)


def test_a_deck_is_upgraded_and_a_legal_step_is_kept(on_phone):
    page = on_phone("build.html")
    begun(page, "arkham", "Roland Banks (Core Set)")
    page.click("[data-kb-upgrade]")
    page.wait_for_selector("[data-kb-step]:not([hidden])")
    page.wait_for_selector(SETTLED)
    page.fill("[data-kb-add]", "beat cop")
    at = page.locator("#kb-add").bounding_box()
    page.click("text=Upgrade to Beat Cop (2): 2 experience")
    page.wait_for_selector("[data-kb-bought] li")
    assert abs(page.locator("#kb-add").bounding_box()["y"] - at["y"]) < 2, "the tapped element does not move"
    assert "Upgrade Beat Cop (2)" in page.inner_text("[data-kb-said]")
    page.click("[data-kb-record]")
    page.wait_for_selector(".kb-check__state--bad >> text=2 experience")
    assert "not legal" in page.inner_text(".kb-check__state--bad")
    assert "Not legal" in page.inner_text("[data-kb-said]")
    page.click("#kb-earned")
    for typed in ("-3", "7.5"):
        page.fill("#kb-earned", typed)
        page.press("#kb-earned", "Enter")
        page.wait_for_selector("[data-kb-wrong]:not(:empty)")
        assert page.input_value("#kb-earned") == typed
        page.fill("#kb-earned", "0")
        page.press("#kb-earned", "Enter")
        page.locator("[data-kb-wrong]:empty").wait_for(state="attached")
    page.click("#kb-earned")
    page.keyboard.type("5")  # typing replaces the 0
    page.wait_for_selector("[data-kb-said] >> text=2 of 5 experience spent, 3 left")
    page.fill("#kb-earned", "")
    page.locator("#kb-built").click()
    page.locator("[data-kb-wrong]", has_text="a whole number from 0 to 999.").wait_for()
    page.wait_for_function(
        "() => document.getElementById('kb-earned').value === '5'"
    )  # the upgrade keeps its last valid value
    assert "Upgrade Beat Cop (2) from Beat Cop: 2 experience" in page.inner_text("[data-kb-bought]")
    fits(page)
    page.click("[data-kb-over]")
    page.click("[data-kb-drafts] >> text=upgrade of Roland Banks")
    page.wait_for_selector("[data-kb-bought] li")
    page.click("[data-kb-bought] >> text=Undo")
    page.wait_for_selector("[data-kb-bought] li", state="detached")
    page.click("[data-kb-undo]")
    page.wait_for_selector("[data-kb-bought] li")
    page.click("[data-kb-record]")
    page.wait_for_selector("[data-kb-step]", state="hidden")
    page.wait_for_selector(SETTLED)
    text = saved(page)
    assert "xp_spent: 2" in text
    assert "Upgrade Beat Cop (2)" in text
    assert "Upgrade Beat Cop (2) from Beat Cop: 2 experience" in page.inner_text("[data-kb-steps]")


def test_a_pasted_list_becomes_a_legal_deck_by_buttons_and_typing(served, on_phone):
    page = on_phone("build.html")
    page.select_option("[data-kb-game]", "arkham")
    page.select_option("[data-kb-person]", label="Daisy Walker (Core Set)")
    page.locator("summary", has_text="Paste a deck").click()
    page.fill("#kb-pasted", "2x Magnifying Glass\n1x Kinfe\n1x Beat Cop\n")
    page.click("[data-kb-paste]")
    right = page.get_by_role("button", name="“Kinfe” is Knife")
    right.wait_for(timeout=120_000)
    below = page.locator("[data-kb-paste]").bounding_box()
    assert page.locator(".kb-check__state").bounding_box()["y"] >= below["y"] + below["height"], (
        "the message does not cover the button"
    )
    right.click()
    built(page)
    page.get_by_role("button", name="Remove Beat Cop").click()
    page.wait_for_selector(SETTLED)
    assert page.get_by_role("heading", name="Whole deck").is_visible()
    for name in ("Add Daisy's Tote Bag, The Necronomicon", "Add Random Basic Weakness"):
        page.locator(".kb-build__finding--error").get_by_role("button", name=name).click()
        page.wait_for_selector(SETTLED)
    (left,) = page.locator(".kb-build__finding--error").all_inner_texts()
    assert "of 30 cards" in left
    for typed, offered in (
        ("necronomicon: john", "Add The Necronomicon: John Dee Translation"),
        ("amnesia", "Add Amnesia"),
        ("knife", "Add Knife"),
        ("amnseia", "Add Amnesia"),
    ):
        page.fill("[data-kb-add]", typed)
        assert page.locator("[data-kb-offers] button").first.inner_text().startswith(offered), typed
    page.locator("[data-kb-offers] button").first.click()
    page.wait_for_selector(SETTLED)
    page.click("[data-kb-add]")
    page.keyboard.type("knife")
    assert page.input_value("[data-kb-add]") == "knife", "typing replaces the previous name"
    link = page.evaluate("location.hash")
    page.click("[data-kb-over]")
    page.goto("about:blank")
    page.goto(f"{served}/build.html{link}&now")
    built(page)
    assert page.inner_text("#kb-built") == "Daisy Walker"


def test_a_card_is_added_by_trait_above_an_on_screen_keyboard(on_phone):
    page = on_phone("build.html", touch=True)
    page.select_option("[data-kb-game]", "tainted-grail")
    assert page.inner_text("[data-kb-start]") == "Begin"
    page.click("[data-kb-start]")
    page.wait_for_function("""() => { const state = document.querySelector('.kb-check__state'), { top, bottom } = state.getBoundingClientRect();
        return state.textContent.includes('the checker') && top > 0 && bottom <= innerHeight; }""")
    built(page)
    page.click("[data-kb-over]")
    page.select_option("[data-kb-game]", "arkham")
    assert page.inner_text("[data-kb-start]") == "Begin with the suggested deck"
    page.select_option("[data-kb-person]", label="Wendy Adams (Core Set)")
    page.locator("summary", has_text="Paste a deck").click()
    page.fill("#kb-pasted", "My first deck\n\nAssets (4)\n2x Leather Coat\n2x Machete\n\nEvents\n2x Lucky!\n2x Dodge\n")
    page.tap("[data-kb-paste]")
    built(page)
    for name in ("Machete", "Dodge"):
        line = page.locator("[data-kb-lines] .kb-build__line--bad", has=page.get_by_text(name, exact=True))
        assert "None of the deckbuilding options of Wendy Adams" in line.inner_text()
        assert line.locator(".kb-check__plain").all_inner_texts() == [f"Remove 2 {name}"]
    page.tap("#kb-add")
    page.keyboard.type("weapon")
    page.wait_for_timeout(300)
    said, field = page.locator("[data-kb-said]").bounding_box(), page.locator("#kb-add").bounding_box()
    assert said["y"] + said["height"] <= field["y"] < 300, "the lower half of the screen is free for a keyboard"
    offered = page.locator("[data-kb-offers] button").all_inner_texts()
    assert offered[0].startswith("Add Improvised Weapon event, level 0")
    assert any(each.startswith("Add Baseball Bat asset, level 0") for each in offered)
    fits(page)
    page.get_by_role("link", name="About Leather Coat").tap()
    page.wait_for_url("**/arkham/cards/*.html")
    page.go_back()
    built(page)
    page.click("[data-kb-over]")
    draft = page.get_by_role("button", name="Continue: “My first deck”: Wendy Adams, 8 cards, not legal yet")
    assert draft.is_visible()


def test_certain_cards_are_offered_before_others_and_upgrades_before_purchases(on_phone):
    page = on_phone("build.html")
    begun(page, "arkham", "Roland Banks (Core Set)")

    def offered(typed):
        page.fill("[data-kb-add]", typed)
        return page.locator("[data-kb-offers] button").all_inner_texts()

    for typed in ("weapon", "tactic"):
        perhaps = ["may be allowed" in each for each in offered(typed)]
        assert not perhaps[0], typed
        assert perhaps == sorted(perhaps), typed
    assert offered("enchant weapon")[0].startswith("Add Enchant Weapon"), "a full name comes first in any case"
    assert not [each for each in offered("machete") if each.startswith("Add Machete asset, level 0")]
    page.fill("[data-kb-add]", "bandolier")
    page.wait_for_selector("[data-kb-offers] button")
    assert "Bandolier asset, level 0" not in page.inner_text("[data-kb-offers]")
    assert offered("dynamite blast (0)") == []
    assert "maximum number of cards with the title Dynamite Blast." in page.inner_text("[data-kb-offers]")
    page.click("[aria-label='Remove one Beat Cop']")
    page.wait_for_selector(SETTLED)
    page.fill("[data-kb-add]", "knife")
    page.locator("[data-kb-offers] button").first.click()
    page.wait_for_selector(SETTLED)
    page.click("[data-kb-upgrade]")
    page.wait_for_selector("[data-kb-step]:not([hidden])")
    page.wait_for_selector(SETTLED)
    page.fill("[data-kb-add]", "beat cop")
    page.wait_for_selector("[data-kb-offers] >> text=Buy Beat Cop: 1 experience")
    first, second, *_ = page.locator("[data-kb-offers] button").all_inner_texts()
    assert first.startswith("Upgrade to Beat Cop (2): 2 experience")
    assert second.startswith("Buy Beat Cop: 1 experience")


def test_a_card_page_adds_its_card_to_the_deck_that_is_begun_next(on_phone):
    page = on_phone("build.html")

    def arrive(card):
        page.goto("about:blank")
        page.goto(f"{address}#?game=arkham&add={card}")

    def said(words):
        page.wait_for_selector(f".kb-check__state >> text={words}", timeout=120_000)

    address = page.url
    arrive("01026")
    said("Begin or open a deck. kb then adds Extra Ammunition (1) to it.")
    page.reload()
    said("kb then adds Extra Ammunition (1) to it.")
    page.select_option("[data-kb-person]", label="Roland Banks (Core Set)")
    page.click("[data-kb-start]")
    built(page)
    said("kb added Extra Ammunition (1) to the deck.")
    assert '"01026": 1' in saved(page)
    for card, why in (
        ("01020", "kb did not add Machete: the deck has the maximum number of cards with this title."),
        ("01060", "kb did not add Shrivelling: Roland Banks cannot take it."),
    ):
        arrive(card)
        said(why)
    arrive("01026")
    said("kb added Extra Ammunition (1) to the deck.")
    assert '"01026": 2' in saved(page)


def test_a_side_deck_is_seen_and_a_card_leaves_it(on_phone):
    page = on_phone("build.html")
    page.click(".kb-build summary")
    page.fill(
        "#kb-pasted", "game: arkham\ninvestigator: Roland Banks\ncards: {Machete: 2}\nside_deck: {Shotgun (4): 2}\n"
    )
    page.click("[data-kb-paste]")
    built(page)
    page.locator("summary", has_text="Side deck: 2 cards").click()
    page.get_by_role("button", name="Remove one Shotgun (4) from the side deck").click()
    page.wait_for_selector("summary >> text=Side deck: 1 card")
    page.wait_for_selector(SETTLED)
    assert page.evaluate("document.activeElement.dataset.key") == "-side_deck.01029", "the section stays open"
    fits(page)
    assert '"01029": 1' in saved(page)
    page.get_by_role("button", name="Remove one Shotgun (4) from the side deck").click()
    page.locator("summary", has_text="Side deck").wait_for(state="detached")
    page.wait_for_selector(SETTLED)
    assert "side_deck" not in saved(page)


def test_typed_text_is_never_markup_and_a_refusal_changes_nothing(on_phone):
    page = on_phone("build.html")
    page.click(".kb-build summary")
    page.fill("#kb-pasted", "Investigator: <img src=x onerror=alert(1)>\n2x Knife\n")
    page.click("[data-kb-paste]")
    page.wait_for_selector(".kb-check__state--bad", timeout=120_000)
    assert "<img" in page.inner_text(".kb-check__state--bad")
    assert page.locator("main img[src=x]").count() == 0
    assert page.is_visible("[data-kb-begin]")
    page.fill("#kb-pasted", "Investigator: Daisy Walker\n3x Knife\n")
    page.click("[data-kb-paste]")
    page.click("button:text-matches('^Remove ')")
    page.wait_for_selector(SETTLED)
    assert page.locator(".kb-build__line--bad").count() == 0
    page.fill("[data-kb-add]", "zzz")
    assert "No card fits" in page.inner_text("[data-kb-offers]")
    page.fill("[data-kb-add]", "machete")
    assert "Daisy Walker cannot take Machete" in page.inner_text("[data-kb-offers]")
    page.fill("[data-kb-add]", "knife level 5")
    assert "No card fits" in page.inner_text("[data-kb-offers]"), "Daisy can take a Knife, but not of this level"
    page.fill("[data-kb-add]", "type:asset trait:tome level<=0 old book")
    assert "Old Book of Lore" in page.inner_text("[data-kb-offers]")
    page.select_option("[data-kb-to]", "ArkhamDB")
    assert '"investigator_code": "01002"' in saved(page)


def test_a_draft_is_deleted_only_by_a_second_tap(on_phone):
    page = on_phone("build.html")
    drafts = {f"d{at}": {"title": f"deck {at}", "when": at, "text": ""} for at in range(5)}
    page.evaluate("drafts => localStorage.setItem('kb-drafts', JSON.stringify(drafts))", drafts)
    page.reload()
    assert page.get_by_role("button", name="Continue").count() == 5
    forget = page.get_by_role("button", name="Delete the draft deck 4")
    forget.click()
    assert page.get_by_role("button", name="Continue: deck 4").is_visible()
    page.get_by_role("button", name="Delete it?", exact=True).click()
    assert page.get_by_role("button", name="Continue: deck 4").count() == 0
    assert page.get_by_role("button", name="Continue: deck 3").is_visible()
