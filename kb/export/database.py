"""Writes an export as one SQLite file that opens in Datasette, sqlite-utils or a spreadsheet."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path

from kb.export.shapes import GameFileJson

# Each table with the words that a reader of the database needs; SQLite keeps the comments with the schema.
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
  questions TEXT NOT NULL);  -- all ways to ask for it, one a line
CREATE TABLE question (  -- ways to ask for an entry
  entry TEXT NOT NULL REFERENCES entry (id), text TEXT NOT NULL, PRIMARY KEY (entry, text));
CREATE TABLE link (  -- kind: see, ruling, superseded_by, same_card
  entry TEXT NOT NULL REFERENCES entry (id), target TEXT NOT NULL REFERENCES entry (id), kind TEXT NOT NULL,
  PRIMARY KEY (entry, target, kind));
CREATE TABLE card (  -- facts, never rules text; `facts` is the whole record as JSON
  id TEXT PRIMARY KEY, game TEXT NOT NULL REFERENCES game (id), "set" TEXT, code TEXT, name TEXT NOT NULL, subtitle TEXT,
  type TEXT, number TEXT, facts TEXT NOT NULL);
CREATE TABLE card_trait (
  card TEXT NOT NULL REFERENCES card (id), trait TEXT NOT NULL, PRIMARY KEY (card, trait));
CREATE TABLE card_entry (  -- which entries name a card
  card TEXT NOT NULL REFERENCES card (id), entry TEXT NOT NULL REFERENCES entry (id), PRIMARY KEY (card, entry));
CREATE TABLE deck_check (  -- rules that kb deck check holds decks to
  game TEXT NOT NULL REFERENCES game (id), ruleset TEXT NOT NULL, id TEXT NOT NULL, family TEXT NOT NULL, summary TEXT NOT NULL,
  PRIMARY KEY (ruleset, id));
CREATE TABLE deck_check_entry (
  ruleset TEXT NOT NULL, deck_check TEXT NOT NULL, entry TEXT NOT NULL REFERENCES entry (id), PRIMARY KEY (ruleset, deck_check, entry));
CREATE VIRTUAL TABLE entry_fts USING fts5 (title, text, questions, tokenize = 'porter unicode61', content="entry");
"""
OWN_SCHEMA = """
CREATE TABLE IF NOT EXISTS own_card (  -- of the user's own imports: the licence of this file does not cover it
  id TEXT PRIMARY KEY, game TEXT NOT NULL REFERENCES game (id), name TEXT NOT NULL, list TEXT NOT NULL, facts TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS own_copies (  -- how many copies the user owns
  card TEXT PRIMARY KEY REFERENCES card (id), copies INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS own_passage (  -- sections of the user's own rulebooks: the licence of this file does not cover them
  id TEXT PRIMARY KEY, game TEXT NOT NULL REFERENCES game (id), book TEXT NOT NULL, title TEXT NOT NULL, source TEXT NOT NULL,
  text TEXT NOT NULL);
"""
LINKS = {"see": "see", "rulings": "ruling", "superseded_by": "superseded_by", "same_card": "same_card"}


def write_database(
    path: Path, games: Mapping[str, GameFileJson], about: Mapping[str, str], named: Iterable[tuple[str, str]]
) -> None:
    """Write the database of an export; `named` are the pairs of card and entry that names it. Equal data gives equal bytes."""
    with sqlite3.connect(path) as database:
        database.executescript(SCHEMA)
        database.executemany("INSERT INTO about VALUES (?, ?)", about.items())
        for game in games.values():
            write_game(database, game)
            write_own(database, game)
        there = {entry["id"] for game in games.values() for entry in game["entries"]}
        cards = {card["id"] for game in games.values() for card in game["cards"]}
        pairs = sorted({pair for pair in named if pair[0] in cards and pair[1] in there})
        database.executemany("INSERT INTO card_entry VALUES (?, ?)", pairs)
        database.execute("INSERT INTO entry_fts (entry_fts) VALUES ('rebuild')")
    database.execute("PRAGMA optimize")
    database.close()


def write_own(database: sqlite3.Connection, game: GameFileJson) -> None:
    """Write what the user has imported into tables of their own, which are there only then."""
    own = game.get("own")
    if own is None:
        return
    database.executescript(OWN_SCHEMA)
    cards = [
        (card["id"], game["id"], card["name"], card["own"], json.dumps(card, ensure_ascii=False))
        for card in own["cards"]
    ]
    database.executemany("INSERT INTO own_card VALUES (?, ?, ?, ?, ?)", cards)
    database.executemany("INSERT INTO own_copies VALUES (?, ?)", sorted(own["copies"].items()))
    passages = [
        (item["id"], game["id"], item["book"], item["title"], item["source"], item["text"]) for item in own["passages"]
    ]
    database.executemany("INSERT INTO own_passage VALUES (?, ?, ?, ?, ?, ?)", passages)


def write_game(database: sqlite3.Connection, game: GameFileJson) -> None:
    """Write everything of a game."""
    own = game["id"]
    database.execute("INSERT INTO game VALUES (?, ?)", (own, game["title"]))
    keys = ("id", "title", "edition", "version", "date", "publisher", "url")
    database.executemany(
        "INSERT INTO document VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [(own, *(dict(document).get(key) for key in keys)) for document in game["documents"]],
    )
    for entry in game["entries"]:
        questions = list(dict.fromkeys(entry["asked"]))
        database.execute(
            "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                entry["id"], own, entry["kind"], entry["title"], entry["text"], entry["body"], entry["source"], entry["place"]["document"],
                entry["place"]["page"], entry["topic"], entry["spoiler"], entry["authority"], entry["date"], entry["confidence"],
                "\n".join(questions),
            ),
        )  # fmt: skip
        database.executemany("INSERT INTO question VALUES (?, ?)", [(entry["id"], text) for text in questions])
        links = {(str(item["id"]), kind) for key, kind in LINKS.items() for item in dict(entry)[key]}  # type: ignore[attr-defined]
        database.executemany(
            "INSERT INTO link VALUES (?, ?, ?)", [(entry["id"], target, kind) for target, kind in sorted(links)]
        )
    for card in game["cards"]:
        values = [card.get(key) for key in ("set", "code", "name", "subtitle", "type", "number")]
        plain = [value if value is None else str(value) for value in values]
        database.execute(
            "INSERT INTO card VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (card["id"], own, *plain, json.dumps(card, ensure_ascii=False)),
        )
        traits = sorted({str(trait) for trait in card.get("traits") or []})
        database.executemany("INSERT INTO card_trait VALUES (?, ?)", [(card["id"], trait) for trait in traits])
    for check in game["checks"]:
        database.execute(
            "INSERT INTO deck_check VALUES (?, ?, ?, ?, ?)",
            (own, check["ruleset"], check["id"], check["family"], check["summary"]),
        )
        cites = [(check["ruleset"], check["id"], entry) for entry in dict.fromkeys(check["cites"])]
        database.executemany("INSERT INTO deck_check_entry VALUES (?, ?, ?)", cites)
