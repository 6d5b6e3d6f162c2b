"""Rules of the course of a campaign: the order of scenarios, scenarios played again, scenarios lost."""

from __future__ import annotations

from collections.abc import Iterator

from kb.campaigns.model import Spot
from kb.games.pathfinder.campaign.model import Moment, stops_before
from kb.games.pathfinder.campaign.ruleset import rule


@rule("completing-an-adventure", "losing-the-scenario", "put-the-current-scenario-card-faceup")
def order_of_scenarios(moment: Moment) -> Iterator[Spot]:
    """A scenario is played once all before it are won: those of its adventure, and the adventures before that one."""
    if not moment.known:
        return
    lacking = [
        (stop, gives)
        for stop, gives in stops_before(moment.facts, moment.set, moment.played.stop, moment.starts)
        if stop not in moment.before.won
    ]
    if lacking:
        (deck, _), first = lacking[0]
        more = f" and {len(lacking) - 1} more" if len(lacking) > 1 else ""
        yield Spot(
            f"{moment.played.gives.name} was played, but {first.name} of adventure {deck}{more} has not been won before.",
            f"Win {first.name} first, or record it.",
            line=moment.played.line("scenario"),
        )


@rule("rewards", severity="note")
def played_again(moment: Moment) -> Iterator[Spot]:
    """A scenario that was won already gives its reward only to characters who have not gained it."""
    if moment.played.stop in moment.before.won and moment.known:
        yield Spot(
            f"{moment.played.gives.name} had been won already; nobody gains its reward a second time.",
            "Nothing to do.",
            line=moment.played.line("scenario"),
        )


@rule("losing-the-scenario", "dying")
def somebody_lives(moment: Moment) -> Iterator[Spot]:
    """A scenario in which every character died is lost."""
    if moment.played.won and moment.before.people and not moment.present:
        yield Spot("Every character died, and yet the scenario is recorded as won.", "Write `won: no`.",
                   line=moment.played.line("won"))  # fmt: skip


@rule("losing-the-scenario", "after-the-scenario", "rewards")
def no_reward_when_lost(moment: Moment) -> Iterator[Spot]:
    """A lost scenario gives no reward: no feat, no role card, no card."""
    played = moment.played
    if played.won:
        return
    for key, there in (("feats", played.feats), ("role", played.roles), ("rewards", played.rewards)):
        if there:
            yield Spot(
                f"{played.gives.name} was lost, and a lost scenario gives no reward; `{key}` lists some.",
                f"Take `{key}` out, or correct `won:`.",
                line=played.line(key),
            )
