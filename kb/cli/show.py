"""`kb show`: an entry or card whole."""

from __future__ import annotations

from typing import Annotated

import typer

from kb.cli.catalog import open_here
from kb.cli.place import Within, place
from kb.cli.terminal import AsJson, Progress, dim, is_terminal, print_body, print_json, strong, tell, warn


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("show")(show)


def show(
    entry: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME...",
            help="A title, name or code (mulligan, Holy Light, 01020), the last part of an id, or a whole id.",
        ),
    ],
    within: Within = None,
    as_json: AsJson = False,
) -> None:
    """Print an entry, a card or a list of entries whole: text, source, what links to it, which deck checks cite it.

    When several are called so, they are listed; a terminal asks which is meant.
    """
    name = " ".join(entry).strip()
    plain_id = name.strip("/")
    if not print_if_there(plain_id, as_json):
        print_if_there(chosen_of(name, candidates(name, within)), as_json)


def print_if_there(exact_id: str, as_json: bool) -> bool:
    """Print the entry, card or list with this id; whether there is one."""
    found = entry_contract(exact_id) or card_contract(exact_id) or list_contract(exact_id) or passage_contract(exact_id)
    if found is None:
        return False
    if as_json:
        print_json(found)
    elif "facts" in found:
        print_card(found)
    elif "entries" in found:
        print_list(found)
    elif "book" in found:
        print_passage(found)
    else:
        print_entry(exact_id)
    return True


def print_whole(exact_id: str) -> None:
    """Print the entry or card with an id that a search has found."""
    print_if_there(exact_id, False)


def candidates(name: str, within: str | None) -> list[tuple[str, str]]:
    """Id and title of all that is called so, the chosen game's first. Stops with exit code 1 when nothing is."""
    from kb.catalog.store import open_index
    from kb.search.engine import SearchIndex

    index = SearchIndex(open_index(Progress("Building the catalog"), warn))
    try:
        looked = place(index, within)
        found = index.named(name, looked.within)
        if looked.chosen:
            found.sort(key=lambda document: looked.chosen not in document.scopes)
        if found:
            return [(document.by_code(name), document.title) for document in found]
        words = name.replace("/", " ").replace("-", " ")
        near = [hit.id for hit in index.search(words, looked.within, limit=3, chosen=looked.chosen).hits]
    finally:
        index.close()
    warn(f"There is no entry {name!r}." + (f" Did you mean {', '.join(near)}?" if near else ""))
    raise typer.Exit(1)


def chosen_of(name: str, found: list[tuple[str, str]]) -> str:
    """The id of the one that is meant: the only one, or the one the user picks. Stops with exit code 1 when nobody can pick."""
    import sys

    if len(found) == 1:
        return found[0][0]
    listed = [f"{number:>2}  {title}  {dim(exact_id)}" for number, (exact_id, title) in enumerate(found, 1)]
    if not (is_terminal() and sys.stdin.isatty()):
        warn("\n".join([f"Several are called {name!r}:", *listed, "Say which by its id."]))
        raise typer.Exit(1)
    tell("\n".join([f"Several are called {name!r}:", *listed]))
    number: int = typer.prompt("Which", type=int, default=1)
    return found[max(1, min(len(found), number)) - 1][0]


def entry_contract(entry_id: str) -> dict[str, object] | None:
    """An entry as JSON: its text and everything around it."""
    from kb.catalog.relations import borne_on, passages_on, rulings_on, sharing
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
            "rulings": [{"id": item.id, "title": item.title, "source": item.source} for item in rulings_on(catalog, entry)],
            "bears_on": [{"id": item.id, "title": item.title} for item in borne_on(catalog, entry)],
            "same_card": [
                {"id": item.id, "title": item.title, "source": item.source}
                for item in sharing(catalog, entry)
            ],
            "rulebooks": [
                {"id": item.id, "title": item.title, "source": item.source} for item in passages_on(catalog, entry.covers)
            ],
            "linked_from": [{"id": item.id, "title": item.title} for item in catalog.linking(entry.id)],
            "checks": [{"game": game, "id": check.id, "summary": check.summary} for game, check in checks_citing(entry.id)],
        }  # fmt: skip


def card_contract(card_id: str) -> dict[str, object] | None:
    """A card as JSON: its facts and the entries that name it or another level, printing or version of it."""
    from kb.catalog.relations import ruled_on

    with open_here() as catalog:
        card = catalog.card(card_id)
        if card is None:
            return None
        named = ruled_on(catalog, card)
        return {
            "id": card_id,
            "facts": card,
            "entries": [
                {"id": item.id, "title": item.title, "source": item.source, "kind": kind, "about": about or None}
                for item, kind, about in named
            ],
        }


def print_entry(entry_id: str) -> None:
    """An entry for people."""
    found = entry_contract(entry_id)
    assert found is not None
    tell(strong(str(found["title"])))
    tell(dim(f"{found['id']} · {found['kind']} · {found['source']}") + "\n")
    for item in listed(found, "superseded_by"):
        tell(f"Superseded. Follow the later official text: {item['title']} ({item['id']}).\n")
    print_body(str(found["body"]))
    for item in listed(found, "history"):
        tell(f"\nEarlier rule ({item['until']}): {item['text']}")
    if found["topic_note"]:
        tell(f"\nThe other set: {found['topic_note']}")
    told: set[str] = set()
    for label, key, shown in (
        ("Also asked as", "asked", lambda item: item),
        ("Rulings", "rulings", lambda item: f"{item['title']} ({item['id']})"),
        ("Bears on", "bears_on", lambda item: f"{item['title']} ({item['id']})"),
        ("Same card", "same_card", lambda item: f"{item['title']} ({item['id']})"),
        ("In your rulebooks", "rulebooks", lambda item: f"{item['source']}: {item['title']} ({item['id']})"),
        ("See also", "see", lambda item: f"{item['title']} ({item['id']})"),
        ("Deck checks that cite it", "checks", lambda item: f"{item['id']}: {item['summary']}"),
    ):
        # what belongs here for several reasons is printed under the first
        items = [
            item for item in listed(found, key) if isinstance(item, str) or key == "checks" or item["id"] not in told
        ]
        told |= {item["id"] for item in items if not isinstance(item, str)}
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
        about = f" (about {item['about']})" if item["about"] else ""
        tell(f"  {item['title']}{about}  {dim(item['id'])}")


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


def passage_contract(passage_id: str) -> dict[str, object] | None:
    """A passage of the user's own rulebook as JSON, with the entries that restate the same heading."""
    from kb.catalog.relations import restating

    with open_here() as catalog:
        passage = catalog.passage(passage_id)
        if passage is None:
            return None
        return {
            "id": passage.id, "title": passage.title, "game": passage.game, "kind": "rulebook", "book": passage.book,
            "source": passage.source, "text": passage.text,
            "restated_by": [
                {"id": item.id, "title": item.title, "source": item.source} for item in restating(catalog, passage.id)
            ],
        }  # fmt: skip


def print_passage(found: dict[str, object]) -> None:
    """A passage of the user's own rulebook for people."""
    tell(strong(str(found["title"])))
    tell(dim(f"{found['id']} · {found['source']}") + "\n")
    tell(str(found["text"]))
    if listed(found, "restated_by"):
        tell(f"\n{strong('In our words')}")
    for item in listed(found, "restated_by"):
        tell(f"  {item['title']}  {dim(item['id'])}")


def print_list(found: dict[str, object]) -> None:
    """A list of entries for people."""
    tell(strong(str(found["title"])))
    if found["intro"]:
        tell(str(found["intro"]).strip())
    for row in listed(found, "entries"):
        tell(f"  {row['title']}  {dim(row['id'])}")
