"""Which products a card comes in, and which products a frame or deck admits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations

from kb.games.arkham.decks.editions import Edition
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.frame import Frame
from kb.games.arkham.decks.model import Card

DISCRETION = frozenset({"parallel", "promotional"})


def expanded(packs: Iterable[str], facts: Facts) -> frozenset[str]:
    """The packs with those whose player cards they hold again; `cycle:code` stands for all packs of a cycle."""
    found: set[str] = set()
    for name in packs:
        if name.startswith("cycle:"):
            found |= {code for code, pack in facts.packs.items() if pack.cycle == name.removeprefix("cycle:")}
        else:
            found.add(name)
    for name in list(found):
        if name in facts.packs:
            found.update(facts.packs[name].reprints)
    return frozenset(found)


def copies_owned(products: Mapping[str, int], root: str, facts: Facts) -> int:
    """Copies of a card (by first printing) in the products owned, so many of each."""
    return sum(copies_by_product(root, products, facts).values()) if products else 0


def copies_by_product(root: str, owned: Mapping[str, int], facts: Facts) -> dict[str, int]:
    """Copies of a card (by first printing) in the products owned; one that holds older packs again counts for their cards.

    Without products: those in one of each that it is printed in. Of a printing whose copies the user has told, so many are there.
    """
    told = {
        printing.pack: facts.owned[printing.code] for printing in facts.printings(root) if printing.code in facts.owned
    }
    printings = {
        printing.pack: printing.quantity for printing in facts.printings(root) if printing.code not in facts.owned
    }
    found = {product: copies for product, copies in told.items() if copies}
    if not owned:
        return printings | found
    for product, number in owned.items():
        pack = facts.packs.get(product)
        again = max((printings.get(code, 0) for code in pack.reprints), default=0) if pack else 0
        if copies := number * (printings.get(product) or again):
            found[product] = found.get(product, 0) + copies
    return found


def groups(card: Card, facts: Facts) -> frozenset[str]:
    """The cycles in which a card was printed as it is; a Return To box counts as the cycle it returns to."""
    found = set()
    for printing in versions(card, facts):
        pack = facts.packs.get(printing.pack)
        if pack is not None:
            found.add(pack.returns_to or pack.cycle)
    return frozenset(found)


def versions(card: Card, facts: Facts) -> list[Card]:
    """The printings of a card that play as this one does: those of a modified reprint, or those of the original."""
    return [printing for printing in facts.printings(card.root) if printing.modified == card.modified]


def expansions(facts: Facts, by: Edition) -> list[str]:
    """Codes of the cycles that are an investigator expansion of an edition's limited environment, the oldest first."""
    cycles = sorted(facts.cycles.values(), key=lambda cycle: cycle.position)
    return [cycle.code for cycle in cycles if cycle.expansion and cycle.code not in by.base]


def latest_expansions(facts: Facts, by: Edition) -> tuple[str, ...]:
    """The most recent investigator expansions, as many as the edition's current environment has."""
    first = _released(facts).get(facts.packs[by.since].cycle, "") if by.since in facts.packs else ""
    dated = _released(facts)
    after = [code for code in expansions(facts, by) if dated.get(code, "") > first]
    return tuple(after[-by.newest :])


def _released(facts: Facts) -> dict[str, str]:
    """The day on which each cycle began."""
    found: dict[str, str] = {}
    for pack in facts.packs.values():
        if pack.released:
            found[pack.cycle] = min(pack.released, found.get(pack.cycle, pack.released))
    return found


def not_known(card: Card, facts: Facts, by: Edition) -> bool:
    """Whether all products of a card are newer than the rules, so that nothing says which environment they belong to."""
    days = [pack.released for printing in versions(card, facts) if (pack := facts.packs.get(printing.pack))]
    return bool(days) and all(day[:7] > by.dated for day in days)


def outside(cards: Iterable[Card], chosen: Iterable[str], facts: Facts, by: Edition) -> list[Card]:
    """The cards that neither the products of every environment nor the chosen expansions hold."""
    allowed = {*by.base, *chosen}
    return [card for card in cards if groups(card, facts).isdisjoint(allowed)]


def fitting_expansions(cards: Iterable[Card], facts: Facts, by: Edition) -> tuple[tuple[str, ...], list[Card]]:
    """The expansions that leave the fewest cards out, and those cards."""
    needed = outside(cards, (), facts, by)
    best: tuple[tuple[str, ...], list[Card]] = ((), needed)
    for chosen in combinations(expansions(facts, by), by.at_once):
        left = outside(needed, chosen, facts, by)
        if len(left) < len(best[1]):
            best = (chosen, left)
        if not left:
            break
    return best


def preferred(frame: Frame, by: Edition, facts: Facts) -> frozenset[str]:
    """The products in which a name alone is looked for first: those owned, or those of every environment."""
    if frame.products:
        return expanded(frame.products, facts)
    if frame.environment == "legacy":
        return frozenset()
    return frozenset(code for code, pack in facts.packs.items() if pack.cycle in by.base)
