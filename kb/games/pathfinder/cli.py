"""What `kb party rebuild` and `kb party check` do for Pathfinder: read, call the rebuild and the checks, print."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from kb.cli.deck_files import FINDINGS, LEGAL, UNREADABLE, catalog_here
from kb.cli.deck_print import print_finding, print_line, print_reports
from kb.cli.files import write_new
from kb.cli.terminal import print_json, warn

if TYPE_CHECKING:
    from kb.catalog.reader import Catalog
    from kb.citation import Citation
    from kb.decks.deckfile import DeckFile
    from kb.decks.report import Finding
    from kb.games.pathfinder.decks.model import Deck, Facts
    from kb.games.pathfinder.party.model import Located, Rebuilt
    from kb.games.pathfinder.party.model import Table as PartyTable

GAME = "pathfinder"
COMPANY = "party"  # part of the name of a deck file, where a member has no plain name


def rebuild(file: DeckFile, *, as_json: bool, fill: bool, write: Path | None, force: bool) -> None:
    """Rebuild the decks of the table that a file describes, print what is to be done, write the decks."""
    from kb.decks.nodes import DeckFileError
    from kb.games.pathfinder.party.judge import judge
    from kb.games.pathfinder.party.rebuild import rebuild_party
    from kb.games.pathfinder.party.table import read_table
    from kb.games.pathfinder.party.told import as_json as told_as_json
    from kb.games.pathfinder.party.told import steps

    with catalog_here() as catalog:
        facts = facts_of(catalog)
        try:
            read = read_table(file, facts)
        except DeckFileError as error:
            warn(str(error))
            raise typer.Exit(UNREADABLE) from None
        rebuilt = None if read.strangers else rebuild_party(read.table, facts, fill)
        found = judge(read, rebuilt, facts)
        listed = list(steps(read.table, rebuilt)) if rebuilt else []
        cites = cited_in(catalog, (each.finding for each in found), {rule for _, _, rule in listed})
    if write is not None and rebuilt is not None:
        write_decks(write, read.table, rebuilt, force, quiet=as_json)
    if as_json:
        print_json(told_as_json(read.table, rebuilt, found, cites))
    else:
        print_steps(listed, cites)
        print_located(file.name, found, cites)
    wrong = any(each.finding.severity == "error" for each in found)
    raise typer.Exit(FINDINGS if wrong else LEGAL)


def check(files: list[DeckFile], *, as_json: bool, owned: list[str] | None, out: list[str] | None) -> None:
    """Check the decks of one table by themselves and together."""
    from kb.decks.contract import contract
    from kb.decks.nodes import DeckFileError
    from kb.games.pathfinder.decks.check import check_deck
    from kb.games.pathfinder.decks.deckfile import read_deck
    from kb.games.pathfinder.party.checks import check_party
    from kb.games.pathfinder.party.model import Located
    from kb.games.pathfinder.party.told import finding_as_json

    if owned or out:
        warn("--owned and --out are not for Pathfinder; the products owned stand under `owns:` in a deck file.")
        raise typer.Exit(UNREADABLE)
    with catalog_here() as catalog:
        facts = facts_of(catalog)
        decks: list[Deck] = []
        unreadable = False
        for file in files:
            try:
                decks.append(read_deck(file, facts))
            except DeckFileError as error:
                warn(str(error))
                unreadable = True
        if unreadable:
            raise typer.Exit(UNREADABLE)
        findings = check_party(decks, facts)
        reports = [check_deck(deck, facts, file.name) for deck, file in zip(decks, files, strict=True)]
        cites = cited_in(catalog, [*findings, *(finding for report in reports for finding in report.findings)])
    together = not any(finding.severity == "error" for finding in findings)
    legal = together and all(report.legal for report in reports)
    if as_json:
        rows = [finding_as_json(Located(finding), cites) for finding in findings]
        print_json({"legal": legal, "findings": rows, "decks": [contract(report, cites) for report in reports]})
    else:
        print_reports(reports, cites)
        verdict, style = ("go together", "bold green") if together else ("do not go together", "bold red")
        print_line(("bold", f"{len(reports)} deck{'s' if len(reports) > 1 else ''}: "), (style, verdict), ("", "."))
        for finding in findings:
            print_finding(finding, cites)
    raise typer.Exit(LEGAL if legal else FINDINGS)


def facts_of(catalog: Catalog) -> Facts:
    """The facts of the game."""
    from kb.decks.table import Table

    facts: Facts = Table(catalog.records).game(GAME)[1]
    return facts


def cited_in(catalog: Catalog, findings: Iterable[Finding], more: Iterable[str] = ()) -> dict[str, Citation]:
    """The entries that findings cite, and `more`."""
    return catalog.citations({cite for finding in findings for cite in finding.cites} | set(more))


def print_steps(listed: Iterable[tuple[str, list[str], str]], cites: dict[str, Citation]) -> None:
    """What the players do, each step with its rule."""
    for title, lines, rule in listed:
        print_line(("bold", f"{title}:"))
        for line in lines:
            print_line(("", f"  {line}"))
        found = cites.get(rule)
        print_line(("dim", f"  Rule: {found.title}, {found.source} ({rule})" if found else f"  Rule: {rule}"))


def print_located(name: str, found: Iterable[Located], cites: dict[str, Citation]) -> None:
    """Findings on a table, each at its place in the file."""
    from kb.decks.nodes import place

    for each in found:
        print_line(("bold", f"{place(name, each.line)}:"))
        print_finding(each.finding, cites)


def write_decks(folder: Path, table: PartyTable, rebuilt: Rebuilt, force: bool, quiet: bool) -> None:
    """Write a deck file for each member; nothing is written when one of the files is there already."""
    from kb.files.inside import inside
    from kb.games.pathfinder.party.told import deck_file
    from kb.load.cards import slug

    files: dict[Path, Any] = {}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for member in table.members:
            files[inside(folder, f"{slug(member.name) or COMPANY}.yaml")] = member
    except (OSError, ValueError) as error:
        warn(f"{folder} cannot be written: {getattr(error, 'strerror', None) or error}.")
        raise typer.Exit(UNREADABLE) from None
    there = [str(path) for path in files if os.path.lexists(path)]
    if there and not force:
        warn(f"{', '.join(there)}: there already; --force overwrites. Nothing was written.")
        raise typer.Exit(UNREADABLE)
    for path, member in files.items():
        write_new(path, deck_file(member, table, rebuilt), force, quiet=quiet)
