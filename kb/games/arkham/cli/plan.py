"""`kb deck plan`: what to buy after which scenario, so that a wish list comes true soonest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kb.cli.deck_files import FINDINGS, LEGAL, UNREADABLE, catalog_here, readable
from kb.cli.deck_print import print_line
from kb.cli.terminal import print_json, tell, warn
from kb.decks.reading import read_each
from kb.decks.table import Table
from kb.games.arkham.cli.upgrade import Cites, line_rows

if TYPE_CHECKING:
    from kb.games.arkham.decks.facts import Facts
    from kb.games.arkham.decks.upgrade.campaign import NamedDeck
    from kb.games.arkham.decks.upgrade.lines import Line
    from kb.games.arkham.decks.upgrade.soonest import Bought
    from kb.games.arkham.decks.upgrade.wishes import Wishes

SIDE = "side"


def plan(
    file: Annotated[str, typer.Argument(metavar="DECK", help="The deck as it is now.")],
    want: Annotated[
        list[str] | None,
        typer.Option(
            "--want",
            metavar="LIST",
            help="A deck file to get to, `side` (the side deck), or a card such as `2x Shrivelling (3)` (repeat).",
        ),
    ] = None,
    experience: Annotated[int, typer.Option("--xp", metavar="N", min=0, max=999, help="Experience there is now.")] = 0,
    each: Annotated[
        int, typer.Option("--each", metavar="M", min=0, max=99, help="Experience expected after each scenario.")
    ] = 0,
    out: Annotated[
        list[str] | None,
        typer.Option("--out", metavar="CARD", help="A card that may leave first (repeat), `2x` for more copies."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: scenarios, missed, cost.")] = False,
) -> None:
    """Plan purchases between scenarios so that the wishes come true soonest, exactly (Arkham Horror).

    Summed over all wishes the fewest scenarios are waited; of such orders the one that costs least is taken. Without --want
    the side deck is the wish list. Without --each only what there is now is spent. Exit code 0: every wish comes true; 1:
    some do not; 2: a file cannot be read, or the wishes are no legal deck.

    Examples:
        kb deck plan roland.yaml --want "Beat Cop (2)" --xp 3 --each 2
        kb deck plan roland.yaml --want "Beat Cop (2)" --xp 3 --json
    """
    from kb.games.arkham.decks.editions import judged_by, sentence
    from kb.games.arkham.decks.upgrade.lines import lines_of
    from kb.games.arkham.decks.upgrade.soonest import Soonest
    from kb.games.arkham.decks.upgrade.wishes import PlanError
    from kb.games.arkham.named import GAME, named_decks

    with readable(), catalog_here() as catalog:
        facts: Facts = Table(catalog.records).game(GAME)[1]
        named = named_decks(read_each([file]), facts)
        try:
            if len(named) > 1:
                raise PlanError(f"{file} holds {len(named)} decks; a plan is made for one.")
            wishes = _wishes(named[0], want or [SIDE], out or [], facts)
            finder = Soonest(wishes, experience, each)
            bought = finder.find()
            wrong = len(finder.errors(wishes.nothing))
        except PlanError as error:
            warn(str(error))
            raise typer.Exit(UNREADABLE) from None
        lines = [lines_of(one.changes, one.plan) if one.changes and one.plan else () for one in bought]
        cites = catalog.citations({cite for group in lines for line in group for cite in line.cites})
        deck = named[0].deck
        judged = judged_by(deck.taboo, "legacy", facts)
        card = facts.card(deck.investigator)
    missed = _come(wishes, bought[-1].had, wishes.everything)
    if as_json:
        whole = {
            "deck": named[0].file,
            "character": card.name if card else deck.investigator,
            "cost": sum(one.cost for one in bought),
            "scenarios": _rows(wishes, bought, lines, cites),
            "missed": missed,
            "errors_before": wrong,
            "judged_by": judged,
        }
        print_json(whole)
    else:
        tell(f"{named[0].file}: {card.name if card else deck.investigator}, {experience} experience now"
             + (f", {each} after each scenario." if each else "."))  # fmt: skip
        print_line(("dim", f"  {sentence(judged)}"))
        if wrong:
            tell(f"The deck is itself not legal ({wrong} error{'s' if wrong > 1 else ''}); see `kb deck check` on it.")
        _print(bought, lines)
        if missed:
            tell(f"Not yet: {', '.join(missed)}.")
        else:
            when = "now" if bought[-1].scenario == 0 else f"after scenario {bought[-1].scenario}"
            tell(f"All wishes have come true {when}; {sum(one.cost for one in bought)} experience in all.")
    raise typer.Exit(FINDINGS if missed else LEGAL)


def _wishes(named: NamedDeck, want: list[str], out: list[str], facts: Facts) -> Wishes:
    """The wish list that the options name. Raises PlanError, and DeckFileError for a target deck that cannot be read."""
    from kb.games.arkham.decks.upgrade.wishes import PlanError, wishes_named, wishes_of_side_deck, wishes_of_target
    from kb.games.arkham.named import named_decks

    files = [name for name in want if name != SIDE and Path(name).is_file()]
    if (files or SIDE in want) and len(want) > 1:
        raise PlanError("A target deck or the side deck is the whole wish list; name it alone, or name cards.")
    if files:
        if out:
            raise PlanError("A target deck says itself what leaves; --out is for cards and the side deck.")
        targets = named_decks(read_each(files), facts)
        return wishes_of_target(named.deck, targets[0].deck, facts)
    if SIDE in want:
        return wishes_of_side_deck(named.deck, facts, out)
    return wishes_named(named.deck, want, facts, out)


def _come(wishes: Wishes, before: tuple[int, ...], after: tuple[int, ...]) -> list[str]:
    """The wishes that came true between two states, for people."""
    from dataclasses import replace

    return [
        replace(wish, copies=new - old).label
        for wish, old, new in zip(wishes.wanted, before, after, strict=True)
        if new > old
    ]


def _rows(wishes: Wishes, bought: list[Bought], lines: list[tuple[Line, ...]], cites: Cites) -> list[dict[str, Any]]:
    """Each scenario as JSON."""
    rows, had = [], wishes.nothing
    for one, group in zip(bought, lines, strict=True):
        rows.append(
            {
                "scenario": one.scenario,
                "available": one.available,
                "spent": one.cost,
                "left": one.available - one.cost,
                "wishes": _come(wishes, had, one.had),
                "lines": line_rows(group, cites),
            }
        )
        had = one.had
    return rows


def _print(bought: list[Bought], lines: list[tuple[Line, ...]]) -> None:
    for one, group in zip(bought, lines, strict=True):
        when = f"After scenario {one.scenario}" if one.scenario else "Now"
        spent = f"{one.cost} spent, {one.available - one.cost} left" if group else "nothing is bought"
        print_line(("bold", f"{when}: "), ("", f"{one.available} experience, {spent}."))
        for line in group:
            print_line(("", f"  {line.text}"), ("dim", f" [{', '.join(line.cites)}]"))
