"""The rulesets of the campaigns of both Pathfinder sets; a rule that is the same in both is written once."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from kb.campaigns.model import Spot
from kb.decks.report import Family, Severity
from kb.decks.ruleset import Ruleset
from kb.games.pathfinder.campaign.model import Moment
from kb.games.pathfinder.decks.model import SET_TITLES

CAMPAIGNS = {
    set_id: Ruleset[Moment]("pathfinder", f"Pathfinder, {title}, a campaign") for set_id, title in SET_TITLES.items()
}
Rule = Callable[[Moment], Iterable[Spot]]


def rule(
    *cites: str, family: Family = "campaign", severity: Severity = "error", sets: Iterable[str] = tuple(SET_TITLES)
) -> Callable[[Rule], Rule]:
    """Register a rule for the campaigns of both sets (or of `sets`); the citations are entries of the set itself."""

    def register(run: Rule) -> Rule:
        for set_id in sets:
            entries = (f"pathfinder/{set_id}/{cite}" for cite in cites)
            CAMPAIGNS[set_id].check(*entries, family=family, severity=severity)(run)
        return run

    return register
