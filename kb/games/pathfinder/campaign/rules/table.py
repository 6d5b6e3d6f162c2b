"""Rules of who sits at the table: who died, left, joined and has a deck."""

from __future__ import annotations

from collections.abc import Iterator

from kb.campaigns.model import Spot
from kb.decks.names import name_key
from kb.games.pathfinder.campaign.model import Moment
from kb.games.pathfinder.campaign.ruleset import rule


@rule("dying", "choose-your-character", "starting-a-new-character")
def who_is_at_the_table(moment: Moment) -> Iterator[Spot]:
    """Only who played can die or leave, only who is not at the table can join, and only members have decks."""
    if not moment.known:
        return
    played, before = moment.played, moment.before
    for key, names in (("died", played.died), ("left", played.left)):
        for name in names:
            if before.person(name) is None:
                yield Spot(f"{name} is named under `{key}`, but was not at the table.", f"Take {name} out of `{key}`.",
                           line=played.line(key))  # fmt: skip
    for name in played.joined:
        if before.person(name) and name_key(name) not in map(name_key, (*played.died, *played.left)):
            yield Spot(
                f"{name} joins, but is at the table already.",
                f"Take {name} out of `joined`.",
                line=played.line("joined"),
            )
    for name in played.decks:
        if moment.after.person(name) is None:
            dead = name_key(name) in map(name_key, moment.after.dead)
            yield Spot(
                f"{name} {'is dead and rebuilds no deck' if dead else 'has a deck, but is not at the table'}.",
                f"Take the deck out, or list {name} under `joined`.",
                line=played.line(f"decks {name}", "decks"),
            )
