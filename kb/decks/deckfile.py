"""Parses the deck files of every game into trees of nodes with line numbers.

A file is YAML, JSON or a plain text list.
"""

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
from kb.files.text import one_line, unicode_text
from kb.frozen import frozen

LARGEST_FILE = 1_000_000
TOO_LARGE = f"is larger than {LARGEST_FILE:,} bytes; that is not a deck file."
NOT_UTF8 = "is not UTF-8 text; save the file as UTF-8."
DECK_SUFFIXES = (".yaml", ".yml", ".json", ".txt", ".deck", ".md", ".markdown", ".text")
LINES_SUFFIXES = (".jsonl", ".ndjson")
"""Suffixes of JSON Lines files, which contain one deck on each line."""

CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")

Format = Literal["yaml", "json", "text"]


@frozen
class DeckFile:
    """A deck file after parsing.

    `name` is the name shown in messages (`-` for standard input), `format` the file's format and `text` its text.
    `tree` is a function that returns the file as nodes with line numbers. `loaded` is the file as a plain dict, or
    None. Only a deck that another program exported has `loaded`. For such a deck, kb builds the tree only when it
    needs a line number. `played` is the game or set chosen with `kb use`: a plain list that names no game belongs to
    it.
    """

    name: str
    format: Format
    tree: Callable[[], Mapping]
    text: str
    loaded: dict[str, Any] | None = None
    played: str = ""

    @property
    def root(self) -> Mapping:
        """Return the root of the file's tree: a mapping node."""
        return self.tree()

    def value(self) -> dict[str, Any]:
        """Return the whole file as a dict of plain values: dicts, lists, strings, numbers, booleans and None. In a YAML
        file or a plain list, `key_name` normalizes the top-level keys.
        """
        if self.loaded is not None:
            return self.loaded
        if self.format == "json":
            loaded: dict[str, Any] = in_lines(whole_characters(json.loads(self.text), self.text))
            return loaded
        return {key_name(key.text): plain_value(node) for key, node in self.root.pairs}

    def key_names(self) -> frozenset[str]:
        """Return the set of top-level keys, in lower case with underscores."""
        return _named(tuple(self.loaded)) if self.loaded is not None else frozenset(self.top_keys())

    def top_keys(self) -> dict[str, Scalar]:
        """Map each top-level key, in lower case with underscores, to the node with the key as written and its line."""
        return {key_name(key.text): key for key, _ in self.root.pairs}

    def get(self, name: str) -> Node | None:
        """Return the value of the top-level key `name` as a node; None if the file has no such key."""
        if self.loaded is not None and name not in self.key_names():
            return None
        return next((node for key, node in self.root.pairs if key_name(key.text) == name), None)


@lru_cache(maxsize=8)  # decks of one export have the same keys
def _named(keys: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(key_name, keys))


def deck_text(name: str) -> str:
    """Read the deck file `name` (`-`: standard input) and return its text. Raises DeckFileError if this fails."""
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
    """Return the DeckFileError for a file that could not be opened, with the system's reason."""
    reason = getattr(error, "strerror", None) or str(error)
    return refusal(name, A_PAGE if "://" in name else f"cannot be read: {reason}.")


def decode_deck(name: str, raw: bytes) -> str:
    """Decode the bytes of a deck file. Raises DeckFileError if it is too large or neither UTF-8 nor UTF-16."""
    if len(raw) > LARGEST_FILE:
        raise too_large(name)
    try:
        return unicode_text(raw)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise refusal(name, NOT_UTF8, line) from None


def refusal(file: str, message: str, line: int = 0) -> DeckFileError:
    """Return a DeckFileError with a single problem: `message`, at `line` of `file` (0: no line)."""
    return DeckFileError(file, [DeckProblem(line, message)])


def too_large(name: str) -> DeckFileError:
    """Return the DeckFileError for a file, line or text `name` that has more than `LARGEST_FILE` bytes."""
    return refusal(name, TOO_LARGE)


def parse_deck(text: str, name: str, may_list: bool = True) -> DeckFile:
    """Parse the text of a deck file: JSON, YAML or a plain list. `name` is shown in messages. Unless `may_list` is
    True, a text that is not JSON must be YAML. Raises DeckFileError if the text cannot be parsed.
    """
    if not text.strip():
        raise refusal(name, "is empty.")
    if not text.rstrip().isprintable() and (control := CONTROL.search(text)):  # the first test is faster
        line = text.count("\n", 0, control.start()) + 1
        raise refusal(name, "contains control characters, so it is not a text file.", line)
    if text.count("\n") > MOST_LINES:  # reported before anything is parsed
        raise refusal(name, TOO_LONG)
    if text.lstrip()[0] in "{[" and (file := parse_json(text, name)):
        return file
    if is_address(text):
        raise refusal(name, A_PAGE)
    if may_list and looks_like_text(text):
        return _read(name, "text", parse_text(text, name), text)
    return _read(name, "yaml", _mapping(parse_yaml(text, name), name), text)


def deck_of_value(value: dict[str, Any], name: str, text: str) -> DeckFile:
    """Return a DeckFile whose keys and values are `value` and whose text is `text`. The text is not parsed, so the
    nodes have no line numbers.
    """
    root = node_of(value)
    assert isinstance(root, Mapping)
    return _read(name, "yaml", root, text)


def _read(name: str, format: Format, root: Mapping, text: str) -> DeckFile:
    return DeckFile(name, format, lambda: root, text)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Convert the pairs of a JSON object to a dict. Raises KeyError if a key occurs twice."""
    members = dict(pairs)
    if len(members) < len(pairs):
        raise KeyError(next(key for key, number in Counter(key for key, _ in pairs).items() if number > 1))
    return members


# Shared: creating a decoder takes as long as reading a small deck.
_DISTINCT = json.JSONDecoder(object_pairs_hook=_distinct)


def _mapping(node: Node, name: str) -> Mapping:
    if isinstance(node, Mapping):
        return node
    kind = "a list" if isinstance(node, Sequence) else "a single text"
    hint = "a deck file has keys such as `character:` and `cards:`, or is a list of cards, one per line."
    raise refusal(name, f"contains {kind}; {hint}", node.line)


DEEPEST_NESTING = 20
MOST_NODES = 25_000
TOO_MANY = f"contains more than {MOST_NODES:,} values; that is not a deck file."
MOST_LINES = 25_000
TOO_LONG = f"contains more than {MOST_LINES:,} lines; that is not a deck file."
ADDRESS = re.compile(r"https?://\S+|[\w-]+(?:\.[\w-]+)+/\S+", re.IGNORECASE)
A_PAGE = (
    "is the address of a page, not a deck, and kb does not open pages. Copy the deck's cards from the page, or save "
    "the file that the site exports, and give kb that text or file."
)
HALF_CHARACTER = re.compile(r"\\u[dD][89a-fA-F]")
HEADER = re.compile(r"^\s*([A-Za-z][A-Za-z _-]{0,30}?)\s*:\s*(.*)$")
COUNTED = re.compile(r"\s+(?:\d+ ?[x×]? \S.*|[^\s\[{-].* (?:\(x?\d+\)|x\d+))\s*")


def is_address(text: str) -> bool:
    """Return True if a text consists of web addresses instead of cards. A title before a single address is allowed,
    because apps share pages in that form.
    """
    if "/" not in text:
        return False
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) == 1 and "://" in lines[0] and lines[0][0] not in "[{":
        lines = lines[0].split()[-1:]
    return all(map(ADDRESS.fullmatch, lines if len(lines) > 2 else lines[-1:]))


def looks_like_text(text: str) -> bool:
    """Return True if a text is a plain list of cards and not YAML.

    A text is a plain list if a line without indentation is not a key, a list item or part of a value in brackets. A
    text is also a plain list if cards with dashes follow a line `key: value`. Cards without dashes count only if all
    of them are indented and have numbers of copies.
    """
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
    """Parse the text of a deck file in JSON. Return None if it is YAML in flow style, which also begins with a bracket.
    Raises DeckFileError if the JSON is invalid.

    For a deck that another program exported (with the key `slots`), kb builds the tree with line numbers only on
    demand.
    """

    def tree() -> Mapping:
        return _mapping(parse_yaml(ONLY_JSON.sub(_as_yaml, text), name), name)

    try:
        loaded = whole_characters(_DISTINCT.decode(text), text)
    except (ValueError, KeyError, RecursionError) as error:
        if not name.endswith(".json") and not re.match(r'\s*[{\[]\s*"', text):
            return None
        message = "is nested too deeply, or contains a number that is too long."
        if isinstance(error, json.JSONDecodeError):
            raise refusal(name, f"is not JSON: {error.msg}.", error.lineno) from None
        if isinstance(error, KeyError):
            message = f"has the key {error.args[0][:60]!r} twice."
        raise refusal(name, message) from None
    if isinstance(loaded, dict) and "slots" in loaded:
        return DeckFile(name, "json", tree, text, in_lines(loaded))
    return _read(name, "json", tree(), text)


LONG_TEXTS = frozenset({"notes", "description_md"})
"""Keys whose text may have several lines. In the text of other keys, a line break could imitate a line of kb's output.
"""


def in_lines(value: Any) -> Any:
    """Return a JSON value with every text on one line, except the texts of the keys in `LONG_TEXTS`."""
    if isinstance(value, str):
        return one_line(value)
    if isinstance(value, dict):
        return {one_line(key): each if key in LONG_TEXTS else in_lines(each) for key, each in value.items()}
    return list(map(in_lines, value)) if isinstance(value, list) else value


# Syntax that JSON has and YAML does not have: characters and escapes in texts, tabs between values.
ONLY_JSON = re.compile(r'"(?:[^"\\]|\\.)*"|\t')


def _as_yaml(match: re.Match[str]) -> str:
    """Convert a match of `ONLY_JSON` to YAML: give a JSON string YAML escapes, and replace a tab with a space."""
    if match[0] == "\t":
        return " "
    text = json.loads(match[0]).encode("utf-8", "replace").decode()
    escaped = [char if char.isalnum() or char == " " else f"\\U{ord(char):08x}" for char in text]
    return f'"{"".join(escaped)}"'


def whole_characters(value: Any, text: str) -> Any:
    r"""Return `value` (parsed from the JSON `text`), with each half of a surrogate pair replaced by a question mark.

    Half a character (an escape such as `\ud800` alone) can be neither printed nor written.
    """
    if "\\u" in text and HALF_CHARACTER.search(text):
        value = json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
    return value


def parse_text(text: str, name: str) -> Mapping:
    """Parse a plain list. A line `key: value` sets a key, with commas between several values; every other line is a
    card.

    If a key occurs again on a line with a bullet, that line is a card too. Any other repeated key raises DeckFileError,
    unless a game allows it.
    """
    repeats = frozenset[str]().union(*(about.repeats for about in registry.games().values()))
    pairs: dict[str, tuple[Scalar, Node]] = {}
    cards: list[Node] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line or line.isspace():
            continue
        written = re.split(r"\s#|^#|^//", line)[0].strip()
        if not (bare := written.lstrip("-•").strip()):
            continue
        header = HEADER.match(bare)
        key = key_name(header[1]) if header else ""
        if header is None or (key in pairs and bare != written):
            cards.append(Scalar(bare.rstrip(": "), number))  # some headings among the cards end with a colon
            if len(cards) > MOST_NODES:
                raise refusal(name, TOO_MANY, number)
            continue
        values = [Scalar(part.strip(), number) for part in header[2].strip("[]").split(",") if part.strip()]
        if key in pairs:
            if key not in repeats:
                raise refusal(name, f"has the line `{header[1]}:` twice.", number)
            values = [*(each for each in _listed(pairs[key][1]) if isinstance(each, Scalar)), *values]
        pairs[key] = (Scalar(header[1], number), values[0] if len(values) == 1 else Sequence(tuple(values), number))
    if cards:
        known = _listed(pairs["cards"][1]) if "cards" in pairs else ()
        pairs["cards"] = (Scalar("cards", cards[0].line), Sequence((*known, *cards), cards[0].line))
    return Mapping(tuple(pairs.values()), 1)


def _listed(node: Node) -> tuple[Node, ...]:
    """Return the items of a list, or the single value as one item."""
    return node.items if isinstance(node, Sequence) else (node,)


def parse_yaml(text: str, name: str) -> Node:
    """Parse a YAML text into nodes. Raises DeckFileError if it is empty or invalid."""
    from kb.files.safe_yaml import YamlError, reading

    try:
        with reading(text, DEEPEST_NESTING, MOST_NODES) as loader:
            root = loader.get_single_node()
            if root is None:
                raise refusal(name, "is empty.")
            return _node(root)
    except YamlError as error:
        raise refusal(name, f"{error.what}.", error.line) from None


def _node(node: Any, long: bool = False) -> Node:
    """Convert a PyYAML node to a node of `kb.decks.nodes`. With `long`, a text keeps its line breaks. Raises YamlError
    for a key that occurs twice or is not plain text.
    """
    from kb.files.safe_yaml import YamlError

    line = node.start_mark.line + 1
    if node.id == "scalar":
        text = node.value.strip()
        return Scalar(text if long else one_line(text), line, bool(node.style))
    if node.id == "sequence":
        return Sequence(tuple(map(_node, node.value)), line)
    pairs: dict[str, tuple[Scalar, Node]] = {}
    for written, value in node.value:
        key = _node(written)
        if not isinstance(key, Scalar):
            raise YamlError(key.line, "a key is not plain text")
        if first := pairs.get(key.text):
            raise YamlError(key.line, f"the key `{key.text}` appears twice (first on line {first[0].line})")
        pairs[key.text] = key, _node(value, key_name(key.text) in LONG_TEXTS)
    return Mapping(tuple(pairs.values()), line)
