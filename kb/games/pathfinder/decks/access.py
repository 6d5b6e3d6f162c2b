"""Rules about the cards that a character may take from the box, and rules about loot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from kb.decks.names import both, counted_names
from kb.decks.problems import At, Problem, Problems
from kb.decks.remedies import Advice, ListUnder, Remedy, Remove, Set, Unlist
from kb.games.pathfinder.decks.facts import PathfinderCard
from kb.games.pathfinder.decks.feats import CORRECT_TIME
from kb.games.pathfinder.decks.rulesets import deck_rule, exchange, table_rule
from kb.games.pathfinder.decks.table import OPEN_BOX_BELOW, OPEN_BOX_FROM, GameTable, Seat


def distinct(cards: Iterable[PathfinderCard]) -> list[PathfinderCard]:
    """Return the cards in their order, without repeats."""
    return list(dict.fromkeys(cards))


def of_this_box(seat: Seat, cards: Iterable[PathfinderCard]) -> list[PathfinderCard]:
    """Return the cards that are from the deck's set or from a set mixed into its box, without repeats.

    Another check reports cards from other sets.
    """
    return [card for card in distinct(cards) if card.set == seat.deck.set or seat.box.mixed_in(card.set)]


def why_not(seat: Seat, card: PathfinderCard) -> str:
    """Return the reason why a character may not take `card` from the box, as a clause that begins with its name."""
    trait = "is not Basic"
    if card.owner is not None:
        trait = f"counts as Basic for {card.owner} only"
    if not seat.open_box:
        return f"{card.name} {trait}"
    if card.deck == "P":
        return (
            f"{card.name} {trait} and is a promotional card; except for Basic cards, the box only gives cards from the "
            "base set, the Character Add-On Deck and the adventure decks"
        )
    label = f"of Class Deck level {card.deck}" if card.class_deck else f"of adventure deck {card.deck}"
    return (
        f"{card.name} {trait} and is {label}, which is not at least {OPEN_BOX_BELOW} lower than {seat.deck.adventure}"
    )


def limit(seat: Seat) -> str:
    """Return a phrase that says when a restriction ends, such as ` before The Hook Mountain Massacre`.

    It is empty if the deck has reached the adventure that first allows cards that are not Basic.
    """
    opens = seat.facts.adventure(seat.deck.set, str(OPEN_BOX_FROM))
    return f" before {opens.name}" if opens and seat.deck.number < OPEN_BOX_FROM else ""


def barred(seat: Seat, cards: Iterable[PathfinderCard]) -> Iterator[tuple[PathfinderCard, str]]:
    """Yield the cards that the character may not take from the box, each with the reason.

    Other checks report loot and cards from other sets.
    """
    for card in of_this_box(seat, cards):
        if seat.may_take(card) is False and not card.loot:
            yield card, why_not(seat, card)


@deck_rule(
    "building-your-deck",
    "basic-trait",
    "starting-after-dying",
    "set-indicators",
    "pathfinder/mm/owner-trait",
    family="access",
)
def new_deck(seat: Seat) -> Problems:
    """A new deck contains only Basic cards and cards that its character owns.

    Once the third adventure has begun, it may also contain any card from the base set or the Character Add-On Deck.
    Cards of an adventure deck are allowed if its number is at least 2 lower than the number of the adventure being
    played. Players may trade before a scenario, so a card received from another player may be any card. A card that the
    character gave away must have been allowed in the new deck.
    """
    if seat.deck.stage != "new":
        return
    built = Counter(seat.taken_from_box())
    for card, reason in barred(seat, built):
        if number := min(built[card], seat.deck.cards.count(card)):
            joins = seat.deck.number >= OPEN_BOX_FROM and not seat.open_box and not seat.basic(card)
            who = "the deck of a new character who replaces no one" if joins else "a new deck"
            received = ListUnder("received", (card.name,) * number, why="if another player traded it")
            yield Problem(
                f"{reason}: {who}{limit(seat)} may not have it.",
                cards=(card.name,),
                remedies=(exchange(seat, card, number), received),
            )
        else:
            yield Problem(
                f"{reason}: a new deck{limit(seat)} cannot have contained it, so it cannot have been given away.",
                cards=(card.name,),
                at=At("gave"),
                remedies=(
                    Unlist("gave", (card.name,)),
                    ListUnder("received", (card.name,), why="if it came from another player"),
                ),
            )


@deck_rule("starting-after-dying", "building-your-deck", "starting-a-new-character", family="access", severity="note")
def only_a_successor(seat: Seat) -> Problems:
    """A new character may have cards that are not Basic only if the character replaces a dead one. Any other new
    character who joins has only Basic cards.
    """
    deck = seat.deck
    if deck.stage != "new" or deck.after_death is not None or not seat.open_box:
        return
    beyond = [
        card.name
        for card in of_this_box(seat, seat.taken_from_box())
        if seat.basic(card) is False and seat.may_take(card)
    ]
    if beyond:
        yield Problem(
            f"{both(beyond)}: not Basic. Only a new character who replaces a dead one may have such cards; "
            "any other new character may only have Basic cards.",
            cards=tuple(beyond),
            remedies=(
                Set("after_death", "yes", why="if the character replaces a dead one"),
                Set("after_death", "no", why="if not"),
            ),
        )


@deck_rule("cards-from-the-box", "basic-trait", "set-indicators", "pathfinder/mm/owner-trait", family="access")
def cards_from_the_box(seat: Seat) -> Problems:
    """A card taken from the box to rebuild a deck is Basic or has this character as its Owner.

    Once the third adventure has begun, it may also be any card from the base set or the Character Add-On Deck. A card
    of an adventure deck is allowed if its number is at least 2 lower than the number of the adventure being played.
    """
    if seat.deck.stage != "rebuilt":
        return
    taken = Counter(seat.deck.from_box or ())
    for card, reason in barred(seat, taken):
        yield Problem(
            f"{reason}: it may not be taken from the box{limit(seat)}.",
            cards=(card.name,),
            remedies=(exchange(seat, card, taken[card]),),
        )


@deck_rule("basic-trait", "building-your-deck", "cards-from-the-box", family="access", severity="warning")
def basic_is_known(seat: Seat) -> Problems:
    """The card facts say for every card from the box whether the character may take it."""
    for card in of_this_box(seat, seat.taken_from_box()):
        if seat.may_take(card) is None and not card.loot:
            asks = []
            if seat.basic(card) is None:
                asks.append("it has the Basic trait")
            if seat.open_box and card.number is None:
                asks.append(f"its adventure deck number is at most {seat.highest_from_box}")
            described = f"{{name: {card.name}, type: {card.type}, deck: {card.deck or 'B'}, basic: true}}"
            yield Problem(
                f"The card facts do not say whether {card.name} may come from the box: it may if {' or '.join(asks)}.",
                cards=(card.name,),
                remedies=(
                    Advice(f"read the card and describe it in the deck file: {described}"),
                    exchange(seat, card),
                ),
            )


@deck_rule("loot", "loot-reward", "cards-from-the-box", "starting-after-dying", family="access")
def loot_is_a_reward(seat: Seat) -> Problems:
    """Loot does not come from the box, because it is only given out as a reward. For its Owner, loot counts as Basic.

    The rulebooks contradict themselves once characters may take cards that are not Basic, because the rule that
    allows such cards does not exclude loot. In this case the finding is a warning.
    """
    taken = Counter(seat.taken_from_box())
    for card in of_this_box(seat, taken):
        if not card.loot or seat.owned(card) or any(not each.loot for each in seat.box.printings(card)):
            continue
        other = exchange(seat, card, taken[card])
        if seat.may_take(card) is False:
            where = "a new deck may not contain it" if seat.deck.stage == "new" else "it may not be taken from the box"
            yield Problem(
                f"{card.name} is loot, which is only given out as a reward: {where}.",
                cards=(card.name,),
                remedies=(other,),
            )
        else:
            yield Problem(
                f"{card.name} is loot. The rulebook says that loot is only given out as a reward. It also says that any card in "
                "the box with a low enough number may be taken, and makes no exception for loot.",
                cards=(card.name,),
                severity="warning",
                remedies=(Advice("agree with your group which of the two rules applies"), other),
            )


@table_rule("loot", "loot-reward", "winning-the-scenario")
def loot_is_earned(table: GameTable) -> Problems:
    """A party has no more copies of a loot card than the rewards so far have given."""
    rebuilt = [seat for seat in table.seats if seat.deck.stage == "rebuilt"]
    if not rebuilt:
        return
    seat = max(
        rebuilt,
        key=lambda each: (each.deck.number, 9 if each.deck.after_scenario is None else each.deck.after_scenario),
    )
    holders = [each for each in table.holders if each.holder or each.deck.stage == "rebuilt"]
    held = Counter(table.removed)
    for each in holders:
        held += Counter(each.deck.cards) - Counter(() if each.holder else each.deck.from_box or ())
    given = Counter(name for gives in seat.rewards() for name in gives.loot)
    later = Counter(name for gives in seat.gives_later() for name in gives.loot)
    known = seat.facts.loot(table.set)
    for card, number in held.items():
        there = [each for each in holders if card in each.deck.cards]
        owned = any(each.owned(card) for each in there)
        # Other checks report loot that no known reward gives, and loot of adventures that have not begun.
        if card.set != table.set or not card.loot or owned or card.name not in known or not seat.box.begun(card):
            continue
        if number > given[card.name]:
            alone = there[0] if len(there) == 1 else None
            where = f" in the party ({both([each.who for each in there])})" if len(there) > 1 else ""
            more = number - given[card.name]
            players = [each for each in there if not each.holder]
            last = there[-1].deck.cards.count(card) if there else 0
            changes: tuple[Remedy, ...] = (
                (Remove(more, (card.name,) * max(more, last), who=there[-1].who),) if there else ()
            )
            if players and not table.rebuilding:
                changes = (exchange(players[-1], card, more, players[-1].who),)
            yield Problem(
                f"{counted_names([card.name] * number)}{where}: {too_much_loot(given[card.name], later[card.name])}",
                cards=(card.name,),
                who=alone.who if alone else "",
                count=number,
                limit=given[card.name],
                remedies=(*changes, *CORRECT_TIME),
            )


def too_much_loot(given: int, later: int) -> str:
    """Return the end of the sentence about surplus loot.

    `given` is the number of copies that the rewards so far have given. `later` is the number that later rewards give.
    """
    if not given:
        return "the reward of a later scenario."
    return f"the rewards so far give {given} of it, and {'a later reward gives another' if later else 'no later reward gives another'}."
