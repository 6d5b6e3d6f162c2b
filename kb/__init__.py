"""kb: rules reference and deck checker for adventure card games.

>>> import kb
>>> kb.search("mulligan", within="arkham").hits[0].id
'arkham/glossary/mulligan'

Every function answers one question: it looks whether the sources have changed, opens what it needs and closes it. For many
questions in a row hold a `Session` open; it has the same methods. Errors that a user can mend are a `KbError`, whose text is
a sentence. `as_json` makes of whatever a function gave the object that the command of its name prints with `--json`.

Nothing is imported before it is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from kb.version import __version__

if TYPE_CHECKING:
    from kb.api.calls import (
        as_json,
        ask,
        cards,
        check_campaign,
        check_deck,
        check_decks,
        check_party,
        open_catalog,
        plan,
        pull,
        rebuild_party,
        search,
        show,
        upgrade,
    )
    from kb.api.places import NoSuchPlace
    from kb.api.searching import Answer
    from kb.api.session import Session
    from kb.api.showing import Ambiguous, NotFound
    from kb.campaigns.model import Replay
    from kb.catalog.reader import Catalog
    from kb.decks.nodes import DeckFileError
    from kb.decks.party import PartyReport, Rebuilding
    from kb.decks.pull import Pull
    from kb.decks.report import Finding, Report
    from kb.decks.upgrades import PurchasePlan, Upgrade
    from kb.errors import KbError
    from kb.retrieval.cards import CardQueryError
    from kb.retrieval.engine import Hit, Results, Twin

_WHERE = {
    "kb.api.calls": (
        "as_json", "ask", "cards", "check_campaign", "check_deck", "check_decks", "check_party", "open_catalog", "plan", "pull",
        "rebuild_party", "search", "show", "upgrade",
    ),
    "kb.api.places": ("NoSuchPlace",),
    "kb.api.searching": ("Answer",),
    "kb.api.session": ("Session",),
    "kb.api.showing": ("Ambiguous", "NotFound"),
    "kb.campaigns.model": ("Replay",),
    "kb.catalog.reader": ("Catalog",),
    "kb.decks.nodes": ("DeckFileError",),
    "kb.decks.party": ("PartyReport", "Rebuilding"),
    "kb.decks.pull": ("Pull",),
    "kb.decks.report": ("Finding", "Report"),
    "kb.decks.upgrades": ("PurchasePlan", "Upgrade"),
    "kb.errors": ("KbError",),
    "kb.retrieval.cards": ("CardQueryError",),
    "kb.retrieval.engine": ("Hit", "Results", "Twin"),
}  # fmt: skip
_MODULE = {name: module for module, names in _WHERE.items() for name in names}

__all__ = [
    "Ambiguous",
    "Answer",
    "CardQueryError",
    "Catalog",
    "DeckFileError",
    "Finding",
    "Hit",
    "KbError",
    "NoSuchPlace",
    "NotFound",
    "PartyReport",
    "Pull",
    "PurchasePlan",
    "Rebuilding",
    "Replay",
    "Report",
    "Results",
    "Session",
    "Twin",
    "Upgrade",
    "__version__",
    "as_json",
    "ask",
    "cards",
    "check_campaign",
    "check_deck",
    "check_decks",
    "check_party",
    "open_catalog",
    "plan",
    "pull",
    "rebuild_party",
    "search",
    "show",
    "upgrade",
]


def __getattr__(name: str) -> Any:
    """What the library offers, imported when it is first asked for (PEP 562)."""
    if name not in _MODULE:
        raise AttributeError(f"module 'kb' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_MODULE[name]), name)
    return found


def __dir__() -> list[str]:
    """What is offered, for completion."""
    return sorted({*globals(), *__all__})
