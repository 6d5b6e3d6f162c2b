"""The command `kb`: commands only parse, call and print."""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module
from pathlib import Path

import typer

from kb.cli.terminal import warn

SHOWN = 40

app = typer.Typer(
    help="Rules reference and deck checker for adventure card games. Everything works offline.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
# The modules of the commands, in the order of the help; those of DECK add to `kb deck`.
MODULES = (
    "kb.cli.search",
    "kb.cli.show",
    "kb.cli.cards",
    "kb.cli.deck",
    "kb.games.luxor.cli",
    "kb.cli.catalog",
    "kb.cli.site",
    "kb.games.arkham.cli.imports",
)
DECK = (
    "kb.games.tainted_grail.cli",
    "kb.games.arkham.cli.upgrade",
    "kb.games.arkham.cli.convert",
    "kb.cli.deck_page",
    "kb.games.arkham.cli.table",
)
# Commands that one module alone serves: the others are not imported for them, which saves 15 ms of 130.
ALONE = {
    "search": "kb.cli.search",
    "ask": "kb.cli.search",
    "show": "kb.cli.show",
    "cards": "kb.cli.cards",
    "build": "kb.cli.catalog",
    "doctor": "kb.cli.catalog",
}
_registered: set[str] = set()


def register_commands(command: str | None = None) -> None:
    """Add the commands to `app`: the one that is named where a module alone serves it, else all."""
    wanted = (ALONE[command],) if command in ALONE else (*MODULES, *DECK)
    for name in wanted:
        if name not in _registered:
            module = import_module(name)
            module.register(import_module("kb.cli.deck").app if name in DECK else app)
            _registered.add(name)


@app.callback(invoke_without_command=True)
def version(show: bool = typer.Option(False, "--version", help="Print the version and stop.")) -> None:
    """Rules reference and deck checker for adventure card games. Everything works offline."""
    if show:
        from kb import __version__

        typer.echo(f"kb {__version__}")
        raise typer.Exit


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
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        pass
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
    at = traceback.extract_tb(error.__traceback__)[-1]
    warn(
        f"This is a fault of kb's: {type(error).__name__}: {str(error)[:300]} ({at.filename}:{at.lineno}).\n"
        "Should a damaged cache be the reason, `kb build` makes it anew. KB_DEBUG=1 shows more."
    )
    return 2


def main() -> None:
    """Run the command line; errors that a user can mend are sentences on standard error, with exit code 2."""
    from kb.catalog.postgres import DatabaseError
    from kb.load.problems import SourceError

    register_commands(sys.argv[1] if len(sys.argv) > 1 else None)
    try:
        app()
    except SourceError as error:
        shown = "\n".join(map(str, error.problems[:SHOWN]))
        more = f"{len(error.problems) - SHOWN} more: kb doctor. " if len(error.problems) > SHOWN else ""
        fail(f"{shown}\n{more}{len(error.problems)} problems in the sources; nothing was built.")
    except DatabaseError as error:
        fail(str(error))
    except BrokenPipeError:
        # The reader of our output has gone (`kb search … | head`): not an error of the user's.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else "Reading or writing failed: "
        fail(f"{place}{error.strerror or error}.")


def fail(message: str) -> None:
    """Print a message to standard error and stop with exit code 2."""
    warn(message)
    sys.exit(2)
