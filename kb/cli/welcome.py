"""Prints the welcome for `kb` without a command, the versions for `kb --version`, and the news after an update."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from kb.cli.terminal import Progress, dim, strong, tell, warn

if TYPE_CHECKING:
    from kb.catalog.reader import Catalog

SHOWN = 4


def welcome() -> None:
    """Print the default game, suggestions for the next steps, and the last checked deck."""
    from kb.registry import games
    from kb.settings import chosen_game, last_deck

    game, deck = chosen_game(), last_deck()
    tell(f"{strong('kb')}: rules and decks for adventure card games, offline.\n")
    if game:
        tell(f"Your default game is {strong(game)}. kb use NAME sets another one, kb use all clears it.")
    else:
        tell(f"Games: {', '.join(games())}. kb use NAME makes one your default.")
    tell()
    tell('  kb ask "can I take a mulligan"  an answer with its rule and page')
    tell("  kb search                      a prompt that answers as you type")
    if deck:
        tell(f"  kb deck check {short(deck)}  the deck you checked last")
    else:
        tell("  kb deck new NAME               a character's suggested deck")
    tell()
    tell(dim("kb -h lists all commands; kb COMMAND -h shows one, with examples."))


def short(deck: Path) -> str:
    """Return the path of a deck, relative to the working folder if the deck is inside that folder."""
    try:
        return str(deck.relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(deck)


def version() -> None:
    """Print the version of kb and of each rules document."""
    from kb.catalog.store import open_catalog
    from kb.version import __version__

    tell(f"kb {__version__}")
    with open_catalog(Progress("Building the catalog"), warn) as catalog:
        for document in catalog.documents().values():
            about = ", ".join(
                part for part in (document.version and f"version {document.version}", document.date) if part
            )
            tell(f"  {document.title}{f': {about}' if about else ''}")


def tell_news() -> None:
    """Print which documents have a new version and how many entries were added. This is printed once, and only on a
    terminal.
    """
    from kb.catalog.store import home, own_data, read_current
    from kb.settings import keep, read

    if not sys.stderr.isatty() or os.environ.get("KB_SOURCES"):
        return
    current = read_current(home(own_data()))
    seen = read().get("seen")
    seen = seen if isinstance(seen, dict) else {}
    if current is None or seen.get("catalog") == current.hash:
        return
    from kb.catalog.store import open_catalog

    with open_catalog(own=True) as catalog:
        now = {
            "catalog": current.hash,
            "documents": versions(catalog),
            "entries": sum(catalog.counts()["entry"].values()),
        }
    if message := news(seen, now):
        warn(message)
    keep("seen", now)


def versions(catalog: Catalog) -> dict[str, str]:
    """Return a text with name, version and date for each document, by the document's id."""

    return {
        f"{each.game}/{each.id}": " ".join(
            part for part in (each.called, each.version, each.date and f"({each.date})") if part
        )
        for each in catalog.documents().values()
    }


def news(before: dict[str, object], now: dict[str, object]) -> str:
    """Return a sentence about the changes from `before` to `now`; empty if no document changed or nothing was known
    before.
    """
    old, new = before.get("documents"), now["documents"]
    if not isinstance(old, dict) or not isinstance(new, dict):
        return ""
    changed = [name for key, name in new.items() if old.get(key) != name]
    if not changed:
        return ""
    more = int(str(now["entries"])) - int(str(before.get("entries", 0)))
    counted = f", {more} new entries" if more > 0 else ""
    listed = ", ".join(changed[:SHOWN]) + (f" and {len(changed) - SHOWN} more" if len(changed) > SHOWN else "")
    return f"New in this version of kb: {listed}{counted}. kb --version lists all documents."
