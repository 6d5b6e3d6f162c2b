"""A page to print with card-sized stand-ins: dividers between decks, and proxies for cards, which show only names and
facts.
"""

from __future__ import annotations

from typing import Literal

from kb.decks.party import Pull, Take
from kb.frozen import frozen
from kb.site.decks.page import environment_of
from kb.site.folder import SiteError, site_folder
from kb.version import __version__

Paper = Literal["a4", "letter"]
PAPERS = {"a4": ("A4", "210mm 297mm"), "letter": ("Letter", "8.5in 11in")}
A_PAGE = 9
MOST = 2_000


@frozen
class Slip:
    """A card-sized slip of paper. `kind` is `divider` or `card`, `lines` are the lines below the name, and `foot` is
    the text at the bottom.
    """

    kind: str
    name: str
    lines: tuple[str, ...]
    foot: str


def stand_ins(pulled: Pull, paper: Paper, whole: bool) -> str:
    """Return an HTML page to print: a divider for each deck, then a proxy for each missing copy of a card.

    If `whole` is True, there is a proxy for every card of the decks. Raises SiteError if there are too many slips, or
    if the site's templates are missing.
    """
    slips = [Slip("divider", title, (line,), "deck") for title, line in pulled.decks.items()]
    takes = [take for group in pulled.products.values() for take in group] if whole else []
    number = sum(take.copies for take in (*takes, *pulled.missing))
    if number > MOST:
        raise SiteError(f"{number:,} stand-ins exceed the limit of {MOST:,}. Choose fewer decks.")
    by_deck = [slip for title in pulled.decks for slip in _cards(title, [*takes, *pulled.missing])]
    slips += by_deck
    pages = [slips[start : start + A_PAGE] for start in range(0, len(slips), A_PAGE)]
    name, size = PAPERS[paper]
    template = environment_of(site_folder()).get_template("deck/stand-ins.html.j2")
    html = template.render(pages=pages, paper=name, size=size, number=len(slips), version=__version__)
    return html.encode("utf-8", "replace").decode("utf-8")


def _cards(title: str, takes: list[Take]) -> list[Slip]:
    """Return a proxy for each copy in `takes` that belongs to the deck called `title`."""
    return [
        Slip("card", take.card.name, take.card.facts, title) for take in takes for _ in range(take.decks.get(title, 0))
    ]
