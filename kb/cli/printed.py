"""The types of the JSON that each command prints. A test runs all commands and compares their output.

`python -m kb.cli.printed site/using` writes the pages of the manual (`json*.md`); a test compares them with the types.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kb.api.card_lists import Cards
from kb.api.showing import Answer, Card, Comparison, Entry, Listing, Passage
from kb.campaigns.campaign import Replay, WrittenCampaign
from kb.catalog.queries import Listed
from kb.cli.catalog import ContentCheck, Doctor
from kb.decks.contract import Unreadable
from kb.decks.games import ShownDeck
from kb.decks.party import PartyReport, Pull
from kb.decks.report import Report
from kb.decks.scores import Score
from kb.decks.upgrades import StepReport, Upgrade
from kb.export.json_types import IndexFile
from kb.json_schema import schemas
from kb.judge.stats import Judged, VerdictCounts
from kb.personal.cards import ImportedCards, TakenCards
from kb.personal.rulebooks import Rulebook, TakenRulebook
from kb.registry import games, module
from kb.retrieval.engine import Results

HEAD = """# {title}

This page describes the keys that {whose} print with `--json`. `kb serve` and the Python package return the same objects. The page is generated
from the types (`python -m kb.cli.printed site/using`).
"""

PAGES = {
    "json": (
        "JSON",
        "the commands that look things up",
        ("search", "ask", "show", "compare", "cards", "characters", "scenarios", "scenario", "odds"),
    ),
    "json-decks": ("JSON of decks", "`kb deck` and `kb score`", ("deck", "score")),
    "json-tables": ("JSON of tables and campaigns", "`kb party` and `kb campaign`", ("party", "campaign")),
    "json-own": ("JSON of imports, exports and the doctor", "`kb import`, `kb export` and `kb doctor`", ()),
}
"""The pages of the manual by file name. Each has a title, a description of the commands that it covers, and the first
words of these commands. The last page covers all other commands.
"""


def pages(printed: Mapping[str, Sequence[Any]]) -> dict[str, str]:
    """Return the text of each page by the page's name. The pages describe every object that the commands print.
    `printed` contains the types that each command prints; `list[…]` means that the command prints a list.
    """
    commands: dict[str, list[str]] = {name: [] for name in PAGES}
    for command in printed:
        first = command.split()[0]
        commands[next((name for name, (_, _, words) in PAGES.items() if first in words), "json-own")].append(command)
    written = {}
    for name, (title, whose, _) in PAGES.items():
        parts = [HEAD.format(title=title, whose=whose)]
        if name == "json":
            others = ", ".join(f"[{whose}]({other}.md)" for other, (_, whose, _) in PAGES.items() if other != name)
            parts.append(f"Other pages: {others}.\n")
        shapes = {command: len(printed[command]) for command in commands[name]}
        pending, objects = schemas([shape for command in shapes for shape in printed[command]])
        for command, number in shapes.items():
            described, pending = pending[:number], pending[number:]
            parts.append(f"* `kb {command} --json` prints {' or '.join(map(printed_as, described))}.")
        written[name] = "\n".join([*parts, *(section(name, says) for name, says in objects.items())]) + "\n"
    return written


def printed_as(says: dict[str, Any]) -> str:
    """Return the type that a command prints, in words. A list has the article "a"."""
    return f"{'a ' if 'items' in says else ''}{in_words(says)}"


def section(name: str, says: dict[str, Any]) -> str:
    """Return the Markdown section about an object: a heading and a table of its keys."""
    rows = [
        f"\n## {name}\n",
        " ".join(says["description"].split()),
        "",
        "| key | type | meaning |",
        "| --- | --- | --- |",
    ]
    for key, kind in says["properties"].items():
        sometimes = "" if key in says["required"] else " (optional)"
        rows.append(f"| `{key}` | {in_words(kind)}{sometimes} | {' '.join(kind['description'].split())} |")
    return "\n".join(rows)


def in_words(says: dict[str, Any]) -> str:
    """Return, in words, the type that a JSON Schema describes, such as `list of text`."""
    if "$ref" in says:
        name = says["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "enum" in says:
        return ", ".join(str(each) for each in says["enum"] if each != "")
    if "const" in says:
        return str(says["const"])
    if "anyOf" in says:
        return " or ".join(map(in_words, says["anyOf"]))
    if "prefixItems" in says:
        return f"list of {', '.join(map(in_words, says['prefixItems']))}"
    if "items" in says:
        return f"list of {in_words(says['items'])}"
    if isinstance(values := says.get("additionalProperties"), dict):
        return f"object of {in_words(values)}"
    words = {"string": "text", "integer": "whole number", "boolean": "true or false", "array": "empty list"}
    kind = says.get("type", "any value")
    return words.get(kind, str(kind))


PRINTED: dict[str, tuple[Any, ...]] = {
    "search": (Results,),
    "ask": (Answer,),
    "show": (Entry, Card, Listing, Passage),
    "compare": (Comparison,),
    "cards": (Cards,),
    "characters": (list[Listed],),
    "scenarios": (list[Listed],),
    "deck check": (list[Report | Unreadable],),
    "deck show": (list[ShownDeck],),
    "deck pull": (Pull,),
    "deck upgrade": (StepReport, Upgrade),
    "deck judge": (Judged,),
    "deck stats": (VerdictCounts,),
    "score": (Score,),
    "party check": (PartyReport,),
    "campaign new": (WrittenCampaign,),
    "campaign record": (WrittenCampaign,),
    "campaign check": (Replay,),
    "campaign show": (Replay,),
    "doctor": (Doctor, ContentCheck),
    "import rulebook": (TakenRulebook, list[Rulebook]),
    "import cards": (TakenCards, list[ImportedCards]),
    "export": (IndexFile,),
}
"""The types that kb's own commands print for every game. Other types are under `prints` in a game's `game.yaml`: the
types for one game, and the types that its own commands print.
"""


def printed(foreign: bool = True) -> dict[str, tuple[Any, ...]]:
    """Return the types that each command prints with `--json`, by command. If `foreign` is False, leave out the types
    of games from other packages.
    """
    by_command = dict(PRINTED)
    for about in games().values():
        for command, places in about.prints.items() if foreign or not about.foreign else ():
            for place in places:
                name, _, shape = place.partition(":")
                by_command[command] = (*by_command.get(command, ()), getattr(module(about, name), shape))
    return by_command


if __name__ == "__main__":
    for name, text in pages(printed(foreign=False)).items():
        Path(sys.argv[1], f"{name}.md").write_text(text, encoding="utf-8")
