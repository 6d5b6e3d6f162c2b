"""A rule in two editions or sets of its game, entry by entry; and all that a game's newest edition changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypedDict

from kb.api.schema import json_of
from kb.api.showing import NamedJson, NotFound, SourcedJson

if TYPE_CHECKING:
    from kb.catalog.reader import Catalog, EntryView


class StatementJson(SourcedJson):
    """What one edition or set says of a rule."""

    of: Annotated[str, "The edition, or the id prefix of the set."]
    differs: Annotated[str | None, "How the others differ from it, in a sentence; null when nothing is noted."]
    text: Annotated[str, "Its text in Markdown."]


class ComparisonJson(TypedDict):
    """A rule in all editions or sets that state it."""

    title: Annotated[str, "Title of the rule."]
    entries: Annotated[list[StatementJson], "What each says, the one that was asked for first."]


class ChangedJson(NamedJson):
    """A rule, ruling or answer that an edition changed."""

    says: Annotated[str | None, "What it says instead; null when nothing is noted."]


class ChangesJson(TypedDict):
    """What the newest edition of a game changed."""

    game: Annotated[str, "Id of the game."]
    edition: Annotated[str, "The edition."]
    new: Annotated[list[NamedJson], "Its entries that no earlier edition has."]
    changed: Annotated[
        list[ChangedJson], "Entries of earlier editions that say something else, those first to which most others lead."
    ]
    gone: Annotated[list[NamedJson], "Entries of earlier editions that it leaves out."]


def comparison(catalog: Catalog, entry_id: str) -> ComparisonJson:
    """The entry, and those of other editions and sets on its rule. Raises NotFound when there is none but the entry."""
    from kb.catalog.relations import of_topic

    entry = catalog.entry(entry_id)
    if entry is None:
        raise NotFound(f"{entry_id} is no entry: only rules can be compared.")
    ids = [*(other["id"] for other in entry.listed("counterparts")), *of_topic(catalog, entry)]
    found = [entry, *filter(None, (catalog.entry(other) for other in dict.fromkeys(ids) if other != entry.id))]
    if len(found) == 1:
        raise NotFound(f"No other edition or set of {entry.game} has an entry on {entry.title} ({entry.id}).")
    return {"title": entry.title, "entries": [statement(each) for each in found]}


def statement(entry: EntryView) -> StatementJson:
    """What an entry says, with the edition or set that it is of."""
    return {
        "id": entry.id, "title": entry.title, "source": entry.citation,
        "of": entry.data.get("edition") or "/".join(entry.id.split("/")[:2]),
        "differs": entry.data.get("topic_note") or (entry.data.get("stands") or {}).get("says"), "text": entry.body,
    }  # fmt: skip


def changes(catalog: Catalog, game: str) -> ChangesJson:
    """What the newest edition of a game changed. Raises NotFound for a game whose rules stand in one."""
    from kb.catalog.relations import how_often_linked
    from kb.registry.editions import editions_of

    editions = editions_of(game)
    if not editions:
        raise NotFound(f"The rules of {game} have no editions: name a rule to compare its sets (kb compare RULE).")
    often = how_often_linked(catalog)
    new: list[NamedJson] = []
    told: dict[str, list[EntryView]] = {"kept": [], "changed": [], "dropped": []}
    for entry in catalog.entries(game):
        if entry.data.get("edition") == editions[0].title and not entry.listed("counterparts"):
            new.append(json_of(NamedJson, entry))
        if stands := entry.data.get("stands"):
            told[stands["is"]].append(entry)
    told["changed"].sort(key=lambda entry: -often.get(entry.id, 0))
    return {
        "game": game, "edition": editions[0].title, "new": new,
        "changed": [json_of(ChangedJson, each, says=each.data["stands"]["says"]) for each in told["changed"]],
        "gone": [json_of(NamedJson, each) for each in told["dropped"]],
    }  # fmt: skip
