"""Replays Tainted Grail campaigns: checks each save sheet and the character sheets recorded with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from kb.campaigns.campaign import CampaignChart, CampaignFile, CardLine, ChartRow, ChartShare, DeckNow, StateChange
from kb.campaigns.conversation import successors
from kb.campaigns.game_campaign import GameCampaign, placed, recorded_changes, run
from kb.campaigns.reader import line_in
from kb.decks.file_keys import described as keys_of
from kb.decks.names import counted_names
from kb.decks.problems import Finding
from kb.decks.questions import Conversation, Question, for_each, single
from kb.decks.report import Located
from kb.decks.ruleset import Ruleset
from kb.games.tainted_grail.campaign.game_file import (
    SETUP,
    Saved,
    SheetReader,
    SheetStep,
    TaintedGrailSetup,
    World,
    state_after,
)
from kb.games.tainted_grail.campaign.rules import CAMPAIGN, GAME, missing, secrets_have_one_owner, step_cost
from kb.games.tainted_grail.decks.character_sheet import ATTRIBUTES, RULESET, Sheet, entry
from kb.games.tainted_grail.decks.check import check_sheet
from kb.games.tainted_grail.decks.growth import Prices, starting_attributes_are_known
from kb.games.tainted_grail.decks.sheet_form import described, piles

ASKED = keys_of(Saved)
NUMBER = Question(number=True, default="0")
ON_SHEETS = "Change items, resources and EXP spent on the sheets under Decks."


class TaintedGrailCampaign(GameCampaign[TaintedGrailSetup, World, Saved, SheetStep, None]):
    """Replays, checks and shows campaigns of Tainted Grail. Each file records one session, as a save sheet."""

    game = GAME
    setup = SETUP
    record = Saved
    reader = SheetReader
    step = SheetStep
    begins_with = MappingProxyType({"starting_attributes": keys_of(Sheet)["starting"].asks})
    not_checked = (
        "the effects of the journal, quests and events: kb does not have their texts",
        "the cost of activating a menhir, and how long it lasts (printed on the locations)",
    )

    @property
    def rules(self) -> Mapping[str, Ruleset[SheetStep]]:
        """The ruleset for save sheets, by its id. Tainted Grail campaigns have no other ruleset."""
        return {"tainted-grail-campaign": CAMPAIGN}

    def rule_count(self, setup: TaintedGrailSetup) -> int:
        """Return the number of rules that a campaign is checked against: the rules for save sheets and for character
        sheets.
        """
        return len(CAMPAIGN.checks) + len(RULESET.checks)

    def after(self, before: World, played: Saved, setup: TaintedGrailSetup, facts: None) -> World:
        """Return the state of the campaign after the save sheet `played`, given the state `before` it."""
        return state_after(before, played)

    def changes(self, step: SheetStep) -> Iterator[StateChange]:
        """Yield the changes that the save sheet of `step` makes, for the timeline of the campaign."""
        saved, before = step.played, step.before
        for words, listed, cite in (
            ("mode from now on", [saved.mode] if saved.mode and saved.mode != before.mode else [], "game-modes"),
            ("status marked", missing(step.after.statuses, before.statuses), "statuses"),
            ("menhirs", [f"{place} ({dial})" for place, dial in (saved.menhirs or {}).items()], "menhirs"),
            ("guardians", map(" ".join, saved.guardians.items()), "guardians"),
            ("dials", map(" ".join, saved.dials.items()), "save-sheet-and-help-cards"),
            ("removed from the game", missing(step.after.removed, before.removed), "removing-cards-from-the-game"),
        ):
            if together := ", ".join(listed):
                yield StateChange("", f"{words}: {together}", entry(cite))
        yield from recorded_changes(saved, dict.fromkeys((*before.sheets, *saved.joined)), in_words, entry)
        for name, old in before.sheets.items():
            given, new = saved.sheets.get(name), step.after.sheets.get(name, old)
            yield from advanced(name, old, new)
            left = new.resources.get("experience")
            if given and left is not None and left != given.resources.get("experience", 0):
                yield StateChange(name, f"{left} EXP left (not on the new sheet)", "tainted-grail/experience")

    def decks(self, world: World, facts: None) -> Iterator[DeckNow]:
        """Yield each character's sheet as lists: attributes, resources, decks, skills and belongings."""
        for name, sheet in world.sheets.items():
            numbers = {"attributes": sheet.attributes or {}, "resources": sheet.resources}
            listed = {
                **{
                    title: [CardLine(f"{each} {number}") for each, number in of.items() if number]
                    for title, of in numbers.items()
                },
                **{title: [CardLine(*each) for each in lines] for title, lines in piles(sheet).items()},
            }
            spent = f" ({sheet.experience_spent} EXP spent)" if sheet.experience_spent is not None else ""
            yield DeckNow(name, f"{name}{spent}", {title: lines for title, lines in listed.items() if lines})

    def facts_of(self, setup: TaintedGrailSetup, world: World, facts: None) -> Iterable[tuple[str, object]]:
        """Return pairs of label and value to show below the campaign's name, such as `Chapter` and `3`."""
        return (
            ("Characters", ", ".join(world.sheets) or "none"),
            ("Mode", world.mode + (", free play" if setup.free_play else "")),
            ("Chapter", world.chapter),
            ("Day", world.day),
            ("Menhirs", ", ".join(f"{place} ({dial})" for place, dial in (world.menhirs or {}).items())),
            ("Statuses", ", ".join(world.statuses)),
            ("Dead", ", ".join(world.dead)),
        )

    def charts(self, setup: TaintedGrailSetup, worlds: list[World], facts: None) -> tuple[CampaignChart, ...]:
        """Return two charts: the EXP spent by all characters at each save sheet, and their current attributes.

        `worlds` are the states of the campaign from its start to now.
        """
        now = worlds[-1]
        spent = [
            ChartRow(
                str(world.day) if world.day is not None else str(number) if number else "start",
                (ChartShare(sum(sheet.experience_spent or 0 for sheet in world.sheets.values()), "tainted-grail"),),
            )
            for number, world in enumerate(worlds)
        ]
        attributes = [
            ChartRow(f"{name}: {each}", (ChartShare(number, "tainted-grail"),))
            for name, sheet in now.sheets.items()
            for each, number in (sheet.attributes or {}).items()
            if number
        ]
        return (
            CampaignChart("EXP spent by all", tuple(spent), "One bar for each save sheet, by day."),
            CampaignChart("Attributes", tuple(attributes)),
        )

    def questions(self, setup: TaintedGrailSetup, state: World, facts: None, free: Collection[str]) -> Conversation:
        """Ask for the values of the next save sheet. Returns the answers by their keys in the file.

        `free` are the characters that nobody plays and that may join.
        """
        people = list(state.sheets)
        values: dict[str, Any] = {}
        chapter, day = str((state.chapter or 0) + 1), "" if state.day is None else str(state.day)
        for key, words, default, note in (
            ("chapter", "Which chapter did you reach?", chapter, ON_SHEETS),
            ("day", "Which day is it?", day, ""),
        ):
            most = ASKED[key].most
            question = Question(words, number=True, most=most, needed=True, default=default, key=key, note=note)
            values[key] = "".join((yield question))
        gained = yield from for_each(people, "How much EXP did {} gain?", replace(NUMBER, key="experience"))
        values["experience"] = dict.fromkeys(people, "0") | single(gained)
        days = int(values["day"] or 0) - state.day if state.day is not None else 0
        lit = {place: dial - max(days, 0) for place, dial in (state.menhirs or {}).items() if dial >= days}
        places = yield Question(
            "Which locations have an active menhir?",
            hint="numbers separated by commas; empty: as before",
            many=True,
            number=True,
            default=", ".join(lit),
            key="menhirs",
        )
        dials: dict[str, str] = {}
        for place in places:
            shown = replace(
                NUMBER, id="dial", hint="0: there is none", default=str(lit.get(place, 0)), most=ASKED["menhirs"].most
            )
            dials |= single((yield from for_each([place], "What does the dial in {} show?", shown)))
        values["menhirs"] = dict.fromkeys(places, "0") | dials
        values["activated"] = yield Question(
            "Which of these menhirs were activated since the last save?", places, many=True, key="activated"
        )
        values["statuses"] = yield Question("Which statuses are marked?", many=True, lines=True, key="statuses")
        values["died"] = yield Question("Who died?", people, many=True, key="died")
        values["joined"] = yield from successors(free, values["died"])
        values["left"] = yield Question("Who left?", people, many=True, key="left")
        return values

    def named(self, played: Saved, page: CampaignFile) -> tuple[str, str]:
        """Return two texts: the title of a save sheet, made from its chapter and day, and an empty outcome.

        The outcome is empty because a session of Tainted Grail is neither won nor lost.
        """
        said = [f"{key} {number}" for key in ("chapter", "day") if (number := getattr(played, key)) is not None]
        return ", ".join(said).capitalize() or f"Save sheet {page.number}", ""

    def first_findings(self, setup: TaintedGrailSetup, facts: None) -> Iterator[Located]:
        """Yield the findings on the character sheets that the campaign begins with, each with its line in the file."""
        for name, sheet in setup.begins.sheets.items():
            yield from placed(check_sheet(sheet, "").findings, name, line_in(setup.lines, f"decks {name}"))

        step = SheetStep(
            setup, World({}), Saved(sheets=setup.begins.sheets, lines=setup.lines), setup.begins, True, None
        )
        for problem in secrets_have_one_owner.findings(step):
            yield Located(problem, step.played.line(*map(str, problem.at)))

    def findings(self, step: SheetStep) -> Iterator[Located]:
        """Yield the findings on the save sheet of `step`, then those on each character sheet recorded with it."""
        yield from run(CAMPAIGN, step)
        for name, sheet in step.played.sheets.items():
            yield from placed(check_sheet(sheet, "").findings, name, step.played.line(f"decks {name}"))

    def said_since(self, state: World, finding: Finding) -> bool:
        """Return True if `finding` reports missing starting attributes and the sheet in `state` contains them."""
        starters = [who for who, sheet in state.sheets.items() if sheet.starting is not None]
        return finding.by(starting_attributes_are_known) and finding.who in starters


def in_words(value: object) -> str:
    """Return `value` as text. The items of a tuple are separated by commas."""
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def advanced(name: str, old: Sheet, new: Sheet) -> Iterator[StateChange]:
    """Yield the changes from the sheet `old` to the sheet `new` of the character `name`."""
    cost, prices = step_cost(old, new)
    for then, now, cite in (
        ({"EXP spent": old.experience_spent}, {"EXP spent": new.experience_spent}, entry("advance-your-character")),
        (old.attributes or {}, new.attributes or {}, prices.attribute_cite),
        (old.resources, new.resources, entry("resources")),
    ):
        changed = [each for each, number in now.items() if number not in (None, then.get(each)) and (number or then)]
        if changed:
            yield StateChange(
                name,
                ", ".join(
                    f"{each} {now[each]}" if then.get(each) is None else f"{each} {then[each]} to {now[each]}"
                    for each in changed
                ),
                cite,
            )
    had = lists_of(old, prices)
    for (kind, cite), held in lists_of(new, prices).items():
        for verb, listed in (("new", held - had[kind, cite]), ("gone", had[kind, cite] - held)):
            if listed:
                yield StateChange(name, f"{kind} {verb}: {counted_names(listed.elements())}", cite)
    if cost:
        yield StateChange(
            name, f"at least {cost} EXP for attributes raised and cards gained", entry("advance-your-character")
        )


def lists_of(sheet: Sheet, prices: Prices) -> dict[tuple[str, str], Counter[str]]:
    """Return the skills, cards and belongings of a sheet with their copies.

    Each key is a pair: a kind, such as `skills of courage`, and the id of the rules entry about this kind.
    """
    lists = {(f"skills of {each}", entry("skills")): Counter(sheet.skills.get(each, ())) for each in ATTRIBUTES}
    for deck in sheet.decks:
        gained = Counter(card.name for card in deck.gained)
        lists[f"{deck.name} cards gained", prices.card_cite] = gained
        lists[f"{deck.name} deck", prices.card_cite] = Counter(card.name for card in deck.cards) - gained
    for kind, items in (("items", sheet.items), ("secrets", sheet.secrets)):
        lists[kind, entry(kind)] = Counter(map(described, items))
    return lists


campaigns = TaintedGrailCampaign()
