"""The charts of an Arkham Horror deck: cost, level, skill icons, class, type, slots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from kb.games.arkham.pages.deck_cards import SLOTS, TYPES, Line
from kb.games.arkham.schema.cards import SKILLS
from kb.games.arkham.schema.options import CLASSES, HIGHEST_LEVEL
from kb.site.decks.charts import Bar, Chart, Part, bar, filled

DEAREST = 6  # the last column of the cost curve takes all that costs as much or more
COMMON, MOST_COMMON = 3, 8


def charts(lines: tuple[Line, ...]) -> tuple[Chart, ...]:
    """The six charts. `lines` are the cards of the deck without weaknesses."""
    return cost_curve(lines), levels(lines), skill_icons(lines), classes(lines), types(lines), slots(lines)


def cost_curve(lines: tuple[Line, ...]) -> Chart:
    """Copies by cost, assets apart from events; what has no cost is told in a sentence."""
    paid = [line for line in lines if line.cost is not None]
    number: dict[str | None, int] = {
        line.cost: int(line.cost) for line in paid if line.cost is not None and line.cost.isdecimal()
    }
    columns: list[tuple[str, str, list[Line]]] = [
        (str(cost), f"cost {cost}", [line for line in paid if number.get(line.cost) == cost]) for cost in range(DEAREST)
    ]
    columns.append(
        (f"{DEAREST}+", f"cost {DEAREST} or more", [line for line in paid if number.get(line.cost, 0) >= DEAREST])
    )
    for cost, words in (("X", "cost X"), ("–", "a dash for a cost")):
        if held := [line for line in paid if line.cost == cost]:
            columns.append((cost, words, held))
    bars = tuple(
        Bar(
            label,
            (
                Part(sum(line.copies for line in held if line.type == "asset"), "asset", "assets"),
                Part(sum(line.copies for line in held if line.type != "asset"), "event", "events"),
            ),
            spoken=words,
        )
        for label, words, held in columns
    )
    copies = sum(line.copies for line in paid if line.cost in number)
    spent = sum(line.copies * number[line.cost] for line in paid if line.cost in number)
    free = sum(line.copies for line in lines if line.cost is None)
    said = [f"{spent / copies:.1f} on average"] if copies else []
    said += [f"{free} without a cost"] if free else []
    return Chart("Cost", bars, "; ".join(said))


def levels(lines: tuple[Line, ...]) -> Chart:
    """Copies by level."""
    by_level = Counter[int | None]()
    for line in lines:
        by_level[line.level] += line.copies
    highest = max([HIGHEST_LEVEL, *(level for level in by_level if level is not None)])
    bars = [
        Bar(str(level), (Part(by_level[level], "upgraded" if level else "neutral"),), spoken=f"level {level}")
        for level in range(highest + 1)
    ]
    if by_level[None]:
        bars.append(Bar("none", (Part(by_level[None], "neutral"),), spoken="no level"))
    spent = sum(line.experience for line in lines)
    return Chart("Level", tuple(bars), f"{spent} experience" if spent else "")


def skill_icons(lines: tuple[Line, ...]) -> Chart:
    """Skill icons over all copies."""
    number = Counter[str]()
    for line in lines:
        for skill, icons in line.icons:
            number[skill] += icons * line.copies
    bars = tuple(bar(skill.capitalize(), number[skill], f"skill-{skill}", skill) for skill in SKILLS)
    return Chart("Skill icons", bars if sum(number.values()) else ())


def classes(lines: tuple[Line, ...]) -> Chart:
    """Copies by class; a card of several classes counts once, among its like."""
    number = copies_by(lines, lambda line: line.tone)
    bars = [bar(name.capitalize(), number[name], name, name) for name in (*CLASSES, "neutral")]
    return Chart("Class", filled([*bars, bar("Several", number["multi"], "multi")]))


def types(lines: tuple[Line, ...]) -> Chart:
    """Copies by type."""
    number = copies_by(lines, lambda line: line.type if line.type in TYPES else "other")
    bars = [bar(TYPES[kind], number[kind], kind) for kind in TYPES]
    return Chart("Type", (*bars, *filled([bar("Other", number["other"], "neutral")])) if lines else ())


def slots(lines: tuple[Line, ...]) -> Chart:
    """Assets by the slots they take; one that takes two different slots counts in both."""
    number = Counter[str]()
    for line in lines:
        if line.type == "asset" and not line.permanent:
            for slot in set(line.slots) or {"no slot"}:
                number[slot] += line.copies
    others = sorted(set(number) - {*SLOTS, "no slot"})
    bars = [bar(slot.capitalize(), number[slot], "asset") for slot in (*SLOTS, *others)]
    return Chart("Assets by slot", filled([*bars, bar("No slot", number["no slot"], "neutral")]))


def copies_by(lines: Iterable[Line], key: Callable[[Line], str]) -> Counter[str]:
    """Number of copies by what `key` says of a line."""
    number = Counter[str]()
    for line in lines:
        number[key(line)] += line.copies
    return number


def common_traits(lines: tuple[Line, ...]) -> list[tuple[str, int]]:
    """The traits that most cards have, at least a few."""
    number = Counter[str]()
    for line in lines:
        for trait in line.traits:
            number[trait] += line.copies
    return [(trait, copies) for trait, copies in number.most_common(MOST_COMMON) if copies >= COMMON]
