"""Rules of the cards at the table: where those of the decks came from, and those that are gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kb.campaigns.model import Spot
from kb.decks.names import both, tally
from kb.games.pathfinder.campaign.advance import kept
from kb.games.pathfinder.campaign.model import Moment
from kb.games.pathfinder.campaign.ruleset import rule


@rule("rebuilding-your-deck", "cards-from-the-box", "trading-cards")
def cards_are_accounted_for(moment: Moment) -> Iterator[Spot]:
    """Every card of a rebuilt deck was in a deck at the table, was gained, or came from the box."""
    if not moment.known:
        return
    for card, number in (kept(moment) - moment.pool()).items():
        holders = [person.name for person in moment.after.people if card in person.cards]
        yield Spot(
            f"{tally([card.name] * number)} in the {'deck' if len(holders) == 1 else 'decks'} of "
            f"{both(holders)}: nobody at the table had {'it' if number == 1 else 'them'}.",
            "List it under `gained` or `rewards`, or under `from_box` of the deck if it filled a gap.",
            (card.name,),
            line=moment.played.line(card.name, f"decks {holders[0]}", "decks"),
        )


@rule("banish", "rebuilding-your-deck")
def lost_cards_were_there(moment: Moment) -> Iterator[Spot]:
    """What was banished, removed or paid had been in a deck or was gained before."""
    if not moment.known:
        return
    played = moment.played
    there = moment.before.held() + Counter(card for pile in (*played.gained.values(), played.rewards) for card in pile)
    for key, piles in (("banished", played.banished), ("removed", played.removed),
                       ("traders", {name: visit.paid for name, visit in played.visits.items()})):  # fmt: skip
        gone = Counter(card for pile in piles.values() for card in pile)
        for card, number in (gone - there).items():
            yield Spot(
                f"{tally([card.name] * number)} under `{key}`: nobody at the table had {'it' if number == 1 else 'them'}.",
                "List it under `gained` if it was acquired in this game, or take it out.",
                (card.name,),
                line=played.line(key),
            )
        there -= gone
