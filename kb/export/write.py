"""Writes an export to a temporary folder, then replaces the older export. The user's own data is included only on
request.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kb import __version__
from kb.api.showing import whole_entry
from kb.catalog.reader import Catalog, EntryView
from kb.decks.games import all_rulesets, checks_by_entry
from kb.decks.problems import Check
from kb.errors import KbError
from kb.export.json_types import (
    LICENCE,
    OWN_NOTICE,
    SHAPES,
    Changed,
    ChangesFile,
    Counts,
    DocumentPlace,
    DocumentView,
    ExportedCheck,
    ExportedEntry,
    GameFile,
    IndexFile,
    Own,
)
from kb.files.folders import files_below, inside, real_folder, workshop
from kb.files.outputs import refuse_inputs
from kb.files.swap import locked, swap_in
from kb.files.text import named, read_bounded


def game_files(catalog: Catalog, own: Catalog | None = None) -> dict[str, dict[str, Any]]:
    """Return all data of each game as JSON, by the game's id. With the catalog `own`, a separate key contains the data
    that the user imported.
    """
    imported = own_files(own) if own else {}
    return {game: game_file(catalog, game, imported.get(game)) for game in sorted(catalog.games())}


def own_files(catalog: Catalog) -> dict[str, Own]:
    """Return the user's imported data by game. `catalog` is one that includes them."""
    by_game: dict[str, Own] = defaultdict(lambda: Own(OWN_NOTICE, [], {}, []))
    for card in catalog.all_cards():
        if "own" in card:
            by_game[card["game"]].cards.append(card)
        elif "owned" in card:
            by_game[card["game"]].copies[card["id"]] = card["owned"]
    for passage in catalog.passages():
        by_game[passage.game].passages.append(passage)
    return by_game


def game_file(catalog: Catalog, game: str, own: Own | None = None) -> dict[str, Any]:
    """Return all data of a game as JSON. It includes the user's imported data only if it is given as `own`. Raises
    KeyError for a game that is not in the catalog.
    """
    title = catalog.games()[game]
    cited = checks_by_entry()
    entries = [exported(catalog, entry, cited.get(entry.id, ())) for entry in catalog.entries(game)]
    documents = [
        DocumentView(each.id, each.title, each.version, each.edition, each.date, each.publisher, each.url)
        for each in catalog.documents().values()
        if each.game == game
    ]
    topics: dict[str, list[str]] = defaultdict(list)
    for entry in entries:
        if entry.topic:
            topics[entry.topic].append(entry.whole.id)
    shared = {topic: ids for topic, ids in sorted(topics.items()) if len(ids) > 1}
    cards = list(catalog.all_cards(game=game, by_id=True))
    return GameFile(game, title, documents, entries, shared, checks_of(game), cards, own).as_json({})


def exported(catalog: Catalog, entry: EntryView, citing: Iterable[tuple[str, Check[Any]]]) -> ExportedEntry:
    """Return an entry as the export contains it. `citing` are the checks that cite it, with their game ids."""
    source = entry.data.get("source") or {}
    place = DocumentPlace(
        str(source.get("doc", "")),
        source.get("page"),
        list(source.get("pages") or []),
        *map(source.get, ("section", "version", "url")),
    )
    return ExportedEntry(whole_entry(catalog, entry, citing), place, entry.topic)


def checks_of(game: str) -> list[ExportedCheck]:
    """Return the checks of a game's decks in the order of its rulesets."""
    return [
        ExportedCheck(check.id, ruleset, check.family, check.summary, check.cites)
        for about, ruleset, rules in all_rulesets()
        if about == game
        for check in rules.checks
    ]


# The tables, with explanations for readers of the database; SQLite keeps the comments with the schema.
SCHEMA = """
CREATE TABLE about (  -- licence and version of this file
  key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE game (
  id TEXT PRIMARY KEY, title TEXT NOT NULL);
CREATE TABLE document (  -- published documents that entries restate
  game TEXT NOT NULL REFERENCES game (id), id TEXT NOT NULL, title TEXT NOT NULL, edition TEXT, version TEXT, date TEXT,
  publisher TEXT, url TEXT, PRIMARY KEY (game, id));
CREATE TABLE entry (  -- one rule, term, ruling, erratum or taboo each, in our own words
  id TEXT PRIMARY KEY, game TEXT NOT NULL REFERENCES game (id), kind TEXT NOT NULL, title TEXT NOT NULL,
  text TEXT NOT NULL,      -- plain
  body TEXT NOT NULL,      -- Markdown
  source TEXT NOT NULL,    -- the citation in words
  document TEXT NOT NULL, page INTEGER, topic TEXT, spoiler TEXT,
  authority TEXT, date TEXT, confidence TEXT,  -- of rulings
  questions TEXT NOT NULL);  -- questions that the entry answers, one on each line
CREATE TABLE link (  -- kind: see, ruling, superseded_by, same_card
  entry TEXT NOT NULL REFERENCES entry (id), target TEXT NOT NULL REFERENCES entry (id), kind TEXT NOT NULL,
  PRIMARY KEY (entry, target, kind));
CREATE TABLE card (  -- facts, never rules text; `facts` is the whole record as JSON
  id TEXT PRIMARY KEY, game TEXT NOT NULL REFERENCES game (id), "set" TEXT, code TEXT, name TEXT NOT NULL, subtitle TEXT,
  type TEXT, number TEXT, facts TEXT NOT NULL);  -- traits: json_each(facts, '$.traits')
CREATE TABLE card_entry (  -- which entries name a card
  card TEXT NOT NULL REFERENCES card (id), entry TEXT NOT NULL REFERENCES entry (id), PRIMARY KEY (card, entry));
CREATE TABLE deck_check (  -- rules that kb deck check applies to decks
  game TEXT NOT NULL REFERENCES game (id), ruleset TEXT NOT NULL, id TEXT NOT NULL, family TEXT NOT NULL, summary TEXT NOT NULL,
  entries TEXT NOT NULL,  -- ids of the entries that state the rule, one on each line
  PRIMARY KEY (ruleset, id));
CREATE VIRTUAL TABLE entry_fts USING fts5 (title, text, questions, tokenize = 'porter unicode61', content="entry");
"""
CARD = ("set", "code", "name", "subtitle", "type", "number")
LINKS = {"see": "see", "rulings": "ruling", "superseded_by": "superseded_by", "same_card": "same_card"}
Row = Mapping[str, Any]


def write_database(
    path: Path, games: Mapping[str, Any], about: Mapping[str, str], named: Iterable[tuple[str, str]]
) -> None:
    """Write the database of an export from the data of its games. `about` is its licence and version, and `named` are
    pairs of a card and an entry that names it. Equal data gives equal bytes.
    """
    rows: dict[str, list[Row]] = {"about": [{"key": key, "value": value} for key, value in about.items()]}
    for game in games.values():
        for table, table_rows in rows_of(game).items():
            rows.setdefault(table, []).extend(table_rows)
    entries, cards = ({row["id"] for row in rows.get(table, ())} for table in ("entry", "card"))
    pairs = sorted({pair for pair in named if pair[0] in cards and pair[1] in entries})
    rows["card_entry"] = [{"card": card, "entry": entry} for card, entry in pairs]
    with sqlite3.connect(path) as database:
        database.executescript(SCHEMA)
        for table, table_rows in rows.items():
            columns = [f":{column[1]}" for column in database.execute(f"PRAGMA table_info({table})")]
            if table_rows:
                database.executemany(f"INSERT INTO {table} VALUES ({', '.join(columns)})", table_rows)
        database.execute("INSERT INTO entry_fts (entry_fts) VALUES ('rebuild')")
    database.execute("PRAGMA optimize")
    database.close()


def rows_of(game: Mapping[str, Any]) -> dict[str, list[Row]]:
    """Return the rows of the database for one game, by table. The records may contain values that have no column in the
    table.
    """
    of = {"game": game["id"]}
    links = [
        sorted({(entry["id"], str(item["id"]), kind) for key, kind in LINKS.items() for item in entry[key]})
        for entry in game["entries"]
    ]
    return {
        "game": [{**game}],
        "document": [{**document, **of} for document in game["documents"]],
        "entry": [
            {**entry["place"], **entry, **of, "questions": "\n".join(dict.fromkeys(entry["asked"]))}
            for entry in game["entries"]
        ],
        "link": [
            dict(zip(("entry", "target", "kind"), link, strict=True)) for entry_links in links for link in entry_links
        ],
        "card": [
            {key: None if (value := card.get(key)) is None else str(value) for key in CARD}
            | {"id": card["id"], **of, "facts": json.dumps(card, ensure_ascii=False)}
            for card in game["cards"]
        ],
        "deck_check": [
            {**check, **of, "entries": "\n".join(dict.fromkeys(check["cites"]))} for check in game["checks"]
        ],
    }


LARGEST = 500_000_000
INDEX = "index.json"


class ExportError(KbError, ValueError):
    """An export cannot be read or written; the message is written for users."""


def read_games(folder: Path) -> tuple[str, dict[str, Any]]:
    """Read an export. Return its version and its games by id. Raises ExportError if it cannot be read."""
    try:
        index = json.loads(read_bounded(folder / INDEX, LARGEST))
        games = {
            str(game): json.loads(read_bounded(inside(folder, f"games/{game}.json"), LARGEST))
            for game in index["games"]
        }
        for game in games.values():
            if not all(isinstance(item["id"], str) for item in [*game["entries"], *game["cards"]]):
                raise ValueError("an id is not a text")
        return str(index["version"]), games
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ExportError(f"{folder} has no readable kb export ({reason}).") from error


def changes(before: Mapping[str, Any], after: Mapping[str, Any], versions: tuple[str, str]) -> ChangesFile:
    """Compare the games of two exports; `versions` are the kb versions that wrote the exports."""
    lists: list[list[Changed]] = []
    for key, name in (("entries", "title"), ("cards", "name")):
        old, new = ({item["id"]: item for game in games.values() for item in game[key]} for games in (before, after))
        both = {each: differing(old[each], new[each]) for each in sorted(new.keys() & old.keys())}
        lists += [
            [Changed(each, str(new[each].get(name)), []) for each in sorted(new.keys() - old.keys())],
            [Changed(each, str(old[each].get(name)), []) for each in sorted(old.keys() - new.keys())],
            [Changed(each, str(new[each].get(name)), keys) for each, keys in both.items() if keys],
        ]
    return ChangesFile(versions[0], versions[1], *lists)  # type: ignore[arg-type]


def differing(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Return the keys whose values differ between two versions of a record."""
    return sorted(key for key in old.keys() | new.keys() if old.get(key) != new.get(key))


def in_words(changes_file: ChangesFile) -> str:
    """Return the changes as Markdown."""
    lines = [f"# Changes from {changes_file.before} to {changes_file.after}", ""]
    for key in ("entries_added", "entries_changed", "entries_removed", "cards_added", "cards_changed", "cards_removed"):
        if listed := getattr(changes_file, key):
            what, how = key.split("_")
            lines += [f"## {what.capitalize()} {how}: {len(listed)}", ""]
            lines += [f"* {each.title} (`{each.id}`){': ' * bool(each.keys)}{', '.join(each.keys)}" for each in listed]
            lines.append("")
    return "\n".join(lines) if len(lines) > 2 else f"{lines[0]}\n\nNothing has changed.\n"


FORMAT = 1
DATABASE = "kb.sqlite"
README = """# Data of kb

| file | contents |
| --- | --- |
| `index.json` | games, counts and the SHA-256 of every other file |
| `games/<game>.json` | one game: documents, entries, topics, deck checks with the entries they cite, card facts |
| `entries/<id>.json` | one entry each |
| `schema/*.json` | JSON Schema of these files |
| `kb.sqlite` | the same data as tables, with a full-text index; comments explain them (`sqlite3 kb.sqlite .schema`) |
| `changes.json`, `CHANGES.md` | changes since another export, with `--since` |

Licence of the texts and of the arrangement of the facts: {texts}. Attribution: {attribution}. {notice}
"""


def write_export(
    catalog: Catalog,
    out: Path,
    since: Path | None = None,
    progress: Callable[[float], None] | None = None,
    own: Catalog | None = None,
) -> IndexFile:
    """Write all data of the catalog to the folder `out`.

    With `since`, also write the changes since the export in that folder. With the catalog `own`, also write the data
    that the user imported. `progress` is called with the share done (0 to 1). An older export in `out` is replaced as a
    whole.

    Raises ExportError if `out` contains anything else or `since` is not an export. Raises OutputError if `out` is
    `since` or contains it, and OSError if `out` cannot be written. After an error, `out` is unchanged.
    """
    out = real_folder(out)
    refuse_inputs(out, [since])
    check_folder(out)
    out.parent.mkdir(parents=True, exist_ok=True)  # raises an error before the work if the folder cannot be written
    older = read_games(since) if since else None
    report = progress or (lambda _share: None)
    games = game_files(catalog, own)
    pairs = [(target, entry) for entry, target, kind in catalog.links() if kind == "card"]
    report(0.7)
    with workshop(out) as workspace:
        made = workspace / "export"
        changes_file = changes(older[1], games, (older[0], __version__)) if older else None
        export = Export(made, games)
        write_database(
            made / DATABASE,
            games,
            {"version": __version__, "format": str(FORMAT), **asdict(LICENCE)},
            pairs,
        )
        export.know(DATABASE, made / DATABASE)
        if changes_file is not None:
            export.write_json("changes.json", changes_file.as_json({}))
            export.write("CHANGES.md", in_words(changes_file))
        index = export.close()
        report(0.95)
        with locked(out):
            check_folder(out)  # again, as seconds have passed since the first check
            swap_in(made, out)
    report(1.0)
    return index


def check_folder(out: Path) -> None:
    """Raise ExportError if `out` is not a folder, or if it contains a file that would be lost because no kb export
    wrote it.
    """
    if out.exists() and not out.is_dir():
        raise ExportError(f"{out} is not a kb export. Choose an empty or new folder.")
    others = sorted(files_below(out) - written(out)) if out.is_dir() else []
    if others:
        listed = ", ".join(others[:3]) + (f" and {len(others) - 3} more" if len(others) > 3 else "")
        raise ExportError(
            f"{out} contains files that are not part of a kb export ({listed}), so nothing was written. Choose an empty or new folder."
        )


def written(folder: Path) -> set[str]:
    """Return the names of the files that belong to the export in a folder; empty if there is no export."""
    try:
        index = json.loads(read_bounded(folder / INDEX, LARGEST))
        return {INDEX, *map(str, index["files"])} if {"licence", "format", "games"} <= index.keys() else set()
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return set()


class Export:
    """An export that is written to a new folder: first the data of the games, then other files, and the index last."""

    def __init__(self, folder: Path, games: Mapping[str, Any]) -> None:
        folder.mkdir(parents=True)
        self._folder = folder
        self._games = games
        self.files: dict[str, str] = {}
        from kb.json_schema import document  # Pydantic takes a while

        self.write("README.md", README.format(**asdict(LICENCE)))
        for name, shape in SHAPES.items():
            self.write_json(f"schema/{name}.json", {**document(shape), "$comment": f"Licence: {LICENCE.texts}"})
        for id_, game in games.items():
            self.write_json(f"games/{id_}.json", game)
            for entry in game["entries"]:
                self.write_json(f"entries/{entry['id']}.json", {"licence": asdict(LICENCE), "entry": entry})

    def write(self, name: str, text: str) -> None:
        """Write a file of the export and add it to the index. `name` may come from data; a path outside the folder is
        refused.
        """
        path = inside(self._folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        with named(path):
            path.write_bytes(text.encode("utf-8"))
        self.know(name, path)

    def write_json(self, name: str, value: Any) -> None:
        """Write a value to a file of the export as compact JSON."""
        self.write(name, f"{json.dumps(value, ensure_ascii=False, separators=(',', ':'))}\n")

    def know(self, name: str, path: Path) -> None:
        """Add a file that was written at `path` to the index, with its hash."""
        self.files[name] = hashlib.sha256(path.read_bytes()).hexdigest()

    def close(self) -> IndexFile:
        """Write the index, which lists all other files, and return it."""
        counts = {
            name: Counts(*(len(game[key]) for key in ("entries", "cards", "checks")))
            for name, game in self._games.items()
        }
        index = IndexFile(FORMAT, __version__, counts, dict(sorted(self.files.items())))
        self.write_json(INDEX, index.as_json({}))
        return index
