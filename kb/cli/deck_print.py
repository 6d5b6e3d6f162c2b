"""Prints reports, findings and decks for people: coloured on a terminal, plain when piped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from kb.cli.terminal import is_terminal, rich_console, tell, visible

if TYPE_CHECKING:
    from kb.citation import Citation
    from kb.decks.games import DeckView
    from kb.decks.report import Finding, Report

COLOURS = {"error": "bold red", "warning": "yellow", "note": "cyan"}


def print_reports(reports: Iterable[Report], cites: Mapping[str, Citation]) -> None:
    """Reports for people: coloured on a terminal, plain when piped."""
    for report in reports:
        many = {level: sum(finding.severity == level for finding in report.findings) for level in COLOURS}
        counted = ", ".join(f"{number} {level}{'s' if number > 1 else ''}" for level, number in many.items() if number)
        verdict = "legal" if report.legal else "not legal"
        style = "bold green" if report.legal else "bold red"
        print_line(
            ("bold", f"{report.file}: "),
            ("", f"{report.character} is "),
            (style, verdict),
            ("", f" ({counted})." if counted else "."),
        )
        for line in report.details.get("lines", ()):
            print_line(("dim", f"  {line}"))
        for finding in report.findings:
            print_finding(finding, cites)
        for line in report.details.get("not_checked", ()):
            print_line(("dim", f"  Not checked: {line}"))


def print_finding(finding: Finding, cites: Mapping[str, Citation]) -> None:
    """One finding: what is wrong, what to do, and the rule."""
    print_line(("", "  "), (COLOURS[finding.severity], finding.severity), ("", f"  {finding.message}"))
    if finding.fix:
        print_line(("", f"    Fix: {finding.fix}"))
    from kb.decks.contract import cited

    first, *others = [cited(cite, cites) for cite in finding.cites]
    source = f", {first['source']}" if first["source"] else ""
    print_line(("dim", f"    Rule: {first['title']}{source} ({first['id']})"))
    if others:
        print_line(("dim", f"    See also: {', '.join(other['id'] for other in others)}"))


def print_line(*parts: tuple[str, str]) -> None:
    """A line of styled parts; styles only on a terminal."""
    if not is_terminal():
        tell("".join(text for _, text in parts))
        return
    from rich.text import Text

    rich_console().print(Text.assemble(*((visible(text), style) for style, text in parts)), soft_wrap=True)


def print_view(view: DeckView) -> None:
    """A deck's table: with rich on a terminal, in aligned columns when piped."""
    if is_terminal():
        from rich.table import Table as RichTable
        from rich.text import Text

        title = Text(visible(view.heading))
        drawn = RichTable(*view.columns, title=title, title_justify="left", box=None, header_style="bold")
        for row in view.rows:
            drawn.add_row(*(Text(visible(cell)) for cell in row))
        rich_console().print(drawn)
        return
    tell(view.heading)
    rows = [view.columns, *view.rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(view.columns))]
    for row in rows:
        cells = (visible(cell).ljust(width) for cell, width in zip(row, widths, strict=True))
        tell("  " + "  ".join(cells).rstrip())
