"""The page of a deck: it says what the deck is, its charts count right, nothing in it can run or be fetched."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb.decks.deckfile import parse_deck
from kb.decks.games import decks_of, with_decks
from kb.games.arkham.decks.adapter import check as check_arkham
from kb.games.arkham.decks.adapter import rulesets
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.load import load_arkham
from kb.site.decks.charts import Bar, Chart, Part, bar
from kb.site.decks.game_pages import deck_page
from kb.site.places import pages_of
from kb.sources.problems import Problems

CARDS = Path(__file__).resolve().parents[2] / "cards"
SVG = "http://www.w3.org/2000/svg"  # the name of a language, not an address that is fetched
ROLAND = """
game: arkham
name: Badge and gun
investigator: Roland Banks
taboo: 8
cards:
  Roland's .38 Special (01006): 1
  Cover Up: 1
  Haunted: 1
  .45 Automatic: 2
  Machete: 2
  Beat Cop: 1
  Beat Cop (2): 1
  First Aid: 2
  Magnifying Glass: 2
  Dr. Milan Christopher: 1
  Physical Training: 2
  Guard Dog: 1
  Evidence!: 2
  Dodge: 2
  Dynamite Blast: 2
  Working a Hunch: 2
  Deduction: 2
  Vicious Blow: 2
  Guts: 2
  Emergency Cache: 2
side_deck: {Shotgun: 1}
"""


class Read(HTMLParser):
    """A page taken apart: tags, attributes, the text outside the style sheet, the style sheet."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.style = ""
        self._open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if "style" in self._open:
            self.style += data
        else:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    @property
    def charts(self) -> dict[str, dict[str, int]]:
        """What charts say to those who do not see them: numbers by label, by title."""
        found = {}
        for tag, attributes in self.tags:
            label = attributes.get("aria-label") or ""
            if tag == "svg" and attributes.get("role") == "img" and label.endswith("."):
                title, _, bars = label[:-1].partition(": ")
                said = [re.match(r"(.*?) (\d+)(?: \(.*\))?$", each) for each in bars.split("; ")]
                found[title] = {each[1]: int(each[2]) for each in said if each}
        return found


@cache
def records() -> Mapping[str, Any]:
    problems = Problems(CARDS)
    found = load_arkham(CARDS, problems)
    problems.raise_if_any()
    return found


@cache
def facts() -> Facts:
    return Facts(records())


def arkham(text: str, name: str = "deck.yaml") -> Read:
    """The page of an Arkham deck, made without a catalog."""
    file = parse_deck(text, name)
    game = decks_of("arkham")
    report = check_arkham(file, facts())
    return Read(deck_page(file, game, facts(), report, {}, lambda kind: list(records().get(kind, ()))))


def drawn(read: Read, title: str) -> list[tuple[str, str]]:
    """Labels and numbers as they are drawn in a chart."""
    picture = read.html.split(f'aria-label="{title}: ')[1].split("</svg>\n")[0]
    labels = re.findall(r'<text class="(?:label|name)"[^>]*>([^<]*)', picture)
    numbers = re.findall(r'<text class="number[^>]*>([^<]*)', picture)
    return list(zip(labels, numbers, strict=True))


@pytest.fixture(scope="module")
def roland() -> Read:
    return arkham(ROLAND)


def test_the_heading_says_whose_deck_it_is(roland: Read) -> None:
    assert "Badge and gun" in roland.text
    assert "Roland Banks , The Fed Guardian" in roland.text
    assert "Taboo list 23 October 2024" in roland.text
    assert "Deck size 30 of 30 Cards in all 33 Experience 2" in roland.text
    assert "Legal deck 1 note" in roland.text


def test_charts_count_the_cards_of_the_deck(roland: Read) -> None:
    by_code = {record["code"]: record for record in records()["card"]}
    file = parse_deck(ROLAND, "deck.yaml")
    from kb.games.arkham.decks.adapter import read_deck

    slots = read_deck(file, facts()).cards
    cards = [by_code[code] for code, copies in slots.items() for _ in range(copies)]
    counted = [card for card in cards if not card.get("subtype")]
    assert len(cards) - len(counted) == 2
    costs = Counter(card["cost"] for card in counted if "cost" in card)
    assert {key: number for key, number in roland.charts["Cost"].items() if number} == {
        f"cost {cost}": number for cost, number in costs.items()
    }
    skills = Counter[str]()
    for card in counted:
        skills.update(card.get("skills", {}))
    assert roland.charts["Skill icons"] == {skill.capitalize(): skills[skill] for skill in
                                            ("willpower", "intellect", "combat", "agility", "wild")}  # fmt: skip
    assert roland.charts["Class"] == {
        name.capitalize(): number for name, number in Counter(card["class"][0] for card in counted).items()
    }
    kinds = Counter(card["type"] for card in counted)
    assert roland.charts["Type"] == {"Assets": kinds["asset"], "Events": kinds["event"], "Skills": kinds["skill"]}
    levels = Counter(card.get("level") for card in counted)
    assert roland.charts["Level"]["level 0"] == levels[0]
    assert roland.charts["Level"]["level 2"] == levels[2] == 1
    assert roland.charts["Level"]["no level"] == levels[None] == 1


def test_what_is_drawn_is_what_is_said(roland: Read) -> None:
    for title, numbers in roland.charts.items():
        assert [int(number) for _, number in drawn(roland, title)] == list(numbers.values())
    picture = roland.html.split('aria-label="Cost: ')[1].split("</svg>\n")[0]
    heights = [float(height) for height in re.findall(r'<rect [^>]*height="([\d.]+)"', picture)]
    highest = max(roland.charts["Cost"].values())
    assert sum(heights) * highest / 96 == pytest.approx(sum(roland.charts["Cost"].values()), abs=0.05)


def test_cards_are_listed_by_type_and_slot_with_what_is_known(roland: Read) -> None:
    for title in ("Asset: hand", "Asset: ally", "Asset: no slot", "Events", "Skills", "Weaknesses", "Basic weaknesses"):
        assert title in roland.text
    assert "1 × cost 4 Beat Cop ●● level 2 Ally. Police. 2 XP guardian" in roland.text
    assert "Beside the deck Side deck 1 1 × cost 5 Shotgun" in roland.text
    assert "tone-seeker" in roland.html.split("Magnifying Glass</bdi>")[0].rsplit("<li", 1)[1]


def test_limited_slots_show_which_cards_take_them() -> None:
    read = arkham(ROLAND.replace("Roland Banks", "Wendy Adams"))
    assert "Limited slots" not in read.text
    lily = arkham("game: arkham\ninvestigator: '05001'\ncards: {Magnifying Glass: 2, Deduction: 1}\n")
    assert "Limited slots 3 of 15 slots for other level 0-1 seeker or mystic cards" in lily.text
    assert "2× Magnifying Glass , 1× Deduction" in lily.text
    assert len([tag for tag, attributes in lily.tags if tag == "i" and attributes.get("class") == "taken"]) == 3


def test_findings_come_with_rule_source_and_fix(real: Path, kb: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "deck.yaml").write_text(ROLAND.replace("  Machete: 2", "  Machete: 3"))
    read = Read(kb("deck", "page", str(tmp_path / "deck.yaml")).out)
    assert "Not legal" in read.text
    assert "3 copies of Machete; at most 2 by title." in read.text
    assert "Fix: Take out 1 copy" in read.text
    assert re.search(r"Limits and maximums , Grimoire[^[]* arkham/grimoire/glossary/limits-and-maximums", read.text)
    assert "(error: see the verdict)" in read.text


def test_a_legal_deck_says_so(real: Path, kb: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "lini.txt").write_text(kb("deck", "new", "Lini").out)
    read = Read(kb("deck", "page", str(tmp_path / "lini.txt")).out)
    checks = len(decks_of("pathfinder").rulesets()["rotr"].checks)
    assert "Legal deck Lini Gnome Druid, Rise of the Runelords" in read.text
    assert f"{checks} rules were checked" in read.text
    assert read.charts["Cards against the Cards List"] == {
        "Weapons": 0, "Spells": 6, "Armors": 0, "Items": 2, "Allies": 3, "Blessings": 4,
    }  # fmt: skip
    assert sum(read.charts["Set indicator"].values()) == sum(read.charts["Basic, Elite, loot"].values()) == 15
    assert "2 × Cure Magic, Divine, Healing basic set indicator B" in read.text


def test_pathfinder_bars_are_held_against_the_list(real: Path, kb: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "lini.txt").write_text(kb("deck", "new", "Lini").out.replace("2x Dog", "Dog"))
    read = Read(kb("deck", "page", str(tmp_path / "lini.txt")).out)
    assert "Allies 2 (of 3)" in read.html
    assert "Not legal" in read.text


def test_a_tainted_grail_sheet(real: Path, kb: Callable[..., Any], tmp_path: Path) -> None:
    sheet = (
        "game: tainted-grail\ncharacter: Beor\nexperience_spent: 16\nattributes: {aggression: 3, empathy: 1}\n"
        "starting_attributes: {aggression: 2, empathy: 1}\nskills: {aggression: 12}\nresources: {food: 4, wealth: 21}\n"
        "combat: {gained: {advanced: [Cleave]}, out: [3]}\ndiplomacy: 1-14\nitems: [Rusty Sword (WEAPON)]\n"
    )
    (tmp_path / "beor.yaml").write_text(sheet)
    read = Read(kb("deck", "page", str(tmp_path / "beor.yaml")).out)
    assert read.charts["Decks"] == {"Combat deck": 15, "Diplomacy deck": 14}
    assert read.charts["Attributes"]["Aggression"] == 3
    assert read.charts["Resources"] == {"Food": 4, "Wealth": 21}
    for words in ("No. 1–2", "No. 4–15", "Cleave advanced, gained", "Rusty Sword WEAPON", "Skill 12 aggression"):
        assert words in re.sub(r"\s+", " ", read.text), words


HOSTILE = '<script>alert("x")</script>'
ATTRIBUTE = '"><img src=x onerror=alert(1)>'


def hostile_deck() -> str:
    deck = {
        "investigator_code": "01001",
        "name": HOSTILE + ATTRIBUTE,
        "slots": {"01020": 2, HOSTILE: 1, ATTRIBUTE: 3},
        "sideSlots": {"</ul>" + HOSTILE: 1},
        "taboo_id": 99,
        "meta": json.dumps({"faction_selected": HOSTILE, "alternate_front": ATTRIBUTE, "cus_01020": HOSTILE}),
    }
    return json.dumps(deck)


def assert_harmless(read: Read) -> None:
    """Nothing on the page runs, and nothing is fetched."""
    tags = {tag for tag, _ in read.tags}
    assert not tags & {"script", "img", "iframe", "object", "embed", "form", "a", "base", "audio", "video", "image"}
    for tag, attributes in read.tags:
        for name, value in attributes.items():
            assert not name.startswith("on"), (tag, name)
            assert name != "src", (tag, name)
            if "href" in name:
                assert value == "data:," or (tag == "use" and str(value).startswith("#kb-")), (tag, value)
    assert "@import" not in read.style
    assert "url(" not in read.style
    assert "://" not in read.html.replace(SVG, "")
    policy = next(attributes for tag, attributes in read.tags if attributes.get("http-equiv"))
    assert str(policy["content"]).startswith("default-src 'none';")


def test_what_a_deck_file_says_is_only_text() -> None:
    read = arkham(hostile_deck(), "deck.json")
    assert_harmless(read)
    assert HOSTILE + ATTRIBUTE in read.text
    assert "Unknown card" in read.text


def test_hostile_names_of_the_other_games(real: Path, kb: Callable[..., Any], tmp_path: Path) -> None:
    sheet = {
        "game": "tainted-grail",
        "character": HOSTILE,
        "free_play": "yes",
        "items": [ATTRIBUTE],
        "deck_color": HOSTILE,
    }
    (tmp_path / "sheet.json").write_text(json.dumps(sheet))
    read = Read(kb("deck", "page", str(tmp_path / "sheet.json")).out)
    assert_harmless(read)
    assert HOSTILE in read.text


def test_nothing_is_fetched(roland: Read) -> None:
    assert_harmless(roland)


def test_every_symbol_that_is_used_is_there(roland: Read) -> None:
    used = {attributes["href"] for tag, attributes in roland.tags if tag == "use"}
    there = {f"#{attributes['id']}" for tag, attributes in roland.tags if tag == "symbol"}
    assert used <= there
    assert {"#kb-guardian", "#kb-willpower"} <= used


@pytest.mark.parametrize("investigator", ["01001", "99999", "x"])
def test_an_empty_deck_has_empty_charts(investigator: str) -> None:
    read = arkham(json.dumps({"investigator_code": investigator, "slots": {}}), "deck.json")
    assert read.charts == {} or set().union(*(numbers.values() for numbers in read.charts.values())) == {0}
    assert read.text.count("Nothing to count.") == 6
    assert "The deck is empty." in read.text


def test_half_a_surrogate_pair_can_be_written() -> None:
    read = arkham('{"investigator_code": "01001", "name": "\\ud800 deck", "slots": {"01020": 1}}', "deck.json")
    assert "? deck" in read.text
    read.html.encode("utf-8")


def test_a_customized_card_has_the_level_and_cost_of_its_boxes() -> None:
    deck = {"investigator_code": "01001", "slots": {"09021": 1}, "meta": json.dumps({"cus_09021": "4|2,1|1"})}
    read = arkham(json.dumps(deck), "deck.json")
    assert read.charts["Cost"]["cost 3"] == 1
    assert read.charts["Level"]["level 2"] == 1
    assert "3 of 15 boxes" in read.text


CODES = st.sampled_from([record["code"] for record in records()["card"]][::7])


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.dictionaries(CODES | st.text(max_size=6), st.integers(-3, 12), max_size=25),
    st.sampled_from(["01001", "05001", "06002", "11001", "nobody"]),
    st.text(max_size=30),
)
def test_any_deck_has_a_page_that_counts_right(slots: dict[str, int], investigator: str, name: str) -> None:
    deck = {"investigator_code": investigator, "name": name, "slots": slots}
    read = arkham(json.dumps(deck), "deck.json")
    assert_harmless(read)
    by_code = {record["code"]: record for record in records()["card"]}
    counted = {
        code: copies for code, copies in slots.items()
        if copies > 0 and code in by_code and not by_code[code].get("subtype")
    }  # fmt: skip
    total = sum(counted.values())
    for title in ("Class", "Type", "Level"):
        assert sum(read.charts.get(title, {}).values()) == total
    paid = sum(
        copies for code, copies in counted.items() if "cost" in by_code[code] and not by_code[code].get("permanent")
    )
    assert sum(read.charts.get("Cost", {}).values()) == paid


def test_a_chart_says_what_it_draws() -> None:
    chart = Chart("Cost", (Bar("0", (Part(2, "asset", "assets"), Part(1, "event", "events")), spoken="cost 0"),))
    assert chart.words == "Cost: cost 0 3 (2 assets, 1 events)."
    assert (chart.total, chart.highest, chart.empty) == (3, 3, False)
    assert [part.words for part in chart.key] == ["assets", "events"]
    goal = Chart("Decks", (bar("Combat", 14, goal=15),), goal_words="at least")
    assert goal.words == "Decks: Combat 14 (at least 15)."
    assert goal.highest == 15
    assert Chart("None", (bar("a", 0),)).empty


def test_every_game_with_deck_rules_has_a_page() -> None:
    assert all(pages_of(game.id) for game in with_decks())
    assert rulesets()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_in_a_browser(dark: bool, width: int, tmp_path: Path, tab: Callable[..., Any]) -> None:
    from axe_playwright_python.sync_playwright import Axe

    for name, text in (("roland", ROLAND), ("hostile", hostile_deck())):
        (tmp_path / f"{name}.html").write_text(arkham(text, "deck.json" if text[0] == "{" else "deck.yaml").html)
        opened = tab(f"file://{tmp_path}", width=width, dark=dark)
        opened.open(f"{name}.html")
        assert opened.strangers == []
        assert opened.errors == []
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
        violations = Axe().run(opened.page).response["violations"]
        assert [violation["id"] for violation in violations] == []
