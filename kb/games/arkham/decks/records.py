"""Builds the model from plain records (`cards/arkham/` as the catalog hands them out)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kb.games.arkham.decks.model import Box, Card, Cycle, Pack, TabooRow
from kb.games.arkham.decks.options import (
    NO_BUYING,
    NO_NAMES,
    NOT_SPECIAL,
    NOTHING,
    AtLeast,
    Attach,
    Build,
    Buying,
    Choice,
    Discount,
    FromCards,
    Names,
    Option,
    SignatureCount,
    Special,
    Wanted,
)

Record = Mapping[str, Any]


def card_of(record: Record, root: Record) -> Card:
    """The card of a record; `root` is the record of its first printing, whose special row a reprint shares."""
    restrictions = record.get("restrictions", NOTHING)
    return Card(
        code=record["code"],
        root=root["code"],
        name=record["name"],
        title=record["name"].casefold(),
        subtitle=record.get("subtitle", ""),
        type=record["type"],
        subtype=record.get("subtype", ""),
        classes=frozenset(record["class"]),
        level=record.get("level"),
        traits=_small(record.get("traits", ())),
        slots=tuple(slot.casefold() for slot in record.get("slots", ())),
        uses=record.get("uses", ""),
        tags=frozenset(record.get("tags", ())),
        limit=root.get("limit") if "special" in root else record.get("limit"),
        quantity=record["quantity"],
        pack=record["pack"],
        permanent=record.get("permanent", False),
        exceptional=record.get("exceptional", False),
        myriad=record.get("myriad", False),
        exile=record.get("exile", False),
        unique=record.get("unique", False),
        hidden=record.get("hidden", False),
        researched=record.get("researched", False),
        campaign_only=record.get("campaign_only", False),
        bonded_to=record.get("bonded", NOTHING).get("to", ""),
        story="encounter" in record,
        only_investigators=frozenset(restrictions.get("investigators", ())),
        only_traits=_small(restrictions.get("traits", ())),
        only_classes=frozenset(restrictions.get("classes", ())),
        set=record.get("set", ""),
        sheet=sheet_of(record.get("sheet", ())),
        build=build_of(record["deck"]) if "deck" in record else None,
        side_build=build_of(record["side_deck"]) if "side_deck" in record else None,
        alternate_of=record.get("alternate_of", ""),
        back=record.get("back", ""),
        special=special_of(record.get("special") or root.get("special")),
    )


def wanted_of(record: Record) -> Wanted:
    """What a record asks of a card."""
    level = record.get("level")
    return Wanted(
        classes=frozenset(record.get("class", ())),
        traits=_small(record.get("trait", ())),
        types=frozenset(record.get("type", ())),
        uses=frozenset(_plural(record.get("uses", ()))),
        tags=frozenset(record.get("tag", ())),
        slots=_small(record.get("slot", ())),
        level=(level[0], level[1]) if level else None,
        permanent=record.get("permanent"),
    )


def option_of(record: Record) -> Option:
    """One deckbuilding option."""
    wanted = wanted_of(record)
    least = record.get("at_least")
    return Option(
        wanted=wanted,
        forbids=record.get("not", False),
        limit=record.get("limit", 0),
        other=record.get("other", True),
        at_least=AtLeast(least["min"], wanted, least.get("classes", 0)) if least else None,
        only_counts=record.get("only_counts", False),
        choice=_choice_of(record),
    )


def build_of(record: Record) -> Build:
    """Deck size, options and requirements."""
    return Build(
        size=record["size"],
        options=tuple(option_of(option) for option in record["options"]),
        slots=tuple(tuple(slot) for slot in record["cards"]),
        random_weaknesses=record["random_weaknesses"],
    )


def sheet_of(rows: Any, printed: tuple[Box, ...] = ()) -> tuple[Box, ...]:
    """An upgrade sheet. A taboo changes what boxes cost, never the level (`printed` is the sheet without the taboo)."""
    boxes = []
    for index, row in enumerate(rows):
        cost = row["boxes"]
        boxes.append(
            Box(
                cost=cost,
                level_boxes=printed[index].level_boxes if index < len(printed) else cost,
                chooses=row.get("choose", ""),
                traits=_small(row.get("traits", ())),
                slots=tuple(slot.casefold() for slot in row.get("slots", ())),
                tags=frozenset(row.get("tags", ())),
                limit=row.get("limit", 0),
            )
        )
    return tuple(boxes)


def taboo_row_of(record: Record, card: Card) -> TabooRow:
    """What a taboo row changes about a card."""
    return TabooRow(
        experience=record.get("experience", 0),
        exceptional=record.get("exceptional"),
        forbidden=record.get("forbidden", False),
        limit=record.get("limit"),
        build=build_of(record["deck"]) if "deck" in record else None,
        sheet=sheet_of(record.get("sheet", ()), card.sheet),
    )


def pack_of(record: Record) -> Pack:
    """A product; reprints of campaign cards are no reprints of player cards."""
    reprints = record.get("reprints", NOTHING)
    return Pack(
        code=record["code"],
        name=record["name"],
        cycle=record["cycle"],
        released=record.get("released", ""),
        reprints=tuple(reprints["packs"]) if reprints.get("cards") == "player" else (),
        returns_to=record.get("returns_to", ""),
    )


def cycle_of(record: Record) -> Cycle:
    """A group of products."""
    return Cycle(record["code"], record["name"], record["position"], record.get("expansion", False))


def special_of(record: Record | None) -> Special:
    """What a row of special.yaml says."""
    if not record:
        return NOT_SPECIAL
    limit = record.get("trait_limit")
    back = record.get("back", NOTHING)
    return Special(
        deck_size=record.get("deck_size", 0),
        gains=option_of(record["gains"]) if "gains" in record else None,
        forbids=option_of({**record["forbids"], "not": True}) if "forbids" in record else None,
        single_copies=record.get("single_copies", False),
        subtitle_limit=record.get("subtitle_limit", 0),
        trait_limit=(limit["trait"], limit["max"]) if limit else None,
        at_least=_at_least(record.get("at_least", ())),
        at_creation=record.get("at_creation", False),
        stands_for_basic=record.get("stands_for_basic", ""),
        beyond_size=record.get("beyond_size", 0),
        attach=_attach_of(record["attach"]) if "attach" in record else None,
        experience=record.get("experience", 0),
        starting_experience=record.get("starting_experience", 0),
        keeps_lower=_small(record.get("keeps_lower", ())),
        front_cards=_from_cards(record.get("front", NOTHING).get("cards", ())),
        back_cards=_from_cards(back.get("cards", ())),
        back_at_least=_at_least(back.get("at_least", ())),
        counts=tuple(_count_of(row) for row in record.get("counts", ())),
        replaces_signatures=record.get("replaces_signatures", False),
        buying=_buying_of(record["buying"]) if "buying" in record else NO_BUYING,
    )


def _buying_of(record: Record) -> Buying:
    row = record.get("discount")
    discount = None
    if row:
        traits = _small(row.get("trait", ()))
        discount = Discount(row["when"], row["cards"], row["less"], traits, row.get("at_once", False))
    return Buying(
        swaps=record.get("swaps", 0),
        discount=discount,
        dearer=record.get("dearer", 0),
        second_free=_small(record.get("second_free", ())),
        earns=record.get("earns", 0),
        earns_nothing=record.get("earns_nothing", False),
        marks_boxes=record.get("marks_boxes", False),
        frozen=record.get("frozen", False),
        trauma=record.get("trauma", NOTHING),
        one_class=record.get("one_class", False),
    )


def _choice_of(record: Record) -> Choice | None:
    if "choice" not in record:
        return None
    return Choice(
        name=record["choice"],
        classes=tuple(record.get("choose_class", ())),
        sizes=tuple(record.get("choose_size", ())),
        options={row["id"]: (wanted_of(row), row.get("size", 0)) for row in record.get("choose_option", ())},
    )


def _attach_of(record: Record) -> Attach:
    return Attach(
        called=record["called"],
        wanted=wanted_of(record),
        exactly=record.get("exactly", 0),
        at_most=record.get("at_most", 0),
        different=record.get("different", False),
        only_copy=record.get("only_copy", False),
        includes=record.get("includes", ""),
    )


def _from_cards(rows: Any) -> tuple[FromCards, ...]:
    return tuple(
        FromCards(
            codes=tuple(row["any_of"]),
            least=row["min"],
            most=row["max"],
            each=row["each"],
            at_start=row.get("at_start", 0),
            per_experience=row.get("per_experience", 0),
        )
        for row in rows
    )


def _at_least(rows: Any) -> tuple[AtLeast, ...]:
    return tuple(AtLeast(row["min"], wanted_of(row), row.get("classes", 0)) for row in rows)


def _count_of(row: Record) -> SignatureCount:
    return SignatureCount(
        code=row["code"],
        by_size={int(size): count for size, count in row.get("by_size", NOTHING).items()},
        as_many_as=tuple(row.get("as_many_as", ())),
        least=row.get("min", 0),
        most=row.get("max", 0),
    )


def _small(names: Any) -> Names:
    return frozenset(name.casefold() for name in names) if names else NO_NAMES


def _plural(kinds: Any) -> list[str]:
    """Kinds of uses as card records write them; an option may name the singular besides."""
    return [kind for kind in kinds if f"{kind}s" not in kinds]
