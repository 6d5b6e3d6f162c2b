"""Checks of Arkham Horror decks. Importing this package registers all checks, in the order that reports list findings."""

from kb.games.arkham.decks.checks import cards, required, upgrade_sheets, other_piles, agreements  # noqa: F401, I001  (the order is that of a report)
