"""Checks on feats: that the boxes exist, are checked from the left, and can have been earned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kb.decks.names import both, either, name_key
from kb.decks.report import Problem
from kb.games.pathfinder.decks.model import CARD_TYPES, PLURALS, SET_TITLES, FeatKind, sets_where
from kb.games.pathfinder.decks.ruleset import Subject, rule
from kb.plural import counted

# "Making your own cards", both rulebooks: what every character in the box has.
SKILL_FEAT_BOXES = 15
POWER_FEAT_BOXES = 4
POWER_FEAT_BOXES_WITH_ROLE = 12
ROLE_AFTER = 3
KINDS: tuple[FeatKind, ...] = ("card", "skill", "power")


def boxes(number: int, kind: str = "") -> str:
    """`1 weapon box`, `no boxes`."""
    label = f"{kind} box" if kind else "box"
    return f"1 {label}" if number == 1 else f"{number or 'no'} {label}es"


def in_all(subject: Subject, kind: FeatKind, there: int, where: str, fix: str = "") -> Iterator[Problem]:
    """More feats of a kind than a card has boxes in all."""
    checked = subject.deck.feats(kind)
    if checked > there:
        yield Problem(
            f"{checked} {kind} feats are checked; {where} has {there} boxes.",
            f"Uncheck {checked - there} of them{fix}.",
            count=checked,
            limit=there,
        )


@rule("card-feats", "cards-list", "making-your-own-characters", family="feat")
def card_feat_boxes(subject: Subject) -> Iterator[Problem]:
    """Every card feat has a box on the Cards List: no more of a type than its line has, and no more than 10 in all."""
    deck, who = subject.deck, subject.deck.character
    there = {kind: None if line.maximum is None else line.maximum - line.base for kind, line in who.cards_list.items()}
    for kind in CARD_TYPES:
        checked, most = max(deck.card_feats.get(kind, ()), default=0), there[kind]
        if checked and most is None:
            yield Problem(
                f"How many {kind} boxes the Cards List of {subject.name} has is not in the card facts.",
                f"Make sure that the line for {PLURALS[kind]} has {boxes(checked)}.",
                severity="note",
            )
        elif most is not None and checked > most:
            free = [PLURALS[each] for each in CARD_TYPES if (there[each] or 0) > len(deck.card_feats.get(each, ()))]
            yield Problem(
                f"The Cards List of {subject.name} has {boxes(most, kind)}, but {checked} {'is' if checked == 1 else 'are'} checked.",
                f"Uncheck {checked - most} for {PLURALS[kind]}{f'; boxes are free for {either(free)}' if free else ''}.",
                count=checked,
                limit=most,
            )
    yield from in_all(subject, "card", who.card_feat_boxes, f"the Cards List of {subject.name}")


@rule("skill-feats", "making-your-own-characters", family="feat")
def skill_feat_boxes(subject: Subject) -> Iterator[Problem]:
    """Every skill feat has a box on the character card: no more of a skill than it has, and no more than 15 in all."""
    known = subject.deck.character.skill_feat_boxes
    for skill, checked in subject.deck.skill_feats.items():
        there = None if known is None else known.get(skill, 0)
        if there is not None and max(checked, default=0) > there:
            yield Problem(
                f"{subject.name} has {boxes(there)} for {skill}, but +{max(checked)} is checked.",
                f"Check at most +{there} for {skill}." if there else f"Uncheck {skill}.",
                count=max(checked),
                limit=there,
            )
    yield from in_all(subject, "skill", SKILL_FEAT_BOXES, "a character card")


@rule("power-feats", "role-cards", "making-your-own-characters", family="feat", severity="warning")
def power_feat_boxes(subject: Subject) -> Iterator[Problem]:
    """No more power feats than boxes: 4 on the character card, 12 with a role card over it."""
    if subject.deck.role:
        yield from in_all(subject, "power", POWER_FEAT_BOXES_WITH_ROLE, "a role card")
    else:
        yield from in_all(subject, "power", POWER_FEAT_BOXES, "a character card", ", or name the role")


@rule("feats", family="feat")
def feats_from_the_left(subject: Subject) -> Iterator[Problem]:
    """The boxes of a type or skill are checked from left to right, none left out."""
    lines: tuple[tuple[str, Mapping[str, tuple[int, ...]]], ...] = (
        ("card", subject.deck.card_feats),
        ("skill", subject.deck.skill_feats),
    )
    for kind, feats in lines:
        for line, checked in feats.items():
            free = [box for box in range(1, max(checked, default=0)) if box not in checked]
            if free:
                offset = subject.deck.character.base(line) if kind == "card" else 0
                label = "" if kind == "card" else "+"
                named = ", ".join(f"{label}{offset + box}" for box in free)
                yield Problem(
                    f"In the {kind} feats for {line}, a box is checked although one to its left is not: {named}.",
                    f"Check {label}{offset + free[0]} first.",
                )


@rule("building-your-deck", "starting-after-dying", "cards-list", "feats", "role-cards", family="feat")
def nothing_earned_yet(subject: Subject) -> Iterator[Problem]:
    """A new character has no feat, no role card and no adjustment of the Cards List: feats and role are rewards.

    That holds for the successor of a dead character too, even when it is the same character.
    """
    deck = subject.deck
    if deck.stage != "new":
        return
    has = [counted(number, f"{kind} feat") for kind in KINDS if (number := deck.feats(kind))]
    has += [f"the role {deck.role}"] if deck.role else []
    has += ["`deck_adjustments`"] if deck.deck_adjustments else []
    if has:
        keys = ("card_feats", "skill_feats", "power_feats", "role", "deck_adjustments")
        named = [f"`{key}`" for key in keys if getattr(deck, key)]
        yield Problem(
            f"{subject.name} is a new character, who starts with exactly the Cards List, without feats and without a role card; "
            f"the file gives {both(has)}.",
            f"Leave out {both(named)} and keep to the first number of each line of the Cards List; "
            "or write `stage: rebuilt` if this character has played.",
        )


@rule("feat-reward", "completing-an-adventure", "feats", family="experience")
def earned_feats(subject: Subject) -> Iterator[Problem]:
    """No more feats of a kind than the rewards up to this point of the Adventure Path give."""
    deck = subject.deck
    if deck.stage == "new":
        return
    for kind in KINDS:
        checked, earnable, feat = deck.feats(kind), subject.earnable(kind), f"{kind} feat"
        if checked <= earnable:
            continue
        yield Problem(
            f"{counted(checked, feat)} by {when(subject)}; the rewards up to then give at most {earnable}.",
            f"Uncheck {counted(checked - earnable, feat)}, or correct `adventure:` and `after_scenario:`.",
            count=checked,
            limit=earnable,
        )


def when(subject: Subject) -> str:
    """The point of the campaign in words."""
    adventure = f"adventure {subject.deck.adventure}"
    if subject.deck.after_scenario is None:
        return f"the end of {adventure}"
    if subject.deck.after_scenario == 0:
        return f"the beginning of {adventure}"
    return f"scenario {subject.deck.after_scenario} of {adventure}"


@rule("role-cards", family="choice")
def role_of_the_character(subject: Subject) -> Iterator[Problem]:
    """The role is one of the two sides of the character's role card."""
    deck = subject.deck
    if deck.role is None or any(name_key(deck.role) == name_key(role) for role in deck.character.roles):
        return
    if len(deck.character.roles) < 2:
        yield Problem(
            f"The roles of {subject.name} are not all in the card facts, so {deck.role} cannot be checked.",
            f"Make sure that a side of the role card is called {deck.role}.",
            severity="note",
        )
    else:
        yield Problem(
            f"{deck.role} is not a role of {subject.name}.",
            f"Choose {either(deck.character.roles)}.",
        )


@rule("role-cards", "completing-an-adventure", family="experience")
def role_is_earned(subject: Subject) -> Iterator[Problem]:
    """A role card is the reward for completing the third adventure: no character has one before."""
    deck = subject.deck
    if deck.role is None or deck.stage == "new" or any(gives.role for gives in subject.rewards()):
        return
    yield Problem(
        f"The role card is part of the reward for completing adventure {ROLE_AFTER}; "
        f"{subject.name} has it by {when(subject)}.",
        "Leave `role:` out until then, or correct `adventure:` and `after_scenario:`.",
    )


@rule("role-cards", "rebuilding-your-deck", family="feat", sets=sets_where(lambda each: each.roles_adjust))
def role_adjusts_the_list(subject: Subject) -> Iterator[Problem]:
    """Only a role card adjusts the Cards List beyond its card feats."""
    if subject.deck.stage == "rebuilt" and subject.deck.deck_adjustments and subject.deck.role is None:
        yield Problem(
            "`deck_adjustments` changes the Cards List, but no role card is named that could say so.",
            "Name the role, or leave `deck_adjustments` out.",
        )


@rule("cards-list", "rebuilding-your-deck", family="feat", sets=sets_where(lambda each: not each.roles_adjust))
def nothing_adjusts_the_list(subject: Subject) -> Iterator[Problem]:
    """Nothing but card feats changes the Cards List; adjustments on role cards are a rule of Rise of the Runelords."""
    if subject.deck.stage == "rebuilt" and subject.deck.deck_adjustments:
        yield Problem(
            f"`deck_adjustments` changes the Cards List; in {SET_TITLES[subject.deck.set]} only card feats do.",
            "Leave `deck_adjustments` out.",
        )
