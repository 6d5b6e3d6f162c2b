"""By which rules a deck is judged: document and version, taboo list, environment."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from kb.games.arkham.decks.facts import Facts

RULES = "Rules Reference with FAQ 2.5"
"""The documents that our entries follow; a test compares it with `content/arkham/sources.yaml`."""
DATED = "2026-02"
"""The month of the FAQ (the same test); products of a later day are named in none of them."""
_ENVIRONMENTS = {
    "legacy": "legacy (every product)",
    "current": "current, as FAQ 2.5 lists its products",
    "limited": "limited, as FAQ 2.5 describes it",
}


def _newer(facts: Facts) -> str:
    """What the card facts hold that no document knows of: the first product since, and how many came with and after it."""
    if "newer" not in facts.remembered:
        facts.remembered["newer"] = _newest(facts)
    return str(facts.remembered["newer"])


def _newest(facts: Facts) -> str:
    packs = [pack for pack in facts.packs.values() if pack.released[:7] > DATED]
    if not packs:
        return "of no product newer than these documents"
    packs.sort(key=lambda pack: pack.released)
    more = f" and {len(packs) - 1} products after it" if len(packs) > 1 else ""
    name = packs[0].name.replace("(", "").replace(")", "")
    return f"newer: they hold {name} ({packs[0].released}){more}, which no environment of FAQ v2.5 names"


@lru_cache(maxsize=256)
def _said(taboo: str, environment: str, newer: str) -> tuple[dict[str, str], str]:
    """What `judged_by` and its sentences say, made once for all decks that are judged so."""
    said = {
        "rules": RULES,
        "taboo": taboo,
        "environment": _ENVIRONMENTS[environment],
        "environments": "those of FAQ v2.5",
        "cards": newer,
        "unknown": "documents newer than these, and what they would change, are not known here",
    }
    return said, sentence(said)


def _judged(taboo: int, environment: str, facts: Facts) -> tuple[dict[str, str], str]:
    # remembered by words: by the facts it would hold those of hundreds of sessions
    known = facts.taboos.get(taboo) if taboo else None
    named = (
        "none"
        if not taboo
        else f"list {taboo}" + (f", in force from {known.start}" if known else ", which kb does not know")
    )
    return _said(named, environment, _newer(facts))


def judged_by(taboo: int, environment: str, facts: Facts) -> dict[str, str]:
    """`rules`, `taboo`, `environment`, and how old all that is: `environments`, `cards`, `unknown`. Each in words."""
    return dict(_judged(taboo, environment, facts)[0])


def judged_sentence(taboo: int, environment: str, facts: Facts) -> str:
    """The same as sentences for people."""
    return _judged(taboo, environment, facts)[1]


def sentence(judged: Mapping[str, str]) -> str:
    """What `judged_by` said, as sentences for people."""
    return (
        f"Judged by: {judged['rules']}; taboo list: {judged['taboo']}; environment: {judged['environment']}. "
        f"The environments are {judged['environments']}, the card facts {judged['cards']}; {judged['unknown']}."
    )
