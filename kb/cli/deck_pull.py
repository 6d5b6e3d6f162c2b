"""`kb deck pull`: which cards of several decks to take from which product, and slips to print."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.completion import products
from kb.cli.deck_files import FINDINGS, LEGAL, UNREADABLE, files_named, readable
from kb.cli.deck_print import print_line
from kb.cli.files import write_new
from kb.cli.session import session_here
from kb.cli.terminal import print_json, tell, warn
from kb.plural import counted

if TYPE_CHECKING:
    from kb.decks.pull import Pull, Take

PAPERS = ("a4", "letter")


def pull(
    files: Annotated[list[str], typer.Argument(metavar="DECK...", help="Decks of one game; a folder, or - .")],
    owned: Annotated[
        list[str] | None,
        typer.Option(
            "--owned",
            metavar="PRODUCT",
            autocompletion=products,
            help="A product owned, by code or name (repeat, or commas).",
        ),
    ] = None,
    slips: Annotated[
        Path | None,
        typer.Option("--print", metavar="FILE.html", help="Write card-sized dividers and stand-ins to print."),
    ] = None,
    whole: Annotated[
        bool, typer.Option("--all", help="Stand-ins for every card of the decks, not only for missing ones.")
    ] = False,
    paper: Annotated[str, typer.Option("--paper", metavar="NAME", help="a4 or letter.")] = "a4",
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: decks, products, missing.")] = False,
) -> None:
    """List which cards to take from which product for several decks of one collection, and which there are too few of.

    Products that hold most of the cards come first; decks are served in the order given. Without --owned it is what the
    decks say (`owns:`), else one of every product. Exit code 0: all cards are there; 1: some are missing; 2: a
    deck cannot be read, or the page not written.

    Examples:
        kb deck pull lini.yaml kyra.yaml
        kb deck pull lini.yaml kyra.yaml --print slips.html --all --force
    """
    from kb.decks.pull import pull_json
    from kb.site.decks.stand_ins import stand_ins
    from kb.site.folder import SiteError

    if paper.casefold() not in PAPERS:
        warn(f"There is no paper {paper!r}; there are {', '.join(PAPERS)}.")
        raise typer.Exit(UNREADABLE)
    with readable(), session_here() as session:
        pulled = session.pull(files, owned=owned or ())
    if slips is not None:
        try:
            html = stand_ins(pulled, "letter" if paper.casefold() == "letter" else "a4", whole)
        except SiteError as error:
            warn(str(error))
            raise typer.Exit(UNREADABLE) from None
        write_new(slips, html, force, files_named(*files), quiet=as_json)
    if as_json:
        print_json(pull_json(pulled))
    else:
        _print(pulled)
    raise typer.Exit(FINDINGS if pulled.missing else LEGAL)


def _print(pulled: Pull) -> None:
    decks = pulled.collection.decks
    tell(
        f"{counted(len(decks), 'deck')}, {counted(pulled.copies, 'card')} from {counted(len(pulled.products), 'product')} "
        f"(owned: {pulled.collection.owned})."
    )
    several = len(decks) > 1
    for product, takes in pulled.products.items():
        print_line(("bold", f"{product}: {sum(take.copies for take in takes)} cards"))
        for take in takes:
            print_line(("", f"  {_line(take, several)}"))
    if pulled.missing:
        print_line(("bold", f"Missing: {sum(take.copies for take in pulled.missing)} cards"))
        for take in pulled.missing:
            there = take.card.copies - take.copies
            held = f"the decks want {take.card.copies}, the products have {there}"
            print_line(("", f"  {_line(take, several)}: {held}."))


def _line(take: Take, several: bool) -> str:
    """`2x Mace (Kyra 1, Seelah 1)`."""
    copies = f"{take.copies}x " if take.copies > 1 else ""
    names = ", ".join(f"{deck} {number}" if take.copies > 1 else deck for deck, number in take.decks.items())
    unsure = ", if there are so many: copies unknown" if take.uncertain else ""
    return f"{copies}{take.card.name}" + (f" ({names})" if several else "") + unsure
