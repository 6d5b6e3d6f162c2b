"""By which rules a deck is judged: the edition (document and version), taboo list, environment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from kb.decks.report import Finding
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.frame import BOONS, ENVIRONMENTS, ULTIMATUMS
from kb.records import NOTHING

FAQ, GRIMOIRE = "faq", "grimoire"


@dataclass(frozen=True, slots=True)
class Edition:
    """An edition of the rules. dated: the month of the document; products of a later day are named in none of its rules.

    base: the cycles that are in every environment; at_once: expansions in the limited one. newest: investigator expansions
    in the current one, those released after `since` only. rulings: the entry in place of which others stand (see `cites`).
    """

    id: str
    rules: str
    short: str
    dated: str
    base: tuple[str, ...]
    newest: int
    since: str = ""
    at_once: int = 3
    cites: Mapping[str, str] = NOTHING

    def entries(self, cites: Iterable[str]) -> tuple[str, ...]:
        """The entries of this edition in place of those of FAQ 2.5; what the edition does not restate is cited as it stands."""
        return tuple(dict.fromkeys(self.cites.get(cite, cite) for cite in cites))

    def restated(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Findings with the entries of this edition."""
        for finding in findings:
            finding.cites = self.entries(finding.cites)
            yield finding


_RESTATED = {
    "glossary/deckbuilding": "deckbuilding/deckbuilding",
    "glossary/deckbuilding-options": "deckbuilding/deckbuilding",
    "rulings/1-15": "deckbuilding/advanced-deckbuilding-access",
    "rulings/1-16": "glossary/multi-class-cards",
    "rulings/1-18": "deckbuilding/legal-deck-size",
    "glossary/legal-deck-size": "deckbuilding/legal-deck-size",
    "rulings/1-20": "glossary/myriad",
    "rulings/1-36": "campaign/become-the-bearer-of",
    "rulings/1-37": "campaign/earning-and-spending-experience",
    "rulings/1-8": "campaign/purchasing-cards",
    "faq/removing-permanent-cards": "campaign/earning-and-spending-experience",
    "glossary/signature-cards": "deckbuilding/signature-cards",
    "glossary/story-assets": "campaign/story-assets",
    "glossary/basic-weakness": "deckbuilding/random-basic-weaknesses",
    "faq/searching-collection-basic-weakness": "deckbuilding/random-basic-weaknesses",
    "glossary/standalone-experience": "campaign/standalone-experience",
    "glossary/experience": "campaign/earning-and-spending-experience",
    "glossary/purchasing-cards": "campaign/purchasing-cards",
    "glossary/upgrading-cards": "campaign/upgrading-cards",
    "glossary/trauma": "campaign/trauma-death-and-insanity",
    "glossary/advancing-to-next-scenario": "campaign/advancing-to-next-scenario",
    "glossary/joining-or-leaving-a-campaign": "campaign/joining-or-leaving-a-campaign",
    "glossary/record-in-your-campaign-log": "campaign/record-in-your-campaign-log",
    "environments": "optional/environments",
    **{f"environments/{name}": f"optional/{name}" for name in (*ENVIRONMENTS, "parallels-promos-story-assets")},
    **{f"variants/ultimatums/{name}": f"optional/ultimatums/{name}" for name in ULTIMATUMS},
    **{f"variants/boons/{name}": f"optional/boons/{name}" for name in BOONS},
    **{
        same: same
        for same in (
            "glossary/cardtypes",
            "glossary/collection",
            "glossary/exceptional",
            "glossary/exile",
            "glossary/investigator-deck",
            "glossary/killed-insane-investigators",
            "glossary/limits-and-maximums",
            "glossary/myriad",
            "glossary/permanent",
            "glossary/researched",
            "glossary/weakness",
            "setup/choose-investigators",
        )
    },
}
"""Entries of FAQ 2.5 that the checks cite, and those that restate them in the Grimoire."""

EDITIONS: Mapping[str, Edition] = MappingProxyType(
    {
        GRIMOIRE: Edition(
            GRIMOIRE,
            "Arkham Grimoire 1.1",
            "the Grimoire",
            "2026-07",
            ("core_ch2", "investigator_decks_ch2"),
            2,
            "core_2026",
            cites={f"arkham/{old}": f"arkham/grimoire/{new}" for old, new in _RESTATED.items()},
        ),
        FAQ: Edition(FAQ, "Rules Reference with FAQ 2.5", "FAQ 2.5", "2026-02", ("core", "investigator"), 3),
    }
)
"""By id, the newest first; a test compares documents and months with `content/arkham/sources.yaml`."""


def edition(named: str) -> Edition:
    """The edition with an id; FAQ 2.5 for a deck that names none."""
    return EDITIONS[named or FAQ]


def edition_of_all(named: Iterable[str]) -> Edition:
    """The newest of the editions with these ids; FAQ 2.5 without any."""
    ids = set(named)
    return next((each for each in EDITIONS.values() if each.id in ids), EDITIONS[FAQ])


def judged_by(rules: str, taboo: int, environment: str, facts: Facts) -> dict[str, str]:
    """`rules`, `taboo`, `environment`, and `cards`: what the card facts hold that is newer than the rules. Each in words."""
    by = edition(rules)
    start = facts.taboos[taboo].start if taboo in facts.taboos else ""
    named = f"list {taboo}" + (f", in force from {start}" if start else ", which kb does not know")
    newer = [pack for pack in facts.packs.values() if pack.released[:7] > by.dated]
    newest = min(newer, key=lambda pack: pack.released, default=None)
    more = f" and {len(newer) - 1} products after it" if len(newer) > 1 else ""
    return {
        "rules": by.rules,
        "taboo": named if taboo else "none",
        "environment": "legacy (every product)" if environment == "legacy" else f"{environment}, as {by.short} describes it",
        "cards": f"newer than these rules: {newest.name} ({newest.released}){more}" if newest else "no newer than these rules",
    }  # fmt: skip


def sentence(judged: Mapping[str, str]) -> str:
    """What `judged_by` said, as sentences for people."""
    newer = f" Card facts: {judged['cards']}." if judged["cards"].startswith("newer") else ""
    return f"Judged by: {judged['rules']}; taboo list: {judged['taboo']}; environment: {judged['environment']}.{newer}"
