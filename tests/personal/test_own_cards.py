"""The user's own cards are in searches, lists and deck checks on this machine, but in nothing that others can read."""

import json
import shutil

import pytest

from kb import paths
from kb.api.decks import Deck
from kb.api.session import Session
from kb.catalog.store import open_catalog
from kb.export.write import write_export
from kb.site.build import build_site
from kb.site.single import build_single
from tests.conftest import ROOT

CARDS = ROOT / "cards" / "pathfinder" / "rotr"
TABLE = "name,copies,type,deck,class_deck,basic\nDagger,1,,,,\nZorblax Mace,2,weapon,B,Cleric,yes\n"
DECK = "{game: pathfinder, set: rotr, character: Kyra, cards: [Zorblax Mace, Quarterstaff]}"


@pytest.fixture
def mine(sources, kb, tmp_path):
    shutil.copytree(CARDS, sources.root / "cards" / "pathfinder" / "rotr")
    file = tmp_path / "mine.csv"
    file.write_text(TABLE, "utf-8")
    done = kb("import cards {} --game pathfinder --title Quorbel", file)
    assert done.code == 0, done.err
    assert "Imported 1 card that kb lacked and your copies of 1 card (Quorbel, quorbel)." in done.out
    assert "on this machine" in done.out
    return file


def test_own_cards_are_found_listed_and_checked(mine, kb):
    (hit,) = kb("search --json zorblax").json["hits"]
    assert (hit["id"], hit["source"]) == (
        "pathfinder/own-cards/quorbel/zorblax-mace-cleric-own",
        "your own cards: Quorbel",
    )
    found = kb("cards --json owned>=1").json["cards"]
    assert {card["name"]: card["owned"] for card in found} == {"Dagger": 1, "Zorblax Mace": 2}
    assert "Quorbel" in kb("show 'Zorblax Mace'").out
    with Session() as session:
        report = Deck(DECK, session=session).check()
    assert "taken from your own card data (Quorbel)" in " ".join(report.details["not_checked"])


@pytest.mark.extended
def test_public_output_contains_no_word_of_own_cards(mine, tmp_path):
    with open_catalog() as catalog:
        build_site(tmp_path / "site")
        build_single(catalog, tmp_path / "one.html", "kb")
        write_export(catalog, tmp_path / "data")
    files = [path for folder in ("site", "data") for path in (tmp_path / folder).rglob("*") if path.is_file()]
    assert len(files) > 20
    for path in [*files, tmp_path / "one.html"]:
        text = path.read_bytes().lower()
        assert b"zorblax" not in text, path
        assert b"quorbel" not in text, path
    assert "owned" not in json.loads((tmp_path / "data" / "games" / "pathfinder.json").read_bytes())["cards"][0]
    with Session(own=False) as session:
        assert session.search("zorblax").hits == ()
        assert session.cards("zorblax")["total"] == session.cards("owned>=1")["total"] == 0
        with pytest.raises(Exception, match="There is no card 'Zorblax Mace'"):
            Deck(DECK, session=session).check()


def test_an_export_on_request_keeps_own_cards_separate(mine, kb, tmp_path):
    assert kb("export {} --with-own", tmp_path / "data").code == 0
    game = json.loads((tmp_path / "data" / "games" / "pathfinder.json").read_bytes())
    assert "Zorblax Mace" not in {card["name"] for card in game["cards"]}
    assert [card["name"] for card in game["own"]["cards"]] == ["Zorblax Mace"]
    assert game["own"]["copies"] == {"pathfinder/rotr/cards/dagger": 1}


@pytest.mark.extended
def test_own_cards_are_replaced_listed_and_removed(mine, kb):
    mine.write_text("name,type,deck\nGrimble Axe,weapon,P\n")
    done = kb("import cards {} --game rotr --title Quorbel --json", mine)
    assert done.json == {
        "name": "quorbel",
        "title": "Quorbel",
        "game": "pathfinder",
        "file": "mine.csv",
        "rows": 1,
        "cards": 1,
        "characters": 0,
        "counted": 0,
        "left_out": {"texts": [], "unknown": []},
        "private": True,
    }
    assert kb("search zorblax").code == 1
    assert [row["name"] for row in kb("import cards --list --json").json] == ["quorbel"]
    assert "There are quorbel." in kb("import cards --remove other").err
    assert kb("import cards --remove quorbel").code == 0
    assert kb("search grimble").code == 1
    assert "No cards have been imported." in kb("import cards --list").out


def test_another_list_with_the_same_name_is_refused(mine, kb):
    taken = ["import", "cards", str(mine), "--game", "rotr", "--title"]
    before = kb("import cards --list --json").out
    assert "There is another list quorbel (Quorbel, pathfinder)" in kb([*taken, "Quorbel!"]).refusal
    assert kb("import cards --list --json").out == before
    assert kb([*taken, "Quorbel!", "--name", "quorbel"]).code == 0  # --name asks for the replacement


def test_games_without_own_cards_and_a_missing_game_give_messages(mine, kb):
    assert "chess does not support cards of your own" in kb("import cards {} --game chess", mine).refusal
    assert "kb import cards FILE --in GAME" in kb("import cards", mine).err
    assert kb("import cards --template rotr").out.startswith("name,copies,set,type,deck,class_deck")


@pytest.mark.extended
@pytest.mark.parametrize("text", ['{"id": "quorbel"', '{"id": 1}', "[]"])
def test_a_damaged_list_leaves_the_old_catalog_and_is_named(mine, kb, text):
    assert kb("search zorblax").code == 0
    (paths.user_data_dir() / "own-cards" / "quorbel.json").write_text(text)
    done = kb("search zorblax")
    assert done.code == 0
    assert "quorbel.json" in done.err
    assert "quorbel.json" in kb("doctor").out


def test_a_row_that_was_changed_by_hand_is_named(mine, kb):
    kept = paths.user_data_dir() / "own-cards" / "quorbel.json"
    kept.write_text(kept.read_text().replace('"weapon"', '"wepon"'))
    assert "row 2: `type` is 'wepon'" in kb("doctor").out
