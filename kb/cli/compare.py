"""`kb compare`: a rule in two editions or sets of its game, side by side."""

from __future__ import annotations

from typing import Annotated

import typer

from kb.cli.completion import titles
from kb.cli.place import ByRules, Within
from kb.cli.session import session_here
from kb.cli.show import chosen_of
from kb.cli.terminal import AsJson, body_lines, dim, print_json, strong, tell, warn


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("compare")(compare)


def compare(
    rule: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="RULE...", autocompletion=titles, show_default=False, help="A title, name or id; none: all changes."
        ),
    ] = None,
    within: Within = None,
    rules: ByRules = None,
    as_json: AsJson = False,
) -> None:
    """Compare a rule in the editions or sets of its game, entry by entry, with what differs in a sentence.

    Without a rule it lists what a game's newest edition changed: new, changed and gone. Exit code 1 when there is nothing to compare.

    Examples:
        kb compare alert
        kb compare closing a location --in mm
    """
    from kb.api.showing import Ambiguous, NotFound

    name = " ".join(rule or []).strip()
    with session_here() as session:
        try:
            if not name:
                listed = session.changes(within)
                print_json(listed) if as_json else print_changes(dict(listed))
                return
            try:
                found = session.compare(name, within=within, rules=rules)
            except Ambiguous as several:
                found = session.compare(chosen_of(several), rules=rules)
        except NotFound as error:
            warn(str(error))
            raise typer.Exit(1) from None
    if as_json:
        print_json(found)
        return
    for number, each in enumerate(found["entries"]):
        tell(("\n" if number else "") + f"{strong(each['of'])}: {strong(each['title'])}")
        tell(dim(f"{each['id']} · {each['source']}"))
        tell()
        for line in body_lines(each["text"]):
            tell(line)
        if each["differs"]:
            tell(f"\n{strong('What differs')}: {each['differs']}")


def print_changes(found: dict[str, object]) -> None:
    """What an edition changed, for people."""
    for key, heading in (("changed", "Changed"), ("new", "New"), ("gone", "Left out")):
        listed = found[key]
        assert isinstance(listed, list)
        tell(("" if key == "changed" else "\n") + strong(f"{heading} by {found['edition']}: {len(listed)}"))
        for item in listed:
            says = f": {item['says']}" if item.get("says") else ""
            tell(f"  {item['title']}{says}  {dim(item['id'])}")
