"""`kb show`: an entry or card whole."""

from __future__ import annotations

from typing import Annotated

import typer

from kb.cli.catalog import open_here
from kb.cli.terminal import AsJson, dim, print_body, print_json, strong, tell, warn


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("show")(show)


def show(
    entry: Annotated[str, typer.Argument(metavar="ID", help="An id: `kb search` prints one with every hit.")],
    as_json: AsJson = False,
) -> None:
    """Print an entry, a card or a list of entries whole: text, source, what links to it, which deck checks cite it."""
    named = entry.strip("/")
    found = entry_contract(named) or card_contract(named) or list_contract(named)
    if found is None:
        near = near_ids(entry)
        warn(f"There is no entry {entry!r}." + (f" Did you mean {', '.join(near)}?" if near else ""))
        raise typer.Exit(1)
    if as_json:
        print_json(found)
    elif "facts" in found:
        print_card(found)
    elif "entries" in found:
        print_list(found)
    else:
        print_entry(named)


def near_ids(entry: str) -> list[str]:
    """Ids of the entries that the words of a wrong id find."""
    from kb.catalog.store import open_index
    from kb.search.engine import SearchIndex

    index = SearchIndex(open_index())
    try:
        return [hit.id for hit in index.search(entry.replace("/", " ").replace("-", " "), limit=3).hits]
    finally:
        index.close()


def entry_contract(entry_id: str) -> dict[str, object] | None:
    """An entry as JSON: its text and everything around it."""
    from kb.decks.games import checks_citing
    from kb.markup import plain

    with open_here() as catalog:
        entry = catalog.entry(entry_id)
        if entry is None:
            return None
        see = catalog.citations(entry.listed("see"))
        return {
            "id": entry.id, "title": entry.title, "game": entry.game, "kind": entry.kind, "source": entry.citation,
            "body": entry.body, "text": plain(entry.body), "covers": list(entry.covers), "aliases": entry.listed("aliases"),
            "asked": entry.listed("asked"), "spoiler": entry.spoiler, "authority": entry.authority,
            "date": entry.data.get("date"), "signed": entry.data.get("signed"), "confidence": entry.data.get("confidence"),
            "superseded_by": [
                {"id": item.id, "title": item.title} for item in catalog.citations(entry.listed("superseded_by")).values()
            ],
            "topic_note": entry.data.get("topic_note"), "history": entry.listed("history"),
            "see": [{"id": item.id, "title": item.title} for item in see.values()],
            "rulings": [{"id": item.id, "title": item.title, "source": item.source} for item in catalog.bearing_on(entry.covers)],
            "linked_from": [{"id": item.id, "title": item.title} for item in catalog.linking(entry.id)],
            "checks": [{"game": game, "id": check.id, "summary": check.summary} for game, check in checks_citing(entry.id)],
        }  # fmt: skip


def card_contract(card_id: str) -> dict[str, object] | None:
    """A card as JSON: its facts and the entries that name it."""
    with open_here() as catalog:
        card = catalog.card(card_id)
        if card is None:
            return None
        named = catalog.linking(card_id, ("card",))
        return {
            "id": card_id,
            "facts": card,
            "entries": [{"id": item.id, "title": item.title, "source": item.source} for item in named],
        }


def print_entry(entry_id: str) -> None:
    """An entry for people."""
    found = entry_contract(entry_id)
    assert found is not None
    tell(strong(str(found["title"])))
    tell(dim(f"{found['id']} · {found['kind']} · {found['source']}") + "\n")
    for item in listed(found, "superseded_by"):
        tell(f"Superseded: a later official text settles it. See {item['title']} ({item['id']}).\n")
    print_body(str(found["body"]))
    for item in listed(found, "history"):
        tell(f"\nUntil {item['until']}: {item['text']}")
    if found["topic_note"]:
        tell(f"\nThe other set: {found['topic_note']}")
    for label, key, shown in (
        ("Also asked as", "asked", lambda item: item),
        ("Rulings", "rulings", lambda item: f"{item['title']} ({item['id']})"),
        ("See also", "see", lambda item: f"{item['title']} ({item['id']})"),
        ("Deck checks that cite it", "checks", lambda item: f"{item['id']}: {item['summary']}"),
    ):
        items = listed(found, key)
        if items:
            tell(f"\n{strong(label)}")
            for item in items:
                tell(f"  {shown(item)}")


def listed(found: dict[str, object], key: str) -> list[dict[str, str]]:
    """A list of the contract."""
    value = found[key]
    return value if isinstance(value, list) else []


def print_card(found: dict[str, object]) -> None:
    """A card's facts for people."""
    facts = found["facts"]
    assert isinstance(facts, dict)
    tell(strong(str(facts.get("name"))))
    for key, value in facts.items():
        if value not in (None, [], {}, "", False) and key != "name":
            tell(f"  {key.replace('_', ' '):<16} {in_words(value)}")
    if listed(found, "entries"):
        tell(f"\n{strong('Named in')}")
    for item in listed(found, "entries"):
        tell(f"  {item['title']}  {dim(item['id'])}")


def in_words(value: object, nested: bool = False) -> str:
    """A fact as words: lists with commas (`or` within them), keys before their values."""
    if isinstance(value, dict):
        return ("; " if not nested else ", ").join(
            f"{key.replace('_', ' ')} {' to '.join(map(str, item)) if key == 'level' else in_words(item, True)}"
            for key, item in value.items()
        )
    if isinstance(value, list):
        inner = " or " if nested and not any(isinstance(item, dict | list) for item in value) else ", "
        return inner.join(in_words(item, True) for item in value)
    return "yes" if value is True else "unknown" if value is None else str(value)


def list_contract(list_id: str) -> dict[str, object] | None:
    """A list of entries (errata, taboos) as JSON: its title and rows."""
    with open_here() as catalog:
        found = catalog.listing(list_id)
    if found is None:
        return None
    title, intro, rows = found
    return {
        "id": list_id,
        "title": title,
        "intro": intro,
        "entries": [{"id": row.id, "title": row.title} for row in rows],
    }


def print_list(found: dict[str, object]) -> None:
    """A list of entries for people."""
    tell(strong(str(found["title"])))
    if found["intro"]:
        tell(str(found["intro"]).strip())
    for row in listed(found, "entries"):
        tell(f"  {row['title']}  {dim(row['id'])}")
