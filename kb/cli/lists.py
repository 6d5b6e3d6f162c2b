"""`kb characters` and `kb scenarios`: who and what there is to play."""

from __future__ import annotations

import typer

from kb.cli.place import Within
from kb.cli.session import session_here
from kb.cli.table import print_table
from kb.cli.terminal import AsJson, is_terminal, print_json, tell


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("characters")(characters)
    app.command("scenarios")(scenarios)


def characters(within: Within = None, as_json: AsJson = False) -> None:
    """List the characters and investigators of each game. Exit code 1 when there is none.

    Examples:
        kb characters
        kb characters --in mm
    """
    listed("characters", within, as_json)


def scenarios(within: Within = None, as_json: AsJson = False) -> None:
    """List the scenarios of each game that has any. Exit code 1 when there is none.

    Examples:
        kb scenarios
        kb scenarios --in rotr
    """
    listed("scenarios", within, as_json)


def listed(what: str, within: str | None, as_json: bool) -> None:
    """Print a list of the games and sets that are asked for, or of the chosen one."""
    from kb.catalog import called

    with session_here() as session:
        place = session.place(within)
        scope = place.within or place.chosen or ""
        found = called.who_plays(session.catalog) if what == "characters" else called.scenarios(session.catalog)
    of_set = [row for row in found if f"{row['game']}/{row['set']}" == scope]
    found = of_set or [row for row in found if not scope or row["game"] == scope.partition("/")[0]]
    if as_json:
        print_json(found)
    elif is_terminal() and found:
        print_table(
            [
                ["name", "", "set", "game", "id"],
                *([row[key] for key in ("name", "subtitle", "set", "game", "id")] for row in found),
            ]
        )
    else:
        for row in found:
            tell("\t".join(row[key] for key in ("name", "subtitle", "set", "game", "id")))
    if not found:
        tell(f"No {what} are listed here{f' of {scope}' if scope else ''}.")
    raise typer.Exit(0 if found else 1)
