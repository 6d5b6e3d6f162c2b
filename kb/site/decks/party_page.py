"""Two pages about a party's decks: one after a rebuild, and one that checks the decks together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import Any

from kb.citation import Citation
from kb.decks.deckfile import parse_deck
from kb.decks.games import Decks, DeckView
from kb.decks.names import both
from kb.decks.nodes import DeckFileError, place
from kb.decks.party import PartyReport, Rebuilding
from kb.decks.problems import Finding
from kb.decks.report import Located, Report
from kb.decks.share import to_link
from kb.frozen import frozen
from kb.registry import games
from kb.site.decks.page import DeckPage, render, said
from kb.sources.cards import slug

REBUILT = "deck/rebuild.html.j2"
TOGETHER = "deck/together.html.j2"
NAMELESS = "party"  # the name of a deck file if the member's name has no plain letters


@frozen
class MemberRebuild:
    """A member's deck after a rebuild.

    `view` is its composition (None if it has no cards yet), `name` and `text` are its file, and `check` is the address
    of the page that checks it.
    """

    member: str
    view: DeckView | None
    name: str
    text: str
    check: str


def rebuild_page(
    rebuilt: Rebuilding,
    game: str,
    rules: tuple[Decks, Any],
    citations: Mapping[str, Citation],
    links: Mapping[str, str],
    checker: str,
    fix_of: Callable[[Finding], str] = lambda finding: finding.fix,
) -> str:
    """Return the HTML of a page about a party's rebuilt decks. It has buttons to refuse a move of a card.

    `rules` are the game's deck rules and facts, `checker` is the address of "Check a deck", and `fix_of` returns the
    remedies of a finding in words. Raises SiteError if the site's templates are missing.
    """
    decks = shown(rebuilt, rules, checker)
    rules_of = {step.cite: citations[step.cite] for step in rebuilt.steps}
    title = both(rebuilt.decks) or "The party"
    report = Report(rebuilt.file, game, title, placed(rebuilt.findings, rebuilt.file))
    page = drawn(
        REBUILT,
        game,
        title,
        "The party after the scenario",
        {"steps": rebuilt.steps, "decks": decks, "rules": rules_of},
    )
    return render(page, report, citations, 0, links, fix_of=fix_of)


def together_page(
    party: PartyReport,
    citations: Mapping[str, Citation],
    links: Mapping[str, str],
    mends: Callable[[Iterable[int], Finding], list[Any]],
    forms: Iterable[str] = (),
) -> str:
    """Return the HTML of a page about the decks of a party, checked together and each by itself.

    `mends` returns the buttons that fix a finding in the decks at the given positions. `forms` are the addresses of
    the pages for editing the decks. Raises SiteError if the site's templates are missing.
    """
    game, title = party.reports[0].game, both(report.character for report in party.reports)
    decks = [
        (each, said(each, citations, partial(mends, [at])), form)
        for at, (each, form) in enumerate(zip_longest(party.reports, forms))
    ]
    content = {"decks": decks, "together": party.together, "legal": party.legal}
    report = Report("", game, title, tuple(each.finding for each in party.findings))
    page = drawn(TOGETHER, game, title, "Decks in one party", content)
    return render(page, report, citations, 0, links, partial(mends, range(len(decks))))


def drawn(template: str, game: str, title: str, description: str, content: dict[str, Any]) -> DeckPage:
    """Return a page about a party. `template` shows its `content`."""
    return DeckPage(template, games()[game].title, title, f"{description}: {title}", game, "table", content=content)


def shown(rebuilt: Rebuilding, rules: tuple[Decks, Any], checker: str = "") -> list[MemberRebuild]:
    """Return the rebuilt decks of the members. A deck without chosen cards has no composition and no address to check
    it.
    """
    module, facts = rules
    decks: list[MemberRebuild] = []
    for member, text in rebuilt.decks.items():
        name, view = file_name(member), None
        with suppress(DeckFileError):
            view = module.show(parse_deck(text, name), facts)
        check = f"{checker}#deck={to_link(text)}&now" if checker and view else ""
        decks.append(MemberRebuild(member, view, name, text, check))
    return decks


def file_name(member: str) -> str:
    """Return the name of the file for the deck of `member`."""
    return f"{slug(member) or NAMELESS}.yaml"


def placed(findings: Iterable[Located], file: str) -> tuple[Any, ...]:
    """Return the findings, each with its location in the party file. Findings without a line stay unchanged."""
    return tuple(
        replace(each.finding, place=place(file, each.line)) if each.line else each.finding for each in findings
    )
