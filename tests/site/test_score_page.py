"""The page "Score a game" on a phone: a user types a final position, the page keeps it, saves it as a file and opens
that file again.
"""

from pathlib import Path

from tests.site.conftest import file, fits

TYPED = {
    "Vases of Ada": "3",
    "Jewelry of Ada": "1",
    "Wild cards of Ada": "3",
    "tiles (the sum, or a list separated by commas) of Ada": "23",
    "adventurer (separated by commas) of Ada": "4, 7",
    "adventurer (separated by commas) of <b>Ben</b>": "9",
}


def begun(page):
    page.click("[data-kb-start]")
    page.wait_for_selector("[data-kb-position]:not([hidden])", timeout=120_000)


def test_a_final_position_is_typed_kept_and_saved(packed, tab, kb):
    opened = tab(f"file://{packed}", width=390)
    page = opened.open("score.html")
    begun(page)
    page.get_by_label("Who played?").fill("Ada, <b>Ben</b>")
    page.keyboard.press("Tab")
    page.get_by_label("Vases of Ada").fill("two")
    page.keyboard.press("Tab")
    page.wait_for_selector("[aria-invalid]")
    page.get_by_label("Vases of Ada").focus()  # errors are shown above the table, so that nothing moves
    page.wait_for_selector("text='two' is not a whole number from 0 to 99.")
    page.get_by_label("Vases of Ada").fill("100")
    page.wait_for_selector("text=100 is too high: at most 99.")
    assert page.get_by_label("Vases of Ada").get_attribute("aria-invalid") == "true"
    for label, text in TYPED.items():
        page.get_by_label(label).fill(text)
    page.get_by_role("group", name="Ada", exact=True).get_by_label("first").check()
    page.wait_for_selector("text=No one has the second sarcophagus")
    page.get_by_role("group", name="<b>Ben</b>", exact=True).get_by_label("second").check()
    page.get_by_role("button", name="Go to the question: How many points does your game give for 2 sets?").first.click()
    asked = page.get_by_role("textbox", name="How many points does your game give for 2 sets?")
    assert asked.evaluate("each => each === document.activeElement")
    asked.fill("9")
    page.keyboard.press("Tab")
    page.wait_for_selector("text=Most points: Ada.")
    assert page.inner_text("[data-kb-said]").startswith("Ada 48 · <b>Ben</b> 12")
    assert opened.errors == []  # scripts request further files, which a browser cannot load from a folder
    fits(page)
    page.reload()
    page.wait_for_selector("[data-kb-position]:not([hidden])", timeout=120_000)
    assert page.get_by_label("Vases of Ada").input_value() == "3", "the typed number is still there after a reload"
    with page.expect_download() as saved:
        page.click("[data-kb-save]")
    told = kb("score luxor {} --json", saved.value.path()).json
    assert [player["points"] for player in told["players"]] == [48, 12]
    page.click("[data-kb-over]")
    page.wait_for_function("() => !document.querySelector('[role=group][aria-label=Ada]')")
    page.set_input_files("[data-kb-open]", file("final.yaml", Path(saved.value.path()).read_text("utf-8")))
    page.wait_for_selector("text=Most points: Ada.")
    page.set_input_files("[data-kb-open]", file("bad.yaml", "players: {Ada: {vases: many}}"))
    page.wait_for_selector(".kb-check__state--bad")
    assert page.get_by_label("Vases of Ada").input_value() == "3", "an unreadable file changes nothing"
    assert opened.strangers == []
