"""The page "Record a campaign" on a phone: begin a campaign, record a scenario, reload the page, and undo the
record.
"""

from tests.site.conftest import ON_TOP, fits
from tests.site.test_builder import SETTLED


def beginning(page, game):
    """Choose a game, and open the questions that begin a campaign."""
    page.select_option("[data-kb-game]", game)
    page.click("[data-kb-start]")
    page.wait_for_selector("#kb-begin:visible", timeout=120_000)


def in_sight(page, question):
    """Wait for a question, and unfold the person's card that contains it."""
    asked = page.locator(".kb-asked, details.kb-asked__person", has_text=question)
    for _ in range(600):
        if asked.count():
            break
        page.wait_for_timeout(100)
    page.wait_for_timeout(300)  # wait until the page has redrawn after the previous answer
    closed = page.locator("details.kb-asked__person:not([open])", has_text=question)
    if closed.count():
        closed.first.locator("summary").first.click()


def answered(page, question, *names):
    """Check the boxes called `names` of a question."""
    in_sight(page, question)
    for name in names:
        page.get_by_role("group", name=question).get_by_label(name, exact=True).check()


def picked(page, question, name):
    """Type the beginning of a name into a question's field, and click the suggestion."""
    in_sight(page, question)
    page.get_by_label(question).fill(name[:5])
    page.get_by_role("button", name=f"Add {name}", exact=True).click()


def recording(page):
    """Open the questions that record a game."""
    page.click("[data-kb-record]")
    page.wait_for_selector("#kb-record:visible")


def test_a_campaign_is_begun_and_recorded(on_phone):
    page = on_phone("campaign.html")
    fits(page)
    beginning(page, "pathfinder")
    page.get_by_label("Name of the campaign?").press_sequentially("Two & <b>friends</b>")
    page.reload()  # in the midst of it
    page.wait_for_selector("#kb-begin:visible", timeout=120_000)
    assert page.get_by_label("Name of the campaign?").input_value() == "Two & <b>friends</b>"
    answered(page, "Which set?", "Rise of the Runelords")
    answered(page, "Who plays?", "Kyra", "Valeros")
    fits(page)
    page.click("[data-kb-begin-it]")
    page.wait_for_selector("[data-kb-record]:visible")
    fits(page)
    recording(page)
    answered(page, "Was it won?", "yes")
    picked(page, "Which new boons did Kyra end with?", "Sage")
    fits(page)
    page.click("[data-kb-look]")
    page.wait_for_selector("[data-kb-preview]:visible")
    assert "Sage" in page.inner_text("[data-kb-changes]")
    fits(page)
    page.click("[data-kb-record-it]")
    page.wait_for_selector("[data-kb-undo]:visible")
    page.locator("[data-kb-state]", has_text="Recorded: ").wait_for()
    assert page.locator("[data-kb-state] p").evaluate(ON_TOP), "the message is visible"


def test_a_campaign_leads_to_the_set_up_of_its_next_scenario(on_phone):
    page = on_phone("campaign.html")
    beginning(page, "pathfinder")
    answered(page, "Which set?", "Rise of the Runelords")
    answered(page, "Who plays?", "Kyra", "Valeros")
    page.click("[data-kb-begin-it]")
    page.get_by_role("link", name="Set up the next scenario: Attack on Sandpoint").click(timeout=120_000)
    page.wait_for_selector("h1:has-text('Attack on Sandpoint')", timeout=120_000)
    assert page.locator(".kb-setup:visible").get_attribute("data-players") == "2"


def test_a_tap_counts_although_a_message_appears_meanwhile(on_phone):
    page = on_phone("campaign.html")
    arkham(page)
    recording(page)
    page.get_by_label("Which scenario?").fill("The Gathering")
    answered(page, "Who was driven insane?", "Roland Banks")
    page.get_by_label("Who joins in their place?").wait_for()
    earned = page.get_by_label("How much experience did Roland Banks earn?")
    earned.click()
    earned.press_sequentially("x")
    look = page.locator("[data-kb-look]")
    look.scroll_into_view_if_needed()
    at = look.bounding_box()
    page.mouse.move(at["x"] + 20, at["y"] + 20)
    page.mouse.down()
    page.wait_for_timeout(2000)
    assert look.bounding_box()["y"] == at["y"], "the button does not move under the finger"
    page.mouse.up()
    page.locator(
        ".kb-check__state--bad", has_text="Still to answer or fix: “How much experience did Roland Banks earn?”"
    ).wait_for()
    assert "not a whole number" in page.inner_text(".kb-asked__wrong:not(:empty)")


def arkham(page):
    """Begin an Arkham Horror campaign with Roland Banks."""
    beginning(page, "arkham")
    page.get_by_label("Name of the campaign?").fill("Ours")
    picked(page, "Who plays?", "Roland Banks (Core Set)")
    page.click("[data-kb-begin-it]")
    page.wait_for_selector("[data-kb-record]:visible", timeout=60_000)


def test_back_and_reload_restore_the_unfinished_record(served, on_phone):
    page = on_phone("campaign.html#?game=arkham")
    assert page.input_value("[data-kb-game]") == "arkham", "the address chooses the game"
    arkham(page)
    recording(page)
    page.get_by_label("Which scenario?").fill("The Gathering")
    page.get_by_role("group", name="Who was driven insane?").wait_for()
    page.goto(f"{served}/build.html#?game=tainted-grail")
    assert page.input_value("[data-kb-game]") == "tainted-grail"
    page.go_back()
    page.wait_for_selector("#kb-record:visible", timeout=120_000)
    assert page.get_by_label("Which scenario?").input_value() == "The Gathering"
    page.go_back()
    page.wait_for_selector("[data-kb-record]:visible", timeout=60_000)


def test_an_already_stored_campaign_zip_replaces_or_is_kept_separately(on_phone):
    page = on_phone("campaign.html")
    page.set_input_files("[data-kb-unzip]", {"name": "a.zip", "mimeType": "application/zip", "buffer": b"junk"})
    bad = page.locator(".kb-check__state--bad")
    bad.get_by_text("This is not a readable campaign zip").wait_for(timeout=120_000)
    assert "object" not in bad.inner_text()
    arkham(page)
    with page.expect_download() as saved:
        page.click("[data-kb-zip]")
    packed_zip = {"name": "ours.zip", "mimeType": "application/zip", "buffer": saved.value.path().read_bytes()}
    for words, kept in (("Replace it", 1), ("Keep both", 2)):
        page.locator("[data-kb-list]:visible").click()
        page.set_input_files("[data-kb-unzip]", packed_zip)
        page.get_by_role("button", name=words).click()
        page.wait_for_selector("[data-kb-record]:visible", timeout=60_000)
        page.locator("[data-kb-state]", has_text="Opened: Ours.").wait_for()
        page.locator("[data-kb-list]:visible").click()
        assert page.locator(".kb-campaign__open").count() == kept
        page.locator(".kb-campaign__open").first.click()
        page.wait_for_selector("[data-kb-record]:visible")


def test_a_sheet_changed_in_the_deck_builder_returns_to_the_record(packed, served, tab):
    opened = tab(served, width=390)
    page = opened.open("campaign.html")
    beginning(page, "tainted-grail")
    page.get_by_role("group", name="Who plays?").get_by_label("Beor").check()
    page.get_by_label("On the tile: aggression of Beor").fill("2")
    page.click("[data-kb-begin-it]")
    page.wait_for_selector("[data-kb-record]:visible")
    recording(page)
    page.get_by_label("Which chapter did you reach?").fill("1")
    page.get_by_label("Which day is it?").fill("3")
    page.locator(".kb-asked__fold > summary", has_text="Decks").click()
    page.get_by_text("Change it in the deck builder").click()
    food = page.get_by_role("group", name="Carried").get_by_label("Food")
    food.wait_for(timeout=120_000)
    food.fill("4")
    page.keyboard.press("Tab")
    page.wait_for_selector(SETTLED)
    fits(page)
    page.get_by_role("button", name="Back to the campaign with this deck").click()
    page.wait_for_selector("#kb-record:visible", timeout=120_000)
    assert page.get_by_label("Which day is it?").input_value() == "3"
    page.locator("summary", has_text="Given: Beor, 30 cards").first.wait_for()
    page.get_by_text("Change it in the deck builder").click()
    food.wait_for()
    assert food.input_value() == "4", "the sheet keeps the change"
    page.go_back()
    page.wait_for_selector("#kb-record:visible", timeout=120_000)
    page.click("[data-kb-look]")
    page.wait_for_selector("[data-kb-preview]:visible")
    assert "food 4" in page.inner_text("[data-kb-changes]")
    page.click("[data-kb-record-it]")
    page.wait_for_selector("[data-kb-undo]:visible")
    opened.open("build.html")
    page.get_by_role("button", name="Continue: ").first.click()
    page.wait_for_selector("[data-kb-built]:visible", timeout=120_000)
    assert page.get_by_role("button", name="Back to the campaign").count() == 0, (
        "the game is recorded, so there is nothing to go back to"
    )
    assert opened.errors == []


def test_a_beginning_is_replaced_before_and_after_a_game(on_phone):
    page = on_phone("campaign.html")
    tile = page.get_by_label("On the tile: aggression of Beor")
    beginning(page, "tainted-grail")
    page.get_by_role("group", name="Who plays?").get_by_label("Beor").check()
    page.click("[data-kb-begin-it]")
    page.locator("[data-kb-act]", has_text="Change it in the setup").click()
    tile.fill("2")
    page.reload()  # in the midst of it
    page.wait_for_selector("#kb-begin:visible", timeout=120_000)
    assert tile.input_value() == "2"
    replace = page.get_by_role("button", name="Replace the setup")
    replace.click()
    page.wait_for_selector("[data-kb-record]:visible")
    assert page.locator("[data-kb-act]", has_text="Change it in the setup").count() == 0
    recording(page)
    page.get_by_label("Which chapter did you reach?").fill("1")
    page.get_by_label("Which day is it?").fill("3")
    page.click("[data-kb-look]")
    page.get_by_label("How much EXP did Beor gain?").and_(page.locator(":focus")).wait_for()
    page.click("[data-kb-look]")
    page.click("[data-kb-record-it]")
    page.wait_for_selector("[data-kb-undo]:visible")
    page.click("[data-kb-change]")
    tile.fill("3")
    fits(page)
    replace.click()
    page.get_by_text("The recorded games fit the new setup. Replace the old setup?").wait_for()
    assert page.get_by_role("button", name="Replace it").evaluate(ON_TOP)
    fits(page)
    as_text = page.locator("details[data-name=Beor] details:visible")
    as_text.locator("summary").click()
    as_text.locator("textarea").fill("game: tainted-grail\ncharacter: Beor\ncombat: 1-14\n")
    replace.click()
    page.get_by_role("button", name="Replace it anyway").click()
    page.locator("[data-kb-state]", has_text="Replaced.").wait_for()
    assert page.get_by_text("has 14 cards").count()


def test_undone_games_restore_their_answers(on_phone):
    page = on_phone("campaign.html")
    arkham(page)
    games = ("The Gathering", "The Midnight Masks")
    for name in games:
        recording(page)
        page.get_by_label("Which scenario?").fill(name)
        page.get_by_role("group", name="Who was driven insane?").wait_for()
        page.click("[data-kb-look]")
        page.click("[data-kb-record-it]")
        page.wait_for_selector("[data-kb-undo]:visible")
    page.reload()
    for name in reversed(games):
        page.click("[data-kb-undo]", timeout=120_000)
        page.click("text=Undo it?")
        page.wait_for_selector(f"text=Undone: {name}")
    for name in games:
        recording(page)
        assert page.get_by_label("Which scenario?").input_value() == name, (
            "the answers are there again, to be corrected"
        )
        page.click("[data-kb-look]")
        page.click("[data-kb-record-it]")
        page.locator("[data-kb-state]", has_text="Recorded: ").wait_for()
