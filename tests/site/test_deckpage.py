"""The page of a deck describes the deck, and its charts count correctly. Nothing on the page can run a script or load a
file.
"""

import json
import re
from functools import cache
from html.parser import HTMLParser

import pytest

from kb.citation import Citations
from kb.decks.deckfile import parse_deck
from kb.decks.games import decks_of
from kb.games.arkham.cards import load_arkham
from kb.games.arkham.decks.deck_rules import check as check_arkham
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.site.places import deck_page
from kb.sources.problems import Problems
from tests.conftest import ROOT
from tests.site.conftest import WIDE, complaints

CARDS = ROOT / "cards"
SVG = "http://www.w3.org/2000/svg"  # an XML namespace, which a browser does not load
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
    """A parsed page. `tags` are pairs (tag, attributes), `words` the texts outside the style sheet, and `style` the
    style sheet.
    """

    def __init__(self, html):
        super().__init__()
        self.html = html
        self.tags = []
        self.words = []
        self.style = ""
        self._open = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._open.append(tag)

    def handle_endtag(self, tag):
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data):
        if "style" in self._open:
            self.style += data
        else:
            self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())

    @property
    def charts(self):
        """Return the numbers in the charts' labels for screen readers: {title of the chart: {label of the bar:
        number}}.
        """
        found = {}
        for tag, attributes in self.tags:
            label = attributes.get("aria-label") or ""
            if tag == "div" and attributes.get("role") == "img" and label.endswith("."):
                title, _, bars = label[:-1].partition(": ")
                said = [re.match(r"(.*?) (\d+)(?: \(.*\))?$", each) for each in bars.split("; ")]
                found[title] = {each[1]: int(each[2]) for each in said if each}
        return found


@cache
def records():
    problems = Problems(CARDS)
    found = load_arkham(CARDS, problems)
    assert problems.found == []
    return found


@cache
def facts():
    return ArkhamFacts(lambda kind: records().get(kind, ()))


def arkham(text, name="deck.yaml"):
    """Return the parsed page of an Arkham Horror deck, made without a catalog."""
    file = parse_deck(text, name)
    game = decks_of("arkham")
    report = check_arkham(file, facts())
    return Read(deck_page(file, game, facts(), report, Citations(), lambda kind: list(records().get(kind, ()))))


@pytest.fixture(scope="module")
def roland():
    return arkham(ROLAND)


def test_the_heading_says_whose_deck_it_is(roland):
    assert "Badge and gun" in roland.text
    assert "Roland Banks , The Fed Guardian" in roland.text
    assert "Taboo list of 2024-10-23" in roland.text
    assert "Deck size 30 of 30 All cards 33 Experience 2" in roland.text
    assert "Legal deck 1 note" in roland.text


def test_charts_count_the_cards_of_the_deck(roland):
    """The charts count all cards except the two weaknesses."""
    assert {
        title: {key: number for key, number in bars.items() if number} for title, bars in roland.charts.items()
    } == {
        "Cost": {"cost 0": 2, "cost 1": 6, "cost 2": 6, "cost 3": 4, "cost 4": 5, "cost 5": 2},
        "Level": {"level 0": 29, "level 2": 1, "no level": 1},
        "Skill icons": {"Willpower": 12, "Intellect": 13, "Combat": 10, "Agility": 6, "Wild": 1},
        "Class": {"Guardian": 19, "Seeker": 7, "Neutral": 5},
    }


def test_cards_are_listed_by_type_and_slot_with_what_is_known(roland):
    for title in ("Asset: hand", "Asset: ally", "Asset: no slot", "Events", "Skills", "Weaknesses", "Basic weaknesses"):
        assert title in roland.text
    assert "1 × cost 4 Beat Cop ●● level 2 Ally. Police. 2 XP guardian" in roland.text
    assert "Next to the deck Side deck 1 1 × cost 5 Shotgun" in roland.text
    assert "tone-seeker" in roland.html.split("Magnifying Glass</bdi>")[0].rsplit("<li", 1)[1]


def test_limited_slots_show_which_cards_take_them():
    read = arkham(ROLAND.replace("Roland Banks", "Wendy Adams"))
    assert "Limited slots" not in read.text
    lily = arkham("game: arkham\ninvestigator: '05001'\ncards: {Magnifying Glass: 2, Deduction: 1}\n")
    assert "Limited slots 3 of 15 slots for other level 0-1 seeker or mystic cards" in lily.text
    assert "2× Magnifying Glass , 1× Deduction" in lily.text


@pytest.fixture
def page_of(real, kb, tmp_path):
    """Return a function that returns the parsed page that `kb deck page` makes of a deck."""

    def make(text):
        (tmp_path / "deck.txt").write_text(text)
        return Read(kb("deck page", tmp_path / "deck.txt").out)

    return make


def test_findings_come_with_rule_source_and_fix(page_of):
    read = page_of(ROLAND.replace("  Machete: 2", "  Machete: 3"))
    assert "Not legal" in read.text
    assert "3 copies of Machete; at most 2 by title." in read.text
    assert "Fix: Remove 1x Machete [01020]." in read.text
    assert re.search(r"Limits and maximums , Grimoire[^[]* arkham/grimoire/glossary/limits-and-maximums", read.text)
    assert "(error: see the verdict)" in read.text


def test_a_legal_deck_says_so(page_of, kb):
    read = page_of(kb("deck new Lini").out)
    checks = len(decks_of("pathfinder").rulesets()["rotr"].checks)
    assert "Legal deck Lini Gnome Druid, Rise of the Runelords" in read.text
    assert f"No problems found ({checks} rules checked)." in read.text
    assert read.charts["Cards compared with the Cards List"] == {
        "Weapons": 0,
        "Spells": 6,
        "Armors": 0,
        "Items": 2,
        "Allies": 3,
        "Blessings": 4,
    }
    assert sum(read.charts["Set indicator"].values()) == 15
    assert "2 × Cure Magic, Divine, Healing basic set indicator B" in read.text


def test_bars_of_a_pathfinder_deck_show_the_limits_of_the_cards_list(page_of, kb):
    read = page_of(kb("deck new Lini").out.replace("2x Dog", "Dog"))
    assert "Allies 2 (of 3)" in read.html
    assert "Not legal" in read.text


def test_a_tainted_grail_sheet(page_of):
    sheet = (
        "game: tainted-grail\ncharacter: Beor\nexperience_spent: 16\nattributes: {aggression: 3, empathy: 1}\n"
        "starting_attributes: {aggression: 2, empathy: 1}\nskills: {aggression: 12}\nresources: {food: 4, wealth: 21}\n"
        "combat: {gained: {advanced: [Cleave]}, out: [3]}\ndiplomacy: 1-14\nitems: [Rusty Sword (WEAPON)]\n"
    )
    read = page_of(sheet)
    assert read.charts["Decks"] == {"Combat deck": 15, "Diplomacy deck": 14}
    assert read.charts["Attributes"]["Aggression"] == 3
    assert read.charts["Resources"] == {"Food": 4, "Wealth": 21}
    for words in ("No. 1–2", "No. 4–15", "1 × Cleave advanced", "Rusty Sword WEAPON", "Skill 12 aggression"):
        assert words in re.sub(r"\s+", " ", read.text), words


HOSTILE = '<script>alert("x")</script>'
ATTRIBUTE = '"><img src=x onerror=alert(1)>'


def hostile_deck():
    deck = {
        "investigator_code": "01001",
        "name": HOSTILE + ATTRIBUTE,
        "slots": {"01020": 2, HOSTILE: 1, ATTRIBUTE: 3},
        "sideSlots": {"</ul>" + HOSTILE: 1},
        "taboo_id": 99,
        "meta": json.dumps({"faction_selected": HOSTILE, "alternate_front": ATTRIBUTE, "cus_01020": HOSTILE}),
    }
    return json.dumps(deck)


def assert_harmless(read):
    """Check that nothing on the page can run a script, load a file or lead to another address."""
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


def test_values_of_a_deck_file_are_only_text():
    read = arkham(hostile_deck(), "deck.json")
    assert_harmless(read)
    assert HOSTILE + ATTRIBUTE in read.text
    assert "Unknown card" in read.text


@pytest.mark.parametrize("investigator", ["01001", "99999", "x"])
def test_an_empty_deck_has_empty_charts(investigator):
    read = arkham(json.dumps({"investigator_code": investigator, "slots": {}}), "deck.json")
    assert read.charts == {} or set().union(*(numbers.values() for numbers in read.charts.values())) == {0}
    assert read.text.count("Nothing to count.") == 4
    assert "The deck is empty." in read.text


def test_a_customized_card_has_the_level_and_cost_of_its_boxes():
    deck = {"investigator_code": "01001", "slots": {"09021": 1}, "meta": json.dumps({"cus_09021": "4|2,1|1"})}
    read = arkham(json.dumps(deck), "deck.json")
    assert read.charts["Cost"]["cost 3"] == 1
    assert read.charts["Level"]["level 2"] == 1
    assert "3 of 15 boxes" in read.text


@pytest.mark.extended
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)], ids=["wide", "dark-phone"])
def test_in_a_browser(dark, width, tmp_path, tab):
    for name, text in (("roland", ROLAND), ("hostile", hostile_deck())):
        (tmp_path / f"{name}.html").write_text(arkham(text, "deck.json" if text[0] == "{" else "deck.yaml").html)
        opened = tab(f"file://{tmp_path}", width=width, dark=dark)
        opened.open(f"{name}.html")
        assert opened.strangers == []
        assert opened.errors == []
        assert opened.page.evaluate(WIDE) <= width
        assert complaints(opened.page) == []
