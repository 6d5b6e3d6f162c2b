"""Rules of traders: who may visit them, and what is traded."""

from __future__ import annotations

from collections.abc import Iterator

from kb.campaigns.model import Spot
from kb.decks.names import both, name_key
from kb.games.pathfinder.campaign.model import Moment, Visit
from kb.games.pathfinder.campaign.ruleset import rule
from kb.games.pathfinder.decks.model import Card


@rule("traders", "bazaar", sets=("mm",))
def traders_visited(moment: Moment) -> Iterator[Spot]:
    """A living character of a party that won visits a trader that is checked off, and pays what the rules allow."""
    played = moment.played
    for name, visit in played.visits.items():
        line = played.line(f"traders {name}", "traders")
        if not played.won:
            yield Spot(f"{name} visits a trader after a lost scenario.", "Traders are visited only after a scenario that was won.",
                       line=line)  # fmt: skip
        elif name not in {person.name for person in moment.present}:
            yield Spot(
                f"{name} visits a trader, but is dead or did not play.", f"Take {name} out of `traders`.", line=line
            )
        yield from trader_is_there(moment, name, visit, line)
        if visit.took:
            yield from fair_trade(moment, name, visit, visit.took, line)


def trader_is_there(moment: Moment, name: str, visit: Visit, line: int) -> Iterator[Spot]:
    """Whether the trader has been won."""
    checked = {name_key(each) for each in moment.after.traders}
    known = {
        name_key(trader)
        for adventure in moment.facts.adventures.get(moment.set, ())
        for gives in adventure.scenarios
        for trader in gives.traders
    }
    if moment.known and name_key(visit.trader) not in checked:
        sure = name_key(visit.trader) in known
        yield Spot(
            f"{name} visits {visit.trader or 'a trader without a name'}, which no reward so far has checked off."
            + ("" if sure else " No reward that is known gives this trader."),
            f"Checked off are {', '.join(sorted(moment.after.traders)) or 'none'}.",
            severity=None if sure else "warning",
            line=line,
        )


def fair_trade(moment: Moment, name: str, visit: Visit, took: Card, line: int) -> Iterator[Spot]:
    """Whether the trader can have had the card, and whether what was paid is worth it."""
    number = moment.played.adventure.deck
    scenario = int(number) if number.isdigit() else 0
    if took.number is not None and took.number not in (scenario, scenario - 1):
        yield Spot(
            f"{name} takes {took.name}, a card of adventure deck {took.deck}; traders have cards of the scenario's number "
            f"({number}) or 1 less.", "Choose another card.", (took.name,), line=line,
        )  # fmt: skip
    low = [
        card.name
        for card in visit.paid
        if card.number is not None and took.number is not None and card.number < took.number - 1
    ]
    if low:
        yield Spot(
            f"{name} pays {both(low)}, of a deck more than 1 below that of {took.name}.",
            "Pay with cards of a number no lower than 1 below.", tuple(low), line=line,
        )  # fmt: skip
    if not visit.paid:
        yield Spot(f"{name} takes {took.name} from a trader; what was paid is not recorded.", "Write it under `paid:`.",
                   (took.name,), "warning", line=line)  # fmt: skip


@rule("after-the-scenario", sets=("rotr",))
def no_traders_in_runelords(moment: Moment) -> Iterator[Spot]:
    """No trader is visited after a scenario of Rise of the Runelords; they came with Mummy's Mask."""
    if moment.played.visits:
        yield Spot(
            "No trader is visited after a scenario of Rise of the Runelords.",
            "Take `traders:` out.",
            line=moment.played.line("traders"),
        )
