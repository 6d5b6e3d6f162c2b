"""Reads a folder of card data in ArkhamDB's public layout, and turns the cards into records of facts.

Records contain no rules text, flavour text or pictures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kb.errors import KbError
from kb.files.folders import is_plain
from kb.files.text import one_line, read_bounded
from kb.frozen import frozen
from kb.games.arkham.schema.cards import SKILLS, CardRecord
from kb.games.arkham.schema.keywords import KEYWORDS
from kb.shapes import Jsonable
from kb.sources.arrays import ArrayError, elements

Record = dict[str, Any]

_LISTS = ("packs", "cycles", "taboos", "encounters")
_TRANSLATED = ("name", "subname", "traits", "text", "flavor", "back_name", "back_text", "back_flavor")
# keys whose values are used in the names of files and pages
_CODES = ("code", "pack_code", "encounter_code", "duplicate_of", "alternate_of", "back_link")
_LONGEST_CHAIN = 20
LARGEST_FILE, LARGEST_FOLDER, MOST_FILES = 64_000_000, 256_000_000, 20_000


class ImportFailed(KbError):
    """The folder cannot be imported. The message is a sentence that names the file and, if there is one, the record."""


@frozen
class Skipped(Jsonable):
    """A record that the import left out."""

    file: str
    """The file that contains the record."""
    code: str
    """Code of the card."""
    reason: str
    """The reason why the record was left out."""


@dataclass(slots=True)
class ArkhamDB:
    """The content of a folder of card data.

    - `cards`: the records of all cards, by code. A reprint includes the values of its original, and a hidden side the
      restrictions of its front.
    - `facts`: kb's records of player cards, by code.
    - `packs`, `cycles`, `taboos`, `encounters`: the records of these lists.
    - `translations`: for each language, the translated texts by code.
    - `skipped`: the records left out.
    - `files`: the number of files read.
    """

    cards: dict[str, Record] = field(default_factory=dict)
    facts: dict[str, Record] = field(default_factory=dict)
    packs: list[Record] = field(default_factory=list)
    cycles: list[Record] = field(default_factory=list)
    taboos: list[Record] = field(default_factory=list)
    encounters: list[Record] = field(default_factory=list)
    translations: dict[str, dict[str, Record]] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)
    files: int = 0


def read_folder(folder: Path) -> ArkhamDB:
    """Read `pack/**/*.json` in `folder`, and, if they exist, the lists next to `pack` and `translations/*/pack`.

    Raises ImportFailed if the folder has no cards. For a broken file, the message names the file and the record.
    """
    if not (folder / "pack").is_dir():
        raise ImportFailed(f"{folder} has no `pack` folder. Give the folder that contains `pack` and `packs.json`.")
    _refuse_endless(folder)
    database = ArkhamDB()
    for name in _LISTS:
        if (folder / f"{name}.json").is_file():
            getattr(database, name).extend(_records(folder, folder / f"{name}.json"))
            database.files += 1
    raw: dict[str, tuple[str, Record]] = {}
    for path in sorted((folder / "pack").rglob("*.json")):
        database.files += 1
        shown = one_line(path.relative_to(folder).as_posix())
        for record in _records(folder, path):
            code = record["code"]
            if code in raw:
                database.skipped.append(Skipped(shown, code, f"the code is already in {raw[code][0]}"))
            else:
                raw[code] = (shown, record)
    _join_sides(raw)
    for code, (shown, _) in raw.items():
        complete = _complete(code, raw)
        if complete is not None:
            database.cards[code] = complete
            if facts := _facts(shown, complete):
                database.facts[code] = facts
        else:
            wrong = f"its original {str(raw[code][1]['duplicate_of'])[:60]} is not in the folder"
            database.skipped.append(Skipped(shown, code, wrong))
    for language in sorted((folder / "translations").glob("*/pack")):
        database.translations[language.parent.name] = dict(_translations(folder, language))
    return database


def _refuse_endless(folder: Path) -> None:
    """Raise ImportFailed if the folder contains more data than kb reads. No folder of card data is that large."""
    size = 0
    for files, path in enumerate(folder.rglob("*.json"), 1):
        size += path.stat().st_size if path.is_file() else 0
        if files > MOST_FILES or size > LARGEST_FOLDER:
            raise ImportFailed(
                f"{folder} contains more than {MOST_FILES:,} files or {LARGEST_FOLDER // 1_000_000} MB of JSON: "
                "it is not a copy of ArkhamDB's card data. Nothing was changed."
            )


def _join_sides(raw: dict[str, tuple[str, Record]]) -> None:
    """Give each hidden side of a card the code and the restrictions of its front. ArkhamDB has both only in the record
    of the front: its `back_link` names the hidden side.

    A side that several fronts name, such as a shared back, is unchanged.
    """
    fronts: dict[str, list[str]] = {}
    for code, (_, record) in raw.items():
        if record.get("back_link"):
            fronts.setdefault(str(record["back_link"]), []).append(code)
    for code, named in fronts.items():
        shown, side = raw.get(code, ("", {}))
        if side.get("hidden") and len(named) == 1:
            front = {"restrictions": raw[named[0]][1].get("restrictions"), "back_link": named[0]}
            raw[code] = shown, side | {key: value for key, value in front.items() if value and not side.get(key)}


def _complete(code: str | None, raw: dict[str, tuple[str, Record]]) -> Record | None:
    """Return the record with the code, completed with the values of its original (`duplicate_of`), the original's
    original, and so on. Errata dates are left out of that: they are about a single printing.

    The result is None if an original is missing, or if the chain is endless.
    """
    chain: list[str] = []
    while code is not None:
        if not isinstance(code, str) or code not in raw or len(chain) > _LONGEST_CHAIN:
            return None
        chain.append(code)
        code = raw[code][1].get("duplicate_of")
    complete: Record = {}
    for each in reversed(chain):
        complete.pop("errata_date", None)
        complete |= raw[each][1]
    return complete | ({"duplicate_of": chain[-1]} if len(chain) > 1 else {})


def _facts(shown: str, raw: Record) -> Record | None:
    """Return kb's record of a player card; None for a scenario card.

    Raises ImportFailed if the record is invalid or a code is not a plain name. `shown` is the file to name in the
    message.
    """
    from kb.sources.validation import (
        faults,
    )  # imported here, because the page that checks decks in a browser does not have it

    facts = None
    wrong = [f"`{key}` is not a plain name" for key in _CODES if not is_plain(str(raw.get(key) or "0"))]
    if not wrong and raw.get("faction_code") != "mythos":
        try:
            facts = card_facts(raw)
            wrong = faults(CardRecord, facts)
        except (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError) as error:
            wrong = [f"it is not in ArkhamDB's format ({str(error)[:200]})"]
    if wrong:
        raise ImportFailed(f"{shown}: record {raw['code'][:60]}: {'; '.join(wrong)}. Nothing was changed.")
    return facts


def _records(folder: Path, path: Path) -> Iterator[Record]:
    """Yield the records in a file. Raises ImportFailed if the file is not a JSON array of objects, each with a text
    under `code`.
    """
    shown = one_line(path.relative_to(folder).as_posix())
    try:
        for number, (_, record) in enumerate(elements(read_bounded(path, LARGEST_FILE).decode("utf-8")), 1):
            if not isinstance(record, dict) or not isinstance(record.get("code"), str) or not record["code"]:
                raise ImportFailed(f"{shown}: record {number} is not an object with a `code`. Nothing was changed.")
            yield record
    except (UnicodeDecodeError, OSError) as error:
        wrong = getattr(error, "strerror", None) or error
        raise ImportFailed(f"{shown} cannot be read: {wrong}. Nothing was changed.") from error
    except ArrayError as error:
        raise ImportFailed(f"{shown}:{error.line}: the file {error.what}. Nothing was changed.") from error


def _translations(folder: Path, language: Path) -> Iterator[tuple[str, Record]]:
    for path in sorted(language.rglob("*.json")):
        for record in _records(folder, path):
            yield record["code"], {name: record[name] for name in _TRANSLATED if record.get(name)}


# tags that stand for a condition on a card's text, and kb's words for them
TAGS = {
    "hh": "heals-horror",
    "hd": "heals-damage",
    "pa": "parley",
    "se": "seal",
    "fa": "names-firearm",
}
_LARGEST_DECK = 999
_OTHER = re.compile(r"\bother\b")
_ASKED = {"faction": "class", "trait": "trait", "type": "type", "uses": "uses", "slot": "slot"}


def deck_of(raw: Record) -> Record:
    """Return the deckbuilding facts on an investigator's back: deck size, options, signature cards, random basic
    weaknesses.
    """
    return {**requirements(raw["deck_requirements"]), "options": options(raw.get("deck_options") or [], has_other(raw))}


def has_other(raw: Record) -> bool:
    """Return True if the printed deckbuilding options contain the word "other".

    If they do, a limited option takes only cards that no other option allows.
    """
    _, _, rest = (raw.get("back_text") or "").partition("Deckbuilding Options")
    return bool(_OTHER.search(rest.partition("Deckbuilding Requirements")[0]))


def side_deck_of(raw: Record) -> Record:
    """Return the facts about an extra deck: its size (not counting required cards), options and required cards."""
    return {**requirements(raw["side_deck_requirements"]), "options": options(raw["side_deck_options"], False)}


def requirements(text: str | Record) -> Record:
    """Convert deck requirements to kb's keys `size`, `cards` and `random_weaknesses`.

    `text` is a text such as `"size:30, card:01006:90030, random:subtype:basicweakness"`, or the object in a taboo
    list. In the result, `cards` has a list for each required card: its code and the codes of possible replacements.
    """
    required: Record = {"size": 0, "cards": [], "random_weaknesses": 0}
    if isinstance(text, str):
        for part in text.split(","):
            kind, *values = part.strip().split(":")
            if kind == "size":
                required["size"] = _deck_size(values[0])
            elif kind == "card":
                required["cards"].append(values)
            elif kind == "random":
                required["random_weaknesses"] += 1
    else:
        required["size"] = _deck_size(text.get("size") or 0)
        required["cards"] = [list(slot) for slot in (text.get("card") or {}).values()]
        required["random_weaknesses"] = len(text.get("random") or [])
    return required


def _deck_size(number: str | int) -> int:
    """Return a deck size as a number. Raises ValueError if it is impossible."""
    size = int(number) if len(str(number)) <= 4 else _LARGEST_DECK + 1
    if not 0 <= size <= _LARGEST_DECK:
        raise ValueError(f"a deck has up to {_LARGEST_DECK} cards, not {str(number)[:40]}")
    return size


def options(theirs: list[Record], other: bool) -> list[Record]:
    """Convert ArkhamDB's deckbuilding options (`theirs`) to kb's keys, in the same order.

    `other` is True if the printed text of a limited option contains the word "other" (ruling 1.15).
    """
    ours: list[Record] = []
    for option in theirs:
        row: dict[str, Any] = {}
        if option.get("not"):
            row["not"] = True
        for name, our_name in _ASKED.items():
            if option.get(name):
                row[our_name] = option[name]
        if tags := option.get("tag"):
            known = [TAGS[tag] for tag in tags if tag in TAGS]
            if not known:
                continue  # no card has this tag: another option names the same cards
            row["tag"] = known
        for name in ("level", "base_level"):
            if name in option:
                row[name] = [option[name]["min"], option[name]["max"]]
        if "permanent" in option:
            row["permanent"] = option["permanent"]
        if "limit" in option:
            row["limit"] = option["limit"]
            row["other"] = other
        if option.get("atleast"):
            names = {"min": "min", "factions": "classes"}
            row["at_least"] = {names[name]: number for name, number in option["atleast"].items() if name in names}
        if option.get("ignore_match"):
            row["only_counts"] = True
        row |= _choices(option)
        if row:
            ours.append(row)
    return ours


def _choices(option: Record) -> Record:
    """Return the keys for a choice that the player makes when the deck is built: a class, a deck size, or one of
    several options.
    """
    row: Record = {}
    if "faction_select" in option:
        row["choose_class"] = option["faction_select"]
        row["choice"] = option.get("id", "faction_selected")
    if "deck_size_select" in option:
        row["choose_size"] = [_deck_size(size) for size in option["deck_size_select"]]
        row["choice"] = "deck_size_selected"
    if "option_select" in option:
        row["choose_option"] = [
            {**{name: choice[name] for name in ("id", "size") if name in choice}, **_only(options([choice], False))}
            for choice in option["option_select"]
        ]
        row["choice"] = "option_selected"
    return row


def _only(rows: list[Record]) -> Record:
    """Return the first of `rows`, the options for one value of a choice. Raises ValueError if there are none."""
    if not rows:
        raise ValueError("one of its `option_select` values does not say which cards it allows")
    return rows[0]


_ENEMY = ("fight", "evade", "damage", "horror")
_VALUES = {name: name for name in ("health", "sanity", "victory", "vengeance")} | {
    f"enemy_{name}": name for name in _ENEMY
}
_SIDES = ("hidden", "double_sided")
_LINKS = {
    "duplicate_of": "duplicate_of",
    "alternate_of": "alternate_of",
    "back_link": "back",
    "encounter_code": "encounter",
}
_USES = re.compile(r"\b[Uu]ses? \((?:X|\d+)(?: \[per_investigator\])? ([a-z]+)[^)]*\)")
_UPGRADE_NAME = re.compile(r"<b>\s*([^<>]{1,60}?)[\s.:]*</b>")
_MOST_SLOTS = 9
_NO_PLURAL = ("ammo", "evidence", "time", "aether", "durability", "renown", "brilliance", "inspiration")
_SET = re.compile(r"\b(Advanced|Replacement)\.")


def card_facts(raw: Record) -> Record:
    """Return kb's record of a card from ArkhamDB's record `raw`. Keys without a value are left out."""
    values = {key: value for key, value in raw.items() if value is not None}
    kind, subtype, cost = raw["type_code"], values.get("subtype_code"), raw.get("cost", "")
    builds = kind == "investigator" and raw.get("deck_requirements")
    shows_zero = kind == "investigator"  # a skill value of 0; on other cards, 0 icons are no icons
    facts = {
        "code": raw["code"],
        "name": raw["name"],
        "type": kind,
        "subtitle": values.get("subname", ""),
        "class": [raw[key] for key in ("faction_code", "faction2_code", "faction3_code") if raw.get(key)],
        "subtype": "basic weakness" if subtype == "basicweakness" else subtype or "",
        "level": values.get("xp", ""),
        "cost": "" if kind not in ("asset", "event") else "X" if cost == -2 else cost,
        "skills": {
            name: value for name in SKILLS if (value := values.get(f"skill_{name}")) or (value == 0 and shows_zero)
        },
        "traits": split_traits(raw.get("traits")),
        "slots": split_slots(raw.get("slot")),
        **{ours: values.get(theirs, "") for theirs, ours in _VALUES.items()},
        "limit": values.get("deck_limit", ""),
        "quantity": raw.get("quantity", 1),
        "keywords": keywords_of(raw),
        **{flag: True for flag in _SIDES if raw.get(flag)},
        "bonded": {"to": raw["bonded_to"], "count": _set_aside(raw)} if raw.get("bonded_to") else "",
        **_from_text(raw),
        "restrictions": parse_restrictions(raw.get("restrictions")),
        "sheet": sheet(raw.get("customization_options") or [], raw.get("customization_text") or ""),
        "deck": deck_of(raw) if builds else "",
        "side_deck": side_deck_of(raw) if builds and raw.get("side_deck_options") else "",
        **{ours: raw.get(theirs) or "" for theirs, ours in _LINKS.items()},
        "pack": raw["pack_code"],
        "position": raw.get("position", 0),
        "errata_date": raw.get("errata_date") or "",
    }
    return {key: value for key, value in facts.items() if value not in ("", [], {})}


def _set_aside(raw: Record) -> int:
    """Return the number of copies of a bonded card to set aside: as many as the product contains (FAQ 1.19).

    ArkhamDB's `bonded_count` is 1 for some cards with two copies. It only counts if the data has no `quantity`.
    """
    return int(raw.get("quantity") or raw.get("bonded_count") or 1)


def split_traits(traits: str | None) -> list[str]:
    """Convert `"Item. Weapon. Melee."` to `["Item", "Weapon", "Melee"]`."""
    return [part.strip() for part in (traits or "").split(".") if part.strip()]


def split_slots(slot: str | None) -> list[str]:
    """Convert `"Hand x2. Arcane"` to `["Hand", "Hand", "Arcane"]`. Raises ValueError for an impossible number."""
    slots: list[str] = []
    for part in (slot or "").split("."):
        name, _, times = part.strip().partition(" x")
        if name:
            if (not times.isdecimal() and times) or len(times) > 1 or times == "0":
                raise ValueError(f"a card takes a slot at most {_MOST_SLOTS} times, not {times[:40]!r}")
            slots += [name] * int(times or 1)
    return slots


def split_tags(tags: str | None) -> list[str]:
    """Convert ArkhamDB's tags, such as `"hd.hh."`, to kb's tags for effects of a card's text. Unknown tags are left
    out.
    """
    return [TAGS[part] for part in (tags or "").split(".") if part in TAGS]


def parse_restrictions(text: str | None) -> Record:
    """Convert `"trait:civic, trait:socialite"` to `{"traits": ["civic", "socialite"]}`. An investigator needs only
    one of the listed values.
    """
    restrictions: Record = {}
    names = {"investigator": "investigators", "trait": "traits", "faction": "classes"}
    for part in (text or "").split(","):
        kind, *values = part.strip().split(":")
        if kind in names:
            restrictions.setdefault(names[kind], []).extend(values)
    return restrictions


def sheet(options: list[Record], text: str = "") -> list[Record]:
    """Convert an upgrade sheet to kb's records of upgrades, in the order of the sheet. Deck files refer to this order.

    `options` are ArkhamDB's data. `text` is the printed sheet. Only the names of its upgrades are kept.
    """
    rows: list[Record] = []
    printed = text.split("\n")
    names = printed if len(printed) == len(options) else [""] * len(options)
    for option, line in zip(options, names, strict=True):
        row: dict[str, Any] = {"boxes": option.get("xp", 0)}
        if name := _UPGRADE_NAME.search(line):
            row["name"] = name[1]
        if option.get("choice"):
            row["choose"] = {
                "choose_trait": "trait",
                "choose_skill": "skill",
                "choose_card": "card",
                "remove_slot": "slot",
            }[option["choice"]]
            if option.get("quantity"):
                row["count"] = option["quantity"]
            if card := option.get("card"):
                row["among"] = {"type": card.get("type", []), "trait": card.get("trait", [])}
        if "real_traits" in option:
            row["traits"] = split_traits(option["real_traits"])
        if "real_slot" in option:
            row["slots"] = split_slots(option["real_slot"])
        if tags := split_tags(option.get("tags")):
            row["tags"] = tags
        row |= {name: option[name] for name in ("cost", "health", "sanity") if name in option}
        if "deck_limit" in option:
            row["limit"] = option["deck_limit"]
        rows.append(row)
    return rows


def keywords_of(raw: Record) -> list[str]:
    """Return the names of a card's keywords, found in its data or in its text."""
    text = raw.get("text") or ""
    return [word.name for word in KEYWORDS if raw.get(word.key) or (word.text and re.search(word.text, text))]


def _from_text(raw: Record) -> Record:
    """Return the kind of uses and the signature set, which only a card's text contains, and the card's tags."""
    text = raw.get("text") or ""
    facts: Record = {}
    if uses := _USES.search(text):
        facts["uses"] = uses[1] if uses[1].endswith("s") or uses[1] in _NO_PLURAL else f"{uses[1]}s"
    if tags := split_tags(raw.get("tags")):
        facts["tags"] = tags
    if raw.get("restrictions") and (match := _SET.search(text)):
        facts["signature_set"] = match[1].lower()
    return facts
