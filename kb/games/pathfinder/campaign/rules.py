"""The rules for Pathfinder campaigns. There is a ruleset for each set; a rule that both sets share is written once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kb.campaigns.table import members, strangers
from kb.decks.names import both, counted_names, either, name_key
from kb.decks.problems import At, Problem, Problems
from kb.decks.remedies import Act, Advice, Clear, ListUnder, Remedy, Set, Unlist
from kb.decks.ruleset import Ruleset
from kb.games.pathfinder.campaign.game_step import GameStep, PartyMember, Visit, kept, stops_before
from kb.games.pathfinder.decks.facts import (
    FEAT_KINDS,
    PLURALS,
    SET_TITLES,
    FeatKind,
    PathfinderCard,
    RewardGives,
    names,
    sets_where,
)
from kb.games.pathfinder.decks.rulesets import rules_of
from kb.games.pathfinder.decks.table import seat_of
from kb.games.pathfinder.records import CARD_TYPES
from kb.plural import counted

CAMPAIGNS = {
    set_id: Ruleset[GameStep]("pathfinder", f"Pathfinder, {title}, a campaign") for set_id, title in SET_TITLES.items()
}
rule = rules_of(CAMPAIGNS)


def known(step: GameStep) -> bool:
    """Return True if the records before this game are complete and readable."""
    return step.known


@rule("completing-an-adventure", "losing-the-scenario", "put-the-current-scenario-card-faceup", when=known)
def order_of_scenarios(step: GameStep) -> Problems:
    """A scenario is played only after the party has won all earlier scenarios of its adventure and of earlier
    adventures.
    """
    lacking = [
        (stop, gives)
        for stop, gives in stops_before(step.facts, step.set, step.played.stop, step.setup.starts)
        if stop not in step.before.won
    ]
    if lacking:
        (deck, _), first = lacking[0]
        more = f" and {len(lacking) - 1} more have" if len(lacking) > 1 else " has"
        yield Problem(
            f"{step.played.gives.name} was played, but {first.name} of adventure {deck}{more} not been won before.",
            at=At("scenario"),
            remedies=(Advice(f"win {first.name} first, and record that game before this one"), Set("scenario")),
        )


@rule("rewards", severity="note")
def played_again(step: GameStep) -> Problems:
    """If a scenario was won before, its reward goes only to characters who have not gained it yet."""
    if step.played.stop in step.before.won and step.known:
        yield Problem(
            f"{step.played.gives.name} was won before. Only characters who did not gain the reward then can gain it now.",
            at=At("scenario"),
        )


@rule("losing-the-scenario", "dying")
def somebody_lives(step: GameStep) -> Problems:
    """If all characters die in a scenario, the scenario is lost."""
    if step.played.won and step.before.people and not step.present:
        yield Problem(
            "Every character died, but the scenario is recorded as won.", at=At("won"), remedies=(Set("won", "no"),)
        )


@rule("losing-the-scenario", "after-the-scenario", "rewards")
def no_reward_when_lost(step: GameStep) -> Problems:
    """A lost scenario gives no reward: no feats, no role card and no cards."""
    played = step.played
    if played.won:
        return
    for key, noun, there in (
        ("feats", "feats are", played.feats),
        ("role", "a role is", played.roles),
        ("rewards", "cards of a reward are", played.rewards),
    ):
        if there:
            yield Problem(
                f"{played.gives.name} was lost, and a lost scenario gives no reward, but {noun} recorded.",
                at=At(key),
                remedies=(Clear((key,)), Set("won", "yes", why="if the scenario was won")),
            )


@rule("feat-reward", "rewards", "completing-an-adventure", family="experience")
def feats_of_the_reward(step: GameStep) -> Problems:
    """A character gains no more feats of a kind than the rewards of this game give. Each reward is gained only once."""
    for person in step.present if step.played.won else ():
        for kind, gained, given, _ in feats(step, person):
            if gained <= given:
                continue
            had = step.played.gives.feats.get(kind, 0) > given
            why = f", which {person.name} had gained before" if had else ""
            yield Problem(
                f"{person.name} gains {amount(gained, kind)}; {step.played.gives.name}{adventure_too(step)} gives "
                f"{amount(given, kind)}{why}.",
                who=person.name,
                count=gained,
                limit=given,
                at=At("feats", person.name),
                remedies=(Unlist("feats", (amount(gained - given, kind),), who=person.name),),
            )


@rule("feat-reward", "feats", family="experience", severity="warning")
def feats_are_chosen(step: GameStep) -> Problems:
    """A character who gains a feat as a reward checks a box for it, unless all boxes are checked."""
    for person in step.present if step.played.won else ():
        for kind, gained, _, given in feats(step, person):
            if gained < given and not full(person, kind):
                yield Problem(
                    f"{person.name} is given {amount(given, kind)} by {step.played.gives.name}{adventure_too(step)}; "
                    f"{gained or 'none'} {'is' if gained < 2 else 'are'} recorded.",
                    who=person.name,
                    count=gained,
                    limit=given,
                    at=At("feats", person.name),
                    remedies=(
                        Set(
                            f"feats.{kind}",
                            choices=tuple(open_boxes(person, kind)),
                            who=person.name,
                            why="unless every box is checked",
                        ),
                    ),
                )


def full(person: PartyMember, kind: FeatKind) -> bool:
    """Return True if all of a character's feat boxes of a kind are checked; False if their number is unknown."""
    if kind == "card":
        return person.count(kind) >= person.character.card_feat_boxes
    boxes = person.character.skill_feat_boxes
    return kind == "skill" and boxes is not None and person.count(kind) >= sum(boxes.values())


@rule("feat-reward", "dying", family="experience")
def the_dead_gain_nothing(step: GameStep) -> Problems:
    """A character who has died for good or did not play this game gains no feats and no role."""
    playing = {person.name for person in step.present}
    return strangers(step.played, ("feats", "role"), playing, dead(step)) if step.known else iter(())


def open_boxes(person: PartyMember, kind: FeatKind) -> list[str]:
    """Return the skills or card types where the character can check another feat box.

    The list is empty for power feats, and for skill feats if the skill boxes are unknown. Any text is then accepted.
    """
    taken = [feat.what for feat in person.feats if feat.kind == kind]
    if kind == "card":
        lines = person.character.cards_list
        boxes = {each: (lines[each].maximum or 99) - lines[each].base for each in CARD_TYPES}
    else:
        boxes = dict(person.character.skill_feat_boxes or {}) if kind == "skill" else {}
    return [what for what, number in boxes.items() if taken.count(what) < number]


def dead(step: GameStep) -> list[str]:
    """Return the names of the characters who have died in the campaign so far."""
    return [person.name for person in step.after.out]


def feats(step: GameStep, person: PartyMember) -> Iterator[tuple[FeatKind, int, int, int]]:
    """Yield each kind of feat with three numbers for the character `person`.

    The numbers are: feats that the file records, the most feats that the rewards of this game can give, and feats
    that they certainly give. A reward is certain if a source states it.
    """
    chosen = Counter(feat.kind for feat in step.played.feats.get(person.name, ()))
    rewards = list(step.rewards(person))
    for kind in FEAT_KINDS:
        sure = sum(gives.feats.get(kind, 0) for gives in rewards if gives.said is not None)
        yield kind, chosen[kind], sum(gives.feats.get(kind, 0) for gives in rewards), sure


def amount(number: int, kind: str) -> str:
    """Return a number of feats in words, such as `no card feat`, `1 card feat` or `2 card feats`."""
    return f"{number or 'no'} {kind} feat{'s' if number > 1 else ''}"


def adventure_too(step: GameStep) -> str:
    """Return the name of the adventure in brackets if this game completes it; otherwise an empty text."""
    return f" (with {step.played.adventure.name})" if step.completed else ""


@rule("role-cards", "completing-an-adventure", family="experience")
def role_when_earned(step: GameStep) -> Problems:
    """A character gains a role card only once, as the reward of an adventure that gives role cards."""
    for person in step.present if step.played.won else ():
        given = any(gives.role for gives in step.rewards(person))
        chosen = step.played.roles.get(person.name)
        problem: str | None = None
        remedy: Remedy = Unlist("role", (person.name,))
        if chosen and person.role and name_key(chosen) != name_key(person.role):
            problem = (
                f"{person.name} already has the role {person.role} and cannot become {chosen}. The side of the role "
                "card is chosen only once."
            )
        elif chosen and not given and not person.role:
            problem = (
                f"{person.name} takes the role {chosen}, but {step.played.gives.name} gives no role card. "
                "The role card is the reward of the third adventure."
            )
        elif given and not chosen and not person.role:
            problem = f"{person.name} gains the role card, but no role is recorded."
            remedy = Set("role", choices=person.character.roles, who=person.name)
        if problem:
            yield Problem(
                problem,
                who=person.name,
                severity=None if chosen else "warning",
                at=At("role", person.name),
                remedies=(remedy,),
            )


@rule("loot-reward", "rewards", "loot")
def loot_of_the_reward(step: GameStep) -> Problems:
    """Loot is gained only from a reward that names it. Each reward is given only once."""
    played = step.played
    known = Counter(name for gives in rewards_of_the_party(step) for name in gives.loot)
    gained = [card for pile in played.gained.values() for card in pile]
    for card, number in Counter(card for card in (*played.rewards, *gained) if card.loot).items():
        given = known[card.name]
        if number > given:
            more = (card.name,) * (number - given)
            gives = f"{given} of it" if given else either(list(known)) or "none"
            yield Problem(
                f"{counted_names([card.name] * number)} is loot, and {played.gives.name} gives {gives}.",
                cards=(card.name,),
                count=number,
                limit=given,
                at=(At(card.name), At("rewards")),
                remedies=(Unlist("rewards" if card in played.rewards else "gained", more), Set("scenario")),
            )
    sure = [name for gives in rewards_of_the_party(step) if gives.said is not None for name in gives.loot]
    missing = [name for name in sure if name not in {card.name for card in (*played.rewards, *gained)}]
    if missing and played.won:
        yield Problem(
            f"{played.gives.name} gives the loot {both(missing)}, which is not recorded.",
            cards=tuple(missing),
            severity="warning",
            at=At("rewards"),
            remedies=(ListUnder("rewards", tuple(missing)),),
        )


@rule("rewards", "winning-the-scenario")
def drawn_as_a_reward(step: GameStep) -> Problems:
    """Cards other than loot are gained as a reward only if the reward lets characters draw cards of that type. The
    number of cards is not larger than the reward allows.
    """
    played = step.played
    if not played.won:
        return
    gives = rewards_of_the_party(step)
    drawn = Counter(card for card in played.rewards if not card.loot)
    said = "; ".join(each.said for each in gives if each.said) or "nothing to those who played"
    barred = [card for card in drawn if not any(each.lets_draw(card) for each in gives)]
    for card in barred:
        yield Problem(
            f"{card.name} is listed as a reward, but {played.gives.name} gives: {said}.",
            cards=(card.name,),
            at=(At(card.name), At("rewards")),
            remedies=(
                Unlist("rewards", (card.name,) * drawn[card]),
                ListUnder("gained", (card.name,) * drawn[card], why="of the character who acquired it"),
            ),
        )
    most = [each.most_drawn for person in step.present for each in step.rewards(person)]
    there = sum(number for card, number in drawn.items() if card not in barred)
    limit = sum(number for number in most if number is not None)
    if None not in most and there > limit and not barred:
        yield Problem(
            f"{counted(there, 'card')} {'is' if there == 1 else 'are'} listed as drawn, but the limit is {limit}: each "
            f"character who gains the reward of {played.gives.name} gains {said}.",
            cards=tuple(card.name for card in drawn),
            count=there,
            limit=limit,
            at=At("rewards"),
            remedies=(Unlist("rewards", tuple(card.name for card in drawn.elements())[limit:]),),
        )


def rewards_of_the_party(step: GameStep) -> list[RewardGives]:
    """Return the rewards that at least one of the characters gains from this game."""
    return list({gives.name: gives for person in step.present for gives in step.rewards(person)}.values())


@rule("rebuilding-your-deck", "cards-from-the-box", "trading-cards", when=known)
def cards_are_accounted_for(step: GameStep) -> Problems:
    """Each card of a rebuilt deck was in a deck of the party before, was gained, or came from the box."""
    pool = step.pool()
    gone = {card for _, _, cards in step.lost() for card in cards}
    for card, number in (kept(step) - pool).items():
        holders = [person.name for person in step.after.people if card in person.cards]
        had = f"the party had {pool[card]}" if pool[card] else "no one in the party had it"
        if card in gone:
            had = f"it left the decks in this game{f', and only {pool[card]} remained' if pool[card] else ''}"
        cards = (card.name,) * number
        listed: tuple[Remedy, ...] = (
            Unlist("decks", cards),
            *(ListUnder(key, cards, why="if it came from there") for key in ("gained", "rewards", "from_box")),
        )
        if not any(name in step.played.decks for name in holders):
            rebuild = Act("have the decks rebuilt", "kb campaign record --fill")
            listed = (rebuild, Advice(f"record the new deck of {both(holders)}"))
        yield Problem(
            f"{counted_names([card.name] * (number + pool[card]))} in the {'deck' if len(holders) == 1 else 'decks'} of "
            f"{both(holders)}: {had}.",
            cards=(card.name,),
            count=number + pool[card],
            limit=pool[card],
            at=(At(card.name), At("decks", holders[0]), At("decks")),
            remedies=listed,
        )


WENT = {"banished": "banished", "removed": "removed from the game", "traders": "paid to a trader"}


@rule("banish", "rebuilding-your-deck", when=known)
def lost_cards_were_there(step: GameStep) -> Problems:
    """Characters had the cards that they banished, removed or paid. Boons may be traded before they are paid."""
    for key, name, card, number in step.hands()[1]:
        whose = f"{name} did not have" if key != "traders" and name else "no one in the party had"
        yield Problem(
            f"{counted_names([card.name] * number)} {'was' if number == 1 else 'were'} {WENT[key]}, but {whose} "
            f"{'it' if number == 1 else 'them'}.",
            cards=(card.name,),
            count=number,
            at=(At(key, name), At(key)),
            remedies=(
                Unlist(key, (card.name,) * number, who=name),
                ListUnder("gained", (card.name,) * number, why="of the character who acquired it in this game"),
            ),
        )


@rule("card-sets", "set-indicators", "loot-reward", family="copies")
def gained_cards_were_in_the_box(step: GameStep) -> Problems:
    """A card is gained only if the box has a copy of it: one that is in no deck and was not removed or gained already."""
    played, people = step.played, step.before.people
    came = Counter(card for pile in (*played.gained.values(), played.rewards) for card in pile)
    came.update(visit.took for visit in played.visits.values() if visit.took)
    out = Counter(step.after.removed)
    for hand in step.hands()[0].values():
        out += hand
    if not step.known or not people:
        return
    box = seat_of(step.deck(people[0]), step.facts).box
    for card, number in came.items():
        there = box.copies(card)
        if not there or out[card] <= there:
            continue
        holders = [person.name for person in people if card in person.cards]
        where = (
            f"in the decks of {both(holders)}"
            if holders
            else "there"
            if out[card] == number
            else "removed from the game"
        )
        free = max(0, there + number - out[card])
        left = f"only {counted(free, 'copy')}" if free else "no copy"
        copies = {1: "the only copy is", 2: "both copies are"}.get(there, f"all {there} copies are")
        yield Problem(
            f"{counted_names([card.name] * number)} {'is' if number == 1 else 'are'} gained, but the box has {left} left: "
            f"{copies} {where}.",
            cards=(card.name,),
            count=number,
            limit=free,
            at=(At(card.name), At("gained"), At("rewards"), At("traders")),
            remedies=(
                Unlist("gained", (card.name,) * (number - free)),
                Unlist("rewards", (card.name,) * (number - free)),
            ),
        )


@rule("choose-your-character", "starting-a-new-character", "after-the-scenario")
def who_is_named_played(step: GameStep) -> Problems:
    """Only characters who took part in a game gain or lose cards, visit traders, adjust their Cards List or have
    wishes.
    """
    played, there = step.played, step.before.names
    for keys, called in (
        (("gained", "banished", "traders"), there - {*played.absent}),
        (("removed", "deck_adjustments"), there),
        (("keep", "wishes", "refuses"), there | step.after.names),
    ):
        yield from strangers(played, keys, called, dead(step)) if step.known else ()


@rule("rebuilding-your-deck", when=known)
def kept_cards_are_there(step: GameStep) -> Problems:
    """A character can keep only cards that the character had before the rebuild."""
    hands, _ = step.hands()
    for name, cards in step.played.keep.items():
        if missing := tuple((Counter(cards) - hands[name]).elements()) if name in hands else ():
            yield Problem(
                f"{name} keeps {counted_names(names(missing))}, but does not have {'it' if len(missing) == 1 else 'them'}.",
                who=name,
                cards=tuple(dict.fromkeys(names(missing))),
                at=At("keep", name),
                remedies=(Unlist("keep", tuple(names(missing)), who=name),),
            )


@rule("dying", when=known)
def who_is_at_the_table(step: GameStep) -> Problems:
    """Only characters who play can die or leave the party. Dead characters have no decks."""
    played, before = step.played, step.before.names
    yield from strangers(played, ("absent", "died", "left"), before)
    for name in played.died:
        if name in played.absent:
            yield Problem(
                f"{name} did not play this game, and so cannot have died in it.",
                who=name,
                at=At("died"),
                remedies=(Unlist("absent", (name,)), Unlist("died", (name,))),
            )
    for name in played.decks:
        if name in dead(step) and name not in step.after.names:
            yield Problem(
                f"{name} is dead, and so has no deck in the next game.",
                who=name,
                at=At("decks", name),
                remedies=(Unlist("decks", (name,)), ListUnder("joined", (name,))),
            )


@rule("choose-your-character", "starting-a-new-character", when=known)
def members_have_decks(step: GameStep) -> Problems:
    """Only characters outside the party can join it. Only members of the party have decks."""
    played, after = step.played, step.after.names
    none = {*played.left, *dead(step)}  # other rules report the decks of these characters
    decks = [name for name in played.decks if name in after or name not in none]
    away = {each.name for each in step.before.away}
    yield from members(played.joined, decks, step.before.names - {*played.died, *played.left}, after, gone=away)


@rule("starting-a-new-character", "rebuilding-your-deck", when=known)
def leavers_have_no_deck(step: GameStep) -> Problems:
    """A member who leaves the party after a game takes part in the rebuild, but has no deck in the next game."""
    for name in step.played.decks:
        if name in step.played.left and name not in step.after.names:
            yield Problem(
                f"{name} leaves the party after this game, and so has no deck in the next one.",
                who=name,
                at=At("decks", name),
                remedies=(Unlist("decks", (name,)), Unlist("left", (name,), why="if the character plays on")),
            )


@rule("traders", "bazaar", sets=sets_where(lambda each: each.traders))
def traders_visited(step: GameStep) -> Problems:
    """A living character may visit a trader after a scenario is won, if the trader is checked off. The character pays
    what the rules allow.
    """
    played = step.played
    for name, visit in played.visits.items():
        at = At("traders", name)
        out = Unlist("traders", (name,))
        if not played.won:
            yield Problem(
                f"{name} visits a trader after a lost scenario. Traders are visited only after a scenario that was won.",
                who=name,
                at=at,
                remedies=(out,),
            )
        elif name in played.died:
            yield Problem(f"{name} is dead and cannot visit a trader.", who=name, at=at, remedies=(out,))
        if visit.paid and not visit.took:
            yield Problem(
                f"{name} pays {both([card.name for card in visit.paid])} and takes nothing.",
                who=name,
                at=at,
                remedies=(Set("traders.took", who=name), Clear(("traders.paid",), who=name)),
            )
        yield from trader_is_there(step, name, visit, at)
        if visit.took and visit.trader in step.facts.traders(step.set):
            yield from fair_trade(step, name, visit, visit.took, at)


def trader_is_there(step: GameStep, name: str, visit: Visit, at: At) -> Problems:
    """Yield a problem if the character `name` visits a trader that no reward has checked off."""
    if step.known and visit.trader not in step.after.traders:
        every = step.facts.adventures.get(step.set, ())
        sure = any(visit.trader in gives.traders for adventure in every for gives in adventure.scenarios)
        checked = tuple(sorted(step.after.traders))
        yield Problem(
            f"{name} visits {visit.trader}, but no reward so far has checked off this trader."
            + ("" if sure else " No known reward gives this trader."),
            who=name,
            severity=None if sure else "warning",
            at=at,
            remedies=(
                Unlist("traders", (name,)),
                *((Set("traders.trader", choices=checked, who=name),) if checked else ()),
            ),
        )


def fair_trade(step: GameStep, name: str, visit: Visit, took: PathfinderCard, at: At) -> Problems:
    """Yield the problems of a trade: the card `took` cannot have been on offer, or the price is wrong."""
    trader = step.facts.traders(step.set)[visit.trader]
    deck, paid = step.played.adventure.deck, len(visit.paid)
    goods = "boons" if len(trader.offers) > 1 else PLURALS[trader.offers[0]]
    trait = f" with the {trader.trait} trait" if trader.trait else ""
    low = [card.name for card in visit.paid if card.number is not None and card.number < (took.number or 0) - 1]
    cancel = Clear(("traders.took", "traders.paid"), who=name)
    other_card, other_pay = Set("traders.took", who=name), Set("traders.paid", who=name)
    missing = step.not_owned(took)
    wrong: tuple[tuple[object, str, Remedy], ...] = (
        (
            took.loot,
            f"takes {took.name} from {trader.name}, but {took.name} is loot, which only rewards give",
            other_card,
        ),
        (
            not took.loot and not trader.deals_in(took),
            f"takes {took.name} from {trader.name}, who offers {goods}{trait}",
            other_card,
        ),
        (
            not trader.has_number(took, step.number),
            f"takes {took.name}, a card from adventure deck {took.deck}; {trader.name} has cards of the scenario's number "
            f"({deck}){'' if trader.own_number else ' or 1 less'}",
            other_card,
        ),
        (missing, f"takes {took.name}, which is in {missing}; you do not own that product", other_card),
        (low, f"pays {both(low)}, whose deck number is more than 1 below that of {took.name}", other_pay),
        (
            paid != trader.cost,
            f"pays {counted(paid, 'boon')} for {took.name}; a trade with {trader.name} costs {trader.cost}",
            other_pay,
        ),
    )
    for is_so, message, remedy in wrong:
        if is_so:
            generous = remedy is other_pay and not low and paid > trader.cost
            yield Problem(
                f"{name} {message}.",
                cards=(took.name, *low),
                who=name,
                severity="warning" if generous else None,
                at=at,
                remedies=(remedy, cancel),
            )


@rule("after-the-scenario", sets=sets_where(lambda each: not each.traders))
def no_traders_in_runelords(step: GameStep) -> Problems:
    """Characters visit traders only in a set that has traders. Mummy's Mask introduced them."""
    if step.played.visits:
        yield Problem(
            f"There are no traders after a scenario of {SET_TITLES[step.set]}.",
            at=At("traders"),
            remedies=(Clear(("traders",)),),
        )
