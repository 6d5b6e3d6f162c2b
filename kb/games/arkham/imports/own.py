"""Imports a folder in the ArkhamDB layout into the user's own data: facts in kb's form, and card texts."""

from __future__ import annotations

import json
import shutil
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from kb.files.bounded import Limits, TooMuchWorkError, bounded
from kb.files.folders import OutsideError, inside, keep_private
from kb.files.outputs import refuse_inputs
from kb.files.swap import locked, swap_in
from kb.frozen import frozen
from kb.games.arkham.cards import load_arkham
from kb.games.arkham.imports.arkhamdb import (
    ArkhamDB,
    ImportFailed,
    Record,
    Skipped,
    has_other,
    keywords_of,
    options,
    read_folder,
    requirements,
    sheet,
    split_traits,
)
from kb.games.arkham.imports.to_write import read_records, to_write
from kb.shapes import Jsonable, key
from kb.sources.problems import Problems

Files = dict[str, list[Record]]
_RETURN = "Return to "
MISDATED = {("fhvp", "2023-02-16"): "2024-02-16", ("fhvc", "2022-02-24"): "2024-02-23"}
"""Corrections of wrong release dates in the data (ArkhamDB's pull request 1771), by pack. Other dates are kept."""


def facts_files(source: ArkhamDB) -> Files:
    """Return all records of an import, by the relative path of the file that will contain them, in their final order."""
    files: Files = defaultdict(list)
    cycle_of = {pack["code"]: pack["cycle_code"] for pack in source.packs}
    names = {encounter["code"]: encounter["name"] for encounter in source.encounters}
    for raw in sorted(source.cards.values(), key=lambda raw: raw["code"]):
        # Lower case: `Core.json` and `core.json` are the same file on some systems.
        cycle = str(cycle_of.get(raw["pack_code"], raw["pack_code"])).casefold()
        if raw["faction_code"] == "mythos":
            files[f"encounter/{cycle}.json"].append(_encounter_card(raw, names))
        else:
            name = "investigators" if raw["type_code"] == "investigator" else f"player/{cycle}"
            files[f"{name}.json"].append(source.facts[raw["code"]])
    files["cycles.json"] = [_cycle(cycle, source.packs) for cycle in source.cycles]
    files["packs.json"] = [_pack(pack, source.cycles) for pack in source.packs]
    files["taboo_lists.json"] = [{"list": _number(taboo), "start": taboo["date_start"]} for taboo in source.taboos]
    files["taboos.json"] = [row for taboo in source.taboos for row in _taboo_rows(taboo, source)]
    return dict(files)


def write_files(files: Files, target: Path) -> None:
    """Write each file as a JSON array with one record on each line, and delete files that no longer have records.

    Raises OutsideError for a file name that leads out of `target`.
    """
    for name, records in files.items():
        path = inside(target, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(as_lines(records), encoding="utf-8")
    for folder in ("player", "encounter"):
        for path in (target / folder).glob("*.json"):
            if f"{folder}/{path.name}" not in files:
                path.unlink()


def as_lines(records: Iterable[Record]) -> str:
    """Return a JSON array with one record on each line, which is easy to read and to compare."""
    rows = ",\n".join(json.dumps(record, ensure_ascii=False, separators=(", ", ": ")) for record in records)
    return f"[\n{rows}\n]\n"


def _encounter_card(raw: Record, names: dict[str, str]) -> Record:
    facts = {"code": raw["code"], "name": raw["name"], "type": raw["type_code"], "pack": raw["pack_code"]}
    if raw.get("encounter_code"):
        facts["encounter_set"] = names.get(raw["encounter_code"], raw["encounter_code"])
    return facts


def _cycle(raw: Record, packs: list[Record]) -> Record:
    """Return kb's record of a cycle.

    It has the key `expansion` if the player cards of the cycle form an investigator expansion (Environments, FAQ 2.5).
    """
    facts = _only(raw, {"code": "code", "name": "name", "position": "position"})
    if any(pack["cycle_code"] == raw["code"] and "Investigator Expansion" in pack["name"] for pack in packs):
        facts["expansion"] = True
    return facts


def _pack(raw: Record, cycles: list[Record]) -> Record:
    names = {"code": "code", "name": "name", "cycle_code": "cycle", "date_release": "released"}
    facts = _only(raw, {**names, "position": "position", "chapter": "chapter", "replaced": "replaced"})
    if date := MISDATED.get((raw["code"], str(raw.get("date_release")))):
        facts["released"] = date
    if raw.get("reprint_packs"):
        facts["reprints"] = {"packs": raw["reprint_packs"], "cards": raw["reprint_type"]}
    if raw["name"].startswith(_RETURN):
        returned = raw["name"].removeprefix(_RETURN).casefold()
        for cycle in cycles:
            if cycle["name"].casefold() == returned:
                facts["returns_to"] = cycle["code"]
    return facts


def _taboo_rows(taboo: Record, source: ArkhamDB) -> Iterable[Record]:
    """Yield kb's rows for one taboo list. If a card changes only in its text, its row just says so.

    If the list contains a card twice, the last row counts.
    """
    cards = taboo["cards"]
    rows = json.loads(cards) if isinstance(cards, str) else cards
    last = {raw["code"]: place for place, raw in enumerate(rows)}
    for raw in (raw for place, raw in enumerate(rows) if last[raw["code"]] == place):
        row: Record = {"list": _number(taboo), "code": raw["code"]}
        if raw.get("xp"):
            row["experience"] = raw["xp"]
        if "exceptional" in raw:
            row["exceptional"] = bool(raw["exceptional"])
        if raw.get("deck_limit") == 0:
            row["forbidden"] = True
        elif "deck_limit" in raw:
            row["limit"] = raw["deck_limit"]
        if raw.get("deck_options"):
            card = source.cards.get(raw["code"], {})
            row["deck"] = {
                **requirements(raw["deck_requirements"]),
                "options": options(raw["deck_options"], has_other(card)),
            }
        if raw.get("customization_options"):
            row["sheet"] = sheet(raw["customization_options"], raw.get("customization_text") or "")
        if "campaign_only" in keywords_of(raw):
            row["campaign_only"] = True
        if len(row) == 2 or raw.get("replacement_text") or "text box" in (raw.get("text") or ""):
            row["text_changed"] = True
        yield row


def _number(taboo: Record) -> int:
    return int(taboo.get("id") or taboo["code"])


def _only(raw: Record, names: dict[str, str]) -> Record:
    return {ours: raw[theirs] for theirs, ours in names.items() if raw.get(theirs) is not None}


def main(*arguments: str) -> int:
    """Update the shipped card data, with the arguments `FOLDER cards/arkham`, and print what is left to do.

    Return the exit code.
    """
    if len(arguments) != 2:
        print("usage: python -m kb.games.arkham.imports.own FOLDER cards/arkham", file=sys.stderr)
        return 2
    source, target = map(Path, arguments)
    try:
        database = read_folder(source)
    except ImportFailed as error:
        print(error, file=sys.stderr)
        return 2
    files, old = facts_files(database), read_records(target)
    write_files(files, target)
    for skipped in database.skipped:
        print(f"skipped {skipped.code} of {skipped.file}: {skipped.reason}")
    print(f"{sum(map(len, files.values()))} records in {len(files)} files, {len(database.skipped)} skipped")
    print(*to_write(old, files), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))


BESIDE = "arkham.new"
READING = Limits(seconds=120, memory=2_000_000_000)
"""Limits of time and memory for reading a folder."""
_TEXTS = ("text", "back_name", "back_text", "flavor", "back_flavor", "customization_text")


@frozen
class ArkhamDBImport(Jsonable):
    """The result of an import of ArkhamDB's card data."""

    records: dict[str, int] = key(name="taken")
    """The number of records by kind."""
    files: int
    """The number of files that were read."""
    skipped: tuple[Skipped, ...]
    """The records that were left out."""


def import_folder(source: Path, data: Path, cards: Path, languages: Iterable[str] = ()) -> ArkhamDBImport:
    """Import the folder `source` into `data`/arkham. Card facts shipped with kb are in `cards`/arkham.

    `languages` names folders of `translations/`; their card names are imported, too. The new data is first written to
    a staging folder and checked with the loader of the shipped data. Then it replaces an older import. Raises
    ImportFailed, or OutputError if `source` is the target folder or the staging folder. After an error, the older
    import is unchanged.
    """
    for place in (data / "arkham", data / BESIDE):
        refuse_inputs(place, [source])
    wanted = tuple(languages)
    try:
        files, number, skipped = bounded(read_files, source, wanted, limits=READING)
    except TooMuchWorkError as error:
        raise ImportFailed(f"{source}: {error} Nothing was changed.") from None
    try:
        with locked(data / "arkham"):
            _put_in_place(files, data, cards)
    except OutsideError as error:
        raise ImportFailed(f"{source}: {error}. Nothing was changed.") from error
    except UnicodeEncodeError as error:
        raise ImportFailed(f"{source}: a text contains half a character ({error}). Nothing was changed.") from error
    except OSError as error:
        raise ImportFailed(f"{error.filename or data}: {error.strerror or error}. Nothing was changed.") from error
    return ArkhamDBImport(_counted(files), number, skipped)


def read_files(source: Path, wanted: Sequence[str], _tell: object) -> tuple[Files, int, tuple[Skipped, ...]]:
    """Return the files of an import, the number of source files read, and the skipped records. Raises ImportFailed.

    `wanted` lists the languages whose names are imported, too.
    """
    database = read_folder(source)
    if missing := [language for language in wanted if language not in database.translations]:
        known = ", ".join(sorted(database.translations)) or "none"
        raise ImportFailed(f"{source} has no translation into {', '.join(missing)}. It has: {known}.")
    try:
        files = facts_files(database)
        if not any(files.values()):
            raise ImportFailed(f"{source} contains no card, product or taboo list. Nothing was changed.")
        files["texts.json"] = _texts(database)
        for language in wanted:
            files[f"names/{language}.json"] = _names(database, language)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        wrong = error if type(error) is ValueError else f"{type(error).__name__}: {error}"
        raise ImportFailed(
            f"{source}: a record is not in ArkhamDB's format ({str(wrong)[:300]}). Nothing was changed."
        ) from error
    return files, database.files, tuple(database.skipped)


def _put_in_place(files: Files, data: Path, cards: Path) -> None:
    """Write the files to a staging folder, check the data as a whole, and replace an older import with it.

    Raises ImportFailed or OSError.
    """
    staging = data / BESIDE
    shutil.rmtree(staging, ignore_errors=True)  # left over from an interrupted import
    try:
        keep_private(data)
        write_files(files, staging / "arkham")
        _check(staging, cards)
        swap_in(staging / "arkham", data / "arkham")
        keep_private(data)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _check(staging: Path, cards: Path) -> None:
    problems = Problems(staging)
    load_arkham(cards, problems, own=staging)
    if problems.found:
        listed = "\n".join(map(str, sorted(problems.found)[:20]))
        raise ImportFailed(f"The imported data is inconsistent:\n{listed}\nNothing was changed.")


def _texts(database: ArkhamDB) -> list[Record]:
    rows: list[Record] = []
    for code, raw in sorted(database.cards.items()):
        texts = {name: raw[name] for name in _TEXTS if isinstance(raw.get(name), str) and raw[name]}
        if texts:
            rows.append({"code": code, **texts})
    return rows


def _names(database: ArkhamDB, language: str) -> list[Record]:
    rows = []
    for code in sorted(database.cards):
        translated = database.translations[language].get(code, {})
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
