"""Pathfinder campaigns as the framework sees them: keys, and the replay of a folder with the rules of decks and parties."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from kb.campaigns.conversation import Conversation
from kb.campaigns.findings import placed, run
from kb.campaigns.keys import GAME_KEYS, HEAD_KEYS
from kb.campaigns.lines import line_in
from kb.campaigns.model import Folder, Key, Page, Replay, Step
from kb.decks.deckfile import DeckFile
from kb.decks.names import name_key
from kb.decks.nodes import DeckFileError, DeckProblem, Scalar
from kb.decks.report import Finding, Located
from kb.decks.ruleset import Ruleset
from kb.games.pathfinder.campaign import model as keys
from kb.games.pathfinder.campaign.advance import after, left_over
from kb.games.pathfinder.campaign.conversation import asked
from kb.games.pathfinder.campaign.game_file import Head, read_game, read_head
from kb.games.pathfinder.campaign.model import Moment, Party, Person, Played, deck_of
from kb.games.pathfinder.campaign.rules import CAMPAIGNS
from kb.games.pathfinder.campaign.serialize import NOT_CHECKED, changes, decks_now, facts_of, next_game, tallies
from kb.games.pathfinder.decks.adapter import check_deck
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import Card, Deck
from kb.games.pathfinder.decks.ruleset import RULESETS, Subject
from kb.games.pathfinder.party.checks import PARTIES, check_party
from kb.games.pathfinder.party.model import Member, Table
from kb.games.pathfinder.party.rebuild import rebuild_party
from kb.games.pathfinder.party.serialize import pile

rebuilds = True


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
            replace(person, cards=cards), played.adventure.deck, moment.owns, after_scenario=moment.won_in_a_row()
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
        owns=moment.owns,
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


# What a campaign knows better than a single deck: it counts the rewards that were gained, and the cards of the whole table.
KNOWN_BETTER = (
    "earned-feats", "role-is-earned", "loot-is-earned", "loot-over-all-decks", "box-fills-holes-only",
    "what-is-given-is-received",
)  # fmt: skip

# Keys that fixes may name: those of the files, and of a deck below `decks:`.
HEAD_NAMES = frozenset({"cards", "from_box", *(key.name for key in (*HEAD_KEYS, *keys.HEAD))})
GAME_NAMES = frozenset({"cards", "from_box", *(key.name for key in (*keys.GAME, *GAME_KEYS))})


def head_keys() -> tuple[Key, ...]:
    """The keys of `campaign.yaml`."""
    return keys.HEAD


def game_keys() -> tuple[Key, ...]:
    """The keys of a game's file."""
    return keys.GAME


def title(file: DeckFile) -> str:
    """The scenario's name."""
    node = file.get("scenario")
    return node.text if isinstance(node, Scalar) else ""


def rulesets() -> Mapping[str, Ruleset[Any]]:
    """The rules between two games, by set."""
    return {f"{set_id}-campaign": ruleset for set_id, ruleset in CAMPAIGNS.items()}


def standing(folder: Folder, facts: Facts) -> tuple[Head, Party]:
    """How a campaign begins, and where its party stands now."""
    assert folder.head.file is not None
    head, _ = read_head(folder.head.file, facts, folder)
    party = head.party
    for page in folder.games:
        played = read_game(page.file, facts, head.set, folder)[0] if page.file else None
        party = after(party, played, facts, head.set) if played else party
    return head, party


def filled(folder: Folder, file: DeckFile, facts: Facts) -> Mapping[str, Any]:
    """The rebuilt decks after the game of a file that comes next. Raises DeckFileError when the file cannot be read."""
    head, party = standing(folder, facts)
    played, problems = read_game(file, facts, head.set, folder)
    if played is None or problems:
        raise DeckFileError(file.name, problems)
    return decks_after(
        Moment(facts, head.set, head.starts, head.owns, party, played, after(party, played, facts, head.set))
    )


def questions(folder: Folder, facts: Facts) -> Conversation:
    """What is asked when the next game is recorded."""
    return asked(*standing(folder, facts), facts)


@dataclass(slots=True)
class _Chain:
    """The state between games. `known` is False from a file on that cannot be read: nobody knows then what was won and held.

    `checked` remembers the findings of decks that did not change: most decks stay the same for several games.
    """

    head: Head
    facts: Facts
    party: Party
    known: bool = True
    checked: dict[Any, tuple[Finding, ...]] | None = None


def replay(folder: Folder, facts: Facts) -> Replay:
    """Replay a campaign of one of the two sets."""
    assert folder.head.file is not None
    head, problems = read_head(folder.head.file, facts, folder)
    chain = _Chain(head, facts, head.party, not problems, checked={})
    steps = [beginning(folder.head, head, chain, problems)]
    for page in folder.games:
        steps.append(step(page, chain, folder))
    return Replay(
        folder.path, "pathfinder", head.name, facts_of(head, chain.party, facts), tuple(steps),
        tallies(steps, head, chain.party, facts), NOT_CHECKED, next_game(head, chain.party, facts),
        sum(len(each[head.set].checks) for each in (CAMPAIGNS, RULESETS, PARTIES)),
    )  # fmt: skip


def beginning(page: Page, head: Head, chain: _Chain, problems: list[DeckProblem]) -> Step:
    """How the campaign begins: the decks that the characters bring along."""
    found: list[Located] = []
    decks = []
    for person in head.party.people:
        deck = deck_of(person, head.starts, head.owns, from_box=None if person.new else ())
        decks.append(deck)
        at = line_in(head.lines, f"decks {person.name}")
        found += placed(checked(deck, chain), person.name, lines_from(head.lines, at), KNOWN_BETTER, HEAD_NAMES)
    if decks:
        at = line_in(head.lines, "decks")
        found += placed(check_party(decks, chain.facts), "", lines_from(head.lines, at), KNOWN_BETTER, HEAD_NAMES)
    return Step(
        0, page.name, "The beginning", decks=tuple(decks_now(head.party, chain.facts)), findings=tuple(found),
        problems=tuple(problems), changes=tuple(changes(None, head.party)), notes=notes_of(page.file),
    )  # fmt: skip


def step(page: Page, chain: _Chain, folder: Folder) -> Step:
    """A game: what it changed, and what of it does not follow."""
    if page.file is None:
        chain.known = False
        return Step(page.number, page.name, "a file that cannot be read", problems=page.problems)
    played, problems = read_game(page.file, chain.facts, chain.head.set, folder)
    if played is None:
        chain.known = False
        return Step(page.number, page.name, "a game that is not told in full", problems=tuple(problems))
    before = chain.party
    now = after(before, played, chain.facts, chain.head.set)
    moment = Moment(
        chain.facts,
        chain.head.set,
        chain.head.starts,
        chain.head.owns,
        before,
        played,
        now,
        chain.known and not problems,
    )
    found = [*run(CAMPAIGNS[chain.head.set], moment), *deck_findings(moment, chain)]
    chain.party, chain.known = now, moment.known
    return Step(
        page.number, page.name, played.gives.name, "won" if played.won else "lost", text(page.file, "date"),
        tuple(changes(moment, now)), tuple(decks_now(now, chain.facts)), tuple(found), tuple(problems), notes_of(page.file),
    )  # fmt: skip


def deck_findings(moment: Moment, chain: _Chain) -> Iterator[Located]:
    """What the rules of decks and of parties say of the decks after a game."""
    played = moment.played
    decks: list[Deck] = []
    for person in moment.after.people:
        deck = moment.deck(person)
        decks.append(deck)
        at = played.line(f"decks {person.name}", f"feats {person.name}", "decks", "scenario")
        yield from placed(
            (each for each in checked(deck, chain) if moment.known or each.family in ("pool", "copies", "access")),
            person.name, lines_from(played.lines, at), KNOWN_BETTER, GAME_NAMES,
        )  # fmt: skip
    for key, piles in (("gained", played.gained), ("rewards", {"": played.rewards})):
        yield from too_early(moment, [card for pile in piles.values() for card in pile], played.line(key), played)
    if decks:
        first = replace(decks[0], left_over=left_over(moment) if moment.known else ())
        at = played.line("decks", "scenario")
        yield from placed(
            check_party([first, *decks[1:]], chain.facts, moment.after.removed), "",
            lines_from(played.lines, at), KNOWN_BETTER, GAME_NAMES,
        )  # fmt: skip


def checked(deck: Deck, chain: _Chain) -> tuple[Finding, ...]:
    """The findings on a deck, looked up where the same deck was checked before."""
    key = (
        deck.character.name, deck.stage, deck.adventure, deck.cards, tuple(deck.card_feats.items()),
        tuple(deck.skill_feats.items()), deck.power_feats, deck.role, tuple(deck.deck_adjustments.items()), deck.from_box,
        deck.after_death,
    )  # fmt: skip
    known = chain.checked if chain.checked is not None else {}
    if key not in known:
        known[key] = check_deck(deck, chain.facts, "").findings
    return known[key]


def too_early(moment: Moment, cards: list[Card], at: int, played: Played) -> Iterator[Located]:
    """Cards that were gained although their adventure deck is not in the box yet, or that are of another box."""
    if not cards or not moment.after.people:
        return
    pile = replace(moment.deck(moment.after.people[0]), stage="rebuilt", cards=tuple(cards), from_box=())
    pools = (each for each in RULESETS[moment.set].run(Subject(pile, moment.facts)) if each.family == "pool")
    mended = (replace(each, fix="Take it out of `gained` and `rewards`, or correct `scenario:`.") for each in pools)
    yield from placed(mended, "", lines_from(played.lines, at))


def lines_from(lines: Mapping[str, int], at: int) -> Callable[[Finding], int]:
    """Gives the line of the first card that a finding names, else `at`."""
    return lambda finding: next((lines[key] for key in map(name_key, finding.cards) if key in lines), at)


def text(file: DeckFile | None, key: str) -> str:
    """A single value of a file."""
    node = file.get(key) if file is not None else None
    return node.text if isinstance(node, Scalar) else ""


def notes_of(file: DeckFile | None) -> str:
    """What the players noted."""
    return text(file, "notes")
