"""Pathfinder campaigns as the framework replays them, with the rules of decks and parties."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

from kb.campaigns.findings import placed, run
from kb.campaigns.keys import GAME_KEYS, HEAD_KEYS, described, line_in
from kb.campaigns.replay import Campaigns
from kb.decks.names import name_key
from kb.decks.report import Finding, Located
from kb.games.pathfinder.campaign import timeline
from kb.games.pathfinder.campaign.advance import after, left_over
from kb.games.pathfinder.campaign.conversation import asked
from kb.games.pathfinder.campaign.game_file import read_game, read_head
from kb.games.pathfinder.campaign.model import HEAD, Head, Moment, Party, Person, Played, deck_of
from kb.games.pathfinder.campaign.rules import CAMPAIGNS
from kb.games.pathfinder.decks.adapter import check_deck
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import Card
from kb.games.pathfinder.decks.ruleset import RULESETS, Subject
from kb.games.pathfinder.party.checks import PARTIES, check_party
from kb.games.pathfinder.party.model import Member, Table
from kb.games.pathfinder.party.rebuild import rebuild_party
from kb.games.pathfinder.party.serialize import pile

# What a campaign knows better than a single deck: it counts the rewards that were gained, and the cards of the whole table.
KNOWN_BETTER = (
    "earned-feats", "role-is-earned", "loot-is-earned", "loot-over-all-decks", "box-fills-holes-only",
    "what-is-given-is-received",
)  # fmt: skip


# Keys that fixes may name: those of the files, and of a deck below `decks:`.
HEAD_NAMES = frozenset({"cards", "from_box", *(key.name for key in (*HEAD_KEYS, *HEAD))})
GAME_NAMES = frozenset(
    {"cards", "from_box", *(key.name for key in (*(key for key, _, _ in described(Played).values()), *GAME_KEYS))}
)


def between(head: Head, before: Party, played: Played, facts: Facts, known: bool) -> Moment:
    """A game with the party after it."""
    return Moment(before, played, after(before, played, facts, head.set), known, facts, head)


def first_findings(head: Head, facts: Facts) -> Iterator[Located]:
    """What the rules say of the decks that the characters bring along."""
    decks = [
        deck_of(person, head.starts, head.owns, from_box=None if person.new else ()) for person in head.begins.people
    ]  # fmt: skip
    for deck in decks:
        at = line_in(head.lines, f"decks {deck.character.name}")
        yield from of_decks(check_deck(deck, facts, "").findings, deck.character.name, head.lines, at, HEAD_NAMES)
    if decks:
        yield from of_decks(check_party(decks, facts), "", head.lines, line_in(head.lines, "decks"), HEAD_NAMES)


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


def decks_after(moment: Moment) -> dict[str, Any]:
    """The rebuilt decks of a game as its file lists them, by character; those that did not change are left out."""
    table = table_of(moment)
    if not table.members:
        return {}
    rebuilt = rebuild_party(table, moment.facts, fill=True)
    found: dict[str, Any] = {}
    for member in table.members:
        cards, chosen = rebuilt.cards(member.name), rebuilt.chosen.get(member.name, ())
        before = moment.before.person(member.name)
        if member.newcomer:
            found[member.name] = pile(cards)
        elif chosen:
            found[member.name] = {"cards": pile(cards), "from_box": pile(chosen)}
        elif before is None or Counter(cards) != Counter(before.cards):
            found[member.name] = pile(cards)
    return found


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
                replace(deck, after_death=bool(played.died) if newcomer else None), played.wishes.get(person.name, ()),
                newcomer, tuple((Counter(played.keep.get(person.name, ())) & Counter(cards)).elements()),
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


def holds(moment: Moment, person: Person, lost: Counter[Card]) -> tuple[Card, ...]:
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


def too_early(moment: Moment, cards: tuple[Card, ...], at: int) -> Iterator[Located]:
    """Cards that were gained although their adventure deck is not in the box yet, or that are of another box."""
    if not cards or not moment.after.people:
        return
    pile = replace(moment.deck(moment.after.people[0]), stage="rebuilt", cards=cards, from_box=())
    pools = (each for each in RULESETS[moment.set].run(Subject(pile, moment.facts)) if each.family == "pool")
    mended = (replace(each, fix="Take it out of `gained` and `rewards`, or correct `scenario:`.") for each in pools)
    yield from placed(mended, "", lines_from(moment.played.lines, at))


def of_decks(
    found: Iterable[Finding], who: str, lines: Mapping[str, int], at: int, keys: frozenset[str]
) -> Iterator[Located]:
    """Findings of deck checks, at the lines of the cards that they name, else at `at`."""
    return placed(found, who, lines_from(lines, at), KNOWN_BETTER, keys)


def lines_from(lines: Mapping[str, int], at: int) -> Callable[[Finding], int]:
    """Gives the line of the first card that a finding names, else `at`."""
    return lambda finding: next((lines[key] for key in map(name_key, finding.cards) if key in lines), at)


campaigns = Campaigns(
    game="pathfinder",
    head=HEAD,
    record=Played,
    rules={f"{set_id}-campaign": ruleset for set_id, ruleset in CAMPAIGNS.items()},
    rule_count=lambda head: sum(len(each[head.set].checks) for each in (CAMPAIGNS, RULESETS, PARTIES)),
    not_checked=timeline.NOT_CHECKED,
    read_head=read_head,
    read_game=read_game,
    between=between,
    named=lambda played, page: (played.gives.name, "won" if played.won else "lost"),
    begins=timeline.begins,
    changes=timeline.changes,
    first_findings=first_findings,
    findings=findings,
    decks=timeline.decks_now,
    facts_of=timeline.facts_of,
    tallies=timeline.tallies,
    next_game=timeline.next_game,
    questions=asked,
    rebuilt=decks_after,
    adds_up=True,
)
