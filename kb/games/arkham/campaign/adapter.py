"""Arkham Horror campaigns as the framework replays and records them, with the engine of upgrades and the rules of decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kb.campaigns.conversation import successors
from kb.campaigns.model import Change, DeckNow, Line, Row, Tally
from kb.campaigns.replay import Campaigns, placed, recorded_changes, run
from kb.campaigns.table import members, strangers
from kb.decks.names import both, counted_names, name_key
from kb.decks.problems import Problem, Problems
from kb.decks.questions import Conversation, Question, for_each, single, yes_or_no
from kb.decks.report import Located
from kb.decks.ruleset import Ruleset
from kb.games.arkham.campaign.model import (
    CORE_CAMPAIGN,
    HEAD,
    SOMETHING,
    TRAUMA_BY,
    ArkhamReader,
    Group,
    Head,
    Moment,
    Person,
    Played,
    after,
)
from kb.games.arkham.campaign.model import TRAUMA as KINDS
from kb.games.arkham.decks.adapter import SECTIONS, check_deck
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.frame import CAMPAIGN as PLAIN
from kb.games.arkham.decks.frame import Edition, edition_of_all
from kb.games.arkham.decks.model import Card, Deck
from kb.games.arkham.decks.party import PARTY, check_party
from kb.games.arkham.decks.profile import Kind, profile_of
from kb.games.arkham.decks.tally import ARKHAM
from kb.games.arkham.decks.upgrade import checks as step_rules
from kb.games.arkham.decks.upgrade.plan import UPGRADE
from kb.games.arkham.schema.cards import BASIC_WEAKNESS as BASIC
from kb.games.arkham.upgrades import DECK_BEFORE_IS_LEGAL

SUFFERED = "Who is defeated by damage suffers 1 physical trauma, by horror 1 mental trauma."
NUMBER = Question(number=True, default="0")


def questions(head: Head, state: Group, facts: Facts, free: Collection[str]) -> Conversation:
    """What is asked when the next game is recorded."""
    people = [person.name for person in state.people]
    (scenario,) = yield Question("Which scenario?", needed=True, default=coming(head, state, facts), key="scenario")
    values: dict[str, Any] = {"scenario": scenario}
    values["resolution"] = "".join((yield Question("How did it end? (such as R1)", key="resolution")))
    if (yield yes_or_no("Was it a side story?", "no", "side_story")) == ["yes"]:
        values["side_story"] = "yes"
        values["cost"] = "".join((yield Question("How much experience did each pay for it?", number=True, key="cost")))
    there = yield Question("Who played?", people, many=True, default=", ".join(people))
    values["experience"] = single(
        (yield from for_each(there, "How much experience did {} earn?", replace(NUMBER, key="experience")))
    )
    values |= yield from harm(there)
    values["killed"] = yield Question("Who was killed?", there, many=True, key="killed")
    values["insane"] = yield Question("Who was driven insane?", there, many=True, key="insane")
    values["joined"] = yield from successors(free, [*values["killed"], *values["insane"]])
    given = Question(choices=given_names(facts), many=True, copies=True, key="earned")
    values["earned"] = yield from for_each(there, "Which story cards and weaknesses did {} earn?", given)
    for key, words in (("lost", "did {} lose to the campaign"), ("exiled", "did {} exile")):
        values[key] = {}
        for person in state.people:
            if person.name in there:
                codes = (*person.held.deck.cards, *person.owed)
                held = Question(choices=labels(map(facts.card, codes)), many=True, copies=True, key=key)
                values[key] |= yield from for_each([person.name], f"Which cards {words}?", held)
    values["log"] = yield Question("What was written into the campaign log?", many=True, lines=True)
    values["left"] = yield Question("Who does not go on?", people, many=True, key="left")
    return values


def harm(there: Sequence[str]) -> Conversation:
    """Who was defeated and how, and the trauma suffered: by damage 1 physical, by horror 1 mental, unless something says otherwise."""
    defeated = yield Question("Who was defeated?", there, many=True, key="defeated")
    ways = Question(choices=(*TRAUMA_BY, SOMETHING), needed=True, default=SOMETHING, key="defeated")
    how = single((yield from for_each(defeated, "{} was defeated by", ways)))
    by = {name: TRAUMA_BY[way] for name, way in how.items() if way in TRAUMA_BY}
    words = "Who suffered trauma, physical or mental?"
    hurt = yield Question(
        words, there, many=True, default="; ".join(by), key="trauma", cite="arkham/glossary/trauma", note=SUFFERED
    )
    trauma: dict[str, dict[str, str]] = {}
    for name in hurt:
        for kind in KINDS:
            default = "1" if by.get(name) == kind else "0"
            number = yield Question(f"{name}: {kind} trauma", number=True, default=default, key="trauma")
            if number != ["0"]:
                trauma.setdefault(name, {})[kind] = number[0]
    return {"defeated": how, "trauma": trauma}


def labels(cards: Iterable[Card | None]) -> tuple[str, ...]:
    """What cards are called when they are chosen, each once."""
    return tuple(dict.fromkeys(card.label.removesuffix(f" [{card.code}]") for card in cards if card))


def given_names(facts: Facts) -> tuple[str, ...]:
    """The cards that a campaign gives: story cards and weaknesses."""
    cards = (card for code in facts.codes() if facts.root(code) == code and (card := facts.card(code)))
    return tuple(
        sorted(labels(card for card in cards if card.type != "investigator" and (card.story or card.weakness)))
    )


def coming(head: Head, group: Group, facts: Facts) -> str:
    """The scenario of the campaign that is listed after the last one played; empty where there is none."""
    own = [(key, name) for key, (name, cycle) in facts.scenarios.items() if cycle and cycle == head.cycle]
    played = {name_key(name) for name in group.played}
    last = max((place for place, (key, _) in enumerate(own) if key in played), default=-1)
    return next((name for _, name in own[last + 1 :]), "")


def choices(facts: Facts) -> dict[str, tuple[str, ...]]:
    """The campaigns, in the order of their products, and the taboo lists, the newest first."""
    played = [
        each
        for code, each in facts.cycles.items()
        if each.expansion and any(code == of for _, of in facts.scenarios.values())
    ]
    return {
        "campaign": (CORE_CAMPAIGN, *(each.name for each in sorted(played, key=lambda each: each.position))),
        "taboo": tuple(map(str, reversed(facts.taboos))),
    }


CAMPAIGN = Ruleset[Moment]("arkham", "Arkham Horror: The Card Game, a campaign")


@CAMPAIGN.check("arkham/glossary/advancing-to-next-scenario", severity="warning", family="campaign")
def scenario_of_the_campaign(moment: Moment) -> Problems:
    """The scenario is one of the campaign's own, or is recorded as a side story. Names that are unknown are not judged."""
    _, cycle = moment.facts.scenarios.get(name_key(moment.played.scenario), ("", ""))
    own = moment.head.cycle
    if own and cycle and cycle not in (own, "return") and not moment.played.side_story:
        name = moment.facts.cycles[cycle].name if cycle in moment.facts.cycles else cycle
        yield Problem(
            f"{moment.played.scenario} is not a scenario of {moment.facts.cycles[own].name} ({name}).",
            "Write `side_story: yes` with its `cost:`, or correct the name.",
            at="scenario",
        )


@CAMPAIGN.check("arkham/glossary/experience", family="experience")
def cost_of_a_side_story(moment: Moment) -> Problems:
    """Experience that a side story costs is there to be spent before it is played."""
    played = moment.played
    cost = played.cost or 0
    if cost and not played.side_story:
        yield Problem(f"{played.scenario} costs {cost} experience, but is not recorded as a side story.",
                   "Take `cost` out, or write `side_story: yes` if it is one.", at="cost")  # fmt: skip
    for person in moment.before.people if moment.known else ():
        if cost > person.unspent:
            yield Problem(
                f"{person.name} has {person.unspent} experience left; {played.scenario} costs {cost}.",
                "Play it later, or correct `experience:` of the games before.",
                at="cost",
            )


@CAMPAIGN.check("arkham/glossary/experience", family="experience")
def only_players_earn(moment: Moment) -> Problems:
    """Experience, trauma, cards and the end of a game are for those who played it."""
    keys = ("experience", "trauma", "defeated", "earned", "lost", "exiled", "killed", "insane", "left")
    return strangers(moment.played, keys, moment.before.names) if moment.known else iter(())


@CAMPAIGN.check("arkham/glossary/experience", family="experience")
def some_never_earn(moment: Moment) -> Problems:
    """No experience is earned with a card in the deck that forbids it, whether the deck changes after the game or not."""
    for person in moment.before.people:
        earned = moment.played.experience.get(person.name)
        for card, _ in moment.facts.held(person.held.deck.cards):
            if earned and card.special.buying.earns_nothing:
                yield Problem(
                    f"With {card.label} {person.name} can earn no experience, but {earned} is recorded.",
                    f"Take {person.name} out of `experience`; `{{NAME: number}}` there says what the others earned.",
                    (card.label,),
                    at=(f"experience {person.name}", "experience"),
                )


@CAMPAIGN.check("arkham/glossary/killed-insane-investigators", family="campaign")
def end_of_the_defeated(moment: Moment) -> Problems:
    """Who is defeated with a card that then kills, or takes the investigator's place, does not go on as before."""
    played = moment.played
    for person in moment.before.people:
        name, deck = person.name, person.held.deck
        if name not in played.defeated or name in (*played.killed, *played.insane):
            continue
        after = moment.after.person(name) or person
        for card, _ in moment.facts.held({**deck.cards, deck.transformed: 1}):
            ends, at = card.special.defeated, f"defeated {name}"
            if ends == "killed":
                certain = played.experience.get(name) or not card.special.buying.earns
                yield Problem(
                    f"{name} was defeated with {card.label}: then the investigator is killed.",
                    f"Write `killed: [{name}]`{'' if certain else ', unless nobody earned experience in the resolution'}.",
                    (card.label,),
                    "error" if certain else "warning",
                    at=at,
                )
            elif ends == "replaced" and after.held.deck.transformed != card.back:
                yield Problem(
                    f"{name} was defeated with {card.label}: its other side takes the investigator's place for the rest of the campaign.",
                    f"Give the deck of {name} after the game `transformed: {card.back}`.",
                    (card.label,),
                    "warning",
                    at=at,
                )


@CAMPAIGN.check("arkham/glossary/trauma", severity="warning", family="campaign")
def trauma_of_the_defeated(moment: Moment) -> Problems:
    """Who is defeated by damage suffers 1 physical trauma, by horror 1 mental trauma."""
    for name, way in moment.played.defeated.items():
        kind = TRAUMA_BY.get(way)
        suffered = moment.played.trauma.get(name, {})
        if kind and not suffered.get(kind):
            yield Problem(
                f"{name} was defeated by {way}; the {kind} trauma of it is not recorded.",
                f"Write `trauma: {{{name}: {{{kind}: 1}}}}`, unless something prevented it.",
                at=f"defeated {name}",
            )


@CAMPAIGN.check("arkham/glossary/trauma", "arkham/glossary/killed-insane-investigators", family="campaign")
def killed_by_trauma(moment: Moment) -> Problems:
    """As much physical trauma as printed health kills, as much mental trauma as printed sanity drives insane."""
    for person in (*moment.after.people, *moment.after.away):
        if person.name not in moment.played.trauma and person.name not in moment.after.steps:
            continue
        for kind, suffered, printed, key in (
            ("physical", person.trauma["physical"], person.card.health, "killed"),
            ("mental", person.trauma["mental"], person.card.sanity, "insane"),
        ):
            if printed and suffered >= printed:
                yield Problem(
                    f"{person.name} has {suffered} {kind} trauma and {printed} printed "
                    f"{'health' if kind == 'physical' else 'sanity'}: that is the end of the investigator.",
                    f"Write `{key}: [{person.name}]`.",
                    at=(f"trauma {person.name}", f"decks {person.name}"),
                )


@CAMPAIGN.check(
    "arkham/glossary/killed-insane-investigators", "arkham/glossary/joining-or-leaving-a-campaign", family="campaign"
)
def who_is_at_the_table(moment: Moment) -> Problems:
    """Nobody who was killed or driven insane is used again, and a new investigator was not used before in the campaign."""
    played = moment.played
    stayed = moment.before.names - {*played.left} if moment.known else ()
    out = [person.name for person in moment.after.out]
    yield from members(played.joined, played.decks if moment.known else (), stayed, moment.after.names, out)


@CAMPAIGN.check(
    "arkham/glossary/story-assets", "arkham/glossary/weakness", "arkham/glossary/basic-weakness", family="campaign"
)
def cards_without_a_purchase(moment: Moment) -> Problems:
    """Story cards and weaknesses come into a deck only when the campaign gives them."""
    for person, old, new in decks_before_and_after(moment):
        given = Counter(moment.facts.root(code) for code in (*person.owed, *moment.played.earned.get(person.name, ())))
        came = given_by_the_campaign(moment, new) - given_by_the_campaign(moment, old)
        waiting = hidden(moment, old) - hidden(moment, new)
        for root, copies in (came - given).items():
            card = moment.facts.card(root)
            if card is None or (card.subtype == BASIC and waiting >= copies):
                continue
            yield Problem(
                f"{card.label} came into the deck of {person.name}; nothing says that it was earned.",
                f"Write `earned: {{{person.name}: [{card.name}]}}`, or take it out.",
                (card.label,),
                at=f"decks {person.name}",
            )


@CAMPAIGN.check("arkham/rulings/1-36", "arkham/glossary/story-assets", severity="warning", family="campaign")
def earned_cards_are_there(moment: Moment) -> Problems:
    """A card that the campaign adds to a deck is in it, unless it only may be added."""
    for person, _, new in decks_before_and_after(moment):
        there = {moment.facts.root(code) for code, copies in new.cards.items() if copies > 0}
        for code in (*person.owed, *moment.played.earned.get(person.name, ())):
            card = moment.facts.card(code)
            if card is not None and card.root not in there:
                yield Problem(
                    f"{person.name} earned {card.label}; the deck after the game does not hold it.",
                    "Add it, unless the guide says that you may.",
                    (card.label,),
                    at=(f"earned {person.name}", f"decks {person.name}"),
                )


def decks_before_and_after(moment: Moment) -> Iterator[tuple[Person, Deck, Deck]]:
    """The investigators whose decks were recorded with the game."""
    for person in moment.before.people:
        held = moment.played.decks.get(person.name)
        if held is not None and moment.after.person(person.name) is not None:
            yield person, person.held.deck, held.deck


def given_by_the_campaign(moment: Moment, deck: Deck) -> Counter[str]:
    """Copies of story cards and weaknesses of a deck, by first printing."""
    profile = profile_of(moment.facts, deck)
    copies_of: Counter[str] = Counter()
    for code, copies in deck.cards.items():
        entry = profile.status(code)
        if (
            copies > 0
            and entry.card
            and not entry.card.hidden
            and entry.kind in (Kind.STORY, Kind.WEAKNESS, Kind.BASIC)
        ):
            copies_of[entry.card.root] += copies
    return copies_of


def hidden(moment: Moment, deck: Deck) -> int:
    """Random basic weaknesses that are still to be drawn."""
    return sum(copies for code, copies in deck.cards.items() if (card := moment.facts.card(code)) and card.hidden)


@CAMPAIGN.check("arkham/taboo", severity="warning", family="campaign")
def one_taboo_list(moment: Moment) -> Problems:
    """Every deck of the campaign is built with the taboo list that the group agreed on."""
    wanted = moment.head.taboo
    other = [name for name, held in moment.played.decks.items() if wanted is not None and held.deck.taboo != wanted]
    if other:
        yield Problem(f"{both(other)}: built with a taboo list other than {wanted or 'none'}.",
                   "Build the deck with the list of the campaign, or change `taboo:`.", at="decks")  # fmt: skip


NOT_CHECKED = (
    "what a resolution gives and where it leads: no source here holds the campaign guides",
    "what a side story costs: it is taken as it is told",
)


def changes(moment: Moment) -> Iterator[Change]:
    """What a game changed and why, by the edition of the decks."""
    by, names = edition_of(moment), [person.name for person in moment.before.people]

    def in_words(value: Any) -> str:
        if isinstance(value, Mapping):
            return both(f"{number} {kind}" for kind, number in value.items() if number)
        known = [moment.facts.card(each) for each in value] if isinstance(value, tuple) else []
        return counted_names(card.name for card in known if card) or ", ".join(value) if known else str(value)

    def entry(name: str) -> str:
        return by.entries([f"arkham/glossary/{name}"])[0]

    yield from recorded_changes(moment.played, dict.fromkeys((*names, *moment.played.joined)), in_words, entry)
    for name, step in moment.after.steps.items():
        for line in step.lines:
            yield Change(name, line.text.rstrip("."), by.entries(line.cites[:1])[0] if line.cites else "")
        for finding in step.findings:
            if finding.by(step_rules.trauma_of_purchases):
                yield Change(name, finding.message, by.entries(finding.cites)[0])
        if left := moment.after.person(name):
            yield Change(name, f"{step.cost} experience spent, {left.unspent} left", entry("experience"))


def stands(person: Person) -> Iterator[str]:
    """Experience left and trauma of an investigator."""
    if person.unspent:
        yield f"{person.unspent} experience left"
    for kind in (*KINDS, "either"):
        if number := person.trauma[kind]:
            yield f"{number} {kind if kind in KINDS else 'physical or mental'} trauma"


def decks_now(group: Group, facts: Facts) -> Iterator[DeckNow]:
    """The decks of a group by type of card."""
    for person in group.people:
        piles: dict[str, list[Line]] = {section: [] for section in SECTIONS}
        for card, _, copies in facts.in_order(person.held.deck.cards):
            if copies > 0 and card is not None:
                level = f" ({card.level})" if card.level else ""
                line = Line(f"{card.name}{level}", copies, " ".join(sorted(card.classes)))
                piles.setdefault(card.section, []).append(line)
        heading = person.card.name + (f" ({where_it_stands})" if (where_it_stands := ", ".join(stands(person))) else "")
        yield DeckNow(person.name, heading, {section: lines for section, lines in piles.items() if lines})


def facts_of(head: Head, group: Group, facts: Facts) -> Iterable[tuple[str, str]]:
    """Labels and values below the campaign's name."""
    cycle, taboo = facts.cycles.get(head.cycle), head.taboo
    return (
        ("Campaign", cycle.name if cycle else ""),
        ("Difficulty", head.difficulty),
        ("Investigators", called(group.people) or "none"),
        ("Taboo list", "" if taboo is None else str(taboo or "none")),
        ("Killed or insane", called(group.out)),
        ("Away", called(group.away)),
    )


def called(people: Sequence[Person]) -> str:
    """The names of investigators."""
    return ", ".join(person.card.name for person in people)


def tallies(head: Head, groups: Sequence[Group], facts: Facts) -> tuple[Tally, ...]:
    """Experience in the decks and trauma, by investigator, as they are now."""
    last = groups[-1]
    trauma = [
        Row(
            person.name,
            ((person.trauma["physical"], "combat", "physical"), (person.trauma["mental"], "diplomacy", "mental")),
        )
        for person in (*last.people, *last.away, *last.out)
    ]
    left = [Row(person.name, ((person.unspent, "resource", ""),)) for person in last.people]
    return (
        Tally("Trauma", tuple(trauma)),
        Tally("Experience left", tuple(left)),
    )


# What the log of a campaign knows better than two decks do.
KNOWN_BETTER = (
    DECK_BEFORE_IS_LEGAL,
    step_rules.given_by_the_campaign,
    step_rules.no_more_experience,
    step_rules.trauma_of_purchases,
)
MAY_BE_LOST = (step_rules.weaknesses_stay, step_rules.permanents_stay, step_rules.signatures_stay)


def first_findings(head: Head, facts: Facts) -> Iterator[Located]:
    """What the rules say of the decks with which the campaign begins."""
    begins = Played(decks={person.name: person.held for person in head.begins.people}, lines=head.lines)
    return deck_findings(Moment(head, Group(), begins, head.begins, True, facts))


def findings(moment: Moment) -> Iterator[Located]:
    """What the rules say of a game, and of the decks after it."""
    by = edition_of(moment)
    for each in run(CAMPAIGN, moment):
        yield replace(each, finding=next(by.restated([each.finding])))
    yield from deck_findings(moment)


def edition_of(moment: Moment) -> Edition:
    """The edition of the rules by which a group plays."""
    return edition_of_all(person.held.deck.rules for person in (*moment.before.people, *moment.after.people))


def deck_findings(moment: Moment) -> Iterator[Located]:
    """What the engine of upgrades says of each step, the rules of decks of those who begin, and of all decks together."""
    facts, played, frame = moment.facts, moment.played, moment.head.frame
    for name, step in moment.after.steps.items():
        at = played.line(f"decks {name}")
        lost = {card.label for code in lost_by(moment, name) if (card := facts.card(code))}
        of_the_step = [
            each for each in step.findings
            if not (each.by(*MAY_BE_LOST) and set(each.cards) <= lost)
            and (moment.known or each.family != "experience")
        ]  # fmt: skip
        yield from placed(of_the_step, name, at, KNOWN_BETTER)
        person = moment.after.person(name)
        if frame != PLAIN and person is not None:
            seen = {(each.check, each.message) for each in step.findings}
            framed = check_deck(person.held.deck, facts, frame=frame).findings
            yield from placed((each for each in framed if (each.check, each.message) not in seen), name, at)
    for person in moment.after.people:
        if person.name in played.decks and person.name not in {*moment.after.steps, *moment.before.names}:
            deck = person.held.deck
            begins = replace(frame, start=not deck.previous and deck.experience is None)
            at = played.line(f"decks {person.name}")
            yield from placed(check_deck(deck, facts, frame=begins).findings, person.name, at)
    if played.decks:
        decks = [replace(person.held, file=person.name) for person in moment.after.people]
        out = [person.card.name for person in moment.after.out]
        together = check_party(decks, facts, moment.head.owned, out) if decks else ()
        yield from placed(together, "", played.line("decks"))


def lost_by(moment: Moment, name: str) -> tuple[str, ...]:
    """What the campaign took out of a deck since it was recorded."""
    person = moment.before.person(name)
    return (*(person.lost if person else ()), *moment.played.lost.get(name, ()))


campaigns = Campaigns(
    game="arkham",
    head=HEAD,
    record=Played,
    rules={"campaign": CAMPAIGN},
    rule_count=lambda head: sum(len(each.checks) for each in (CAMPAIGN, ARKHAM, UPGRADE, PARTY)),
    not_checked=NOT_CHECKED,
    reader=ArkhamReader,
    moment=Moment,
    after=after,
    named=lambda played, page: (played.scenario, played.resolution),
    changes=changes,
    first_findings=first_findings,
    findings=findings,
    decks=decks_now,
    facts_of=facts_of,
    tallies=tallies,
    questions=questions,
    choices=choices,
)
