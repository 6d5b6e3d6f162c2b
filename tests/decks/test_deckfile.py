"""Deck files of any game: kb detects their format and the line of each value. It refuses broken and hostile files with
an error message.
"""

import json
import time
from pathlib import Path

import pytest

from kb.decks.deckfile import deck_text, parse_deck
from kb.decks.folder import deck_paths
from kb.decks.games import all_rulesets, checks_citing, game_of, with_decks
from kb.decks.nodes import DeckFileError
from kb.decks.reading import one_deck
from tests.tables import rows_of


def refusal(text, name="deck.yaml"):
    with pytest.raises(DeckFileError) as caught:
        parse_deck(text, name)
    return str(caught.value)


def unreadable(path, content=None):
    if content is not None:
        Path(path).write_bytes(content)
    with pytest.raises(DeckFileError) as caught:
        one_deck(str(path), None)
    return str(caught.value)


def test_yaml_knows_its_lines():
    file = parse_deck("# a comment\ncharacter: Lini\ncards:\n  - Cure\n  - '2'\n", "deck.yaml")
    assert file.format == "yaml"
    assert [(item.text, item.line) for item in file.get("cards").items] == [("Cure", 4), ("2", 5)]
    assert file.value() == {"character": "Lini", "cards": ["Cure", "2"]}


def test_json_is_read_with_its_types_and_lines():
    data = {"investigator_code": "01001", "slots": {"01006": 2}, "meta": None, "old": True}
    file = parse_deck(json.dumps(data, indent=1), "deck.json")
    assert file.format == "json"
    assert file.value() == data
    slots = file.top_keys()["slots"]
    assert slots.line == 3


def test_a_plain_list_is_read_with_headers_and_comments():
    text = "character: Lini  # a druid\nCard feats: ally 1, weapon 1\n\n// spells\n- 2x Cure\nHoly Light (2)\n"
    file = parse_deck(text, "deck.txt")
    assert file.format == "text"
    assert file.value() == {
        "character": "Lini",
        "card_feats": ["ally 1", "weapon 1"],
        "cards": ["2x Cure", "Holy Light (2)"],
    }
    assert file.get("card_feats") is not None


@rows_of("decks-deckfile", "test_what_is_wrong_and_where")
def test_what_is_wrong_and_where(text, place, what):
    message = refusal(text)
    assert message.startswith(place)
    assert what in message


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"a": 1,}', "is not JSON"),
        ('{"a": 1, "a": 2}', "twice"),
        ("[1, 2]", "contains a list"),
        ("[" * 100_000, "not JSON|nested"),
    ],
)
def test_broken_json(text, what):
    assert any(part in refusal(text, "deck.json") for part in what.split("|"))


def test_hostile_yaml_is_refused_at_once():
    bomb = "a: &a [x, x]\n" + "".join(
        f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
    )
    deep = "cards: " + "[" * 5000 + "]" * 5000
    wide = "cards: [" + ", ".join(["Cure"] * 60_000) + "]"
    tagged = "cards: !!python/object/apply:os.system [echo hacked]\n"
    began = time.monotonic()
    assert "anchor or alias" in refusal(bomb)
    assert "nested deeper" in refusal(deep)
    assert "more than 25,000 values" in refusal(wide)
    assert parse_deck(tagged, "deck.yaml").value() == {"cards": ["echo hacked"]}
    assert time.monotonic() - began < 5


def test_unreadable_files_are_refused(tmp_path):
    assert "deck.yaml:2: is not UTF-8" in unreadable(tmp_path / "deck.yaml", b"a: 1\nb: \xff\n")
    assert "larger than 1,000,000 bytes" in unreadable(tmp_path / "deck.yaml", b"a: " + b"x" * 1_000_001)
    assert "cannot be read: No such file" in unreadable(tmp_path / "none")
    assert "cannot be read" in unreadable("a\0b")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-16-le"])
def test_utf_16_with_a_byte_order_mark_is_read(tmp_path, encoding):
    mark = "" if encoding == "utf-16" else "\ufeff"
    (tmp_path / "deck.txt").write_bytes(f"{mark}character: Lini\r\n2x Curé\r\n".encode(encoding))
    assert "2x Curé" in deck_text(str(tmp_path / "deck.txt"))
    assert one_deck(str(tmp_path / "deck.txt"), None).key_names() == {"character", "cards"}
    cut_off = (tmp_path / "deck.txt").read_bytes()[:-1]
    assert "is not UTF-8" in unreadable(tmp_path / "deck.txt", cut_off)
    assert "control characters" in unreadable(tmp_path / "deck.txt", "a: 1\nb: 2\n".encode("utf-16-le"))


def test_a_folder_means_the_deck_files_in_it(tmp_path):
    (tmp_path / "in").mkdir()
    for name in ("b.yaml", "in/a.json", "readme.md"):
        text = '{"game": "pathfinder", "character": "Kyra", "cards": []}'
        (tmp_path / name).write_text(text)
    with (tmp_path / "huge.yaml").open("wb") as huge:  # kb reads no more of it than a deck may have
        huge.truncate(50_000_000_000)
    assert [Path(path).name for path in deck_paths(str(tmp_path))] == ["b.yaml", "a.json"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(DeckFileError, match="has no deck files"):
        deck_paths(str(tmp_path / "empty"))
    with pytest.raises(DeckFileError, match="is not a file name"):
        deck_paths("")  # an empty argument, as from an unset variable in a script


def test_the_game_is_read_from_a_key_or_detected():
    assert game_of(parse_deck("game: PACG\n", "deck.yaml")).id == "pathfinder"
    assert game_of(parse_deck("character: Lini\n", "deck.yaml")).id == "pathfinder"
    with pytest.raises(DeckFileError, match=r"deck.yaml:1: Unknown game 'pathfindr'. Did you mean pathfinder\?"):
        game_of(parse_deck("game: pathfindr\n", "deck.yaml"))
    with pytest.raises(DeckFileError, match="Can't tell which game"):
        game_of(parse_deck("foo: 1\n", "deck.yaml"))


def test_the_registry_of_checks():
    rulesets = list(all_rulesets())
    assert {("pathfinder", "rotr"), ("pathfinder", "mm")} <= {(game, set_id) for game, set_id, _ in rulesets}
    assert {game.id for game in with_decks()} == {game for game, _, _ in rulesets}
    citing = [check.id for game, check in checks_citing("pathfinder/mm/owner-trait") if game == "pathfinder"]
    assert "new-deck" in citing
    assert len(citing) == len(set(citing))
    assert checks_citing("pathfinder/mm/nothing") == []


@pytest.mark.parametrize(
    "text",
    [
        "https://arkhamdb.com/decklist/view/123",
        "  HTTPS://arkham.build/deck/view/9?x=1#y \r\n",
        "arkhamdb.com/deck/view/5",
        "www.example.org/9",
        "Roland the brave\nhttps://example.org/deck/9",
        "My deck: https://example.org/deck/9",
        "https://example.org/1\n\nhttps://example.org/2\nhttps://example.org/3\n",
    ],
)
def test_a_web_address_as_a_deck_gets_its_own_message(text):
    assert "deck: is the address of a page, not a deck, and kb does not open pages" in refusal(text, "deck")


@pytest.mark.parametrize(
    "text",
    [
        "investigator: Roland Banks\n2x Knife https://example.org/card/1\n1x Emergency Cache\n",
        "game: arkham\nurl: https://example.org/1\ninvestigator: Roland Banks\n",
        "character: Lini\nnotes: see example.org/deck\n",
        '{"slots": {"01020": 2}, "url": "https://example.org/9"}',
        "{game: arkham, url: https://example.org/9}",
        "1x And/Or\n",
    ],
)
def test_a_deck_may_contain_a_web_address(text):
    assert parse_deck(text, "deck").root.pairs


def test_a_web_address_as_a_file_gets_its_own_message():
    assert "is the address of a page" in unreadable("https://arkhamdb.com/decklist/view/123")


def test_a_file_with_too_many_lines_is_refused():
    assert refusal("1x Knife\n" * 50_000, "deck") == "deck: contains more than 25,000 lines; that is not a deck file."
    assert parse_deck("a: 1\n" + "# words\n" * 24_999, "deck").root.pairs


def test_quoted_yaml_values_are_text():
    file = parse_deck("a: 3\nb: '3'\nc: true\nd: ~\ne: 007\nf: -2\n", "deck.yaml")
    assert file.value() == {"a": 3, "b": "3", "c": True, "d": None, "e": "007", "f": -2}
