"""The folder of a campaign: a broken file does not affect other files, simultaneous records do not overwrite each
other, and hostile files are refused.
"""

import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.campaigns.folder import CampaignError, parse_page, read_folder
from kb.campaigns.record import append, begin, dumped, said
from kb.decks.deckfile import parse_yaml
from kb.decks.file_keys import Key
from kb.decks.nodes import DeckFileError, plain_value
from tests.conftest import ROOT

KEYS = (Key("scenario", "", ""), Key("won", "", ""), Key("feats", "", ""), Key("date", "", ""))


@pytest.fixture
def folder(tmp_path):
    begin(tmp_path / "camp", "game: chess\n", {})
    return tmp_path / "camp"


def test_games_are_read_in_the_order_of_their_numbers(folder):
    for name in ("10-last.yaml", "2-second.yml", "01-first.yaml"):
        (folder / name).write_text("scenario: x\n")
    read = read_folder(folder)
    assert [page.number for page in read.games] == [1, 2, 10]
    assert not read.strays


def test_a_broken_file_is_reported_with_its_line_and_others_are_read(folder):
    (folder / "01-a.yaml").write_text("scenario: one\nwon: [yes\n")
    (folder / "02-b.yaml").write_text("scenario: two\nwo")
    (folder / "03-c.yaml").write_bytes(b"scenario: \xff\n")
    (folder / "04-d.yaml").write_text("")
    (folder / "05-e.yaml").write_text("scenario: five\n")
    (folder / "06-f.yaml").mkdir()
    read = read_folder(folder)
    assert [page.number for page in read.games if page.file] == [5]
    assert [bool(page.problems) for page in read.games] == [True, True, True, True, False, True]
    assert read.games[1].problems[0].line in (2, 3)


def test_files_that_are_not_games_are_reported(folder):
    (folder / "01-a.yaml").write_text("scenario: one\n")
    (folder / "01-b.yaml").write_text("scenario: one\n")
    (folder / "diary.yaml").write_text("dear: diary\n")
    (folder / "notes.txt").write_text("for us\n")
    (folder / ".hidden.yaml").write_text("x: y\n")
    strays = dict(read_folder(folder).strays)
    assert strays.keys() == {str(folder / "01-b.yaml"), str(folder / "diary.yaml")}


@pytest.mark.parametrize(("name", "why"), [("", r"has no campaign\.yaml"), ("nowhere", "cannot be read")])
def test_a_campaign_needs_campaign_yaml(tmp_path, name, why):
    with pytest.raises(CampaignError, match=why):
        read_folder(tmp_path / name)


@pytest.mark.parametrize(
    "name", ["../out.yaml", "/etc/passwd", "decks/../../out.yaml", "decks\\x.yaml", "", "con.yaml"]
)
def test_deck_files_stay_in_the_folder(folder, name):
    (folder.parent / "out.yaml").write_text("cards: [Cure]\n")
    with pytest.raises(DeckFileError):
        read_folder(folder).deck(name)


def test_a_link_does_not_lead_out(folder):
    (folder.parent / "secret.yaml").write_text("cards: [Cure]\n")
    (folder / "link.yaml").symlink_to(folder.parent / "secret.yaml")
    with pytest.raises(DeckFileError, match="link"):
        read_folder(folder).deck("link.yaml")
    (folder / "01-link.yaml").symlink_to(folder.parent / "secret.yaml")
    (page,) = read_folder(folder).games
    assert page.file is None
    assert "points outside" in page.problems[0].message


@pytest.mark.posix
def test_pipes_and_huge_files_are_refused_at_once(folder):
    os.mkfifo(folder / "01-pipe.yaml")
    (folder / "02-huge.yaml").write_text("notes: " + "x" * 300_000)
    assert all(page.problems for page in read_folder(folder).games)


def test_options_become_the_keys_of_a_game(folder):
    values = said(["scenario=The first: again", "won=yes", "feats={Kyra: {skill: [Wisdom]}}"], KEYS)
    assert values == {"scenario": "The first: again", "won": "yes", "feats": {"Kyra": {"skill": ["Wisdom"]}}}


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("scenaro=x", "Did you mean scenario"),
        ("won", "KEY=VALUE"),
        ("won=yes", "is given twice"),
        ("feats=[a", "'feats=.a': this is not valid YAML: "),
        ("scenario=\udcff", "not text"),
        ("scenario=a\x07b", "not text"),
        ("date=gestern", "such as 2026-11-01"),
        ("date=2026-02-30", "such as 2026-11-01"),
        ("date=", "such as 2026-11-01"),
        ("date=٢٠٢٦-١١-٠١", "such as 2026-11-01"),
        ("date=[2026-11-01]", "such as 2026-11-01"),
    ],
)
def test_invalid_options_give_an_error_message(word, why):
    with pytest.raises(CampaignError, match=why):
        said(["won=no", word], KEYS)


def test_hostile_names_write_nothing(kb, real, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for words in (
        ("", "--deck", "Lini"),
        ("camp", "--deck", "\udcff=x.yaml"),
        ("camp", "--say", "name=\udcff"),
        ("camp", "--say", "set=["),
    ):
        assert "campaign.yaml" not in kb(["campaign", "new", *words, "--game", "rotr"]).refusal
        assert not list(tmp_path.iterdir())


def test_a_second_campaign_does_not_overwrite_the_first(folder):
    with pytest.raises(CampaignError, match="already exists"):
        begin(folder, "game: chess\n", {})
    assert (folder / "campaign.yaml").read_text() == "game: chess\n"


def write_many(folder, who):
    for number in range(10):
        append(folder, f"{who} {number}", f"scenario: {who}\n", {who: "cards: []\n"})


def test_simultaneous_records_do_not_collide(folder, monkeypatch):
    monkeypatch.setenv("KB_HOME", str(folder.parent / "home"))
    context = multiprocessing.get_context("fork")
    started = [context.Process(target=write_many, args=(folder, who)) for who in ("ann", "ben", "cy")]
    for process in started:
        process.start()
    for process in started:
        process.join(60)
    assert [page.number for page in read_folder(folder).games] == list(range(1, 31))
    assert not read_folder(folder).strays


names = st.text("abcXYZ '-", min_size=1, max_size=8).map(str.strip).filter(bool)
values = st.recursive(
    st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=20).map(str.strip),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(names, below, min_size=1, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["scenario", "won", "feats"]), values, min_size=1))
def test_a_written_game_reads_as_the_same_game(data):
    def shown(node):
        if hasattr(node, "pairs"):
            return {key.text: shown(value) for key, value in node.pairs}
        return [shown(item) for item in node.items] if hasattr(node, "items") else node.text

    root = parse_yaml(dumped(data), "x.yaml")
    assert shown(root) == data
    plain_value(root)


@given(st.text(max_size=300))
@settings(max_examples=60)
def test_any_text_is_read_or_gives_an_error_message(text):
    with contextlib.suppress(DeckFileError):
        assert parse_page(text, "01-x.yaml").format != "text"


def test_a_game_without_campaigns_says_so(kb, real, tmp_path):
    assert kb("campaign new {} --game luxor", tmp_path / "x").refusal.startswith("kb has no campaigns for Luxor.")
    assert not (tmp_path / "x").exists()
    assert (
        "Unknown game 'runelord'. Did you mean runelords? Games with campaigns: arkham"
        in kb("campaign new {} --game runelord", tmp_path / "x").refusal
    )
    assert "kb campaign new" in kb("campaign check", tmp_path).refusal


@pytest.fixture
def camp(kb, real, tmp_path):
    """Create a campaign with Kyra as its only character, and return its folder."""
    assert kb("campaign new {} --game rotr --say set=rotr --deck Kyra", tmp_path / "camp").code == 0
    return tmp_path / "camp"


@pytest.mark.posix
def test_an_editor_records_a_game_or_nothing(kb, camp, tmp_path, monkeypatch):
    script = tmp_path / "editor"
    script.write_text("#!/bin/sh\nprintf 'won: yes\\nfeats: {Kyra: {skill: Wisdom}}\\n' >> \"$1\"\n")
    script.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(script))
    done = kb("campaign record", camp)
    assert (done.code, (camp / "01-attack-on-sandpoint.yaml").exists()) == (0, True), done

    def full(*_args):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("kb.campaigns.record.write_whole", full)
        done = kb("campaign record", camp)
    assert (done.code, "No space left on device" in done.err) == (2, True)
    draft = Path(done.err.rpartition("Your text is in ")[2].strip().removesuffix("."))
    assert "Wisdom" in draft.read_text()
    draft.unlink()
    for nothing in (': > "$1"', ":"):  # an empty file; a file that the editor did not change
        script.write_text(f"#!/bin/sh\n{nothing}\n")
        assert kb("campaign record", camp).code == 2
    script.write_text("#!/bin/sh\necho 'scenario: [' > \"$1\"\n")
    assert "Your text is in" in kb("campaign record", camp).refusal
    monkeypatch.setenv("VISUAL", "no-such-editor-here")
    assert "no-such-editor-here" in kb("campaign record", camp).err
    monkeypatch.delenv("VISUAL")
    monkeypatch.delenv("EDITOR", raising=False)
    done = kb("campaign record", camp)
    assert done.code == 2
    assert "scenario: Local Heroes" in done.out
    assert len(read_folder(camp).games) == 1
    assert kb("campaign check {} --json", camp).json["legal"]


@pytest.mark.parametrize("said", ["scenario=Brigandom", "won=maybe", "gained={Kira: [Cure]}", "rewards=[Curee]"])
def test_an_unreadable_game_is_not_recorded(kb, camp, said):
    keys = {"scenario": "1.1", "won": "no"} | dict([said.split("=")])
    words = [word for key, value in keys.items() for word in ("-s", f"{key}={value}")]
    assert kb(["campaign", "record", str(camp), *words]).refusal
    assert not read_folder(camp).games


def test_undo_removes_the_last_game_and_its_decks(kb, camp, tmp_path):
    kyra = tmp_path / "kyra.yaml"
    kyra.write_text((camp / "decks/00-kyra.yaml").read_text())
    for _ in range(2):
        assert kb("campaign record {} -s scenario=1.1 -s won=no --deck", camp, f"Kyra={kyra}").code == 0
        assert "Undone: 01-attack-on-sandpoint" in kb("campaign undo", camp).out
        assert not read_folder(camp).games
    assert sorted(path.name for path in (camp / "undone").iterdir()) == [
        "01-attack-on-sandpoint-2.yaml",
        "01-attack-on-sandpoint.yaml",
        "01-kyra-2.yaml",
        "01-kyra.yaml",
    ]
    assert [path.name for path in (camp / "decks").iterdir()] == ["00-kyra.yaml"]
    assert kb("campaign undo", camp).code == 2


@pytest.mark.posix
def test_the_draft_of_a_killed_kb_is_private_and_removed_by_the_next_record(kb, camp, real, tmp_path, monkeypatch):
    (tmp_path / "temporary").mkdir()
    script = tmp_path / "editor"
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setenv("VISUAL", str(script))
    script.write_text('#!/bin/sh\necho "notes: secret" > "$1"\nkill -9 $PPID\n')
    script.chmod(0o755)
    program = [sys.executable, "-c", "from kb.cli import run; run()", "campaign", "record", str(camp), "--edit"]
    ended = subprocess.run(program, cwd=ROOT, capture_output=True, stdin=subprocess.DEVNULL)
    assert ended.returncode == -signal.SIGKILL
    (left,) = (real / "cache").glob(".draft*")
    assert left.stat().st_mode & 0o777 == 0o700
    assert list((tmp_path / "temporary").iterdir()) == []
    script.write_text("#!/bin/sh\n")
    assert kb("campaign record --edit", camp).code == 2
    assert not list((real / "cache").glob(".draft*"))
