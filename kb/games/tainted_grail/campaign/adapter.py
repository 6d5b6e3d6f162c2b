"""Tainted Grail campaigns as the framework sees them: keys, and the replay of save sheets with the checks of character sheets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from kb.campaigns.conversation import Conversation, Question, for_each, single
from kb.campaigns.findings import placed, run
from kb.campaigns.model import Folder, Key, Page, Replay, Step
from kb.decks.deckfile import DeckFile
from kb.decks.names import name_key
from kb.decks.nodes import DeckProblem, Scalar
from kb.decks.report import Finding, Located
from kb.decks.ruleset import Ruleset
from kb.games.tainted_grail.campaign import model as keys
from kb.games.tainted_grail.campaign.game_file import Head, after, read_game, read_head
from kb.games.tainted_grail.campaign.model import Moment, World
from kb.games.tainted_grail.campaign.rules import CAMPAIGN
from kb.games.tainted_grail.campaign.serialize import NOT_CHECKED, changes, decks_now, facts_of, next_game, tallies
from kb.games.tainted_grail.decks.check import RULESET, check_sheet
from kb.games.tainted_grail.decks.model import Sheet

rebuilds = False

NUMBER = Question(number=True, default="0")


def head_keys() -> tuple[Key, ...]:
    """The keys of `campaign.yaml`."""
    return keys.HEAD


def game_keys() -> tuple[Key, ...]:
    """The keys of a save sheet's file."""
    return keys.GAME


def title(file: DeckFile) -> str:
    """`Chapter 2, day 14`, as far as the file says it."""
    told = [f"{key} {text}" for key in ("chapter", "day") if (text := text_of(file, key))]
    return ", ".join(told).capitalize()


def filled(folder: Folder, file: DeckFile, facts: None) -> None:
    """Nothing: what the characters choose to advance nobody but the players can tell."""


def questions(folder: Folder, facts: None) -> Conversation:
    """What is asked when the next save sheet is recorded."""
    people = [deck.who for deck in replay(folder, facts).decks]
    values: dict[str, Any] = {}
    for key, words in (("chapter", "Which chapter did you reach?"), ("day", "Which day is it?")):
        values[key] = "".join((yield Question(words, number=True, needed=True)))
    values["experience"] = single((yield from for_each(people, "How much EXP did {} gain?", NUMBER)))
    places = yield Question("Which locations have an active menhir? (numbers parted by commas)", many=True, number=True)
    dials = single((yield from for_each(places, "What does the dial in {} show? (0: there is none)", NUMBER)))
    values["menhirs"] = dict.fromkeys(places, "0") | dials
    values["activated"] = yield Question("Which of them were activated since the last save?", places, many=True)
    values["statuses"] = yield Question("Which statuses are marked? (parted by commas)", many=True)
    for key, words in (("died", "Who died?"), ("left", "Who left?")):
        values[key] = yield Question(words, people, many=True)
    return values


def rulesets() -> Mapping[str, Ruleset[Any]]:
    """The rules between two save sheets."""
    return {"tainted-grail-campaign": CAMPAIGN}


def replay(folder: Folder, facts: None) -> Replay:
    """Replay a campaign."""
    assert folder.head.file is not None
    head, problems = read_head(folder.head.file, folder)
    steps = [beginning(folder.head, head, problems)]
    worlds, known = [head.world], True
    for page in folder.games:
        step, world = saved_step(page, folder, worlds[-1], known)
        known = page.file is not None
        steps.append(step)
        if known:
            worlds.append(world)
    return Replay(
        folder.path, "tainted-grail", head.name, facts_of(head, worlds[-1]), tuple(steps), tallies(worlds), NOT_CHECKED,
        next_game(worlds[-1]), len(CAMPAIGN.checks) + len(RULESET.checks),
    )  # fmt: skip


def beginning(page: Page, head: Head, problems: list[DeckProblem]) -> Step:
    """The sheets with which the campaign begins."""
    found = [
        each
        for name, sheet in head.world.sheets.items()
        for each in of_sheet(name, sheet, head.lines.get(name_key(f"decks {name}"), 0))
    ]
    return Step(
        0, page.name, "The beginning", changes=tuple(changes(None, head.world)), decks=tuple(decks_now(head.world)),
        findings=tuple(found), problems=tuple(problems), notes=text_of(page.file, "notes"),
    )  # fmt: skip


def saved_step(page: Page, folder: Folder, before: World, known: bool) -> tuple[Step, World]:
    """A save sheet: what is told of it, and where the campaign stands then."""
    if page.file is None:
        return Step(page.number, page.name, "a file that cannot be read", problems=page.problems), before
    saved, problems = read_game(page.file, folder, before)
    world = after(before, saved)
    moment = Moment(before, saved, world, known and not problems)
    found: list[Located] = [*run(CAMPAIGN, moment)]
    for name, sheet in saved.sheets.items():
        found += of_sheet(name, sheet, saved.line(f"decks {name}", "decks"))
    step = Step(
        page.number, page.name, title(page.file) or f"Save sheet {page.number}", "", text_of(page.file, "date"),
        tuple(changes(moment, world)), tuple(decks_now(world)), tuple(found), tuple(problems), text_of(page.file, "notes"),
    )  # fmt: skip
    return step, world


def of_sheet(name: str, sheet: Sheet, line: int) -> Iterator[Located]:
    """What the rules say of a sheet by itself."""
    return placed(check_sheet(sheet, "").findings, name, fixed(line))


def fixed(line: int) -> Callable[[Finding], int]:
    """Gives one line for every finding."""
    return lambda _finding: line


def text_of(file: DeckFile | None, key: str) -> str:
    """A single value of a file."""
    node = file.get(key) if file is not None else None
    return node.text if isinstance(node, Scalar) else ""
