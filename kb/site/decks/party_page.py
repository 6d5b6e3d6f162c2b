"""The pages of a table: its decks rebuilt after a scenario, and its decks judged together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
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
NAMELESS = "party"  # the name of a deck file, where a member has no plain name


@frozen
class ShownDeck:
    """A member's deck after the rebuild: what is in it (None: nothing yet), its file, where it can be checked."""

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
    """Return the HTML of a rebuilt table, with buttons that refuse a move.

    `rules` are the game's deck rules with their facts, `checker` is the address of "Check a deck", and `fix_of` words the
    remedies of a finding.

    Raises SiteError when the site's templates are missing.
    """
    decks = shown(rebuilt, rules, checker)
    rules_of = {step.cite: citations[step.cite] for step in rebuilt.steps}
    title = both(rebuilt.decks) or "The table"
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
    """The HTML of the decks of one table, judged together and each by itself; `mends` gives what of these decks mends a finding, `forms` are
    the addresses at which each can be changed.

    Raises SiteError when templates are missing.
    """
    game, title = party.reports[0].game, both(report.character for report in party.reports)
    decks = [
        (each, said(each, citations, partial(mends, [at])), form)
        for at, (each, form) in enumerate(zip_longest(party.reports, forms))
    ]
    content = {"decks": decks, "together": party.together, "legal": party.legal}
    report = Report("", game, title, tuple(each.finding for each in party.findings))
    page = drawn(TOGETHER, game, title, "The decks of one party", content)
    return render(page, report, citations, 0, links, partial(mends, range(len(decks))))


def drawn(template: str, game: str, title: str, description: str, content: dict[str, Any]) -> DeckPage:
    """The content of a page about a table, with the template that draws it."""
    return DeckPage(template, games()[game].title, title, f"{description}: {title}", game, "table", content=content)


def shown(rebuilt: Rebuilding, rules: tuple[Decks, Any], checker: str = "") -> list[ShownDeck]:
    """The members' decks; one that has no cards before they are chosen is not shown, nor can it be checked yet."""
    module, facts = rules
    decks: list[ShownDeck] = []
    for member, text in rebuilt.decks.items():
        name, view = file_name(member), None
        with suppress(DeckFileError):
            view = module.show(parse_deck(text, name), facts)
        check = f"{checker}#deck={to_link(text)}&now" if checker and view else ""
        decks.append(ShownDeck(member, view, name, text, check))
    return decks


def file_name(member: str) -> str:
    """The file name for a member's deck."""
    return f"{slug(member) or NAMELESS}.yaml"


def placed(findings: Iterable[Located], file: str) -> tuple[Any, ...]:
    """Put the place in the table file before the message of each finding that has one."""
    return tuple(
        each.finding.altered(message=f"{place(file, each.line)}: {each.finding.problem.message}")
        if each.line
        else each.finding
        for each in findings
    )
