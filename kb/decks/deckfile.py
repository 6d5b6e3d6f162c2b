"""Reads deck files of every game into a tree of nodes that know their lines: YAML, JSON or a plain text list."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

LARGEST_FILE = 1_000_000
DEEPEST_NESTING = 20
MOST_NODES = 50_000
DECK_SUFFIXES = (".yaml", ".yml", ".json", ".txt", ".deck")
HEADER = re.compile(r"^\s*([A-Za-z][A-Za-z _-]{1,30}?)\s*:\s*(.*)$")

Format = Literal["yaml", "json", "text"]


@dataclass(frozen=True, slots=True)
class Scalar:
    """A single value as written. `quoted` text is never a number."""

    text: str
    line: int
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list."""

    items: tuple[Node, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys with their values, in the order of the file. Keys are distinct."""

    pairs: tuple[tuple[Scalar, Node], ...]
    line: int


Node = Scalar | Sequence | Mapping


@dataclass(frozen=True, slots=True)
class DeckProblem:
    """Why a deck file cannot be read. `line` counts from 1; 0 when the problem has no line."""

    line: int
    message: str


class DeckFileError(Exception):
    """A deck file cannot be read; `problems` lists everything that was found in it."""

    def __init__(self, file: str, problems: list[DeckProblem]) -> None:
        self.file = file
        self.problems = sorted(problems, key=lambda problem: problem.line)
        super().__init__("\n".join(f"{place(file, item.line)}: {item.message}" for item in self.problems))


@dataclass(frozen=True, slots=True)
class DeckFile:
    """A deck file as read. `name` is shown in messages (`-` for standard input)."""

    name: str
    format: Format
    root: Mapping
    text: str

    def value(self) -> dict[str, Any]:
        """The whole file as plain dicts, lists, strings, numbers, booleans and None."""
        if self.format == "json":
            loaded: dict[str, Any] = json.loads(self.text)
            return loaded
        return {key.text: plain_value(node) for key, node in self.root.pairs}

    def keys(self) -> dict[str, Scalar]:
        """The keys of the top level in small letters with underscores."""
        return {key_name(key.text): key for key, _ in self.root.pairs}

    def get(self, name: str) -> Node | None:
        """The value under a key of the top level, or None."""
        return next((node for key, node in self.root.pairs if key_name(key.text) == name), None)


def place(file: str, line: int) -> str:
    """`file:line`, or only the file."""
    return f"{file}:{line}" if line else file


def key_name(text: str) -> str:
    """A key in the form in which keys are compared: `Card feats` is `card_feats`."""
    return re.sub(r"[\s-]+", "_", text.strip().casefold())


def deck_paths(arguments: list[str]) -> list[str]:
    """Files named by command-line arguments: a folder stands for the deck files in it and below, `-` for standard input.

    Raises DeckFileError for a folder without deck files.
    """
    found: list[str] = []
    for argument in arguments:
        folder = Path(argument)
        if argument != "-" and folder.is_dir():
            inside = sorted(path for path in folder.rglob("*") if path.suffix in DECK_SUFFIXES and path.is_file())
            if not inside:
                wanted = ", ".join(DECK_SUFFIXES)
                raise DeckFileError(argument, [DeckProblem(0, f"the folder holds no deck files ({wanted}).")])
            found.extend(str(path) for path in inside)
        else:
            found.append(argument)
    return found


def read_deck_file(name: str) -> DeckFile:
    """Read a deck file (`-`: standard input). Raises DeckFileError."""
    try:
        if name == "-":
            raw = sys.stdin.buffer.read(LARGEST_FILE + 1)
        else:
            with Path(name).open("rb") as file:
                raw = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DeckFileError(name, [DeckProblem(0, f"cannot be read: {reason}.")]) from None
    if len(raw) > LARGEST_FILE:
        raise DeckFileError(name, [DeckProblem(0, f"is larger than {LARGEST_FILE:,} bytes; that is no deck file.")])
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise DeckFileError(name, [DeckProblem(line, "is not UTF-8 text; save the file as UTF-8.")]) from None
    return parse_deck(text, name)


def parse_deck(text: str, name: str) -> DeckFile:
    """Parse the text of a deck file, whichever of the formats it is in. Raises DeckFileError."""
    if not text.strip():
        raise DeckFileError(name, [DeckProblem(0, "is empty.")])
    if text.lstrip()[0] in "{[" and not _is_flow_yaml(text, name):
        return DeckFile(name, "json", _mapping(_parse_json(text, name), name), text)
    if _looks_like_text(text) and not name.endswith((".yaml", ".yml", ".json")):
        return DeckFile(name, "text", _parse_text(text, name), text)
    return DeckFile(name, "yaml", _mapping(_parse_yaml(text, name), name), text)


def plain_value(node: Node) -> Any:
    """A node as plain Python values; unquoted numbers, booleans and null as in YAML."""
    if isinstance(node, Mapping):
        return {key.text: plain_value(value) for key, value in node.pairs}
    if isinstance(node, Sequence):
        return [plain_value(item) for item in node.items]
    if node.quoted:
        return node.text
    if node.text in ("", "~", "null", "Null", "NULL"):
        return None
    if node.text.casefold() in ("true", "false"):
        return node.text.casefold() == "true"
    if re.fullmatch(r"[-+]?(0|[1-9]\d{0,17})", node.text):
        return int(node.text)
    return node.text


def _mapping(node: Node, name: str) -> Mapping:
    if isinstance(node, Mapping):
        return node
    said = "a list" if isinstance(node, Sequence) else "a single text"
    hint = "a deck file has keys such as `character:` and `cards:`, or is a list of cards, one a line."
    raise DeckFileError(name, [DeckProblem(node.line, f"holds {said}; {hint}")])


def _parse_json(text: str, name: str) -> Node:
    def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        if twice := [key for key in keys if keys.count(key) > 1]:
            raise DeckFileError(name, [DeckProblem(0, f"has the key {twice[0]!r} twice.")])
        return dict(pairs)

    try:
        return _from_json(json.loads(text, object_pairs_hook=distinct), name, 0)
    except json.JSONDecodeError as error:
        raise DeckFileError(name, [DeckProblem(error.lineno, f"is not JSON: {error.msg}.")]) from None
    except (RecursionError, ValueError):
        raise DeckFileError(name, [DeckProblem(0, "is nested too deeply or holds too long a number.")]) from None


def _from_json(value: Any, name: str, depth: int) -> Node:
    if depth > DEEPEST_NESTING:
        raise DeckFileError(name, [DeckProblem(0, f"is nested deeper than {DEEPEST_NESTING} levels.")])
    if isinstance(value, dict):
        return Mapping(
            tuple((Scalar(key, 0, True), _from_json(item, name, depth + 1)) for key, item in value.items()), 0
        )
    if isinstance(value, list):
        return Sequence(tuple(_from_json(item, name, depth + 1) for item in value), 0)
    if isinstance(value, str):
        return Scalar(value, 0, True)
    return Scalar(json.dumps(value), 0)


def _is_flow_yaml(text: str, name: str) -> bool:
    """Whether a text that begins with a bracket is YAML in flow style rather than broken JSON."""
    if name.endswith(".json"):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return re.search(r'^\s*[{\[]\s*"', text) is None
    return False


def _looks_like_text(text: str) -> bool:
    """Whether a line at the margin is neither a key, nor a list item, nor the continuation of brackets."""
    depth = 0
    for line in text.splitlines():
        bare = line.split(" #")[0].rstrip()
        if not bare or bare.startswith(("#", "//")):
            continue
        at_margin = depth == 0 and bare[0] not in " \t-]}"
        if at_margin and not HEADER.match(bare) and not bare.startswith(("---", "...", "%", '"', "'")):
            return True
        depth += sum(map(bare.count, "[{")) - sum(map(bare.count, "]}"))
    return False


def _parse_text(text: str, name: str) -> Mapping:
    """A plain list: `key: value` lines (several values parted by commas), all other lines are cards."""
    pairs: dict[str, tuple[Scalar, Node]] = {}
    cards: list[Node] = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = re.split(r"\s#|^#|^//", line)[0].strip().lstrip("-•").strip()
        if not bare:
            continue
        header = HEADER.match(bare)
        if header is None:
            cards.append(Scalar(bare, number))
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


def _parse_yaml(text: str, name: str) -> Node:
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _TreeBuilder(name).build(yaml.parse(text, Loader=loader))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or getattr(error, "reason", None) or "cannot be parsed"
        raise DeckFileError(name, [DeckProblem(mark.line + 1 if mark else 0, f"is not YAML: {reason}.")]) from None


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
                node = Scalar(event.value.strip(), line, event.style is not None)
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
                    raise self.refuse(line, f"holds more than {MOST_NODES:,} values; that is no deck file.")
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
