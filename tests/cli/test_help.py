"""All help texts: complete at any width, with examples that run. Also tests the suggestions of the Tab key."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from kb.cli import app, register_commands
from tests.conftest import ROOT

register_commands()


def every(command, words):
    """Yield (words, command) for a command and all commands below it; `words` is the command line, such as `kb deck
    check`.
    """
    yield words, command
    for name, below in getattr(command, "commands", {}).items():
        yield from every(below, f"{words} {name}")


ALL = list(every(typer.main.get_command(app), "kb"))
# These commands wait for input or take half a minute, so they have separate tests.
# The imports need data of other sites.
NOT_RUN = (
    "kb site",
    "kb serve",
    "kb mcp",
    "kb import arkhamdb",
    "kb import rulebook rules",
    "kb import cards mine",
    "kb campaign record",
    "kb campaign undo",
    "KB_SOURCES=",
    "kb build",
    "kb use",
    "kb party rebuild table.yaml --fill",
    "kb export new",
)
ROLAND = '{"investigator_code":"01001","name":"Roland","slots":{"01020":2,"01006":1,"01007":1}}'


def examples_of(command):
    return [line.strip() for line in (command.help or "").partition("Examples:")[2].splitlines()[1:]]


def letters(text):
    """Return the text without spaces, line breaks or the borders of boxes."""
    return "".join(sign for sign in text if sign > " " and not "\u2500" <= sign <= "\u257f")


@pytest.mark.extended
@pytest.mark.parametrize("width", [60, 120])
def test_help_texts_are_shown_completely(kb, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    for words, command in ALL:
        done = kb([*words.split()[1:], "-h"])
        assert done.code == 0
        assert done.out.strip().startswith(f"Usage: {words}")
        lines = [
            line for line in done.out.splitlines() if not line.strip().startswith("kb ")
        ]  # examples are not wrapped, so that users can copy them
        assert max(map(len, lines)) <= width
        found = letters(done.out)
        for example in examples_of(command):
            assert letters(example) in found, words
        for paragraph in (command.help or "").replace("\b\n", "").split("\n\n"):
            assert letters(paragraph) in found, words
        assert hasattr(command, "commands") or 2 <= len(examples_of(command)) <= 3


@pytest.fixture
def table_of_players(kb, real, tmp_path, monkeypatch):
    """Change to a new folder that contains all files named in the examples."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "decks").mkdir()
    for name in ("Lini", "Kyra"):
        text = kb("deck new {} --set rotr", name).out
        for place in (f"{name.lower()}.yaml", f"decks/{name.lower()}.yaml"):
            Path(place).write_text(text, "utf-8")
    Path("roland.yaml").write_text(ROLAND.replace('"name"', '"id":1,"name"'), "utf-8")
    Path("after.yaml").write_text(
        ROLAND.replace('"name"', '"id":2,"previous_deck":1,"name"').replace('"01020":2', '"01020":1'), "utf-8"
    )
    Path("decks.jsonl").write_text(ROLAND + "\n" + ROLAND.replace('"01020":2', '"01020":1') + "\n", "utf-8")
    using = ROOT / "site" / "using"
    for page, name in (("party.md", "table.yaml"), ("luxor.md", "final.yaml"), ("tainted-grail.md", "beor.yaml")):
        text = (using / page).read_text("utf-8")
        Path(name).write_text(text.partition("```yaml ")[2].partition("\n")[2].partition("```")[0], "utf-8")


@pytest.mark.extended
def test_the_examples_of_every_help_run(table_of_players, kb):
    ran = set()
    for _words, command in ALL:
        for example in examples_of(command):
            if example.startswith(NOT_RUN) or example in ran:
                continue
            line = shlex.split(example)
            line = line[: line.index(">")] if ">" in line else line
            done = kb([*line[1:]])
            assert done.code in (0, 1), (example, done)
            assert done.out or done.err, example
            ran.add(example)
    assert len(ran) > 25


def completed(home, line, shell="zsh"):
    """Return the suggestions that the shell gets when the user presses Tab at the end of `line`."""
    words = line.split(" ")
    how = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1), "_TYPER_COMPLETE_ARGS": line}
    env = {**os.environ, **how, "_KB_COMPLETE": f"complete_{shell}", "KB_HOME": str(home)}
    done = subprocess.run([sys.executable, "-m", "kb"], env=env, capture_output=True, text=True, timeout=60)
    assert not done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("line", "one"),
    [
        ("kb dec", "deck"),
        ("kb deck up", "upgrade"),
        ("kb deck check --js", "--json"),
        ("kb show pathfinder/mm/closing-a", "pathfinder/mm/closing-a-location"),
        ("kb show arkham/glos", "arkham/glossary/"),
        ("kb show mulli", "mulligan"),
        ("kb cards Mache", "Machete"),
        ("kb deck new lin", "lini"),
        ("kb deck weakness --investigator rol", "roland Banks"),
        ("kb party check --owned cor", "core"),
        ("kb use rot", "rotr"),
        ("kb search evade --in luxo", "luxor"),
    ],
)
def test_tab_completes_a_word(real, line, one):
    assert one in completed(real, line)


def test_bash_receives_a_name_with_spaces_as_one_word(real):
    assert "Roland\\ Banks" in completed(real, "kb deck new Rolan", "bash").splitlines()


def test_the_shell_completes_file_names_and_kb_builds_nothing_meanwhile(real, tmp_path):
    assert not completed(real, "kb deck check lin", "bash").strip()
    assert not completed(tmp_path / "home", "kb show mulli", "bash").strip()
    assert not (tmp_path / "home").exists()


@pytest.mark.extended
@pytest.mark.posix
@pytest.mark.parametrize("name", ["kb", "cardlore-kb"])
def test_bash_completes_with_the_script_that_kb_prints(name, real, tmp_path):
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    program, variable = tmp_path / name, name.replace("-", "_")
    program.write_text(f"#!{sys.executable}\nfrom kb.cli import run\nrun()\n", "utf-8")
    program.chmod(0o755)
    env = os.environ | {
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }
    script = subprocess.run(
        [program],
        env=env | {f"_{variable.upper()}_COMPLETE": "source_bash"},
        capture_output=True,
        text=True,
        timeout=60,
    ).stdout
    asked = f"COMP_WORDS=({name} deck new Rolan); COMP_CWORD=3; _{variable}_completion {name}; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run([bash, "-c", f"{script}\n{asked}"], env=env, capture_output=True, text=True, timeout=60)
    assert "Roland\\ Banks" in done.stdout, done.stderr
    helped = subprocess.run([program, "deck", "--help"], env=env, capture_output=True, text=True, timeout=60).stdout
    assert helped.startswith(f"Usage: {name} deck ")
