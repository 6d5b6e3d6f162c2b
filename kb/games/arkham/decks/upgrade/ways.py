"""The ways in which what came between two decks can have been purchased: chains that begin with a copy and end in the deck.

Cards are purchased one at a time, and a card just purchased may be upgraded (ruling 1.37). So a copy in the deck after the
step is one that stayed, or the end of a chain: a copy of the deck before, or one purchased anew, upgraded once or more.
"""

from __future__ import annotations

from kb.games.arkham.decks.upgrade.chains import Way
from kb.games.arkham.decks.upgrade.changes import Change, Changes
from kb.games.arkham.decks.upgrade.purchases import Terms
from kb.games.arkham.decks.upgrade.sheets import sheet_ways
from kb.games.arkham.decks.upgrade.title_ways import Title
from kb.games.arkham.decks.upgrade.versions import others, version_of


def ways(changes: Changes, terms: Terms) -> list[list[Way]]:
    """For each title and each upgrade sheet, the ways to purchase what came of it, the plainest first."""
    found: list[list[Way]] = []
    titles: dict[tuple[str, str], list[Change]] = {}
    sheets = {(sheet.pile, sheet.card.root): sheet for sheet in changes.sheets}
    helped = _helped(changes, terms)
    for change in changes.cards:
        card = change.card
        if card is None or not change.purchasable:
            continue
        sheet = sheets.get((change.pile, card.root))
        if sheet is None:
            titles.setdefault((change.pile, card.title), []).append(change)
        elif options := list(sheet_ways(changes, sheet, change, terms, helped)):
            found.append(options)
    for rows in titles.values():
        versions = [version_of(change) for change in rows]
        if helped or any(version.card.researched and version.new > version.old for version in versions):
            versions += others(changes, rows)
        if options := Title(versions, rows[0].pile, terms, helped).ways():
            found.append(options)
    return found


def _helped(changes: Changes, terms: Terms) -> bool:
    """Whether anything can make a detour (a lower version first) cheaper than the straight way."""
    room = any(change.come > 0 and change.card and change.card.permanent for change in changes.cards)
    return bool(
        room or terms.on_upgrades or terms.dearer or terms.swaps or terms.second_free or any(changes.holes.values())
    )
