"""By which rules a deck is judged: document and version, taboo list, environment."""

from __future__ import annotations

from functools import lru_cache

from kb.games.arkham.decks.facts import Facts

RULES = "Rules Reference with FAQ 2.5"
"""The documents that our entries follow; a test compares it with `content/arkham/sources.yaml`."""
_ENVIRONMENTS = {
    "legacy": "legacy (every product)",
    "current": "current, as FAQ 2.5 lists its products",
    "limited": "limited, as FAQ 2.5 describes it",
}


@lru_cache(maxsize=256)
def _said(taboo: str, environment: str) -> tuple[tuple[str, str], ...]:
    return (("rules", RULES), ("taboo", taboo), ("environment", _ENVIRONMENTS[environment]))


def judged_by(taboo: int, environment: str, facts: Facts) -> dict[str, str]:
    """`rules`, `taboo` and `environment`, each in words. A newer document may say otherwise: kb does not know it."""
    known = facts.taboos.get(taboo) if taboo else None
    named = (
        "none"
        if not taboo
        else f"list {taboo}" + (f", in force from {known.start}" if known else ", which kb does not know")
    )
    return dict(_said(named, environment))


def sentence(judged: dict[str, str]) -> str:
    """The same as a sentence for people."""
    return (
        f"Judged by: {judged['rules']}; taboo list: {judged['taboo']}; environment: {judged['environment']}. "
        "What a newer document changes is not known here."
    )
