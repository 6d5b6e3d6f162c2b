"""`kb deck advance`: what an advancement costs, and whether the experience suffices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from kb.cli.session import session_here
from kb.cli.terminal import AsJson, coloured, dim, print_found, strong
from kb.frozen import frozen
from kb.games.tainted_grail.decks.growth import Step
from kb.jsonable import Jsonable
from kb.plural import counted

if TYPE_CHECKING:
    from kb.citation import Citations
    from kb.games.tainted_grail.decks.model import Sheet

Name = TypeVar("Name", bound=str)
ENOUGH, NOT_ENOUGH = 0, 1
SPENT_AT = "tainted-grail/advance-your-character"


@frozen
class Advancement(Jsonable):
    """What an advancement costs."""

    file: str
    """The character sheet."""
    character: str
    """Whose sheet it is."""
    mode: str
    """The mode that is played."""
    experience: int | None
    """EXP to spend; null when the sheet does not say."""
    cost: int | None
    """EXP that all steps take; null where each is told by itself."""
    enough: bool | None
    """Whether it suffices; null when nobody knows, or each step is told by itself."""
    steps: tuple[Step, ...]
    """The steps; without any asked for, each that can be taken next."""
    pairs_known: bool
    """Whether the sheet says which attributes are opposed, where it matters."""
    game: str = "tainted-grail"
    """Id of the game."""


def advance(
    file: Annotated[
        str, typer.Argument(metavar="SHEET", help="A Tainted Grail character sheet; - for standard input.")
    ],
    attributes: Annotated[
        list[str] | None, typer.Option("--attribute", "-a", metavar="NAME", help="Raise this attribute (repeat).")
    ] = None,
    values: Annotated[
        list[int] | None,
        typer.Option("--to", min=0, max=99, help="To this value, one for each --attribute; without it, by 1."),
    ] = None,
    cards: Annotated[
        list[str] | None,
        typer.Option("--card", "-c", metavar="DECK", help="Gain a combat or a diplomacy card (repeat)."),
    ] = None,
    experience: Annotated[
        int | None, typer.Option("--experience", min=0, help="EXP to spend; otherwise as the sheet's resources say.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Say what raising attributes and gaining cards costs, and whether the experience suffices (Tainted Grail).

    Without --attribute and --card: what each next step costs. A card cannot be chosen by name: it is picked among those
    drawn. Exit code 0: it suffices, or the sheet does not say; 1: it does not; 2: the input cannot be read.

    Examples:
        kb deck advance beor.yaml
        kb deck advance beor.yaml --attribute courage --json
    """
    from kb.games.tainted_grail.decks.growth import AdvanceError, Plan, next_steps, plan
    from kb.games.tainted_grail.decks.model import ATTRIBUTES, DECK_NAMES

    sheet = sheet_of(file)
    if values and len(values) != len(attributes or ()):
        raise AdvanceError("Give one --to for each --attribute, such as --attribute courage --to 3.")
    raises = [(named(each, ATTRIBUTES, "attribute"), to) for each, to in zip_longest(attributes or (), values or ())]
    decks = [named(card, DECK_NAMES, "deck for --card") for card in cards or ()]
    have = sheet.resources.get("experience") if experience is None else experience
    wanted = bool(raises or decks)
    planned = plan(sheet, raises, decks, have) if wanted else Plan(tuple(next_steps(sheet)), have)
    pairs_known = sheet.pairs is not None or not sheet.attributes or (wanted and not raises)
    cost, enough = (planned.cost, planned.enough) if wanted else (None, None)
    advancement = Advancement(
        file, sheet.character, sheet.mode, planned.experience, cost, enough, planned.steps, pairs_known
    )
    with session_here() as session:
        print_found(advancement, plan_lines(advancement, session.cites), as_json, session.cites)
    return NOT_ENOUGH if wanted and planned.enough is False else ENOUGH


def sheet_of(name: str) -> Sheet:
    """The sheet in a file. Raises DeckFileError, also when the file is of another game."""
    from kb.decks.deckfile import refusal
    from kb.decks.games import game_of
    from kb.decks.reading import one_deck
    from kb.games.tainted_grail.decks.sheet import read_sheet

    file = one_deck(name, None)
    game = game_of(file)
    if game.id != "tainted-grail":
        message = f"is a deck of {game.title}; `kb deck advance` is for character sheets of Tainted Grail."
        raise refusal(name, message)
    return read_sheet(file)


def named(text: str, known: Sequence[Name], what: str) -> Name:
    """The known name that a text means. Raises AdvanceError."""
    from kb.decks.names import did_you_mean, name_key
    from kb.games.tainted_grail.decks.growth import AdvanceError

    for name in known:
        if name == name_key(text):
            return name
    hint = did_you_mean(text, known) or f" Known are {', '.join(known)}."
    raise AdvanceError(f"Unknown {what} {text!r}.{hint}")


def plan_lines(advancement: Advancement, cites: Citations) -> Iterator[str]:
    """A plan for people."""
    from kb.games.tainted_grail.decks.model import PAIRS

    have, cost = advancement.experience, advancement.cost
    budget = "; the sheet does not say how much EXP there is" if have is None else f", {have} EXP to spend"
    yield f"{strong(f'{advancement.file}:')} {advancement.character}, {advancement.mode} mode{budget}."
    for step in advancement.steps:
        skills = f", and {counted(step.skills, 'skill card')} to choose" if step.skills else ""
        verdict = ""
        if cost is None and have is not None:
            verdict = coloured("  enough", "green") if have >= step.cost else coloured("  not enough", "red")
        yield f"  {step.cost:>3} EXP  {step.what}{skills}{verdict}"
    if cost is not None:
        verdict, left = "", 0 if have is None else have - cost
        if have is not None:
            said = f": enough, {left} left" if left >= 0 else f": not enough, {-left} missing"
            verdict = coloured(said, "green" if left >= 0 else "red")
        yield f"{strong(f'  {cost:>3} EXP  in all')}{verdict}"
    for rule in dict.fromkeys([*(rule for step in advancement.steps for rule in step.cites), SPENT_AT]):
        yield dim(f"  Rule: {cites[rule].in_words}")
    if not advancement.pairs_known:
        pairs = ", ".join("-".join(pair) for pair in PAIRS)
        rules = "the rules list the attributes without saying which are opposed"
        look = f"Look at the character tray and write `pairs: [{pairs}]`, or the other pairs"
        yield f"  {coloured('Note', 'cyan')}: {rules}. These costs are by {pairs}. {look}."
