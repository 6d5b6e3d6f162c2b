"""Checks on which cards may be in a deck: from the box by their traits, numbers and owners, loot, products, other sets, cohorts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from kb.decks.names import both, counted_names, either, name_key
from kb.decks.problems import Problem, Problems
from kb.games.pathfinder.decks.counts import serves, wanted
from kb.games.pathfinder.decks.model import (
    ADVENTURES,
    SET_TITLES,
    Card,
    Character,
    names,
    product_title,
    sets_where,
)
from kb.games.pathfinder.decks.ruleset import CLASS_DECKS, OPEN_BOX_BELOW, OPEN_BOX_FROM, Subject, rule
from kb.games.pathfinder.records import CARD_TYPES


def distinct(cards: Iterable[Card]) -> list[Card]:
    """Each card once, in order."""
    return list(dict.fromkeys(cards))


def of_this_box(subject: Subject, cards: Iterable[Card]) -> list[Card]:
    """Each card of the deck's own set, or of a set that is mixed in, once; other cards have a check of their own."""
    return [card for card in distinct(cards) if card.set == subject.deck.set or subject.mixed_in(card.set)]


def exchange(subject: Subject, card: Card, number: int = 1) -> str:
    """What to take instead of some copies of a card: what the party still has of its type goes before the box."""
    if card.type is None:
        return f"Remove {number} of: {card.name}."
    what = "it" if number == 1 else f"these {number}"
    left = [
        each.name for each in subject.spare().elements() if serves(subject, each, card) and not subject.must_leave(each)
    ]
    if left and len(left) >= number:
        return f"Exchange {what} for {counted_names(left)}, which the party still has." if len(left) == number else (
            f"Exchange {what} for {number} of what the party still has: {counted_names(left)}.")  # fmt: skip
    from_party = "" if not left else f"for {counted_names(left)}, which the party still has, and "
    options = subject.alternatives(card.type, number - len(left), card)
    if not options:
        return "Take another card."
    rest = "" if not left else f" ({number - len(left)} from the box)"
    listed = subject.deck.stage == "rebuilt" and subject.deck.had is not None
    match = (
        " Take it out of `had:` where it is listed, and list what comes from the box under `from_box:`."
        if listed
        else ""
    )
    return f"Exchange {what}, {from_party}for instance for {options}{rest}.{match}"


def why_not(subject: Subject, card: Card) -> str:
    """Why a card may not come from the box."""
    trait = "is not Basic"
    if card.owner is not None:
        trait = f"counts as Basic for {card.owner} alone"
    if not subject.open_box:
        return f"{card.name} {trait}"
    if card.deck == "P":
        return (
            f"{card.name} {trait} and is a promotional card; apart from Basic cards, the box gives those of base set, "
            "Character Add-On Deck and adventure decks"
        )
    label = f"of Class Deck level {card.deck}" if card.class_deck else f"of adventure deck {card.deck}"
    return f"{card.name} {trait} and is {label}, which is not at least {OPEN_BOX_BELOW} lower than {subject.deck.adventure}"


def limit(subject: Subject) -> str:
    """The end of a sentence on a barred card: before which adventure the restriction holds."""
    opens = subject.facts.adventure(subject.deck.set, str(OPEN_BOX_FROM))
    return f" before {opens.name}" if opens and subject.deck.number < OPEN_BOX_FROM else ""


def barred(subject: Subject, cards: Iterable[Card]) -> Iterator[tuple[Card, str]]:
    """The cards of this box that may not come from it, with the reason; loot has a check of its own."""
    for card in of_this_box(subject, cards):
        if subject.from_box(card) is False and not card.loot:
            yield card, why_not(subject, card)


@rule(
    "building-your-deck",
    "basic-trait",
    "starting-after-dying",
    "set-indicators",
    "pathfinder/mm/owner-trait",
    family="access",
)
def new_deck(subject: Subject) -> Problems:
    """A new deck holds only Basic cards and cards this character owns.

    Once the third adventure has begun, it may also hold any card of base set or Character Add-On Deck, and any card
    whose adventure deck number is at least 2 lower than that of the adventure being played. Players may trade before a
    scenario, so a card that was received may be any; one that was given away must have been allowed.
    """
    if subject.deck.stage != "new":
        return
    built = Counter(subject.taken_from_box())
    for card, reason in barred(subject, built):
        if number := min(built[card], subject.deck.cards.count(card)):
            joins = subject.deck.number >= OPEN_BOX_FROM and not subject.open_box and not subject.basic(card)
            who = "the deck of a new character who replaces nobody" if joins else "a new deck"
            yield Problem(
                f"{reason}: {who}{limit(subject)} may not hold it.",
                f"{exchange(subject, card, number)} Or list it under `received:` if another player traded it.",
                (card.name,),
            )
        else:
            yield Problem(
                f"{reason}: a new deck{limit(subject)} cannot have held it, so it cannot have been given away.",
                f"Correct `gave:`, or list {card.name} under `received:` as well if it came from another player.",
                (card.name,),
            )


@rule("starting-after-dying", "building-your-deck", "starting-a-new-character", family="access", severity="note")
def only_a_successor(subject: Subject) -> Problems:
    """Cards that are not Basic are for the successor of a dead character; whoever joins otherwise holds Basic cards only."""
    deck = subject.deck
    if deck.stage != "new" or deck.after_death is not None or not subject.open_box:
        return
    names = [
        card.name
        for card in of_this_box(subject, subject.taken_from_box())
        if subject.basic(card) is False and subject.from_box(card)
    ]
    if names:
        yield Problem(
            f"{both(names)}: not Basic; only a new character who replaces a dead one may have such "
            "cards, one who joins has Basic cards alone.",
            "Write `after_death: yes` if the character replaces a dead one, `after_death: no` if not.",
            tuple(names),
        )


@rule("trading-cards", "building-your-deck", "cards-list")
def trades_of_a_new_deck(subject: Subject) -> Problems:
    """A new deck fits its Cards List before it is traded from and after: as many cards of a type are given as received."""
    deck = subject.deck
    if deck.stage != "new" or not (deck.received or deck.gave):
        return
    missing = Counter(deck.received) - Counter(deck.cards) - Counter(deck.gave)
    for card, number in missing.items():
        yield Problem(
            f"{counted_names([card.name] * number)} was received, but the deck does not hold it.",
            "Take it out of `received`, or put it into `cards` in the place of another: before a scenario no card goes into the box.",
            (card.name,),
            severity="warning",
        )
    received, given = (Counter(card.type for card in pile) for pile in (deck.received, deck.gave))
    uneven = [kind for kind in dict.fromkeys([*received, *given]) if kind and received[kind] != given[kind]]
    if uneven and not missing:
        differ = ", ".join(f"{kind}: {received[kind]} received, {given[kind]} given" for kind in uneven)
        yield Problem(
            f"What was received and given differs by type ({differ}), so the deck did not fit its Cards List before the trade.",
            "List under `received` and `gave` as many cards of each type.",
            severity=None if deck.gave and deck.received else "warning",
        )


@rule("cards-from-the-box", "basic-trait", "set-indicators", "pathfinder/mm/owner-trait", family="access")
def cards_from_the_box(subject: Subject) -> Problems:
    """A card taken from the box when rebuilding is Basic or owned by this character.

    Once the third adventure has begun, it may also be any card of base set or Character Add-On Deck, and any card whose
    adventure deck number is at least 2 lower than that of the adventure being played.
    """
    if subject.deck.stage != "rebuilt":
        return
    taken = Counter(subject.deck.from_box or ())
    for card, reason in barred(subject, taken):
        message = f"{reason}: it may not be taken from the box{limit(subject)}."
        yield Problem(message, exchange(subject, card, taken[card]), (card.name,))


@rule("basic-trait", "building-your-deck", "cards-from-the-box", family="access", severity="warning")
def basic_is_known(subject: Subject) -> Problems:
    """For every card from the box the facts say whether it may be taken."""
    for card in of_this_box(subject, subject.taken_from_box()):
        if subject.from_box(card) is None and not card.loot:
            asks = []
            if subject.basic(card) is None:
                asks.append("it has the Basic trait")
            if subject.open_box and card.number is None:
                asks.append(f"its adventure deck number is at most {subject.highest_from_box}")
            yield Problem(
                f"Whether {card.name} may come from the box is not in the card facts: it may if {' or '.join(asks)}.",
                f"Read the card and describe it in the deck file: {{name: {card.name}, type: {card.type}, "
                f"deck: {card.deck or 'B'}, basic: true}}. If it may not: {exchange(subject, card)}",
                (card.name,),
            )


@rule("loot", "loot-reward", "cards-from-the-box", "starting-after-dying", family="access")
def loot_is_a_reward(subject: Subject) -> Problems:
    """Loot is given out as a reward, so it does not come from the box, except for its Owner, for whom it counts as Basic.

    Where the box is open to cards that are not Basic, the rulebooks disagree with themselves: the rule on cards from the box
    excludes no loot. That is a warning.
    """
    taken = Counter(subject.taken_from_box())
    for card in of_this_box(subject, taken):
        if not card.loot or subject.owned(card) or any(not each.loot for each in subject.printings(card)):
            continue
        fix = exchange(subject, card, taken[card])
        if subject.from_box(card) is False:
            where = "a new deck may not hold it" if subject.deck.stage == "new" else "it may not be taken from the box"
            yield Problem(f"{card.name} is loot, which is only given out as a reward: {where}.", fix, (card.name,))
        else:
            yield Problem(
                f"{card.name} is loot. The rulebook says that loot is only given out as a reward, and also that any card in "
                "the box with a number low enough may be taken, without excepting loot.",
                f"Agree at the table which of the two applies. If no loot comes from the box: {fix}",
                (card.name,),
                severity="warning",
            )


@rule("loot", "loot-reward", "winning-the-scenario")
def loot_is_earned(subject: Subject) -> Problems:
    """Loot in a rebuilt deck is a reward of a scenario that has been played, as often as rewards have given it."""
    if subject.deck.stage == "rebuilt":
        for card, number, given in unearned(
            subject, Counter(subject.deck.cards) - Counter(subject.deck.from_box or ())
        ):
            yield Problem(
                f"{counted_names([card.name] * number)}: {too_much_loot(given)}",
                f"{exchange(subject, card, number - given)} Or correct `adventure:` and `after_scenario:`.",
                (card.name,),
                count=number,
                limit=given,
            )


def unearned(subject: Subject, cards: Counter[Card]) -> Iterator[tuple[Card, int, int]]:
    """Loot that is held more often than the rewards up to this point have given it: the card, copies held, copies given.

    Loot of no known reward, and of adventures that have not begun, is not among it: other checks are about these.
    """
    given = Counter(name for gives in subject.rewards() for name in gives.loot)
    known = subject.facts.loot(subject.deck.set)
    for card, number in cards.items():
        ours = card.set == subject.deck.set and card.loot and not subject.owned(card)
        if ours and card.name in known and number > given[card.name] and subject.begun(card):
            yield card, number, given[card.name]


def too_much_loot(given: int) -> str:
    """What is wrong with loot of which the rewards so far have given so many."""
    return "the reward of a later scenario." if not given else (
        f"the rewards up to now give {given} of it, and a later scenario another."
    )  # fmt: skip


@rule("completing-an-adventure", "set-indicators", family="pool")
def adventure_has_begun(subject: Subject) -> Problems:
    """No card is of an adventure deck (or of Class Deck cards of that number) that is not in the box yet."""
    for card, number in Counter(subject.deck.cards).items():
        if not subject.begun(card):
            what = (
                f"a card of the {card.class_deck} Class Deck with the number"
                if card.class_deck
                else "a card of adventure deck"
            )
            yield Problem(
                f"{card.name} is {what} {card.number}, which is not in the box during adventure {subject.deck.adventure}.",
                f"{exchange(subject, card, number)} Or correct `adventure:`.",
                (card.name,),
            )


@rule(
    "promotional-cards", "pathfinder/mm/owner-trait", family="pool", sets=sets_where(lambda each: each.open_to_promos)
)
def promos_wait(subject: Subject) -> Problems:
    """A promotional card stays out until adventure 1 begins, unless its Owner is played."""
    if subject.deck.adventure != "B":
        return
    for card, number in Counter(subject.deck.cards).items():
        if card.deck == "P" and not subject.owned(card):
            yield Problem(
                f"{card.name} is a promotional card; it is not added to the game before adventure 1 begins.",
                exchange(subject, card, number),
                (card.name,),
            )


@rule("promotional-cards", family="pool", severity="note", sets=sets_where(lambda each: not each.open_to_promos))
def promos_are_not_mentioned(subject: Subject) -> Problems:
    """The rulebook of the set says nothing about promotional cards; the table decides."""
    names = [card.name for card in distinct(subject.deck.cards) if card.deck == "P"]
    if names:
        yield Problem(
            f"{both(names)}: the rulebook says nothing about promotional cards.",
            "Agree at the table. Mummy's Mask lets an owner use a promo at once and keeps others out until adventure 1.",
            tuple(names),
        )


@rule(
    "pathfinder/mm/class-decks",
    "card-sets",
    family="pool",
    severity="note",
    sets=sets_where(lambda each: not each.class_decks),
)
def class_decks_are_newer(subject: Subject) -> Problems:
    """The rulebook of the set knows no Class Decks; their cards are checked by the rule of Mummy's Mask."""
    names = [subject.name] if subject.deck.character.class_deck else []
    names += [card.name for card in distinct(subject.deck.cards) if card.class_deck]
    if names:
        yield Problem(
            f"{both(names)}: of Class Decks, checked by the later rule.",
            "Nothing to do, if your table plays with Class Decks.",
            tuple(names),
        )


@rule("card-sets", "organizing-the-box", "pathfinder/mm/class-decks", family="pool")
def owned_products(subject: Subject) -> Problems:
    """Every card and the character come from a product that is owned (when the deck file says which are)."""
    owns = subject.deck.owns
    if owns is None:
        return
    who = subject.deck.character
    if who.own:
        where = f"the {who.class_deck} Class Deck" if who.class_deck and CLASS_DECKS not in owns else ""
    else:
        where = "" if who.product in owns else product_title(who.product)
    if where:
        yield Problem(f"{subject.name} is a character of {where}, which `owns:` does not list.",
                      f"Choose another character, or add {to_add(where)} to `owns:`.")  # fmt: skip
    for card, number in Counter(subject.deck.cards).items():
        if card.set != subject.deck.set or not subject.begun(card) or len(subject.printings(card)) > 1:
            continue
        if card.class_deck:
            where = f"the {card.class_deck} Class Deck" if CLASS_DECKS not in owns else ""
        else:
            where = "" if owns & {*card.products} else either(map(product_title, card.products))
        if where:
            yield Problem(f"{card.name} is in {where}, which `owns:` does not list.",
                          f"{exchange(subject, card, number)} Or add {to_add(where)} to `owns:`.", (card.name,))  # fmt: skip


def to_add(where: str) -> str:
    """The word to add to `owns:` for a product that it lacks."""
    return "`class decks`" if "Class Deck" in where else "the product"


@rule("put-the-adventure-path-card-faceup", "completing-an-adventure", severity="warning")
def adventure_is_owned(subject: Subject) -> Problems:
    """The adventure deck of the adventure being played is owned (when the deck file says which are)."""
    owns = subject.deck.owns
    if owns is not None and subject.deck.adventure not in owns:
        have = [number for number in ADVENTURES if number in owns]
        yield Problem(
            f"Adventure {subject.deck.adventure} is being played, but `owns:` does not list its deck.",
            f"Play {either(have)}, or add it to `owns:`." if have else "Add it to `owns:`.",
        )


@rule("pathfinder/mm/cohorts", "cards-list", family="required")
def cohorts_of_the_character(subject: Subject) -> Problems:
    """A cohort stands on the character's own list, outside the count of the deck; no character of the base sets has one."""
    listed = {name_key(name) for name in subject.deck.character.cohorts}
    for name in subject.deck.cohorts:
        if name_key(name) not in listed:
            yield Problem(
                f"{name} is not a cohort on the list of {subject.name}.",
                "Remove it, or play a character whose Cards List names it.",
                (name,),
            )


MOST_NAMED_ALONE = 4  # of one set; more than that is one mistake, not many


@rule("card-sets", "organizing-the-box", family="pool", sets=sets_where(lambda each: not each.compatibility))
def cards_of_another_set(subject: Subject) -> Problems:
    """Every card is of the set whose box is played, of a box mixed in (`owns:` lists it), or of a Class Deck."""
    yield from foreign(subject)


@rule(
    "compatibility-with-other-sets",
    "organizing-the-box",
    family="pool",
    sets=sets_where(lambda each: each.compatibility),
)
def cards_from_another_set(subject: Subject) -> Problems:
    """Every card is of the set whose box is played, of a box mixed in, or of a Class Deck; the sets are compatible."""
    yield from foreign(subject)


def foreign(subject: Subject) -> Problems:
    """Cards of another set: an error, or a note where the deck file says that its box is mixed in."""
    deck = subject.deck
    cards = [card for card in distinct(deck.cards) if card.set != deck.set and card.class_deck is None]
    own = SET_TITLES[deck.set]
    for set_id in dict.fromkeys(card.set for card in cards):
        strangers = [card for card in cards if card.set == set_id]
        named, other = tuple(names(strangers)), SET_TITLES.get(set_id, set_id)
        mix = f"If your group mixes the boxes, add {set_id} to `owns:`."
        if subject.mixed_in(set_id):
            yield Problem(
                f"{counted_names(named)}: of {other}, mixed into the box of {own}; the rules of {own} are applied to them.",
                "Nothing to do, if your group mixes the boxes.",
                named,
                "note",
            )
        elif len(strangers) > MOST_NAMED_ALONE:
            fix = f"Choose a character of {other}, or cards of {own}. {mix}"
            if subject.facts.called(subject.name, set_id):
                fix = f"{other} has a character {subject.name} of its own: write `set: {set_id}` if that one is meant. {mix}"
            message = f"{len(strangers)} cards of the deck are of {other}, while {subject.name} is a character of {own}: {counted_names(named)}."
            yield Problem(message, fix, named)
        else:
            for card in strangers:
                fix = f"{exchange(subject, card, deck.cards.count(card))} {mix}"
                yield Problem(f"{card.name} is a card of {other}, not of {own}.", fix, (card.name,))


DECKS_WITH_BASE_SET = 4
DECKS_WITH_ADD_ON = 6


@rule("cards-from-the-box", "rebuilding-your-deck")
def box_fills_holes_only(subject: Subject) -> Problems:
    """A card comes from the box only when the party has no card of its type left."""
    yield from taken_too_early([subject], subject.spare())


def taken_too_early(subjects: Iterable[Subject], spare: Counter[Card]) -> Problems:
    """Cards that rebuilt decks took from the box while the party still has others that could stand in their place."""
    for kind in CARD_TYPES:
        taken = [
            (subject, card)
            for subject in subjects
            if subject.deck.stage == "rebuilt"
            for card in subject.deck.from_box or ()
            if card.type == kind
        ]
        left = [card.name for card in spare.elements() if any(serves(who, card, instead) for who, instead in taken)]
        if not left:
            continue
        names = [card.name for _, card in taken]
        who = list(dict.fromkeys(subject.name for subject, _ in taken))
        took = "; ".join(
            f"{each} took {counted_names(card.name for who, card in taken if who.name == each)}" for each in who
        )
        number = min(len(names), len(left))
        back = counted_names(names) if number == len(names) else f"{number} of {counted_names(names)}"
        keep = counted_names(left) if number == len(left) else f"{number} of {counted_names(left)}"
        yield Problem(
            f"{took} from the box, while the party still has {counted_names(left)}.",
            f"Put {back} back into the box and keep {keep} instead.",
            tuple(dict.fromkeys([*names, *left])),
        )


@rule("rebuilding-your-deck", "cards-from-the-box")
def from_box_is_in_the_deck(subject: Subject) -> Problems:
    """Every card named as taken from the box is in the deck, in that number."""
    missing = Counter(subject.deck.from_box or ()) - Counter(subject.deck.cards)
    for card, number in missing.items():
        yield Problem(
            f"`from_box` names {counted_names([card.name] * number)} more often than the deck holds it.",
            "Take it out of `from_box`, or put it into `cards` in the place of another: cards taken from the box go into a deck.",
            (card.name,),
        )  # fmt: skip


@rule("rebuilding-your-deck", "trading-cards", "cards-from-the-box")
def cards_are_accounted_for(subject: Subject) -> Problems:
    """Every card of a rebuilt deck was had after the scenario, traded for, or taken from the box (when the file says)."""
    deck = subject.deck
    if deck.stage != "rebuilt" or deck.had is None:
        return
    known = Counter(deck.had) + Counter(deck.received) - Counter(deck.gave) + Counter(deck.from_box or ())
    for card, number in (Counter(deck.cards) - known).items():
        yield Problem(
            f"{counted_names([card.name] * number)} is neither among the cards that {subject.name} had or received nor from the box.",
            "Add it to `received` if another player gave it, to `from_box` if it filled a gap, or remove it.",
            (card.name,),
        )
    for card in Counter(deck.gave) - (Counter(deck.had) + Counter(deck.received)):
        yield Problem(
            f"{subject.name} gave {card.name} away without having had it.", "Correct `gave` or `had`.", (card.name,)
        )


@rule("cards-list", "building-your-deck", "rebuilding-your-deck", family="required")
def cards_that_must_be_held(subject: Subject) -> Problems:
    """A card that the character card puts into the deck is in it: Estra's Honaire.

    A rebuilt deck may be without it only while the party has lost it, as `had:` shows, and no card of its type came from the box.
    """
    deck = subject.deck
    spare = {card.name for card in (*subject.spare(), *deck.gave)}
    for name in deck.character.must_hold:
        known = subject.facts.card(deck.set, name)
        if known is None or any(card.name == name for card in deck.cards):
            continue
        there = name in spare or any(card.type == known.type for card in deck.from_box or ())
        lost = deck.stage == "rebuilt" and deck.had is not None and not there
        open_place = len(deck.of_type(known.type)) < wanted(subject, known.type or "")[0]
        yield Problem(
            f"{subject.name} must hold {name}, but the deck does not.",
            f"Take {name} as the next {known.type} from the box."
            if lost
            else f"Add {name}."
            if open_place
            else f"Exchange one {known.type} for {name}.",
            (name,),
            "warning" if lost else None,
        )


@rule("limited-decks-at-once", "starting-a-new-character")
def decks_at_once(subject: Subject) -> Problems:
    """No more than 4 decks are built at once with the base set, 6 with the Character Add-On Deck."""
    deck = subject.deck
    others = {name_key(name) for name in deck.party} - {name_key(subject.name)}
    known = [subject.facts.characters.get((deck.set, key)) for key in others]
    yield from too_many_decks([deck.character, *known], deck.owns)


def too_many_decks(characters: Sequence[Character | None], owns: frozenset[str] | None) -> Problems:
    """More decks than may be built at once. `characters` are those of the decks; `owns` are the products, None when nobody says."""
    number = len(characters)
    with_add_on = (
        any(character and character.product == "C" for character in characters) if owns is None else "C" in owns
    )
    most = DECKS_WITH_ADD_ON if with_add_on else DECKS_WITH_BASE_SET
    if number <= most:
        return
    fix = f"Write down the cards of {number - most} of the decks and put them back in the box"
    if not with_add_on:
        beyond = number - DECKS_WITH_ADD_ON
        fix += f", or of {beyond} of them and add `add-on` to `owns:`" if beyond > 0 else ", or add `add-on` to `owns:`"
    yield Problem(
        f"{number} decks are built at once; {'even with the Character Add-On Deck' if with_add_on else 'with the base set'} "
        f"no more than {most} may be.",
        f"{fix}.",
        severity="warning" if owns is None and number <= DECKS_WITH_ADD_ON else None,
        count=number,
        limit=most,
    )


@rule("choose-your-character")
def one_deck_a_character(subject: Subject) -> Problems:
    """No two players of a party play the same character card."""
    yield from played_twice(subject.deck.party)


def played_twice(names: Iterable[str]) -> Problems:
    """Characters that are named more than once."""
    called = {name_key(name): name for name in reversed(list(names))}
    for key, number in Counter(map(name_key, names)).items():
        if number > 1:
            yield Problem(
                f"{called[key]} is at the table {number} times.",
                "Let each player choose another character.",
                count=number,
                limit=1,
            )
