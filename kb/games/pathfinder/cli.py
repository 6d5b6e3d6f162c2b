"""The commands `kb scenario` and `kb odds`, which exist only for the Pathfinder Adventure Card Game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kb.cli.completion import titles
from kb.cli.session import session_here
from kb.cli.terminal import AsJson, coloured, dim, print_found, strong, table_lines

if TYPE_CHECKING:
    from kb.games.pathfinder.scenarios.odds import CheckOdds
    from kb.games.pathfinder.scenarios.setup import SetUp

GAME = "pathfinder"


def scenario(
    name: Annotated[
        list[str],
        typer.Argument(metavar="NAME...", autocompletion=titles, help="A scenario by its name, or as rotr 1.1."),
    ],
    players: Annotated[int, typer.Option("--players", "-p", metavar="N", help="Number of players, from 1 to 6.")],
    as_json: AsJson = False,
) -> None:
    """Set up a Pathfinder scenario: what to take out of the box for your number of players.

    The command prints the locations with their deck lists, villains and henchmen with their numbers of copies, how many
    cards of each type to draw for the deck lists, the blessings deck, the reward and the rules. The exit code is 1 for an
    unknown scenario, and 2 for a number of players that it does not support.

    Examples:
        kb scenario "Brigandoom!" --players 4
        kb scenario rotr 1.2 --players 2 --json
    """
    from kb.api.showing import NotFound
    from kb.games.pathfinder.scenarios.naming import scenario_called
    from kb.games.pathfinder.scenarios.setup import SetUpFacts, set_up

    with session_here() as session:
        facts = SetUpFacts.of(lambda kind: session.catalog.records(GAME, kind))
        record, hint = scenario_called(" ".join(name), facts.scenarios)
        if record is None:
            raise NotFound(hint)
        found = set_up(record, players, facts)
        print_found(found, set_up_lines(found, session.cites), as_json, session.cites)


def set_up_lines(found: SetUp, cites: Any) -> Iterator[str]:
    """Yield the lines that the terminal shows for a set-up, in the order that the players lay it out."""
    from kb.games.pathfinder.scenarios.tables import closing, counted_card, deck_list, draw, henchmen, villains

    count = f"{found.players} player{'s' if found.players > 1 else ''}"
    yield f"{strong(found.name)} for {count}  {dim(f'{found.set} {found.deck}.{found.place}, {found.adventure}')}"
    yield from ("", coloured("Locations", "cyan"))
    if found.locations is None:
        yield "  Unknown: read the scenario card."
    else:
        rows = [
            (each.name or "unknown", deck_list(each.cards), closing(each.close, each.other_way))
            for each in found.locations
        ]
        yield from table_lines([("location", "deck list", "to close"), *rows], 2)
    yield from ("", coloured("Take out of the box", "cyan"))
    yield f"  Draw at random: {draw(found)}."
    yield f"  Villain: {villains(found)}."
    yield f"  Henchmen: {henchmen(found)}."
    for label, cards in (
        ("Second henchman list", found.second_list),
        ("Also in the location decks", found.extra),
        ("Next to the scenario", found.aside),
    ):
        if cards:
            yield f"  {label}: {', '.join(map(counted_card, cards))}."
    if found.left_in_the_box:
        yield f"  Henchmen not used: {', '.join(found.left_in_the_box)}."
    yield f"  Blessings deck: {blessings(found)}."
    if found.scourge_die:
        yield f"  Scourge die: {found.scourge_die}. Cohorts: those that your characters' Cards Lists name."
    yield from ("", *notes(found))
    yield from ("", coloured("Rules", "cyan"))
    yield from (f"  {cites[each].title}  {dim(each)}" for each in found.cites)


def blessings(found: SetUp) -> str:
    """Return the number of cards in the blessings deck, in words, with the cards that must be among them."""
    from kb.games.pathfinder.scenarios.tables import counted_card

    others = f", {', '.join(map(counted_card, found.in_blessings))} among them" if found.in_blessings else ""
    return f"{found.blessings} cards{others}" if found.blessings else "none"


def notes(found: SetUp) -> Iterator[str]:
    """Yield lines about the scenario card: changes to the set-up, the reward, the next scenario, notes and the source."""
    if found.changes:
        yield "The scenario changes the set-up in other ways too: read its card."
    elif found.changes is None:
        yield "Read the scenario card: kb does not know whether it changes the set-up."
    yield f"Reward: {found.reward or 'unknown: read the card'}."
    if found.next:
        yield f"Next scenario: {found.next}."
    if found.note:
        yield f"Note: {found.note}."
    yield from (f"Note on {each.name}: {each.note}." for each in found.locations or () if each.note)
    yield f"Facts from: {found.source}."


def odds(
    check: Annotated[
        list[str], typer.Argument(metavar="CHECK...", help="Dice, modifiers, vs and the difficulty: d10+2+2d6 vs 14.")
    ],
    as_json: AsJson = False,
) -> None:
    """Print the exact chance of success at a check, and the chance with one more die.

    Examples:
        kb odds "d10+2+2d6 vs 14"
        kb odds 2d8+3 vs 12 --json
    """
    from kb.games.pathfinder.scenarios.odds import odds as odds_of

    found = odds_of(" ".join(check))
    print_found(found, odds_lines(found), as_json)


def odds_lines(found: CheckOdds) -> Iterator[str]:
    """Yield the lines that the terminal shows for the odds of a check."""
    yield f"{found.roll} against {found.difficulty}: {strong(percent(found.chance))}"
    yield f"Results from {found.least} to {found.most}, {found.average:g} on average."
    rows: Sequence[tuple[str, str]] = [(f"+ {each.die}", percent(each.chance)) for each in found.one_more_die]
    yield from ("", *table_lines([("one more die", "chance"), *rows]))


def percent(chance: float) -> str:
    """Return a probability as a percentage.

    Only an impossible result is shown as 0%, and only a certain one as 100%.
    """
    shown = f"{chance * 100:.1f}%"
    if 0 < chance < 1 and shown in ("0.0%", "100.0%"):
        return "under 0.1%" if chance < 0.5 else "over 99.9%"
    return shown
