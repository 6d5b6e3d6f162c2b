"""The README and the manual: examples run and print the output shown, links work, and every command, option and key is
mentioned.
"""

import re
import shlex
import textwrap
from pathlib import Path

import pytest
import typer

from kb.campaigns.game_campaign import campaigns_of
from kb.campaigns.reader import GAME_KEYS, SETUP_KEYS
from kb.cli import app, register_commands
from kb.cli.commands_page import page
from kb.games.pathfinder.party import table_file
from kb.site.material.pages import manual_paths
from tests.conftest import ROOT

USING = ROOT / "site" / "using"
PAGES = [ROOT / "README.md", *sorted(USING.glob("*.md"))]
READ_BY_PEOPLE = [*PAGES, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
MOST_LINES = 85
FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.S | re.M)


def title(page):
    return str(page.relative_to(ROOT))


def commands(text):
    """Yield (command line, output shown) for each command in a console block."""
    for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
        line, _, answer = part.partition("\n")
        yield line, answer


def bare(line):
    """Return the words of a command line, and the file after `>` or an empty text."""
    words = shlex.split(line, comments=True)
    return (words[: words.index(">")], words[-1]) if ">" in words else (words, "")


def fits(printed, told):
    """Return True if the output `printed` is as shown in `told`. A line `...` stands for any number of lines."""
    pattern = "".join(r"(?:.*\n)*" if line == "..." else re.escape(line) + r"\n" for line in told.strip().split("\n"))
    return re.fullmatch(pattern, printed.strip() + "\n") is not None


@pytest.mark.extended
@pytest.mark.parametrize("page", PAGES, ids=title)
def test_the_examples_run_and_print_what_the_page_says(page, kb, own_home, tmp_path, monkeypatch):
    monkeypatch.setenv("KB_HOME", str(own_home))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    for kind, name, text in FENCE.findall(page.read_text("utf-8")):
        if kind in ("yaml", "text"):
            assert name, f"this {kind} example has no file name, so no test runs it:\n{text}"
            Path(name).write_text(text, "utf-8")
        lines = commands(text) if kind == "console" else ((line, "") for line in text.splitlines() if kind == "bash")
        for line, answer in lines:
            words, out = bare(line)
            if kind == "bash" and (words[:1] != ["kb"] or words == ["kb", "search"] or words[1] == "site"):
                continue  # the command waits for input or takes half a minute
            assert words[0] == "kb"
            done = kb([*words[1:]])
            assert done.code in (0, 1) if answer else done.code == 0, (line, done)
            if out:
                Path(out).write_text(done.out, "utf-8")
            if answer:
                printed = done.err if out else done.out
                assert fits(printed, answer), f"{line}\nprints\n{printed}"


def leaves(command, path=()):
    """Yield (words, command) for every visible command below `command`. `path` is the words before it."""
    for name, below in getattr(command, "commands", {}).items():
        yield from leaves(below, (*path, name))
    if not hasattr(command, "commands") and not command.hidden:
        yield " ".join(path), command


def all_commands():
    register_commands()
    return {name: command for name, command in leaves(typer.main.get_command(app)) if not command.hidden}


def options(command):
    """Return the long options of a command, except `--help`."""
    names = {
        name
        for each in command.params
        if each.param_type_name == "option"
        for name in (*each.opts, *each.secondary_opts)
    }
    return {name for name in names if name.startswith("--")} - {"--help"}


def test_the_page_of_commands_is_up_to_date():
    assert (USING / "commands.md").read_text("utf-8") == page(), (
        "run: python -m kb.cli.commands_page > site/using/commands.md"
    )


def test_examples_that_are_not_run_use_existing_options():
    known = all_commands()
    lines = [
        line
        for page in PAGES
        for kind, _, text in FENCE.findall(page.read_text("utf-8"))
        if kind == "bash"
        for line in text.splitlines()
        if line.startswith("kb site")
    ]
    assert lines
    for line in lines:
        words, _ = bare(line)
        given = {word for word in words if word.startswith("--")}
        assert given <= options(known[" ".join(words[1:3])]), line


def test_the_readme_is_short_and_keeps_the_two_commands():
    text = (ROOT / "README.md").read_text("utf-8")
    assert len(text.splitlines()) <= MOST_LINES
    for name in ("run", "test"):
        assert len(re.findall(rf"<!-- command: {name} -->\n```bash\n[^\n]+\n```\n", text)) == 1


def anchors(page):
    """Return the anchors of a page's headings, as GitHub and the site form them."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", page.read_text("utf-8")), flags=re.M)
    return {re.sub(r"[^\w\s-]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", READ_BY_PEOPLE, ids=title)
def test_every_link_leads_to_a_file_and_a_heading(page):
    text = FENCE.sub("", page.read_text("utf-8"))
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", text):
        name, _, anchor = target.partition("#")
        file = page.parent / name if name else page
        assert file.is_file(), f"{page.name}: the file {target} does not exist"
        assert not anchor or anchor in anchors(file), f"{page.name}: there is no heading for the anchor of {target}"
        if page.parent == USING:
            assert file.parent == USING, f"{page.name}: the site has no page for {target}"


def test_the_first_page_leads_to_every_other():
    assert set(manual_paths(ROOT / "site")) == {f"using/{page.stem}" for page in USING.glob("*.md")}


def test_every_key_of_a_party_file_is_explained():
    text = (USING / "deck-files.md").read_text("utf-8")
    general, body = text.partition("\n## ")[0], text.split("\n## Pathfinder parties\n")[1].partition("\n## ")[0]
    rows = " ".join(row.split("|")[1] for row in body.splitlines() if row.startswith("|"))
    told = {*re.findall(r"`(\w+)`", rows), *re.findall(r"^kb ignores `(\w+)` and `(\w+)`", general, flags=re.M)[0]}
    keys = {*table_file.KEYS, *table_file.MEMBER_KEYS, *table_file.DEAD_KEYS}
    assert keys <= told, keys - told


@pytest.mark.parametrize("game", ["pathfinder", "arkham", "tainted-grail"])
def test_every_key_of_a_campaign_is_explained(game):
    part = campaigns_of(game)
    text = (USING / "campaign.md").read_text("utf-8")
    rows = [row.split(" | ")[0] for row in text.splitlines() if row.startswith("| `")]
    told = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    keys = {key.name for key in (*SETUP_KEYS, *GAME_KEYS, *part.setup, *part.game_keys())}
    assert keys <= told, keys - told


def test_every_environment_variable_is_explained():
    text = (USING / "scripts.md").read_text("utf-8")
    named = {
        name
        for path in (ROOT / "kb").rglob("*.py")
        for name in re.findall(r"\bKB_[A-Z_]+[A-Z]\b", path.read_text("utf-8"))
    }
    assert {name for name in named if f"| `{name}` |" not in text} == set()


def test_the_example_check_in_the_guide_is_current_code():
    guide = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    file, code = re.findall(r"This example is from `(kb/[\w/]+\.py)`.*?```python\n(.*?)  ```", guide, flags=re.S)[0]
    assert textwrap.dedent(code) in (ROOT / file).read_text("utf-8")
