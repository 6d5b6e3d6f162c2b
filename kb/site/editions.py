"""The entry points and chapters of a game for each of its editions.

Pages show the chapters of the newest edition. The script kb.js switches to the edition that the reader has chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import field

from kb.catalog.reader import EntryView
from kb.frozen import frozen
from kb.registry import about
from kb.registry.about import Edition
from kb.registry.editions import editions_of
from kb.site.chapters import Chapter, chapters_of
from kb.site.library import Library, Volume


@frozen
class Opening:
    """An entry point of a game, that is, a link to a page to start with.

    `words` is its name, and `entry` the id of the entry that it leads to. In games with several editions, `by` has the
    entry for each edition, by the edition's id. `tool` is the address of the page that fills in the paper sheet
    described by the entry, empty if there is none.
    """

    words: str
    entry: str
    game: str
    by: Mapping[str, str] = field(default_factory=dict)
    tool: str = ""


@frozen
class RulesBy:
    """The chapters of a game's rules in one of its editions."""

    edition: Edition
    volume: Volume
    chapters: list[Chapter]


def openings(library: Library, game: str, tools: Mapping[str, str]) -> list[Opening]:
    """Return the entry points of a game, in the order of `opens` in its game.yaml.

    `tools` has the addresses of this site's tools for the game, by the names of their pages.
    """
    description = about(game)
    if description is None:
        return []
    return [
        Opening(
            words,
            entry,
            game,
            of_each_edition(library, library.entries[entry]),
            tools.get(description.sheets.get(entry, ""), ""),
        )
        for entry, words in description.opens.items()
        if entry in library.entries
    ]


def of_each_edition(library: Library, entry: EntryView) -> dict[str, str]:
    """Return the ids of the entries that state the same rule as `entry` in each edition of its game, by the edition's
    id.

    Empty if no other edition states the rule.
    """
    named = {edition.title: edition.id for edition in editions_of(entry.game)}
    others = [other for other in entry.listed("counterparts") if other["id"] in library.entries]
    own = named.get(str(entry.data.get("edition")))
    if not own or not others:
        return {}
    return {named[other["edition"]]: other["id"] for other in reversed(others)} | {own: entry.id}


def rules_by(library: Library, volume: Volume) -> list[RulesBy]:
    """Return the chapters of a game for each of its editions, newest edition first.

    An edition without its own volume uses the chapters in the game's volume. The result is empty if `volume` is not a
    whole game, or if the game has no editions.
    """
    if volume.id != volume.game:
        return []
    return [
        RulesBy(edition, own, chapters_of(library, own.id))
        for edition in editions_of(volume.game)
        if (own := library.volumes.get(edition.within, volume))
    ]


def current_chapter(library: Library, chapter: Chapter) -> tuple[str, Chapter] | None:
    """Return the title of the newest edition, and its chapter with most of the rules that replace those of `chapter`.

    None if `chapter` is of the newest edition, or if most of its entries have no counterpart there.
    """
    game = chapter.volume.split("/")[0]
    current = next(iter(editions_of(game)), None)
    if current is None or not current.within or current.within == chapter.volume:
        return None
    replacing = Counter(
        other["id"]
        for entry in chapter.entries
        for other in entry.listed("counterparts")
        if other["edition"] == current.title
    )
    replaced = sum(1 for entry in chapter.entries if entry.listed("counterparts"))
    if not replaced or 2 * replaced < len(chapter.entries):
        return None
    return current.title, max(
        chapters_of(library, current.within), key=lambda each: sum(replacing[entry.id] for entry in each.entries)
    )


def newest(game: str) -> str:
    """Return the title of a game's newest edition. Empty for a game without editions."""
    return next((edition.title for edition in editions_of(game)), "")
