"""`kb deck weakness` and `kb deck party`: what the decks of one table share."""

from __future__ import annotations

import secrets
from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kb.cli.deck_files import FINDINGS, LEGAL, UNREADABLE, catalog_here, read_all
from kb.cli.deck_print import print_finding, print_line, print_reports
from kb.cli.terminal import print_json, tell, warn
from kb.decks.table import Table
from kb.games.arkham.cli.upgrade import arkham_decks

if TYPE_CHECKING:
    from kb.decks.deckfile import DeckFile
    from kb.games.arkham.decks.facts import Facts
    from kb.games.arkham.decks.model import Deck
    from kb.games.arkham.decks.weakness_pool import Drawer

WEAKNESS_POOL = "arkham/faq/searching-collection-basic-weakness"
Owned = Annotated[
    list[str] | None,
    typer.Option("--owned", metavar="PRODUCT", help="A product owned, by code or name (repeat, or commas)."),
]


def weakness(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DECK...", help="The deck to draw for, then the others at the table: what they have is out."
        ),
    ] = None,
    number: Annotated[int | None, typer.Option("--number", "-n", min=1, max=50, help="How many to draw.")] = None,
    investigator: Annotated[
        str | None, typer.Option("--investigator", metavar="NAME", help="For whom to draw, without a deck.")
    ] = None,
    owned: Owned = None,
    drawn: Annotated[
        list[str] | None, typer.Option("--drawn", metavar="NAME", help="A weakness drawn already (repeat).")
    ] = None,
    trait: Annotated[str, typer.Option("--trait", metavar="TRAIT", help="Draw only among weaknesses with it.")] = "",
    standalone: Annotated[
        bool, typer.Option("--standalone", help="Leave out weaknesses that are for campaigns only.")
    ] = False,
    seed: Annotated[int | None, typer.Option("--seed", help="Makes the draw repeatable.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: seed, pool, drawn.")] = False,
) -> None:
    """Draw random basic weaknesses from one copy of each product owned (Arkham Horror).

    Weaknesses in the decks given are out of the pool; those locked to a class are in it only for investigators of the class.
    Without --number as many as the first deck still needs, at least one. The seed that is printed repeats the draw. Exit
    code 2 when a file cannot be read or the pool is too small.
    """
    from kb.decks.contract import cited
    from kb.games.arkham.decks.frame import FrameError, frame_of
    from kb.games.arkham.decks.names import UnknownName
    from kb.games.arkham.decks.weakness_pool import DrawError, draw, drawn_in, pool, without

    chosen = secrets.randbelow(1_000_000_000) if seed is None else seed
    with catalog_here() as catalog:
        table = Table(catalog.records)
        named = arkham_decks(read_all(files), table) if files else []
        if named is None:
            raise typer.Exit(UNREADABLE)
        facts: Facts = table.game("arkham")[1]
        decks = [each.deck for each in named]
        try:
            products = frame_of({"owned": owned}, facts).products
            there = pool(facts, products)
            there = without(without(there, drawn_in(decks, facts)), _named(drawn, facts))
            drawer = _drawer(decks, investigator, standalone, trait, facts)
            cards = draw(there, facts, drawer, number or _needed(decks, facts), chosen)
        except (FrameError, DrawError, UnknownName) as error:
            warn(str(error))
            raise typer.Exit(UNREADABLE) from None
        may_be_drawn = sum(
            copies for root, copies in there.items() if (card := facts.card(root)) and drawer.admits(card)
        )
        sources = catalog.citations([WEAKNESS_POOL])
    if as_json:
        data = {
            "seed": chosen,
            "pool": may_be_drawn,
            "drawn": [{"code": card.code, "name": card.name, "traits": sorted(card.traits)} for card in cards],
            "cites": [cited(WEAKNESS_POOL, sources)],
        }
        print_json(data)
        return
    for card in cards:
        tell(card.label)
    print_line(("dim", f"Drawn from {may_be_drawn} with --seed {chosen}. Rule: {WEAKNESS_POOL}"))


def _named(names: list[str] | None, facts: Facts) -> dict[str, int]:
    """Weaknesses named on the command line, by first printing. Raises UnknownName."""
    from kb.games.arkham.decks.names import CardNames

    known = CardNames(facts)
    return dict(Counter(known.find(name).root for name in names or ()))


def _drawer(decks: list[Deck], investigator: str | None, standalone: bool, trait: str, facts: Facts) -> Drawer:
    """For whom to draw: the investigator named, else the first deck's. Raises UnknownName."""
    from kb.games.arkham.decks.names import CardNames
    from kb.games.arkham.decks.weakness_pool import Drawer

    card = None
    if investigator:
        card = CardNames(facts).find(investigator, investigator=True)
    elif decks:
        card = facts.card(decks[0].front or decks[0].investigator)
    return Drawer(card.classes if card else None, standalone, trait.casefold())


def _needed(decks: list[Deck], facts: Facts) -> int:
    """How many weaknesses the first deck still needs, at least one."""
    from kb.games.arkham.decks.profile import profile_of
    from kb.games.arkham.decks.weakness_pool import still_to_draw

    if not decks:
        return 1
    build = profile_of(facts, decks[0]).build
    return max(1, still_to_draw(decks[0], facts, build.random_weaknesses if build else 0))


def party(files: list[DeckFile], *, as_json: bool, owned: list[str] | None, out: list[str] | None) -> None:
    """Check the decks of one table together, and each by itself.

    One of each investigator by name, copies over the products owned (name a product twice when there are two of it), one
    weakness pool, nobody who was killed or driven insane. Exit code 0: legal; 1: not; 2: a file cannot be read.
    """
    from kb.decks.contract import cited, contract
    from kb.games.arkham.decks.check import check_deck
    from kb.games.arkham.decks.frame import FrameError, frame_of
    from kb.games.arkham.decks.names import CardNames, UnknownName
    from kb.games.arkham.decks.party import check_party

    with catalog_here() as catalog:
        table = Table(catalog.records)
        named = arkham_decks(files, table)
        if not named:
            raise typer.Exit(UNREADABLE)
        facts: Facts = table.game("arkham")[1]
        try:
            names = [part.strip() for name in owned or () for part in name.split(",") if part.strip()]
            products = Counter(code for name in names for code in frame_of({"owned": [name]}, facts).products)
            gone = [CardNames(facts).find(name, investigator=True).name for name in out or ()]
        except (FrameError, UnknownName) as error:
            warn(str(error))
            raise typer.Exit(UNREADABLE) from None
        findings = check_party([each.deck for each in named], [each.file for each in named], facts, products, gone)
        reports = [check_deck(each.deck, facts, each.file) for each in named]
        wanted = {cite for finding in findings for cite in finding.cites}
        wanted |= {cite for report in reports for finding in report.findings for cite in finding.cites}
        cites = catalog.citations(wanted)
    together = not any(finding.severity == "error" for finding in findings)
    legal = together and all(report.legal for report in reports)
    if as_json:
        rows: list[dict[str, Any]] = [
            {
                "check": finding.check, "family": finding.family, "severity": finding.severity, "message": finding.message,
                "cards": list(finding.cards), "cites": [cited(cite, cites) for cite in finding.cites], "fix": finding.fix,
            }
            for finding in findings
        ]  # fmt: skip
        decks = [contract(report, cites) for report in reports]
        print_json({"legal": legal, "findings": rows, "decks": decks})
    else:
        print_reports(reports, cites)
        verdict, style = ("go together", "bold green") if together else ("do not go together", "bold red")
        print_line(("bold", f"{len(reports)} deck{'s' if len(reports) > 1 else ''}: "), (style, verdict), ("", "."))
        for finding in findings:
            print_finding(finding, cites)
    raise typer.Exit(LEGAL if legal else FINDINGS)
