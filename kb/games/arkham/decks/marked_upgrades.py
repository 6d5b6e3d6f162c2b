"""Reads the upgrades that a text list marks under a customizable card, as arkham.build exports them.

    - Living Ink (C) x2
      - Chosen skill: Willpower
      - Shifting Ink.
      - Eldritch Ink. Choice: Intellect

An upgrade in the list has all its boxes marked. Names and boxes are as on the deck's taboo list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.decks.names import as_suggestion, either, name_key, suggest
from kb.frozen import frozen
from kb.games.arkham.decks.card import ArkhamCard, Customization, Mark
from kb.games.arkham.decks.card_finder import CardFinder, UnknownName
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.schema.cards import UpgradeBox

_ITEM = re.compile(r"^(\s*)(?:[-*•]\s+)?(?:[□☐☑☒✓✔■]+\s*)?(\S.*?)\s*$")
_CHOICE = re.compile(r"^(.*?)[.:]?\s*(?:=>|\bChoice:)\s*(.*)$")
_LABEL = re.compile(r"^([^:]+):\s*(.*)$")


@frozen
class MarkedUpgrade:
    """An upgrade as a text list names it, with the choice made for it.

    `label` is True if the name is only a label for the choice, such as `Chosen skill`.
    """

    name: str
    chosen: str = ""
    label: bool = False


def marked_upgrade(line: str, card: ArkhamCard, names: CardFinder) -> MarkedUpgrade | None:
    """Return the upgrade of `card` that a line below the card marks; None if the line is something else.

    A line without an indent is an upgrade only if no card has its name. Raises UnknownName for an indented line that is
    neither an upgrade of `card` nor a card.
    """
    found = _ITEM.match(line)
    if found is None or not card.sheet:
        return None
    indented, text = len(found[1].expandtabs(4)) >= 2, found[2]
    known = {name_key(box.name) for sheet in _sheets(card, names.facts) for box in sheet if box.name}
    choice = _CHOICE.match(text) or _LABEL.match(text)
    for written, chosen in ((text, ""), *([choice.groups()] if choice else [])):
        name = written.strip(" .:")
        if name_key(name) in known and (indented or not names.begins(text.strip(" ."))):
            return MarkedUpgrade(name, chosen)
    _, name = names.counted(text)
    if not indented or name != text or names.begins(text):
        return None
    if (label := _LABEL.match(text)) and any(box.chooses and not box.name for box in card.sheet):
        return MarkedUpgrade(label[1], label[2], label=True)
    if not any(box.name for box in card.sheet):
        return None
    raise _no_upgrade(text, card)


def _sheets(card: ArkhamCard, facts: ArkhamFacts) -> Iterator[tuple[UpgradeBox, ...]]:
    """Yield the upgrade sheet of a card as printed, then as each taboo list changes it."""
    yield card.sheet
    yield from (row.sheet for number in facts.taboos if (row := facts.taboo_rows(number).get(card.root)))


def upgrade_named(name: str, card: ArkhamCard) -> int:
    """Return the index of the upgrade `name` on the sheet of `card`. Raises UnknownName if there is not exactly one."""
    fitting = [index for index, box in enumerate(card.sheet) if name_key(box.name) == name_key(name) != ""]
    if len(fitting) > 1:
        numbers = either(str(index + 1) for index in fitting)
        raise UnknownName(f"{card.name} has {len(fitting)} upgrades named {name}. Write its number: {numbers}.", name)
    if not fitting:
        raise _no_upgrade(name, card)
    return fitting[0]


def _no_upgrade(text: str, card: ArkhamCard) -> UnknownName:
    """Return the error for a `text` that is not the name of an upgrade of `card`."""
    named = list(dict.fromkeys(box.name for box in card.sheet if box.name))
    meant = suggest(text, named)
    hint = as_suggestion(meant) or f" Its upgrades: {', '.join(named)}."
    return UnknownName(f"{text!r} is not an upgrade of {card.name}.{hint}", text, meant)


def marks(card: ArkhamCard, marked: list[MarkedUpgrade], taboo: int, names: CardFinder) -> Customization:
    """Return the boxes of `card` that the upgrades in `marked` stand for, on the sheet of the taboo list `taboo` (0:
    none).

    Raises UnknownName for an upgrade that the taboo list removed, and for an unknown card among the choices.
    """
    card = names.facts.by_taboo(card, taboo)
    made: dict[int, Mark] = {}
    for each in marked:
        fitting = [
            index
            for index, box in enumerate(card.sheet)
            if (box.chooses and not box.name if each.label else name_key(box.name) == name_key(each.name))
        ]
        if not fitting:
            raise UnknownName(f"{each.name!r} is not an upgrade of {card.name} under the deck's taboo list.", each.name)
        index = next((index for index in fitting if index not in made), fitting[-1])  # two upgrades may share a name
        box = card.sheet[index]
        made[index] = Mark(index, box.cost, _chosen(each.chosen, box, card, names))
    return tuple(made[index] for index in sorted(made))


def same_name(card: ArkhamCard, marked: list[MarkedUpgrade]) -> Iterator[str]:
    """Yield a sentence for each name that several upgrades of the card share, if the list marks only some of these
    upgrades.
    """
    for name in dict.fromkeys(each.name for each in marked):
        boxes = [box.cost for box in card.sheet if name_key(box.name) == name_key(name)]
        listed = sum(name_key(each.name) == name_key(name) for each in marked)
        if listed < len(boxes):
            costs = " and ".join(map(str, boxes))
            first = "the first" if listed == 1 else f"the first {listed}"
            yield f"{card.name} has {len(boxes)} upgrades named {name} ({costs} boxes); the list was read as {first}."


def _chosen(text: str, box: UpgradeBox, card: ArkhamCard, names: CardFinder) -> str:
    """Return a choice in the form that deck files from other programs use.

    The result lists codes of cards, the index of a slot, or words, separated by `^`.
    """
    if not text or not box.chooses:
        return ""
    if box.chooses == "card":
        return "^".join(names.find(name).code for name in names.parted(text))
    parts = [part.strip().casefold() for part in text.split(",") if part.strip()]
    if box.chooses == "slot":
        return "^".join(str(card.slots.index(part)) if part in card.slots else part for part in parts)
    return "^".join(parts)


def upgrade_lines(card: ArkhamCard, marked: Customization, taboo: int, facts: ArkhamFacts) -> Iterator[str]:
    """Yield a line of a text list for each upgrade of a card whose boxes are all marked. `marked_upgrade` reads such
    lines.
    """
    card = facts.by_taboo(card, taboo)
    for mark in marked:
        box = card.sheet[mark.index] if 0 <= mark.index < len(card.sheet) else None
        if box is None or mark.spent != box.cost or not (box.name or box.chooses):
            continue
        parts = [_in_words(part, box, card, facts) for part in mark.chosen.split("^") if part]
        if box.name:
            yield f"  - {box.name}.{' Choice: ' if parts else ''}{', '.join(parts)}"
        elif parts:
            yield f"  - Chosen {box.chooses}: {', '.join(parts)}"


def _in_words(chosen: str, box: UpgradeBox, card: ArkhamCard, facts: ArkhamFacts) -> str:
    """Return a choice in words: the name of a card or slot, or the chosen word itself."""
    if box.chooses == "card":
        return facts.label(chosen)
    place = int(chosen) if box.chooses == "slot" and chosen.isdecimal() else len(card.slots)
    return card.slots[place] if place < len(card.slots) else chosen
