"""The checks of a step between two scenarios, beyond those of the deck that comes out of it; importing this package registers
all of them, in the order of a report."""

from kb.games.arkham.decks.upgrade.checks import (  # noqa: F401, I001  (the order is that of a report)
    card_terms,
    experience,
    investigator,
    leaving,
    purchases,
    sheets,
    frames,
)
