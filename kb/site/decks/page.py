"""Render the page of a deck: one HTML file that loads no other file, in the colours of the site."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cache
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import Any

from jinja2 import Environment, ModuleLoader, StrictUndefined
from markupsafe import Markup, escape

from kb.citation import Citation
from kb.decks.problems import SEVERITIES, Finding
from kb.decks.report import Report
from kb.frozen import frozen
from kb.site.folder import site_folder, templates_of
from kb.site.markup import Icons
from kb.version import __version__

COLOURS_AND_TYPE = re.compile(r"--(?:(?:kb|md)-[\w-]+: (?:light-dark\(|var\(--md-)|kb-(?:serif|sans|mono):)[^;]*;")
CODE = re.compile("`([^`]+)`")
COMMAND = re.compile(r" \(`kb [^`]*`\)")
COMPILED = "compiled"
"""The folder with the templates compiled to Python. The compiled templates are packed for the browser so that it need
not compile them.
"""


@frozen
class DeckPage:
    """The content of a deck's page, as made by the game's code.

    `template` is the name of the template, and `content` has its values. `tone` names the colour of the heading: a
    class of characters, or the game. `thing` is the word for what the page shows ("deck"). `symbols` are the icons that
    the page uses many times.
    """

    template: str
    game: str
    title: str
    description: str
    tone: str
    thing: str = "deck"
    symbols: tuple[str, ...] = ()
    content: dict[str, Any] = field(default_factory=dict)


@frozen
class ShownFinding:
    """A finding as a page shows it: with its remedies in words, the rules that it cites, and the buttons that fix it.

    Consecutive findings of one check with the same rules have the same number `run`.
    """

    finding: Finding
    fix: str
    rules: tuple[Citation, ...]
    run: int
    mends: Sequence[Any]


def render(
    page: DeckPage,
    report: Report,
    citations: Mapping[str, Citation],
    checks: int,
    links: Mapping[str, str] = MappingProxyType({}),
    mends: Callable[[Finding], Sequence[Any]] = lambda finding: (),
    fix_of: Callable[[Finding], str] = lambda finding: finding.fix,
) -> str:
    """Return the HTML of a deck's page with the verdict of `report`. `checks` is the number of rules that were checked.

    `citations` are the entries that findings cite, and `links` their addresses. `mends` returns the buttons that fix a
    finding, and `fix_of` its remedies in words. Text from a deck file is escaped, and unpaired surrogates become
    question marks. Raises SiteError if the site's templates are missing.
    """
    site = site_folder()
    icons = icons_of(site)
    html = (
        environment_of(site)
        .get_template(page.template)
        .render(
            page=page,
            report=report,
            said=said(report, citations, mends, fix_of),
            counted=report.counted,
            checks=checks,
            links=links,
            style=Markup(style(site)),
            symbols=Markup("".join(map(icons.symbol, page.symbols))),
            version=__version__,
            **page.content,
        )
    )
    return html.encode("utf-8", "replace").decode("utf-8")


@cache
def icons_of(site: Path) -> Icons:
    """Return the icons of the theme in the folder `site`. Each folder is read only once."""
    return Icons(site / "theme" / "icons")


@cache
def environment_of(site: Path) -> Environment:
    """Return the environment of the templates in the folder `site`.

    Each template is compiled only once, so that a browser draws further decks without delay.
    """
    environment = templates_of(site, undefined=StrictUndefined, auto_reload=False)
    if (site / COMPILED).is_dir():
        environment.loader = ModuleLoader(site / COMPILED)
    environment.filters["sentence"] = sentence_filter(icons_of(site))
    return environment


def sentence_filter(icons: Icons) -> Callable[[str], Markup]:
    """Return a function that converts a sentence to HTML.

    The function escapes the sentence, draws each `[icon]`, shows text in backticks as code, and removes commands in
    brackets.
    """
    return lambda text: Markup(CODE.sub(r"<code>\1</code>", icons.inline(str(escape(COMMAND.sub("", text))))))


def said(
    report: Report,
    citations: Mapping[str, Citation],
    mends: Callable[[Finding], Sequence[Any]],
    fix_of: Callable[[Finding], str] = lambda finding: finding.fix,
) -> list[ShownFinding]:
    """Return the findings of a report for a template, errors first. A cited entry that the catalog lacks has its id as
    its title.

    `mends` returns the buttons that fix a finding, and `fix_of` its remedies in words.
    """
    ordered = sorted(report.findings, key=lambda finding: SEVERITIES.index(finding.severity))
    runs = groupby(ordered, key=lambda finding: (finding.severity, finding.check, finding.cites))
    return [
        ShownFinding(
            finding,
            fix_of(finding),
            tuple(citations[cite] for cite in finding.cites),
            number,
            mends(finding),
        )
        for number, (_, run) in enumerate(runs)
        for finding in run
    ]


@cache
def style(site: Path) -> str:
    """Return the style sheet of deck pages. It begins with the colours and fonts from the site's own style sheets."""
    assets = site / "theme" / "assets" / "kb"
    site_style = "".join((assets / name).read_text(encoding="utf-8") for name in ("kb.css", "look.css"))
    own = (site / "templates" / "deck" / "deck.css").read_text(encoding="utf-8")
    return f":root {{ {' '.join(COLOURS_AND_TYPE.findall(site_style))} }}\n{own}"
