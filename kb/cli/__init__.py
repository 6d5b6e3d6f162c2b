"""The command `kb`. The commands only parse the command line, call kb's functions and print the results."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import typer

from kb.cli.help import Asking, Commands, shown
from kb.cli.terminal import paged, warn
from kb.plural import counted
from kb.registry import games
from kb.registry import module as game_module

SHOWN = 40


class Top(Asking):
    """The top-level group of commands, `kb` itself."""


app = Commands(
    cls=Top,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
# The modules of kb's own commands and groups of commands, in the order of the help.
COMMANDS = {
    "search": "search:search", "ask": "search:ask", "show": "lookup:show", "compare": "lookup:compare", "use": "lookup:use",
    "cards": "lookup:cards", "characters": "lookup:characters", "scenarios": "lookup:scenarios", "deck": "deck:app",
    "score": "score:score", "party": "party:app", "campaign": "campaign:app", "build": "catalog:build",
    "doctor": "catalog:doctor", "site": "site:app", "serve": "service:serve", "mcp": "service:mcp", "import": "imports:app",
    "new": "catalog:new", "export": "catalog:export",
}  # fmt: skip
# In a query, a minus excludes cards (`-trait:basic`). Words that are not options therefore belong to the query, even if they begin with
# `-h`. Only `-h` alone prints help.
SETTINGS: dict[str, dict[str, Any]] = {
    "cards": {"context_settings": {"ignore_unknown_options": True, "help_option_names": ["--help"]}},
    "build": {"hidden": True},  # the old name of `kb doctor --rebuild`
}
GROUPS = ("deck", "import")
Top.sections = {
    "Look up": ("search", "ask", "show", "compare", "cards", "characters", "scenarios", "scenario", "odds", "use"),
    "Decks": ("deck", "score"),
    "Tables and campaigns": ("party", "campaign"),
    "Site": ("site",),
    "For programs": ("serve", "mcp", "export"),
    "Upkeep": ("doctor", "import", "new"),
}
_registered: set[str] = set()


def register_commands(*words: str) -> None:
    """Add commands to `app`; `words` is the beginning of the command line.

    If the first word is a command of kb's own, only that command is added, with the subcommands that games add to it.
    Otherwise, all commands are added, including the games' commands. Only the modules of added commands are imported.
    """
    first = words[0] if words else ""
    for name in [first] if first in COMMANDS else COMMANDS:
        module, _, function = COMMANDS[name].partition(":")
        add(app, name, getattr(import_module(f"kb.cli.{module}"), function), name)
    wanted = [first] if first in GROUPS else ["", *GROUPS] if first not in COMMANDS else []
    for about in games().values() if wanted else ():
        for path, where in about.commands.items():
            group, _, name = path.rpartition(" ")
            if group in wanted:
                module, _, function = where.partition(":")
                parent = import_module(f"kb.cli.{COMMANDS[group].partition(':')[0]}").app if group else app
                add(parent, name, getattr(game_module(about, module), function), path)


def add(parent: typer.Typer, name: str, command: Any, path: str) -> None:
    """Add a command or a group of commands to `parent` under a name. Do nothing if `path` (such as `deck check`) has
    been added before.
    """
    if path in _registered:
        return
    _registered.add(path)
    if isinstance(command, typer.Typer):
        parent.add_typer(command, name=name)
    else:
        parent.command(name, **SETTINGS.get(path, {}))(command)


def top(
    context: typer.Context,
    show: bool = typer.Option(
        False, "--version", help="Print the versions of kb and of the rules documents, and stop."
    ),
) -> None:
    """Rules reference and deck checker for adventure card games. Works offline.

    `kb COMMAND -h` explains a command. Exit codes: 0 found or legal, 1 nothing found or a rule is broken, 2 unreadable input.

    Examples:
        kb ask "how many copies of a myriad card can I have"
        kb deck new Lini --out new.yaml
    """
    if show:
        from kb.cli.welcome import version

        version()
        raise typer.Exit
    if context.invoked_subcommand is None:
        from kb.cli.welcome import welcome

        welcome()


app.callback(invoke_without_command=True, help=shown(top))(top)

INTERRUPTED = 130
# The parser's exception for a wrong command line: Typer exports only subclasses of it.
WrongLine: Any = next(each for each in typer.BadParameter.__mro__ if each.__name__ == "ClickException")
COMPLETING = {"kb": "_KB_COMPLETE", "cardlore-kb": "_CARDLORE_KB_COMPLETE"}
"""For each program name, the environment variable that a shell sets to ask for completions."""


def program() -> str:
    """Return the name under which the user called this program: `kb` or `cardlore-kb`. For `python -m kb` and any
    other name, return `kb`.
    """
    name = Path(sys.argv[0]).name.removesuffix(".exe")
    return name if name in COMPLETING else "kb"


def run() -> None:
    """Run `main` as the program `kb`, and end the process.

    A command takes about a tenth of a second. To save 25 of 150 ms (measured on `kb search`), garbage collection is
    delayed at the start, and Python ends without its usual clean-up.
    """
    gc.set_threshold(100_000, 50, 50)
    os.environ.setdefault(
        "PYDANTIC_DISABLE_PLUGINS", "__all__"
    )  # otherwise Pydantic searches every package for plugins
    prepare_streams()
    out = sys.stdout
    code: object = 0
    try:
        main()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except SystemExit as stopped:
        # Typer replaces the stream if the reader is gone (`kb search … | head`): this is not a failure.
        code = stopped.code if sys.stdout is out else 0
    except Exception as error:
        code = unexpected(error)
    if code in (None, 0, 1) and COMPLETING[program()] not in os.environ:
        from kb.cli.welcome import tell_news

        with suppress(Exception):  # news can wait for the next command
            tell_news()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        pass
    if code == INTERRUPTED:  # end Python normally: it releases shared resources, or its resource tracker would warn
        sys.exit(code)
    os._exit(code if isinstance(code, int) else 0 if code is None else 1)


def prepare_streams() -> None:
    """Prepare the standard streams so that printing never stops a command. Closed streams become empty ones, and a
    character that a stream cannot write is escaped.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - as long as the process
        elif mode == "w":
            stream.reconfigure(errors="backslashreplace")


def unexpected(error: Exception) -> int:
    """Print a message about a bug in kb or in a game, and return the exit code 2. If KB_DEBUG is set, also print the
    traceback.
    """
    import traceback

    from kb.catalog.postgres import without_secrets

    if os.environ.get("KB_DEBUG"):
        for part in traceback.format_exception(error):
            print(part if part.startswith("  File ") else without_secrets(part), end="", file=sys.stderr)
    at = traceback.extract_tb(error.__traceback__)[-1]
    warn(
        f"This is a bug in kb or in a game of your own: {type(error).__name__}: {without_secrets(error)[:300]} ({at.filename}:{at.lineno}).\n"
        "If the cache is damaged, `kb doctor --rebuild` rebuilds it. KB_DEBUG=1 shows more."
    )
    return 2


def main() -> None:
    """Run the command line and exit. An error that the user can correct is printed as a sentence to standard error,
    with exit code 2 (1 if nothing was found).
    """
    from kb.errors import KbError
    from kb.sources.problems import SourceError

    try:
        if any(not word or (word.startswith("--") and word.endswith("=")) for word in sys.argv[1:]):
            raise KbError("The command line has an empty argument (''). Leave it out, or write . for this folder.")
        register_commands(*first_word())  # the game of another package may be invalid
        with paged():
            code = run_command()
        sys.exit(code)
    except SourceError as error:
        shown = "\n".join(map(str, error.problems[:SHOWN]))
        more = f"kb doctor lists {len(error.problems) - SHOWN} more. " if len(error.problems) > SHOWN else ""
        fail(f"{shown}\n{more}{counted(len(error.problems), 'problem')} in the sources; nothing was built.")
    except KbError as error:
        from kb.api.showing import NotFound

        fail(str(error), 1 if isinstance(error, NotFound) else 2)
    except BrokenPipeError:
        # The reader of our output is gone (`kb search … | head`): not an error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else "Reading or writing failed: "
        fail(f"{place}{error.strerror or error}.")


def first_word() -> list[str]:
    """Return the word after `kb` in the command line, or in the line that is being completed with Tab."""
    if COMPLETING[program()] not in os.environ:
        return sys.argv[1:2]
    line = os.environ.get("_TYPER_COMPLETE_ARGS") or os.environ.get("COMP_WORDS", "")
    return line.split()[1:2]


def run_command() -> int:
    """Run the command and return the exit code. If it fails because the catalog is damaged, rebuild the catalog and run
    it again.
    """
    from kb.sources.problems import SourceError

    try:
        return parsed_and_run()
    except (SourceError, BrokenPipeError):
        raise
    except Exception:
        from kb.catalog.store import build_catalog, damaged

        files = damaged()
        if not files:
            raise
        warn(f"The catalog was damaged ({', '.join(files[:5])}); it is being rebuilt.")
        build_catalog().close()
        return parsed_and_run()


def parsed_and_run() -> int:
    """Parse the command line, run its command and return the exit code."""
    try:
        return int(app(prog_name=program(), standalone_mode=False) or 0)
    except typer.Abort:  # Ctrl-C at a question
        return INTERRUPTED
    except WrongLine as error:
        error.show()
        return int(error.exit_code)


def fail(message: str, code: int = 2) -> None:
    """Print a message to standard error and exit with `code`."""
    warn(message)
    sys.exit(code)
