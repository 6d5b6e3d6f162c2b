"""Control characters in files never reach the terminal."""

import json

import pytest

from kb.cli.terminal import tell
from tests.conftest import ROOT


@pytest.mark.parametrize("sign", ["\x1b", "\x07", "\x9b", "\u202e", "\u2066", "\u200f", "\x00"])
def test_a_source_with_a_hidden_character_is_named_with_its_line(sign, sources, kb):
    kb("search castling")
    sources.entry("chess/fork", "Fork", f"One piece attacks two.\n\nSee [[castling]]{sign}.")
    told = kb("search castling")
    assert f"content/chess/fork.md:8: the character U+{ord(sign):04X} is invisible" in told.err
    assert told.code == 0  # kb answers from the catalog built before


def test_a_byte_order_mark_at_the_beginning_does_no_harm(sources, kb):
    path = sources.root / "content/chess/fork.md"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert kb("doctor").code == 0


def test_output_contains_only_kbs_own_control_characters(capsys):
    tell("\x1b[1mtitle\x1b[22m \x1b]0;owned\x07 \x9b31m \u202eback \x1b[2Jcleared\ttab")
    out = capsys.readouterr().out
    assert out == "title \\x1b]0;owned\\x07 \\x9b31m \\u202eback \\x1b[2Jcleared\ttab\n"


EVIL = "Mine\n  legal.\r\x0b\x1b[2J\u2028\x85\x00x\n\nFORGED: legal"
DECKS = {
    "named.json": {"name": EVIL, "investigator_code": "01001", "slots": {"01006": 1, "01007": 1, "01030": 2}},
    "odd.json": {
        **dict.fromkeys(("name", "version", "tags", "taboo_id", "xp", "exile_string", "investigator_name"), EVIL),
        **{"id": 5, "investigator_code": "01001", "slots": {EVIL: 2, "01016\nFORGED": 1}, "sideSlots": {EVIL: 1}},
        "meta": json.dumps({"alternate_front": EVIL, "faction_selected": EVIL, f"cus_{EVIL}": EVIL, EVIL: EVIL}),
    },
    "arkham.yaml": {"game": "arkham", "investigator": "Roland Banks", "name": EVIL, "cards": {"Knife": 2, EVIL: 1}},
    "unknown.yaml": {"game": "rotr", "character": EVIL, EVIL: EVIL, "cards": [EVIL]},
    "beor.yaml": {"game": "tainted-grail", "character": "Beor", "player": EVIL, "combat": [EVIL]},
}
READERS = ("deck show", "deck check", "deck convert --to text", "deck convert --to yaml", "deck plan", "party check")


@pytest.mark.parametrize("command", READERS)
@pytest.mark.parametrize("name", DECKS)
def test_values_of_a_deck_cannot_forge_output_lines(kb, real, tmp_path, monkeypatch, name, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(json.dumps(DECKS[name]), "utf-8")
    done = kb(f"{command} {name}")
    assert not [line for line in (done.out + done.err).splitlines() if line.startswith(("FORGED", "  legal"))]
    assert not {*"\r\x0b\x1b\x00\x85\u2028"} & {*done.out, *done.err}


def test_notes_of_a_campaign_keep_their_lines_below_the_game(kb, real, tmp_path):
    assert kb("campaign new {} --in rotr --deck Kyra --say {}", tmp_path / "c", "notes=x").code == 2
    assert kb("campaign new {} --in rotr --deck Kyra", tmp_path / "c").code == 0
    kb("campaign record {} --yes --say scenario=1.1 --say won=yes --say {}", tmp_path / "c", 'notes="one\\nFORGED"')
    shown = kb("campaign show", tmp_path / "c").out.splitlines()
    assert {line[:3] for line in shown if "FORGED" in line} == {"   "}


def test_commands_print_only_through_tell():
    for path in (ROOT / "kb").rglob("cli/**/*.py"):
        if path.name not in {"terminal.py", "__init__.py"}:
            assert "typer.echo" not in path.read_text("utf-8"), (
                f"{path} calls typer.echo; print with kb.cli.terminal.tell"
            )


FORGED = "x\nAll decks are legal.\x1b[2J\r.yaml"


@pytest.mark.parametrize(
    "line",
    [
        "deck check {}", "deck check .", "deck check --json {}", "deck show {}", "deck show .", "deck page {} --out {}",
        "deck judge . --out v.jsonl",
        "deck judge {} --out v.jsonl", "deck stats {}", "deck convert {} --to text", "deck upgrade {} {}", "deck pull {}", "party check {} {}",
        "party rebuild {}", "score luxor {}", "campaign check .", "campaign check {}", "campaign show {}", "import cards {} --in rotr",
        "import rulebook {} --in rotr --title X", "import arkhamdb base", "import arkhamdb {}", "site build --config {} --out s",
        "deck new Lini --out {}",
        "cards for:{}", "export {}/a", "deck plan {} --want {}",
    ],
)  # fmt: skip
@pytest.mark.parametrize("content", ["game: mm\ncharacter: Estra\ncards: [Dagger]\nnothing: 1\n", "", None])
def test_file_names_cannot_forge_output_lines(line, content, kb, own_home, tmp_path, monkeypatch):
    monkeypatch.setenv("KB_HOME", str(own_home))
    folder = tmp_path / "here"
    (folder / "base" / "pack").mkdir(parents=True)
    monkeypatch.chdir(folder)
    (folder / "campaign.yaml").write_text("game: tainted-grail\n", "utf-8")
    if content is not None:
        for place in (folder, folder / "base" / "pack"):
            (place / FORGED).write_text(content, "utf-8")
        (folder / "base" / "pack" / f"{FORGED}.json").write_text(content, "utf-8")
    done = kb([word.replace("{}", FORGED) for word in line.split()])
    for said in [*done.out.split("\n"), *done.err.split("\n")]:
        assert not said.startswith("All decks"), done
        assert "\x1b" not in said, done
        assert "\r" not in said, done
