"""kb: rules reference and deck checker for adventure card games.

>>> import kb
>>> kb.search("mulligan", within="arkham").hits[0].id
'arkham/grimoire/glossary/mulligan'

>>> deck = kb.Deck.load("roland.yaml")
>>> deck.check(taboo="none").legal
True
>>> deck.upgrade_to(kb.Deck.load("after.yaml"), earned=7).cost
6

Each call checks if the sources have changed, opens the files that it needs and closes them. For many calls in a row,
open a `Session` and call its methods, or pass it to a `Deck`, `Party` or `Campaign`. If the user can correct an error,
it is a `KbError`, whose text is a sentence. `as_json` converts any answer to the object that `kb` prints with `--json`.

Names are imported on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from kb.version import __version__

if TYPE_CHECKING:
    from kb.api.decks import Campaign, Deck, Party
    from kb.api.searching import NoSuchPlace
    from kb.api.session import (
        Session,
        as_json,
        ask,
        cards,
        check_decks,
        compare,
        open_catalog,
        search,
        show,
    )
    from kb.api.showing import Ambiguous, Answer, NotFound
    from kb.campaigns.campaign import Replay
    from kb.catalog.reader import Catalog
    from kb.decks.nodes import DeckFileError
    from kb.decks.party import PartyReport, Pull, Rebuilding
    from kb.decks.problems import Finding
    from kb.decks.report import Report
    from kb.decks.scores import Score, score
    from kb.decks.upgrades import Upgrade
    from kb.errors import KbError
    from kb.games.arkham.purchase_plan import PurchasePlan
    from kb.games.arkham.weaknesses import Weaknesses, draw_weaknesses
    from kb.retrieval.cards import CardQueryError
    from kb.retrieval.engine import Hit, Results, Twin

_WHERE = {
    "kb.api.session": (
        "Session",
        "as_json",
        "ask",
        "cards",
        "check_decks",
        "compare",
        "open_catalog",
        "search",
        "show",
    ),
    "kb.api.decks": ("Campaign", "Deck", "Party"),
    "kb.api.searching": ("NoSuchPlace",),
    "kb.api.showing": ("Ambiguous", "Answer", "NotFound"),
    "kb.campaigns.campaign": ("Replay",),
    "kb.catalog.reader": ("Catalog",),
    "kb.decks.nodes": ("DeckFileError",),
    "kb.decks.party": ("PartyReport", "Pull", "Rebuilding"),
    "kb.decks.report": ("Finding", "Report"),
    "kb.decks.scores": ("Score", "score"),
    "kb.decks.upgrades": ("Upgrade",),
    "kb.errors": ("KbError",),
    "kb.games.arkham.purchase_plan": ("PurchasePlan",),
    "kb.games.arkham.weaknesses": ("Weaknesses", "draw_weaknesses"),
    "kb.retrieval.cards": ("CardQueryError",),
    "kb.retrieval.engine": ("Hit", "Results", "Twin"),
}
_MODULE = {name: module for module, names in _WHERE.items() for name in names}

__all__ = [
    "Ambiguous",
    "Answer",
    "Campaign",
    "CardQueryError",
    "Catalog",
    "Deck",
    "DeckFileError",
    "Finding",
    "Hit",
    "KbError",
    "NoSuchPlace",
    "NotFound",
    "Party",
    "PartyReport",
    "Pull",
    "PurchasePlan",
    "Rebuilding",
    "Replay",
    "Report",
    "Results",
    "Score",
    "Session",
    "Twin",
    "Upgrade",
    "Weaknesses",
    "__version__",
    "as_json",
    "ask",
    "cards",
    "check_decks",
    "compare",
    "draw_weaknesses",
    "open_catalog",
    "score",
    "search",
    "show",
]


def __getattr__(name: str) -> Any:
    """Import a public name of the library on first use and return its value (PEP 562)."""
    if name not in _MODULE:
        raise AttributeError(f"module 'kb' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULE[name]), name)
    return value


def __dir__() -> list[str]:
    """Return all names of the library, so that editors and shells can complete them."""
    return sorted({*globals(), *__all__})
