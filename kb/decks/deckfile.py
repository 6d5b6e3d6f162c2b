"""Reads deck files of every game into a tree of nodes that know their lines: YAML, JSON or a plain text list."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from kb import registry
from kb.decks.nodes import DeckFileError, DeckProblem, Mapping, Node, Scalar, Sequence, key_name, node_of, plain_value
from kb.files.text import unicode_text
from kb.frozen import frozen

LARGEST_FILE = 1_000_000
TOO_LARGE = f"is larger than {LARGEST_FILE:,} bytes; that is not a deck file."
NOT_UTF8 = "is not UTF-8 text; save the file as UTF-8."
DECK_SUFFIXES = (".yaml", ".yml", ".json", ".txt", ".deck")
LINES_SUFFIXES = (".jsonl", ".ndjson")
"""Files of JSON Lines: a deck in each, of any number."""

CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")

Format = Literal["yaml", "json", "text"]


@frozen
class DeckFile:
    """A deck file as read. `name` is shown in messages (`-` for standard input).

    `tree` gives the file as nodes with lines; a deck that another program exported has its plain `loaded` value as well,
    so that the tree need not be grown unless somebody asks for a line.
    """

    name: str
    format: Format
    tree: Callable[[], Mapping]
    text: str
    loaded: dict[str, Any] | None = None

    @property
    def root(self) -> Mapping:
        """The whole file as nodes."""
        return self.tree()

    def value(self) -> dict[str, Any]:
        """The whole file as plain dicts, lists, strings, numbers, booleans and None; of YAML and lists the keys as `key_name` has them."""
        if self.loaded is not None:
            return self.loaded
        if self.format == "json":
            loaded: dict[str, Any] = whole_characters(json.loads(self.text), self.text)
            return loaded
        return {key_name(key.text): plain_value(node) for key, node in self.root.pairs}

    def key_names(self) -> frozenset[str]:
        """The keys of the top level in small letters with underscores."""
        return _named(tuple(self.loaded)) if self.loaded is not None else frozenset(self.top_keys())

    def top_keys(self) -> dict[str, Scalar]:
        """The keys of the top level as they stand there, by their names in small letters with underscores."""
        return {key_name(key.text): key for key, _ in self.root.pairs}

    def get(self, name: str) -> Node | None:
        """The value under a key of the top level, or None."""
        if self.loaded is not None and name not in self.key_names():
            return None
        return next((node for key, node in self.root.pairs if key_name(key.text) == name), None)


@lru_cache(maxsize=8)  # decks of one export have the same keys
def _named(keys: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(key_name, keys))


def deck_paths(argument: str) -> list[str]:
    """Return the files that an argument of a command names: of a folder the deck files in it and below; `-` is standard input.

    Hidden folders, environments of Python and files without a key of a deck are no deck files.

    Raises DeckFileError for a folder without deck files, and for an empty name: a script's empty variable is not this folder.
    """
    if not argument:
        raise refusal("''", "is not a file name; write . for this folder.")
    if argument == "-" or not Path(argument).is_dir():
        return [argument]
    suffixes = (*DECK_SUFFIXES, *LINES_SUFFIXES)
    folder = Path(argument)
    inside = [
        str(path)
        for path in sorted(folder.rglob("*"))
        if path.suffix in suffixes
        and not any(part.startswith(".") or part in _NO_DECKS for part in path.relative_to(folder).parts)
        and path.is_file()
        and _may_be_deck(path)
    ]
    if not inside:
        raise refusal(argument, f"the folder has no deck files ({', '.join(DECK_SUFFIXES)}).")
    return inside


_NO_DECKS = frozenset({"node_modules", "__pycache__", "site-packages"})


def _may_be_deck(path: Path) -> bool:
    """Return True unless a YAML or JSON file has none of the keys by which deck files of the games are known."""
    if path.suffix in LINES_SUFFIXES or path.suffix not in (".yaml", ".yml", ".json"):
        return True
    try:
        text = path.read_text("utf-8", "replace")
    except OSError:
        return True
    keys = {"game", *(mark for about in registry.games().values() for mark in about.marks)}
    words = "|".join(re.escape(key).replace("_", "[ _-]?") for key in sorted(keys))
    return re.search(rf"""(?:^|[{{,\[])\s*["']?(?:{words})["']?\s*:""", text, re.MULTILINE | re.IGNORECASE) is not None


def deck_text(name: str) -> str:
    """The text of a deck file (`-`: standard input). Raises DeckFileError."""
    try:
        if name == "-":
            raw = sys.stdin.buffer.read(LARGEST_FILE + 1)
        else:
            with Path(name).open("rb") as file:
                raw = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        raise unread(name, error) from None
    return decode_deck(name, raw)


def unread(name: str, error: Exception) -> DeckFileError:
    """The DeckFileError for a file that could not be opened, with the system's reason."""
    reason = getattr(error, "strerror", None) or str(error)
    return refusal(name, A_PAGE if "://" in name else f"cannot be read: {reason}.")


def decode_deck(name: str, raw: bytes) -> str:
    """The text of a deck file of these bytes. Raises DeckFileError when it is too large or neither UTF-8 nor UTF-16."""
    if len(raw) > LARGEST_FILE:
        raise too_large(name)
    try:
        return unicode_text(raw)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise refusal(name, NOT_UTF8, line) from None


def refusal(file: str, message: str, line: int = 0) -> DeckFileError:
    """A DeckFileError with one problem of a file, at a line where that is known."""
    return DeckFileError(file, [DeckProblem(line, message)])


def too_large(name: str) -> DeckFileError:
    """What is wrong with a file, a line or a text that is larger than any deck file."""
    return refusal(name, TOO_LARGE)


def parse_deck(text: str, name: str, may_list: bool = True) -> DeckFile:
    """Parse the text of a deck file, whichever of the formats it is in; a plain list only where it may be one. Raises DeckFileError."""
    if not text.strip():
        raise refusal(name, "is empty.")
    if not text.rstrip().isprintable() and (control := CONTROL.search(text)):  # the first is the quicker question
        line = text.count("\n", 0, control.start()) + 1
        raise refusal(name, "contains control characters, so it is not a text file.", line)
    if text.count("\n") > MOST_LINES:  # told before anything is read
        raise refusal(name, TOO_LONG)
    if text.lstrip()[0] in "{[" and (file := parse_json(text, name)):
        return file
    if is_address(text):
        raise refusal(name, A_PAGE)
    if may_list and looks_like_text(text):
        return _read(name, "text", parse_text(text, name), text)
    return _read(name, "yaml", _mapping(parse_yaml(text, name), name), text)


def deck_of_value(value: dict[str, Any], name: str, text: str) -> DeckFile:
    """Return the deck file with these keys, whose `text` is known already: nothing is parsed, and no line is known."""
    root = node_of(value)
    assert isinstance(root, Mapping)
    return _read(name, "yaml", root, text)


def _read(name: str, format: Format, root: Mapping, text: str) -> DeckFile:
    return DeckFile(name, format, lambda: root, text)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The dict of a JSON object's pairs. Raises KeyError for a key that is there twice."""
    members = dict(pairs)
    if len(members) < len(pairs):
        raise KeyError(next(key for key, number in Counter(key for key, _ in pairs).items() if number > 1))
    return members


# One for all: making it takes as long as reading a small deck.
_DISTINCT = json.JSONDecoder(object_pairs_hook=_distinct)


def _mapping(node: Node, name: str) -> Mapping:
    if isinstance(node, Mapping):
        return node
    kind = "a list" if isinstance(node, Sequence) else "a single text"
    hint = "a deck file has keys such as `character:` and `cards:`, or is a list of cards, one per line."
    raise refusal(name, f"holds {kind}; {hint}", node.line)


DEEPEST_NESTING = 20
MOST_NODES = 25_000
TOO_MANY = f"contains more than {MOST_NODES:,} values; that is not a deck file."
MOST_LINES = 25_000
TOO_LONG = f"contains more than {MOST_LINES:,} lines; that is not a deck file."
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
    """Whether a text is a plain list and no YAML: a line at the margin is neither a key, nor a list item, nor the continuation of brackets,
    or cards follow a key that has a value already, with dashes or (all that follow) indented with their copies."""
    depth, keyed = 0, False
    for line in text.splitlines():
        bare = line.split(" #")[0].rstrip()
        if not bare or bare.startswith(("#", "//")):
            continue
        if depth == 0 and bare[0] not in " \t[]{}":
            header = HEADER.match(bare)
            if (bare.startswith("- ") and keyed) or not (header or bare.startswith(("-", "...", "%", '"', "'"))):
                return True
            keyed = header is not None and header[2][:1] not in ("", "|", ">")
        depth += sum(map(bare.count, "[{")) - sum(map(bare.count, "]}"))
    lines = [line for line in text.splitlines() if line.strip()]
    first = next((number for number, line in enumerate(lines) if COUNTED.fullmatch(line)), 0)
    before = HEADER.fullmatch(lines[first - 1]) if first else None
    return before is not None and before[2][:1] not in ("", "|", ">") and all(map(COUNTED.fullmatch, lines[first:]))


def parse_json(text: str, name: str) -> DeckFile | None:
    """A deck file in JSON; None for YAML in flow style, which begins with a bracket too. Raises DeckFileError.

    Of a deck that another program exported (it has the key `slots`) nobody looks for a line, so that its tree waits until somebody does.
    """

    def tree() -> Mapping:
        return _mapping(parse_yaml(ONLY_JSON.sub(_as_yaml, text), name), name)

    try:
        loaded = whole_characters(_DISTINCT.decode(text), text)
    except (ValueError, KeyError, RecursionError) as error:
        if not name.endswith(".json") and not re.match(r'\s*[{\[]\s*"', text):
            return None
        message = "is nested too deeply or holds too long a number."
        if isinstance(error, json.JSONDecodeError):
            raise refusal(name, f"is not JSON: {error.msg}.", error.lineno) from None
        if isinstance(error, KeyError):
            message = f"has the key {error.args[0][:60]!r} twice."
        raise refusal(name, message) from None
    if isinstance(loaded, dict) and "slots" in loaded:
        return DeckFile(name, "json", tree, text, loaded)
    return _read(name, "json", tree(), text)


# What JSON may write and YAML may not: signs and escapes in texts, tabs between values.
ONLY_JSON = re.compile(r'"(?:[^"\\]|\\.)*"|\t')


def _as_yaml(match: re.Match[str]) -> str:
    """A text of JSON with the escapes of YAML, a blank for a tab."""
    if match[0] == "\t":
        return " "
    text = json.loads(match[0]).encode("utf-8", "replace").decode()
    escaped = [char if char.isalnum() or char == " " else f"\\U{ord(char):08x}" for char in text]
    return f'"{"".join(escaped)}"'


def whole_characters(value: Any, text: str) -> Any:
    """A value read out of a JSON text. Half a character (an escape such as `\\ud800` alone) can be neither printed nor written: it
    becomes a question mark."""
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
            cards.append(Scalar(bare.rstrip(": "), number))  # a colon ends the heading of some cards
            if len(cards) > MOST_NODES:
                raise refusal(name, TOO_MANY, number)
            continue
        key = key_name(header[1])
        if key in pairs:
            raise refusal(name, f"has the line `{header[1]}:` twice.", number)
        values = [Scalar(part.strip(), number) for part in header[2].strip("[]").split(",") if part.strip()]
        pairs[key] = (Scalar(header[1], number), values[0] if len(values) == 1 else Sequence(tuple(values), number))
    if cards:
        old = pairs.get("cards")
        known = old[1].items if old and isinstance(old[1], Sequence) else (old[1],) if old else ()
        pairs["cards"] = (Scalar("cards", cards[0].line), Sequence((*known, *cards), cards[0].line))
    return Mapping(tuple(pairs.values()), 1)


def parse_yaml(text: str, name: str) -> Node:
    """A YAML text as nodes. Raises DeckFileError."""
    from kb.files.safe_yaml import YamlError, reading

    try:
        with reading(text, DEEPEST_NESTING, MOST_NODES) as loader:
            root = loader.get_single_node()
            if root is None:
                raise refusal(name, "is empty.")
            return _node(root)
    except YamlError as error:
        raise refusal(name, f"{error.what}.", error.line) from None


def _node(node: Any) -> Node:
    """A node of PyYAML as one of ours. Raises YamlError."""
    from kb.files.safe_yaml import YamlError

    line = node.start_mark.line + 1
    if node.id == "scalar":
        return Scalar(node.value.strip(), line, bool(node.style))
    if node.id == "sequence":
        return Sequence(tuple(map(_node, node.value)), line)
    pairs: dict[str, tuple[Scalar, Node]] = {}
    for written, value in node.value:
        key = _node(written)
        if not isinstance(key, Scalar):
            raise YamlError(key.line, "a key is not plain text")
        if first := pairs.get(key.text):
            raise YamlError(key.line, f"the key `{key.text}` appears twice (first on line {first[0].line})")
        pairs[key.text] = key, _node(value)
    return Mapping(tuple(pairs.values()), line)
