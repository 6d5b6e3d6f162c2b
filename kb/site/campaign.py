"""The page of a campaign: one HTML file with the timeline, the changes after each game with their reasons, the decks
and charts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import PurePath
from types import MappingProxyType

from kb.campaigns.campaign import CampaignChart, CampaignStep, Filed, Replay
from kb.citation import Citation
from kb.decks.nodes import place
from kb.decks.problems import Finding
from kb.decks.report import Report
from kb.registry import games
from kb.site.decks.charts import Bar, BarPart, Chart
from kb.site.decks.page import DeckPage, render

TEMPLATE = "deck/campaign.html.j2"


def campaign_page(
    replay: Replay,
    citations: Mapping[str, Citation],
    links: Mapping[str, str] = MappingProxyType({}),
    fix_of: Callable[[Finding, CampaignStep], str] | None = None,
) -> str:
    """Return the HTML of a campaign's page. `links` are addresses of rules, and `citations` the rules that findings
    cite.

    `fix_of` returns how to fix a finding, in terms of the form on the site. With it, findings name games instead of
    files and lines, and findings on the beginning of the campaign have a button. Raises SiteError if the templates are
    missing.
    """
    about = games()[replay.game]
    steps = [(step, each) for step in replay.steps for each in step.findings if each.finding.severity != "note"]
    shown = [placed(step, each, fix_of is not None) for step, each in steps]
    step_of = {finding: step for finding, (step, _) in zip(shown, steps, strict=True)}
    report = Report(replay.path, replay.game, replay.title, tuple(shown))
    page = DeckPage(
        template=TEMPLATE,
        game=about.title,
        title=replay.title,
        description=f"A campaign of {about.title}: {replay.title}",
        tone=replay.game,
        thing="campaign",
        content={
            "replay": replay,
            "facts": [(each.label, each.value) for each in replay.facts],
            "again": fix_of and not all(step.number == 0 for step, _ in steps),
            "charts": [chart(each) for each in replay.charts],
            "citations": citations,
            "names": {
                file: PurePath(file).name
                for file in (*(each.file for each in replay.steps), *(each.file for each in replay.not_read))
            },
        },
    )

    def mends(finding: Finding) -> list[Mapping[str, str]]:
        return [{"words": "Change it in the setup"}] if fix_of and step_of[finding].number == 0 else []

    def fix(finding: Finding) -> str:
        return fix_of(finding, step_of[finding]) if fix_of else finding.fix

    return render(page, report, citations, replay.rules, links, mends, fix)


def placed(step: CampaignStep, located: Filed, by_game: bool) -> Finding:
    """Return the finding of a step with its location: the name of the game if `by_game` is True, else the file and
    line.
    """
    where = step.called if by_game else place(PurePath(located.file).name, located.line)
    return replace(located.finding, place=where)


def chart(numbers: CampaignChart) -> Chart:
    """Convert a campaign's chart to a chart for deck pages."""
    bars = [
        Bar(row.label, tuple(BarPart(each.value, each.tone, each.words) for each in row.parts)) for row in numbers.rows
    ]
    return Chart(numbers.title, tuple(bars), numbers.note)
