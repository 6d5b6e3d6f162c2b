"""Findings of a replay: rules that say lines, and findings of deck checks put into their place in a campaign's file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from kb.campaigns.model import Spot
from kb.decks.report import Finding, Located
from kb.decks.ruleset import Ruleset

Subject = TypeVar("Subject")


def run(ruleset: Ruleset[Subject], subject: Subject) -> Iterator[Located]:
    """Every finding of a ruleset on a step of a campaign, with the line that the rule says."""
    for check in ruleset.checks:
        for problem in check.run(subject):
            yield Located(check.found(problem), problem.line if isinstance(problem, Spot) else 0)


def placed(
    found: Iterable[Finding], who: str, line: Callable[[Finding], int], leave_out: Iterable[str] = ()
) -> Iterator[Located]:
    """Findings of a deck check in a campaign: said of `who`, at their lines; notes and checks in `leave_out` are left out."""
    passed = set(leave_out)
    for finding in found:
        if finding.severity != "note" and finding.check not in passed:
            message = f"{who}: {finding.message}" if who else finding.message
            yield Located(replace(finding, message=message), line(finding))
