"""The architecture: imports go in one direction and never in a circle. The general packages of kb name no game and no
card.
"""

import ast
import re

import pytest

from kb.registry import games
from kb.site.checker.pack import PURE
from tests.conftest import EXTENDED, ROOT

KB = ROOT / "kb"

# BESIDE: modules and packages that every other package may import.
# MAY_IMPORT: the packages that each package may import.
BESIDE = {
    "authority",
    "citation",
    "errors",
    "files",
    "frozen",
    "json_schema",
    "markup",
    "own_records",
    "paths",
    "plural",
    "registry",
    "sentences",
    "settings",
    "shapes",
    "version",
    "kb",
}
MAY_IMPORT = {
    "sources": set(),
    "decks": set(),
    "campaigns": {"sources", "decks"},
    "retrieval": set(),
    "catalog": {"sources", "retrieval"},
    "site": {"sources", "decks", "campaigns", "retrieval", "catalog", "export"},
    "personal": {"sources", "decks"},
    "web": {"sources", "decks", "retrieval", "catalog", "api"},
    "api": {"sources", "decks", "campaigns", "retrieval", "catalog"},
    "starter": set(),
    "judge": {"decks", "catalog", "api"},
    "export": {"sources", "decks", "catalog", "api"},
    "cli": {
        "sources",
        "decks",
        "campaigns",
        "retrieval",
        "catalog",
        "site",
        "personal",
        "starter",
        "export",
        "judge",
        "api",
        "web",
    },
}
# For each package of a game: the general packages that it may import, and the game's own packages that it must not
# import.
GAME_MAY_IMPORT = {
    "schema": (set(), {"cards", "decks", "campaign", "imports", "pages", "cli"}),
    "records": ({"sources"}, {"cards", "decks", "campaign", "imports", "pages", "cli"}),
    "own_cards": ({"sources", "decks"}, {"cards", "decks", "campaign", "imports", "pages", "cli"}),
    "cards": ({"sources"}, {"decks", "campaign", "imports", "pages", "cli"}),
    "scenarios": ({"sources", "decks"}, {"cards", "decks", "party", "campaign", "imports", "pages", "cli"}),
    "decks": ({"decks"}, {"cards", "campaign", "imports", "pages", "cli"}),
    "campaign": ({"decks", "campaigns"}, {"cards", "imports", "pages", "cli"}),
    "party": ({"decks"}, {"cards", "campaign", "imports", "pages", "cli"}),
    "imports": ({"sources"}, {"decks", "campaign", "pages", "cli"}),
    "pages": ({"sources", "decks", "catalog", "site"}, {"imports", "cli"}),
    "cli": ({"sources", "decks", "catalog", "api", "cli"}, {"pages"}),
}
# kb/__init__.py lists the functions of the library, so its strings name modules of other packages.
NAMES_OTHERS = {"kb"}
# The docstrings of these modules contain examples with entries of games.
EXAMPLES = {"kb", "kb.api.session", "kb.api.decks"}


def modules():
    found = {}
    for path in KB.rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def imports(path):
    """Yield the name of every module that a file imports, including imports for type checks and inside functions."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for name in node.names:
                full = f"{node.module}.{name.name}"
                yield full if full in MODULES else node.module
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


GRAPH = {name: {each for each in imports(path) if each in MODULES and each != name} for name, path in MODULES.items()}


def room(module):
    """Return (game, package) for a module. The game is None for a general package of kb."""
    parts = module.split(".")
    if parts[:2] == ["kb", "games"] and len(parts) > 2 and (KB / "games" / parts[2]).is_dir():
        return parts[2], parts[3] if len(parts) > 3 else "game"
    return None, parts[1] if len(parts) > 1 else "kb"


def test_nothing_imports_in_a_circle():
    index = {}
    low = {}
    stack = []
    circles = []

    def visit(name):
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in GRAPH[name]:
            if other not in index:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            at = stack.index(name)
            circle = stack[at:]
            del stack[at:]
            if len(circle) > 1:
                circles.append(sorted(circle))

    for name in GRAPH:
        if name not in index:
            visit(name)
    assert circles == []


@pytest.mark.parametrize("name", sorted(MODULES))
def test_imports_run_one_way(name):
    game, own = room(name)
    for other in GRAPH[name]:
        its_game, its_room = room(other)
        if its_game is None and (its_room in BESIDE or (game is None and its_room == own)):
            continue
        if game is None:
            allowed = MAY_IMPORT.get(own, set(MAY_IMPORT)) if own not in BESIDE else set()
            assert name in NAMES_OTHERS or (its_game is None and its_room in allowed), f"{name} imports {other}"
        elif own in GAME_MAY_IMPORT:
            engine, above = GAME_MAY_IMPORT[own]
            fine = its_room in engine if its_game is None else its_game == game and its_room not in above
            assert fine, f"{name} imports {other}"
        else:  # game.py, and modules of a small game without packages
            assert its_game in (None, game), f"{name} imports {other}"


@pytest.mark.parametrize("name", sorted(name for name in MODULES if room(name)[0] is None and name not in EXAMPLES))
def test_no_engine_room_names_a_game(name):
    words = {word for about in games().values() for word in (about.id, about.package.rpartition(".")[2], about.short)}
    named = re.compile(rf"\b({'|'.join(map(re.escape, sorted(words)))})", re.I)
    for number, line in enumerate(MODULES[name].read_text("utf-8").splitlines(), 1):
        assert not named.search(line), f"{name}:{number}: {line.strip()}"


@pytest.mark.parametrize("path", sorted((ROOT / "site" / "templates").rglob("*.j2")), ids=lambda path: path.name)
def test_no_template_of_the_frame_names_a_game(path):
    words = [about.id for about in games().values()]
    assert not [word for word in words if re.search(rf"\b{word}\b", path.read_text("utf-8"))]


def test_rules_of_decks_need_nothing_but_python_and_yaml():
    """These modules run in a browser, where other libraries are missing. Imports inside functions are allowed."""
    import sys

    allowed = set(sys.stdlib_module_names) | {"kb", "yaml", "__future__"}
    for name, path in MODULES.items():
        _game, own = room(name)
        if own not in ("decks", "schema") and not name.startswith("kb.shapes"):
            continue
        for node in ast.parse(path.read_text("utf-8")).body:
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [each.name for each in node.names] if isinstance(node, ast.Import) else []
            assert {each.split(".")[0] for each in names} <= allowed, f"{name} imports {names}"


def test_the_checker_of_the_page_needs_no_library_that_is_not_packed(tmp_path):
    """Imports the checker and the parts of games with only Python's library and the modules that `kb.site.checker.pack`
    packs.
    """
    import subprocess
    import sys

    script = """
import sys
from importlib.abc import MetaPathFinder
class Absent(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        first = name.partition(".")[0]
        if first not in {*sys.stdlib_module_names, "kb", *sys.argv[1:]}:
            raise ModuleNotFoundError(f"{name} is not in the page")
sys.meta_path.insert(0, Absent())
from kb import registry
from kb.registry import games
from kb.site.checker.pack import PURE
from kb.site.checker import campaign, worker
from kb.site.decks import party_page
for about in games().values():
    for part in ("decks", "party", "upgrades", "pages", "campaigns", "form", "scoring", "plans"):
        registry.part(about.id, part)
"""
    env = {"KB_HOME": str(tmp_path), "KB_SOURCES": str(ROOT)}  # the page sets these variables
    done = subprocess.run(
        [sys.executable, "-c", script, *PURE], capture_output=True, text=True, check=False, cwd=ROOT, env=env
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", sorted(name for name in MODULES if not name.startswith("kb.catalog")))
def test_only_the_catalog_speaks_sql(name):
    assert not re.findall(r"\bSELECT .*", MODULES[name].read_text("utf-8"))


def test_the_modules_of_extended_tests_are_there():
    assert [name for name in EXTENDED if not (ROOT / "tests" / name).exists()] == []


def test_a_public_class_has_a_name_of_its_own():
    """Each public class name is used only once in all of kb, and each module is named after its contents."""
    homes: dict[str, set[str]] = {}
    for path in KB.rglob("*.py"):
        assert path.stem not in {"model", "adapter", "frame", "utils", "helpers"}, path
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, set()).add(path.relative_to(ROOT).as_posix())
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


def test_files_are_short():
    long = {name: lines for name, path in MODULES.items() if (lines := path.read_text("utf-8").count("\n")) > 600}
    assert long == {}


@pytest.mark.parametrize("name", sorted(MODULES))
def test_functions_fit_a_screen(name):
    """The body of a function has at most 50 lines, not counting its signature and docstring."""
    long = {}
    for node in ast.walk(ast.parse(MODULES[name].read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            lines = (node.end_lineno or 0) - body[0].lineno + 1 if body else 0
            if lines > 50:
                long[node.name] = lines
    assert long == {}


def test_the_guides_name_only_existing_files():
    guides = (ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
    text = "\n".join(path.read_text("utf-8") for path in guides)
    named = set(re.findall(r"`((?:kb|site|content|cards|tests)/[\w./-]*)`", text))
    assert len(named) > 30
    assert {name for name in named if not (ROOT / name).exists()} == set()
