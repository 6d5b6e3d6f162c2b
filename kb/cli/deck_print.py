"""Prints reports, findings and decks for people: coloured on a terminal, plain when piped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from kb.cli.table import print_table
from kb.cli.terminal import COLOURS, coloured, dim, strong, tell, visible

if TYPE_CHECKING:
    from kb.citation import Citation
    from kb.decks.games import DeckView
    from kb.decks.report import Finding, Report

LEVELS = {"error": "red", "warning": "magenta", "note": "cyan"}
STYLES: dict[str, Callable[[str], str]] = {
    "": visible,
    "bold": strong,
    "dim": dim,
    **{colour: partial(coloured, colour=colour) for colour in COLOURS},
}


def print_reports(reports: Iterable[Report], cites: Mapping[str, Citation], said: list[str] | None = None) -> None:
    """Reports for people: coloured on a terminal, plain when piped.

    What is to be said `once` (by which rules decks are judged) is left out while it is what was `said` last; the list is kept up.
    """
    said = [] if said is None else said
    for report in reports:
        verdict = "legal" if report.legal else "not legal"
        style = "green" if report.legal else "red"
        print_line(
            ("bold", f"{report.file}: "),
            ("", f"{report.character} is "),
            (style, verdict),
            ("", f" ({report.counted})." if report.findings else "."),
        )
        for line in report.details.get("lines", ()):
            print_line(("dim", f"  {line}"))
        if said != (once := report.details.get("once", [])):
            for line in once:
                print_line(("dim", f"  {line}"))
            said[:] = once
        for finding in report.findings:
            print_finding(finding, cites)
        for line in report.details.get("not_checked", ()):
            print_line(("dim", f"  Not checked: {line}"))


def print_finding(finding: Finding, cites: Mapping[str, Citation]) -> None:
    """One finding: what is wrong, what to do, and the rule."""
    print_line(("", "  "), (LEVELS[finding.severity], finding.severity), ("", f"  {finding.message}"))
    if finding.fix:
        print_line(("", f"    Fix: {finding.fix}"))
    from kb.decks.contract import cited

    first, *others = [cited(cite, cites) for cite in finding.cites]
    source = f", {first['source']}" if first["source"] else ""
    print_line(("dim", f"    Rule: {first['title']}{source} ({first['id']})"))
    if others:
        print_line(("dim", f"    See also: {', '.join(other['id'] for other in others)}"))


def print_line(*parts: tuple[str, str], hang: int = 2) -> None:
    """A line of styled parts; styles only on a terminal."""
    tell("".join(STYLES[style](text) for style, text in parts), hang=hang)


def print_view(view: DeckView) -> None:
    """A deck's table in aligned columns; what does not fit beside the others hangs below."""
    tell(strong(view.heading))
    print_table([view.columns, *view.rows], 2)
