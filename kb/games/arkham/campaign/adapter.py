"""Arkham Horror campaigns as the framework sees them: keys, and the replay of a folder with the engine of upgrades."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from kb.campaigns.conversation import Conversation, Question, for_each, single, yes_or_no
from kb.campaigns.findings import placed, run
from kb.campaigns.model import Folder, Key, Page, Replay, Step
from kb.decks.deckfile import DeckFile
from kb.decks.names import name_key
from kb.decks.nodes import DeckProblem, Scalar
from kb.decks.report import Finding, Located
from kb.decks.ruleset import Ruleset
from kb.games.arkham.campaign import model as keys
from kb.games.arkham.campaign.advance import Steps, after
from kb.games.arkham.campaign.game_file import Head, read_game, read_head
from kb.games.arkham.campaign.model import Group, Moment, Person
from kb.games.arkham.campaign.rules import CAMPAIGN
from kb.games.arkham.campaign.serialize import NOT_CHECKED, changes, decks_now, facts_of, next_game, tallies
from kb.games.arkham.decks.check import check_deck
from kb.games.arkham.decks.editions import Edition, edition_of_all
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.frame import CAMPAIGN as PLAIN
from kb.games.arkham.decks.frame import Frame
from kb.games.arkham.decks.party import PARTY, check_party
from kb.games.arkham.decks.ruleset import ARKHAM
from kb.games.arkham.decks.upgrade.rules import UPGRADE

rebuilds = False

NUMBER = Question(number=True, default="0")
# What the log of a campaign knows better than two decks do.
KNOWN_BETTER = ("deck-before-is-legal", "given-by-the-campaign")
MAY_BE_LOST = ("weaknesses-stay", "permanents-stay", "signatures-stay")


def head_keys() -> tuple[Key, ...]:
    """The keys of `campaign.yaml`."""
    return keys.HEAD


def game_keys() -> tuple[Key, ...]:
    """The keys of a game's file."""
    return keys.GAME


def title(file: DeckFile) -> str:
    """The scenario's name."""
    return text(file, "scenario")


def filled(folder: Folder, file: DeckFile, facts: Facts) -> None:
    """Nothing: which cards are purchased nobody but the players can tell."""


def questions(folder: Folder, facts: Facts) -> Conversation:
    """What is asked when the next game is recorded."""
    people = [deck.who for deck in replay(folder, facts).decks]
    values: dict[str, Any] = {"scenario": (yield Question("Which scenario?", needed=True))[0]}
    values["resolution"] = "".join((yield Question("How did it end? (such as R1)")))
    if (yield yes_or_no("Was it a side story?", "no")) == ["yes"]:
        values["side_story"] = "yes"
        values["cost"] = "".join((yield Question("How much experience did each pay for it?", number=True)))
    there = yield Question("Who played?", people, many=True, default=", ".join(people))
    values["experience"] = single((yield from for_each(there, "How much experience did {} earn?", NUMBER)))
    values["killed"] = yield Question("Who was killed?", there, many=True)
    values["insane"] = yield Question("Who was driven insane?", there, many=True)
    cards = Question(many=True)
    for key, words in (("earned", "did {} earn"), ("lost", "did {} lose to the campaign"), ("exiled", "did {} exile")):
        values[key] = yield from for_each(there, f"Which cards {words}?", cards)
    values["log"] = yield Question("What was written into the campaign log? (parted by commas)", many=True)
    values["left"] = yield Question("Who does not go on?", people, many=True)
    return values


def rulesets() -> Mapping[str, Ruleset[Any]]:
    """The rules between two games."""
    return {"campaign": CAMPAIGN}


def replay(folder: Folder, facts: Facts) -> Replay:
    """Replay a campaign."""
    assert folder.head.file is not None
    head, problems = read_head(folder.head.file, facts, folder)
    group, known = head.group, True
    steps = [beginning(folder.head, head, facts, problems)]
    groups = [group]
    for page in folder.games:
        step, group, known = played_step(page, head, facts, folder, group, known)
        steps.append(step)
        groups.append(group)
    return Replay(
        folder.path, "arkham", head.name, facts_of(head, group, facts), tuple(steps), tallies(groups), NOT_CHECKED,
        next_game(head, group, facts), sum(len(each.checks) for each in (CAMPAIGN, ARKHAM, UPGRADE, PARTY)),
    )  # fmt: skip


def beginning(page: Page, head: Head, facts: Facts, problems: list[DeckProblem]) -> Step:
    """The decks with which the campaign begins."""
    found: list[Located] = []
    for person in head.group.people:
        at = head.lines.get(name_key(f"decks {person.name}"), 0)
        found += first_deck(person, facts, head.agreed.frame, at)
    at = head.lines.get(name_key("decks"), 0)
    found += placed(together(head, head.group, facts), "", fixed(at))
    return Step(
        0, page.name, "The beginning", changes=tuple(changes(None, head.group, {}, facts)),
        decks=tuple(decks_now(head.group, facts)), findings=tuple(found), problems=tuple(problems), notes=text(page.file, "notes"),
    )  # fmt: skip


def first_deck(person: Person, facts: Facts, frame: Frame, at: int) -> Iterator[Located]:
    """What the rules say of a deck that begins a campaign."""
    deck = person.held.deck
    begins = not deck.previous and deck.experience is None
    found = check_deck(deck, facts, frame=Frame(**{**values(frame), "start": begins})).findings
    return placed(found, person.name, fixed(at))


def values(frame: Frame) -> dict[str, Any]:
    """What a frame says, by name."""
    return {name: getattr(frame, name) for name in frame.__dataclass_fields__}


def played_step(
    page: Page, head: Head, facts: Facts, folder: Folder, before: Group, known: bool
) -> tuple[Step, Group, bool]:
    """A game: what is told of it, the group after it, and whether all is known of that."""
    if page.file is None:
        return Step(page.number, page.name, "a file that cannot be read", problems=page.problems), before, False
    played, problems = read_game(page.file, facts, folder, before, head.agreed.taboo)
    if played is None:
        return Step(page.number, page.name, "a game that is not told in full", problems=tuple(problems)), before, False
    now, steps = after(before, played, facts)
    moment = Moment(facts, head.agreed, before, played, now, known and not problems)
    by = edition_of_all(person.held.deck.rules for person in (*before.people, *now.people))
    step = Step(
        page.number, page.name, played.scenario, played.resolution, text(page.file, "date"),
        tuple(replace(each, cite=cited(by, each.cite)) for each in changes(moment, now, steps, facts)), tuple(decks_now(now, facts)),
        (*restated(by, run(CAMPAIGN, moment)), *deck_findings(moment, steps, head)), tuple(problems), text(page.file, "notes"),
    )  # fmt: skip
    return step, now, True


def restated(by: Edition, found: Iterable[Located]) -> Iterator[Located]:
    """Findings of the campaign with the entries of an edition."""
    for each in found:
        yield replace(each, finding=next(by.restated([each.finding])))


def cited(by: Edition, entry: str) -> str:
    """An entry as an edition states it; none stays none."""
    return by.entries([entry])[0] if entry else ""


def deck_findings(moment: Moment, steps: Steps, head: Head) -> Iterator[Located]:
    """What the engine of upgrades says of each step, the rules of decks of those who begin, and of all decks together."""
    facts, played = moment.facts, moment.played
    for name, step in steps.items():
        at = fixed(played.line(f"decks {name}", "decks"))
        lost = {card.label for code in lost_by(moment, name) if (card := facts.card(code))}
        found = [
            each for each in step.findings
            if not (each.check in MAY_BE_LOST and set(each.cards) <= lost)
            and (moment.known or each.family != "experience")
        ]  # fmt: skip
        yield from placed(found, name, at, KNOWN_BETTER)
        person = moment.after.person(name)
        if head.agreed.frame != PLAIN and person is not None:
            seen = {(each.check, each.message) for each in step.findings}
            framed = check_deck(person.held.deck, facts, frame=head.agreed.frame).findings
            yield from placed((each for each in framed if (each.check, each.message) not in seen), name, at)
    for person in moment.after.people:
        if person.name not in steps and moment.before.person(person.name) is None and person.name in played.decks:
            yield from first_deck(person, facts, head.agreed.frame, played.line(f"decks {person.name}", "decks"))
    if played.decks:
        yield from placed(together(head, moment.after, facts), "", fixed(played.line("decks")))


def lost_by(moment: Moment, name: str) -> tuple[str, ...]:
    """What the campaign took out of a deck since it was recorded."""
    person = moment.before.person(name)
    return (*(person.lost if person else ()), *moment.played.lost.get(name, ()))


def together(head: Head, group: Group, facts: Facts) -> tuple[Finding, ...]:
    """What the rules say of all decks together."""
    decks = [person.held.deck for person in group.people]
    out = [person.card.name for person in group.out]
    return check_party(decks, [person.name for person in group.people], facts, head.agreed.owned, out) if decks else ()


def fixed(line: int) -> Callable[[Finding], int]:
    """Gives one line for every finding."""
    return lambda _finding: line


def text(file: DeckFile | None, key: str) -> str:
    """A single value of a file."""
    node = file.get(key) if file is not None else None
    return node.text if isinstance(node, Scalar) else ""
