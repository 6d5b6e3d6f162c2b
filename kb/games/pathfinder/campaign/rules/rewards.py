"""Rules of rewards: feats, role cards and loot that a scenario gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kb.campaigns.model import Spot
from kb.decks.names import both, either, name_key, tally
from kb.games.pathfinder.campaign.model import Moment, Person
from kb.games.pathfinder.campaign.ruleset import rule
from kb.games.pathfinder.decks.model import FEAT_KINDS, FeatKind, Gives


@rule("feat-reward", "rewards", "completing-an-adventure", family="experience")
def feats_of_the_reward(moment: Moment) -> Iterator[Spot]:
    """Nobody gains more feats of a kind than the rewards of the game give, each reward once."""
    for person in moment.present if moment.played.won else ():
        for kind, gained, given in feats(moment, person):
            if gained <= given:
                continue
            had = moment.played.gives.feats.get(kind, 0) > given
            why = f", which {person.name} had gained before" if had else ""
            yield Spot(
                f"{person.name} gains {amount(gained, kind)}; {moment.played.gives.name}{adventure_too(moment)} gives "
                f"{amount(given, kind)}{why}.",
                f"Take {gained - given} out.",
                line=moment.played.line(f"feats {person.name}", "feats"),
            )


@rule("feat-reward", "feats", family="experience", severity="warning")
def feats_are_chosen(moment: Moment) -> Iterator[Spot]:
    """Whoever is given a feat checks a box for it, while one is left unchecked."""
    for person in moment.present if moment.played.won else ():
        for kind, gained, given in feats(moment, person):
            if gained < given and not full(person, kind):
                yield Spot(
                    f"{person.name} is given {amount(given, kind)} by {moment.played.gives.name}{adventure_too(moment)}; "
                    f"{gained or 'none'} {'is' if gained < 2 else 'are'} recorded.",
                    f"Write what it was spent on: `feats: {{{person.name}: {{{kind}: …}}}}`. It is not gained when every box is checked.",
                    line=moment.played.line(f"feats {person.name}", "feats"),
                )


def full(person: Person, kind: FeatKind) -> bool:
    """Whether every box of a kind is checked, as far as the card facts tell."""
    if kind == "card":
        return person.count(kind) >= person.character.card_feat_boxes
    boxes = person.character.skill_feat_boxes
    return kind == "skill" and boxes is not None and person.count(kind) >= sum(boxes.values())


@rule("feat-reward", "dying", family="experience")
def the_dead_gain_nothing(moment: Moment) -> Iterator[Spot]:
    """Who is dead for good gains no feat and no role, and neither does somebody who was not there."""
    playing = {person.name for person in moment.present}
    for key, names in (("feats", moment.played.feats), ("role", moment.played.roles)):
        for name in names:
            if name not in playing and moment.known:
                dead = name_key(name) in map(name_key, (*moment.played.died, *moment.before.dead))
                why = "is dead" if dead else "did not play this game"
                yield Spot(f"{name} {why} and gains no {'feat' if key == 'feats' else 'role'}.", f"Take {name} out of `{key}`.",
                           line=moment.played.line(f"{key} {name}", key))  # fmt: skip


def feats(moment: Moment, person: Person) -> Iterator[tuple[FeatKind, int, int]]:
    """For each kind how many feats a character gains by the file, and how many the rewards give her."""
    chosen = Counter(feat.kind for feat in moment.played.feats.get(person.name, ()))
    rewards = list(moment.rewards(person))
    for kind in FEAT_KINDS:
        yield kind, chosen[kind], sum(gives.feats.get(kind, 0) for gives in rewards)


def amount(number: int, kind: str) -> str:
    """`no card feat`, `1 card feat`, `2 card feats`."""
    return f"{number or 'no'} {kind} feat{'s' if number > 1 else ''}"


def adventure_too(moment: Moment) -> str:
    """Names the adventure where the game completes it."""
    return f", with {moment.played.adventure.name}," if moment.completed else ""


@rule("role-cards", "completing-an-adventure", family="experience")
def role_when_earned(moment: Moment) -> Iterator[Spot]:
    """The role card comes with the adventure whose reward it is, once."""
    for person in moment.present if moment.played.won else ():
        given = any(gives.role for gives in moment.rewards(person))
        chosen = moment.played.roles.get(person.name)
        line = moment.played.line(f"role {person.name}", "role")
        if chosen and person.role and name_key(chosen) != name_key(person.role):
            yield Spot(f"{person.name} is already {person.role} and becomes {chosen}; the side of the role card stays.",
                       f"Keep {person.role}.", line=line)  # fmt: skip
        elif chosen and not given and not person.role:
            yield Spot(f"{person.name} takes the role {chosen}, but {moment.played.gives.name} gives no role card.",
                       "Take it out; the role card is the reward of the third adventure.", line=line)  # fmt: skip
        elif given and not chosen and not person.role:
            yield Spot(f"{person.name} is given the role card; no role is recorded.",
                       f"Write `role: {{{person.name}: {either(list(person.character.roles)) or '…'}}}`.",
                       severity="warning", line=line)  # fmt: skip


@rule("loot-reward", "rewards", "loot")
def loot_of_the_reward(moment: Moment) -> Iterator[Spot]:
    """Loot comes only as the reward that names it, and nobody is given the same reward twice."""
    played = moment.played
    known = Counter(name for gives in rewards_of_the_party(moment) for name in gives.loot)
    gained = [card for pile in played.gained.values() for card in pile]
    for card, number in Counter(card for card in (*played.rewards, *gained) if card.loot).items():
        if number > known[card.name]:
            yield Spot(
                f"{tally([card.name] * number)} is loot, and {played.gives.name} gives "
                f"{either(list(known)) or 'none' if known[card.name] == 0 else f'{known[card.name]} of it'}.",
                "Take it out, or correct `scenario:`.",
                (card.name,),
                line=played.line(card.name, "rewards"),
            )
    missing = [name for name in known if name not in {card.name for card in (*played.rewards, *gained)}]
    if missing and played.won:
        yield Spot(
            f"{played.gives.name} gives the loot {both(missing)}; it is not recorded.",
            f"Write `rewards: [{', '.join(missing)}]`, and who has it.",
            severity="warning",
            line=played.line("rewards"),
        )


def rewards_of_the_party(moment: Moment) -> list[Gives]:
    """The rewards that at least one of those who played gains."""
    return list({gives.name: gives for person in moment.present for gives in moment.rewards(person)}.values())
