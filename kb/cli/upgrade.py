"""The command `kb deck upgrade`, which prices the steps from one deck of a campaign to the next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kb.cli.deck_files import FINDINGS, LEGAL, Fetch, fetched, finding_lines
from kb.cli.session import session_here, with_step_options
from kb.cli.terminal import AsJson, coloured, dim, print_found, strong

if TYPE_CHECKING:
    from kb.citation import Citation
    from kb.decks.upgrades import StepReport


@with_step_options
def upgrade(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="OLD NEW...",
            help="The old deck, then the new deck (and later decks); or a folder that contains them; or - for standard input.",
        ),
    ],
    earned: Annotated[
        list[int] | None,
        typer.Option(
            "--xp",
            metavar="N",
            min=0,
            help="Experience earned before the upgrade (repeat for later upgrades) [default: from the deck files].",
        ),
    ] = None,
    as_json: AsJson = False,
    fetch: Fetch = False,
    **options: Any,
) -> int:
    """Price a deck upgrade line by line, and check that it is legal.

    kb reads the decks as one campaign, in the order that their `previous_deck` keys give, or else in the order of the
    arguments. Experience left after a step is available in the next. Without --xp, a step has the new deck's `xp` plus
    `xp_adjustment` to spend. With --xp, it has the given number, plus unspent experience and the new deck's adjustment.

    Examples:
        kb deck upgrade roland.yaml after.yaml --xp 5
        kb deck upgrade roland.yaml after.yaml --xp 5 --json
    """
    from kb.api.decks import Deck

    with session_here() as session:
        first, *later = Deck.load_all(fetched(files, fetch), session=session)
        judged = first.upgrade_to(*later, earned=earned or (), **options)
        steps = (step_lines(step, session.cites) for step in judged.steps)
        print_found(judged, chain.from_iterable(steps), as_json, session.cites)
    return LEGAL if judged.legal else FINDINGS


def step_lines(step: StepReport, cites: Mapping[str, Citation]) -> Iterator[str]:
    """Yield the printed lines of one upgrade: the verdict, the rules used, each cost with its rules, the findings.

    `cites` contains the cited entries by id.
    """
    verdict = coloured("legal", "green") if step.legal else coloured("not legal", "red")
    there = "" if step.available is None else f" of {step.available} available, {step.unspent} left"
    cost = f"{step.cost} {step.unit}".rstrip()
    yield f"{strong(f'{step.old} -> {step.new}:')} {step.character}, {cost}{there}: {verdict}."
    if step.rules:
        yield dim(f"  {step.rules}")
    for line in step.lines:
        rules = dim(f"[{', '.join(line.cites)}]")
        yield f"  {line.text} {rules}"
    for finding in step.findings:
        yield from finding_lines(finding, cites)
