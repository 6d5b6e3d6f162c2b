"""Tests the Python library (`import kb`): its public names, how little it imports, and the examples in its docstrings
and on the manual pages about it.
"""

import doctest
import inspect
import re
import subprocess
import sys
from textwrap import indent

import pytest

import kb as library
from kb.api import decks, session
from kb.decks import scores
from kb.games.arkham import weaknesses
from tests.conftest import ROOT

PAGE = ROOT / "site" / "using" / "python.md"
TUTORIAL = PAGE.with_name("tutorial-developer.md")
KYRA = "game: pathfinder\nset: rotr\ncharacter: Kyra\ncards: [2x Mace, Quarterstaff]\n"
TABLE = """game: pathfinder
set: rotr
adventure: 1
members:
  Kyra:
    wishes: [Force Missile]
    pool: [Mace, Quarterstaff, 2x Cure, Chain Mail, Wooden Shield, Holy Water, Guard, 6x Blessing of the Gods]
  Ezren:
    pool: [Detect Magic, 3x Force Missile, Invisibility, Levitate, 2x Lightning Touch, Sleep, Blast Stone, Codex,
      Night Watch, Sage, Standard Bearer, Guard]
rewards: [Bracers of Protection]
"""
MANUAL = ROOT / "site" / "using" / "arkham.md"
ROLAND = re.search(r"```yaml roland.yaml\n(.*?)```", MANUAL.read_text("utf-8"), re.S)[1]
CAMPAIGN = """game: pathfinder
set: rotr
decks:
  Lini: decks/lini.yaml
"""


@pytest.fixture
def here(real, kb, tmp_path, monkeypatch):
    """Change to a new folder that contains the deck files named in the examples, and return the folder."""
    (tmp_path / "kyra.yaml").write_text(KYRA)
    (tmp_path / "table.yaml").write_text(TABLE)
    for name, text in re.findall(r"```yaml (roland|after).yaml\n(.*?)```", MANUAL.read_text("utf-8"), re.S):
        (tmp_path / f"{name}.yaml").write_text(text)
    (tmp_path / "runelords" / "decks").mkdir(parents=True)
    (tmp_path / "runelords" / "campaign.yaml").write_text(CAMPAIGN)
    (tmp_path / "runelords" / "decks" / "lini.yaml").write_text(kb("deck new Lini --set rotr").out)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(test):
    failed, tried = doctest.DocTestRunner(verbose=False).run(test)
    assert tried
    assert not failed


@pytest.mark.extended
@pytest.mark.parametrize("module", [library, decks, session, weaknesses, scores], ids=lambda module: module.__name__)
def test_the_examples_of_the_docstrings_are_true(module, here):
    tests = [test for test in doctest.DocTestFinder(exclude_empty=True).find(module) if test.examples]
    assert tests
    for test in tests:
        run(test)


def test_every_function_of_the_library_has_an_example():
    functions = [getattr(library, name) for name in library.__all__ if name[0].islower()]
    methods = [
        method
        for noun in (library.Deck, library.Party, library.Campaign)
        for name, method in vars(noun).items()
        if inspect.isfunction(method) and not name.startswith("_")
    ]
    assert len(functions) > 8
    without = [each.__qualname__ for each in (*functions, *methods) if ">>>" not in (each.__doc__ or "")]
    assert without == ["Campaign.check"]  # its example is in the docstring of the class


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"tabu": "latest"}, "--tabu cannot be used with decks for this game."),
        ({"taboo": ["latest"]}, "`taboo` must be a text."),
        ({"taboo": True}, "`taboo` must be a text."),
        ({"standalone": "yes"}, "`standalone` must be true or false."),
        ({"standalone": 1}, "`standalone` must be true or false."),
        ({"owned": "core"}, "`owned` must be a list of texts, such as [PRODUCT]."),
        ({"owned": [5]}, "`owned` must be a list of texts, such as [PRODUCT]."),
        ({"owned": {"core": 2}}, "`owned` must be a list of texts, such as [PRODUCT]."),
    ],
)
def test_a_wrong_option_is_an_error_in_every_question(wrong, said, real):
    deck = library.Deck(ROLAND)
    for ask in (
        deck.check,
        lambda **given: deck.upgrade_to(deck, **given),
        lambda **given: deck.plan(["Guts"], **given),
    ):
        with pytest.raises(library.DeckFileError, match=re.escape(said)):
            ask(**wrong)
    (refused,) = library.Session().check_decks([deck.file], **wrong)
    assert said in str(refused)


@pytest.mark.parametrize("unset", [{"taboo": None}, {"standalone": False}, {"owned": ()}, {"boon": None, "tabu": None}])
def test_an_option_that_is_not_set_changes_nothing(unset, real):
    deck = library.Deck(ROLAND)
    assert library.as_json(deck.check(**unset)) == library.as_json(deck.check())
    assert library.Deck(KYRA).check(**unset).game == "pathfinder"


def test_the_number_of_a_taboo_list_may_be_a_number(real):
    rules = lambda **given: library.Deck(ROLAND).check(**given).details["judged_by"]["taboo"]  # noqa: E731
    assert rules(taboo=8) == rules(taboo="8") != rules(taboo="none")
    with pytest.raises(library.DeckFileError, match="no taboo list '0'"):
        rules(taboo=0)


@pytest.mark.extended
@pytest.mark.parametrize("page", [PAGE, TUTORIAL], ids=lambda page: page.stem)
def test_the_examples_of_the_page_are_true(page, here):
    run(doctest.DocTestParser().get_doctest(page.read_text("utf-8"), {}, page.name, str(page), 0))


def test_the_manual_page_names_every_public_name():
    text = PAGE.read_text("utf-8")
    assert [name for name in library.__all__ if name != "__version__" and f"`{name}`" not in text] == []


def test_every_public_name_exists_and_has_a_docstring(real):
    for name in library.__all__:
        assert name == "__version__" or getattr(library, name).__doc__
    assert set(library.__all__) <= set(dir(library))
    with pytest.raises(AttributeError):
        library.nothing_of_this_name  # noqa: B018


def program(text):
    return subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout


def test_importing_the_library_imports_no_heavy_module():
    loaded = program("import sys, kb; print(*sorted(name for name in sys.modules if name.partition('.')[0] == 'kb'))")
    assert loaded.split() == ["kb", "kb.version"]


@pytest.mark.parametrize(
    ("asked", "spared"), [("search('mulligan')", "sqlite3 kb.decks.deckfile"), (f"Deck({KYRA!r}).check()", "whoosh")]
)
def test_a_search_opens_no_database_and_a_deck_check_no_index(real, asked, spared):
    loaded = program(f"import sys, kb\nkb.as_json(kb.{asked})\nprint(*sys.modules)")
    assert not {"typer", "sqlmodel", *spared.split()} & set(loaded.split())


@pytest.mark.extended
def test_the_library_returns_the_json_of_the_command_line(here, kb):
    as_json = library.as_json
    question = "may I attack twice"
    assert kb("search {} --json", question).json == as_json(library.search(question))
    assert kb("ask {} --json", question).json == as_json(library.ask(question))
    assert kb("show mulligan --json").json == as_json(library.show("mulligan"))
    assert kb("cards 'type:weapon set:mm' --json").json == library.cards("type:weapon set:mm", limit=50)
    reports = [as_json(report) for report in library.check_decks(["kyra.yaml", "gone.yaml"])]
    assert kb("deck check kyra.yaml gone.yaml --json").json == reports
    assert kb("party check kyra.yaml --json").json == as_json(library.Party("kyra.yaml").check())
    rebuilt = library.Party("table.yaml").rebuild(fill=True)
    assert kb("party rebuild table.yaml --fill --json").json == as_json(rebuilt)


@pytest.mark.extended
def test_functions_of_single_games_return_the_json_of_the_command_line(here, kb):
    roland = library.Deck.load("roland.yaml")
    drawn = library.draw_weaknesses(roland, number=2, owned=["core"], seed=7)
    assert kb("deck weakness roland.yaml -n 2 --owned core --seed 7 --json").json == library.as_json(drawn)
    (here / "final.yaml").write_text("players: [{name: Ana, vases: 1, looted: 3, locations: [4], sarcophagi: both}]\n")
    assert kb("score luxor final.yaml --json").json == library.as_json(library.score("final.yaml"))
    step = roland.upgrade_to(library.Deck.load("after.yaml"), earned=[7])
    assert kb("deck upgrade roland.yaml after.yaml --xp 7 --json").json == library.as_json(step)
    planned = roland.plan([library.Deck.load("after.yaml")], experience=7)
    assert kb("deck plan roland.yaml --want after.yaml --xp 7 --json").json == library.as_json(planned)
    assert library.Deck.new("Lini", set="rotr").text == kb("deck new Lini --set rotr").out


def test_what_is_wrong_is_a_sentence(here):
    wrong = [
        (lambda: library.search("attack", within="nowhere"), "There is no game, set or folder called 'nowhere'"),
        (lambda: library.search("attack", kind="poem"), "There is no kind 'poem'"),
        (lambda: library.show("no such thing at all"), "There is no entry"),
        (lambda: library.Deck.load("gone.yaml"), "gone.yaml: cannot be read"),
        (
            lambda: library.Deck.load("kyra.yaml").check(taboo="latest"),
            "--taboo cannot be used with decks for this game",
        ),
        (lambda: library.Deck('[{"slots": {}, "x": 1}, {"slots": {}, "x": 2}]'), "contains 2 decks"),
        (lambda: library.Deck.new("Nobody"), "There is no character 'Nobody'"),
        (lambda: library.Party().check(), "No deck given"),
        (lambda: library.Party("kyra.yaml", "table.yaml").rebuild(), "This is a party file, not a deck"),
        (lambda: library.Party(library.Deck("investigator: Roland Banks")).rebuild(), "there is no `kb party rebuild`"),
        (lambda: library.draw_weaknesses(number=99), "The pool contains"),
        (lambda: library.score("gone.yaml"), "gone.yaml: cannot be read"),
    ]
    for call, said in wrong:
        with pytest.raises(library.KbError) as told:
            call()
        assert said in str(told.value)
        assert str(told.value).endswith((".", "?"))
    with pytest.raises(library.KbError, match="Files cannot be opened here"), library.Session(files=False) as closed:
        library.Deck.load("kyra.yaml", session=closed)
    with pytest.raises(TypeError):
        library.as_json(7)


def test_an_ambiguous_name_raises_an_error_with_its_candidates(real):
    with pytest.raises(library.Ambiguous) as told:
        library.show("closing a location")
    assert len(told.value.candidates) > 1
    assert {library.show(found)["title"] for found, _title in told.value.candidates} == {"Closing a location"}


def test_one_session_answers_several_questions(here):
    with library.Session(chosen="arkham") as held:
        assert held.search("mulligan").scope == "arkham"
        assert held.search("mulligan", within="all").scope is None
        assert held.show("mulligan")["game"] == "arkham"
        report = library.Deck.load("kyra.yaml", session=held).check()
        assert held.as_json(report)["findings"][0]["cites"][0]["title"] == "Cards List"
        assert library.Party("table.yaml", session=held).rebuild().decks.keys() == {"Kyra", "Ezren"}
    held.close()


def mypy(script):
    """Return the output of `mypy --strict` for the file `script`."""
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", str(script)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    ).stdout


def test_the_examples_of_the_manual_pass_a_strict_check_of_types_and_a_wrong_option_does_not(tmp_path):
    script = tmp_path / "script.py"
    source = "import kb\nfrom kb import *\n"
    for page in (PAGE, PAGE.with_name("api.md")):
        for number, block in enumerate(re.findall(r"```pycon\n(.*?)```", page.read_text("utf-8"), re.DOTALL)):
            lines = "".join(each.source for each in doctest.DocTestParser().get_examples(block)).replace(
                "import kb\n", ""
            )
            if lines:
                source += f"\ndef {page.stem}_{number}() -> None:\n{indent(lines, '    ')}"
    script.write_text(source)
    said = mypy(script)
    assert "Success" in said, said
    script.write_text("import kb\n\nkb.Deck('x').check(taboo=8.5)\nwrong: int = kb.search('x').hits[0].id\n")
    said = mypy(script)
    assert 'script.py:3: error: Argument "taboo" to "check" of "Deck" has incompatible type "float"' in said
    assert "script.py:4: error: Incompatible types" in said
    assert "Found 2 errors" in said
