"""Cards that a player brings to Pathfinder: promotional and own cards, those of Class Decks, and copies that are owned.

How they are used follows the entries: pathfinder/mm/class-decks (with any Adventure Path, B from the first session on, a number
with the adventure of that number), pathfinder/mm/promotional-cards, pathfinder/mm/set-indicators.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from kb.decks.names import did_you_mean, either, name_key
from kb.games.pathfinder import own_characters
from kb.games.pathfinder.records import CardType, Product
from kb.own_records import CARD, CHARACTER, COPIES, FACTS
from kb.records import RecordError, key, read
from kb.sources.cards import slug
from kb.sources.own_cards import MOST_COPIES, Column, Known, OwnCardError, Record

NUMBERED = ("B", "1", "2", "3", "4", "5", "6")


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRow:
    """A row of a table of one's own cards."""

    name: str = key("Its name.")
    copies: int | None = key(
        "Copies that you own; left out of a card of your own: one.", default=None, least=0, most=MOST_COPIES
    )
    set: Literal["", "rotr", "mm"] = key(
        "The set it is used with, `rotr` or `mm`; left out of a card of your own: with every set.", default=""
    )
    type: CardType | Literal[""] = key(
        "Its card type, or `character`. Leave it out of a card that kb knows.", default=""
    )
    deck: Product | Literal[""] = key(
        "What is printed in its upper right corner: `B`, a number from 1 to 6, `P`.", default=""
    )
    class_deck: str = key("The Class Deck it is of, such as `Cleric`; left out: none.", default="")
    basic: bool | None = key("Whether it has the trait Basic.", default=None)
    elite: bool | None = key("Whether it has the trait Elite.", default=None)
    loot: bool | None = key("Whether it is loot.", default=None)
    owner: str = key("The character of its Owner trait.", default="")
    traits: tuple[str, ...] | None = key("Its traits.", default=None)
    also_called: tuple[str, ...] = key("Other names that decks may use for it.", default=())

    def faults(self) -> Iterator[str]:
        """What does not agree with itself."""
        for flag, trait in ((self.basic, "Basic"), (self.elite, "Elite")):
            if self.traits is not None and flag is not None and flag != (trait in self.traits):
                yield f"has `{trait.lower()}` {'yes' if flag else 'no'}, but its traits say otherwise; write it in one of the two columns"
        if self.class_deck and self.deck and self.deck not in NUMBERED:
            yield f"is of a Class Deck with `deck` {self.deck}; its cards have B or a number from 1 to 6"

    def flag(self, trait: str) -> bool | None:
        """Whether it has a trait, by the column of its name or the list of traits; None when neither tells."""
        said: bool | None = getattr(self, trait.lower())
        return said if said is not None or self.traits is None else trait in self.traits


KINDS: dict[str, Literal["text", "number", "yes or no", "list"]] = {
    "copies": "number", "basic": "yes or no", "elite": "yes or no", "loot": "yes or no", "traits": "list", "also_called": "list",
}  # fmt: skip
ALSO = {
    "name": ("card", "card name"), "copies": ("count", "quantity", "number", "owned"), "type": ("card type",),
    "deck": ("set indicator", "adventure deck", "adventure deck number", "level"), "class_deck": ("class",), "owner": ("owner trait",),
}  # fmt: skip
columns = (
    tuple(
        Column(each.name, each.metadata["meaning"], KINDS.get(each.name, "text"), ALSO.get(each.name, ()))
        for each in OwnRow.__dataclass_fields__.values()
    )
    + own_characters.columns
)
samples = (
    {"name": "Dagger", "copies": "3", "set": "rotr"},
    {"name": "Sample Mace +1", "copies": "1", "type": "weapon", "deck": "1", "class_deck": "Cleric", "basic": "no", "traits": "Mace; Magic"},
    {"name": "Sample Promo", "copies": "1", "set": "mm", "type": "item", "deck": "P", "basic": "no", "owner": "Ezren"},
    own_characters.sample,
)  # fmt: skip
further = own_characters.further
OF_CHARACTERS = {each.name for each in own_characters.columns} | further


Index = Mapping[str, Sequence[Record]]


def index(known: Known) -> Index:
    """The cards of the sets by what they are called."""
    found: dict[str, list[Record]] = {}
    for record in known.get("card", ()):
        for name in dict.fromkeys(map(name_key, (record["name"], *record.get("also_called", ())))):
            found.setdefault(name, []).append(record)
    return found


def records(row: Mapping[str, Any], index: Index, strict: bool) -> list[tuple[str, Record]]:
    """The records that a row makes; see `kb.sources.own_cards.OwnCards`."""
    if own_characters.is_character(row):
        return [(CHARACTER, own_characters.character(row))]
    if strange := sorted(OF_CHARACTERS & row.keys()):
        raise OwnCardError(f"{row.get('name')} has `{strange[0]}`, which only a row of type `character` has")
    try:
        made = read(OwnRow, row)
    except RecordError as error:
        raise OwnCardError(*map(str, error.wrong)) from None
    found = [] if made.class_deck else _known(made, index)
    if len(found) > 1 and not made.set:
        sets = either(sorted(str(record["set"]) for record in found))
        raise OwnCardError(f"{made.name} is in several sets; write {sets} into `set`")
    if found:
        return _of_known(made, found[0], strict)
    return [(CARD, _card(made, index))]


def named(record: Record) -> str:
    """What no two cards of one's own may share: name, set and Class Deck."""
    first = f"{own_characters.CHARACTER}:" if record["type"] == own_characters.CHARACTER else ""
    return first + "/".join(name_key(str(record[part] or "")) for part in ("name", "set", "class_deck"))


def _known(row: OwnRow, index: Index) -> list[Record]:
    """The cards of the sets that are called so."""
    return [record for record in index.get(name_key(row.name), ()) if row.set in ("", record["set"])]


def _of_known(row: OwnRow, record: Record, strict: bool) -> list[tuple[str, Record]]:
    """How many copies of a card are owned, and what the facts do not know of it."""
    said: dict[str, Any] = {"type": row.type or None, "basic": row.flag("Basic"), "elite": row.flag("Elite"), "loot": row.loot,
            "owner": row.owner or None, "deck": row.deck or None}  # fmt: skip
    against = [
        f"`{field}` of {record['name']} is {_shown(record[field])} by the facts that kb has, not {_shown(value)}; leave it out"
        for field, value in said.items()
        if value is not None and not _agrees(field, value, record)
    ]
    if against and strict:
        raise OwnCardError(*against)
    card = {
        "card": f"pathfinder/{record['set']}/cards/{slug(record['name'])}",
        "name": record["name"],
        "set": record["set"],
    }
    made: list[tuple[str, Record]] = [] if row.copies is None else [(COPIES, {**card, "copies": row.copies})]
    said["traits"] = list(row.traits) if row.traits is not None else None
    if filled := {field: value for field, value in said.items() if value is not None and record.get(field) is None}:
        made.append((FACTS, {**card, **filled}))
    if not made and strict:
        raise OwnCardError(f"kb knows {record['name']} already; say in `copies` how many you own")
    return made


def _agrees(field: str, value: object, record: Record) -> bool:
    known = record.get(field)
    if field == "deck":
        return known is None or value in record["copies"]
    if field == "owner":
        return known is not None and name_key(str(known)) == name_key(str(value))
    return known is None or known == value


def _shown(value: object) -> str:
    return {True: "yes", False: "no", None: "nothing"}.get(value, str(value))  # type: ignore[call-overload, no-any-return]


def _card(row: OwnRow, index: Index) -> Record:
    """A card that kb does not know, with the keys of its own cards."""
    if not row.type or not row.deck:
        missing = " and ".join(f"`{field}`" for field in ("type", "deck") if not getattr(row, field))
        if row.type or row.deck or row.class_deck:
            raise OwnCardError(f"{row.name} needs {missing}: the card itself tells")
        names = (str(each["name"]) for found in index.values() for each in found if row.set in ("", each["set"]))
        where = f" in {row.set}" if row.set else ""
        hint = did_you_mean(row.name, names).strip()
        raise OwnCardError(
            f"there is no card {row.name!r}{where}.{' ' + hint if hint else ''} A card of your own needs {missing}"
        )
    return {
        "name": row.name, "also_called": list(row.also_called), "type": row.type, "set": row.set or "own", "deck": row.deck,
        "copies": {row.deck: 1 if row.copies is None else row.copies}, "basic": row.flag("Basic"), "elite": row.flag("Elite"),
        "loot": bool(row.loot), "owner": row.owner or None, "traits": None if row.traits is None else list(row.traits),
        "class_deck": row.class_deck or None, "owned": 1 if row.copies is None else row.copies,
    }  # fmt: skip
