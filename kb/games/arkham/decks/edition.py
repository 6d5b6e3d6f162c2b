"""The editions of the rules, with their documents, dates, environments and citations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from kb.decks.problems import Finding
from kb.frozen import NOTHING, frozen
from kb.games.arkham.decks.citations import RESTATED
from kb.games.arkham.decks.facts import ArkhamFacts

FAQ, GRIMOIRE = "faq", "grimoire"


@frozen
class RulesEdition:
    """An edition of the rules.

    - `id`: the word for the edition in options and files.
    - `rules`, `short`: the names of its document.
    - `dated`: the month of the document. Later products are unknown to its rules.
    - `base`: the cycles that belong to every environment.
    - `newest`: the number of investigator expansions in the current environment.
    - `since`: only expansions released after this product belong to the current environment.
    - `at_once`: the number of investigator expansions in the limited environment.
    - `cites`: entries of FAQ 2.5, with the entries that replace them in this edition.
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
        """Replace each of the given entries of FAQ 2.5 by the entry of this edition that restates it. Return entries
        that this edition does not restate unchanged.
        """
        return tuple(dict.fromkeys(self.cites.get(cite, cite) for cite in cites))

    def restated(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Yield the findings with citations of this edition instead of FAQ 2.5."""
        for finding in findings:
            yield finding.altered(cites=self.entries(finding.cites))


EDITIONS: Mapping[str, RulesEdition] = MappingProxyType(
    {
        GRIMOIRE: RulesEdition(
            GRIMOIRE,
            "Arkham Grimoire 1.1",
            "the Grimoire",
            "2026-07",
            ("core_ch2", "investigator_decks_ch2"),
            2,
            "core_2026",
            cites={f"arkham/{old}": f"arkham/grimoire/{new}" for old, new in RESTATED.items()},
        ),
        FAQ: RulesEdition(FAQ, "Rules Reference with FAQ 2.5", "FAQ 2.5", "2026-02", ("core", "investigator"), 3),
    }
)
"""Editions by id, newest first. A test compares their documents and months with `content/arkham/sources.yaml`."""


def edition(named: str) -> RulesEdition:
    """Return the edition with the id `named`. For an empty id, return FAQ 2.5."""
    return EDITIONS[named or FAQ]


def edition_of_all(named: Iterable[str]) -> RulesEdition:
    """Return the newest of the editions with the given ids. If there are none, return FAQ 2.5."""
    ids = set(named)
    return next((each for each in EDITIONS.values() if each.id in ids), EDITIONS[FAQ])


def judged_by(rules: str, taboo: int, environment: str, facts: ArkhamFacts) -> dict[str, str]:
    """Describe in words the rules that a deck is checked by. The keys of the result are `rules`, `taboo`,
    `environment` and `cards`.

    The text under `cards` says whether the card facts are newer than the rules.
    """
    by = edition(rules)
    start = facts.taboos[taboo].start if taboo in facts.taboos else ""
    named = f"list {taboo}" + (f", in force from {start}" if start else ", which kb does not know")
    newer = [pack for pack in facts.packs.values() if pack.released[:7] > by.dated]
    newest = min(newer, key=lambda pack: pack.released, default=None)
    more = f" and {len(newer) - 1} more products" if len(newer) > 1 else ""
    return {
        "rules": by.rules,
        "taboo": named if taboo else "none",
        "environment": "legacy (every product)"
        if environment == "legacy"
        else f"{environment}, as {by.short} describes it",
        "cards": f"newer than these rules: {newest.name} ({newest.released}){more}"
        if newest
        else "no newer than these rules",
    }


def sentence(judged: Mapping[str, str]) -> str:
    """Return the result of `judged_by` as one or two sentences."""
    newer = f" Card facts: {judged['cards']}." if judged["cards"].startswith("newer") else ""
    return f"Rules: {judged['rules']}; taboo list: {judged['taboo']}; environment: {judged['environment']}.{newer}"
