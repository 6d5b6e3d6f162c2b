"""Loading the Pathfinder card facts: the shipped facts are valid, and every mistake is reported with its line."""

import json
import re
import shutil

import pytest

from kb.games.pathfinder.cards import load
from kb.sources.content import load_sources
from kb.sources.problems import Problems, SourceError
from tests.conftest import ROOT
from tests.tables import rows_of

CARDS = ROOT / "cards"


@pytest.fixture
def edited(tmp_path):
    """Return a function that changes one record of the shipped facts, found by its name or character, and returns the
    loader's messages.
    """
    shutil.copytree(CARDS / "pathfinder", tmp_path / "pathfinder")

    def edit(file, name, change):
        path = tmp_path / "pathfinder" / file
        records = json.loads(path.read_text())
        found = next(place for place, each in enumerate(records) if name in (each.get("name"), each.get("character")))
        for keys, value in change.items():
            *above, key = (int(each) if each.lstrip("-").isdigit() else each for each in keys.split("."))
            holder = records[found]
            for each in above:
                holder = holder[each]
            if value == "(gone)":
                holder.pop(key)
            else:
                holder[key] = value
        path.write_text("[\n" + ",\n".join(map(json.dumps, records)) + "\n]\n")
        said = problems(tmp_path)
        own = [line for line in said if line.startswith(f"pathfinder/{file}:{found + 2}: ")]
        assert own, f"no message about line {found + 2}: {said}"
        return own

    return edit


def problems(root):
    found = Problems(root)
    load(root, found)
    return [str(problem) for problem in found.found]


def test_the_sample_record_of_the_guide_is_enough(tmp_path):
    shutil.copytree(CARDS / "pathfinder", tmp_path / "pathfinder")
    guide = (CARDS / "pathfinder" / "README.md").read_text("utf-8")
    (sample,) = re.findall(r"^```json\n(.*)\n```$", guide, flags=re.M)
    path = tmp_path / "pathfinder" / "mm" / "weapon.json"
    path.write_text(path.read_text("utf-8").rstrip().removesuffix("]").rstrip() + f",\n{sample}\n]\n")
    found = Problems(tmp_path)
    facts = load(tmp_path, found)
    assert found.found == []
    (record,) = [record for record in facts["card"] if record["name"] == "Example Sword"]
    assert (record["owner"], record["loot"], record["note"]) == (None, False, None)


@rows_of("games-pathfinder-load", "test_what_is_wrong_is_named_with_its_line")
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


def test_invalid_utf_8_and_unknown_files_are_reported(tmp_path):
    (tmp_path / "pathfinder/mm").mkdir(parents=True)
    (tmp_path / "pathfinder/mm/weapon.json").write_bytes(b"[\xff]")
    (tmp_path / "pathfinder/mm/wepon.json").write_text("[]")
    assert sorted(problems(tmp_path)) == [
        "pathfinder/mm/weapon.json: is not UTF-8 (byte 1)",
        "pathfinder/mm/wepon.json: there is no such file; the files are weapon, spell, armor, item, ally, blessing, "
        "type-unknown, characters, suggested_decks, adventures, banes, locations, scenarios",
    ]


def test_two_names_that_make_one_id_are_named(tmp_path):
    """`Camel 1` and `Camel +1` differ only in a character that ids leave out."""
    content, folder = tmp_path / "content/pathfinder", tmp_path / "cards/pathfinder/mm"
    content.mkdir(parents=True)
    folder.mkdir(parents=True)
    camel = json.loads((CARDS / "pathfinder/mm/ally.json").read_text("utf-8"))[0]
    rows = [{**camel, "name": name} for name in ("Camel 1", "Camel +1", "Camel")]
    (folder / "ally.json").write_text(json.dumps(rows), "utf-8")
    with pytest.raises(SourceError, match=r"'Camel 1' and 'Camel \+1' have the same id 'pathfinder/mm/cards/camel-1'"):
        load_sources(tmp_path)
