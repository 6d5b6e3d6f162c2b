"""The Pathfinder card facts: the real ones are right, and everything wrong is named with its line."""

import json
import re
import shutil
from pathlib import Path

import pytest

from kb.games.pathfinder.cards import load
from kb.sources.content import load_sources
from kb.sources.problems import Problems, SourceError

CARDS = Path(__file__).resolve().parents[3] / "cards"


@pytest.fixture
def edited(tmp_path):
    """Change one record (found by name or character) of the real facts; what the loader says then."""
    shutil.copytree(CARDS / "pathfinder", tmp_path / "pathfinder")

    def edit(file, name, change):
        path = tmp_path / "pathfinder" / file
        records = json.loads(path.read_text())
        found = next(place for place, each in enumerate(records) if name in (each.get("name"), each.get("character")))
        change(records[found])
        path.write_text("[\n" + ",\n".join(map(json.dumps, records)) + "\n]\n")
        said = problems(tmp_path)
        own = [line for line in said if line.startswith(f"pathfinder/{file}:{found + 2}: ")]
        assert own, f"nothing is said about line {found + 2}: {said}"
        return own

    return edit


def problems(root):
    found = Problems(root)
    load(root, found)
    return [str(problem) for problem in found.found]


def test_the_sample_record_of_the_guide_is_enough(tmp_path):
    shutil.copytree(CARDS / "pathfinder", tmp_path / "pathfinder")
    guide = (CARDS / "pathfinder" / "README.md").read_text(encoding="utf-8")
    (sample,) = re.findall(r"^```json\n(.*)\n```$", guide, flags=re.M)
    path = tmp_path / "pathfinder" / "mm" / "weapon.json"
    path.write_text(path.read_text(encoding="utf-8").rstrip().removesuffix("]").rstrip() + f",\n{sample}\n]\n")
    found = Problems(tmp_path)
    facts = load(tmp_path, found)
    assert found.found == []
    (record,) = [record for record in facts["card"] if record["name"] == "Example Sword"]
    assert (record["owner"], record["loot"], record["note"]) == (None, False, None)


def card(place, **values):
    return lambda record: record["cards"][place].update(values)


def last_reward(**values):
    return lambda record: record["scenarios"][-1]["gives"].update(values)


def put(**values):
    return lambda record: record.update(values)


@pytest.mark.parametrize(
    ("file", "name", "change", "said"),
    [
        ("rotr/weapon.json", "Dart", put(typo=1), "Dart: `typo` is not a key of such a record"),
        ("rotr/weapon.json", "Dart", lambda record: record.pop("basic"), "Dart: `basic` is missing"),
        ("rotr/weapon.json", "Dart", put(type="sword"), "Dart: `type` is 'sword'; it must be one of weapon"),
        ("rotr/weapon.json", "Dart", put(type="spell"), "Dart has the type spell in the file of weapon cards"),
        ("rotr/weapon.json", "Dart", put(deck="7"), "Dart: `deck` is '7'; it must be one of B, C, 1"),
        ("rotr/weapon.json", "Dart", put(copies={"X": 1}), "`copies.X"),
        ("rotr/weapon.json", "Dart", put(copies={"C": 1}), "Dart is first in deck B, but `copies` begins with C"),
        ("rotr/weapon.json", "Dart", put(copies={"B": 0}), "`copies.B"),
        ("rotr/weapon.json", "Dart", put(set="mm"), "Dart is of set 'mm' in the folder of 'rotr'"),
        ("rotr/weapon.json", "Sling", put(name="DART"), "DART is there twice in set rotr (as Dart)"),
        ("rotr/weapon.json", "Dart", put(name="Dart "), "has stray blanks"),
        ("rotr/weapon.json", "Dart", put(elite=True, traits=None, traits_certain=None), "Dart is both Basic and Elite"),
        ("rotr/weapon.json", "Dart", put(loot=True), "loot is never Basic"),
        ("rotr/weapon.json", "Dart", put(owner="Lyni"), "not a character of the set; did you mean Lini?"),
        ("rotr/weapon.json", "Longsword", put(basic=False), "Longsword has `basic: false`, but its traits say otherwise"),
        ("rotr/weapon.json", "Longsword", put(traits=["Sword", "Basic", "Sword"]), "lists Sword twice"),
        ("rotr/weapon.json", "Longsword", put(traits_certain=None), "needs `traits_certain` exactly when"),
        ("rotr/type-unknown.json", "Runeforged Weapons", put(note=None), "has no type and no `note`"),
        ("rotr/characters.json", "Lini", lambda record: record["cards_list"]["ally"].update(base=4, max=7), "of 16 cards instead of 15"),
        ("rotr/characters.json", "Lini", lambda record: record["cards_list"]["ally"].update(max=7), "11 card feat boxes"),
        ("rotr/characters.json", "Lini", lambda record: record["cards_list"]["ally"].update(max=2), "at most 2 cards of type ally"),
        ("rotr/characters.json", "Lini", lambda record: record["cards_list"].pop("ally"), "Cards List without ally"),
        ("rotr/characters.json", "Lini", put(card_feat_boxes=11), "card_feat_boxes"),
        ("rotr/characters.json", "Lini", lambda record: record["skill_feat_boxes"].update(Wisdom=5), "16 skill feat boxes"),
        ("rotr/characters.json", "Lini", lambda record: record["skills"].update(Wisdom="d20"), "`skills.Wisdom` is 'd20'; it must be one of d4"),
        ("mm/characters.json", "Mavaro", lambda record: record["counts_as"][0].update({"as": "weapon"}), "weapon cards count as themselves"),
        ("mm/characters.json", "Estra", put(must_hold=["Honnaire"]), "hold Honnaire, which is not a card of the set; did you mean Honaire?"),
        ("mm/suggested_decks.json", "Estra", card(8, name="Camel"), "lacks Honaire, which it must hold"),
        ("mm/suggested_decks.json", "Ezren", card(-1, name="Blessing of the Ancients"), "has 2 cards of type blessing"),
        ("mm/suggested_decks.json", "Mavaro", card(0, name="Camel", type="ally"), "has 8 cards of type item; the Cards List says 9"),
        ("rotr/suggested_decks.json", "Lini", put(character="Lyni"), "not a character of the set; did you mean Lini?"),
        ("rotr/suggested_decks.json", "Lini", put(character="Lem"), "the suggested deck of Lem"),
        ("rotr/suggested_decks.json", "Lini", card(0, name="Cuer"), "not a card of the set; did you mean Cure?"),
        ("rotr/suggested_decks.json", "Lini", card(0, name="Haste"), "neither Basic nor owned"),
        ("rotr/suggested_decks.json", "Lini", card(0, type="item"), "it is of type spell"),
        ("rotr/suggested_decks.json", "Lini", card(0, count=3), "has 7 cards of type spell; the Cards List says 6"),
        ("rotr/suggested_decks.json", "Lini", card(7, count=3), "holds 3 copies of Crow; base set and Character Add-On Deck hold 2"),
        ("mm/suggested_decks.json", "Zadim", card(8, name="Honaire"), "neither Basic nor owned by Zadim"),
        ("rotr/adventures.json", "Burnt Offerings", put(deck="B"), "has the adventure deck number B of another"),
        ("rotr/adventures.json", "Burnt Offerings", lambda record: record["scenarios"].pop(1), "not numbered"),
        ("rotr/adventures.json", "Burnt Offerings", last_reward(loot=["Dart"]), "is not loot of deck 1"),
        ("rotr/adventures.json", "Burnt Offerings", last_reward(traders=["Bob"]), "gives the traders Bob"),
        ("rotr/adventures.json", "Rise of the Runelords", lambda record: record["adventures"].pop(), "lists other adventures"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_line(edited, file, name, change, said):
    found = edited(file, name, change)
    assert any(said in line for line in found), found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1}', "weapon.json:1: must be a JSON array"),
        ('[\n{"a": 1}\n{"b": 2}\n]', "weapon.json:3: is not JSON: a comma or ] is missing"),
        ('[\n{"a": 1},\n{"b": }\n]', "weapon.json:3: is not JSON"),
        ('[\n{"a": 1, "a": 2}\n]', "weapon.json:2: a record has the key `a` twice"),
        ("[\n3\n]", "weapon.json:2: a record that is not an object"),
        ("[]\nmore", "weapon.json:1: has text after the end of the array"),
        ("[\n", "weapon.json:2: is not JSON"),
    ],
)
def test_broken_files(tmp_path, text, said):
    (tmp_path / "pathfinder/rotr").mkdir(parents=True)
    (tmp_path / "pathfinder/rotr/weapon.json").write_text(text)
    assert any(said in line for line in problems(tmp_path)), problems(tmp_path)


def test_bytes_that_are_no_text_and_files_that_are_not_known(tmp_path):
    (tmp_path / "pathfinder/mm").mkdir(parents=True)
    (tmp_path / "pathfinder/mm/weapon.json").write_bytes(b"[\xff]")
    (tmp_path / "pathfinder/mm/wepon.json").write_text("[]")
    assert sorted(problems(tmp_path)) == [
        "pathfinder/mm/weapon.json: is not UTF-8 (byte 1)",
        "pathfinder/mm/wepon.json: no such file is known here; known are weapon, spell, armor, item, ally, blessing, "
        "type-unknown, characters, suggested_decks, adventures",
    ]


def test_two_names_that_make_one_id_are_named(tmp_path):
    """`Sword 1` and `Sword +1` are two names, and one address."""
    content, folder = tmp_path / "content/pathfinder", tmp_path / "cards/pathfinder/mm"
    content.mkdir(parents=True)
    folder.mkdir(parents=True)
    camel = json.loads((CARDS / "pathfinder/mm/ally.json").read_text(encoding="utf-8"))[0]
    rows = [{**camel, "name": name} for name in ("Camel 1", "Camel +1", "Camel")]
    (folder / "ally.json").write_text(json.dumps(rows), encoding="utf-8")
    with pytest.raises(SourceError, match=r"'Camel 1' and 'Camel \+1' have the same id 'pathfinder/mm/cards/camel-1'"):
        load_sources(tmp_path)
