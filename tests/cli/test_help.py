"""Every help: whole at any width, with examples that run; what Tab completes; the page for `man`."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer

from kb.cli import app, register_commands
from kb.cli.candidates import candidates
from kb.cli.completion import SCRIPTS, Shell
from kb.cli.help import every, printed, told
from kb.cli.layout import width_of

register_commands()
TOP = typer.main.get_command(app)
ALL = [(words, command) for words, command in every(TOP, "kb") if words != "kb _complete"]
# These wait for a reader or take half a minute, and have tests of their own; the imports need another's data.
NOT_RUN = (
    "kb site",
    "kb serve",
    "kb mcp",
    "kb import arkhamdb",
    "kb import rulebook rules",
    "kb import cards mine",
    "kb campaign record",
    "KB_SOURCES=",
    "kb build",
    "kb completion --install",
    "kb use",
    "kb man |",
    "kb party rebuild table.yaml --fill",
)
ROLAND = '{"investigator_code":"01001","name":"Roland","slots":{"01020":2,"01006":1,"01007":1}}'


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize(("words", "command"), ALL, ids=[words for words, _ in ALL])
def test_a_help_fits_and_nothing_of_it_is_cut(words: str, command: Any, width: int) -> None:
    help_of = told(command, words)
    text = printed(help_of, width)
    assert all(width_of(line) <= width for line in text.split("\n"))
    flat = "".join(text.split())
    for part in (
        help_of.summary,
        *help_of.more,
        *help_of.examples,
        *(row[1] for row in help_of.commands + help_of.options),
    ):
        assert "".join(part.split()) in flat
    assert "..." not in "".join(row[1] for row in help_of.commands)
    assert not {"<int", "<str", "INTEGER"} & set(text.split())
    assert len(help_of.examples) == 2


@pytest.fixture
def table_of_players(kb: Callable[..., Any], real: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files that the examples name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "decks").mkdir()
    for name in ("Lini", "Kyra"):
        text = kb("deck", "new", name, "--set", "rotr").out
        for place in (f"{name.lower()}.yaml", f"decks/{name.lower()}.yaml"):
            Path(place).write_text(text, encoding="utf-8")
    Path("roland.yaml").write_text(ROLAND.replace('"name"', '"id":1,"name"'), encoding="utf-8")
    Path("after.yaml").write_text(
        ROLAND.replace('"name"', '"id":2,"previous_deck":1,"name"').replace('"01020":2', '"01020":1'), "utf-8"
    )
    Path("decks.jsonl").write_text(ROLAND + "\n" + ROLAND.replace('"01020":2', '"01020":1') + "\n", encoding="utf-8")
    using = Path(__file__).resolve().parents[2] / "site" / "using"
    for page, name in (("party.md", "table.yaml"), ("luxor.md", "final.yaml"), ("tainted-grail.md", "beor.yaml")):
        text = (using / page).read_text(encoding="utf-8")
        Path(name).write_text(text.partition("```yaml ")[2].partition("\n")[2].partition("```")[0], encoding="utf-8")


def test_the_examples_of_every_help_run(table_of_players: None, kb: Callable[..., Any]) -> None:
    ran: set[str] = set()
    for words, command in ALL:
        for example in told(command, words).examples:
            if example.startswith(NOT_RUN) or example in ran:
                continue
            line = shlex.split(example)
            line = line[: line.index(">")] if ">" in line else line
            done = kb(*line[1:])
            assert done.code in (0, 1), (example, done)
            assert done.out or done.err, example
            ran.add(example)
    assert len(ran) > 25


@pytest.mark.parametrize(
    "args", [["-h"], ["cards", "-h"], ["deck", "check", "-h"], ["score", "luxor", "-h"], ["import", "-h"]]
)
def test_h_is_the_help_of_every_command(kb: Callable[..., Any], args: list[str]) -> None:
    done = kb(*args)
    assert done.code == 0
    assert done.out.startswith(f"Usage: kb{''.join(' ' + word for word in args[:-1])}")


@pytest.mark.parametrize(
    ("words", "one"),
    [
        (["dec"], "deck"), (["deck", "up"], "upgrade"), (["deck", "check", "--js"], "--json"), (["deck", "check", "--"], "--json"),
        (["show", "pathfinder/mm/closing-a"], "pathfinder/mm/closing-a-location"), (["show", "arkham/glos"], "arkham/glossary/"),
        (["show", "mulli"], "Mulligan"), (["cards", "Mache"], "Machete"), (["deck", "new", "lin"], "Lini"),
        (["deck", "weakness", "--investigator", "rol"], "Roland Banks"), (["party", "check", "--owned", "cor"], "core"),
        (["use", "rot"], "rotr"), (["search", "evade", "--in", "luxo"], "luxor"),
    ],
)  # fmt: skip
def test_a_word_that_is_begun_is_completed(real: Path, words: list[str], one: str) -> None:
    assert one in [name for name, _ in candidates(words)]


def test_a_file_is_left_to_the_shell(real: Path) -> None:
    assert candidates(["deck", "check", "lin"]) == []


def shell_says(shell: Shell, script: Path, lines: str, folder: Path) -> str:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    kb = folder / "kb"
    kb.write_text(f"#!{sys.executable}\nfrom kb.cli import run\nrun()\n", encoding="utf-8")
    kb.chmod(0o755)
    env = os.environ | {
        "PATH": f"{folder}:{os.environ['PATH']}",
        "HOME": str(folder),
        "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
    }
    done = subprocess.run(
        [program, "-c", f"source {script}; {lines}"], env=env, capture_output=True, text=True, timeout=120
    )
    assert "kb_complete" not in done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("shell", "lines"),
    [
        (Shell.bash, "COMP_WORDS=(kb deck new Rolan); COMP_CWORD=3; _kb_complete; printf '%s\\n' \"${COMPREPLY[@]}\""),
        (Shell.fish, "complete -C 'kb deck new Rolan'"),
    ],
)
def test_the_shells_complete(shell: Shell, lines: str, real: Path, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text(SCRIPTS[shell], encoding="utf-8")
    assert "Roland" in shell_says(shell, script, lines, tmp_path)


def test_the_script_for_zsh_is_one_that_zsh_reads(tmp_path: Path) -> None:
    program = shutil.which("zsh")
    if program is None:
        pytest.skip("zsh is not installed")
    (tmp_path / "_kb").write_text(SCRIPTS[Shell.zsh], encoding="utf-8")
    done = subprocess.run([program, "-n", str(tmp_path / "_kb")], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("shell", list(Shell))
def test_completion_is_installed_by_one_command(
    kb: Callable[..., Any], shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "ZDOTDIR"):
        monkeypatch.delenv(name, raising=False)
    done = kb("completion", "--install")
    assert done.code == 0
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.read_text(encoding="utf-8") for path in written} >= {SCRIPTS[shell]}
    assert ("~/.zshrc" in done.out) == (shell is Shell.zsh)
    page = next(path for path in written if path.name == "kb.1").read_text(encoding="utf-8")
    for words, command in ALL:
        if not getattr(command, "commands", {}):
            assert f".SS {words}" in page
