"""`kb deck upgrade`: the step between two scenarios, and a campaign of several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from kb.api.decks import Deck
from kb.cli.deck_files import FINDINGS, LEGAL, Fetch, fetched, print_finding, print_line
from kb.cli.session import session_here
from kb.cli.terminal import AsJson, print_json

if TYPE_CHECKING:
    from kb.citation import Citation
    from kb.decks.upgrades import StepReport


def upgrade(
    files: Annotated[
        list[str],
        typer.Argument(metavar="OLD NEW...", help="The deck before, the deck after, and so on; a folder, or - ."),
    ],
    experience: Annotated[
        list[int] | None,
        typer.Option(
            "--xp",
            metavar="N",
            min=0,
            help="Experience earned before the step (repeat for further steps); else what the deck after says.",
        ),
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
    """Judge the step between two scenarios: what it costs at least, line by line, and whether it is legal.

    Arkham Horror. Several decks are a campaign: in the order in which they name the deck before them (`previous_deck`), or
    else as given; unspent experience is carried on. Without --xp a deck's `xp` and `xp_adjustment` say how much there is in
    all; with it, what was left before and the adjustment are added. Exit code 0: legal; 1: not legal; 2: a file cannot be
    read or the decks are no chain.

    Examples:
        kb deck upgrade roland.yaml after.yaml --xp 5
        kb deck upgrade roland.yaml after.yaml --xp 5 --json
    """
    with session_here() as session:
        first, *later = Deck.load_all(fetched(files, fetch), session=session)
        judged = first.upgrade_to(*later, earned=experience or (), rules=rules, taboo=taboo, environment=environment)
        cites = session.cites(judged.cited)
        told = session.as_json(judged) if as_json else None
    if as_json:
        print_json(told)
    else:
        for step in judged.steps:
            print_step(step, cites)
    raise typer.Exit(LEGAL if judged.legal else FINDINGS)


def print_step(step: StepReport, cites: Mapping[str, Citation]) -> None:
    """One step for people: the verdict, by which rules, the lines with their rules, the findings."""
    from kb.games.arkham.decks.editions import sentence

    verdict, style = ("legal", "green") if step.legal else ("not legal", "red")
    there = "" if step.available is None else f" of {step.available} available, {step.unspent} left"
    print_line(
        ("bold", f"{step.old} -> {step.new}: "),
        ("", f"{step.character}, {step.cost} experience{there}: "),
        (style, verdict),
        ("", "."),
    )
    print_line(("dim", f"  {sentence(step.judged_by)}"))
    for line in step.lines:
        print_line(("", f"  {line.text}"), ("dim", f" [{', '.join(line.cites)}]"))
    for finding in step.findings:
        print_finding(finding, cites)
