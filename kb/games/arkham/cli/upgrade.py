"""`kb deck upgrade`: the step between two scenarios, and a campaign of several."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kb.cli.deck_files import FINDINGS, LEGAL, UNREADABLE, catalog_here, readable
from kb.cli.deck_print import print_finding, print_line
from kb.cli.terminal import print_json, warn
from kb.decks.reading import read_each
from kb.decks.table import Table

if TYPE_CHECKING:
    from kb.citation import Citation
    from kb.games.arkham.decks.upgrade.campaign import StepReport
    from kb.games.arkham.decks.upgrade.lines import Line

Cites = dict[str, "Citation"]


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
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON: cost, legal, available, lines, findings.")
    ] = False,
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
    from kb.games.arkham.decks.upgrade.campaign import ChainError, in_order, judge_campaign
    from kb.games.arkham.named import GAME, named_decks

    with readable(), catalog_here() as catalog:
        table = Table(catalog.records)
        facts = table.game(GAME)[1]
        decks = named_decks(read_each(files), facts)
        try:
            steps = judge_campaign(in_order(decks), facts, experience or ())
        except ChainError as error:
            warn(str(error))
            raise typer.Exit(UNREADABLE) from None
        wanted = {cite for step in steps for line in step.lines for cite in line.cites}
        wanted |= {cite for step in steps for finding in step.findings for cite in finding.cites}
        cites = catalog.citations(wanted)
    if as_json:
        print_json(campaign_json(steps, cites))
    else:
        for step in steps:
            print_step(step, cites)
    raise typer.Exit(LEGAL if all(step.legal for step in steps) else FINDINGS)


def campaign_json(steps: list[StepReport], cites: Cites) -> dict[str, Any]:
    """The JSON of a chain: all of it taken together; `steps` holds each by itself when there are several."""
    parts = [step_json(step, cites) for step in steps]
    if len(parts) == 1:
        return parts[0]
    return {
        "cost": sum(step.cost for step in steps),
        "legal": all(step.legal for step in steps),
        "available": steps[-1].available,
        "unspent": steps[-1].unspent,
        "lines": [{"step": number, **line} for number, part in enumerate(parts, 1) for line in part["lines"]],
        "findings": [{"step": number, **row} for number, part in enumerate(parts, 1) for row in part["findings"]],
        "steps": parts,
    }


def step_json(step: StepReport, cites: Cites) -> dict[str, Any]:
    """The JSON of one step."""
    from kb.decks.contract import finding_json

    return {
        "old": step.old,
        "new": step.new,
        "character": step.character,
        "cost": step.cost,
        "legal": step.legal,
        "available": step.available,
        "unspent": step.unspent,
        "judged_by": step.judged_by,
        "lines": line_rows(step.lines, cites),
        "findings": [finding_json(finding, cites) for finding in step.findings],
    }


def line_rows(lines: Iterable[Line], cites: Cites) -> list[dict[str, Any]]:
    """Lines of a step as JSON."""
    from kb.decks.contract import cited

    return [
        {
            "action": line.action,
            "card": line.card,
            "from": line.source,
            "copies": line.copies,
            "cost": line.cost,
            "why": line.why,
            "text": line.text,
            "cites": [cited(cite, cites) for cite in line.cites],
        }
        for line in lines
    ]


def print_step(step: StepReport, cites: Cites) -> None:
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
