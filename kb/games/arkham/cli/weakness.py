"""`kb deck weakness`: draws from what the decks of one table leave in the pool."""

from __future__ import annotations

from typing import Annotated

import typer

from kb.cli.completion import characters
from kb.cli.deck_files import print_line
from kb.cli.session import Owned, session_here
from kb.cli.terminal import AsJson, print_json, tell


def weakness(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DECK...", help="The deck to draw for, then the others at the table: what they have is out."
        ),
    ] = None,
    number: Annotated[int | None, typer.Option("--number", "-n", min=1, max=50, help="How many to draw.")] = None,
    investigator: Annotated[
        str | None,
        typer.Option(
            "--investigator", metavar="NAME", autocompletion=characters, help="For whom to draw, without a deck."
        ),
    ] = None,
    owned: Owned = None,
    drawn: Annotated[
        list[str] | None, typer.Option("--drawn", metavar="NAME", help="A weakness drawn already (repeat).")
    ] = None,
    trait: Annotated[
        str, typer.Option("--trait", metavar="TRAIT", help="Draw only among weaknesses with it.", show_default=False)
    ] = "",
    standalone: Annotated[
        bool, typer.Option("--standalone", help="Leave out weaknesses that are for campaigns only.")
    ] = False,
    seed: Annotated[int | None, typer.Option("--seed", help="Makes the draw repeatable.")] = None,
    as_json: AsJson = False,
) -> None:
    """Draw random basic weaknesses from one copy of each product owned (Arkham Horror).

    Weaknesses in the decks given are out of the pool; those locked to a class are in it only for investigators of the class.
    Without --number as many as the first deck still needs, at least one. The seed that is printed repeats the draw. Exit
    code 2 when a file cannot be read or the pool is too small.

    Examples:
        kb deck weakness roland.yaml --seed 7
        kb deck weakness --investigator "Roland Banks" --number 2 --owned core
    """
    from kb.api.decks import Deck
    from kb.games.arkham.weaknesses import RULE, draw_weaknesses

    with session_here() as session:
        found = draw_weaknesses(
            *(Deck.load_all(files, session=session) if files else ()),
            number=number, investigator=investigator, owned=owned or (), drawn=drawn or (), trait=trait,
            standalone=standalone, seed=seed, session=session,
        )  # fmt: skip
        told = session.as_json(found) if as_json else None
    if as_json:
        print_json(told)
        return
    for card in found.drawn:
        tell(card.label)
    print_line(("dim", f"Drawn from {found.pool} with --seed {found.seed}. Rule: {RULE}"))
