"""An evening of three players on a phone, with two scenarios, a death and a player who leaves, on the pages of the
campaign, the party and the deck.
"""

import pytest

from tests.site.conftest import fits
from tests.site.firefox_page import FoxPage
from tests.site.test_campaign_page import answered, beginning, in_sight, picked, recording

LOW = """() => [...document.querySelectorAll('.kb-judged button'),
        ...document.querySelector('[data-kb-page]').shadowRoot.querySelectorAll('button, .rules a')]
    .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 43.5).map((each) => each.outerHTML.slice(0, 80))"""
GAIN = "Which new boons did {} end with?"


def recorded(page, refused=""):
    """Look at the changes that a game makes, record the game, and return the changes as texts. If `refused` is given
    (`NAME, CARD`), the player NAME first refuses CARD in the rebuild.
    """
    page.click("[data-kb-look]")
    page.wait_for_selector("[data-kb-preview]:visible", timeout=60_000)
    fits(page)
    if refused:
        who, card = refused.split(", ")
        page.get_by_role("button", name=f"{who} refuses {card}").click()
        page.get_by_role("button", name=f"Allow again: {refused}").wait_for()
        assert page.get_by_role("button", name=f"{who} refuses {card}").count() == 0
        fits(page)
    changes = page.locator("[data-kb-changes] li").all_inner_texts()
    page.click("[data-kb-record-it]")
    page.wait_for_selector("[data-kb-undo]:visible", timeout=60_000)
    return list(changes)


def two_scenarios(page):
    """Begin with three players and win one scenario. In the next, one character dies and another leaves."""
    beginning(page, "pathfinder")
    page.get_by_label("Name of the campaign?").fill("Our evening")
    answered(page, "Which set?", "Rise of the Runelords")
    answered(page, "Who plays?", "Kyra", "Merisiel", "Valeros")
    page.click("[data-kb-begin-it]")
    page.wait_for_selector("[data-kb-record]:visible", timeout=60_000)

    recording(page)
    answered(page, "Was it won?", "yes")
    picked(page, GAIN.format("Kyra"), "Sage")
    page.wait_for_timeout(500)
    page.reload()  # the typed answers are still there
    page.get_by_role("button", name="Remove one Sage").wait_for(timeout=120_000)
    for name in ("Kyra", "Merisiel", "Valeros"):
        in_sight(page, f"{name}: what is the skill feat spent on?")
        page.get_by_role("group", name=f"{name}: what is the skill feat spent on?").get_by_role("radio").nth(1).check()
    picked(page, "Which cards would Merisiel like?", "Sage")
    fits(page)
    changes = recorded(page, "Kyra, Sage")
    assert any("Sage" in each for each in changes)
    assert not any(each.startswith("Merisiel") and "takes" in each and "Sage" in each for each in changes)
    assert sum("skill feat" in each for each in changes) == 3

    recording(page)
    answered(page, "Was it won?", "no")
    answered(page, "Who died?", "Valeros")
    answered(page, "Who joins the party?", "Harsk")
    answered(page, "Who leaves the party?", "Merisiel")
    changes = recorded(page)
    assert any(each.startswith("Valeros") and "dies" in each for each in changes)
    assert any(each.startswith("Harsk") and "joins" in each for each in changes)
    assert any(each.startswith("Merisiel") and "leaves" in each for each in changes)


def the_table(page):
    """Answer the questions about the party: who played, who died, who joins, and the cards gained and wished for."""
    answered(page, "Which set?", "Rise of the Runelords")
    answered(page, "Who played?", "Kyra", "Merisiel", "Valeros")
    answered(page, "Who died?", "Valeros")
    answered(page, "Who joins the party?", "Harsk")
    picked(page, GAIN.format("Merisiel"), "Night Watch")
    picked(page, "Which cards would Kyra like?", "Night Watch")
    page.get_by_role("button", name="Remove one Night Watch").nth(1).wait_for()


def evening(page, served):
    """Record two scenarios, rebuild the party, and begin the next evening with the rebuilt decks."""
    page.goto(f"{served}/campaign.html")
    two_scenarios(page)
    assert "warning" not in page.inner_text("#kb-verdict")
    assert "Dead" in page.text_content("[data-kb-page] .kb-deck")
    fits(page)

    page.goto(f"{served}/party.html")
    the_table(page)
    page.click("[data-kb-write]")
    moves = page.locator("[data-kb-page] .move")
    moves.first.wait_for(timeout=120_000)
    assert page.evaluate(LOW) == []
    fits(page)
    gives = moves.filter(has_text="Kyra wished for it")
    assert gives.get_by_role("button").all_inner_texts()[0] == "Kyra refuses"
    before = moves.all_inner_texts()
    gives.get_by_role("button", name="Kyra refuses").click()
    again = page.get_by_role("button", name="Allow again: Kyra, Night Watch")
    again.wait_for()
    assert 'refuses: {"Kyra": ["Night Watch"]}' in page.input_value("#kb-table")
    assert gives.count() == 0
    assert "The refusals cost 1 wish" in page.text_content("[data-kb-page] .kb-deck")
    fits(page)
    page.reload()  # the page still shows the refused and chosen cards and the answer
    assert 'refuses: {"Kyra": ["Night Watch"]}' in page.input_value("#kb-table")
    again.wait_for(timeout=120_000)
    again.click()
    gives.wait_for()
    assert moves.all_inner_texts() == before

    page.click("[data-kb-keep]")
    assert page.inner_text("[data-kb-keep]") == "Kept on this device"
    page.goto(f"{served}/build.html")
    page.get_by_role("button", name="Continue: Harsk, rebuilt").click()
    page.wait_for_selector("[data-kb-built]:not([hidden])", timeout=120_000)
    assert page.inner_text("[data-kb-said] button") == "Legal"
    page.goto(f"{served}/campaign.html")
    page.get_by_role("button", name="Our evening Pathfinder").click()
    page.click("[data-kb-record]", timeout=120_000)
    answered(page, "Was it won?", "no")
    answered(page, "Rebuild the decks now, by the rules?", "no")
    page.locator("summary", has_text="Decks").click()
    offered = page.get_by_label("A deck built on this device: Harsk's deck").locator("option")
    first, *kept = offered.all_inner_texts()
    assert (first, [name.partition(" (")[0] for name in kept]) == ("a deck built here …", ["Harsk, 15 cards"]), (
        "only the deck of Harsk is offered, not that of Kyra"
    )
    page.select_option('[aria-label^="A deck built on this device: Harsk\'s deck"]', "0")
    page.locator(".kb-asked__fold > summary", has_text="Given: Harsk, 15 cards").wait_for()
    assert page.input_value('[aria-label^="A deck built on this device: Harsk\'s deck"]') == "0"


@pytest.mark.extended
def test_an_evening_on_a_phone(packed, served, tab):
    opened = tab(served, width=390)
    evening(opened.page, served)
    assert opened.errors == []
    assert opened.strangers == []


@pytest.mark.extended
def test_an_evening_in_firefox(packed, served, fox):
    fox.narrow(390)
    try:
        evening(FoxPage(fox), served)
    finally:
        fox.narrow(0)


def test_products_and_absent_investigators_are_chosen_by_name(on_phone):
    page = on_phone("party.html#?game=arkham")
    assert page.get_by_text("Who played?").is_hidden(), (
        "Arkham Horror has no rebuild, so the page does not ask who played"
    )
    page.locator("summary", has_text="Products you own").click()
    picked(page, "Arkham Horror: investigators out of the campaign for good", "Roland Banks (Core Set)")
    picked(page, "Arkham Horror: products owned", "Core Set")
    page.get_by_role("button", name="One more Core Set").click()
    fits(page)
    page.reload()
    assert page.get_by_text("2x Core Set").is_visible(), "the chosen product is still there"
    page.locator(".kb-asked", has_text="Deck 1").locator("summary").click()
    page.fill(
        ".kb-asked:has-text('Deck 1') textarea",
        "game: arkham\ninvestigator: Roland Banks\ncards:\n  Beat Cop: 2\n  Deny Existence: 2\n",
    )
    page.click('[data-kb-do="together"]')
    page.locator("#kb-verdict", has_text="1 deck does not fit the party").wait_for(timeout=120_000)
    said = page.text_content("[data-kb-page] .kb-deck")
    assert "was killed or driven insane" in said
    assert "Deny Existence" in said
