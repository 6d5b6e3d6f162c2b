"""The page of a campaign: one HTML file with its timeline, what each game changed and why, the decks and charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import PurePath
from types import MappingProxyType

from kb.campaigns.model import Replay, Step, Tally
from kb.citation import Citation
from kb.decks.nodes import place
from kb.decks.problems import Finding
from kb.decks.report import Report
from kb.registry import games
from kb.site.decks.charts import Bar, Chart, Part
from kb.site.decks.page import DeckPage, render

TEMPLATE = "deck/campaign.html.j2"


def campaign_page(
    replay: Replay,
    citations: Mapping[str, Citation],
    links: Mapping[str, str] = MappingProxyType({}),
    worded: Callable[[Finding, Step], Finding] | None = None,
) -> str:
    """The HTML of a campaign; `links` lead to rules. With `worded`, which puts the findings of a step in a form's words, they stand by games,
    not by files and lines, and those on the beginning have a button. Raises SiteError when the templates are missing."""
    about = games()[replay.game]
    report, first = verdict(replay, worded), f"{replay.steps[0].title}: "
    page = DeckPage(
        template=TEMPLATE,
        game=about.title,
        title=replay.title,
        description=f"A campaign of {about.title}: {replay.title}",
        tone=replay.game,
        thing="campaign",
        content={
            "replay": replay,
            "again": worded and not all(each.message.startswith(first) for each in report.findings),
            "charts": [chart(tally) for tally in replay.tallies],
            "citations": citations,
            "names": {
                file: PurePath(file).name for file in (*(each.file for each in replay.steps), *dict(replay.strays))
            },
        },
    )

    def mends(finding: Finding) -> list[Mapping[str, str]]:
        return [{"words": "To the beginning"}] if worded and finding.message.startswith(first) else []

    return render(page, report, citations, replay.rules, links, mends)


def verdict(replay: Replay, worded: Callable[[Finding, Step], Finding] | None = None) -> Report:
    """All findings of a campaign as the report that the page's heading shows, each with its place; files without a rule too."""
    findings = [
        replace(
            finding := worded(each.finding, step) if worded else each.finding,
            deck=f"{step.called if worded else place(PurePath(step.file).name, each.line)}"
            + (f": {finding.deck}" if finding.deck else ""),
        )
        for step in replay.steps
        for each in step.findings
        if each.finding.severity != "note"
    ]
    return Report(replay.path, replay.game, replay.title, tuple(findings))


def chart(tally: Tally) -> Chart:
    """Turn the numbers of a campaign into a chart as deck pages draw it."""
    bars = [Bar(row.label, tuple(Part(value, tone, words) for value, tone, words in row.parts)) for row in tally.rows]
    return Chart(tally.title, tuple(bars), tally.note)
