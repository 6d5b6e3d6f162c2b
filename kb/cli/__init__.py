"""The command `kb`: commands only parse, call and print."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import typer

from kb.cli.help import Commands
from kb.cli.pager import paged
from kb.cli.terminal import warn
from kb.games import foreign, games
from kb.games import module as game_module
from kb.plural import counted

SHOWN = 40

app = Commands(
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
# The modules of kb's own commands, in the order of the help. One that is named is imported alone: that saves 15 ms of 130.
MODULES = {
    "search": "search", "ask": "search", "show": "show", "use": "use", "cards": "cards", "deck": "deck", "party": "party",
    "campaign": "campaign", "build": "catalog", "doctor": "catalog", "site": "site", "serve": "service", "mcp": "service",
    "import": "imports", "new": "new", "export": "export",
    "completion": "completion", "man": "completion", "_complete": "completion",
}  # fmt: skip
GROUPS = ("deck", "import")
_registered: set[str] = set()


def register_commands(*words: str) -> None:
    """Add the commands to `app`: the one that `words` begin with where it is kb's own, else all, with those of the games."""
    first = words[0] if words else ""
    for name in [MODULES[first]] if first in MODULES else dict.fromkeys(MODULES.values()):
        if name not in _registered:
            import_module(f"kb.cli.{name}").register(app)
            _registered.add(name)
    if first in GROUPS or first not in MODULES:
        register_games([first] if first in GROUPS else ["", *GROUPS])


def register_games(groups: Sequence[str]) -> None:
    """Add the commands that games bring to groups (`deck`; an empty name is `kb` itself)."""
    for about in games().values():
        for path, where in about.commands.items():
            group, _, name = path.rpartition(" ")
            if path in _registered or group not in groups:
                continue
            module, _, function = where.partition(":")
            found = getattr(game_module(about, module), function)
            parent = import_module(f"kb.cli.{MODULES[group]}").app if group else app
            if isinstance(found, typer.Typer):
                parent.add_typer(found, name=name)
            else:
                parent.command(name)(found)
            _registered.add(path)


@app.callback(invoke_without_command=True)
def top(
    context: typer.Context,
    show: bool = typer.Option(False, "--version", help="Print the version, with those of the documents, and stop."),
) -> None:
    """Rules reference and deck checker for adventure card games. Everything works offline.

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


INTERRUPTED = 130


def run() -> None:
    """`main` as the program `kb`.

    A command lives for a tenth of a second: it needs no collection of cyclic garbage while it starts, and leaves without
    taking the interpreter apart. Together that saves 25 of 150 ms (measured on `kb search`).
    """
    gc.set_threshold(100_000, 50, 50)
    prepare_streams()
    out = sys.stdout
    code: object = 0
    try:
        main()
    except SystemExit as stopped:
        # Typer puts another stream there when the reader has gone (`kb search … | head`): that is no failure.
        code = stopped.code if sys.stdout is out else 0
    except Exception as error:
        code = unexpected(error)
    if code in (None, 0, 1) and sys.argv[1:2] != ["_complete"]:
        from kb.cli.welcome import tell_news

        with suppress(Exception):  # what is new can wait for another time
            tell_news()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        pass
    if code == INTERRUPTED:  # what processes share is given back, or Python's tracker of it would say so
        sys.exit(code)
    os._exit(code if isinstance(code, int) else 0 if code is None else 1)


def prepare_streams() -> None:
    """Let a closed stream read or write nothing, and no character that a stream cannot write stop a command."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - as long as the process
        elif mode == "w":
            stream.reconfigure(errors="backslashreplace")


def unexpected(error: Exception) -> int:
    """Say that kb itself failed; returns the exit code 2. With KB_DEBUG set the traceback is shown."""
    import traceback

    if os.environ.get("KB_DEBUG"):
        traceback.print_exception(error)
    frames = traceback.extract_tb(error.__traceback__)
    at = frames[-1]
    folders = []
    with suppress(Exception):
        folders = [folder for _package, folder in foreign()]
    own = next((each for each in reversed(frames) if not {*folders}.isdisjoint(Path(each.filename).parents)), None)
    if own is not None:
        warn(
            f"A game that is not of kb fails: {type(error).__name__}: {str(error)[:300]} ({own.filename}:{own.lineno}).\nKB_DEBUG=1 shows more."
        )
        return 2
    warn(
        f"This is a bug in kb: {type(error).__name__}: {str(error)[:300]} ({at.filename}:{at.lineno}).\n"
        "If a damaged cache is the cause, `kb build` rebuilds it. KB_DEBUG=1 shows more."
    )
    return 2


def main() -> None:
    """Run the command line; errors that a user can mend are sentences on standard error, with exit code 2."""
    from kb.errors import KbError
    from kb.load.problems import SourceError

    try:
        register_commands(*sys.argv[1:2])  # a game of another package may be none
        with paged():
            run_command()
    except SourceError as error:
        shown = "\n".join(map(str, error.problems[:SHOWN]))
        more = f"{len(error.problems) - SHOWN} more: kb doctor. " if len(error.problems) > SHOWN else ""
        fail(f"{shown}\n{more}{counted(len(error.problems), 'problem')} in the sources; nothing was built.")
    except KbError as error:
        fail(str(error))
    except BrokenPipeError:
        # The reader of our output has gone (`kb search … | head`): not an error of the user's.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else "Reading or writing failed: "
        fail(f"{place}{error.strerror or error}.")


def run_command() -> None:
    """Run the command; should it fail over a damaged catalog, once more after that was built anew."""
    from kb.load.problems import SourceError

    try:
        app(prog_name="kb")
    except (SourceError, BrokenPipeError):
        raise
    except Exception:
        from kb.catalog.store import build_catalog, damaged

        files = damaged()
        if not files:
            raise
        warn(f"The catalog was damaged ({', '.join(files[:5])}); it is being rebuilt.")
        build_catalog().close()
        app(prog_name="kb")


def fail(message: str) -> None:
    """Print a message to standard error and stop with exit code 2."""
    warn(message)
    sys.exit(2)
