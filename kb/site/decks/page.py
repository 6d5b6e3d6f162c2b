"""Renders the page of a deck: one HTML file that asks for nothing else, in the colours of the site."""

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
"""The folder of the templates as Python, where they are packed for the browser, which then need not compile them."""


@frozen
class DeckPage:
    """What a game's module makes of a deck.

    `template` draws it from `content`; `tone` is the colour of the heading (a class, or the game), `thing` what is judged,
    `symbols` the icons that are drawn many times.
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
class Said:
    """A finding with the rules it cites, and the buttons that mend it; findings of one check by the same rules, one after the other, share
    the number of their `run`."""

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
    """The HTML of a deck's page with the verdict of a report, which `checks` rules went into; `links` lead to rules.

    `mends` gives the buttons of a finding, `fix_of` its remedies in words. Everything that a deck file says is escaped,
    and what is no text (half of a surrogate pair) becomes a question mark.
    Raises SiteError when the site's templates are missing.
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
    """The icons of a site's theme; each folder is read once."""
    return Icons(site / "theme" / "icons")


@cache
def environment_of(site: Path) -> Environment:
    """The templates of a site, each compiled once: in a browser the next deck is drawn without a pause."""
    environment = templates_of(site, undefined=StrictUndefined, auto_reload=False)
    if (site / COMPILED).is_dir():
        environment.loader = ModuleLoader(site / COMPILED)
    environment.filters["sentence"] = sentence_filter(icons_of(site))
    return environment


def sentence_filter(icons: Icons) -> Callable[[str], Markup]:
    """A sentence as HTML: escaped, with `[icon]` drawn and what stands in backticks as code; a command in brackets is left out."""
    return lambda text: Markup(CODE.sub(r"<code>\1</code>", icons.inline(str(escape(COMMAND.sub("", text))))))


def said(
    report: Report,
    citations: Mapping[str, Citation],
    mends: Callable[[Finding], Sequence[Any]],
    fix_of: Callable[[Finding], str] = lambda finding: finding.fix,
) -> list[Said]:
    """Return the findings as the template draws them, errors first; a rule that the catalog lacks has its id as its title."""
    ordered = sorted(report.findings, key=lambda finding: SEVERITIES.index(finding.severity))
    runs = groupby(ordered, key=lambda finding: (finding.severity, finding.check, finding.cites))
    return [
        Said(
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
    """The style sheet of deck pages: the site's colours and type, which stand in its own style sheets, before it."""
    assets = site / "theme" / "assets" / "kb"
    site_style = "".join((assets / name).read_text(encoding="utf-8") for name in ("kb.css", "look.css"))
    own = (site / "templates" / "deck" / "deck.css").read_text(encoding="utf-8")
    return f":root {{ {' '.join(COLOURS_AND_TYPE.findall(site_style))} }}\n{own}"
