"""Whatever the library gives as the JSON that scripts rely on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kb.citation import Citation
    from kb.decks.contract import Known

JUDGED = "kb.decks.report"
SEARCHED = ("kb.retrieval.engine", "kb.api.searching")


def as_json(found: Any, cites: Callable[[Iterable[str]], dict[str, Citation]], known: Known) -> Any:
    """What a function of the library gave as JSON; `cites` looks up the entries that findings cite, `known` are those worked out.

    Raises TypeError.
    """
    if isinstance(found, dict):
        return found
    if hasattr(found, "as_json"):  # what only one game has
        return found.as_json(cites(found.cited))
    if type(found).__module__ == JUDGED and type(found).__name__ == "Report":
        from kb.decks.contract import contract

        new = {cite for finding in found.findings if finding.cites not in known for cite in finding.cites}
        return contract(found, cites(new) if new else {}, known)
    if type(found).__module__ in SEARCHED:  # told by name: a search needs no deck rules, and a deck check no index
        from kb.api.searching import Answer, answer_json, results_json
        from kb.retrieval.engine import Results

        if isinstance(found, Answer):
            return answer_json(found)
        if isinstance(found, Results):
            return results_json(found)
    from kb.decks.contract import party_json, rebuilding_json, unreadable
    from kb.decks.nodes import DeckFileError
    from kb.decks.party import PartyReport, Rebuilding

    if isinstance(found, DeckFileError):
        return unreadable(found)
    if isinstance(found, PartyReport):
        return party_json(found, cites(found.cited))
    if isinstance(found, Rebuilding):
        return rebuilding_json(found, cites(found.cited))
    from kb.decks.pull import Pull, pull_json

    if isinstance(found, Pull):
        return pull_json(found)
    from kb.decks.upgrades import PurchasePlan, Upgrade, plan_json, upgrade_json

    if isinstance(found, Upgrade):
        return upgrade_json(found, cites(found.cited))
    if isinstance(found, PurchasePlan):
        return plan_json(found, cites(found.cited))
    from kb.campaigns.model import Replay

    if isinstance(found, Replay):
        from kb.campaigns.serialize import checked_json, cites_of

        return checked_json(found, cites(cites_of(found)))
    raise TypeError(f"{type(found).__name__} is nothing that a function of kb gives")
