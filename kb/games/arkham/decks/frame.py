"""By which rules and in which frame a deck is judged: edition of the rules, environment and its products, ultimatums and boons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from types import MappingProxyType
from typing import Any, Literal, cast, get_args

from kb.decks.names import did_you_mean, name_key
from kb.decks.nodes import whole
from kb.decks.problems import Finding
from kb.errors import KbError
from kb.frozen import frozen
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.model import Card, Deck
from kb.games.arkham.schema.cards import Cycle, Pack
from kb.records import NOTHING

Environment = Literal["legacy", "current", "limited"]
ENVIRONMENTS: tuple[str, ...] = get_args(Environment)
ULTIMATUMS = {
    "chaos": "Ultimatum of Chaos",
    "disaster": "Ultimatum of Disaster",
    "exile": "Ultimatum of Exile",
    "highlander": "Ultimatum of the Highlander",
    "induction": "Ultimatum of Induction",
    "orthodoxy": "Ultimatum of Orthodoxy",
}
BOONS = {"ancients": "Boon of the Ancients", "morrigan": "Boon of the Morrígan"}
"""Those that decks are checked for: as options name them, and their titles."""


@frozen
class Frame:
    """What the group agreed on, beyond the rules that always hold.

    standalone: a single scenario; experience is paid with additional weaknesses. start: the deck that begins a campaign
    (only the experience given at the start is there). environment: which products may be used; `expansion` are the
    cycles chosen for the limited environment. products: codes of the packs owned, one that is owned
    twice standing there twice; empty when nothing is said about that.
    ultimatums, boons: those in force.
    """

    standalone: bool = False
    start: bool = False
    environment: Environment = "legacy"
    expansions: tuple[str, ...] = ()
    products: tuple[str, ...] = ()
    ultimatums: frozenset[str] = frozenset()
    boons: frozenset[str] = frozenset()


CAMPAIGN = Frame()


@frozen
class NamedDeck:
    """A deck with the name of its file, and the frame in which it is judged."""

    file: str
    deck: Deck
    frame: Frame = CAMPAIGN


class FrameError(KbError, ValueError):
    """An option of the frame makes no sense. The message is a sentence."""


def frame_of(options: Mapping[str, Any], facts: Facts) -> Frame:
    """The frame that options describe: `standalone`, `start`, `environment`, `expansion`, `owned`, `ultimatum`, `boon`.

    Products and expansions may be named by code or by name. Raises FrameError.
    """
    if not any(value for name, value in options.items() if name not in ("rules", "taboo")):
        return CAMPAIGN
    environment = options.get("environment") or "legacy"
    if environment not in ENVIRONMENTS:
        raise FrameError(f"There is no environment {environment!r}; there are {', '.join(ENVIRONMENTS)}.")
    return Frame(
        standalone=bool(options.get("standalone")),
        start=bool(options.get("start")),
        environment=cast(Environment, environment),
        expansions=tuple(_known(options.get("expansion"), facts.cycle_names, "expansion", facts.cycles)),
        products=tuple(sorted(_known(options.get("owned"), facts.pack_names, "product", facts.packs))),
        ultimatums=frozenset(_known(options.get("ultimatum"), {name: name for name in ULTIMATUMS}, "ultimatum")),
        boons=frozenset(_known(options.get("boon"), {name: name for name in BOONS}, "boon")),
    )


def taboo_called(named: str, facts: Facts) -> int | None:
    """Number of the taboo list that a number, `latest` or `none` (0) says, whether there is such a list or not; None for anything else."""
    word = named.strip().casefold()
    if word in ("latest", "none"):
        return list(facts.taboos)[-1] if word == "latest" and facts.taboos else 0
    return whole(word)


def _known(
    names: Iterable[str] | None, known: Mapping[str, str], what: str, titled: Mapping[str, Cycle | Pack] = NOTHING
) -> Iterator[str]:
    """The codes that names (also parted by commas) stand for. `titled` gives codes their titles for messages. Raises FrameError."""
    for name in names or ():
        for part in filter(None, (part.strip() for part in name.split(","))):
            if name_key(part) not in known:
                titles = (getattr(titled.get(code), "name", name) for name, code in known.items())
                raise FrameError(
                    f"There is no {what} {part!r} that decks are checked for.{did_you_mean(part, dict.fromkeys(titles))}"
                )
            yield known[name_key(part)]


FAQ, GRIMOIRE = "faq", "grimoire"


@frozen
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
            yield finding.altered(cites=self.entries(finding.cites))


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


DISCRETION = frozenset({"parallel", "promotional"})


def expanded(packs: Iterable[str], facts: Facts) -> frozenset[str]:
    """The packs with those whose player cards they hold again; `cycle:code` stands for all packs of a cycle."""
    codes: set[str] = set()
    for name in packs:
        if name.startswith("cycle:"):
            codes |= {code for code, pack in facts.packs.items() if pack.cycle == name.removeprefix("cycle:")}
        else:
            codes.add(name)
    return frozenset(codes).union(*(facts.packs[name].reprints for name in codes if name in facts.packs))


def copies_owned(products: Mapping[str, int], root: str, facts: Facts) -> int:
    """Copies of a card (by first printing) in the products owned, so many of each."""
    return sum(copies_by_product(root, products, facts).values()) if products else 0


def copies_by_product(root: str, owned: Mapping[str, int], facts: Facts) -> dict[str, int]:
    """Copies of a card (by first printing) in the products owned; one that holds older packs again counts for their cards.

    Without products: those in one of each that it is printed in. Of a printing whose copies the user has told, so many are there.
    """
    copies, printings = Counter[str](), Counter[str]()
    for printing in facts.printings(root):
        if printing.code in facts.owned:
            copies[printing.pack] = facts.owned[printing.code]
        else:
            printings[printing.pack] = printing.quantity
    if not owned:
        return +(printings + copies)
    for product, number in owned.items():
        pack = facts.packs.get(product)
        again = max((printings[code] for code in pack.reprints), default=0) if pack else 0
        copies[product] += number * (printings[product] or again)
    return +copies


def _packs(card: Card, facts: Facts) -> list[Pack]:
    """The products with a card as it plays: those of a modified reprint, or those of the original."""
    printings = (each for each in facts.printings(card.root) if each.modified == card.modified)
    return [facts.packs[each.pack] for each in printings if each.pack in facts.packs]


def groups(card: Card, facts: Facts) -> frozenset[str]:
    """The cycles in which a card was printed as it is; a Return To box counts as the cycle it returns to."""
    return frozenset(pack.returns_to or pack.cycle for pack in _packs(card, facts))


def not_known(card: Card, facts: Facts, by: Edition) -> bool:
    """Whether all products of a card are newer than the rules, so that nothing says which environment they belong to."""
    packs = _packs(card, facts)
    return bool(packs) and all(pack.released[:7] > by.dated for pack in packs)


def expansions(facts: Facts, by: Edition) -> list[str]:
    """Codes of the cycles that are an investigator expansion of an edition's limited environment, the oldest first."""
    cycles = sorted(facts.cycles.values(), key=lambda cycle: cycle.position)
    return [cycle.code for cycle in cycles if cycle.expansion and cycle.code not in by.base]


def latest_expansions(facts: Facts, by: Edition) -> tuple[str, ...]:
    """The most recent investigator expansions, as many as the edition's current environment has."""
    began: dict[str, str] = {}
    for pack in facts.packs.values():
        if pack.released:
            began[pack.cycle] = min(pack.released, began.get(pack.cycle, pack.released))
    first = began.get(facts.packs[by.since].cycle, "") if by.since in facts.packs else ""
    after = [code for code in expansions(facts, by) if began.get(code, "") > first]
    return tuple(after[-by.newest :])


def outside(cards: Iterable[Card], chosen: Iterable[str], facts: Facts, by: Edition) -> list[Card]:
    """The cards that neither the products of every environment nor the chosen expansions hold."""
    allowed = {*by.base, *chosen}
    return [card for card in cards if groups(card, facts).isdisjoint(allowed)]


def fitting_expansions(cards: Iterable[Card], facts: Facts, by: Edition) -> tuple[str, ...]:
    """The expansions that leave the fewest cards out."""
    needed = outside(cards, (), facts, by)
    choices = [(), *combinations(expansions(facts, by), by.at_once)]
    return min(choices, key=lambda chosen: len(outside(needed, chosen, facts, by))) if needed else ()


def preferred(frame: Frame, by: Edition, facts: Facts) -> frozenset[str]:
    """The products in which a name alone is looked for first: those owned, or those of every environment."""
    if frame.products:
        return expanded(frame.products, facts)
    if frame.environment == "legacy":
        return frozenset()
    return frozenset(code for code, pack in facts.packs.items() if pack.cycle in by.base)
