"""Checks on numbers: cards of each type by the Cards List, copies in the box, and feats - their boxes, and that they can have been earned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from kb.decks.names import both, counted_names, either, name_key
from kb.decks.problems import Problem, Problems, Severity
from kb.games.pathfinder.decks.model import PLURALS, SET_TITLES, SETS, Card, Cards, FeatKind, names, sets_where
from kb.games.pathfinder.decks.ruleset import Subject, rule
from kb.games.pathfinder.records import CARD_TYPES
from kb.plural import counted


def amount(number: int, card_type: str) -> str:
    """`1 ally`, `no allies`, `3 allies`."""
    return f"1 {card_type}" if number == 1 else f"{number or 'no'} {PLURALS[card_type]}"


def wanted(subject: Subject, card_type: str) -> tuple[int, str]:
    """How many cards of a type the deck must hold, and how that number comes about; a new deck knows no feats.

    A checked box that the list does not have adds no card: that it is checked is a finding of its own.
    """
    deck = subject.deck
    base = deck.character.base(card_type)
    if deck.stage == "new":
        return base, ""
    feats, most = len(deck.card_feats.get(card_type, ())), deck.character.cards_list[card_type].maximum
    if most is not None:
        feats = min(feats, most - base)
    change = deck.deck_adjustments.get(card_type, 0) if SETS[deck.set].roles_adjust and deck.role else 0
    parts = [str(base)]
    if feats:
        parts.append(counted(feats, "card feat"))
    if change:
        parts.append(f"{change:+} from the role card")
    return max(0, base + feats + change), f" ({' and '.join(parts)})" if len(parts) > 1 else ""


def by_line(subject: Subject) -> dict[str, Cards]:
    """The deck's cards by the line of the Cards List that they fill.

    A card fills the line of its type. What is too much of a type fills the line that it counts as for this character.
    """
    lines = {kind: list(subject.deck.of_type(kind)) for kind in CARD_TYPES}
    for rule_of_card in subject.deck.character.counts_as:
        too_many = len(lines[rule_of_card.type]) - wanted(subject, rule_of_card.type)[0]
        for card in [card for card in lines[rule_of_card.type] if rule_of_card.fits(card)][: max(0, too_many)]:
            lines[rule_of_card.type].remove(card)
            lines[rule_of_card.counts_as].append(card)
    return {kind: tuple(cards) for kind, cards in lines.items()}


def filled_lines(subject: Subject) -> list[tuple[str, Cards, int]]:
    """The lines of the Cards List, each with the cards that fill it and how many it asks for."""
    return [(kind, cards, wanted(subject, kind)[0]) for kind, cards in by_line(subject).items()]


def serves(subject: Subject, card: Card, instead: Card) -> bool:
    """Whether a card could stand in the deck in the place of another: it fills the same line of the Cards List.

    That is the line of its type, unless the character card lets one of the two count as another type.
    """
    if not subject.deck.character.counts_as or instead not in subject.deck.cards:
        return card.type == instead.type
    cards = list(subject.deck.cards)
    cards[cards.index(instead)] = card
    swapped = Subject(replace(subject.deck, cards=tuple(cards)), subject.facts)
    return all(len(cards_of_line) == len(by_line(subject)[kind]) for kind, cards_of_line in by_line(swapped).items())


@rule("cards-list", "building-your-deck", "rebuilding-your-deck", "card-feats", "loot", family="count")
def cards_list(subject: Subject) -> Problems:
    """The deck holds exactly the number of each card type that the Cards List with its checked card feats says.

    Loot counts as its type; cohorts do not count. A card whose type is unknown may fill any gap. Where the character
    card lets cards of one type count as another, they may fill the places of both.
    """
    held_by, unknown = by_line(subject), subject.deck.of_type(None)
    places = {kind: wanted(subject, kind) for kind in CARD_TYPES}
    gaps = sum(max(0, places[kind][0] - len(held_by[kind])) for kind in CARD_TYPES)
    for card_type, (want, how) in places.items():
        cards = held_by[card_type]
        if len(cards) == want:
            continue
        others = [str(each) for each in subject.deck.character.counts_as if card_type in (each.type, each.counts_as)]
        message = (
            f"The deck holds {amount(len(cards), card_type)}; the Cards List of {subject.name} asks for "
            f"{amount(want, card_type)}{how}." + (f" For {subject.name}, {', '.join(others)}." if others else "")
        )
        severity: Severity | None = None
        if len(cards) > want:
            which = "all" if want == 0 else f"{len(cards) - want} of the {len(cards)}"
            fix = f"Remove {which} {PLURALS[card_type]}: {counted_names(names(cards))}."
        else:
            fix = fill(subject, card_type, want - len(cards))
            severity = "note" if gaps <= len(unknown) else None
        yield Problem(message, fix, tuple(dict.fromkeys(names(cards))), severity, count=len(cards), limit=want)
    if len(unknown) > gaps:
        yield Problem(
            f"The deck holds {counted(len(unknown), 'card')} of unknown type; the Cards List of "
            f"{subject.name} has {gaps or 'no'} place{'' if gaps == 1 else 's'} for them.",
            f"Remove {len(unknown) - gaps} of: {counted_names(names(unknown))}.",
            tuple(dict.fromkeys(names(unknown))),
            count=len(unknown),
            limit=gaps,
        )


def fill(subject: Subject, card_type: str, missing: int) -> str:
    """What to add where cards of a type are missing."""
    may_fill = subject.deck.character.may_fill
    spare = subject.spare().elements()
    left = [card.name for card in spare if card_type in may_fill(card) and not subject.must_leave(card)]
    if len(left) >= missing:
        return f"Add {amount(missing, card_type)}; the party still has {counted_names(left)}."
    options = subject.alternatives(card_type, missing - len(left))
    example = f", for instance {options}" if options else ""
    if left:
        rest = f"then {missing - len(left)} from the box{example}"
        return f"Add {amount(missing, card_type)}: first {counted_names(left)}, which the party still has, {rest}."
    first = "" if subject.deck.stage == "new" else " that the party has, or else from the box"
    return f"Add {amount(missing, card_type)}{first}{example}."


@rule("card-type-label", "cards-list", family="count", severity="note")
def card_of_unknown_type(subject: Subject) -> Problems:
    """The type of every card is known, so that it can be counted."""
    for name in dict.fromkeys(names(subject.deck.of_type(None))):
        yield Problem(
            f"The type of {name} is not in the card facts, so it counts toward no type.",
            f"Read the type on {name} and describe it in the deck file: {{name: {name}, type: weapon, deck: 5}}.",
            (name,),
        )


@rule("card-sets", "set-indicators", family="copies")
def copies_in_the_box(subject: Subject) -> Problems:
    """The deck holds no more copies of a card than the products in the box hold together, where that number is known."""
    counts = Counter(subject.deck.cards)
    for card, number in counts.items():
        there = subject.copies(card)
        if there is None or number <= there or there == 0:  # 0: its product is missing, which another check says
            continue
        options = subject.alternatives(card.type or "", number - there, card)
        swap = f", for instance for {options}" if options else ""
        yield Problem(
            f"The deck holds {number} copies of {card.name}; the box has {there}.",
            f"Exchange {number - there} of them{swap}.",
            (card.name,),
            count=number,
            limit=there,
        )


@rule("card-type-label", "basic-trait", "set-indicators", "loot", family="count", severity="warning")
def described_as_it_is(subject: Subject) -> Problems:
    """What the deck file says of a card fills gaps of the card facts; where it contradicts them, the facts count."""
    for name, what, fix in subject.deck.contradictions:
        yield Problem(f"{name} {what}.", fix, (name,))


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


def in_all(subject: Subject, kind: FeatKind, there: int, where: str, fix: str = "") -> Problems:
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
def card_feat_boxes(subject: Subject) -> Problems:
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
def skill_feat_boxes(subject: Subject) -> Problems:
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
def power_feat_boxes(subject: Subject) -> Problems:
    """No more power feats than boxes: 4 on the character card, 12 with a role card over it."""
    if subject.deck.role:
        yield from in_all(subject, "power", POWER_FEAT_BOXES_WITH_ROLE, "a role card")
    else:
        yield from in_all(subject, "power", POWER_FEAT_BOXES, "a character card", ", or name the role")


@rule("feats", family="feat")
def feats_from_the_left(subject: Subject) -> Problems:
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
def nothing_earned_yet(subject: Subject) -> Problems:
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
def earned_feats(subject: Subject) -> Problems:
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
def role_of_the_character(subject: Subject) -> Problems:
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
        yield Problem(f"{deck.role} is not a role of {subject.name}.", f"Choose {either(deck.character.roles)}.")


@rule("role-cards", "completing-an-adventure", family="experience")
def role_is_earned(subject: Subject) -> Problems:
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
def role_adjusts_the_list(subject: Subject) -> Problems:
    """Only a role card adjusts the Cards List beyond its card feats."""
    if subject.deck.stage == "rebuilt" and subject.deck.deck_adjustments and subject.deck.role is None:
        yield Problem(
            "`deck_adjustments` changes the Cards List, but no role card is named that could say so.",
            "Name the role, or leave `deck_adjustments` out.",
        )


@rule("cards-list", "rebuilding-your-deck", family="feat", sets=sets_where(lambda each: not each.roles_adjust))
def nothing_adjusts_the_list(subject: Subject) -> Problems:
    """Nothing but card feats changes the Cards List; adjustments on role cards are a rule of other sets."""
    if subject.deck.stage == "rebuilt" and subject.deck.deck_adjustments:
        yield Problem(
            f"`deck_adjustments` changes the Cards List; in {SET_TITLES[subject.deck.set]} only card feats do.",
            "Leave `deck_adjustments` out.",
        )
