"""Reads a folder in the public ArkhamDB data layout into plain, complete records."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kb.errors import KbError
from kb.files.inside import is_plain
from kb.files.read import read_bounded

Record = dict[str, Any]

_LISTS = ("packs", "cycles", "taboos", "encounters")
_REQUIRED = ("name", "type_code", "faction_code", "pack_code")
_TRANSLATED = ("name", "subname", "traits", "text", "flavor", "back_name", "back_text", "back_flavor")
_TEXTS = ("faction2_code", "faction3_code", "subname", "traits", "slot", "text", "back_text")
_NUMBERS = ("xp", "cost", "quantity", "deck_limit", "position")
# Codes become the names of files and pages.
_CODES = ("code", "pack_code", "cycle_code", "encounter_code", "duplicate_of", "alternate_of", "back_link")
_HIGHEST = 1_000_000
LARGEST_FILE, LARGEST_FOLDER, MOST_FILES = 64_000_000, 256_000_000, 20_000


class ImportFailed(KbError):
    """The folder cannot be read. The message is a sentence that names the file and, where there is one, the record."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record that was left out, and why."""

    file: str
    code: str
    reason: str


@dataclass(slots=True)
class ArkhamDB:
    """What a folder holds. `cards` are complete (reprints carry what they share with their original), by code."""

    cards: dict[str, Record] = field(default_factory=dict)
    packs: list[Record] = field(default_factory=list)
    cycles: list[Record] = field(default_factory=list)
    taboos: list[Record] = field(default_factory=list)
    encounters: list[Record] = field(default_factory=list)
    translations: dict[str, dict[str, Record]] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)
    files: int = 0


def read_folder(folder: Path) -> ArkhamDB:
    """Read `pack/**/*.json`, the lists beside it and `translations/*/pack`, whichever are there.

    Raises ImportFailed when the folder has no cards, or a file is broken (named with its record).
    """
    if not (folder / "pack").is_dir():
        raise ImportFailed(f"{folder} has no folder `pack`: name the folder that holds `pack` and `packs.json`.")
    _refuse_endless(folder)
    found = ArkhamDB()
    for name in _LISTS:
        if (folder / f"{name}.json").is_file():
            getattr(found, name).extend(_records(folder, folder / f"{name}.json", "code"))
            found.files += 1
    raw: dict[str, tuple[str, Record]] = {}
    for path in sorted((folder / "pack").rglob("*.json")):
        found.files += 1
        shown = path.relative_to(folder).as_posix()
        for record in _records(folder, path, "code"):
            code = record["code"]
            if code in raw:
                found.skipped.append(Skipped(shown, code, f"the code already stands in {raw[code][0]}"))
            else:
                raw[code] = (shown, record)
    originals: dict[str, Record | None] = {}
    for code, (shown, _) in raw.items():
        complete = _complete(code, raw, originals)
        if complete is not None:
            _check(shown, complete)
            found.cards[code] = complete
        else:
            wrong = f"its original {str(raw[code][1]['duplicate_of'])[:60]} is not in the folder"
            found.skipped.append(Skipped(shown, code, wrong))
    for language in sorted((folder / "translations").glob("*/pack")):
        found.translations[language.parent.name] = dict(_translations(folder, language))
    return found


def _refuse_endless(folder: Path) -> None:
    """Raise ImportFailed when the folder holds more than kb reads: no folder of card data does."""
    size = 0
    for files, path in enumerate(folder.rglob("*.json"), 1):
        size += path.stat().st_size if path.is_file() else 0
        if files > MOST_FILES or size > LARGEST_FOLDER:
            raise ImportFailed(
                f"{folder} holds more than {MOST_FILES:,} files or {LARGEST_FOLDER // 1_000_000} MB of JSON: "
                "it is not a copy of ArkhamDB's card data. Nothing was changed."
            )


def _complete(code: str, raw: dict[str, tuple[str, Record]], done: dict[str, Record | None]) -> Record | None:
    """The record with all it shares with the original that `duplicate_of` names; None without such an original.

    `done` holds the records that are complete already, so that a chain of reprints is walked once.
    """
    chain: dict[str, None] = {}  # in order, and quick to look into
    while code not in done:
        record = raw[code][1] if code in raw else None
        original = record.get("duplicate_of") if record else None
        if record is None or code in chain or not isinstance(original, str | None):
            done[code] = None
        elif original is None:
            done[code] = {key: value for key, value in record.items() if key != "duplicate_of"}
        else:
            chain[code] = None
            code = original
    for name in reversed(chain):
        base = done[code]
        done[name] = None if base is None else {**base, **raw[name][1], "duplicate_of": base.get("duplicate_of", code)}
        code = name
    return done[code]


def _check(shown: str, record: Record) -> None:
    """Raise ImportFailed unless the fields that facts are made of have the types they should have."""
    place = f"{shown}: record {record['code'][:60]}"
    for name in _CODES:
        value = record.get(name)
        if value is not None and (not isinstance(value, str) or not is_plain(value)):
            raise ImportFailed(
                f"{place}: `{name}` must be a code of letters, digits and . _ + -, not {str(value)[:60]!r}. Nothing was changed."
            )
    for name in _REQUIRED:
        if not isinstance(record.get(name), str) or not record[name]:
            raise ImportFailed(f"{place} has no text as its `{name}`. Nothing was changed.")
    for name in _TEXTS:
        if not isinstance(record.get(name, ""), str | None):
            raise ImportFailed(f"{place}: `{name}` must be text, not {str(record[name])[:60]}. Nothing was changed.")
    for name in _NUMBERS:
        value = record.get(name)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or abs(value) > _HIGHEST):
            raise ImportFailed(f"{place}: `{name}` must be a whole number, not {str(value)[:60]}. Nothing was changed.")
    for name in ("deck_options", "side_deck_options", "customization_options"):
        value = record.get(name) or []
        if not isinstance(value, list) or not all(isinstance(option, dict) for option in value):
            raise ImportFailed(f"{place}: `{name}` must be a list of objects. Nothing was changed.")


def _records(folder: Path, path: Path, key: str) -> Iterator[Record]:
    """The objects of a file's array, each with a text under `key`."""
    shown = path.relative_to(folder).as_posix()
    try:
        data = json.loads(read_bounded(path, LARGEST_FILE).decode("utf-8"))
    except (UnicodeDecodeError, OSError) as error:
        wrong = getattr(error, "strerror", None) or error
        raise ImportFailed(f"{shown} cannot be read: {wrong}. Nothing was changed.") from error
    except (ValueError, RecursionError) as error:
        line, wrong = getattr(error, "lineno", 0), getattr(error, "msg", error)
        raise ImportFailed(f"{shown}:{line}: not valid JSON ({wrong}). Nothing was changed.") from error
    if not isinstance(data, list):
        raise ImportFailed(f"{shown}: the file must hold a list of records. Nothing was changed.")
    for number, record in enumerate(data, 1):
        if not isinstance(record, dict) or not isinstance(record.get(key), str) or not record[key]:
            raise ImportFailed(f"{shown}: record {number} is not an object with a `{key}`. Nothing was changed.")
        yield record


def _translations(folder: Path, language: Path) -> Iterator[tuple[str, Record]]:
    for path in sorted(language.rglob("*.json")):
        for record in _records(folder, path, "code"):
            yield record["code"], {name: record[name] for name in _TRANSLATED if record.get(name)}
