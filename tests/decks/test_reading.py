"""Several decks in one JSON file, one input or one folder."""

import io
import json
from dataclasses import replace

import pytest

from kb.decks.deckfile import DeckFile, parse_deck
from kb.decks.folder import deck_paths, folder_files
from kb.decks.games import game_of
from kb.decks.nodes import DeckFileError
from kb.decks.reading import decks_in, read_each, standard_input
from tests.tables import rows_of

DECK = {"investigator_code": "01001", "slots": {"01016": 1}, "name": "Own"}


@rows_of("decks-reading", "test_a_wrapper_is_opened")
def test_a_wrapper_is_opened(wrapped):
    (deck,) = decks_in(json.dumps(wrapped), "deck.json")
    assert (deck.name, deck.value()) == ("deck.json", DECK)


def piped(monkeypatch, text):
    """Read decks from `text` as standard input. Return a pair for each deck: kb's name for it and the deck's own name,
    or the file and the error message.
    """
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    return [
        (found.file, str(found)) if isinstance(found, DeckFileError) else (found.name, found.value().get("name"))
        for found in standard_input()
    ]


def test_lists_and_wrappers_from_standard_input(monkeypatch):
    other = {**DECK, "name": "Other"}
    assert piped(monkeypatch, json.dumps([DECK, other], indent=2)) == [("-[1]", "Own"), ("-[2]", "Other")]
    assert piped(monkeypatch, json.dumps({"data": {"decks": [DECK, other]}}, indent=2))[1] == ("-[2]", "Other")
    lines = [json.dumps(value) for value in (DECK, [DECK, other], {"deck": other}, [[1]])]
    named = piped(monkeypatch, "\n".join(lines) + "\n\n")
    assert named[:4] == [("-:1", "Own"), ("-:2[1]", "Own"), ("-:2[2]", "Other"), ("-:3", "Other")]
    assert "contains a list" in str(named[4][1])
    begun_with_a_list = piped(monkeypatch, "\n".join(lines[1:]))
    assert begun_with_a_list[:3] == [("-:1[1]", "Own"), ("-:1[2]", "Other"), ("-:2", "Other")]
    assert "is empty" in str(piped(monkeypatch, "")[0][1])


def test_a_jsonl_file_is_read_line_by_line(tmp_path):
    deck = '{"investigator_code": "01001", "slots": {}}'
    file = tmp_path / "decks.jsonl"
    file.write_bytes(f"{deck}\n\n{'x' * 2_500_000}\n{deck}".encode())
    first, long, last = read_each([str(file)])
    assert (first.name, last.name) == (f"{file}:1", f"{file}:4")
    assert str(long) == f"{file}:3: is larger than 1,000,000 bytes; that is not a deck file."
    (missing,) = read_each([str(tmp_path / "none.jsonl")])
    assert "cannot be read" in str(missing)


def test_jsonl_with_a_byte_order_mark_is_read(tmp_path, monkeypatch):
    lines = "\r\n".join(json.dumps({**DECK, "name": f"Zo\u00eb \u0a0d \U0001f3b2 {number}"}) for number in (1, 2))
    raw = lines.encode("utf-8-sig")
    file = tmp_path / "decks.jsonl"
    file.write_bytes(raw)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(raw)))
    found = [deck for deck in read_each([str(file), "-"]) if isinstance(deck, DeckFile)]
    assert [deck.name for deck in found] == [f"{file}:1", f"{file}:2", "-:1", "-:2"]
    assert [deck.value()["name"] for deck in found] == [
        "Zo\u00eb \u0a0d \U0001f3b2 1",
        "Zo\u00eb \u0a0d \U0001f3b2 2",
    ] * 2


def test_a_folder_means_its_deck_files(tmp_path):
    deck = "investigator: Roland Banks\ncards: {Machete: 2}\n"
    texts = {
        "a.yaml": deck,
        "b/c.txt": "2x Machete\n",
        "mkdocs.yml": "site_name: x\n",
        "table.yaml": "game: mm\nmembers: {Simoun: {pool: []}}\n",
        "campaign.yaml": "game: arkham\ncampaign: The Dunwich Legacy\n",
        "rune/campaign.yaml": "game: pathfinder\nset: rotr\ndecks: {Kyra: suggested}\n",
        "rune/01-attack.yaml": "scenario: Attack on Sandpoint\nwon: yes\n",
        ".git/d.yaml": deck,
        "site-packages/e.yaml": deck,
        "export.md": "# Mandy\n\n**Investigator:** Mandy Thompson\n\n- Guts x2\n",
        "readme.md": "# About\n\n```yaml\ninvestigator: Mandy Thompson\n```\n",
        "notes.md": "The investigator draws.\n",
        "list.text": "List\nInvestigator: Roland Banks\n2x Guts\n",
        "LIST.TXT": "2x Guts\n",
        "typo.yaml": "charcter: Lini\ncards: [Cure]\n",
        "deck.html": "<html></html>",
        "silas.o8d": "<deck></deck>",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    decks = ("LIST.TXT", "a.yaml", "b/c.txt", "export.md", "list.text")
    assert deck_paths(str(tmp_path)) == [str(tmp_path / name) for name in decks]
    assert folder_files(str(tmp_path)).skipped == tuple(str(tmp_path / name) for name in ("mkdocs.yml", "typo.yaml"))


LISTED = "1x Machete\n2x Knife\n- Guts x2\n* 1 x Dodge\n2x Vicious Blow\n"


@pytest.mark.parametrize(
    ("name", "text", "is_deck"),
    [
        ("DECK.YAML", "character: Lini\ncards: [Cure]\n", True),
        ("roland.TXT", LISTED, True),
        ("mandy.md", "# Mandy\n\nInvestigator: Mandy Thompson  \n\n## Deck\n- Guts x2\n", True),
        ("mandy.markdown", "# Mandy\n**Investigator:** Mandy Thompson\n", True),
        ("silas.o8d", "Investigator: Silas Marsh\n" + LISTED, True),
        ("list.text", LISTED, False),
        ("octgn.o8d", "<deck>" + '<card qty="1" id="x">Machete</card>\n' * 5 + "</deck>", False),
        ("typo.yaml", "charcter: Lini\ncards: [Cure]\n", False),
        ("no-owner.json", '{"cards": ["Cure"]}', False),
        ("README.md", "# My decks\n\nThe two decks of our group.\n", None),
        ("table.yaml", "game: mm\nmembers: {Simoun: {pool: []}}\n", None),
    ],
)
def test_a_folder_names_the_files_that_look_like_decks_but_are_not_read(tmp_path, name, text, is_deck):
    (tmp_path / "deck.yaml").write_text("investigator: Roland Banks\n", "utf-8")
    (tmp_path / name).write_text(text, "utf-8")
    found = folder_files(str(tmp_path))
    assert (str(tmp_path / name) in found.decks, str(tmp_path / name) in found.skipped) == (
        is_deck is True,
        is_deck is False,
    )


def test_the_command_names_skipped_files_and_a_folder_of_nothing_else_is_refused(tmp_path, kb):
    (tmp_path / "typo.yaml").write_text("charcter: Lini\n", "utf-8")
    with pytest.raises(DeckFileError, match="typo"):
        folder_files(str(tmp_path))
    (tmp_path / "lini.yaml").write_text("set: rotr\ncharacter: Lini\ncards: [Cure]\n", "utf-8")
    for command in ("deck check {}", "deck show {}", "party check {}", "party new {}"):
        assert "typo.yaml" in kb(command, tmp_path).err
    assert "typo.yaml" in kb("deck judge {} --out {}", tmp_path, tmp_path / "out.jsonl").err


def test_a_plain_list_belongs_to_the_chosen_game():
    bare, said = parse_deck("2x Dagger\n1x Cure\n", "list.txt"), parse_deck("investigator: Roland Banks\n", "deck.yaml")
    assert [game_of(replace(bare, played=played)).id for played in ("", "pathfinder/mm", "arkham", "luxor")] == [
        "arkham",
        "pathfinder",
        "arkham",
        "arkham",
    ]
    assert game_of(replace(said, played="pathfinder")).id == "arkham"
