"""Statistics of verdicts: counts, comparisons and charts."""

import html
import json
import re
from xml.etree import ElementTree

import pytest

from tests.judge.conftest import deck

ONCE = "03315"  # Key of Ys, which is exceptional on every taboo list


def archive(path):
    """Write an archive of nine decks. The deck with number 2 has two copies of a card, but taboo lists allow only
    one. Without a taboo list, that deck and two others are legal.
    """
    decks = [deck(number) for number in range(1, 10)]
    decks[1]["slots"].update({"01030": 0, ONCE: 2})
    path.write_text("".join(f"{json.dumps(each)}\n" for each in decks), "utf-8")


def test_verdicts_are_counted(kb, here, decks):
    decks(9)
    with (here / "decks.jsonl").open("a") as file:
        file.write("nothing\n")
    kb("deck judge decks.jsonl --out v.jsonl")
    told = kb("deck stats v.jsonl --json").json
    assert (told["decks"], told["legal"], told["illegal"], told["unreadable"]) == (10, 3, 6, 1)
    assert {"code": "arkham/deck-size", "severity": "error", "decks": 6} in told["findings"]
    assert told["characters"] == [{"character": "Roland Banks", "decks": 9, "legal": 3}]
    printed = kb("deck stats v.jsonl").out
    assert printed.startswith("10 decks: 3 legal (33.3%), 6 not legal, 1 not readable.\n")
    assert re.search(r"6 +66\.7% +error +arkham/deck-size", printed)


def test_comparison_lists_broken_rules_and_cards(kb, here):
    rows = [
        {
            "row": number,
            "part": None,
            "id": f"d{number}",
            "game": "g",
            "character": "Ann",
            "legal": True,
            "findings": [],
            "problems": [],
        }
        for number in range(1, 5)
    ]
    after = json.loads(json.dumps(rows))
    error = {"code": "g/limit", "severity": "error", "message": "Too many.", "cards": ["Lamp [1]"]}
    after[1].update(legal=False, findings=[error])
    rows[2].update(legal=False, findings=[error])
    rows[3].update(legal=False, findings=[error])
    after[3].update(legal=False, findings=[error])
    for name, each in (("old.jsonl", rows), ("new.jsonl", after), ("short.jsonl", rows[:3])):
        (here / name).write_text("".join(f"{json.dumps(row)}\n" for row in each), "utf-8")
    done = kb("deck stats new.jsonl --against old.jsonl --json")
    told = done.json["compared"]
    assert (told["legal_before"], told["broken"], told["mended"]) == (2, 1, 1)
    assert (told["cards"], told["codes"]) == ([{"card": "Lamp [1]", "decks": 1}], [{"code": "g/limit", "decks": 1}])
    assert told["first"][0]["id"] == "d2"
    printed = kb("deck stats new.jsonl --against old.jsonl").out
    assert "1 of 2 legal decks are no longer legal (50.0%); 1 became legal." in printed
    assert "not verdicts on the same decks" in kb("deck stats new.jsonl --against short.jsonl").refusal


def test_decks_are_compared_under_two_taboo_lists(kb, here):
    archive(here / "decks.jsonl")
    kb("deck judge decks.jsonl --out own.jsonl")
    kb("deck judge decks.jsonl --out latest.parquet --taboo latest")
    told = kb("deck stats latest.parquet --against own.jsonl --json").json["compared"]
    assert (told["legal_before"], told["broken"], told["mended"]) == (3, 1, 0)
    assert [each["card"] for each in told["cards"]] == ["Key of Ys: Let the Storm Rage (5) [03315]"]
    assert told["first"][0]["id"] == "2"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["none.jsonl"], "none.jsonl cannot be read"),
        (["decks.jsonl"], "Judge the archive first: kb deck judge decks.jsonl"),
        (["v.jsonl", "--picture", "old.svg"], "old.svg exists. Use --force"),
        (["mixed.jsonl"], "mixed.jsonl:2: this is not a verdict"),
    ],
)
def test_files_without_verdicts_give_an_error_message(kb, here, words, said, decks):
    decks(2)
    row = '{"row": 1, "part": null, "id": "1", "game": "g", "character": "A", "legal": true, "findings": [], "problems": []}\n'
    (here / "v.jsonl").write_text(row)
    (here / "mixed.jsonl").write_text(row + "{}\n")
    (here / "old.svg").write_text("old")
    assert said in kb(["deck", "stats", *words]).refusal
    assert (here / "old.svg").read_text() == "old"


def test_the_chart_loads_nothing_and_escapes_names(kb, here):
    name = '<script>alert("x")</script>'
    error = {"code": "g/limit", "severity": "error", "message": "!", "cards": [name]}
    row = {"row": 1, "part": None, "id": "1", "character": "A"}
    (here / "old.jsonl").write_text(json.dumps({**row, "legal": True, "findings": []}))
    (here / "new.jsonl").write_text(json.dumps({**row, "legal": False, "findings": [error]}))
    assert kb("deck stats new.jsonl --against old.jsonl --picture p.svg").code == 0
    text = (here / "p.svg").read_text()
    assert "<script" not in text
    assert "@font-face" not in text
    assert not re.search(r"(?:src|href|url)\W", text.replace("url(#", ""))
    said = " ".join(html.unescape("".join(ElementTree.parse(here / "p.svg").getroot().itertext())).split())
    assert "1 of 1 legal decks are no longer legal" in said
    assert name in said
