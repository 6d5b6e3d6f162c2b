"""A file of 100 MB for every command that reads files: kb refuses it with a message that names the file."""

import os
import re
import shutil
import tracemalloc

import pytest
import typer

from kb.cli import app, register_commands
from tests.cli.test_listening import commands
from tests.cli.test_printed import write_files
from tests.conftest import ROOT

HUGE = 100_000_000
READS = {
    "deck check": ["huge.yaml", "huge.txt", "huge.json", "huge.jsonl"], "deck show": ["huge.yaml"], "deck page": ["huge.json --out page.html"],
    "deck party": ["huge.yaml kyra.yaml"], "deck pull": ["kyra.yaml huge.yaml"], "deck stats": ["huge.jsonl", "huge.parquet"],
    "deck judge": ["huge.parquet --out v.jsonl"], "deck upgrade": ["roland.yaml huge.json", "huge.json roland.yaml"],
    "deck plan": ["huge.json --xp 3", "roland.yaml --want huge.json --xp 3"], "deck convert": ["huge.json --to text"],
    "deck weakness": ["huge.json"], "deck advance": ["huge.yaml"], "party rebuild": ["huge.yaml"],
    "party new": ["huge.yaml"],
    "party check": ["huge.yaml kyra.yaml"], "campaign check": ["camp"], "campaign show": ["camp"],
    "campaign page": ["camp"],
    "campaign record": ["camp --yes", "fine --from huge.yaml"], "campaign new": ["new --in rotr --deck Kyra=huge.yaml"],
    "import rulebook": ["huge.txt --in rotr --title X", "huge.pdf --in rotr --title X"],
    "import cards": ["huge.csv --in rotr", "huge.json --in rotr"],
    "import arkhamdb": ["base"], "score": ["luxor huge.yaml"], "cards": ["for:huge.yaml"],
    "site build": ["--out s --config huge.yaml", "--out s --python huge.tgz"],
    "site serve": ["--config huge.yaml"], "export": ["e --since since"],
}  # fmt: skip
WITHOUT_FILES = {
    "search", "ask", "show", "compare", "use", "characters", "scenarios", "scenario", "odds", "deck new", "build", "serve", "mcp", "new game",
    "campaign undo",  # moves files without reading them
    "doctor",  # tests/sources tests its limits
}  # fmt: skip


def test_every_command_is_in_one_of_the_tables():
    register_commands()
    assert READS.keys() | WITHOUT_FILES == set(commands(typer.main.get_command(app)))


@pytest.fixture
def huge(tmp_path, own_home, monkeypatch):
    """Change to a new folder with small files and with files of 100 MB (sparse, so that they need no disk space), and
    return it.
    """
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KB_HOME", str(own_home))
    for suffix in ("yaml", "txt", "json", "jsonl", "parquet", "pdf", "csv", "tgz"):
        os.truncate(sized(tmp_path / f"huge.{suffix}"), HUGE)
    for name in ("camp", "fine"):
        shutil.copytree(ROOT / "tests/data/fuzz/campaigns/pathfinder", tmp_path / name)
    os.truncate(tmp_path / "camp" / "campaign.yaml", HUGE)
    (tmp_path / "base" / "pack").mkdir(parents=True)
    os.truncate(sized(tmp_path / "base" / "pack" / "core.json"), HUGE)
    (tmp_path / "since").mkdir()
    os.truncate(sized(tmp_path / "since" / "entries.json"), HUGE)
    return tmp_path


def sized(path):
    path.touch()
    return path


@pytest.mark.parametrize(("command", "line"), [(command, line) for command, lines in READS.items() for line in lines])
def test_a_file_of_100_mb_is_refused(command, line, huge, kb):
    tracemalloc.start()
    try:
        done = kb(f"{command} {line}")
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert done.code == 2, done
    assert re.search("huge|camp|core.json|since|a PDF", done.err), done
    assert not re.search("Traceback|bug in kb|MemoryError", done.err), done
    assert most < 60_000_000, f"{most:,} bytes"
