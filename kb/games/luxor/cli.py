"""`kb score`: scores a final position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from kb.cli.deck_print import print_line
from kb.cli.help import Commands
from kb.cli.session import session_here
from kb.cli.terminal import print_json, warn
from kb.decks.contract import CitedJson, cited

if TYPE_CHECKING:
    from kb.citation import Citation
    from kb.games.luxor.score import PlayerScore, Score

app = Commands(
    name="score",
    help="Score a final position; every line cites its rule.",
    no_args_is_help=True,
)
COMPLETE, ASKED, UNREADABLE = 0, 1, 2


class ScoreLineJson(TypedDict):
    """A line of a player's score."""

    line: Annotated[str, "What is scored."]
    points: Annotated[int | None, "Points; null when the file does not give them."]
    detail: Annotated[str, "How they come about."]
    ask: Annotated[str, "What to add to the file; empty: nothing."]
    cites: Annotated[list[CitedJson], "The entries that state it."]


class PlayerScoreJson(TypedDict):
    """What a player scored."""

    name: Annotated[str, "The player."]
    points: Annotated[int, "The sum of what is known."]
    complete: Annotated[bool, "Whether every line has points."]
    lines: Annotated[list[ScoreLineJson], "Line by line."]


class ScoreJson(TypedDict):
    """A final position, scored."""

    file: Annotated[str, "The file."]
    game: Annotated[str, "Id of the game."]
    complete: Annotated[bool, "Whether nothing has to be asked for."]
    players: Annotated[list[PlayerScoreJson], "The players in the order of the file."]
    most_points: Annotated[list[str], "Who has most; nobody as long as points are missing."]
    tie: Annotated[bool, "Whether several have."]


@app.callback()
def games() -> None:
    """Score a final position; every line cites its rule."""


@app.command()
def luxor(
    name: Annotated[str, typer.Argument(metavar="FILE", help="A final position (YAML or JSON); - for standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Score a final position of Luxor: treasure sets at their best, keys, scarabs, looted tiles, locations, sarcophagi.

    Values that the rules do not give are asked for. Exit code 0: scored; 1: a value is missing; 2: the file cannot be read.

    Examples:
        kb score luxor final.yaml
        kb score luxor final.yaml --json
    """
    from kb.decks.deckfile import read_deck_file
    from kb.decks.nodes import DeckFileError
    from kb.games.luxor.position import read_position
    from kb.games.luxor.score import score

    try:
        scored = score(read_position(read_deck_file(name)))
    except DeckFileError as error:
        warn(str(error))
        raise typer.Exit(UNREADABLE) from None
    with session_here() as session:
        cites = session.cites({cite for each in scored.players for line in each.lines for cite in line.cites})
    if as_json:
        print_json(contract(name, scored, cites))
    else:
        for player in scored.players:
            print_player(player, cites)
        if scored.most_points:
            points = max(player.points for player in scored.players)
            print_line(("bold", f"Most points: {' and '.join(scored.most_points)} ({points})."))
            if len(scored.most_points) > 1:
                print_line(("", "  It is a tie; the summary of the rules does not say how one is broken."))
    raise typer.Exit(COMPLETE if scored.complete else ASKED)


def contract(name: str, scored: Score, cites: dict[str, Citation]) -> ScoreJson:
    """A score as the JSON that scripts rely on."""
    return {
        "file": name,
        "game": "luxor",
        "complete": scored.complete,
        "players": [
            {
                "name": player.name,
                "points": player.points,
                "complete": player.complete,
                "lines": [
                    {
                        "line": line.what, "points": line.points, "detail": line.detail, "ask": line.ask,
                        "cites": [cited(cite, cites) for cite in line.cites],
                    }
                    for line in player.lines
                ],
            }
            for player in scored.players
        ],
        "most_points": list(scored.most_points),
        "tie": len(scored.most_points) > 1,
    }  # fmt: skip


def print_player(player: PlayerScore, cites: dict[str, Citation]) -> None:
    """One player's score for people."""
    total = f"{player.points} points" if player.complete else f"{player.points} points and what is missing"
    print_line(("bold", f"{player.name}: "), ("green" if player.complete else "magenta", total))
    for line in player.lines:
        points = "?" if line.points is None else str(line.points)
        rule = cited(line.cites[0], cites)["title"]
        print_line(
            ("", f"  {line.what:<14}{points:>4}  {line.detail}"), ("dim", f"  [{rule}: {', '.join(line.cites)}]")
        )
        if line.ask:
            print_line(("magenta", f"    {line.ask}"))
