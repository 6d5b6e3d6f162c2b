"""The card pool of a deck: the copies in the products owned, and the cards of each environment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations

from kb.games.arkham.decks.agreement import Agreement
from kb.games.arkham.decks.card import ArkhamCard
from kb.games.arkham.decks.edition import RulesEdition
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.schema.cards import Pack

DISCRETION = frozenset({"parallel", "promotional"})


def expanded(packs: Iterable[str], facts: ArkhamFacts) -> frozenset[str]:
    """Return the codes of `packs`, and of the packs whose player cards they reprint. `cycle:CODE` means all packs of a
    cycle.
    """
    codes: set[str] = set()
    for name in packs:
        if name.startswith("cycle:"):
            codes |= {code for code, pack in facts.packs.items() if pack.cycle == name.removeprefix("cycle:")}
        else:
            codes.add(name)
    return frozenset(codes).union(*(facts.packs[name].reprints for name in codes if name in facts.packs))


def copies_owned(products: Mapping[str, int], card: ArkhamCard, facts: ArkhamFacts) -> int:
    """Return the copies of a card in the products owned. Only printings with the same rules count.

    `products` maps codes of products to the number owned.
    """
    return sum(copies_by_product(card, products, facts).values()) if products else 0


def copies_by_product(card: ArkhamCard, owned: Mapping[str, int], facts: ArkhamFacts) -> dict[str, int]:
    """Return the copies of a card in each product owned. Only printings with the same rules count.

    `owned` maps codes of products to the number owned. If it is empty, return the copies in one of each product that
    contains the card. A product that reprints older packs counts for their cards. If the user entered the number of
    copies of a printing, that number counts. A modified reprint and its original do not have the same rules (Grimoire
    13.001).
    """
    copies, printings = Counter[str](), Counter[str]()
    for printing in facts.printings(card.root):
        if printing.version != card.version:
            continue
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


def _packs(card: ArkhamCard, facts: ArkhamFacts) -> list[Pack]:
    """Return the products that contain `card` in a printing with the same rules."""
    printings = (each for each in facts.printings(card.root) if each.version == card.version)
    return [facts.packs[each.pack] for each in printings if each.pack in facts.packs]


def groups(card: ArkhamCard, facts: ArkhamFacts) -> frozenset[str]:
    """Return the cycles that contain a printing of the card with the same rules.

    A Return To box counts as the cycle that it returns to.
    """
    return frozenset(pack.returns_to or pack.cycle for pack in _packs(card, facts))


def not_known(card: ArkhamCard, facts: ArkhamFacts, by: RulesEdition) -> bool:
    """Return True if all products with the card are newer than the rules, which therefore do not assign it an
    environment.
    """
    packs = _packs(card, facts)
    return bool(packs) and all(pack.released[:7] > by.dated for pack in packs)


def expansions(facts: ArkhamFacts, by: RulesEdition) -> list[str]:
    """Return the codes of all investigator expansions for the limited environment of the edition `by`, the oldest
    first.
    """
    cycles = sorted(facts.cycles.values(), key=lambda cycle: cycle.position)
    return [cycle.code for cycle in cycles if cycle.expansion and cycle.code not in by.base]


def latest_expansions(facts: ArkhamFacts, by: RulesEdition) -> tuple[str, ...]:
    """Return the codes of the investigator expansions in the current environment of the edition `by`: the most recent
    ones.
    """
    began: dict[str, str] = {}
    for pack in facts.packs.values():
        if pack.released:
            began[pack.cycle] = min(pack.released, began.get(pack.cycle, pack.released))
    first = began.get(facts.packs[by.since].cycle, "") if by.since in facts.packs else ""
    after = [code for code in expansions(facts, by) if began.get(code, "") > first]
    return tuple(after[-by.newest :])


def outside(
    cards: Iterable[ArkhamCard], chosen: Iterable[str], facts: ArkhamFacts, by: RulesEdition
) -> list[ArkhamCard]:
    """Return the cards that have no printing in an environment. The environment has the products that every environment
    has, and the `chosen` expansions.
    """
    allowed = {*by.base, *chosen}
    return [card for card in cards if groups(card, facts).isdisjoint(allowed)]


def fitting_expansions(cards: Iterable[ArkhamCard], facts: ArkhamFacts, by: RulesEdition) -> tuple[str, ...]:
    """Return the expansions for a limited environment that contains as many of the cards as possible."""
    needed = outside(cards, (), facts, by)
    choices = [(), *combinations(expansions(facts, by), by.at_once)]
    return min(choices, key=lambda chosen: len(outside(needed, chosen, facts, by))) if needed else ()


def preferred(agreement: Agreement, by: RulesEdition, facts: ArkhamFacts) -> frozenset[str]:
    """Return the packs to search first for a name that several cards share.

    The packs are the products owned, or else, in the current or limited environment, the products of every environment.
    """
    if agreement.products:
        return expanded(agreement.products, facts)
    if agreement.environment == "legacy":
        return frozenset()
    return frozenset(code for code, pack in facts.packs.items() if pack.cycle in by.base)
