"""Inputs that the page "Check a deck" refuses. The messages are those of the command line."""

import pytest

from kb.decks.deckfile import LARGEST_FILE
from tests.site.test_checker_attacked import verdict

LIST = "Investigator: Daisy Walker\n2x Knife\n1x Emergency Cache\n"
LARGE = "deck: is larger than 1,000,000 bytes; that is not a deck file."
LONG = "deck: contains more than 25,000 lines; that is not a deck file."


def said(page):
    page.wait_for_selector(".kb-check__state--bad")
    return str(page.inner_text("[data-kb-state]"))


def give(page, raw, name="my deck.txt"):
    page.set_input_files("[data-kb-open]", {"name": name, "mimeType": "text/plain", "buffer": raw})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1x Knife\n" * 50_000, LONG),
        ("1x Knife of many\n" * 60_000, LARGE),
        ("\u00e9" * (LARGEST_FILE // 2 + 1), LARGE),
    ],
    ids=["lines", "both", "bytes"],
)
def test_too_large_inputs_are_refused(text, words, served, on_phone):
    page = on_phone("check.html")
    assert verdict(page, text) == words
    assert page.locator(".kb-check__go").is_enabled()
    page.goto(f"{served}/party.html")
    page.evaluate("(text) => { document.querySelector('#kb-table').value = text; }", text)
    page.evaluate("document.querySelector('[data-kb-do=together]').click()")
    assert said(page) == words.replace("deck:", "table:")


def test_a_web_address_gives_a_hint_and_is_not_fetched(on_phone):
    page = on_phone("check.html")
    words = verdict(page, "https://arkhamdb.com/decklist/view/123")
    assert words.startswith("deck: is the address of a page, not a deck, and kb does not open pages. Copy")


def test_files_as_windows_writes_them(on_phone):
    page = on_phone("check.html")
    give(page, "Investigator: Zo\u00eb Samaras\r\n2x Knife\r\n".encode("cp1252"))
    assert said(page) == "my deck.txt: is not UTF-8 text; save the file as UTF-8."
    give(page, b"x" * (LARGEST_FILE + 1))
    assert said(page) == LARGE.replace("deck:", "my deck.txt:", 1)
    give(page, b"\xef\xbb\xbf" + LIST.replace("\n", "\r\n").encode())
    page.wait_for_selector("[data-kb-verdict]:not([hidden])")
    assert page.inner_text("#kb-verdict").startswith("Daisy Walker: not legal")
    assert verdict(page, "\ufeff" + LIST) == page.inner_text("#kb-verdict")
    many = "".join(f"{number}x Knife\r\n" for number in (1, 1))
    assert "Daisy Walker" in verdict(page, "\ufeffInvestigator: Daisy Walker\r\n" + many)


def test_a_deck_in_utf_16_is_read_as_on_the_command_line(base, tab, kb, real, tmp_path):
    page = tab(base).open("check.html")
    drop = """([bytes]) => {
      const given = new DataTransfer();
      given.items.add(new File([new Uint8Array(bytes)], "dropped.txt"));
      dispatchEvent(new DragEvent("drop", { dataTransfer: given, bubbles: true, cancelable: true }));
    }"""
    give(page, b"\xff\xfe\x00\xd8a\x00")
    assert said(page) == "my deck.txt: is not UTF-8 text; save the file as UTF-8."
    for encoding, name in (("utf-16-le", "Daisy Walker"), ("utf-16-be", "Roland Banks")):
        text = f"Investigator: {name}\n2x Knife\n1x Zo\u00eby\u2019s Cross\n"
        raw = f"\ufeff{text}".replace("\n", "\r\n").encode(encoding)
        (tmp_path / "deck.txt").write_bytes(raw)
        told = kb("deck check --json", tmp_path / "deck.txt").json[0]
        give(page, raw)
        page.wait_for_function(
            "(who) => document.querySelector('#kb-verdict').textContent.startsWith(who)", arg=told["character"]
        )
        assert page.input_value("#kb-deck") == text
        assert f"{sum(each['severity'] == 'error' for each in told['findings'])} error" in page.inner_text(
            "#kb-verdict"
        )
        page.fill("#kb-deck", "")
        page.evaluate(drop, [list(raw)])
        page.wait_for_function("() => document.querySelector('#kb-deck').value")
        assert page.input_value("#kb-deck") == text


def test_no_file_of_several_is_ignored_silently(on_phone):
    page = on_phone("check.html")
    files = """
    const given = new DataTransfer();
    for (const name of ["a.txt", "b.txt"]) given.items.add(new File(["Investigator: Daisy Walker"], name));
    for (const kind of ["dragenter", "dragover", "drop"])
      dispatchEvent(new DragEvent(kind, { dataTransfer: given, bubbles: true, cancelable: true }));
    """
    page.evaluate(f"() => {{ {files} }}")
    assert said(page).startswith("This page checks one deck at a time.")
    assert page.input_value("#kb-deck") == ""


def test_back_and_forth_between_links_checks_the_deck_of_the_address(on_phone):
    page = on_phone("check.html")
    links = {}
    for name in ("Daisy Walker", "Roland Banks"):
        assert verdict(page, f"Investigator: {name}\n2x Knife\n").startswith(name)
        links[name] = page.evaluate("location.hash")
    page.evaluate("(link) => { location.hash = link; }", links["Daisy Walker"])
    page.wait_for_selector("[data-kb-verdict]", state="hidden")
    assert page.inner_text("[data-kb-shared] h2") == "Daisy Walker"
    page.go_back()
    page.wait_for_function("(link) => location.hash === link", arg=links["Roland Banks"])
    page.wait_for_selector("[data-kb-verdict]:not([hidden])")
    assert page.inner_text("#kb-verdict").startswith("Roland Banks")
    assert page.evaluate("location.hash") == links["Roland Banks"]
    assert page.input_value("#kb-deck").startswith("Investigator: Roland Banks")
