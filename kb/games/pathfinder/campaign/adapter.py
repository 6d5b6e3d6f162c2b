"""Pathfinder campaigns as the framework replays them, with the rules of decks and parties."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from kb.campaigns.conversation import SUCCESSORS
from kb.campaigns.model import Change, DeckNow, Line, Row, Step, Tally
from kb.campaigns.reader import GAME_KEYS, HEAD_KEYS, described, line_in
from kb.campaigns.replay import Campaigns, placed, run
from kb.decks.names import both, either, name_key, split_quantity, tally
from kb.decks.party import Step as Rebuilding
from kb.decks.questions import Conversation, Question, for_each, yes_or_no
from kb.decks.report import Finding, Located
from kb.games.pathfinder.campaign.game_file import read_game, read_head
from kb.games.pathfinder.campaign.model import (
    HEAD,
    Feat,
    Head,
    Moment,
    Party,
    Person,
    Played,
    Stop,
    after,
    deck_of,
    left_over,
    stops_before,
)
from kb.games.pathfinder.campaign.rules import CAMPAIGNS
from kb.games.pathfinder.decks.adapter import check_deck
from kb.games.pathfinder.decks.deckfile import listed
from kb.games.pathfinder.decks.model import (
    ADVENTURES,
    FEAT_KINDS,
    SET_TITLES,
    SETS,
    Adventure,
    Card,
    Cards,
    Facts,
    FeatKind,
)
from kb.games.pathfinder.decks.ruleset import RULESETS, Subject
from kb.games.pathfinder.party.adapter import GAINED, KEPT, steps
from kb.games.pathfinder.party.checks import PARTIES, check_party
from kb.games.pathfinder.party.rebuild import rebuild_party
from kb.games.pathfinder.party.table import Member, Table
from kb.games.pathfinder.records import CARD_TYPES
from kb.plural import counted

NOT_CHECKED = (
    "whether the cards gained were met and won in the scenario, and whether a trader had drawn the card that was taken",
    "cards that a reward lets you draw by type: no source can tell which ones they were",
    "power feats against the boxes of the character, which the card facts do not hold",
)
TONES = {"skill": "combat", "power": "loot", "card": "tainted-grail"}


def begins(party: Party) -> Iterator[Change]:
    """Who begins."""
    for person in party.people:
        yield Change(person.name, f"begins with {counted(len(person.cards), 'card')}")


def changes(moment: Moment) -> Iterator[Change]:
    """What a game changed and why."""
    rule = f"pathfinder/{moment.set}/"
    played = moment.played
    for name in played.died:
        yield Change(name, "dies", f"{rule}dying")
    for person in moment.before.people:
        yield from gains(moment, person, rule)
    for card, number in Counter(played.rewards).items():
        yield Change("", f"the reward gives {tally([card.name] * number)}", f"{rule}rewards")
    for trader in played.gives.traders if played.won else ():
        yield Change(
            "", f"trader checked off: {trader}", f"{rule}bazaar" if SETS[moment.set].traders else f"{rule}rewards"
        )
    if moment.completed and moment.played.won and (played.adventure.deck, 0) not in moment.before.won:
        yield Change("", f"{played.adventure.name} is complete", f"{rule}completing-an-adventure")
    for name in played.left:
        yield Change(name, "leaves", f"{rule}starting-a-new-character")
    for name in played.joined:
        yield Change(name, "joins", f"{rule}{'starting-after-dying' if played.died else 'starting-a-new-character'}")
    for person in moment.after.people:
        yield from deck_changes(moment, person, rule)
        if missed := Counter(played.wishes.get(person.name, ())) - Counter(person.cards):
            yield Change(person.name, f"wished in vain for {names(missed.elements())}", f"{rule}rebuilding-your-deck")
    over = tally(card.name for card in left_over(moment)) if moment.known else ""
    if over:
        fate = "back into the box"
        if played.died and SETS[moment.set].dead_cards == "banished":
            fate = "what the dead held is banished; the rest goes back into the box"
        yield Change("", f"left over: {over} ({fate})", f"{rule}{'dying' if played.died else 'cards-from-the-box'}")


def gains(moment: Moment, person: Person, rule: str) -> Iterator[Change]:
    """What a character gained or lost in the game."""
    played, name = moment.played, person.name
    if cards := played.gained.get(name):
        yield Change(name, f"gains {names(cards)}")
    for key, piles in (("banishes", played.banished), ("removes from the game", played.removed)):
        if cards := piles.get(name):
            yield Change(name, f"{key} {names(cards)}", f"{rule}banish")
    for feat in played.feats.get(name, ()):
        yield Change(name, f"{feat.kind} feat: {feat.what}", f"{rule}feat-reward")
    if role := played.roles.get(name):
        yield Change(name, f"becomes {role}", f"{rule}role-cards")
    if visit := played.visits.get(name):
        traded = f", pays {names(visit.paid)} for {visit.took.name}" if visit.took else ""
        yield Change(name, f"visits {visit.trader}{traded}", f"{rule}traders")


def deck_changes(moment: Moment, person: Person, rule: str) -> Iterator[Change]:
    """What came into a deck, and from where; what left it."""
    old = moment.before.person(person.name)
    if old is None or person.name not in moment.played.decks:
        return
    played = moment.played
    visit = played.visits.get(person.name)
    had = Counter(old.cards) - Counter(visit.paid if visit else ())
    for piles in (played.banished, played.removed):
        had -= Counter(piles.get(person.name, ()))
    came, went = Counter(person.cards) - had, had - Counter(person.cards)
    boxed = came & Counter(played.decks[person.name].from_box)
    if plain := came - boxed:
        yield Change(person.name, f"takes {names(plain.elements())}", f"{rule}rebuilding-your-deck")
    if boxed:
        yield Change(person.name, f"from the box: {names(boxed.elements())}", f"{rule}cards-from-the-box")
    if went:
        yield Change(person.name, f"gives up {names(went.elements())}", f"{rule}rebuilding-your-deck")


def names(cards: Sequence[Card] | Iterator[Card]) -> str:
    """Cards with their number of copies."""
    return tally(card.name for card in cards)


def decks_now(party: Party, facts: Facts) -> Iterator[DeckNow]:
    """The decks of a party, by type."""
    for person in party.people:
        feats = Counter(f"{feat.kind} {feat.what}" for feat in person.feats)
        told = ", ".join(f"{what}{f' x{number}' if number > 1 else ''}" for what, number in feats.items())
        heading = f"{person.name}{f', {person.role}' if person.role else ''}{f' ({told})' if told else ''}"
        piles = []
        for kind in (*CARD_TYPES, None):
            cards = Counter(card for card in person.cards if card.type == kind)
            if cards:
                lines = tuple(Line(card.name, number, card.deck or "") for card, number in sorted(
                    cards.items(), key=lambda each: each[0].name))  # fmt: skip
                piles.append((kind or "type unknown", lines))
        yield DeckNow(person.name, heading, tuple(piles))


def facts_of(head: Head, party: Party, facts: Facts) -> Iterator[tuple[str, str]]:
    """Labels and values below the campaign's name."""
    main, every = path(head, facts), facts.adventures.get(head.set, ())
    won = f"{sum(won_of(each, party) for each in main)} of {sum(len(each.scenarios) for each in main)}"
    beside = [f"{number} of {each.name}" for each in every if each not in main and (number := won_of(each, party))]
    for label, value in (
        ("Set", SET_TITLES[head.set]),
        ("Players", ", ".join(person.name for person in party.people) or "none"),
        ("Scenarios won", f"{won} of the adventure path, {both(beside)}" if beside else won),
        ("Dead", ", ".join(party.dead)),
        ("Traders", ", ".join(sorted(party.traders))),
        ("Removed from the game", names(party.removed)),
    ):
        if value:
            yield label, value


def path(head: Head, facts: Facts) -> list[Adventure]:
    """The adventures of the path, in order."""
    return [each for each in facts.adventures.get(head.set, ()) if each.path]


def won_of(adventure: Adventure, party: Party) -> int:
    """How many scenarios of an adventure are won."""
    return sum((adventure.deck, number) in party.won for number in range(1, len(adventure.scenarios) + 1))


def next_game(head: Head, party: Party, facts: Facts) -> dict[str, str]:
    """What is known of the next game: the first scenario of the path that is not won."""
    for adventure in path(head, facts):
        if ADVENTURES.index(adventure.deck) < ADVENTURES.index(head.starts):
            continue
        for number, gives in enumerate(adventure.scenarios, 1):
            if (adventure.deck, number) not in party.won:
                return {"scenario": f'"{gives.name}"'}
    return {}


def tallies(head: Head, parties: Sequence[Party], steps: Sequence[Step], facts: Facts) -> tuple[Tally, ...]:
    """Scenarios won by adventure, and feats by character."""
    party = parties[-1]
    won = [
        Row(f"Adventure {each.deck}", ((won_of(each, party), "pathfinder", "won"),))
        for each in facts.adventures.get(head.set, ())
        if each.path or won_of(each, party)
    ]
    feats = [
        Row(person.name, tuple((person.count(kind), TONES[kind], f"{kind} feats") for kind in FEAT_KINDS))
        for person in party.people
    ]
    return Tally("Scenarios", tuple(won)), Tally("Feats", tuple(feats))


def asked(head: Head, party: Party, facts: Facts) -> Conversation:
    """The questions about the next game of a party."""
    stops = facts.scenarios(head.set)
    follow = [
        name for name, (adventure, number) in stops.items() if may_follow(head, party, facts, (adventure.deck, number))
    ]
    follow.sort(key=lambda name: not stops[name][0].path)
    fresh = [name for name in follow if (stops[name][0].deck, stops[name][1]) not in party.won]
    words = f"Which scenario? (next: {either(fresh[:3]) or 'none is left'})"
    (name,) = yield Question(
        words,
        [*fresh, *(each for each in follow if each not in fresh)],
        needed=True,
        default="".join(fresh[:1]),
        key="scenario",
    )
    adventure, number = stops[name]
    values: dict[str, Any] = {"scenario": name}
    (values["won"],) = yield yes_or_no("Was it won?", key="won")
    people = [person.name for person in party.people]
    there = yield from some_of(people, Question("Who played?", default=", ".join(people)))
    values["absent"] = [each for each in people if each not in there]
    values["died"] = yield from some_of(there, Question("Who died?", key="died"))
    free = [each.name for each in characters(head, facts) if each.name not in people]
    words = SUCCESSORS if values["died"] else "Who begins, or comes back, for the next game?"
    values["joined"] = yield from some_of(free, Question(words, key="joined"))
    deck = ADVENTURES.index(adventure.deck)
    known = [card.name for card in facts.of_set(head.set) if card.number is None or card.number <= deck]
    cards = Question(choices=known, many=True, copies=True)
    values["gained"] = yield from for_each(
        there,
        "Which boons did {} gain, and not lose again?",
        replace(cards, key="gained", note=GAINED, cite=KEPT.format(head.set)),
    )
    values["banished"] = yield from for_each(there, "Which cards of {} were banished?", replace(cards, key="banished"))
    if values["won"] == "yes":
        values |= yield from rewards(head, party, facts, adventure, number, values)
        traders = sorted(party.traders.union(adventure.scenarios[number - 1].traders))
        values["traders"] = yield from trades(party, facts, head.set, deck, traders, values)
    wish = Question(choices=[card.name for card in facts.of_set(head.set)], many=True, key="wishes")
    living = [each for each in there if each not in values["died"]]
    values["wishes"] = yield from for_each(living, "Which cards of the table would {} like to have?", wish)
    values["left"] = yield from some_of(living, Question("Who leaves the party?", key="left"))
    return values


def some_of(people: Sequence[str], question: Question) -> Generator[Question, list[str], list[str]]:
    """Some of these people; where there are none, nobody is asked for (any text would do as an answer)."""
    return (yield replace(question, choices=people, many=True)) if people else []


def may_follow(head: Head, party: Party, facts: Facts, stop: Stop) -> bool:
    """Whether all scenarios before one are won, so that it may be played."""
    if stop[0] != "B" and ADVENTURES.index(stop[0]) < ADVENTURES.index(head.starts):
        return False
    return all(each in party.won for each, _ in stops_before(facts, head.set, stop, head.starts))


def characters(head: Head, facts: Facts) -> Iterator[Any]:
    """The characters of the set."""
    return (each for (owner, _), each in facts.characters.items() if owner == head.set)


def rewards(
    head: Head, party: Party, facts: Facts, adventure: Adventure, number: int, said: dict[str, Any]
) -> Conversation:
    """What the reward gave: its cards, and the feats and role of each who is there."""
    played = Played((adventure, number), True, died=tuple(said["died"]), absent=tuple(said["absent"]))
    moment = Moment(party, played, after(party, played, facts, head.set), True, facts, head)
    known = [card.name for card in facts.of_set(head.set)]
    gives = {each.name: each for person in moment.present for each in moment.rewards(person)}.values()
    loot = [name for each in gives if each.said is not None for name in each.loot]
    told = "; ".join(each.said for each in gives if each.said)
    words = f"Which cards did the reward give? ({told or 'no source tells the reward'})"
    cards = yield Question(
        words,
        known,
        many=True,
        copies=True,
        default=", ".join(loot),
        key="rewards",
        note=GAINED,
        cite=KEPT.format(head.set),
    )
    feats: dict[str, Any] = {}
    roles: dict[str, str] = {}
    for person in moment.present:
        here = list(moment.rewards(person))
        for kind in FEAT_KINDS:
            for _ in range(sum(each.feats.get(kind, 0) for each in here if each.said is not None)):
                if chosen := (
                    yield Question(
                        f"{person.name}: what is the {kind} feat spent on?", open_boxes(person, kind), key="feats"
                    )
                ):
                    feats.setdefault(person.name, {}).setdefault(kind, []).append(chosen[0])
                    person = replace(person, feats=(*person.feats, Feat(kind, chosen[0])))
        if any(each.role for each in here) and not person.role:
            side = yield Question(f"{person.name}: which side of the role card?", person.character.roles, key="role")
            roles.update((person.name, name) for name in side)
    return {"rewards": cards, "feats": feats, "role": roles}


def trades(
    party: Party, facts: Facts, set_id: str, scenario: int, there: Sequence[str], said: dict[str, Any]
) -> Conversation:
    """Who of the living visited which of the traders that are checked off, what she took there and what for."""
    found: dict[str, Any] = {}
    for person in party.people if there else ():
        if person.name in (*said["absent"], *said["died"]):
            continue
        if not (named := (yield Question(f"Which trader did {person.name} visit?", there, key="traders"))):
            continue
        found[person.name] = {"trader": named[0]}
        trader = facts.traders(set_id).get(named[0])
        offered = [card.name for card in facts.of_set(set_id) if trader is None or trader.may_have(card, scenario)]
        price = f" (it costs {counted(trader.cost, 'boon')})" if trader else ""
        if took := (yield Question(f"{person.name}: which card from {named[0]}?{price}", offered, key="took")):
            gained = (split_quantity(each)[1] for cards in said["gained"].values() for each in cards)
            boons = list(dict.fromkeys([*(card.name for card in party.held()), *gained]))
            words = f"{person.name}: what was paid to {named[0]}?"
            found[person.name] |= {
                "took": took[0],
                "paid": (yield Question(words, boons, many=True, copies=True, key="paid")),
            }
    return found


def open_boxes(person: Person, kind: FeatKind) -> list[str]:
    """What a feat may be spent on; empty where any text will do."""
    taken = [feat.what for feat in person.feats if feat.kind == kind]
    if kind == "card":
        lines = person.character.cards_list
        boxes = {each: (lines[each].maximum or 99) - lines[each].base for each in CARD_TYPES}
    else:
        boxes = dict(person.character.skill_feat_boxes or {}) if kind == "skill" else {}
    return [what for what, number in boxes.items() if taken.count(what) < number]


# What a recorded game knows better than a single deck: it counts the rewards that were gained, and the cards of the whole table.
KNOWN_BETTER = (
    "earned-feats", "role-is-earned", "loot-is-earned", "loot-over-all-decks", "box-fills-holes-only",
    "what-is-given-is-received",
)  # fmt: skip


# Keys that fixes may name: those of the files, and of a deck below `decks:`.
HEAD_NAMES = frozenset({"cards", "from_box", *(key.name for key in (*HEAD_KEYS, *HEAD))})
GAME_NAMES = frozenset({"cards", "from_box", *(key.name for key in (*described(Played).values(), *GAME_KEYS))})


def between(head: Head, before: Party, played: Played, facts: Facts, known: bool) -> Moment:
    """A game with the party after it."""
    return Moment(before, played, after(before, played, facts, head.set), known, facts, head)


def first_findings(head: Head, facts: Facts) -> Iterator[Located]:
    """What the rules say of the decks that the characters bring along."""
    decks = [
        deck_of(person, head.starts, head.owns, after_scenario=0, from_box=None if person.new else ())
        for person in head.begins.people
    ]  # fmt: skip
    for deck in decks:
        at = line_in(head.lines, f"decks {deck.character.name}")
        found = check_deck(deck, facts, "").findings
        yield from of_decks(found, deck.character.name, head.lines, at, HEAD_NAMES, known_better=())
    if decks:
        at = line_in(head.lines, "decks")
        yield from of_decks(check_party(decks, facts), "", head.lines, at, HEAD_NAMES, known_better=())


def findings(head: Head, moment: Moment, facts: Facts) -> Iterator[Located]:
    """What the rules say of a game, and of the decks after it."""
    yield from run(CAMPAIGNS[head.set], moment)
    played = moment.played
    decks = [moment.deck(person) for person in moment.after.people]
    for deck in decks:
        name = deck.character.name
        at = played.line(f"decks {name}", f"feats {name}", "decks", "scenario")
        found = (
            each for each in check_deck(deck, facts, "").findings
            if moment.known or each.family in ("pool", "copies", "access")
        )  # fmt: skip
        yield from of_decks(found, name, played.lines, at, GAME_NAMES)
    for key, cards in (("gained", tuple(chain(*played.gained.values()))), ("rewards", played.rewards)):
        yield from too_early(moment, cards, played.line(key))
    if decks:
        first = replace(decks[0], left_over=left_over(moment) if moment.known else ())
        together = check_party([first, *decks[1:]], facts, moment.after.removed)
        yield from of_decks(together, "", played.lines, played.line("decks", "scenario"), GAME_NAMES)


def decks_after(moment: Moment) -> tuple[dict[str, Any], tuple[Rebuilding, ...]]:
    """The rebuilt decks of a game as its file lists them, by character, and the steps that lead there; decks that did not change are left
    out."""
    table = table_of(moment)
    if not table.members:
        return {}, ()
    rebuilt = rebuild_party(table, moment.facts, fill=True)
    found: dict[str, Any] = {}
    for member in table.members:
        cards, chosen = rebuilt.members[member.name].cards, rebuilt.members[member.name].chosen or ()
        before = moment.before.person(member.name)
        if member.newcomer:
            found[member.name] = listed(cards)
        elif chosen:
            found[member.name] = {"cards": listed(cards), "from_box": listed(chosen)}
        elif before is None or Counter(cards) != Counter(before.cards):
            found[member.name] = listed(cards)
    return found, tuple(steps(table, rebuilt))


def table_of(moment: Moment) -> Table:
    """The table between the game and the next, with all that everybody holds."""
    played = moment.played
    lost = Counter(
        card for piles in (played.banished, played.removed) for card in piles.get("", ())
    )  # said of the table: whoever holds it
    for name, visit in played.visits.items():  # boons are traded before they are paid
        payer = moment.before.person(name)
        lost += Counter(visit.paid) - Counter(payer.cards if payer else ()) - Counter(played.gained.get(name, ()))
    members = []
    for person in moment.after.people:
        newcomer = person.new and name_key(person.name) in map(name_key, played.joined)
        cards = () if newcomer else holds(moment, person, lost)
        deck = deck_of(
            replace(person, cards=cards), played.adventure.deck, moment.head.owns, after_scenario=moment.won_in_a_row()
        )
        members.append(
            Member(
                replace(deck, after_death=person.name in moment.successors() if newcomer else None), played.wishes.get(person.name, ()),
                newcomer, tuple((Counter(played.keep.get(person.name, ())) & Counter(cards)).elements()),
                played.refuses.get(person.name, ()),
            )
        )  # fmt: skip
    dead = [
        (person.name, holds(moment, person, lost))
        for person in moment.before.people
        if name_key(person.name) in map(name_key, played.died)
    ]
    return Table(
        set=moment.set,
        adventure=played.adventure.deck,
        members=tuple(members),
        rewards=(*played.rewards, *played.gained.get("", ())),
        dead=tuple(dead),
        owns=moment.head.owns,
        removed=moment.after.removed,
    )


def holds(moment: Moment, person: Person, lost: Counter[Card]) -> Cards:
    """What a character holds after the game, before anything is rebuilt; what the table lost is taken off `lost`."""
    played = moment.played
    old = moment.before.person(person.name)
    held = Counter(old.cards if old else person.cards) + Counter(played.gained.get(person.name, ()))
    if visit := played.visits.get(person.name):
        held = held - Counter(visit.paid) + Counter([visit.took] if visit.took else [])
    for piles in (played.banished, played.removed):
        held -= Counter(piles.get(person.name, ()))
    shared = held & lost
    lost -= shared
    return tuple((held - shared).elements())


def too_early(moment: Moment, cards: Cards, at: int) -> Iterator[Located]:
    """Cards that were gained although their adventure deck is not in the box yet, or that are of another box."""
    if not cards or not moment.after.people:
        return
    pile = replace(moment.deck(moment.after.people[0]), stage="rebuilt", cards=cards, from_box=())
    pools = (each for each in RULESETS[moment.set].run(Subject(pile, moment.facts)) if each.family == "pool")
    mended = (replace(each, fix="Take it out of `gained` and `rewards`, or correct `scenario:`.") for each in pools)
    yield from of_decks(mended, "", moment.played.lines, at, known_better=())


def of_decks(
    found: Iterable[Finding],
    who: str,
    lines: Mapping[str, int],
    at: int,
    keys: frozenset[str] = frozenset(),
    known_better: tuple[str, ...] = KNOWN_BETTER,
) -> Iterator[Located]:
    """Findings of deck checks, at the lines of the first cards that they name, else at `at`."""
    return placed(
        found,
        who,
        lambda finding: next((lines[key] for key in map(name_key, finding.cards) if key in lines), at),
        known_better,
        keys,
    )


campaigns = Campaigns(
    game="pathfinder",
    head=HEAD,
    record=Played,
    rules={f"{set_id}-campaign": ruleset for set_id, ruleset in CAMPAIGNS.items()},
    rule_count=lambda head: sum(len(each[head.set].checks) for each in (CAMPAIGNS, RULESETS, PARTIES)),
    not_checked=NOT_CHECKED,
    read_head=read_head,
    read_game=read_game,
    between=between,
    named=lambda played, page: (played.gives.name, "won" if played.won else "lost"),
    begins=begins,
    changes=changes,
    first_findings=first_findings,
    findings=findings,
    decks=decks_now,
    facts_of=facts_of,
    tallies=tallies,
    next_game=next_game,
    questions=asked,
    rebuilt=decks_after,
    adds_up=True,
)
