"""Parses the formats of deck files into nodes: YAML, JSON, and plain text lists."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from kb.decks.nodes import DeckFileError, DeckProblem, Mapping, Node, Scalar, Sequence, key_name

DEEPEST_NESTING = 20
MOST_NODES = 25_000
TOO_MANY = f"holds more than {MOST_NODES:,} values; that is not a deck file."
MOST_LINES = 25_000
TOO_LONG = f"holds more than {MOST_LINES:,} lines; that is not a deck file."
ADDRESS = re.compile(r"https?://\S+|[\w-]+(?:\.[\w-]+)+/\S+", re.IGNORECASE)
A_PAGE = (
    "is the address of a page, not a deck, and kb fetches nothing: open the page, copy the deck's cards from it "
    "or save the file that the site exports, and give kb that."
)
HALF_CHARACTER = re.compile(r"\\u[dD][89a-fA-F]")
HEADER = re.compile(r"^\s*([A-Za-z][A-Za-z _-]{0,30}?)\s*:\s*(.*)$")
COUNTED = re.compile(r"\s+(?:\d+ ?[x×]? \S.*|[^\s\[{-].* (?:\(x?\d+\)|x\d+))\s*")


def is_address(text: str) -> bool:
    """Whether a text is addresses of pages and no deck: nothing else in it, or no more than a title above, as apps share a page."""
    if "/" not in text:
        return False
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) == 1 and "://" in lines[0] and lines[0][0] not in "[{":
        lines = lines[0].split()[-1:]
    return all(map(ADDRESS.fullmatch, lines if len(lines) > 2 else lines[-1:]))


def looks_like_text(text: str) -> bool:
    """Whether a line at the margin is neither a key, nor a list item, nor the continuation of brackets; or whether all that follows a
    key with a value are indented cards with their copies, which YAML would take for more of that value."""
    depth = 0
    for line in text.splitlines():
        bare = line.split(" #")[0].rstrip()
        if not bare or bare.startswith(("#", "//")):
            continue
        at_margin = depth == 0 and bare[0] not in " \t-[]{}"
        if at_margin and not HEADER.match(bare) and not bare.startswith(("---", "...", "%", '"', "'")):
            return True
        depth += sum(map(bare.count, "[{")) - sum(map(bare.count, "]}"))
    lines = [line for line in text.splitlines() if line.strip()]
    first = next((number for number, line in enumerate(lines) if COUNTED.fullmatch(line)), 0)
    before = HEADER.fullmatch(lines[first - 1]) if first else None
    return before is not None and before[2][:1] not in ("", "|", ">") and all(map(COUNTED.fullmatch, lines[first:]))


def is_plain_list(text: str) -> bool:
    """Whether a text that is no YAML is a plain list: keys and cards at the margin (also with dashes), no brackets."""
    lines = [line for line in text.splitlines() if line.strip()]
    indented = any(line[0] in " \t" for line in lines)
    keyed = any(HEADER.match(line) for line in lines)
    dashed = any(
        re.match(r"-\s", line) and (key := HEADER.fullmatch(before)) and key[2] for before, line in pairwise(lines)
    )
    return keyed and not indented and (dashed or looks_like_text(text)) and re.search(r"[{}\[\]]", text) is None


def is_flow_yaml(text: str, name: str) -> bool:
    """Whether a text that begins with a bracket is YAML in flow style rather than broken JSON."""
    if name.endswith(".json"):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return re.search(r'^\s*[{\[]\s*"', text) is None
    return False


def parse_json(text: str, name: str) -> Node:
    """A JSON text as nodes with their lines, by its reading as YAML. Raises DeckFileError."""
    try:
        load_json(text, _distinct)
    except json.JSONDecodeError as error:
        raise DeckFileError(name, [DeckProblem(error.lineno, f"is not JSON: {error.msg}.")]) from None
    except KeyError as error:
        raise DeckFileError(name, [DeckProblem(0, f"has the key {error.args[0][:60]!r} twice.")]) from None
    except (RecursionError, ValueError):
        raise DeckFileError(name, [DeckProblem(0, "is nested too deeply or holds too long a number.")]) from None
    return parse_yaml(ONLY_JSON.sub(_as_yaml, text), name)


# What JSON writes and YAML does not: tabs between values, `\\/`, characters in two halves, and controls that are no escapes.
ONLY_JSON = re.compile(r"\\\\|\\/|(?:\\u[0-9a-fA-F]{4})+|\t|[\x7f-\x9f\ufffe\uffff]")


def _as_yaml(found: re.Match[str]) -> str:
    """A piece of JSON as YAML reads it."""
    piece = found[0]
    if piece == "\t":
        return " "
    if piece[0] != "\\":
        return f"\\u{ord(piece):04x}"
    read = load_json(f'"{piece}"', dict)
    return "".join(char if ord(char) > 0xFFFF else json.dumps(char)[1:-1] for char in read)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON. Raises KeyError for a key that is there twice."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise KeyError(key)
        found[key] = value
    return found


def load_json(text: str, pairs: Callable[[list[tuple[str, Any]]], Any]) -> Any:
    """The value of a JSON text; `pairs` makes its objects. Raises what json.loads and `pairs` raise.

    Half a character (an escape such as `\\ud800` alone) can be neither printed nor written: it becomes a question mark.
    """
    return whole_characters(json.loads(text, object_pairs_hook=pairs), text)


def whole_characters(value: Any, text: str) -> Any:
    """A value read out of a JSON text, without halves of characters."""
    if "\\u" in text and HALF_CHARACTER.search(text):
        value = json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
    return value


def parse_text(text: str, name: str) -> Mapping:
    """A plain list: `key: value` lines (several values parted by commas), all other lines are cards."""
    pairs: dict[str, tuple[Scalar, Node]] = {}
    cards: list[Node] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line or line.isspace():
            continue
        bare = re.split(r"\s#|^#|^//", line)[0].strip().lstrip("-•").strip()
        if not bare:
            continue
        header = HEADER.match(bare)
        if header is None:
            cards.append(Scalar(bare, number))
            if len(cards) > MOST_NODES:
                raise DeckFileError(name, [DeckProblem(number, TOO_MANY)])
            continue
        key = key_name(header[1])
        if key in pairs:
            raise DeckFileError(name, [DeckProblem(number, f"has the line `{header[1]}:` twice.")])
        values = [Scalar(part.strip(), number) for part in header[2].strip("[]").split(",") if part.strip()]
        pairs[key] = (Scalar(header[1], number), values[0] if len(values) == 1 else Sequence(tuple(values), number))
    if cards:
        old = pairs.get("cards")
        known = old[1].items if old and isinstance(old[1], Sequence) else (old[1],) if old else ()
        pairs["cards"] = (Scalar("cards", cards[0].line), Sequence((*known, *cards), cards[0].line))
    return Mapping(tuple(pairs.values()), 1)


def parse_yaml(text: str, name: str) -> Node:
    """A YAML text as nodes. Raises DeckFileError."""
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _TreeBuilder(name).build(yaml.parse(text, Loader=loader))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or getattr(error, "reason", None) or "cannot be parsed"
        said = f"is not YAML: {reason}."
        if "maximum nesting depth" in reason:  # libyaml's own limit, as PyYAML 6.0.4 brings it
            said = f"is nested deeper than {DEEPEST_NESTING} levels."
        raise DeckFileError(name, [DeckProblem(mark.line + 1 if mark else 0, said)]) from None


class _TreeBuilder:
    """Builds the tree from YAML events, so that deep nesting and aliases are refused before they cost anything."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.nodes = 0

    def refuse(self, line: int, message: str) -> DeckFileError:
        return DeckFileError(self.name, [DeckProblem(line, message)])

    def build(self, events: Any) -> Node:
        """The only document's root. Raises DeckFileError, and yaml.YAMLError from the parser."""
        import yaml

        open_nodes: list[tuple[bool, int, list[Node]]] = []
        root: Node | None = None
        for event in events:
            line = event.start_mark.line + 1
            node: Node | None = None
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                raise self.refuse(line, "uses a YAML anchor or alias (& or *); write the value out, or quote the text.")
            if isinstance(event, yaml.ScalarEvent):
                node = Scalar(event.value.strip(), line, event.style in ("'", '"', "|", ">"))
            elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
                open_nodes.append((isinstance(event, yaml.MappingStartEvent), line, []))
                if len(open_nodes) > DEEPEST_NESTING:
                    raise self.refuse(line, f"is nested deeper than {DEEPEST_NESTING} levels.")
            elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
                is_mapping, began, parts = open_nodes.pop()
                node = self.mapping(parts, began) if is_mapping else Sequence(tuple(parts), began)
            elif isinstance(event, yaml.DocumentStartEvent) and root is not None:
                raise self.refuse(line, "holds more than one YAML document; put each deck in a file of its own.")
            if node is not None:
                self.nodes += 1
                if self.nodes > MOST_NODES:
                    raise self.refuse(line, TOO_MANY)
                if open_nodes:
                    open_nodes[-1][2].append(node)
                else:
                    root = node
        if root is None:
            raise self.refuse(0, "is empty.")
        return root

    def mapping(self, parts: list[Node], line: int) -> Mapping:
        pairs: list[tuple[Scalar, Node]] = []
        seen: dict[str, int] = {}
        for key, value in zip(parts[::2], parts[1::2], strict=True):
            if not isinstance(key, Scalar):
                raise self.refuse(key.line, "has a key that is not a simple text.")
            if key.text in seen:
                raise self.refuse(key.line, f"has the key `{key.text}` twice (first in line {seen[key.text]}).")
            seen[key.text] = key.line
            pairs.append((key, value))
        return Mapping(tuple(pairs), line)
