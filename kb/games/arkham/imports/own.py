"""Imports a folder in the ArkhamDB layout into the user's own data: the facts as we ship them, and the texts."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from kb.files.inside import OutsideError
from kb.files.outputs import refuse_inputs
from kb.files.private import keep_private
from kb.files.swap import locked, swap_in
from kb.games.arkham.imports.arkhamdb import ArkhamDB, ImportFailed, Record, Skipped, read_folder
from kb.games.arkham.imports.cards import split_traits
from kb.games.arkham.imports.facts import Files, facts_files, write_files
from kb.games.arkham.load import load_arkham
from kb.sources.problems import Problems

BESIDE = "arkham.new"
_TEXTS = ("text", "back_name", "back_text", "flavor", "back_flavor", "customization_text")


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import took: number of records by kind, files read, languages, and the records left out."""

    records: dict[str, int]
    files: int
    languages: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    target: Path


def import_folder(source: Path, data: Path, cards: Path, languages: Iterable[str] = ()) -> Imported:
    """Import `source` into `data`/arkham, where it stands beside the shipped facts (`cards`/arkham).

    `languages` are folders of `translations/` whose names are taken too. The new data is built beside, checked with the
    same loader as the shipped data, and then put in the place of an older import. Raises ImportFailed, and OutputError for a
    `source` in that place; then nothing has changed.
    """
    for place in (data / "arkham", data / BESIDE):
        refuse_inputs(place, [source])
    found = read_folder(source)
    wanted = tuple(languages)
    if missing := [language for language in wanted if language not in found.translations]:
        known = ", ".join(sorted(found.translations)) or "none"
        raise ImportFailed(f"There is no translation into {', '.join(missing)} in {source} (there: {known}).")
    try:
        files = facts_files(found)
        files["texts.json"] = _texts(found)
        for language in wanted:
            files[f"names/{language}.json"] = _names(found, language)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        wrong = error if type(error) is ValueError else f"{type(error).__name__}: {error}"
        raise ImportFailed(
            f"{source}: a record is not as ArkhamDB writes it ({str(wrong)[:300]}). Nothing was changed."
        ) from error
    try:
        with locked(data / "arkham"):
            _put_in_place(files, data, cards)
    except OutsideError as error:
        raise ImportFailed(f"{source}: {error}. Nothing was changed.") from error
    except UnicodeEncodeError as error:
        raise ImportFailed(f"{source}: a text holds half a character ({error}). Nothing was changed.") from error
    except OSError as error:
        raise ImportFailed(f"{error.filename or data}: {error.strerror or error}. Nothing was changed.") from error
    return Imported(_counted(files), found.files, wanted, tuple(found.skipped), data / "arkham")


def _put_in_place(files: Files, data: Path, cards: Path) -> None:
    """Write the files beside the older import, check them as a whole, and swap. Raises ImportFailed and OSError."""
    beside = data / BESIDE
    shutil.rmtree(beside, ignore_errors=True)  # left by an import that was killed
    try:
        keep_private(data)
        write_files(files, beside / "arkham")
        _check(beside, cards)
        swap_in(beside / "arkham", data / "arkham")
        keep_private(data)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _check(beside: Path, cards: Path) -> None:
    problems = Problems(beside)
    load_arkham(cards, problems, own=beside)
    if problems.found:
        listed = "\n".join(map(str, sorted(problems.found)[:20]))
        raise ImportFailed(f"The imported data does not hold together:\n{listed}\nNothing was changed.")


def _texts(found: ArkhamDB) -> list[Record]:
    rows: list[Record] = []
    for code, raw in sorted(found.cards.items()):
        texts = {name: raw[name] for name in _TEXTS if isinstance(raw.get(name), str) and raw[name]}
        if texts:
            rows.append({"code": code, **texts})
    return rows


def _names(found: ArkhamDB, language: str) -> list[Record]:
    rows = []
    for code in sorted(found.cards):
        translated = found.translations[language].get(code, {})
        if translated.get("name"):
            row: Record = {"code": code, "language": language, "name": translated["name"]}
            if translated.get("subname"):
                row["subtitle"] = translated["subname"]
            if traits := split_traits(translated.get("traits")):
                row["traits"] = traits
            rows.append(row)
    return rows


def _counted(files: Files) -> dict[str, int]:
    shown = {"player": "player cards", "encounter": "scenario cards", "taboos": "taboos", "taboo_lists": "taboo lists"}
    kinds: Counter[str] = Counter()
    for name, records in files.items():
        kind = name.split("/")[0].removesuffix(".json")
        kinds[shown.get(kind, kind)] += len(records)
    return dict(kinds)
