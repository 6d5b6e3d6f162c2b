"""`kb deck weakness`: draws from what the decks of one table leave in the pool."""

from __future__ import annotations

import secrets
from collections import Counter
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from kb.cli.completion import characters, products
from kb.cli.deck_files import UNREADABLE, readable
from kb.cli.deck_print import print_line
from kb.cli.session import session_here
from kb.cli.terminal import print_json, tell, warn
from kb.decks.contract import CitedJson, cited
from kb.decks.reading import read_each

if TYPE_CHECKING:
    from kb.games.arkham.decks.facts import Facts
    from kb.games.arkham.decks.model import Deck
    from kb.games.arkham.decks.weakness_pool import Drawer

WEAKNESS_POOL = "arkham/faq/searching-collection-basic-weakness"
Owned = Annotated[
    list[str] | None,
    typer.Option(
        "--owned",
        metavar="PRODUCT",
        autocompletion=products,
        help="A product owned, by code or name (repeat, or commas).",
    ),
]


class DrawnJson(TypedDict):
    """A basic weakness that was drawn."""

    code: Annotated[str, "Its printed code."]
    name: Annotated[str, "Its name."]
    traits: Annotated[list[str], "Its traits."]


class WeaknessesJson(TypedDict):
    """Random basic weaknesses."""

    seed: Annotated[int, "The number that repeats the draw."]
    pool: Annotated[int, "How many weaknesses might have been drawn."]
    drawn: Annotated[list[DrawnJson], "Those that were."]
    cites: Annotated[list[CitedJson], "The entry that says from what to draw."]


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
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: seed, pool, drawn.")] = False,
) -> None:
    """Draw random basic weaknesses from one copy of each product owned (Arkham Horror).

    Weaknesses in the decks given are out of the pool; those locked to a class are in it only for investigators of the class.
    Without --number as many as the first deck still needs, at least one. The seed that is printed repeats the draw. Exit
    code 2 when a file cannot be read or the pool is too small.

    Examples:
        kb deck weakness roland.yaml --seed 7
        kb deck weakness --investigator "Roland Banks" --number 2 --owned core
    """
    from kb.games.arkham.decks.frame import FrameError, frame_of
    from kb.games.arkham.decks.names import UnknownName
    from kb.games.arkham.decks.weakness_pool import DrawError, draw, drawn_in, pool, without
    from kb.games.arkham.named import GAME, named_decks

    chosen = secrets.randbelow(1_000_000_000) if seed is None else seed
    with readable(), session_here() as session:
        facts: Facts = session.table.game(GAME)[1]
        named = named_decks(read_each(files), facts) if files else []
        decks = [each.deck for each in named]
        try:
            products = frame_of({"owned": owned}, facts).products
            there = pool(facts, products)
            there = without(without(there, drawn_in(decks, facts)), _named(drawn, facts))
            drawer = _drawer(decks, investigator, standalone, trait, facts)
            cards = draw(there, facts, drawer, number or _needed(decks, facts), chosen)
        except (FrameError, DrawError, UnknownName) as error:
            warn(str(error))
            raise typer.Exit(UNREADABLE) from None
        may_be_drawn = sum(
            copies for root, copies in there.items() if (card := facts.card(root)) and drawer.admits(card)
        )
        sources = session.cites([WEAKNESS_POOL])
    if as_json:
        told: WeaknessesJson = {
            "seed": chosen,
            "pool": may_be_drawn,
            "drawn": [{"code": card.code, "name": card.name, "traits": sorted(card.traits)} for card in cards],
            "cites": [cited(WEAKNESS_POOL, sources)],
        }
        print_json(told)
        return
    for card in cards:
        tell(card.label)
    print_line(("dim", f"Drawn from {may_be_drawn} with --seed {chosen}. Rule: {WEAKNESS_POOL}"))


def _named(names: list[str] | None, facts: Facts) -> dict[str, int]:
    """Weaknesses named on the command line, by first printing. Raises UnknownName."""
    from kb.games.arkham.decks.names import CardFinder

    known = CardFinder(facts)
    return dict(Counter(known.find(name).root for name in names or ()))


def _drawer(decks: list[Deck], investigator: str | None, standalone: bool, trait: str, facts: Facts) -> Drawer:
    """For whom to draw: the investigator named, else the first deck's. Raises UnknownName."""
    from kb.games.arkham.decks.names import CardFinder
    from kb.games.arkham.decks.weakness_pool import Drawer

    card = None
    if investigator:
        card = CardFinder(facts).find(investigator, investigator=True)
    elif decks:
        card = facts.card(decks[0].front or decks[0].investigator)
    return Drawer(frozenset(card.classes) if card else None, standalone, trait.casefold())


def _needed(decks: list[Deck], facts: Facts) -> int:
    """How many weaknesses the first deck still needs, at least one."""
    from kb.games.arkham.decks.profile import profile_of
    from kb.games.arkham.decks.weakness_pool import still_to_draw

    if not decks:
        return 1
    build = profile_of(facts, decks[0]).build
    return max(1, still_to_draw(decks[0], facts, build.random_weaknesses if build else 0))
