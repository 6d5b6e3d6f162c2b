"""Which products a card comes in, and which products a frame or deck admits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations

from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.model import Card

CORE, STARTERS = "core", "investigator"
DISCRETION = frozenset({"parallel", "promotional"})
EXPANSIONS_AT_ONCE = 3


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
    """The cycles in which a card was printed; a Return To box counts as the cycle it returns to."""
    found = set()
    for printing in facts.printings(card.root):
        pack = facts.packs.get(printing.pack)
        if pack is not None:
            found.add(pack.returns_to or pack.cycle)
    return frozenset(found)


def expansions(facts: Facts) -> list[str]:
    """Codes of the investigator expansions, the oldest first."""
    return [cycle.code for cycle in sorted(facts.cycles.values(), key=lambda cycle: cycle.position) if cycle.expansion]


def latest_expansions(facts: Facts) -> tuple[str, ...]:
    """The three most recent investigator expansions."""
    return tuple(expansions(facts)[-EXPANSIONS_AT_ONCE:])


def outside(cards: Iterable[Card], chosen: Iterable[str], facts: Facts) -> list[Card]:
    """The cards that neither core sets, the five starter decks nor the chosen expansions hold."""
    allowed = {CORE, STARTERS, *chosen}
    return [card for card in cards if groups(card, facts).isdisjoint(allowed)]


def fitting_expansions(cards: Iterable[Card], facts: Facts) -> tuple[tuple[str, ...], list[Card]]:
    """The three expansions that leave the fewest cards out, and those cards."""
    needed = outside(cards, (), facts)
    best: tuple[tuple[str, ...], list[Card]] = ((), needed)
    for chosen in combinations(expansions(facts), EXPANSIONS_AT_ONCE):
        left = outside(needed, chosen, facts)
        if len(left) < len(best[1]):
            best = (chosen, left)
        if not left:
            break
    return best
