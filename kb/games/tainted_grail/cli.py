"""The command `kb deck advance`, which prices a character's advancement and checks that the experience is enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from kb.cli.session import session_here
from kb.cli.terminal import AsJson, coloured, dim, print_found, strong
from kb.frozen import frozen
from kb.games.tainted_grail.decks.growth import GrowthStep
from kb.plural import counted
from kb.shapes import Jsonable

if TYPE_CHECKING:
    from kb.citation import Citations
    from kb.games.tainted_grail.decks.character_sheet import Sheet

Name = TypeVar("Name", bound=str)
ENOUGH, NOT_ENOUGH = 0, 1
SPENT_AT = "tainted-grail/advance-your-character"


@frozen
class Advancement(Jsonable):
    """The result of `kb deck advance`: the steps of an advancement, their cost, and the experience available."""

    file: str
    """The name of the file with the character sheet."""
    character: str
    """The character's name."""
    mode: str
    """The mode of the campaign."""
    experience: int | None
    """The EXP available; null if the sheet does not give it."""
    cost: int | None
    """The EXP that all steps cost together; null if no steps were requested and each possible step has its own price."""
    enough: bool | None
    """True if the EXP is enough for all steps; null if the EXP is unknown or no steps were requested."""
    steps: tuple[GrowthStep, ...]
    """The steps requested; if none was requested, every possible next step."""
    pairs_known: bool
    """True if the sheet says which attributes are opposed, or if the cost does not depend on it."""
    game: str = "tainted-grail"
    """The id of the game."""


def advance(
    file: Annotated[
        str, typer.Argument(metavar="SHEET", help="A Tainted Grail character sheet, or - for standard input.")
    ],
    attributes: Annotated[
        list[str] | None, typer.Option("--attribute", "-a", metavar="NAME", help="Raise this attribute (repeatable).")
    ] = None,
    values: Annotated[
        list[int] | None,
        typer.Option(
            "--to",
            metavar="VALUE",
            min=0,
            max=99,
            help="New value, one per --attribute [default: current value + 1].",
        ),
    ] = None,
    cards: Annotated[
        list[str] | None,
        typer.Option(
            "--card", "-c", metavar="DECK", help="Gain a card for this deck: combat or diplomacy (repeatable)."
        ),
    ] = None,
    experience: Annotated[
        int | None,
        typer.Option(
            "--xp", "--experience", metavar="N", min=0, help="EXP to spend [default: from the sheet's resources]."
        ),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Price new attribute values and cards, and check that the EXP is enough (Tainted Grail).

    Without --attribute and --card, it prices each possible next step. You cannot name a card, because you choose it
    from the cards you draw. The exit code is 1 if the EXP is not enough.

    Examples:
        kb deck advance beor.yaml
        kb deck advance beor.yaml --attribute courage --json
    """
    from kb.games.tainted_grail.decks.character_sheet import ATTRIBUTES, DECK_NAMES
    from kb.games.tainted_grail.decks.growth import AdvanceError, GrowthPlan, next_steps, plan

    sheet = sheet_of(file)
    if values and len(values) != len(attributes or ()):
        raise AdvanceError("Give one --to for each --attribute, such as --attribute courage --to 3.")
    raises = [(named(each, ATTRIBUTES, "attribute"), to) for each, to in zip_longest(attributes or (), values or ())]
    decks = [named(card, DECK_NAMES, "deck for --card") for card in cards or ()]
    have = sheet.resources.get("experience") if experience is None else experience
    wanted = bool(raises or decks)
    planned = plan(sheet, raises, decks, have) if wanted else GrowthPlan(tuple(next_steps(sheet)), have)
    pairs_known = sheet.pairs is not None or not sheet.attributes or (wanted and not raises)
    cost, enough = (planned.cost, planned.enough) if wanted else (None, None)
    advancement = Advancement(
        file, sheet.character, sheet.mode, planned.experience, cost, enough, planned.steps, pairs_known
    )
    with session_here() as session:
        print_found(advancement, plan_lines(advancement, session.cites), as_json, session.cites)
    return NOT_ENOUGH if wanted and planned.enough is False else ENOUGH


def sheet_of(name: str) -> Sheet:
    """Read the character sheet in the file called `name`.

    Raises DeckFileError if the file cannot be read or is for another game.
    """
    from kb.decks.deckfile import refusal
    from kb.decks.games import game_of
    from kb.decks.reading import one_deck
    from kb.games.tainted_grail.decks.sheet import read_sheet

    file = one_deck(name, None)
    game = game_of(file)
    if game.id != "tainted-grail":
        message = f"is a deck for {game.title}. kb deck advance needs a Tainted Grail character sheet."
        raise refusal(name, message)
    return read_sheet(file)


def named(text: str, known: Sequence[Name], what: str) -> Name:
    """Return the name in `known` that `text` spells, ignoring capitals. Raises AdvanceError if there is none.

    `what` is the kind of name for the error message, such as `attribute`.
    """
    from kb.decks.names import did_you_mean, name_key
    from kb.games.tainted_grail.decks.growth import AdvanceError

    for name in known:
        if name == name_key(text):
            return name
    hint = did_you_mean(text, known) or f" Use one of {', '.join(known)}."
    raise AdvanceError(f"Unknown {what} {text!r}.{hint}")


def plan_lines(advancement: Advancement, cites: Citations) -> Iterator[str]:
    """Yield the lines that the terminal shows for `advancement`: the sheet, each step, the total cost and the rules."""
    from kb.games.tainted_grail.decks.character_sheet import PAIRS

    have, cost = advancement.experience, advancement.cost
    budget = "; the sheet does not list its EXP" if have is None else f", {have} EXP to spend"
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
        yield f"{strong(f'  {cost:>3} EXP  in total')}{verdict}"
    for rule in dict.fromkeys([*(rule for step in advancement.steps for rule in step.cites), SPENT_AT]):
        yield dim(f"  Rule: {cites[rule].in_words}")
    if not advancement.pairs_known:
        pairs = ", ".join("-".join(pair) for pair in PAIRS)
        rules = "the rules list the attributes without saying which are opposed"
        look = f"Check your character tray and write `pairs: [{pairs}]`, or the pairs on the tray"
        yield f"  {coloured('Note', 'cyan')}: {rules}. These costs assume {pairs}. {look}."
