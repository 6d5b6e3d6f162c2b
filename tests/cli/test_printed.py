"""JSON output: the output of every command with --json matches its documented type, in which every key is described."""

import re

import jsonschema
import pytest

from kb.api import reference
from kb.cli.printed import pages, printed
from kb.json_schema import document
from tests.conftest import ROOT
from tests.games.arkham.test_imports import ENEMY, HERO, KNIFE
from tests.games.arkham.test_imports import write as arkhamdb
from tests.tables import data
from tests.test_manual import all_commands

MANUAL = ROOT / "site" / "using" / "arkham.md"
PRINTED = printed(foreign=False)
KYRA = "game: pathfinder\nset: rotr\ncharacter: Kyra\ncards: [2x Mace, Quarterstaff]\n"
TABLE = "game: pathfinder\nset: rotr\nadventure: 1\nmembers: {Kyra: {wishes: [Cure, Amulet of Life], pool: [Mace, Cure]}, Ezren: {pool: [%s]}}\n"
FILES = {
    "kyra.yaml": KYRA,
    "beor.yaml": "game: tainted-grail\ncharacter: Beor\ncombat: 1-12\ndiplomacy: 1-15\n",
    "table.yaml": TABLE % "Force Missile, Cure",
    "unknown.yaml": TABLE % "Sword of Nobody",
    "final.yaml": "players:\n  - {name: Ada, vases: 1, jewelry: 1, statues: 1, looted: 9, locations: [4, 7]}\n"
    "  - {name: Cid, locations: [], sarcophagi: both}\n",
    "game.yaml": 'scenario: "Attack on Sandpoint"\nwon: yes\ngained: {Kyra: [Nothing of this name]}\n',
    "legal.jsonl": '{"row": 1, "character": "Ann", "legal": true, "findings": []}\n',
    "broken.jsonl": '{"row": 1, "character": "Ann", "legal": false, "findings": [{"code": "g/limit", "severity": "error", '
    '"message": "Too many.", "cards": ["Lamp"]}]}\n',
    "decks.jsonl": '{"investigator_code": "01001", "slots": {"01020": 3}}\n{"slots": 7}\n',
    "book.txt": "MULLIGAN\n\nDraw a new hand once, at the beginning.\n",
    "mine.csv": "card,copies,text\nMace,2,Words of the card\n",
}
CHESS = ("doctor", "export")  # these run with small sources: the output has the same structure
CAMPAIGN = "--game rotr --say set=rotr --deck Kyra=kyra.yaml"
RUN = data("cli-printed", "RUN")


def write_files(folder):
    """Write the input files of the commands into `folder`."""
    of_manual = dict(re.findall(r"```yaml ((?:roland|after).yaml)\n(.*?)```", MANUAL.read_text("utf-8"), re.S))
    for name, text in {**FILES, **of_manual}.items():
        (folder / name).write_text(text, "utf-8")
    arkhamdb(folder / "db", [KNIFE, KNIFE, {**HERO, "deck_requirements": "size:30"}, ENEMY])


@pytest.fixture
def here(tmp_path, own_home, sources, monkeypatch):
    """Change to a folder with the input files of the commands. Return a function that chooses the sources for a
    command: small ones if they suffice, otherwise the repository's content.
    """
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)

    def set_up(command):
        if command in CHESS:
            return
        monkeypatch.delenv("KB_SOURCES")
        monkeypatch.setenv("KB_HOME", str(own_home))

    return set_up


def test_every_command_with_json_is_described_and_tried():
    there = {name for name, command in all_commands().items() if any("--json" in each.opts for each in command.params)}
    assert there - PRINTED.keys() == set()
    assert set(PRINTED) == there == set(RUN)


@pytest.mark.extended
@pytest.mark.parametrize("command", sorted(RUN))
def test_json_output_matches_its_schema(command, kb, here):
    here(command)
    if command.startswith("campaign"):
        assert kb(f"campaign new camp {CAMPAIGN}").code in (0, 1)
    told = [document(shape) for shape in PRINTED[command]]
    for says in told:
        jsonschema.Draft202012Validator.check_schema(says)
    fitted = set()
    for words in RUN[command]:
        done = kb(f"{command} {words} --json")
        if not done.out:  # the name is ambiguous, or a file is unreadable: standard error explains it
            assert done.code in (1, 2), done
            assert done.err
            continue
        found = done.json
        fits = [number for number, says in enumerate(told) if jsonschema.Draft202012Validator(says).is_valid(found)]
        assert len(fits) == 1, (words, str(found)[:500])
        fitted.update(fits)
    assert fitted
    missed = {shape.__name__ for number, shape in enumerate(PRINTED[command]) if number not in fitted}
    assert missed == (
        {"Passage"} if command == "show" else set()
    )  # tests/personal tests passages of the user's own rulebooks


@pytest.mark.extended
def test_the_json_reference_is_up_to_date():
    for name, text in pages(PRINTED).items():
        assert (ROOT / "site" / "using" / f"{name}.md").read_text("utf-8") == text


def test_the_library_reference_is_up_to_date():
    assert (ROOT / "site" / "using" / "api.md").read_text("utf-8") == reference.page()
