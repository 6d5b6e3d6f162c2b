"""Rules on feats and role cards: feat boxes, and the rewards that a character can have gained so far."""

from __future__ import annotations

from collections.abc import Mapping

from kb.decks.names import both, either, name_key
from kb.decks.problems import At, Problem, Problems
from kb.decks.remedies import Advice, Boxes, Clear, Remedy, Set
from kb.games.pathfinder.decks.facts import PLURALS, SET_TITLES, FeatKind, sets_where
from kb.games.pathfinder.decks.power_feats import hand_size_box, hand_sizes
from kb.games.pathfinder.decks.rulesets import deck_rule
from kb.games.pathfinder.decks.table import Seat
from kb.games.pathfinder.records import CARD_TYPES
from kb.plural import counted

# Numbers that are the same for every character in the box, from the section "Making your own cards" of both rulebooks.
SKILL_FEAT_BOXES = 15
POWER_FEAT_BOXES = 4
POWER_FEAT_BOXES_WITH_ROLE = 12
ROLE_AFTER = 3
KINDS: tuple[FeatKind, ...] = ("card", "skill", "power")
CORRECT_TIME: tuple[Remedy, ...] = (Set("adventure"), Set("after_scenario"))


def boxes(number: int, kind: str = "") -> str:
    """Return a number of boxes in words, such as `1 weapon box` or `no boxes`."""
    label = f"{kind} box" if kind else "box"
    return f"1 {label}" if number == 1 else f"{number or 'no'} {label}es"


def uncheck(number: int, kind: str, line: str = "") -> Boxes:
    """Return the remedy that unchecks `number` feat boxes of a kind. If `line` is given, they are the boxes of that card
    type or skill.
    """
    key = f"{kind}_feats.{line}" if line else f"{kind}_feats"
    return Boxes(f"the {kind} feats{f' for {line}' if line else ''}", number, checked=False, key=key)


def in_all(seat: Seat, kind: FeatKind, there: int, where: str, *more: Remedy) -> Problems:
    """Yield a problem if more than `there` feats of a kind are checked in total. `where` names the card with the boxes.

    `more` are further remedies.
    """
    checked = seat.deck.feats(kind)
    if checked > there:
        yield Problem(
            f"{checked} {kind} feats are checked; {where} has {there} boxes.",
            count=checked,
            limit=there,
            at=At(f"{kind}_feats"),
            remedies=(uncheck(checked - there, kind), *more),
        )


@deck_rule("card-feats", "cards-list", "making-your-own-characters", family="feat")
def card_feat_boxes(seat: Seat) -> Problems:
    """No more card feats are checked than the Cards List has boxes, for each card type and in total (10)."""
    deck, who = seat.deck, seat.deck.character
    there = {kind: None if line.maximum is None else line.maximum - line.base for kind, line in who.cards_list.items()}
    for kind in CARD_TYPES:
        checked, most = max(deck.card_feats.get(kind, ()), default=0), there[kind]
        if checked and most is None:
            yield Problem(
                f"kb does not know how many {kind} boxes the Cards List of {seat.name} has.",
                severity="note",
                at=At("card_feats"),
                remedies=(
                    Advice(f"check that the line for {PLURALS[kind]} on the character card has {boxes(checked)}"),
                ),
            )
        elif most is not None and checked > most:
            free = [PLURALS[each] for each in CARD_TYPES if (there[each] or 0) > len(deck.card_feats.get(each, ()))]
            open_boxes = f" Boxes are free for {either(free)}." if free else ""
            yield Problem(
                f"The Cards List of {seat.name} has {boxes(most, kind)}, but {checked} "
                f"{'is' if checked == 1 else 'are'} checked.{open_boxes}",
                count=checked,
                limit=most,
                at=At("card_feats"),
                remedies=(uncheck(checked - most, "card", kind),),
            )
    yield from in_all(seat, "card", who.card_feat_boxes, f"the Cards List of {seat.name}")


@deck_rule("skill-feats", "making-your-own-characters", family="feat")
def skill_feat_boxes(seat: Seat) -> Problems:
    """No more skill feats are checked than the character card has boxes, for each skill and in total (15)."""
    known = seat.deck.character.skill_feat_boxes
    for skill, checked in seat.deck.skill_feats.items():
        there = None if known is None else known.get(skill, 0)
        if there is not None and max(checked, default=0) > there:
            yield Problem(
                f"{seat.name} has {boxes(there)} for {skill}, but +{max(checked)} is checked.",
                count=max(checked),
                limit=there,
                at=At("skill_feats"),
                remedies=(uncheck(max(checked) - there, "skill", skill),),
                names_owner=True,
            )
    yield from in_all(seat, "skill", SKILL_FEAT_BOXES, "a character card")


@deck_rule("power-feats", "role-cards", "making-your-own-characters", family="feat", severity="warning")
def power_feat_boxes(seat: Seat) -> Problems:
    """A character without a role card has at most 4 power feats. With a role card, the maximum is 12."""
    if seat.deck.role:
        yield from in_all(seat, "power", POWER_FEAT_BOXES_WITH_ROLE, "a role card")
    else:
        name_the_role = Set("role", choices=seat.deck.character.roles)
        yield from in_all(seat, "power", POWER_FEAT_BOXES, "a character card", name_the_role)


@deck_rule("feats", family="feat")
def feats_from_the_left(seat: Seat) -> Problems:
    """The feat boxes of each card type, skill and hand size are checked from left to right, without gaps."""
    lines: tuple[tuple[str, Mapping[str, tuple[int, ...]]], ...] = (
        ("card", seat.deck.card_feats),
        ("skill", seat.deck.skill_feats),
    )
    sizes = hand_sizes(seat.deck.character, seat.deck.role)
    boxes = seat.deck.powers.named if seat.deck.powers else ()
    have = [size for size in sizes if hand_size_box(size) in boxes]
    if skipped := [size for size in sizes if size < max(have, default=0) and size not in have]:
        yield Problem(
            f"The box for the hand size {max(have)} is checked, but a box to its left is not: {', '.join(map(str, skipped))}.",
            at=At("power_feats"),
            remedies=(Boxes("the power feats", 1, checked=True, key="power_feats", first=hand_size_box(skipped[0])),),
        )
    for kind, feats in lines:
        for line, checked in feats.items():
            free = [box for box in range(1, max(checked, default=0)) if box not in checked]
            if free:
                offset = seat.deck.character.base(line) if kind == "card" else 0
                label = "" if kind == "card" else "+"
                named = ", ".join(f"{label}{offset + box}" for box in free)
                yield Problem(
                    f"In the {kind} feats for {line}, a box is checked, but a box to its left is not: {named}.",
                    at=At(f"{kind}_feats"),
                    remedies=(
                        Boxes(
                            f"the {kind} feats for {line}",
                            free[0],
                            checked=True,
                            key=f"{kind}_feats.{line}",
                            first=f"{label}{offset + free[0]}",
                        ),
                    ),
                )


@deck_rule("building-your-deck", "starting-after-dying", "cards-list", "feats", "role-cards", family="feat")
def nothing_earned_yet(seat: Seat) -> Problems:
    """A new character has no feats, no role card and no adjustments of the Cards List, because feats and roles are
    rewards.

    The same applies to a character who replaces a dead one, even if it is the same character again.
    """
    deck = seat.deck
    if deck.stage != "new":
        return
    has = [counted(number, f"{kind} feat") for kind in KINDS if (number := deck.feats(kind))]
    has += [f"the role {deck.role}"] if deck.role else []
    has += ["adjustments of the Cards List"] if deck.deck_adjustments else []
    if has:
        held = {f"{kind}_feats": deck.feats(kind) for kind in KINDS}
        given = {**held, "role": deck.role, "deck_adjustments": deck.deck_adjustments}
        keys = tuple(key for key, value in given.items() if value)
        yield Problem(
            f"{seat.name} is a new character, but has {both(has)}. A new character starts with the first number of "
            "each line of the Cards List, without feats and without a role card.",
            at=tuple(map(At, keys)),
            remedies=(
                Clear(keys),
                Set("stage", "rebuilt", why="if this character has played"),
            ),
            names_owner=True,
        )


@deck_rule("feat-reward", "completing-an-adventure", "feats", family="experience")
def earned_feats(seat: Seat) -> Problems:
    """A character has no more feats of a kind than the rewards so far have given."""
    deck = seat.deck
    if deck.stage == "new":
        return
    for kind in KINDS:
        checked, earnable = deck.feats(kind), seat.earnable(kind)
        if checked > earnable:
            yield Problem(
                f"{counted(checked, f'{kind} feat')} by {when(seat)}; the rewards up to then give at most {earnable}.",
                count=checked,
                limit=earnable,
                at=At(f"{kind}_feats"),
                remedies=(uncheck(checked - earnable, kind), *CORRECT_TIME),
            )


def when(seat: Seat) -> str:
    """Return how far the campaign has progressed, such as `scenario 2 of adventure 3`."""
    deck = seat.deck
    if deck.after_scenario is None:
        return f"the end of adventure {deck.adventure}"
    if deck.after_scenario == 0:
        return f"the beginning of adventure {deck.adventure}"
    return f"scenario {deck.after_scenario} of adventure {deck.adventure}"


@deck_rule("role-cards", family="choice")
def role_of_the_character(seat: Seat) -> Problems:
    """The role is one of the two roles on the character's role card."""
    role, known = seat.deck.role, seat.deck.character.roles
    if role is None or name_key(role) in map(name_key, known):
        return
    if len(known) < 2:
        yield Problem(
            f"The roles of {seat.name} are not all in the card facts, so {role} cannot be checked.",
            severity="note",
            at=At("role"),
            remedies=(Advice(f"check that a side of the role card is called {role}"),),
        )
    else:
        yield Problem(f"{role} is not a role of {seat.name}.", at=At("role"), remedies=(Set("role", choices=known),))


@deck_rule("role-cards", "completing-an-adventure", family="experience")
def role_is_earned(seat: Seat) -> Problems:
    """A character has a role card only after completing the third adventure, whose reward it is."""
    deck = seat.deck
    if deck.role is None or deck.stage == "new" or any(gives.role for gives in seat.rewards()):
        return
    yield Problem(
        f"The role card is part of the reward for completing adventure {ROLE_AFTER}; {seat.name} already has it at {when(seat)}.",
        at=At("role"),
        remedies=(Clear(("role",), why="until then"), *CORRECT_TIME),
    )


@deck_rule("role-cards", "rebuilding-your-deck", family="feat", sets=sets_where(lambda each: each.roles_adjust))
def role_adjusts_the_list(seat: Seat) -> Problems:
    """Apart from card feats, only a role card can change the numbers of the Cards List."""
    if seat.deck.stage == "rebuilt" and seat.deck.deck_adjustments and seat.deck.role is None:
        yield Problem(
            "The Cards List is adjusted, but there is no role card that could do this.",
            at=At("deck_adjustments"),
            remedies=(Set("role", choices=seat.deck.character.roles), Clear(("deck_adjustments",))),
        )


@deck_rule("cards-list", "rebuilding-your-deck", family="feat", sets=sets_where(lambda each: not each.roles_adjust))
def nothing_adjusts_the_list(seat: Seat) -> Problems:
    """Only card feats change the numbers of the Cards List. In other sets, role cards can change them too."""
    if seat.deck.stage == "rebuilt" and seat.deck.deck_adjustments:
        yield Problem(
            f"The Cards List is adjusted; in {SET_TITLES[seat.deck.set]} only card feats change it.",
            at=At("deck_adjustments"),
            remedies=(Clear(("deck_adjustments",)),),
        )
