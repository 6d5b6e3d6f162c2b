"""Writes an export as one SQLite file that opens in Datasette, sqlite-utils or a spreadsheet."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

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
CREATE TABLE own_card (  -- of the user's own imports: the licence of this file does not cover it
  id TEXT PRIMARY KEY, game TEXT NOT NULL REFERENCES game (id), name TEXT NOT NULL, list TEXT NOT NULL, facts TEXT NOT NULL);
CREATE TABLE own_copies (  -- how many copies the user owns
  card TEXT PRIMARY KEY REFERENCES card (id), copies INTEGER NOT NULL);
CREATE TABLE own_passage (  -- sections of the user's own rulebooks: the licence of this file does not cover them
  id TEXT PRIMARY KEY, game TEXT NOT NULL REFERENCES game (id), book TEXT NOT NULL, title TEXT NOT NULL, source TEXT NOT NULL,
  text TEXT NOT NULL);
"""
DOCUMENT = ("id", "title", "edition", "version", "date", "publisher", "url")
CARD = ("set", "code", "name", "subtitle", "type", "number")
LINKS = {"see": "see", "rulings": "ruling", "superseded_by": "superseded_by", "same_card": "same_card"}


def write_database(
    path: Path, games: Mapping[str, GameFileJson], about: Mapping[str, str], named: Iterable[tuple[str, str]]
) -> None:
    """Write the database of an export; `named` are the pairs of card and entry that names it. Equal data gives equal bytes."""
    rows: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    rows["about"] = list(about.items())
    for game in games.values():
        add_game(rows, game)
    entries, cards = ({row[0] for row in rows[table]} for table in ("entry", "card"))
    rows["card_entry"] = sorted({pair for pair in named if pair[0] in cards and pair[1] in entries})
    with sqlite3.connect(path) as database:
        database.executescript(SCHEMA)
        if any("own" in game for game in games.values()):
            database.executescript(OWN_SCHEMA)
        for table, found in rows.items():
            if found:
                database.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(found[0]))})", found)
        database.execute("INSERT INTO entry_fts (entry_fts) VALUES ('rebuild')")
    database.execute("PRAGMA optimize")
    database.close()


def add_game(rows: dict[str, list[tuple[Any, ...]]], game: GameFileJson) -> None:
    """Add the rows of a game to those of each table."""
    own = game["id"]
    rows["game"].append((own, game["title"]))
    for document in game["documents"]:
        rows["document"].append((own, *map(dict(document).get, DOCUMENT)))
    for entry in game["entries"]:
        whole, here = dict(entry), entry["id"]
        questions = list(dict.fromkeys(entry["asked"]))
        rows["entry"].append((
            here, own, *map(whole.get, ("kind", "title", "text", "body", "source")), entry["place"]["document"], entry["place"]["page"],
            *map(whole.get, ("topic", "spoiler", "authority", "date", "confidence")), "\n".join(questions),
        ))  # fmt: skip
        rows["question"] += [(here, text) for text in questions]
        links = {(here, str(item["id"]), kind) for key, kind in LINKS.items() for item in whole[key]}  # type: ignore[attr-defined]
        rows["link"] += sorted(links)
    for card in game["cards"]:
        texts = [None if (value := card.get(key)) is None else str(value) for key in CARD]
        rows["card"].append((card["id"], own, *texts, as_json(card)))
        rows["card_trait"] += [
            (card["id"], trait) for trait in sorted({str(each) for each in card.get("traits") or []})
        ]
    for check in game["checks"]:
        rows["deck_check"].append((own, check["ruleset"], check["id"], check["family"], check["summary"]))
        rows["deck_check_entry"] += [(check["ruleset"], check["id"], entry) for entry in dict.fromkeys(check["cites"])]
    if imported := game.get("own"):
        rows["own_card"] += [(card["id"], own, card["name"], card["own"], as_json(card)) for card in imported["cards"]]
        rows["own_copies"] += sorted(imported["copies"].items())
        rows["own_passage"] += [
            (item["id"], own, item["book"], item["title"], item["source"], item["text"])
            for item in imported["passages"]
        ]


def as_json(value: object) -> str:
    """A record as JSON."""
    return json.dumps(value, ensure_ascii=False)
