"""Pages that compare the sets or editions of a game: an overview of the changes, and a page for each rule that several
of them state.
"""

from __future__ import annotations

from collections import defaultdict

from kb.catalog.reader import EntryView
from kb.registry.editions import editions_of
from kb.site.library import Library, by_authority
from kb.site.pages import Page, Writer


def write_topics(writer: Writer, game: str) -> None:
    """Write the pages that compare the sets or editions of a game: an overview, and a page for each topic.

    A topic is one rule that several sets or editions state.
    """
    library = writer.library
    topics = {
        key.removeprefix(f"{game}/"): entries for key, entries in library.topics.items() if key.startswith(f"{game}/")
    }
    changed = {topic: entries for topic, entries in topics.items() if note_of(entries)}
    title, word, (new, gone) = title_of_changes(game), sets_word(game), came_and_went(library, game)
    writer.write(
        Page(
            f"{game}/topics/index",
            title,
            "topics.md.j2",
            f"How the {word}s of {library.games[game]} differ, rule by rule.",
            f"{game}/topics",
            context={
                "game": game,
                "title": title,
                "new": new,
                "gone": gone,
                "word": word,
                "groups": grouped(library, game, changed),
                "topics": topics,
                "changed": changed,
                "notes": {topic: note_of(entries) for topic, entries in changed.items()},
            },
        )
    )
    for topic, entries in topics.items():
        rulings = {ruling.id: ruling for entry in entries for ruling in library.rulings_on(entry)}
        writer.write(
            Page(
                f"{game}/topics/{topic}",
                f"{writer.titled(entries[0].id)}: the {word}s compared",
                "topic.md.j2",
                note_of(entries) or f"{entries[0].title} in each {word}, side by side.",
                f"{game}/topics",
                layout="wide",
                context={
                    "called": [side_title(library, entry) for entry in entries],
                    "entries": entries,
                    "note": note_of(entries),
                    "rulings": sorted(rulings.values(), key=by_authority),
                },
            )
        )


def grouped(library: Library, game: str, changed: dict[str, list[EntryView]]) -> dict[str, list[str]]:
    """Group the ids of the changed topics by their section of the rulebook. `changed` are the entries of each topic."""
    groups: dict[str, list[str]] = defaultdict(list)
    for topic, entries in changed.items():
        heading = library.headings.get(entries[0].covers[0]) if entries[0].covers else None
        parts = [part for part in (heading.section.split(" > ") if heading else []) if part != "Rulebook"]
        groups[parts[0] if parts else "The game as a whole"].append(topic)
    return groups


def title_of_changes(game: str) -> str:
    """Return the title of the page that compares the editions or sets of a game."""
    editions = editions_of(game)
    return " vs ".join(edition.title for edition in reversed(editions)) if editions else "What changed between the sets"


def came_and_went(library: Library, game: str) -> tuple[list[EntryView], list[EntryView]]:
    """Return the entries that only the newest edition of a game has, and the entries of earlier editions that the
    newest one drops.
    """
    newest = [edition.title for edition in editions_of(game)[:1]]
    entries = [entry for entry in library.entries.values() if entry.game == game]
    new = [entry for entry in entries if entry.data.get("edition") in newest and not entry.listed("counterparts")]
    return new, [entry for entry in entries if (entry.data.get("stands") or {}).get("is") == "dropped"]


def sets_word(game: str) -> str:
    """Return the word for the parts of a game that are compared: "edition" or "set"."""
    return "edition" if editions_of(game) else "set"


def side_title(library: Library, entry: EntryView) -> str:
    """Return the heading above an entry that is shown next to the same rule in another set or edition: the title of the
    entry's edition or set.
    """
    document = entry.data.get("source", {}).get("doc")
    edition = next((each.title for each in editions_of(entry.game) if document in each.documents), "")
    return edition or library.volumes[library.volume_of(entry.id)].title


def note_of(entries: list[EntryView]) -> str:
    """Return the sentence that describes how the sets state a topic differently. Empty if no entry has one.

    Several of `entries` can have such a sentence. The last one is returned, because the newest is the most complete.
    """
    return next((str(entry.data["topic_note"]) for entry in reversed(entries) if entry.data.get("topic_note")), "")
