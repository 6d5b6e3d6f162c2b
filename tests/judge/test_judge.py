"""Judging an archive: every deck gets one verdict, even after an interruption."""

import json
import os
import resource
import time
from pathlib import Path

import pytest

from kb.files.swap import locked
from tests.judge.conftest import deck, kill_when, parts_in, start, verdicts, write_decks

pytest.importorskip("dask")


def test_every_deck_has_its_verdict_in_the_order_of_the_archive(kb, here, decks):
    decks(30)
    done = kb("deck judge decks.jsonl --out verdicts.jsonl")
    assert done.out == "30 decks: 10 legal, 20 not legal, 0 not readable. Wrote verdicts.jsonl.\n"
    found = verdicts(here / "verdicts.jsonl")
    assert [(each["row"], each["id"]) for each in found] == [(number, str(number)) for number in range(1, 31)]
    assert [each["legal"] for each in found[:3]] == [False, True, False]
    (size,) = [finding for finding in found[0]["findings"] if finding["severity"] == "error"]
    assert (size["code"], size["count"], size["limit"]) == ("arkham/deck-size", 29, 30)
    assert names_in(here) == ["decks.jsonl", "verdicts.jsonl"]
    told = kb("deck check decks.jsonl --json")
    assert [each["legal"] for each in told.json] == [each["legal"] for each in found]


def test_unreadable_decks_are_named_and_do_not_stop_the_run(kb, here):
    lines = [json.dumps(deck(2)), "x" * 3_000_000, "a\0b", '{"slots": ', "\udcff", "", json.dumps([deck(1), deck(2)])]
    (here / "decks.jsonl").write_bytes("\n".join(lines).encode("utf-8", "surrogateescape"))
    done = kb("deck judge decks.jsonl --out verdicts.jsonl --json")
    sums = done.json
    assert (done.code, sums["decks"], sums["legal"], sums["illegal"], sums["unreadable"]) == (0, 7, 2, 1, 4)
    for number in (2, 3, 4, 5):
        assert f"decks.jsonl:{number}:" in done.err
    found = verdicts(here / "verdicts.jsonl")
    assert [(each["row"], each["part"]) for each in found[-3:]] == [(5, None), (7, 1), (7, 2)]
    assert found[1]["problems"] == ["is larger than 1,000,000 bytes; that is not a deck file."]


@pytest.mark.extended
def test_a_killed_run_can_be_continued_without_judging_decks_twice(kb, here, decks):
    decks(8500)
    out = here / "verdicts.jsonl"
    words = ("deck", "judge", "decks.jsonl", "--out", "verdicts.jsonl")
    assert kill_when(start(*words), out, 1)
    assert kill_when(start(*words), out, 3)
    assert not out.exists()
    (here / "verdicts.jsonl.parts" / f".part-00009-{'0' * 20}.jsonl.7.tmp").write_bytes(b'{"row": 17, "cut o')
    times = {part: part.stat().st_mtime_ns for part in parts_in(out)}
    done = kb([*words, "--json"])
    assert done.json["earlier"] == 1000 * len(times) >= 3000
    kb("deck judge decks.jsonl --out whole.jsonl")
    assert out.read_bytes() == (here / "whole.jsonl").read_bytes()
    assert [each["row"] for each in verdicts(out)] == list(range(1, 8501))
    assert names_in(here) == ["decks.jsonl", "verdicts.jsonl", "whole.jsonl"]


@pytest.mark.extended
def test_several_processes_give_the_same_verdicts_as_one(kb, here, decks):
    decks(4500)
    assert kb("deck judge decks.jsonl --out one.jsonl").code == 0
    assert kb("deck judge decks.jsonl --out three.jsonl --jobs 3").code == 0
    assert (here / "one.jsonl").read_bytes() == (here / "three.jsonl").read_bytes()


@pytest.mark.extended
def test_the_processes_end_with_a_command_that_is_killed(here, decks):
    decks(30_000)
    command = start("deck", "judge", "decks.jsonl", "--out", "verdicts.jsonl", "--jobs", "2")
    while not parts_in(here / "verdicts.jsonl"):
        assert command.poll() is None
        time.sleep(0.01)
    children = set(Path(f"/proc/{command.pid}/task/{command.pid}/children").read_text().split())
    assert len(children) >= 2
    assert kill_when(command, here / "verdicts.jsonl", 1)
    for _ in range(200):
        if not any(Path(f"/proc/{child}").exists() for child in children):
            return
        time.sleep(0.05)
    raise AssertionError("child processes are still running")


@pytest.mark.parametrize(
    "out", ["self.jsonl", "./sub/../self.jsonl", "link.jsonl", "hard.jsonl", "decks/1.json", "decks"]
)
def test_the_archive_is_never_overwritten(kb, here, out):
    write_decks(here / "self.jsonl", 3)
    (here / "sub").mkdir()
    (here / "decks").mkdir()
    (here / "decks" / "1.json").write_text(json.dumps(deck(1)))
    (here / "link.jsonl").symlink_to("self.jsonl")
    os.link(here / "self.jsonl", here / "hard.jsonl")
    before = {path: path.read_bytes() for path in here.rglob("*.json*")}
    archive = "decks" if out.startswith("decks") else "self.jsonl"
    done = kb("deck judge {} --out {} --force", archive, out)
    assert done.code == 2
    assert {path: path.read_bytes() for path in here.rglob("*.json*")} == before


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.extended
def test_verdicts_are_replaced_only_as_a_whole(kb, here, decks):
    decks(3000)
    out = here / "verdicts.jsonl"
    words = ("deck", "judge", "decks.jsonl", "--out", "verdicts.jsonl")
    out.write_text("old\n")
    assert "verdicts.jsonl exists. Use --force" in kb(words).err
    most = 1_000_000  # each part fits on the disk, but not the whole file, so the run fails at its last step
    process = start(*words, "--force", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
    process.communicate(timeout=300)
    assert (process.returncode, out.read_text()) == (2, "old\n")
    mine = here / "verdicts.jsonl.parts" / "part-00000-mine.jsonl"
    mine.write_text("mine")
    # A run with other options or decks does not use parts of the interrupted run. Other files in the folder stay.
    done = kb([*words, "--force", "--json", "--taboo", "latest"])
    assert (done.code, done.json["earlier"]) == (0, 0)
    assert len(verdicts(out)) == 3000
    decks(10)
    assert kb([*words, "--force"]).code == 0
    assert len(verdicts(out)) == 10
    assert [*mine.parent.iterdir()] == [mine]


def test_two_runs_do_not_write_the_same_file(kb, here, decks):
    decks(3)
    with locked(here / "verdicts.jsonl"):
        done = kb("deck judge decks.jsonl --out verdicts.jsonl")
    assert (done.code, "is being written by another kb" in done.err) == (2, True)
    assert names_in(here) == ["decks.jsonl"]


@pytest.mark.extended
def test_on_a_full_disk_finished_parts_stay(kb, here, decks):
    decks(3000)
    words = ("deck", "judge", "decks.jsonl", "--out", "verdicts.jsonl")
    most = 1_000_000  # larger than each part, smaller than all parts together
    process = start(*words, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
    _, said = process.communicate(timeout=300)
    assert process.returncode == 2
    assert "verdicts.jsonl" in said
    assert "File too large" in said
    assert "Traceback" not in said
    assert names_in(here) == ["decks.jsonl", "verdicts.jsonl.parts"]
    told = kb([*words, "--json"]).json
    assert told["earlier"] == told["decks"] == 3000 == len(verdicts(here / "verdicts.jsonl"))


@pytest.mark.extended
@pytest.mark.filterwarnings("error::UserWarning")
def test_parquet_files_are_read_and_written(kb, here):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    # In Parquet, a map may contain a key twice.
    slots = arrow.map_(arrow.string(), arrow.int64())
    kept = arrow.struct([("investigator_code", arrow.string()), ("slots", slots), ("taboo_id", arrow.int64())])
    rows = [
        {
            "id": number,
            "deck": {**deck(number), "slots": [("01030", 9), *deck(number)["slots"].items()], "taboo_id": None},
        }
        for number in range(1, 7)
    ]
    schema = arrow.schema([("id", arrow.int64()), ("deck", kept)])
    parquet.write_table(arrow.Table.from_pylist(rows, schema), here / "whole.parquet")
    texts = [{"id": f"n{number}", "text": json.dumps(deck(number)) if number != 3 else "?"} for number in range(1, 7)]
    parquet.write_table(arrow.Table.from_pylist(texts), here / "texts.parquet")
    done = kb("deck judge whole.parquet --out a.parquet")
    assert (done.code, done.err) == (0, "")
    assert kb("deck judge texts.parquet --column text --out b.jsonl").code == 0
    first = parquet.read_table(here / "a.parquet").to_pylist()
    second = verdicts(here / "b.jsonl")
    assert [each["legal"] for each in first] == [False, True, False] * 2
    assert [each["legal"] for each in second] == [False, True, None, False, True, False]
    assert [each["id"] for each in second] == [f"n{number}" for number in range(1, 7)]
    assert first[0]["findings"][0]["code"] == second[0]["findings"][0]["code"]
    assert names_in(here) == ["a.parquet", "b.jsonl", "texts.parquet", "whole.parquet"]
    (here / "cut.parquet").write_bytes((here / "whole.parquet").read_bytes()[:500])
    for name, said in (("cut.parquet", "cannot be read: Parquet magic"), ("none.parquet", "No such file")):
        assert said in kb("deck judge {} --out c.jsonl", name).refusal
    done = kb("deck judge whole.parquet --column cards --out c.jsonl")
    assert "there is no column 'cards'; --column names one of id, deck" in done.err


@pytest.mark.extended
@pytest.mark.posix
def test_a_small_parquet_file_that_expands_without_end_is_refused(kb, here):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    long = arrow.DictionaryArray.from_arrays(arrow.array([0] * 500, arrow.int32()), arrow.array(["x" * 25_000_000]))
    parquet.write_table(arrow.table({"deck": long}), here / "bomb.parquet", compression="zstd")
    parquet.write_table(arrow.table({"deck": ["x" * 3_000_000]}), here / "long.parquet", compression="zstd")
    assert (here / "bomb.parquet").stat().st_size < 10_000
    assert kb("deck judge bomb.parquet --out a.jsonl").refusal.startswith("bomb.parquet: ")
    assert kb("deck judge long.parquet --out a.jsonl --json").json["unreadable"] == 1
    assert names_in(here) == ["a.jsonl", "bomb.parquet", "long.parquet"]
