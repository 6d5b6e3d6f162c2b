"""The rulesets of the campaigns of both Pathfinder sets; a rule that is the same in both is written once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kb.campaigns.table import members, strangers
from kb.decks.names import both, counted_names, either, name_key
from kb.decks.problems import Problem, Problems
from kb.decks.ruleset import Ruleset
from kb.games.pathfinder.campaign.model import Moment, Person, Visit, kept, stops_before
from kb.games.pathfinder.decks.model import FEAT_KINDS, PLURALS, SET_TITLES, Card, FeatKind, Gives, sets_where
from kb.games.pathfinder.decks.ruleset import Subject, rules_of
from kb.plural import counted

CAMPAIGNS = {
    set_id: Ruleset[Moment]("pathfinder", f"Pathfinder, {title}, a campaign") for set_id, title in SET_TITLES.items()
}
rule = rules_of(CAMPAIGNS)


def known(moment: Moment) -> bool:
    """Whether nothing before the game is missing."""
    return moment.known


@rule("completing-an-adventure", "losing-the-scenario", "put-the-current-scenario-card-faceup", when=known)
def order_of_scenarios(moment: Moment) -> Problems:
    """A scenario is played once all before it are won: those of its adventure, and the adventures before that one."""
    lacking = [
        (stop, gives)
        for stop, gives in stops_before(moment.facts, moment.set, moment.played.stop, moment.head.starts)
        if stop not in moment.before.won
    ]
    if lacking:
        (deck, _), first = lacking[0]
        more = f" and {len(lacking) - 1} more have" if len(lacking) > 1 else " has"
        yield Problem(
            f"{moment.played.gives.name} was played, but {first.name} of adventure {deck}{more} not been won before.",
            f"Win {first.name} first: record that game before this one.",
            at="scenario",
        )


@rule("rewards", severity="note")
def played_again(moment: Moment) -> Problems:
    """A scenario that was won already gives its reward only to characters who have not gained it."""
    if moment.played.stop in moment.before.won and moment.known:
        yield Problem(
            f"{moment.played.gives.name} had been won already; only who has not gained its reward does so now.",
            "Nothing to do.",
            at="scenario",
        )


@rule("losing-the-scenario", "dying")
def somebody_lives(moment: Moment) -> Problems:
    """A scenario in which every character died is lost."""
    if moment.played.won and moment.before.people and not moment.present:
        yield Problem("Every character died, and yet the scenario is recorded as won.", "Write `won: no`.",
                   at="won")  # fmt: skip


@rule("losing-the-scenario", "after-the-scenario", "rewards")
def no_reward_when_lost(moment: Moment) -> Problems:
    """A lost scenario gives no reward: no feat, no role card, no card."""
    played = moment.played
    if played.won:
        return
    for key, there in (("feats", played.feats), ("role", played.roles), ("rewards", played.rewards)):
        if there:
            yield Problem(
                f"{played.gives.name} was lost, and a lost scenario gives no reward; `{key}` lists some.",
                f"Take `{key}` out, or correct `won:`.",
                at=key,
            )


@rule("feat-reward", "rewards", "completing-an-adventure", family="experience")
def feats_of_the_reward(moment: Moment) -> Problems:
    """Nobody gains more feats of a kind than the rewards of the game give, each reward once."""
    for person in moment.present if moment.played.won else ():
        for kind, gained, given, _ in feats(moment, person):
            if gained <= given:
                continue
            had = moment.played.gives.feats.get(kind, 0) > given
            why = f", which {person.name} had gained before" if had else ""
            yield Problem(
                f"{person.name} gains {amount(gained, kind)}; {moment.played.gives.name}{adventure_too(moment)} gives "
                f"{amount(given, kind)}{why}.",
                f"Take {amount(gained - given, kind)} of {person.name} out.",
                at=f"feats {person.name}",
            )


@rule("feat-reward", "feats", family="experience", severity="warning")
def feats_are_chosen(moment: Moment) -> Problems:
    """Whoever is given a feat checks a box for it, while one is left unchecked."""
    for person in moment.present if moment.played.won else ():
        for kind, gained, _, given in feats(moment, person):
            if gained < given and not full(person, kind):
                yield Problem(
                    f"{person.name} is given {amount(given, kind)} by {moment.played.gives.name}{adventure_too(moment)}; "
                    f"{gained or 'none'} {'is' if gained < 2 else 'are'} recorded.",
                    f"Say what it was spent on (`feats: {{{person.name}: {{{kind}: …}}}}`). It is not gained when every box is checked.",
                    at=f"feats {person.name}",
                )


def full(person: Person, kind: FeatKind) -> bool:
    """Whether every box of a kind is checked, as far as the card facts tell."""
    if kind == "card":
        return person.count(kind) >= person.character.card_feat_boxes
    boxes = person.character.skill_feat_boxes
    return kind == "skill" and boxes is not None and person.count(kind) >= sum(boxes.values())


@rule("feat-reward", "dying", family="experience")
def the_dead_gain_nothing(moment: Moment) -> Problems:
    """Who is dead for good gains no feat and no role, and neither does somebody who was not there."""
    playing = {person.name for person in moment.present}
    return strangers(moment.played, ("feats", "role"), playing, dead(moment)) if moment.known else iter(())


def dead(moment: Moment) -> list[str]:
    """The names of those who died up to now."""
    return [person.name for person in moment.after.out]


def feats(moment: Moment, person: Person) -> Iterator[tuple[FeatKind, int, int, int]]:
    """For each kind how many feats a character gains by the file, how many the rewards give her at most, and how many for sure."""
    chosen = Counter(feat.kind for feat in moment.played.feats.get(person.name, ()))
    rewards = list(moment.rewards(person))
    for kind in FEAT_KINDS:
        sure = sum(gives.feats.get(kind, 0) for gives in rewards if gives.said is not None)
        yield kind, chosen[kind], sum(gives.feats.get(kind, 0) for gives in rewards), sure


def amount(number: int, kind: str) -> str:
    """`no card feat`, `1 card feat`, `2 card feats`."""
    return f"{number or 'no'} {kind} feat{'s' if number > 1 else ''}"


def adventure_too(moment: Moment) -> str:
    """Names the adventure where the game completes it."""
    return f" (with {moment.played.adventure.name})" if moment.completed else ""


@rule("role-cards", "completing-an-adventure", family="experience")
def role_when_earned(moment: Moment) -> Problems:
    """The role card comes with the adventure whose reward it is, once."""
    for person in moment.present if moment.played.won else ():
        given = any(gives.role for gives in moment.rewards(person))
        chosen = moment.played.roles.get(person.name)
        at = f"role {person.name}"
        if chosen and person.role and name_key(chosen) != name_key(person.role):
            yield Problem(f"{person.name} is already {person.role} and becomes {chosen}; the side of the role card stays.",
                       f"Take {person.name} out of `role`.", at=at)  # fmt: skip
        elif chosen and not given and not person.role:
            yield Problem(f"{person.name} takes the role {chosen}, but {moment.played.gives.name} gives no role card.",
                       f"Take {person.name} out of `role`; the role card is the reward of the third adventure.", at=at)  # fmt: skip
        elif given and not chosen and not person.role:
            yield Problem(f"{person.name} is given the role card; no role is recorded.",
                       f"Write `role: {{{person.name}: {either(list(person.character.roles)) or '…'}}}`.",
                       severity="warning", at=at)  # fmt: skip


@rule("loot-reward", "rewards", "loot")
def loot_of_the_reward(moment: Moment) -> Problems:
    """Loot comes only as the reward that names it, and nobody is given the same reward twice."""
    played = moment.played
    known = Counter(name for gives in rewards_of_the_party(moment) for name in gives.loot)
    gained = [card for pile in played.gained.values() for card in pile]
    for card, number in Counter(card for card in (*played.rewards, *gained) if card.loot).items():
        if number > known[card.name]:
            yield Problem(
                f"{counted_names([card.name] * number)} is loot, and {played.gives.name} gives "
                f"{either(list(known)) or 'none' if known[card.name] == 0 else f'{known[card.name]} of it'}.",
                f"Take {number - known[card.name]} of it out, or correct `scenario:`.",
                (card.name,),
                at=(card.name, "rewards"),
            )
    sure = [name for gives in rewards_of_the_party(moment) if gives.said is not None for name in gives.loot]
    missing = [name for name in sure if name not in {card.name for card in (*played.rewards, *gained)}]
    if missing and played.won:
        yield Problem(
            f"{played.gives.name} gives the loot {both(missing)}; it is not recorded.",
            f"Write `rewards: [{', '.join(missing)}]`, and who has it.",
            severity="warning",
            at="rewards",
        )


@rule("rewards", "winning-the-scenario")
def drawn_as_a_reward(moment: Moment) -> Problems:
    """A card that is no loot comes as a reward only where the reward lets the party draw one of its type."""
    gives = rewards_of_the_party(moment)
    for card in dict.fromkeys(moment.played.rewards) if moment.played.won else ():
        if not card.loot and not any(each.lets_draw(card) for each in gives):
            said = "; ".join(each.said for each in gives if each.said) or "nothing to those who played"
            yield Problem(f"{card.name} is listed as a reward; {moment.played.gives.name} gives: {said}.",
                       "Take it out of `rewards`, or list it under `gained` of whoever acquired it.", (card.name,),
                       at=(card.name, "rewards"))  # fmt: skip


def rewards_of_the_party(moment: Moment) -> list[Gives]:
    """The rewards that at least one of those who played gains."""
    return list({gives.name: gives for person in moment.present for gives in moment.rewards(person)}.values())


@rule("rebuilding-your-deck", "cards-from-the-box", "trading-cards", when=known)
def cards_are_accounted_for(moment: Moment) -> Problems:
    """Every card of a rebuilt deck was in a deck at the table, was gained, or came from the box."""
    pool = moment.pool()
    gone = {card for _, _, cards in moment.lost() for card in cards}
    for card, number in (kept(moment) - pool).items():
        holders = [person.name for person in moment.after.people if card in person.cards]
        had = f"the table had {pool[card]}" if pool[card] else "nobody at the table had it"
        if card in gone:
            had = f"it went out of the decks in this game{f', and {pool[card]} was left' if pool[card] else ''}"
        yield Problem(
            f"{counted_names([card.name] * (number + pool[card]))} in the {'deck' if len(holders) == 1 else 'decks'} of "
            f"{both(holders)}: {had}.",
            f"Take {number} of it out of `decks`, or list it under `gained`, `rewards` or `from_box` if it came from there."
            if any(name in moment.played.decks for name in holders)
            else f"Have the decks rebuilt (`kb campaign record --fill`), or list the deck of {both(holders)} under `decks`.",
            (card.name,),
            at=(card.name, f"decks {holders[0]}", "decks"),
        )


@rule("banish", "rebuilding-your-deck", when=known)
def lost_cards_were_there(moment: Moment) -> Problems:
    """What somebody banished, removed or paid had been hers or was gained before; boons may be traded before they are paid."""
    for key, name, card, number in moment.hands()[1]:
        whose = f"{name} has not" if key != "traders" and name else "nobody at the table had"
        yield Problem(
            f"{counted_names([card.name] * number)} under `{key}`: {whose} {'it' if number == 1 else 'them'}.",
            f"Take {number} of it out of `{key}`, or list it under `gained` of whoever acquired it in this game.",
            (card.name,),
            at=(f"{key} {name}", key),
        )


@rule("card-sets", "set-indicators", "loot-reward", family="copies")
def gained_cards_were_in_the_box(moment: Moment) -> Problems:
    """A card is gained only while the box has a copy of it: one that is in no deck, was not removed and not gained already."""
    played, people = moment.played, moment.before.people
    came = Counter(card for pile in (*played.gained.values(), played.rewards) for card in pile)
    came.update(visit.took for visit in played.visits.values() if visit.took)
    out = Counter(moment.after.removed)
    for hand in moment.hands()[0].values():
        out += hand
    for card, number in came.items() if moment.known and people else ():
        there = Subject(moment.deck(people[0]), moment.facts).copies(card)
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
        yield Problem(
            f"{counted_names([card.name] * number)} {'is' if number == 1 else 'are'} gained, but the box has {free or 'none'} of it: "
            f"{'the only copy is' if there == 1 else f'all {there} copies are'} {where}.",
            f"Take {number - free} of it out of `gained`, `rewards` or `took`.",
            (card.name,),
            count=number,
            limit=free,
            at=(card.name, "gained", "rewards", "traders"),
        )


@rule("choose-your-character", "starting-a-new-character", "after-the-scenario")
def who_is_named_played(moment: Moment) -> Problems:
    """Only who played the game gains, loses, visits, changes and wishes: everybody named was at the table."""
    played, there = moment.played, moment.before.names
    for keys, names in (
        (("gained", "banished", "traders"), there - {*played.absent}),
        (("removed", "deck_adjustments"), there),
        (("keep", "wishes", "refuses"), there | moment.after.names),
    ):
        yield from strangers(played, keys, names, dead(moment)) if moment.known else ()


@rule("dying", "choose-your-character", "starting-a-new-character", when=known)
def who_is_at_the_table(moment: Moment) -> Problems:
    """Only who played can die or leave, only who is not at the table can join, and only members have decks."""
    played, before = moment.played, moment.before.names
    yield from strangers(played, ("absent", "died", "left"), before)
    yield from members(played.joined, played.decks, before - {*played.died, *played.left}, moment.after.names)


@rule("traders", "bazaar", sets=sets_where(lambda each: each.traders))
def traders_visited(moment: Moment) -> Problems:
    """A living character of a party that won visits a trader that is checked off, and pays what the rules allow."""
    played = moment.played
    for name, visit in played.visits.items():
        at = f"traders {name}"
        if not played.won:
            yield Problem(
                f"{name} visits a trader after a lost scenario.",
                f"Take {name} out of `traders`: they are visited only after a scenario that was won.",
                at=at)  # fmt: skip
        elif name in played.died:
            yield Problem(f"{name} is dead and visits no trader.", f"Take {name} out of `traders`.", at=at)
        if visit.paid and not visit.took:
            yield Problem(f"{name} pays {both([card.name for card in visit.paid])} and takes nothing.",
                       "Write what was taken under `took:`, or take `paid` out.", at=at)  # fmt: skip
        yield from trader_is_there(moment, name, visit, at)
        if visit.took and visit.trader in moment.facts.traders(moment.set):
            yield from fair_trade(moment, name, visit, visit.took, at)


def trader_is_there(moment: Moment, name: str, visit: Visit, at: str) -> Problems:
    """Whether the trader has been won."""
    if moment.known and visit.trader not in moment.after.traders:
        every = moment.facts.adventures.get(moment.set, ())
        sure = any(visit.trader in gives.traders for adventure in every for gives in adventure.scenarios)
        yield Problem(
            f"{name} visits {visit.trader}, which no reward so far has checked off."
            + ("" if sure else " No reward that is known gives this trader."),
            f"Take {name} out of `traders`, or name a trader that is checked off: {', '.join(sorted(moment.after.traders)) or 'none'}.",
            severity=None if sure else "warning",
            at=at,
        )


def fair_trade(moment: Moment, name: str, visit: Visit, took: Card, at: str) -> Problems:
    """Whether the trader can have had the card, and whether what was paid is worth it."""
    trader = moment.facts.traders(moment.set)[visit.trader]
    deck, paid = moment.played.adventure.deck, len(visit.paid)
    goods = "boons" if len(trader.offers) > 1 else PLURALS[trader.offers[0]]
    trait = f" with the {trader.trait} trait" if trader.trait else ""
    low = [card.name for card in visit.paid if card.number is not None and card.number < (took.number or 0) - 1]
    for is_so, message, instead in (
        (
            took.loot,
            f"takes {took.name} from {trader.name}; it is loot, which only rewards give",
            "choose another card",
        ),
        (
            not took.loot and not trader.deals_in(took),
            f"takes {took.name} from {trader.name}, who offers {goods}{trait}",
            "choose another card or another trader",
        ),
        (
            not trader.has_number(took, moment.number),
            f"takes {took.name}, a card of adventure deck {took.deck}; {trader.name} has cards of the scenario's number "
            f"({deck}){'' if trader.own_number else ' or 1 less'}",
            "choose another card",
        ),
        (
            low,
            f"pays {both(low)}, of a deck more than 1 below that of {took.name}",
            "pay with cards of a number no lower than 1 below",
        ),
        (
            paid != trader.cost,
            f"pays {counted(paid, 'boon')} for {took.name}; a trade with {trader.name} costs {trader.cost}",
            f"write the {counted(trader.cost, 'boon')} paid under `paid:`",
        ),
    ):
        if is_so:
            fix = f"Take `took` and `paid` out, or {instead}."
            generous = instead.startswith("write") and paid > trader.cost
            yield Problem(f"{name} {message}.", fix, (took.name, *low), "warning" if generous else None, at=at)


@rule("after-the-scenario", sets=sets_where(lambda each: not each.traders))
def no_traders_in_runelords(moment: Moment) -> Problems:
    """No trader is visited after a scenario of a set without traders; they came with Mummy's Mask."""
    if moment.played.visits:
        yield Problem(
            f"No trader is visited after a scenario of {SET_TITLES[moment.set]}.", "Take `traders:` out.", at="traders"
        )
