"""What the timeline of a Tainted Grail campaign tells: changes with their reasons, sheets, numbers to draw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kb.campaigns.model import Change, DeckNow, Line, Row, Step, Tally
from kb.decks.names import name_key
from kb.games.tainted_grail.campaign.model import Head, Moment, World
from kb.games.tainted_grail.campaign.rules import step_cost
from kb.games.tainted_grail.decks.model import ATTRIBUTES, RESOURCES, Sheet

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
    for before, after in zip(old.decks, new.decks, strict=True):
        known = {card.key for card in before.gained}
        cards = [card.name for card in after.gained if card.key not in known]
        if cards:
            yield Change(name, f"{after.name} cards {', '.join(cards)}", prices.card_cite)
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
