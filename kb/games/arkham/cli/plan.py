"""`kb deck plan`: what to buy after which scenario, so that a wish list comes true soonest."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kb.api.decks import Deck
from kb.cli.deck_files import FINDINGS, LEGAL, Fetch, fetched, print_line
from kb.cli.session import session_here
from kb.cli.terminal import AsJson, print_json, tell
from kb.decks.party import readable as readable_decks
from kb.decks.reading import only_deck
from kb.decks.upgrades import SIDE
from kb.plural import counted

if TYPE_CHECKING:
    from kb.api.session import Session
    from kb.decks.deckfile import DeckFile
    from kb.decks.upgrades import PurchasePlan


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
        typer.Option(
            "--drop", "--out", metavar="CARD", help="A card that may leave first (repeat), `2x` for more copies."
        ),
    ] = None,
    keep: Annotated[
        list[str] | None, typer.Option("--keep", metavar="CARD", help="A card that stays (repeat).")
    ] = None,
    rules: Annotated[str | None, typer.Option("--rules", metavar="EDITION", help="grimoire or faq.")] = None,
    taboo: Annotated[
        str | None, typer.Option("--taboo", metavar="LIST", help="Taboo list by number, latest or none.")
    ] = None,
    environment: Annotated[
        str | None, typer.Option("--environment", metavar="NAME", help="current, limited or legacy.")
    ] = None,
    as_json: AsJson = False,
    fetch: Fetch = False,
) -> None:
    """Plan purchases between scenarios so that the wishes come true soonest, exactly (Arkham Horror).

    Summed over all wishes the fewest scenarios are waited; of such orders the one that costs least is taken. Without --want
    the side deck is the wish list. Without --each only what there is now is spent. Exit code 0: every wish comes true; 1:
    some do not; 2: a file cannot be read, or the wishes are no legal deck.

    Examples:
        kb deck plan roland.yaml --want "Beat Cop (2)" --xp 3 --each 2
        kb deck plan roland.yaml --want "Beat Cop (2)" --xp 3 --json
    """
    with session_here() as session:
        wishes = [wish for name in want or () for wish in _wishes(name, session, fetch)]
        deck = only_deck(file, list(session.read_decks(fetched([file], fetch))))
        planned = Deck(deck, session=session).plan(
            wishes,
            experience=experience,
            each=each,
            out=out or (),
            keep=keep or (),
            rules=rules,
            taboo=taboo,
            environment=environment,
        )
        told = session.as_json(planned) if as_json else None
    if as_json:
        print_json(told)
    else:
        print_plan(planned, experience, each)
    raise typer.Exit(FINDINGS if planned.missed else LEGAL)


def print_plan(planned: PurchasePlan, experience: int, each: int) -> None:
    """A plan for people: from what on, scenario by scenario, and whether all wishes come true."""
    from kb.games.arkham.decks.editions import sentence

    tell(f"{planned.file}: {planned.character}, {experience} experience now"
         + (f", {each} after each scenario." if each else "."))  # fmt: skip
    print_line(("dim", f"  {sentence(planned.judged_by)}"))
    if wrong := planned.errors_before:
        tell(f"The deck is itself not legal ({counted(wrong, 'error')}); see `kb deck check` on it.")
    for one in planned.purchases:
        when = after(one.scenario)
        spent = f"{one.cost} spent, {one.left} left" if one.lines else "nothing is bought"
        print_line(("bold", f"{when.capitalize()}: "), ("", f"{one.available} experience, {spent}."))
        for line in one.lines:
            print_line(("", f"  {line.text}"), ("dim", f" [{', '.join(line.cites)}]"))
    if planned.proposed:
        tell(
            f"What leaves is a proposal: {', '.join(planned.proposed)}. `--drop CARD` names other cards, `--keep CARD` lets one stay."
        )
    if not planned.exact:
        tell("So many wishes are not planned exactly: each step is legal, but another order may be sooner or cheaper.")
    if planned.missed:
        tell(f"Not yet: {', '.join(planned.missed)}.")
    else:
        when = after(planned.purchases[-1].scenario)
        tell(f"All wishes have come true {when}; {planned.cost} experience in all.")


def after(scenario: int) -> str:
    """`now`, `after scenario 2`."""
    return f"after scenario {scenario}" if scenario else "now"


def _wishes(name: str, session: Session, fetch: bool) -> Sequence[str | DeckFile]:
    """The decks in a file of this name or at this address; else the card, or the side deck, that it names. Raises PartyError."""
    found = fetched([name], fetch)
    is_deck = found != [name] or (name != SIDE and Path(name).is_file())
    return readable_decks(session.read_decks(found)) if is_deck else [name]
