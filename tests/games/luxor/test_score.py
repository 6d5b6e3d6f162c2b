"""Scoring Luxor: how kb reads a final position, and each line of the score."""

import re
from textwrap import dedent

import pytest

from kb.decks.deckfile import parse_deck
from kb.decks.nodes import DeckFileError
from kb.games.luxor.position import read_position
from kb.games.luxor.score import score_position
from tests.conftest import ROOT
from tests.tables import rows_of

EXAMPLE = re.findall(r"```yaml final.yaml\n(.*?)```", (ROOT / "site/using/luxor.md").read_text("utf-8"), flags=re.S)[0]
BOTH = "{name: Cid, locations: [], sarcophagi: both}"  # who ended the game
WHOLE = "{name: Ada, vases: 1, jewelry: 1, statues: 1, looted: 9, locations: [4, 7]}"


def position(text):
    return read_position(parse_deck(dedent(text), "luxor.yaml"))


def scored(text):
    return score_position(position(text))


def line(player, what, head="set_points: {1: 4}"):
    found, *_ = scored(f"{head}\nplayers: [{player}, {BOTH}]\n").players
    return next(each for each in found.lines if each.what == what)


def test_the_example_of_the_manual():
    ada, ben = scored(EXAMPLE).players
    assert ben.points == 34
    assert {each.what: each.points for each in ada.lines} == {
        "looted tiles": 23,
        "sarcophagi": 5,
        "scarabs": 4,
        "locations": 11,
        "keys": 2,
        "treasure sets": 9,
    }
    assert (ada.points, ada.complete) == (54, True)
    assert scored(EXAMPLE).most_points == ("Ada",)


def test_every_line_cites_an_entry_that_exists():
    content = ROOT / "content"
    rulings = (content / "luxor/rulings.yaml").read_text("utf-8")
    for each in scored(EXAMPLE).players[0].lines:
        assert each.cites
        for cite in each.cites:
            assert (content / f"{cite}.md").is_file() or cite.removeprefix("luxor/rulings/") in rulings, cite


def test_looted_tiles_as_a_sum_or_a_list():
    assert line("{name: A, looted: 9}", "looted tiles").points == 9
    assert line("{name: A, looted: [4, 5]}", "looted tiles").points == 9
    assert line("{name: A, looted: []}", "looted tiles").points == 0
    assert line("{name: A}", "looted tiles").points == 0
    asked = line("{name: A, vases: 1}", "looted tiles")
    assert asked.points is None
    assert [each.keys for each in asked.remedies] == [("looted",)]


@pytest.mark.parametrize(
    ("written", "points"),
    [
        ("[first]", 5), ("[second]", 3), ("[first, second]", 8), ("[5, 3]", 8), ("first", 5), ("[]", 0), ("both", 8),
        ("[both]", 8), ('"first, second"', 8), ("none", 0), ("2nd", 3),
    ],
)  # fmt: skip
def test_sarcophagi(written, points):
    other = {5: "second", 3: "first", 8: "none", 0: "both"}[points]
    (mine, *_) = scored(f"players: [{{name: A, sarcophagi: {written}}}, {{name: B, sarcophagi: {other}}}]\n").players
    assert next(each for each in mine.lines if each.what == "sarcophagi").points == points


def test_scarabs_and_keys_add_up():
    assert line("{name: A, scarabs: [1, 2, 3, 4, 4]}", "scarabs").points == 14
    assert line("{name: A, keys: [2, 3]}", "keys").detail == "2 + 3"
    assert line('{name: A, keys: "2, 3"}', "keys").points == 5
    counted = line("{name: A, keys: 3}", "keys")
    assert counted.points == 3
    assert "3 at 1 point each, according to players" in counted.detail
    assert line("{name: A, keys: 0}", "keys").points == 0
    assert line("{name: A}", "keys").points == 0


def test_locations_are_asked_for():
    assert line("{name: A, locations: []}", "locations").points == 0
    assert line("{name: A, locations: [4, 7]}", "locations").points == 11
    asked = line("{name: A}", "locations")
    assert asked.points is None
    assert [each.keys for each in asked.remedies] == [("locations",)]


def test_the_points_of_sets_are_asked_for_and_never_invented():
    one = "{name: A, vases: 1, jewelry: 1, wild_cards: 1}"
    assert line(one, "treasure sets").points == 4
    missing = line(one, "treasure sets", head="set_points: {2: 9}")
    assert missing.points is None
    assert [each.keys for each in missing.remedies] == [("set_points",)]
    assert missing.detail == "1 set (1 with 1 wild card)"
    assert line("{name: A, vases: 4, wild_cards: 1}", "treasure sets", head="").points == 0
    assert line("{name: A}", "treasure sets", head="set_points: {0: 2}").points == 2


def test_most_points_only_when_nothing_is_missing():
    head = "set_points: {1: 4}\nplayers:\n"
    head += f"  - {BOTH}\n"
    tie = scored(f"{head}  - {WHOLE}\n  - {WHOLE.replace('Ada', 'Ben')}\n")
    assert tie.most_points == ("Ada", "Ben")
    assert scored(f"{head}  - {WHOLE}\n  - {WHOLE.replace('Ada', 'Ben').replace('9', '10')}\n").most_points == ("Ben",)
    assert scored(f"{head}  - {WHOLE}\n  - {{name: Ben}}\n").most_points == ()


@pytest.mark.parametrize("looted", ["[3]", "[]", "[3, 4, 5, 6]", "0"])
def test_looted_tiles_that_do_not_fit_the_treasure_tiles_are_asked_for(looted):
    asked = line(f"{{name: A, vases: 1, jewelry: 1, statues: 1, wild_cards: 2, looted: {looted}}}", "looted tiles")
    assert asked.points is None
    assert "`looted:" in asked.ask


@rows_of("games-luxor-score", "test_a_bad_file_gets_sentences_with_lines")
def test_a_bad_file_gets_sentences_with_lines(text, number, message):
    with pytest.raises(DeckFileError) as failed:
        position(text)
    assert any(each.line == number and message in each.told for each in failed.value.problems), failed.value


@pytest.mark.parametrize(("points", "there"), [(1, 4), (2, 8), (3, 6), (4, 4)])
def test_the_number_of_scarabs_is_limited(points, there):
    def text(number):
        return f"players: [{{name: A, scarabs: {[points] * (number - 1)}}}, {{name: B, scarabs: [{points}], sarcophagi: both}}]\n"

    assert len(position(text(there)).players) == 2
    with pytest.raises(DeckFileError, match=f"{there + 1} scarab tokens worth {points}; the game has {there}"):
        position(text(there + 1))
