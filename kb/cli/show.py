"""`kb show`: an entry or card whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.completion import titles
from kb.cli.pager import close_page
from kb.cli.place import ByRules, Within
from kb.cli.session import session_here
from kb.cli.terminal import AsJson, dim, is_terminal, print_json, tell, warn
from kb.cli.whole import lines_of

if TYPE_CHECKING:
    from kb.api.showing import Ambiguous, Shown


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("show")(show)


def show(
    entry: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME...",
            autocompletion=titles,
            help="A title, name or code (mulligan, Holy Light, 01020), the last part of an id, or a whole id.",
        ),
    ],
    within: Within = None,
    rules: ByRules = None,
    as_json: AsJson = False,
) -> None:
    """Print an entry, a card or a list of entries whole: text, source, what links to it, which deck checks cite it.

    When several are called so, they are listed; a terminal asks which is meant.

    Examples:
        kb show mulligan
        kb show 01020
    """
    from kb.api.showing import Ambiguous, NotFound

    name = " ".join(entry).strip()
    with session_here() as session:
        try:
            found = session.show(name, within=within, rules=rules)
        except Ambiguous as several:
            chosen = session.get(chosen_of(several))
            assert chosen is not None
            found = chosen
        except NotFound as error:
            warn(str(error))
            raise typer.Exit(1) from None
    if as_json:
        print_json(found)
    else:
        print_shown(found)


def print_shown(found: Shown) -> None:
    """An entry, a card, a passage or a list for people."""
    for line in lines_of(dict(found)):
        tell(line)


def chosen_of(several: Ambiguous) -> str:
    """The id of the one that the user picks. Stops with exit code 1 when nobody can pick."""
    import sys

    found = several.candidates
    listed = [f"{number:>2}  {title}  {dim(exact_id)}" for number, (exact_id, title) in enumerate(found, 1)]
    if not (is_terminal() and sys.stdin.isatty()):
        warn(str(several))
        raise typer.Exit(1)
    tell("\n".join([f"Several are called {several.name!r}:", *listed]))
    close_page()
    number: int = typer.prompt("Which", type=int, default=1)
    return found[max(1, min(len(found), number)) - 1][0]
