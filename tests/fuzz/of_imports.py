"""Readers of what users bring: ArkhamDB's data, tables of their cards, rulebooks, and what is kept of all that."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from kb.games.arkham.imports.own import import_folder
from kb.personal.cards import as_json as list_json
from kb.personal.cards import import_cards, own_cards_of, template
from kb.personal.rulebooks import import_rulebook
from kb.sources.cards import cards_of
from kb.sources.own_lists import own_records
from kb.sources.problems import Problems
from kb.sources.sources import read_sources
from tests.fuzz.mutate import Corpus, Reader, as_json
from tests.fuzz.of_decks import BETWEEN, facts
from tests.fuzz.of_sources import small
from tests.fuzz.seeds import FOLDER
from tests.personal.written import pdf as written_pdf

BOOK = """\
RULES OF CHESS

The King
========
The king moves one square. He may not move into check.

1. Castling

Move the king two squares to-
wards a rook.
\f
<h1>Part</h1><p>Words &amp; words<br>more</p><script>x</script><ul><li>a<li>b</ul>
# Heading
- item **bold** `code`

| a | b |
|---|---|
| 1 | 2 |
"""


def arkhamdb(folder: Path) -> Reader:
    """A folder in ArkhamDB's layout; an input that is no such folder is one of its files."""

    (folder / "cards/arkham").mkdir(parents=True)
    (folder / "cards/arkham/special.yaml").write_text("[]\n")

    def read(data: bytes) -> Any:
        shutil.rmtree(folder / "in", ignore_errors=True)
        files = {name: as_json(rows).encode() for name, rows in FOLDER.items()}
        try:
            told = json.loads(data)
        except (ValueError, RecursionError):
            told = None
        if isinstance(told, dict) and told.keys() & files.keys():
            files = {name: as_json(rows).encode() for name, rows in told.items() if name in files}
        else:
            files[sorted(files)[len(data) % len(files)]] = data
        for name, text in files.items():
            path = folder / "in" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
        imported = import_folder(folder / "in", folder / "data", folder / "cards")
        return imported.records, [str(each) for each in imported.skipped]

    return Reader(Corpus.of([json.dumps(FOLDER), *(json.dumps(rows) for rows in FOLDER.values())], "json"), read)


def own_cards(folder: Path) -> Reader:
    """Tables of cards, CSV and JSON, of both games that take them."""
    seeds: list[bytes | str] = []
    for game in ("arkham", "pathfinder"):
        part = own_cards_of(game)
        seeds += [f"=== {game}.csv\n{template(part)}", f"=== {game}.tsv\n{template(part).replace(',', chr(9))}"]
        seeds.append(f"=== {game}.json\n{json.dumps([*part.samples], indent=1)}")
        seeds.append(f"=== {game}.json\n{json.dumps({'cards': [*part.samples]})}")
    hero = {
        "code": "my-09", "name": "Hero", "type": "investigator", "class": "seeker", "health": 7, "sanity": 7,
        "deck": {"size": 30, "cards": [["01006", "01007"]], "random_weaknesses": 1, "options": [{"class": ["seeker"], "level": [0, 5]}]},
    }  # fmt: skip
    seeds.append(f"=== arkham.json\n{json.dumps([hero])}")

    def read(data: bytes) -> Any:
        pieces = BETWEEN.split(data, maxsplit=1)
        name = pieces[1].decode("utf-8", "replace") if len(pieces) > 2 else "arkham.csv"
        game, _, suffix = name.partition(".")
        if game not in ("arkham", "pathfinder") or suffix not in ("csv", "tsv", "json"):
            game, suffix = "arkham", "csv"
        path = folder / f"table.{suffix}"
        path.write_bytes(pieces[2].removeprefix(b"\n") if len(pieces) > 2 else data)
        taken = import_cards(path, folder / "data", game, facts().records[game])
        # What was taken is read by every command after it.
        problems = Problems(folder)
        load_own(game, folder / "data", problems)
        assert not problems.found, str(problems.found[0])
        return list_json(taken.list), taken.texts, taken.unknown

    return Reader(Corpus.of(seeds), read)


def load_own(game: str, data: Path, problems: Problems) -> Any:
    """The user's own cards of a game as a build reads them."""
    part = cards_of(game)
    found = own_records(game, own_cards_of(game), facts().records[game], data, problems)
    assert part is not None
    return [part.facts(kind, record) for kind, records in found.items() for record in records]


def kept_data(folder: Path) -> Reader:
    """Rulebooks and lists of cards as they are kept: damaged, or written by somebody else."""
    small(folder)
    data = folder / "data"
    (folder / "book.txt").write_text(BOOK, encoding="utf-8")
    (folder / "cards.csv").write_text(template(own_cards_of("pathfinder")), encoding="utf-8")
    import_rulebook(folder / "book.txt", data, "chess", "Book")
    import_cards(folder / "cards.csv", data, "pathfinder", facts().records["pathfinder"])
    shelf = folder / "cards/pathfinder/mm"
    shelf.mkdir(parents=True)
    (shelf / "ally.json").write_text("[]")
    places = [path for path in sorted(data.rglob("*.json")) if path.is_file()]
    whole = {path.name: path.read_text(encoding="utf-8") for path in places}

    def read(given: bytes) -> Any:
        for path in places:
            path.write_text(whole[path.name], encoding="utf-8")
        name, _, text = given.partition(b"\n")
        shown = name.decode("utf-8", "replace").removeprefix("=== ")
        target = next((path for path in places if path.name == shown), places[len(given) % len(places)])
        target.write_bytes(text if target.name == shown else given)
        _content, _facts, problems = read_sources(folder, data)
        return [str(problem) for problem in problems]

    seeds = [f"=== {name}\n{text}" for name, text in whole.items()]
    return Reader(Corpus.of([*seeds, *whole.values()], "json"), read)


def rulebooks(folder: Path) -> Reader:
    """Rulebooks in text, Markdown and HTML."""

    def read(data: bytes) -> Any:
        path = folder / f"book.{('txt', 'md', 'html')[len(data) % 3]}"
        path.write_bytes(data)
        book = import_rulebook(path, folder / "data", "chess", "Book")
        return [(passage.title, passage.text) for passage in book.passages]

    return Reader(Corpus.of([BOOK, BOOK.replace("\n", "\r\n").encode("utf-16"), BOOK.replace("\n\n", "<p>")]), read)


def pdf(folder: Path) -> Reader:
    """Rulebooks in PDF."""
    rows = [
        (72.0, 760.0 - 16 * at, 11.0, at % 7 == 0, f"Line {at} of the rules, which says what a player may do.")
        for at in range(30)
    ]
    columns = [(x, 700.0 - 14 * at, 9.0, False, f"Column {at} at {x}") for at in range(20) for x in (60.0, 320.0)]
    seeds = [written_pdf([rows, columns, [(72, 700, 24, True, "TITLE"), *rows[:5]]]), written_pdf([rows], locked=True)]

    def read(data: bytes) -> Any:
        path = folder / "book.pdf"
        path.write_bytes(data)
        book = import_rulebook(path, folder / "data", "chess", "Book")
        return [(passage.title, passage.text) for passage in book.passages]

    return Reader(Corpus.of(list(seeds), "bytes"), read)
