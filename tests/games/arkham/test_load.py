"""Loading `cards/arkham`: the records, and a message with the line for every problem."""

import re
import shutil
import subprocess
import sys

import pytest

from kb.games.arkham.cards import load_arkham
from kb.games.arkham.schema.keywords import KEYWORDS
from kb.sources.problems import Problems
from tests.conftest import ROOT

CARDS = ROOT / "cards"


@pytest.fixture
def cards(tmp_path):
    shutil.copytree(CARDS / "arkham", tmp_path / "arkham")
    return tmp_path


def problems_of(root):
    problems = Problems(root)
    load_arkham(root, problems)
    return list(map(str, problems.found))


def edit(path, old, new):
    """Replace the first `old` in a file with `new`, and return its line number."""
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    return text[: text.index(old)].count("\n") + 1


def test_the_newest_taboo_list_marks_changed_cards():
    now = {row["code"]: row["taboo_now"] for row in load_arkham(CARDS, Problems(CARDS))["taboo_now"]}
    assert (now["03315"], now["02300"], now["01033"]) == (["up"], ["down"], ["changed"])
    assert now["01533"] == ["changed"]  # a reprint
    assert "01020" not in now  # on the first lists only


def test_rows_of_special_yaml_are_merged_into_their_cards():
    records = {record["code"]: record for record in load_arkham(CARDS, Problems(CARDS))["card"]}
    assert records["06167"]["special"]["deck_size"] == 5
    assert records["99002"]["duplicate_of"] == "05018"
    assert records["08010"]["deck"]["options"][0] == {"not": True, "trait": ["firearm"], "type": ["asset"]}
    assert (records["08114"]["limit"], records["08114"]["special"]["subtitle_limit"]) == (2, 1)


def test_bonded_cards_are_set_aside_in_the_number_of_the_product():
    records = load_arkham(CARDS, Problems(CARDS))["card"]
    bonded = {record["code"]: record for record in records if "bonded" in record}
    assert {code for code, record in bonded.items() if record["bonded"]["count"] != record["quantity"]} == set()
    # Guardian of the Crystallizer, The Stars Are Right, Unbound Beast; Soothing Melody, Essence of the Dream (FAQ 1.19)
    counts = [bonded[code]["bonded"]["count"] for code in ("06025", "06028", "06283", "05314", "06113")]
    assert counts == [2, 2, 2, 3, 1]


def test_hidden_sides_know_their_front_and_its_restrictions():
    records = {record["code"]: record for record in load_arkham(CARDS, Problems(CARDS))["card"]}
    links = {code: record["back"] for code, record in records.items() if "back" in record}
    hidden = {code: records[back] for code, back in links.items() if records.get(back, {}).get("hidden")}
    unlinked = {code for code, side in hidden.items() if side.get("back") != code}
    assert {records[code]["back"] for code in unlinked} == {"82017b"}  # five cards share this back
    for code in hidden.keys() - unlinked:
        assert hidden[code].get("restrictions") == records[code].get("restrictions"), code
    assert (records["08014b"]["back"], records["08014b"]["restrictions"]) == ("08014a", {"investigators": ["08010"]})
    assert links["04118b"] == "04118a"  # its front is a scenario card
    assert "back" not in records["10016a"]  # the data does not link the sides of Hank Samson


def test_the_guide_names_every_keyword_that_cards_list():
    (row,) = re.findall(r"^\| `keywords` .*", (CARDS / "arkham" / "README.md").read_text("utf-8"), flags=re.M)
    assert [word.name for word in KEYWORDS if word.name not in row] == []
    assert (len(KEYWORDS), "only these nine" in row) == (9, True)


def test_imports_by_kb_0_1_have_other_keys(cards):
    mine = cards / "mine" / "arkham"
    today = {each.relative_to(cards): each.read_text("utf-8") for each in (cards / "arkham").glob("*/*.json")}
    for path, text in today.items():
        (mine.parent / path).parent.mkdir(parents=True, exist_ok=True)
        old = text.replace('"encounter_set": ', '"set": ').replace('"signature_set": ', '"set": ')
        (mine.parent / path).write_text(old, "utf-8")
    problems = Problems(cards)
    theirs, ours = load_arkham(cards, problems, cards / "mine"), load_arkham(cards, problems)
    assert problems.found == []
    assert {each["code"]: each for each in theirs["card"]} == {each["code"]: each for each in ours["card"]}
    assert {each["code"]: each for each in theirs["encounter"]} == {each["code"]: each for each in ours["encounter"]}


def test_a_wrong_record_is_named_with_file_and_line(cards):
    path = cards / "arkham" / "player" / "core.json"
    line = edit(path, '"name": "Machete", "type": "asset"', '"name": "Machete", "type": "gadget", "colour": "red"')
    found = problems_of(cards)
    assert any(text.startswith(f"arkham/player/core.json:{line}: record 01020: `type`") for text in found)
    assert any("`colour`" in text for text in found)


def test_a_file_that_is_no_json_is_named_with_its_line(cards):
    (cards / "arkham" / "packs.json").write_text("[\n{]\n", "utf-8")
    assert any(text.startswith("arkham/packs.json:2: is not JSON") for text in problems_of(cards))
    (cards / "arkham" / "packs.json").write_text("{}", "utf-8")
    assert any("must be a JSON array" in text for text in problems_of(cards))


def test_unknown_cards_and_packs_are_reported(cards):
    edit(cards / "arkham" / "investigators.json", '["01006", "98005", "90030"]', '["01006", "98005", "77777"]')
    edit(cards / "arkham" / "player" / "core.json", '"pack": "core", "position": 20', '"pack": "corn", "position": 20')
    found = "\n".join(problems_of(cards))
    assert "names the card 77777" in found
    assert "names the pack corn" in found


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("name: Versatile", "name: Versatil", "no card 06167 is called Versatil"),
        ('code: "06167"', 'code: "77777"', "no card 77777"),
        ("deck_size: 15", "deck_size: many", "`deck_size`"),
        ("deck_size: 15", "decksize: 15", "`decksize`"),
        ("at_creation: true}", "deck_options: []}", "has no deck that the row could change"),
        ("- {code", "- {{code", "not valid YAML"),
    ],
)
def test_what_is_wrong_with_special_rows(cards, old, new, part):
    line = edit(cards / "arkham" / "special.yaml", old, new)
    found = [text for text in problems_of(cards) if "special.yaml" in text]
    assert any(part in text for text in found), found
    assert any(text.startswith("arkham/special.yaml:") for text in found)
    assert line > 1


def test_special_yaml_must_be_there(cards):
    (cards / "arkham" / "special.yaml").unlink()
    assert any("the file is missing" in text for text in problems_of(cards))


def test_keywords_as_an_older_import_wrote_them(cards):
    edit(cards / "arkham/player/core.json", '"keywords": ["unique"]', '"unique": true, "fast": false')
    assert load_arkham(cards, Problems(cards)) == load_arkham(CARDS, Problems(CARDS))


ADAMANT = """
from kb.games.arkham.schema import keywords

keywords.KEYWORDS += (keywords.Keyword("adamant", text=r"\\bAdamant\\.", as_filter=True, on_deck_page=True, limit=1),)

from kb.decks.problems import Problem
from kb.games.arkham.cards import own
from kb.games.arkham.decks.judging import check_deck
from kb.games.arkham.decks.deck import ArkhamDeck, Brought
from kb.games.arkham.decks.deck_counts import ARKHAM
from kb.games.arkham.imports.arkhamdb import card_facts
from kb.games.arkham.pages import cards, deck
from kb.retrieval.cards import parse_query
from tests.games.arkham.decks.conftest import FACTS
from tests.games.arkham.test_imports import KNIFE

@ARKHAM.check("arkham/glossary/myriad", family="copies")
def adamant_stays(counts):
    "Adamant cards are told."
    yield from (Problem(card.name) for card, _ in counts.cards() if "adamant" in card.keywords)

record = card_facts({**KNIFE, "text": "Adamant. Fight."})
facts = FACTS.with_cards_of(ArkhamDeck("", {}, brought=(Brought(record["code"], record["name"], {}, record),)))
card = facts.card(record["code"])
report = check_deck(ArkhamDeck("01001", {card.code: 1}), facts)
assert parse_query("is:adamant -is:myriad")(record)
assert [each.message for each in report.findings if each.check.id == "adamant-stays"] == [card.name]
assert cards.FLAGS[-1] == "adamant" and ("Also", "unique, adamant") in cards.facts(card, facts)
assert "adamant" in deck.arkham_page(ArkhamDeck("01001", {card.code: 1}), facts, report).content["piles"][0].lines[0].marks
assert own.own_card({"code": "my-01", "name": "Mine", "type": "asset", "adamant": True}, None)["limit"] == 1
"""


@pytest.mark.extended
def test_one_keyword_row_suffices_for_imports_queries_pages_and_checks():
    done = subprocess.run([sys.executable, "-c", ADAMANT], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
