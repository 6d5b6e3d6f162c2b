"""Pages of scenarios, locations and banes: the set-up for the chosen number of players, on a phone and on paper;
villains are folded.
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


def test_villains_are_folded_in_the_table_of_banes(site):
    html = (site / "pathfinder/mm/banes/index.html").read_text("utf-8")
    (table,) = re.findall(r"data-kb-rows.*?</script>", html, re.S)
    assert '"Crawling Hands"' in table
    assert '"Tukanem-Hanam"' not in table
    assert "Tukanem-Hanam" in re.search(r"<details class=\"spoiler\">.*?</details>", html, re.S)[0]


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
