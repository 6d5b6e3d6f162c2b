"""Load the sources of a catalog: games, documents with their outlines, entries, and cards. All problems in them are
reported.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import Field

from kb import registry
from kb.files.folders import OutsideError, inside, is_plain_path
from kb.sources.cards import CardFacts, CardNames, LoadedCards, load_facts
from kb.sources.entries import (
    ChangeFields,
    EarlierFields,
    EntryFields,
    LoadedEntry,
    LoadedTable,
    OutlineHeading,
    RowFields,
    SourceFields,
    TableFields,
)
from kb.sources.frontmatter import YamlPlace, read_text, read_yaml, split_markdown
from kb.sources.own import load_passages
from kb.sources.problems import Problems, SourceError, SourceProblem
from kb.sources.references import Content, EntryDraft, finished
from kb.sources.validation import validate

CHANGES, EARLIER = "changes.yaml", "earlier.yaml"
NOT_ENTRIES = {"README.md", "sources.yaml", "game.yaml", "synonyms.yaml", CHANGES, EARLIER}
ENTRY_SUFFIXES = (".md", ".yaml", ".yml")
PAGE = re.compile(r"[0-9]{1,6}")
# The key for synonyms that apply to every game.
EVERY_GAME = ""
Groups = list[Annotated[list[str], Field(min_length=2)]]
Row = TypeVar("Row", SourceFields, ChangeFields, EarlierFields)


def load_sources(root: Path, own: Path | None = None) -> tuple[Content, LoadedCards]:
    """Load `content/` and `cards/` below `root`, and the user's imported cards and rulebooks below `own`.

    Raises SourceError with every problem found, each with its path and line. If a card file is not JSON, only that
    problem is reported.
    """
    content, facts, problems = read_sources(root, own)
    if problems:
        raise SourceError(problems)
    return content, facts


def read_sources(root: Path, own: Path | None = None) -> tuple[Content, LoadedCards, list[SourceProblem]]:
    """Load the sources as `load_sources` does, as far as possible. Return their content, the card facts, and all
    problems.

    Raises SourceError only if there is no `content/` folder.
    """
    if not (root / "content").is_dir():
        raise SourceError(
            [SourceProblem(str(root), 0, "there is no folder content/ here; KB_SOURCES may name another one")]
        )
    problems, content = Problems(root), Content()
    facts = load_facts(root / "cards", problems, own)
    check_card_ids(facts, root / "cards", problems)
    names = CardNames(card for card in facts.cards if not card.own)
    content.entries = read_content(root / "content", content, names, problems)
    for game in sorted(facts.records.keys() - content.games.keys()):  # games with cards but no folder of entries
        if description := registry.about(game):
            content.games[game] = description.title
        else:
            path = root / "content" / game / "game.yaml"
            problems.add(path, 0, f"there are cards of {game}, but no file with the game's title")
    if own is not None:
        content.passages = load_passages(own, content.games, content.headings, problems)
    return content, facts, problems.told()


def check_card_ids(facts: LoadedCards, folder: Path, problems: Problems) -> None:
    """Report cards whose id is invalid or used twice. An id is made of set and code (or name), and becomes a path and
    an address.
    """
    for listed in (facts.cards, facts.characters):
        names: dict[str, CardFacts] = {}
        for card in listed:
            if not is_plain_path(card.id):
                what = f"the card {card.name!r} has the id {card.id!r}; an id is made of letters, digits and . _ + - between slashes"
                problems.add(folder / card.game, 0, what)
            if (other := names.setdefault(card.id.casefold(), card)) is not card:
                ids = " and ".join(map(repr, sorted({other.id, card.id})))
                same = (
                    f"the ids {ids}, which many systems treat as the same"
                    if other.id != card.id
                    else f"the same id {ids}"
                )
                what = f"the cards {other.name!r} and {card.name!r} have {same}: rename one of them"
                problems.add(folder / card.game, 0, what)


def read_content(root: Path, content: Content, names: CardNames, problems: Problems) -> list[LoadedEntry]:
    """Read the folder `root` (`content/`) into `content`, and return the entries in the order of their documents.

    Problems are added to `problems`.
    """
    drafts: list[EntryDraft] = []
    tops = [root, *(folder / "content" for folder in registry.sources())]
    folders = [(top, folder) for top in tops if top.is_dir() for folder in sorted(top.iterdir()) if folder.is_dir()]
    for top in tops:
        if shared := read_synonyms(top / "synonyms.yaml", problems):
            content.synonyms[EVERY_GAME] = [*content.synonyms.get(EVERY_GAME, ()), *shared]
    for top, folder in folders:
        if folder.name in content.games:
            continue
        read_game(folder, content, problems)
        read_earlier(top, folder.name, content, problems)
        for path in sorted(folder.rglob("*")):
            if path.name in NOT_ENTRIES or path.name.startswith("."):
                continue
            if path.name != path.name.encode("utf-8", "replace").decode():
                problems.add(path, 0, "the name of the file is not UTF-8; the entry's id is made from it")
            elif path.suffix in ENTRY_SUFFIXES and not is_plain_path(path.relative_to(top).with_suffix("").as_posix()):
                problems.add(path, 0, "the path makes the entry's id: use letters, digits and . _ + - only")
            elif path.suffix == ".md":
                drafts.extend(read_markdown(top, path, problems))
            elif path.suffix in ENTRY_SUFFIXES:
                drafts.extend(read_table(top, path, content, problems))
    ids = {draft.id for draft in drafts} | {table.id for table in content.tables}
    for _, folder in folders:
        content.changes.setdefault(folder.name, read_changes(folder, ids, problems))
    return finished(root, drafts, content, names)


def read_game(folder: Path, content: Content, problems: Problems) -> None:
    """Read into `content` the title and names of a game, its `sources.yaml`, and the outlines that sources.yaml
    lists.
    """
    if not read_names(folder, content, problems):
        return
    content.synonyms[folder.name] = read_synonyms(folder / "synonyms.yaml", problems)
    for source, place in read_rows(folder / "sources.yaml", SourceFields, "documents are a list of rows", problems):
        content.sources[folder.name, source.id] = source
        if source.outline:
            read_outline(folder, source, place.line("outline"), content, problems)


def read_rows(path: Path, row: type[Row], what: str, problems: Problems) -> Iterator[tuple[Row, YamlPlace]]:
    """Yield the validated rows of a YAML file that contains a list, each with its location in the file.

    `row` is the type of a row, and `what` describes the list in messages. Yield nothing if there is no file.
    """
    listed, place = read_yaml(path, problems) if path.is_file() else (None, YamlPlace(None))
    if listed is not None and not isinstance(listed, list):
        problems.add(path, 1, what)
        return
    for number, raw in enumerate(listed or ()):
        at = place.item(number)
        fields = validate(row, raw, path, at.line, problems)
        if fields is not None:
            yield fields, at


def read_changes(folder: Path, entries: Collection[str], problems: Problems) -> list[ChangeFields]:
    """Return the changes to kb's entries on a game, newest first. Each change gives the complete ids of its entries.
    `entries` are the ids that exist.
    """
    path, changes = folder / CHANGES, list[ChangeFields]()
    what = "this file must contain a list of rows with `date`, `text` and `entries`"
    for change, place in read_rows(path, ChangeFields, what, problems):
        if changes and change.date > changes[-1].date:
            problems.add(path, place.line("date"), f"{change.date} is below {changes[-1].date}; put the newest first")
        ids = [f"{folder.name}/{entry}" for entry in change.entries]
        for entry in ids:
            if entry not in entries:
                problems.add(path, place.line("entries"), f"there is no entry {entry!r}")
        changes.append(replace(change, entries=ids))
    return changes


def read_earlier(top: Path, game: str, content: Content, problems: Problems) -> None:
    """Read the file `earlier.yaml` of each edition of a game into `content`.

    The file says how the edition affects the rulings, answers and rules of earlier editions. `top` is the `content/`
    folder.
    """
    description = registry.about(game)
    what = "this file must contain a list of rows with `heading`, `stands`, `by` and `says`"
    for edition in description.editions if description else ():
        path = top / edition.within / EARLIER
        rows = content.earlier.setdefault(edition.within, [])
        for row, place in read_rows(path, EarlierFields, what, problems):
            for heading in (row.heading, *row.by):
                if heading not in content.headings or content.headings[heading][0] != game:
                    problems.add(path, place.line(), f"{heading!r} is not a heading of any outline of {game}")
            if row.stands != "dropped" and not (row.by or (row.says and row.stands == "changed")):
                problems.add(path, place.line(), f"{row.heading} is {row.stands}: `by` names the headings that say so")
            rows.append(row)


def read_names(folder: Path, content: Content, problems: Problems) -> bool:
    """Read the title and names of a game into `content`. Return False if they cannot be read.

    They come from the game's folder in kb.games. A game that has only entries has a `game.yaml` in `content/` instead.
    """
    game_file = folder / "game.yaml"
    description = registry.about(folder.name)
    if description is None or game_file.is_file():
        raw = read_yaml(game_file, problems)[0] if game_file.is_file() else None
        try:
            description = registry.about_of(raw, folder, folder.name)
        except ValueError as error:
            problems.add(game_file, 1, f"{error}, in a file game.yaml")
            return False
    content.games[folder.name] = description.title
    content.called |= {scope: list(names) for scope, names in description.called.items()}
    return True


def read_synonyms(path: Path, problems: Problems) -> list[list[str]]:
    """Return the groups of words and phrases that players use with the same meaning. Empty if there is no file."""
    groups, place = read_yaml(path, problems) if path.is_file() else (None, YamlPlace(None))
    return (groups and validate(Groups, groups, path, place.line, problems)) or []


def read_outline(folder: Path, source: SourceFields, line: int, content: Content, problems: Problems) -> None:
    """Read the outline of a document into `content`: tab-separated values with id, title, kind, section and page.

    `line` is the line of sources.yaml that names the outline.
    """
    try:
        path = inside(folder, source.outline or "")
    except OutsideError as error:
        problems.add(folder / "sources.yaml", line, f"the outline of {source.id}: {error}")
        return
    if not path.is_file():
        problems.add(folder / "sources.yaml", line, f"the outline {source.outline} of {source.id} does not exist")
        return
    lines = StringIO(read_text(path, problems) or "", newline="")
    try:
        rows = list(csv.DictReader(lines, delimiter="\t", strict=True))
    except csv.Error as error:
        problems.add(path, 0, f"this is not a table of tab-separated values: {error}")
        return
    for line, row in enumerate(rows, 2):
        page = int(row["page"]) if PAGE.fullmatch(row.get("page") or "") else None
        values = {name: row[name] for name in ("id", "title", "kind", "section") if row.get(name) is not None}
        values |= {"doc": source.id, "page": page, "position": line - 2}
        heading = validate(OutlineHeading, values, path, lambda *_way, at=line: at, problems)
        if heading is None:
            continue
        if heading.id in content.headings:
            problems.add(path, line, f"the outline id {heading.id!r} occurs twice")
        content.headings.setdefault(heading.id, (folder.name, heading))


def read_markdown(root: Path, path: Path, problems: Problems) -> list[EntryDraft]:
    """Return the entry in a Markdown file as a list with one item. Empty, with a problem reported, if the file has
    errors.
    """
    parts = split_markdown(path, problems)
    if parts is None:
        return []
    raw, place, body, body_line = parts
    fields = validate(EntryFields, raw, path, place.line, problems)
    if fields is None:
        return []
    if not body.strip():
        problems.add(path, body_line, "the entry has no text below its front matter")
    entry_id = path.relative_to(root).with_suffix("").as_posix()
    return [EntryDraft(entry_id, entry_id.split("/")[0], fields, body, path, place, 1, body_line, problems)]


def read_table(root: Path, path: Path, content: Content, problems: Problems) -> list[EntryDraft]:
    """Return the entries in a YAML list. Rows with errors are reported and left out."""
    raw, whole = read_yaml(path, problems)
    table = None if raw is None else validate(TableFields, raw, path, whole.line, problems)
    if table is None:
        return []
    table_id = path.relative_to(root).with_suffix("").as_posix()
    game = table_id.split("/")[0]
    content.tables.append(LoadedTable(id=table_id, game=game, title=table.title, intro=table.intro))
    defaults = {key: raw[key] for key in ("kind", "source", "spoiler", "authority") if raw.get(key)}
    drafts = []
    for number, row in enumerate(table.entries):
        place = whole.item(number, "entries")
        fields = validate(RowFields, defaults | row, path, place.line, problems)
        if fields is not None:
            head = f"{table_id}/{fields.id}", game, fields, f"{fields.body}\n", path, place
            drafts.append(EntryDraft(*head, place.line(), place.line("body"), problems, table_id))
    return drafts
