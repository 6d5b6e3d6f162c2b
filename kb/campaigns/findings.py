"""Findings of a replay: rules that say lines, and findings of deck checks put into their place in a campaign's file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from kb.campaigns.model import Spot
from kb.campaigns.replay import Between
from kb.decks.report import Finding, Located
from kb.decks.ruleset import Ruleset


def run(ruleset: Ruleset[Any], moment: Between) -> Iterator[Located]:
    """Every finding of a ruleset on a game, with the line of the key that the rule names."""
    for check in ruleset.checks:
        if check.when is not None and not check.when(moment):
            continue
        for problem in check.run(moment):
            at = problem.at if isinstance(problem, Spot) else ()
            yield Located(check.found(problem), moment.played.line(*([at] if isinstance(at, str) else at)))


def placed(
    found: Iterable[Finding],
    who: str,
    line: Callable[[Finding], int] | int,
    leave_out: Iterable[str] = (),
    keys: Iterable[str] = (),
) -> Iterator[Located]:
    """Findings of a deck check in a campaign: said of `who`, at their line or lines; notes and checks in `leave_out` are left out.

    `keys` are those of the campaign's file: of a fix only what speaks of these stays.
    """
    passed, known = set(leave_out), frozenset(keys)
    for finding in found:
        if finding.severity != "note" and finding.check not in passed:
            message = f"{who}: {finding.message}" if who else finding.message
            fix = fitting(finding.fix, known) if known else finding.fix
            yield Located(replace(finding, message=message, fix=fix), line if isinstance(line, int) else line(finding))


def fitting(fix: str, keys: frozenset[str]) -> str:
    """A fix without the ways that name a key which the file has not; where none is left, the deck is to be corrected."""
    kept = []
    for sentence in re.split(r"(?<=\.) (?=[A-Z])", fix):
        ways = [
            way
            for way in re.split(r"(?:, or|; or) ", sentence)
            if all(key in keys for key in re.findall(r"`(\w+)(?:: [^`]*|:)?`", way))
        ]
        if ways:
            kept.append(", or ".join(ways).rstrip(".") + ".")
    told = " ".join(kept)
    return f"{told[:1].upper()}{told[1:]}" if told else "Correct the deck under `decks:`."
