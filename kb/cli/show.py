"""`kb show`: an entry or card whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.place import Within
from kb.cli.session import session_here
from kb.cli.terminal import AsJson, dim, is_terminal, print_body, print_json, strong, tell, warn

if TYPE_CHECKING:
    from kb.api.showing import Ambiguous, Shown


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
    from kb.api.showing import Ambiguous, NotFound

    name = " ".join(entry).strip()
    with session_here() as session:
        try:
            found = session.show(name, within=within)
        except Ambiguous as several:
            chosen = session.get(chosen_of(several))
            assert chosen is not None
            found = chosen
        except NotFound as error:
            warn(str(error))
            raise typer.Exit(1) from None
    if as_json:
        print_json(found)
    else:
        print_shown(found)


def print_shown(found: Shown) -> None:
    """An entry, a card or a list for people."""
    told = dict(found)
    if "facts" in told:
        print_card(told)
    elif "entries" in told:
        print_list(told)
    elif "book" in told:
        print_passage(told)
    else:
        print_entry(told)


def chosen_of(several: Ambiguous) -> str:
    """The id of the one that the user picks. Stops with exit code 1 when nobody can pick."""
    import sys

    found = several.candidates
    listed = [f"{number:>2}  {title}  {dim(exact_id)}" for number, (exact_id, title) in enumerate(found, 1)]
    if not (is_terminal() and sys.stdin.isatty()):
        warn(str(several))
        raise typer.Exit(1)
    tell("\n".join([f"Several are called {several.name!r}:", *listed]))
    number: int = typer.prompt("Which", type=int, default=1)
    return found[max(1, min(len(found), number)) - 1][0]


def print_entry(found: dict[str, object]) -> None:
    """An entry for people."""
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
