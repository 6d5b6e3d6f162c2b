"""`kb deck pull`: the list, the options that name products, and the printable page in a real browser."""

import json

import pytest

ROLAND = {"investigator_code": "01001", "slots": {"01020": 2, "01016": 1, "01006": 1}, "name": "<b>Badge</b>"}
ZOEY = {"investigator_code": "02001", "slots": {"01020": 1, "01000": 1}, "name": "Zoey"}


@pytest.fixture
def decks(real, kb, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "roland.json").write_text(json.dumps(ROLAND), "utf-8")
    (tmp_path / "zoey.json").write_text(json.dumps(ZOEY), "utf-8")
    (tmp_path / "kyra.yaml").write_text("set: rotr\ncharacter: Kyra\ncards: [Mace, 9x Cure]\n", "utf-8")
    return tmp_path


def test_copies_over_decks_and_products(decks, kb):
    done = kb("deck pull roland.json zoey.json --owned core,dwl --json")
    found = done.json
    rows = {row["card"]: row["decks"] for row in found["products"]["Core Set"]}
    assert rows["Roland Banks [01001]"] == {"Roland Banks": 1}
    assert (done.code, found["missing"]) == (
        1,
        [{"card": "Machete [01020]", "copies": 2, "decks": {"Roland Banks": 1, "Zoey Samaras": 1}, "uncertain": False}],
    )
    assert [row["card"] for row in found["products"]["The Dunwich Legacy"]] == ["Zoey Samaras [02001]"]
    twice = kb("deck pull roland.json zoey.json --owned 'Core Set, core, core' --owned dwl")
    assert (twice.code, "Missing" in twice.out) == (0, False)


def test_one_card_is_not_cards(decks, kb):
    (decks / "lem.yaml").write_text("set: rotr\ncharacter: Lem\ncards: [Mace, Wooden Shield, 4x Cure]\n", "utf-8")
    lines = [line.strip() for line in kb("deck pull lem.yaml").out.splitlines()]
    assert "Rise of the Runelords: the Character Add-On Deck: 1 card" in lines
    lines = [line.strip() for line in kb("deck pull lem.yaml --owned base").out.splitlines()]
    assert "Missing: 1 card" in lines


def test_pathfinder_products(decks, kb):
    done = kb("deck pull kyra.yaml --owned base")
    assert done.code == 1
    assert "Cure: the decks need 9" in done.out
    assert "the Character Add-On Deck" in kb("deck pull kyra.yaml").out
    assert "Unknown product 'bse'" in kb("deck pull kyra.yaml --owned bse").err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["roland.json", "kyra.yaml"], "Give decks for one game"),
        (["none.yaml"], "cannot be read"),
        (["roland.json", "--owned", "cor"], "Unknown product 'cor'"),
        (["roland.json", "--paper", "a3"], "Unknown paper size 'a3'"),
    ],
)
def test_impossible_pull_lists_are_refused(decks, kb, line, said):
    assert said in kb(["deck", "pull", *line]).refusal


@pytest.mark.extended
@pytest.mark.parametrize(("paper", "width", "height"), [("a4", 595, 842), ("letter", 612, 792)])
def test_the_page_to_print(decks, kb, browser, paper, width, height):
    kb("deck pull roland.json zoey.json --print slips.html --all --paper", paper)
    page = browser.new_page()
    page.goto((decks / "slips.html").as_uri())
    assert page.locator(".divider").all_inner_texts()[0].startswith("Roland Banks\n\n<b>Badge</b>, 5 cards")
    assert page.locator(".slip.card h2").all_inner_texts().count("Machete [01020]") == 3
    box = page.locator(".slip").first.bounding_box()
    assert (round(box["width"] * 25.4 / 96), round(box["height"] * 25.4 / 96)) == (63, 88)
    overflow = page.evaluate(
        "[...document.querySelectorAll('.slip')].filter(s => s.scrollHeight > s.clientHeight + 1).length"
    )
    assert overflow == 0
    pdf = page.pdf(prefer_css_page_size=True)
    assert pdf.count(b"/Type /Page\n") == page.locator(".page").count()
    assert f"/MediaBox [0 0 {width}".encode()[:14] in pdf
    page.close()
