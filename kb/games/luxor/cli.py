"""`kb score`: scores a final position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.deck_files import print_line
from kb.cli.help import Commands
from kb.cli.session import session_here
from kb.cli.terminal import AsJson, print_json

if TYPE_CHECKING:
    from kb.citation import Citation
    from kb.games.luxor.score import PlayerScore

app = Commands(name="score", help="Score a final position; every line cites its rule.", no_args_is_help=True)
COMPLETE, ASKED = 0, 1


@app.callback()
def games() -> None:
    """Score a final position; every line cites its rule."""


@app.command()
def luxor(
    name: Annotated[str, typer.Argument(metavar="FILE", help="A final position (YAML or JSON); - for standard input.")],
    as_json: AsJson = False,
) -> None:
    """Score a final position of Luxor: treasure sets at their best, keys, scarabs, looted tiles, locations, sarcophagi.

    Values that the rules do not give are asked for. Exit code 0: scored; 1: a value is missing; 2: the file cannot be read.

    Examples:
        kb score luxor final.yaml
        kb score luxor final.yaml --json
    """
    from kb.games.luxor.score import score

    scored = score(name)
    with session_here() as session:
        if as_json:
            print_json(session.as_json(scored))
        for player in () if as_json else scored.players:
            print_player(player, session.cites)
    if not as_json and scored.most_points:
        points = max(player.points for player in scored.players)
        print_line(("bold", f"Most points: {' and '.join(scored.most_points)} ({points})."))
        if len(scored.most_points) > 1:
            print_line(("", "  It is a tie; the summary of the rules does not say how one is broken."))
    raise typer.Exit(COMPLETE if scored.complete else ASKED)


def print_player(player: PlayerScore, cites: dict[str, Citation]) -> None:
    """One player's score for people."""
    total = f"{player.points} points" if player.complete else f"{player.points} points and what is missing"
    print_line(("bold", f"{player.name}: "), ("green" if player.complete else "magenta", total))
    for line in player.lines:
        points = "?" if line.points is None else str(line.points)
        rule = cites[line.cites[0]].title
        print_line(
            ("", f"  {line.what:<14}{points:>4}  {line.detail}"), ("dim", f"  [{rule}: {', '.join(line.cites)}]")
        )
        if line.ask:
            print_line(("magenta", f"    {line.ask}"))
