"""A card as deck checks see it: with the changes of a taboo list and its marked upgrades."""

from __future__ import annotations

from dataclasses import field, fields, replace
from operator import attrgetter

from kb.decks.names import CardLabel
from kb.frozen import frozen
from kb.games.arkham.schema.cards import CardRecord, TabooRow, UpgradeBox
from kb.games.arkham.schema.options import HIGHEST_LEVEL, NO_NAMES, NOT_SPECIAL, Names, Special
from kb.shapes import record

MOST_BOXES = 10

_RECORDED = tuple(each.name for each in fields(CardRecord))

_recorded = attrgetter(*_RECORDED)


@record
class ArkhamCard(CardRecord):
    """A card as deck checks see it: its record, changed by the taboo list and the marked upgrades.

    - `root`: code of the first printing.
    - `title`, `traits`, `slots`: in lower case, so that they can be compared.
    - `special`: the card's row in special.yaml.
    - `surcharge`: experience that the taboo list adds to each copy; below 0: subtracts.
    - `forbidden`: True if the taboo list forbids the card.
    - `spent`: experience spent on the upgrade sheet.
    - `label`: name, subtitle, level and code: `Shrivelling (3) [02154]`.
    """

    root: str
    title: str
    traits: Names = NO_NAMES
    slots: tuple[str, ...] = ()
    special: Special = NOT_SPECIAL
    surcharge: int = 0
    forbidden: bool = False
    spent: int = 0
    label: CardLabel = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        subtitle = f": {self.subtitle}" if self.subtitle and self.type != "investigator" else ""
        label = CardLabel(f"{self.name}{subtitle}{f' ({self.level})' if self.level else ''}", self.code)
        object.__setattr__(self, "label", label)  # computed once, because findings use it often

    @classmethod
    def of(cls, record: CardRecord, first: CardRecord) -> ArkhamCard:
        """Return the card of `record`. `first` is the record of its first printing.

        A reprint without a row in special.yaml takes the row of its first printing. If the first printing has a row,
        its limit of copies also applies to the reprint.
        """
        known = dict(zip(_RECORDED, _recorded(record), strict=True))
        known["special"] = record.special or first.special or NOT_SPECIAL
        known["limit"] = first.limit if first.special else record.limit
        return cls(
            **known,
            root=first.code,
            title=record.name.casefold(),
            traits=frozenset(trait.casefold() for trait in record.printed_traits),
            slots=tuple(slot.casefold() for slot in record.printed_slots),
        )

    @property
    def version(self) -> tuple[str, bool]:
        """The key that printings with the same rules share: code of the first printing, and True for a modified
        reprint.
        """
        return self.root, self.modified

    @property
    def only_investigators(self) -> Names:
        """Return the codes of the only investigators whose decks may contain the card; empty if any may."""
        return frozenset(self.restrictions.investigators)

    @property
    def only_traits(self) -> Names:
        """Return the traits of the only investigators whose decks may contain the card; empty if any may."""
        return frozenset(self.restrictions.traits)

    @property
    def only_classes(self) -> Names:
        """Return the classes of the only investigators whose decks may contain the card; empty if any may."""
        return frozenset(self.restrictions.classes)

    @property
    def section(self) -> str:
        """Return the heading that lists show the card under: its type, or `weakness`."""
        return "weakness" if self.weakness else self.type

    @property
    def cost_of_a_copy(self) -> int:
        """Return the experience that one copy of the card costs; 0 for a card without a level.

        An exceptional card costs twice its level. The surcharge of a taboo list is not doubled. The experience of a
        customizable card is in its upgrade sheet, which all copies share (see `deck_experience`).
        """
        if self.level is None:
            return 0
        level = 0 if self.sheet else self.level
        return max(0, level * (2 if "exceptional" in self.keywords else 1) + self.surcharge)


@frozen
class Mark:
    """The boxes marked for one upgrade of a customizable card.

    - `index`: the index of the upgrade on the sheet, from 0.
    - `spent`: the number of marked boxes, which is the experience spent.
    - `chosen`: the player's choice, if the upgrade offers one.
    """

    index: int
    spent: int
    chosen: str = ""


Customization = tuple[Mark, ...]


def with_taboo(card: ArkhamCard, row: TabooRow | None) -> ArkhamCard:
    """Return the card as the row of a taboo list changes it; unchanged without a row."""
    if row is None:
        return card
    gained = {name for name in ("exceptional", "campaign_only") if getattr(row, name)}
    lost = {"exceptional"} if row.exceptional is False else set()
    return replace(
        card,
        surcharge=row.experience,
        keywords=(card.keywords | gained) - lost,
        forbidden=row.forbidden,
        limit=1 if row.exceptional else card.limit if row.limit is None else row.limit,
        build=row.build or card.build,
        sheet=row.sheet or card.sheet,
    )


def completed_sheet(sheet: tuple[UpgradeBox, ...], printed: tuple[UpgradeBox, ...]) -> tuple[UpgradeBox, ...]:
    """Return a taboo list's upgrade sheet, completed with names and levels from the printed sheet.

    A taboo list changes the cost of boxes, never the level that they give.
    """
    return tuple(
        replace(box, level_boxes=printed[index].level_boxes, name=box.name or printed[index].name)
        if index < len(printed)
        else box
        for index, box in enumerate(sheet)
    )


def customized(card: ArkhamCard, marks: Customization) -> ArkhamCard:
    """Return the card with its marked upgrades: level, traits, slots, tags, limit and experience spent.

    The level is half the marked boxes, rounded up. The effects of an upgrade count only if all its boxes are marked.
    Marks for upgrades that the sheet does not have are ignored, because a check reports them. Source: Rules Reference,
    "Customizable".
    """
    boxes = spent = 0
    traits, slots, tags, limit = card.traits, card.slots, card.tags, card.limit
    for mark in marks:
        if not 0 <= mark.index < len(card.sheet) or mark.spent < 0:
            continue
        box = card.sheet[mark.index]
        paid = min(mark.spent, box.cost)
        spent += paid
        boxes += min(paid, box.level_boxes)
        if paid < box.cost:
            continue
        traits = box.traits or traits
        slots = box.slots or slots
        tags = tags | box.tags
        limit = box.limit or limit
        if box.chooses == "slot":
            slots = _without(slots, mark.chosen)
    level = min((boxes + 1) // 2, HIGHEST_LEVEL)
    return replace(card, level=level, spent=spent, traits=traits, slots=slots, tags=tags, limit=limit)


def _without(slots: tuple[str, ...], chosen: str) -> tuple[str, ...]:
    """Return `slots` without the chosen slot, which deck files give by index or by name."""
    if chosen.isdecimal() and int(chosen) < len(slots):
        chosen = slots[int(chosen)]
    left = list(slots)
    if chosen.casefold() in left:
        left.remove(chosen.casefold())
    return tuple(left)
