"""Tables of a user's own cards: kb reads all common formats, and errors name the line."""

import json

import pytest

from kb.games.arkham import own_cards as arkham
from kb.games.pathfinder import own_cards as pathfinder
from kb.personal.cards import LeftOut, NotTakenError, import_cards, template
from tests.tables import data

KNOWN = data("personal-tables", "KNOWN")


def taken(tmp_path, text, game="pathfinder", name="mine.csv"):
    """Import a table and return the rows that kb stores."""
    file = tmp_path / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    done = import_cards(file, tmp_path / "data", game, KNOWN[game])
    return json.loads((tmp_path / "data" / "own-cards" / f"{done.name}.json").read_text("utf-8"))["rows"]


@pytest.mark.parametrize(
    "text",
    [
        "name,copies,set\nDagger,3,rotr\n",
        "\ufeffname;copies;set\r\nDagger;3;rotr\r\n",
        "name;copies;set\r\nDagger;3,0;rotr\r\n",
        "name\tcopies\tset\nDagger\t3.0\trotr\n",
        "Card Name\tQuantity\tSet\nDagger\t3\trotr\n",
        'copies,"name",set\n3,"Dagger",rotr\n\n,,\n',
    ],
)
def test_commas_semicolons_tabs_marks_and_quotes_are_read(tmp_path, text):
    assert taken(tmp_path, text) == [{"name": "Dagger", "copies": 3, "set": "rotr"}]
    assert taken(tmp_path, text.encode("utf-16")) == [{"name": "Dagger", "copies": 3, "set": "rotr"}]


def test_json_is_read_with_the_lines_of_its_records(tmp_path):
    row = {"name": "Frost Knife", "type": "weapon", "deck": "B", "traits": ["Knife"], "basic": False, "copies": 2}
    assert taken(tmp_path, json.dumps([row], indent=2), name="mine.json") == [row]
    with pytest.raises(NotTakenError, match=r"mine\.json:3: `copies` is 'x'; it must be a whole number\."):
        taken(
            tmp_path,
            '[\n{"name": "Dagger", "copies": 1},\n{"name": "Tankard", "copies": "x"}]',
            name="mine.json",
        )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "mine.csv: the table has no cards; known columns are name, "),
        ("foo,bar\n1,2\n", "the table has no cards; known columns are name, "),
        ("name,copies\nDagger,1,2\n", "mine.csv:2: the row has 3 cells"),
        ('name,copies\n\n"Dagger\nof two lines,1\nTankard,2\n', "mine.csv:3: the row cannot be read"),
        ("name,copies\nDagger,many\n", "mine.csv:2: `copies` is 'many'; it must be a whole number"),
        ("name,copies\nDagger,-1\n", "mine.csv:2: `copies` is '-1'"),
        ("name,copies\nDagger,1000000000\n", "mine.csv:2: `copies` is '1000000000'"),
        ("name,copies\n=HYPERLINK(1),1\n", "mine.csv:2: `name` is '=HYPERLINK(1)': formulas"),
        ("name,copies\nDagger,1\nDagger,2\n", "mine.csv:3: Dagger is already on line 2"),
        ("name,copies\nDaggr,1\n", "mine.csv:2: there is no card 'Daggr'. Did you mean Dagger?"),
        ("name,type\nDagger,spell\n", "mine.csv:2: `type` of Dagger is weapon according to kb's facts, not spell"),
        ("name\nDagger\n", "mine.csv:2: kb knows Dagger already; in `copies`, enter"),
        ("name,type\nFrost Knife,weapon\n", "mine.csv:2: Frost Knife needs `deck`"),
        (
            "name,type,deck,class_deck\nFrost Knife,weapon,P,Rogue\n",
            "mine.csv:2: is from a Class Deck, but `deck` is P",
        ),
        (
            "name,type,deck,basic,traits\nX,weapon,B,yes,Knife\n",
            "mine.csv:2: has `basic` yes, but its traits say otherwise",
        ),
        (
            f"name,copies\n{'x' * 300},1\n",
            "mine.csv:2: `name` is 300 characters long; kb imports facts, not rules text",
        ),
        ("name,copies\nDag\0ger,1\n", "mine.csv: this is not a text file."),
        ("name,copies\n" + "Dagger,1\n" * 20_001, "the table has more than 20,000 rows."),
    ],
)
def test_what_is_wrong_names_its_line_and_changes_nothing(tmp_path, text, said):
    with pytest.raises(NotTakenError) as wrong:
        taken(tmp_path, text)
    assert said in str(wrong.value)
    assert not (tmp_path / "data").exists()


def test_rules_text_is_left_out_and_unknown_columns_are_named(tmp_path):
    file = tmp_path / "mine.csv"
    file.write_text("name,copies,Rules Text,price\nDagger,1,Reveal this card,3\n")
    done = import_cards(file, tmp_path / "data", "pathfinder", KNOWN["pathfinder"])
    assert done.left_out == LeftOut(("Rules Text",), ("price",))
    assert "Reveal" not in (tmp_path / "data" / "own-cards" / "mine.json").read_text()
    hidden = {
        "code": "my-01",
        "name": "A",
        "type": "asset",
        "class": ["seeker"],
        "restrictions": {"traits": ["word " * 80]},
    }
    with pytest.raises(NotTakenError, match="kb imports facts, not rules text"):
        taken(tmp_path, json.dumps([hidden]), "arkham", "others.json")


@pytest.mark.parametrize("game", ["pathfinder", "arkham"])
def test_the_template_can_be_imported(tmp_path, game):
    part = pathfinder if game == "pathfinder" else arkham
    assert len(taken(tmp_path, template(part), game)) == len(part.samples) >= 3


def test_a_card_of_another_list_is_named_with_its_list(tmp_path):
    text = "name,type,deck\nFrost Knife,weapon,P\n"
    taken(tmp_path, text)
    taken(tmp_path, text)  # an import with the name of an existing list replaces it
    with pytest.raises(
        NotTakenError,
        match=r"Frost Knife is already in your list mine; remove this row, or run `kb import cards --remove mine`",
    ):
        taken(tmp_path, text, name="other.csv")


def test_a_number_such_as_3_0_is_whole_in_json_only(tmp_path):
    with pytest.raises(NotTakenError, match=r"`deck` is '1.0'; it must be one of B, C, 1, 2"):
        taken(tmp_path, "name,type,deck\nZorblax,weapon,1.0\n")
    assert taken(tmp_path, '[{"name": "Dagger", "set": "rotr", "copies": 3.0}]', name="mine.json")[0]["copies"] == 3


def test_a_file_of_100_megabytes_gives_an_error_message(tmp_path):
    file = tmp_path / "mine.csv"
    with file.open("wb") as made:
        made.truncate(100_000_000)
    with pytest.raises(NotTakenError, match="this is larger than 20 MB"):
        import_cards(file, tmp_path / "data", "pathfinder", KNOWN["pathfinder"])
