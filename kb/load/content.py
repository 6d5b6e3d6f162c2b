"""Loads `content/`: games, sources with their outlines, and entries with resolved links."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kb.catalog.markup import anchors
from kb.load.cards import CardNames
from kb.load.entries import (
    Citation,
    EntryFields,
    Heading,
    LoadedEntry,
    LoadedLink,
    LoadedTable,
    SourceFields,
    TableFields,
)
from kb.load.frontmatter import line_of, read_yaml, rows, split_markdown, validate
from kb.load.links import resolve_body, resolve_entry
from kb.load.problems import Problems

NOT_ENTRIES = {"README.md", "sources.yaml", "game.yaml", "synonyms.yaml"}
ROW_ID = re.compile(r"[a-z0-9][a-z0-9.-]*")


@dataclass(slots=True)
class Content:
    """All that `content/` holds. `sources` and `headings` are in the order of their files; `synonyms` are groups of phrases by
    game, `called` what players call a game or set (by id prefix)."""

    games: dict[str, str] = field(default_factory=dict)
    sources: dict[tuple[str, str], SourceFields] = field(default_factory=dict)
    headings: dict[str, tuple[str, Heading]] = field(default_factory=dict)
    entries: list[LoadedEntry] = field(default_factory=list)
    tables: list[LoadedTable] = field(default_factory=list)
    synonyms: dict[str, list[list[str]]] = field(default_factory=dict)
    called: dict[str, list[str]] = field(default_factory=dict)


@dataclass(slots=True)
class Draft:
    """An entry whose links are not resolved yet. `text`/`start`: its file and where in it the entry begins."""

    id: str
    game: str
    fields: EntryFields
    body: str
    path: Path
    text: str
    start: int
    body_line: int
    table: str | None = None


def load_content(root: Path, names: CardNames, problems: Problems) -> Content:
    """Read the folder `root` (`content/`); everything wrong goes to `problems`, what is right is returned all the same."""
    content = Content()
    drafts: list[Draft] = []
    for folder in sorted(path for path in root.iterdir() if path.is_dir()):
        read_game(folder, content, problems)
        for path in sorted(folder.rglob("*")):
            if path.name in NOT_ENTRIES or path.name.startswith("."):
                continue
            if path.suffix == ".md":
                drafts.extend(read_markdown(root, path, problems))
            elif path.suffix in {".yaml", ".yml"}:
                drafts.extend(read_table(root, path, content, problems))
    finish(root, drafts, content, names, problems)
    return content


def read_game(folder: Path, content: Content, problems: Problems) -> None:
    """Read `game.yaml`, `sources.yaml` and the outlines it names."""
    game_file, sources_file = folder / "game.yaml", folder / "sources.yaml"
    game = read_yaml(game_file, game_file.read_text(encoding="utf-8"), 1, problems) if game_file.is_file() else None
    if not isinstance(game, dict) or not isinstance(game.get("title"), str):
        problems.add(game_file, 1, "a game needs a file game.yaml with its title")
        return
    content.games[folder.name] = game["title"]
    called = game.get("called") or {}
    if not isinstance(called, dict) or not all(isinstance(names, list) for names in called.values()):
        problems.add(game_file, 1, "called: lists, for each id prefix, what players call the game or set")
    else:
        content.called |= {str(scope): [str(name) for name in names] for scope, names in called.items()}
    content.synonyms[folder.name] = read_synonyms(folder / "synonyms.yaml", problems)
    text = sources_file.read_text(encoding="utf-8") if sources_file.is_file() else "[]"
    listed = read_yaml(sources_file, text, 1, problems)
    for offset, row in rows(text, listed if isinstance(listed, list) else []):
        source = validate(SourceFields, row, sources_file, text, offset, problems)
        if source is None:
            continue
        content.sources[folder.name, source.id] = source
        if source.outline:
            read_outline(folder, source, content, problems)


def read_synonyms(path: Path, problems: Problems) -> list[list[str]]:
    """Groups of words and phrases that players use for the same thing: a list of lists."""
    groups = read_yaml(path, path.read_text(encoding="utf-8"), 1, problems) if path.is_file() else []
    if not isinstance(groups, list) or not all(isinstance(group, list) and len(group) > 1 for group in groups):
        problems.add(path, 1, "synonyms are a list of groups, each a list of two or more words or phrases")
        return []
    return [[str(phrase) for phrase in group] for group in groups]


def read_outline(folder: Path, source: SourceFields, content: Content, problems: Problems) -> None:
    """Read a document's outline: tab-separated id, title, kind, section, page."""
    path = folder / (source.outline or "")
    if not path.is_file():
        problems.add(folder / "sources.yaml", 1, f"the outline {source.outline} of {source.id} does not exist")
        return
    with path.open(encoding="utf-8", newline="") as file:
        for position, row in enumerate(csv.DictReader(file, delimiter="\t")):
            if row["id"] in content.headings:
                problems.add(path, position + 2, f"the outline id {row['id']!r} is there twice")
                continue
            page = int(row["page"]) if (row.get("page") or "").isdigit() else None
            heading = Heading(
                id=row["id"], doc=source.id, title=row["title"], kind=row["kind"], section=row["section"],
                page=page, position=position,
            )  # fmt: skip
            content.headings[heading.id] = (folder.name, heading)


def read_markdown(root: Path, path: Path, problems: Problems) -> list[Draft]:
    """The entry of a Markdown file (a list of one, or of none when it is broken)."""
    parts = split_markdown(path, problems)
    if parts is None:
        return []
    raw, body, body_line = parts
    text = path.read_text(encoding="utf-8", errors="replace")
    fields = validate(EntryFields, raw, path, text, 0, problems)
    if fields is None:
        return []
    if not body.strip():
        problems.add(path, body_line, "the entry has no text below its front matter")
    entry_id = path.relative_to(root).with_suffix("").as_posix()
    return [Draft(entry_id, entry_id.split("/")[0], fields, body, path, text, 0, body_line)]


def read_table(root: Path, path: Path, content: Content, problems: Problems) -> list[Draft]:
    """The entries of a YAML list."""
    text = path.read_text(encoding="utf-8", errors="replace")
    raw = read_yaml(path, text, 1, problems)
    if raw is None:
        return []
    table = validate(TableFields, raw, path, text, 0, problems)
    if table is None:
        return []
    table_id = path.relative_to(root).with_suffix("").as_posix()
    game = table_id.split("/")[0]
    content.tables.append(LoadedTable(id=table_id, game=game, title=table.title, intro=table.intro))
    defaults: dict[str, Any] = {
        key: value
        for key, value in (raw.items() if isinstance(raw, dict) else [])
        if key in {"kind", "source", "spoiler"} and value
    }
    drafts = []
    for offset, row in rows(text, table.entries):
        line = text.count("\n", 0, offset) + 1
        row_id, body = str(row.get("id") or ""), row.get("body")
        if not ROW_ID.fullmatch(row_id):
            problems.add(path, line, f"the row needs an id of small letters, digits, dots and hyphens, not {row_id!r}")
            continue
        if not isinstance(body, str) or not body.strip():
            problems.add(path, line, f"the row {row_id} has no body")
            continue
        fields = validate(
            EntryFields,
            {**defaults, **{key: value for key, value in row.items() if key not in {"id", "body"}}},
            path, text, offset, problems,
        )  # fmt: skip
        if fields is not None:
            drafts.append(
                Draft(f"{table_id}/{row_id}", game, fields, body.strip() + "\n", path, text, offset, line, table_id)
            )
    return drafts


def finish(root: Path, drafts: list[Draft], content: Content, names: CardNames, problems: Problems) -> None:
    """Check ids, outline ids, sources and cards; resolve links; order the entries as their documents do."""
    titles: dict[str, str] = {table.id: table.title for table in content.tables}
    bodies: dict[str, set[str]] = defaultdict(set)
    old_ids: dict[str, str] = {}
    for draft in drafts:
        if draft.id in titles:
            problems.add(draft.path, line_of(draft.text, "id", draft.start), f"the id {draft.id!r} is there twice")
        titles[draft.id] = draft.fields.title
        bodies[draft.id] = set(anchors(draft.body))
        for old in draft.fields.formerly:
            if old_ids.setdefault(old, draft.id) != draft.id:
                problems.add(
                    draft.path,
                    line_of(draft.text, "formerly", draft.start),
                    f"{old!r} is the old id of {old_ids[old]} too",
                )
    for old in old_ids.keys() & titles.keys():
        owner = next(draft for draft in drafts if draft.id == old_ids[old])
        problems.add(
            owner.path, line_of(owner.text, "formerly", owner.start), f"the old id {old!r} is the id of an entry today"
        )
    for draft in drafts:
        content.entries.append(finish_entry(root, draft, content, titles, bodies, names, problems))
    content.entries.sort(key=lambda entry: (entry.game, entry.position, entry.id))


def finish_entry(
    root: Path,
    draft: Draft,
    content: Content,
    titles: dict[str, str],
    bodies: dict[str, set[str]],
    names: CardNames,
    problems: Problems,
) -> LoadedEntry:
    """One entry with its links resolved and its references checked."""
    fields = draft.fields

    def at(key: str) -> int:
        return line_of(draft.text, key, draft.start)

    for key, ids in (("covers", fields.covers), ("about", fields.about)):
        for heading in ids:
            if heading not in content.headings or content.headings[heading][0] != draft.game:
                problems.add(draft.path, at(key), f"{heading!r} is no heading of an outline of {draft.game}")
    source = content.sources.get((draft.game, fields.source.doc))
    if source is None:
        known = ", ".join(doc for game, doc in content.sources if game == draft.game) or "none"
        problems.add(draft.path, at("source"), f"{fields.source.doc!r} is no source of {draft.game}; known are {known}")
    cards = []
    for name in fields.cards:
        found = names.find_all(name, draft.id)
        cards.extend(found)
        if not found:
            problems.add(
                draft.path, at("cards"), f"there is no card {name!r} in {draft.game}{names.hint(name, draft.id)}"
            )

    def broken(target: str, offset: int) -> None:
        line = draft.body_line + (draft.body.count("\n", 0, offset) if draft.table is None else 0)
        problems.add(draft.path, line, f"the link [[{target}]] leads nowhere")

    body, links = resolve_body(draft.body, draft.id, titles, names.find, titles.__getitem__, broken)
    for link in links:
        if (
            link.anchor
            and not link.is_card
            and link.anchor not in bodies.get(link.target, set())
            and f"{link.target}/{link.anchor}" not in titles
        ):
            problems.add(
                draft.path, draft.body_line, f"the link to {link.target}#{link.anchor} names a part that is not there"
            )
    see = []
    for target in fields.see:
        full = resolve_entry(target.split("#")[0], draft.id, titles)
        if full is None:
            problems.add(draft.path, at("see"), f"see: there is no entry {target!r}")
        elif full != draft.id:
            see.append(full)
    links.extend(LoadedLink(target=full, is_see=True) for full in see)
    places = [content.headings[heading][1].position for heading in fields.covers if heading in content.headings]
    return LoadedEntry(
        id=draft.id,
        game=draft.game,
        fields=fields.model_copy(update={"cards": cards, "see": see}),
        body=body,
        citation=in_words(fields.source, source, fields),
        path=draft.path.relative_to(root.parent).as_posix()
        if draft.path.is_relative_to(root.parent)
        else str(draft.path),
        line=draft.text.count("\n", 0, draft.start) + 1,
        table=draft.table,
        position=min(places, default=100_000),
        links=links,
    )


def in_words(place: Citation, source: SourceFields | None, fields: EntryFields) -> str:
    """A citation as a reader wants it: `Mummy's Mask rulebook, p. 19`, `… Rules Reference, Glossary (added in FAQ 2.16)`."""
    parts = [(source.short or source.title) if source else place.doc]
    version = place.version
    if version:
        parts[0] += f" v{version}"
    if place.section:
        parts.append(place.section)
    pages = place.pages or ([place.page] if place.page else [])
    if pages:
        parts.append(("p. " if len(pages) == 1 else "pp. ") + ", ".join(map(str, pages)))
    if fields.authority:
        parts.append(AUTHORITY[fields.authority] + (f", {fields.date}" if fields.date else ""))
    text = ", ".join(parts)
    return f"{text} (added: {place.added})" if place.added else text


AUTHORITY = {
    "official-faq": "official FAQ",
    "designer": "designer",
    "developer": "publisher's staff",
    "community-consensus": "community consensus, not official",
}
