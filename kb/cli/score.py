"""The command `kb score`, which scores the final position of a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.session import session_here
from kb.cli.terminal import AsJson, coloured, dim, print_found, strong
from kb.errors import KbError

if TYPE_CHECKING:
    from kb.citation import Citation
    from kb.decks.scores import PlayerScore, Score

COMPLETE, ASKED = 0, 1


def score(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[GAME] FILE",
            help="The game, if the file does not name it, and a final position in YAML or JSON (- for standard input).",
        ),
    ],
    as_json: AsJson = False,
) -> int:
    """Score a final position of a game, line by line. Each line cites its rule.

    It asks for values that the rules do not define. The exit code is 1 if a value is missing.

    Examples:
        kb score final.yaml
        kb score final.yaml --json
    """
    from kb.decks.scores import score as score_file

    *game, name = words
    if len(game) > 1:
        raise KbError("Give one final position, and before it the name of the game if the file does not name it.")
    scored = score_file(name, game=game[0] if game else None)
    with session_here() as session:
        print_found(scored, score_lines(scored, session.cites), as_json, session.cites)
    return COMPLETE if scored.complete else ASKED


def score_lines(scored: Score, cites: Mapping[str, Citation]) -> Iterator[str]:
    """Yield the lines that the terminal shows for `scored`: every player's score, then the players with most points."""
    for player in scored.players:
        yield from player_lines(player, cites)
    if scored.most_points:
        points = max(player.points for player in scored.players)
        yield strong(f"Most points: {' and '.join(scored.most_points)} ({points}).")
    if scored.tie:
        yield f"  The game ends in a tie. {scored.on_tie}".rstrip()


def player_lines(player: PlayerScore, cites: Mapping[str, Citation]) -> Iterator[str]:
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
