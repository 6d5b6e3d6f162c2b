"""An entry, a card, a passage or a list of entries whole, as the lines that people read."""

from __future__ import annotations

from collections.abc import Iterator

from kb.cli.terminal import body_lines, dim, strong

# What a later edition does with a ruling, an answer or a rule.
STANDS = {
    "kept": "{} keeps this.",
    "changed": "{} changes this.",
    "dropped": "{} leaves this out, and says nothing else of it.",
}


def lines_of(found: dict[str, object]) -> Iterator[str]:
    """The lines of what a contract holds."""
    if "facts" in found:
        yield from card_lines(found)
    elif "entries" in found:
        yield from list_lines(found)
    elif "book" in found:
        yield from passage_lines(found)
    else:
        yield from entry_lines(found)


def entry_lines(found: dict[str, object]) -> Iterator[str]:
    """An entry: its text, then what is around it, each thing once."""
    yield strong(str(found["title"]))
    yield dim(f"{found['id']} · {found['kind']} · {found['source']}")
    yield ""
    for item in listed(found, "superseded_by"):
        yield f"Superseded. Follow the later official text: {item['title']} ({item['id']})."
        yield ""
    yield from body_lines(str(found["body"]))
    for item in listed(found, "history"):
        yield from ("", f"Earlier rule ({item['until']}): {item['text']}")
    if isinstance(found["stands"], dict):
        yield from ("", STANDS[found["stands"]["is"]].format(found["stands"]["edition"]))
        if found["stands"]["says"] and not found["counterparts"]:
            yield str(found["stands"]["says"])
    for item in listed(found, "counterparts"):
        yield from ("", f"{said_in(item['edition'], item['differs'])}  {dim(item['id'])}")
    if found["topic_note"] and not found["counterparts"] and not found["stands"]:
        yield from ("", str(found["topic_note"]) if found["edition"] else f"The other set: {found['topic_note']}")
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
            yield from ("", strong(label))
            yield from (f"  {shown(item)}" for item in items)


def said_in(edition: str, differs: str | None) -> str:
    """What another edition says of a rule, in a sentence that names it."""
    if not differs:
        return f"Also in {edition}."
    return differs if edition.partition(" ")[0] in differs else f"{edition}: {differs}"


def card_lines(found: dict[str, object]) -> Iterator[str]:
    """A card's facts, and the entries that name it."""
    facts = found["facts"]
    assert isinstance(facts, dict)
    yield from fact_lines(facts)
    if listed(found, "entries"):
        yield from ("", strong("Named in"))
    for item in listed(found, "entries"):
        about = f" (about {item['about']})" if item["about"] else ""
        yield f"  {item['title']}{about}  {dim(item['id'])}"


def fact_lines(facts: dict[str, object]) -> Iterator[str]:
    """A card's name and what is known of it."""
    yield strong(str(facts.get("name")))
    for key, value in facts.items():
        if value not in (None, [], {}, "", False) and key != "name":
            yield f"  {key.replace('_', ' '):<16} {in_words(value)}"


def passage_lines(found: dict[str, object]) -> Iterator[str]:
    """A passage of the user's own rulebook."""
    yield strong(str(found["title"]))
    yield dim(f"{found['id']} · {found['source']}")
    yield ""
    yield str(found["text"])
    if listed(found, "restated_by"):
        yield from ("", strong("In our words"))
    for item in listed(found, "restated_by"):
        yield f"  {item['title']}  {dim(item['id'])}"


def list_lines(found: dict[str, object]) -> Iterator[str]:
    """A list of entries."""
    yield strong(str(found["title"]))
    if found["intro"]:
        yield str(found["intro"]).strip()
    for row in listed(found, "entries"):
        yield f"  {row['title']}  {dim(row['id'])}"


def listed(found: dict[str, object], key: str) -> list[dict[str, str]]:
    """A list of the contract."""
    value = found[key]
    return value if isinstance(value, list) else []


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
