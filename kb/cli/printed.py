"""What each command prints with `--json`, by the types that describe it. A test walks the commands: none is left out.

`python -m kb.cli.printed site/using` writes the pages of the manual anew (`json*.md`); a test holds them to it.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, is_typeddict

from kb.api.card_lists import CardsJson
from kb.api.schema import keys_of, name_of
from kb.api.searching import AnswerJson, ResultsJson
from kb.api.showing import CardJson, ComparisonJson, EntryJson, ListJson, PassageJson
from kb.campaigns.serialize import CampaignCheckJson, CampaignWrittenJson, TimelineJson
from kb.catalog.queries import ListedJson
from kb.cli.catalog import ContentCheckJson, DoctorJson
from kb.decks.contract import DeckViewJson, PartyJson, ReportJson
from kb.decks.party import PullJson
from kb.decks.upgrades import PurchasePlanJson, UpgradeChainJson, UpgradeStepJson
from kb.export.json_types import IndexFileJson
from kb.judge.stats import JudgedJson, StatsJson
from kb.personal.cards import CardListJson, TakenCardsJson
from kb.personal.rulebooks import RulebookJson, TakenRulebookJson
from kb.registry import games, module

HEAD = """# {title}

What {whose} print with `--json`, key by key; `kb serve` and `import kb` give the same objects. "or null" is said where a key may hold
nothing; a key that is not always there says so. These pages are made from the types that describe the answers
(`python -m kb.cli.printed site/using`).
"""

PAGES = {
    "json": (
        "JSON",
        "the commands that look things up",
        ("search", "ask", "show", "compare", "cards", "characters", "scenarios"),
    ),
    "json-decks": ("JSON of decks", "`kb deck` and `kb score`", ("deck", "score")),
    "json-tables": ("JSON of tables and campaigns", "`kb party` and `kb campaign`", ("party", "campaign")),
    "json-own": ("JSON of imports, exports and the doctor", "`kb import`, `kb export` and `kb doctor`", ()),
}
"""The pages by their names in the manual: title, whose answers they describe, and the first words of these commands; the last has the rest."""


def pages(printed: Mapping[str, Sequence[Any]]) -> dict[str, str]:
    """The text of each page by its name, with every object that stands in one of its answers. `printed` are the types of what each command
    prints; in `list[…]` those of which it prints a list."""
    commands: dict[str, list[str]] = {name: [] for name in PAGES}
    for command in printed:
        first = command.split()[0]
        commands[next((name for name, (_, _, words) in PAGES.items() if first in words), "json-own")].append(command)
    written = {}
    for name, (title, whose, _) in PAGES.items():
        told: list[Any] = []
        parts = [HEAD.format(title=title, whose=whose)]
        if name == "json":
            others = ", ".join(f"[{whose}]({other}.md)" for other, (_, whose, _) in PAGES.items() if other != name)
            parts.append(f"Other pages: {others}.\n")
        for command in commands[name]:
            parts.append(f"* `kb {command} --json` prints {' or '.join(map(printed_as, printed[command]))}.")
            collect(list(printed[command]), told)
        written[name] = "\n".join([*parts, *map(section, told)]) + "\n"
    return written


def printed_as(shape: Any) -> str:
    """What a command prints, with its article where it is a list."""
    return f"{'a ' if get_origin(shape) is list else ''}{in_words(shape)}"


def collect(shape: Any, told: list[Any]) -> None:
    """Put a described object, and those that it holds, into `told`; also each of a list of them."""
    if is_typeddict(shape):
        if shape not in told:
            told.append(shape)
            for kind, _words, _always in keys_of(shape).values():
                collect(kind, told)
        return
    for part in shape if isinstance(shape, list) else get_args(shape):
        collect(part, told)


def section(shape: Any) -> str:
    """A heading and the table of an object's keys."""
    rows = [
        f"\n## {name_of(shape)}\n",
        " ".join((shape.__doc__ or "").split()),
        "",
        "| key | type | what it holds |",
        "| --- | --- | --- |",
    ]
    for key, (kind, words, always) in keys_of(shape).items():
        sometimes = "" if always else " (not always there)"
        rows.append(f"| `{key}` | {in_words(kind)}{sometimes} | {words} |")
    return "\n".join(rows)


def in_words(kind: Any) -> str:
    """A type as people read it."""
    origin, args = get_origin(kind), get_args(kind)
    if is_typeddict(kind):
        return f"[{name_of(kind)}](#{name_of(kind).lower()})"
    if origin is Literal:
        return ", ".join(str(each) for each in args if each != "")
    if origin in (Union, UnionType):
        return " or ".join(map(in_words, args))
    if origin is Annotated:
        return in_words(args[0])
    if origin in (list, tuple, frozenset):
        return f"list of {in_words(args[0])}"
    if origin is not None:
        return "object" if args[1] is Any else f"object of {in_words(args[1])}"
    if is_dataclass(kind) or hasattr(kind, "model_fields"):
        return "a record (below)"
    return {str: "text", int: "whole number", float: "number", bool: "true or false", type(None): "null"}.get(
        kind, "any value"
    )


PRINTED: dict[str, tuple[Any, ...]] = {
    "search": (ResultsJson,),
    "ask": (AnswerJson,),
    "show": (EntryJson, CardJson, ListJson, PassageJson),
    "compare": (ComparisonJson,),
    "cards": (CardsJson,),
    "characters": (list[ListedJson],),
    "scenarios": (list[ListedJson],),
    "deck check": (list[ReportJson],),
    "deck show": (list[DeckViewJson],),
    "deck pull": (PullJson,),
    "deck upgrade": (UpgradeStepJson, UpgradeChainJson),
    "deck plan": (PurchasePlanJson,),
    "deck judge": (JudgedJson,),
    "deck stats": (StatsJson,),
    "deck party": (PartyJson,),
    "party check": (PartyJson,),
    "campaign new": (CampaignWrittenJson,),
    "campaign record": (CampaignWrittenJson,),
    "campaign check": (CampaignCheckJson,),
    "campaign show": (TimelineJson,),
    "doctor": (DoctorJson, ContentCheckJson),
    "import rulebook": (TakenRulebookJson, list[RulebookJson]),
    "import cards": (TakenCardsJson, list[CardListJson]),
    "export": (IndexFileJson,),
}
"""What kb's own commands print of every game; what they print of one game, and the commands of a game, say `prints` in its `game.yaml`."""


def printed(foreign: bool = True) -> dict[str, tuple[Any, ...]]:
    """The types of what each command prints with `--json`; without `foreign` only of kb's own games."""
    found = dict(PRINTED)
    for about in games().values():
        for command, places in about.prints.items() if foreign or not about.foreign else ():
            for place in places:
                name, _, shape = place.partition(":")
                found[command] = (*found.get(command, ()), getattr(module(about, name), shape))
    return found


if __name__ == "__main__":
    for name, text in pages(printed(foreign=False)).items():
        Path(sys.argv[1], f"{name}.md").write_text(text, encoding="utf-8")
