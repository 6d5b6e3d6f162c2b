"""Pages of scenarios, locations and banes: the set-up for the chosen number of players, on a phone and on paper.
Villains are folded as spoilers.
"""

import re

import pytest

import kb
from kb.games.pathfinder.scenarios.setup import SetUpFacts, set_up

SHOWN = ".kb-setup:visible"


def cells(page, row):
    return [text.strip() for text in page.locator(f"{SHOWN} tbody tr").nth(row).locator("td").all_inner_texts()]


@pytest.fixture(scope="module")
def facts():
    catalog = kb.open_catalog()
    return SetUpFacts.of(lambda kind: catalog.records("pathfinder", kind))


@pytest.mark.extended
@pytest.mark.parametrize("width", [390, 1280])
def test_the_players_are_chosen_in_place(from_folder, facts, width):
    page = from_folder("pathfinder/rotr/scenarios/brigandoom.html", width=width)
    (record,) = [each for each in facts.scenarios if each["name"] == "Brigandoom!"]
    for players in (1, 6, 3):
        page.locator(f"#players-{players}").click()
        found = set_up(record, players, facts)
        rows = page.locator(f"{SHOWN} tbody tr")
        assert rows.count() == len(found.locations) + 1
        assert [int(cell or 0) for cell in cells(page, len(found.locations))[:8]] == list(found.draw.values())
        assert f"{found.henchmen[0].count} × Bandit" in page.locator(SHOWN).inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("part", ["players-1", "players-5"])
def test_a_link_names_the_number_of_players(from_folder, part):
    page = from_folder(f"pathfinder/mm/scenarios/chains-of-silver.html#{part}")
    assert page.locator(SHOWN).get_attribute("data-players") == part[-1]


@pytest.mark.parametrize(
    "path", ["rotr/scenarios/rimeskull", "mm/scenarios/those-who-dwell-in-darkness", "mm/scenarios/in-defense-of-wati"]
)
def test_a_set_up_is_one_sheet(from_folder, path):
    page = from_folder(f"pathfinder/{path}.html#players-6")
    for paper in ("A4", "Letter"):
        assert len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(format=paper))) == 1


def test_every_scenario_has_a_page_with_six_set_ups(site, facts):
    for record in facts.scenarios:
        html = (site / f"{set_up(record, 1, facts).id}.html").read_text("utf-8")
        assert html.count('class="kb-setup"') == 6


@pytest.mark.parametrize(
    ("path", "column", "drawn", "apart"),
    [
        ("rotr/scenarios/the-black-tower", "Spell", [1, 1, 1, 3, 8, 9], "Also in the location decks"),
        ("mm/scenarios/akhentepis-legacy", "Barrier", [5, 7, 9, 11, 12, 14], "Also in the location decks"),
        ("mm/scenarios/panic-in-the-streets", "Blessing", [3, 3, 3, 3, 4, 6], "Next to the scenario"),
    ],
)
def test_cards_listed_apart_are_not_in_the_row_of_totals(site, path, column, drawn, apart):
    html = (site / f"pathfinder/{path}.html").read_text("utf-8")
    totals = re.findall(r'<tr><th scope="row">Draw at random</th>.*?</tr>', html)
    assert [int(re.search(rf'data-label="{column}">(\d*)', row)[1] or 0) for row in totals] == drawn
    assert html.count(f"<dt>{apart}</dt>") == 6


def test_villains_of_later_adventures_are_folded_in_the_table_of_banes(site):
    html = (site / "pathfinder/mm/banes/index.html").read_text("utf-8")
    (table,) = re.findall(r"data-kb-rows.*?</script>", html, re.S)
    assert '"Crawling Hands"' in table
    assert '"Tukanem-Hanam"' in table, "a villain of the base set is not folded"
    assert '"Nebta-Khufre"' not in table
    folds = re.findall(r'<details class="spoiler" data-campaign="Empty Graves">.*?</details>', html, re.S)
    assert "Nebta-Khufre" in folds[0]


def test_the_page_of_a_villain_is_folded_until_it_is_opened_or_the_adventure_is_finished(from_folder):
    page = from_folder("pathfinder/rotr/banes/nualia.html")
    assert page.inner_text("h1") == "Spoiler for Burnt Offerings"
    assert "Nualia" not in page.title()
    assert not page.locator(".kb-cardfacts").is_visible()
    page.click("details.spoiler > summary")
    page.wait_for_function("document.querySelector('h1').innerText === 'Nualia'")
    page.check(".kb-finished input")
    page.reload()
    assert page.inner_text("h1") == "Nualia"


def test_adventures_lead_to_their_scenarios_and_these_to_their_banes(site):
    assert "../scenarios/brigandoom.html" in (site / "pathfinder/rotr/adventures/index.html").read_text("utf-8")
    page = (site / "pathfinder/rotr/scenarios/brigandoom.html").read_text("utf-8")
    for target in (
        "../locations/woods.html",
        "../banes/bandit.html",
        "../add-villains-and-henchmen.html",
        "the-poison-pill.html",
    ):
        assert target in page


ROLLS = {
    "Kyra": {"Strength": {"sides": 6, "bonus": 0}, "Melee": {"sides": 6, "bonus": 2}},
    "Ezren": {"Intelligence": {"sides": 12, "bonus": 3}},
}


def table_of(rows):
    return {"files": {"campaign.yaml": ""}, "game": "pathfinder", "title": "Ours", "games": 1, "when": 1, "dice": {
        "place": "pathfinder/mm", "adventure": 2, "members": [{"who": who, "rolls": rolls} for who, rolls in rows.items()],
    }}  # fmt: skip


def test_a_bane_tells_the_chances_of_the_campaign_that_the_browser_keeps(from_folder):
    page = from_folder("pathfinder/mm/banes/tukanem-hanam.html")
    assert not page.locator("[data-kb-odds]").is_visible()
    page.evaluate("(held) => localStorage.setItem('kb-campaign-x', JSON.stringify(held))", table_of(ROLLS))
    page.reload()
    rows = page.locator("[data-kb-odds] tbody tr")
    assert rows.locator("th").all_inner_texts() == ["Kyra", "Ezren"]
    assert "0% with Melee d6 + 2" in rows.nth(0).inner_text()
    page.get_by_label("Dice and numbers added").fill("1d6+2")
    # 2d6 + 4 is at least 10 in 26 of 36 cases; both checks succeed in 169 of 324
    assert "72.2% with Melee d6 + 2" in rows.nth(0).inner_text()
    assert rows.nth(0).locator("td").last.inner_text() == "52.2%"
    assert "with a d4, without the skill" in rows.nth(1).inner_text()
    page.get_by_label("Dice and numbers added").fill("99999d6")
    assert "Enter dice and numbers" in page.inner_text("#kb-odds-wrong")
