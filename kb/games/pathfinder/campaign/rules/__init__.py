"""The rules between two states of a Pathfinder campaign; importing this package registers them, in the order of a report."""

from kb.games.pathfinder.campaign.rules import (  # noqa: F401, I001  (the order is that of a report)
    scenarios,
    rewards,
    cards,
    table,
    traders,
)
