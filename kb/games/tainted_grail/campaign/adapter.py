"""Tainted Grail campaigns as the framework replays them: save sheets, with the checks of character sheets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kb.campaigns.findings import placed, run
from kb.campaigns.keys import line_in
from kb.campaigns.model import Change, DeckNow, Line, Page, Row, Step, Tally
from kb.campaigns.reader import text_of
from kb.campaigns.replay import Campaigns
from kb.decks.deckfile import DeckFile
from kb.decks.names import name_key
from kb.decks.questions import Conversation, Question, for_each, single
from kb.decks.report import Located
from kb.games.tainted_grail.campaign.game_file import HEAD, Head, Moment, Saved, World, after, read_game, read_head
from kb.games.tainted_grail.campaign.rules import CAMPAIGN, step_cost
from kb.games.tainted_grail.decks.check import check_sheet
from kb.games.tainted_grail.decks.model import ATTRIBUTES, RESOURCES, RULESET, Sheet

NOT_CHECKED = (
    "what the journal, quests and events give: no source here holds their texts",
    "what activating a menhir costs and how long it lasts: it is printed on the locations",
)


def changes(moment: Moment) -> Iterator[Change]:
    """What happened since the last save sheet."""
    saved, before = moment.saved, moment.before
    if saved.mode and saved.mode != before.mode:
        yield Change("", f"{saved.mode} mode from now on", "tainted-grail/game-modes")
    marked = set(map(name_key, before.statuses))
    for names, verb, cite in (
        (saved.died, "dies", "character-death"),
        (saved.left, "leaves", "adding-or-removing-players"),
        (saved.joined, "joins", "adding-or-removing-players"),
    ):
        for name in names:
            yield Change(name, verb, f"tainted-grail/{cite}")
    places: dict[str, Mapping[str, object]] = {
        "guardians": saved.guardians, "positions": saved.positions, "dials": saved.dials,
    }  # fmt: skip
    rows: list[tuple[str, Sequence[str], str]] = [
        ("status marked", [each for each in moment.after.statuses if name_key(each) not in marked], "statuses"),
        ("menhir activated", saved.activated, "activating-menhirs"),
        ("menhirs", [f"{place} ({dial})" for place, dial in (saved.menhirs or {}).items()], "menhirs"),
        *((key, [f"{name} {place}" for name, place in at.items()], "") for key, at in places.items()),
        ("removed from the game", [each for each in saved.removed or () if each not in before.removed],
         "removing-cards-from-the-game"),
    ]  # fmt: skip
    for words, told, cite in rows:
        if told:
            yield Change("", f"{words}: {', '.join(told)}", f"tainted-grail/{cite}" if cite else "")
    for name, sheet in saved.sheets.items():
        old = before.sheets.get(name)
        if old is not None:
            yield from advanced(name, old, sheet, saved.experience.get(name))


def advanced(name: str, old: Sheet, new: Sheet, gained: int | None) -> Iterator[Change]:
    """What changed on a character's sheet."""
    if gained:
        yield Change(name, f"gains {gained} EXP", "tainted-grail/experience")
    cost, prices = step_cost(old, new)
    for each in ATTRIBUTES if old.attributes and new.attributes else ():
        then, now = (old.attributes or {})[each], (new.attributes or {})[each]
        if then != now:
            yield Change(name, f"{each} {then} to {now}", prices.attribute_cite)
    for had, deck in zip(old.decks, new.decks, strict=True):
        known = {card.key for card in had.gained}
        cards = [card.name for card in deck.gained if card.key not in known]
        if cards:
            yield Change(name, f"{deck.name} cards {', '.join(cards)}", prices.card_cite)
    if cost:
        yield Change(name, f"at least {cost} EXP for all of that", "tainted-grail/advance-your-character")
    told = [
        f"{each} {old.resources[each]} to {new.resources[each]}"
        for each in RESOURCES
        if each in old.resources and each in new.resources and old.resources[each] != new.resources[each]
    ]
    if told:
        yield Change(name, ", ".join(told), "tainted-grail/resources")


def decks_now(world: World, facts: None) -> Iterator[DeckNow]:
    """The sheets of the characters."""
    for name, sheet in world.sheets.items():
        piles: list[tuple[str, tuple[Line, ...]]] = []
        for kind, numbers in (
            ("attributes", {each: number for each, number in (sheet.attributes or {}).items() if number}),
            ("resources", {each: sheet.resources[each] for each in RESOURCES if each in sheet.resources}),
        ):
            if numbers or (kind == "attributes" and sheet.attributes):
                piles.append((kind, tuple(Line(f"{each} {number}") for each, number in numbers.items())))
        for deck in sheet.decks:
            if deck.cards:
                gained = {card.key for card in deck.gained}
                more = tuple(Line(card.name) for card in deck.cards if card.key in gained)
                starters = len(deck.cards) - len(more)
                piles.append((deck.name, (Line("starter cards", starters), *more) if starters else more))
        for title, items in (("items", sheet.items), ("secrets", sheet.secrets)):
            if items:
                piles.append((title, tuple(Line(item.name, more=", ".join(item.keywords)) for item in items)))
        spent = f" ({sheet.experience_spent} EXP spent)" if sheet.experience_spent is not None else ""
        yield DeckNow(name, f"{name}{spent}", tuple(piles))


def facts_of(head: Head, world: World, facts: None) -> Iterator[tuple[str, str]]:
    """Labels and values below the campaign's name."""
    for label, value in (
        ("Characters", ", ".join(world.sheets) or "none"),
        ("Mode", world.mode + (", free play" if head.free_play else "")),
        ("Chapter", world.chapter),
        ("Day", world.day),
        ("Menhirs", ", ".join(f"{place} ({dial})" for place, dial in (world.menhirs or {}).items())),
        ("Statuses", ", ".join(world.statuses)),
        ("Dead", ", ".join(world.dead)),
    ):
        if value not in ("", None):
            yield label, str(value)


def next_game(head: Head, world: World, facts: None) -> dict[str, str]:
    """What the next save sheet can know already."""
    known = {"chapter": str((world.chapter or 0) + 1)}
    if world.day is not None:
        known["day"] = str(world.day)
    if world.statuses:
        known["statuses"] = "[" + ", ".join(f'"{status}"' for status in world.statuses if '"' not in status) + "]"
    return known


def tallies(head: Head, worlds: Sequence[World], steps: Sequence[Step], facts: None) -> tuple[Tally, ...]:
    """EXP spent by save sheet, and attributes of each character now."""
    now = worlds[-1]
    spent = [
        Row(str(world.day) if world.day is not None else str(number) if number else "start",
            ((sum(sheet.experience_spent or 0 for sheet in world.sheets.values()), "tainted-grail", ""),))
        for number, world in enumerate(worlds)
    ]  # fmt: skip
    attributes = [
        Row(f"{name}: {each}", ((number, "tainted-grail", ""),))
        for name, sheet in now.sheets.items()
        for each, number in (sheet.attributes or {}).items()
        if number
    ]
    return (
        Tally("EXP spent by all", tuple(spent), "By the day of each save sheet."),
        Tally("Attributes", tuple(attributes)),
    )


NUMBER = Question(number=True, default="0")


def title(file: DeckFile) -> str:
    """`Chapter 2, day 14`, as far as the file says it."""
    told = [f"{key} {text}" for key in ("chapter", "day") if (text := text_of(file, key))]
    return ", ".join(told).capitalize()


def questions(head: Head, state: World, facts: None) -> Conversation:
    """What is asked when the next save sheet is recorded."""
    people = list(state.sheets)
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


def between(head: Head, before: World, played: Saved, facts: None, known: bool) -> Moment:
    """A save sheet with where the campaign stands then."""
    return Moment(before, played, after(before, played), known)


def named(played: Saved, page: Page) -> tuple[str, str]:
    """Chapter and day; nothing is won or lost."""
    return (title(page.file) if page.file else "") or f"Save sheet {page.number}", ""


def begins(state: World) -> Iterator[Change]:
    """Who begins."""
    return (Change(name, "begins") for name in state.sheets)


def first_findings(head: Head, facts: None) -> Iterator[Located]:
    """What the rules say of the sheets with which the campaign begins."""
    for name, sheet in head.begins.sheets.items():
        yield from placed(check_sheet(sheet, "").findings, name, line_in(head.lines, f"decks {name}"))


def findings(head: Head, moment: Moment, facts: None) -> Iterator[Located]:
    """What the rules say of a save sheet, and of each character sheet by itself."""
    yield from run(CAMPAIGN, moment)
    for name, sheet in moment.saved.sheets.items():
        yield from placed(check_sheet(sheet, "").findings, name, moment.saved.line(f"decks {name}"))


campaigns = Campaigns(
    game="tainted-grail",
    head=HEAD,
    record=Saved,
    rules={"tainted-grail-campaign": CAMPAIGN},
    rule_count=lambda head: len(CAMPAIGN.checks) + len(RULESET.checks),
    not_checked=NOT_CHECKED,
    read_head=read_head,
    read_game=read_game,
    between=between,
    named=named,
    begins=begins,
    changes=changes,
    first_findings=first_findings,
    findings=findings,
    decks=decks_now,
    facts_of=facts_of,
    tallies=tallies,
    next_game=next_game,
    questions=questions,
    title=title,
)
