"""The command `kb score`, which scores the final position of a game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.help import Commands
from kb.cli.session import session_here
from kb.cli.terminal import AsJson, coloured, dim, print_found, strong

if TYPE_CHECKING:
    from kb.citation import Citation
    from kb.games.luxor.score import PlayerScore, Score

app = Commands(name="score", help="Score a final position.", no_args_is_help=True)
COMPLETE, ASKED = 0, 1


@app.callback()
def games() -> None:
    """Score a final position."""


@app.command()
def luxor(
    name: Annotated[
        str, typer.Argument(metavar="FILE", help="A final position in YAML or JSON, or - for standard input.")
    ],
    as_json: AsJson = False,
) -> int:
    """Score a final position of Luxor: best treasure sets, keys, scarabs, looted tiles, locations, sarcophagi.

    It asks for values that the rules do not define. The exit code is 1 if a value is missing.

    Examples:
        kb score luxor final.yaml
        kb score luxor final.yaml --json
    """
    from kb.games.luxor.score import score

    scored = score(name)
    with session_here() as session:
        print_found(scored, score_lines(scored, session.cites), as_json, session.cites)
    return COMPLETE if scored.complete else ASKED


def score_lines(scored: Score, cites: dict[str, Citation]) -> Iterator[str]:
    """Yield the lines that the terminal shows for `scored`: every player's score, then the players with most points."""
    for player in scored.players:
        yield from player_lines(player, cites)
    if scored.most_points:
        points = max(player.points for player in scored.players)
        yield strong(f"Most points: {' and '.join(scored.most_points)} ({points}).")
    if len(scored.most_points) > 1:
        yield "  The game ends in a tie. The rules summary does not say how to break it."


def player_lines(player: PlayerScore, cites: dict[str, Citation]) -> Iterator[str]:
    """Yield the lines that the terminal shows for one player: the total, then each scored kind with its rule."""
    complete = coloured(f"{player.points} points", "green")
    total = complete if player.complete else coloured(f"{player.points} points so far", "magenta")
    yield f"{strong(f'{player.name}:')} {total}"
    for line in player.lines:
        points = "?" if line.points is None else str(line.points)
        rule = dim(f"[{cites[line.cites[0]].title}: {', '.join(line.cites)}]")
        yield f"  {line.what:<14}{points:>4}  {line.detail}  {rule}"
        if line.ask:
            yield coloured(f"    {line.ask}", "magenta")
