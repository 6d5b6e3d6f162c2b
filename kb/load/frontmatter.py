"""Reads the files entries are written in, as text and as YAML: whatever is wrong with them is noted with its line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any

import yaml

from kb.files.read import read_bounded
from kb.load.problems import Problems

try:
    from yaml import CSafeLoader as SafeLoader
except ImportError:  # PyYAML without libyaml: slower, same results
    from yaml import SafeLoader  # type: ignore[assignment]

DEEPEST = 60
FAR = 60
LARGEST_FILE = 4_000_000
LONGEST_BODY = 40_000
# Control characters, and those that turn the direction of writing around: a text with them says other things than it shows.
HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
BRACKETS = re.compile(r"[\[\]{}]")
ROW_OF_DASHES, FAR_IN = re.compile(r"[-?:][ \t]+(?:[-?:][ \t]+){19}"), re.compile(rf"^[ \t]{{{FAR},}}\S", re.M)
FRONT, FRONT_ENDS = "---\n", re.compile(r"\n---[ \t]*\n")
MAY_BE_ALIAS = re.compile(r"[&*](?<![^\s\[{,:?-][&*])[^\s&*]")
# What PyYAML's constructors raise on odd scalars, beside its own errors.
TEXT, MAPPING, LIST = PLAIN_TAGS = tuple(f"tag:yaml.org,2002:{name}" for name in ("str", "map", "seq"))
SINGLE = frozenset(f"tag:yaml.org,2002:{name}" for name in ("null", "bool", "int", "float", "timestamp"))
NO_VALUE = (ValueError, TypeError, AttributeError, KeyError, IndexError, ArithmeticError, RecursionError)


class _OddNodeError(Exception):
    """A node that is more than text, lists, mappings and single values."""


class UniqueKeys(SafeLoader):
    """A loader that refuses a key which is there twice: YAML's own would silently keep the last."""

    def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
        """The tag of a node without one. Most single values are text, as their first letter tells."""
        if kind is yaml.ScalarNode and not (implicit[0] and value[:1] in self.yaml_implicit_resolvers):
            return TEXT
        return super().resolve(kind, value, implicit)  # type: ignore[no-untyped-call]

    def plain(self, node: Any) -> Any:
        """The value of a node, as PyYAML makes it, in one step. Raises _OddNodeError, and of single values what PyYAML does."""
        kind, tag = type(node), node.tag
        if kind is yaml.ScalarNode:
            if tag == TEXT:
                return node.value
            if tag in SINGLE:
                return self.yaml_constructors[tag](self, node)
        elif kind is yaml.SequenceNode and tag == LIST:
            return [self.plain(part) for part in node.value]
        elif kind is yaml.MappingNode and tag == MAPPING:
            made: dict[str, Any] = {}
            for key, value in node.value:
                if type(key) is not yaml.ScalarNode or key.tag != TEXT or key.value in made:
                    raise _OddNodeError
                made[key.value] = self.plain(value)
            return made
        raise _OddNodeError

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        """The mapping of a node. Raises ConstructorError at the second of two equal keys."""
        known = set()
        for key, _value in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in known:
                    raise yaml.constructor.ConstructorError(
                        None, None, f"the key {key.value!r} is there twice", key.start_mark
                    )
                known.add(key.value)
        return super().construct_mapping(node, deep)


def read_text(path: Path, problems: Problems) -> str | None:
    """The text of a source file; None and a noted problem when it cannot be read."""
    try:
        if path.is_file():  # anything else (a pipe, a link to nowhere) is not waited for
            text = read_bounded(path, LARGEST_FILE).decode("utf-8-sig").replace("\r\n", "\n")
            if hidden := HIDDEN.search(text):
                line, sign = text.count("\n", 0, hidden.start()) + 1, f"U+{ord(hidden[0]):04X}"
                problems.add(
                    path, line, f"the character {sign} is here, which nobody sees and no text needs; take it out"
                )
                return None
            return text
        problems.add(path, 0, "this is not a file")
    except UnicodeDecodeError as error:
        problems.add(path, 0, f"this is not UTF-8 text (byte {error.start})")
    except OSError as error:
        problems.add(path, 0, f"this cannot be read: {error.strerror}")
    return None


def is_nested_too_deeply(text: str) -> bool:
    """Whether YAML is nested more than DEEPEST levels, on which libyaml's loader would crash the process.

    Only a text that looks like it is parsed to know: brackets left open, rows of dashes, far indentation.
    """
    if not has_many_open(text) and not has_nested_blocks(text):
        return False
    depth = 0
    for event in yaml.parse(text, Loader=SafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            return True
    return False


def has_many_open(text: str) -> bool:
    """Whether a text has more than DEEPEST brackets open at once, as if each were one of YAML's."""
    if text.count("[") + text.count("{") <= DEEPEST:
        return False
    return max(accumulate(1 if sign in "[{" else -1 for sign in BRACKETS.findall(text)), default=0) > DEEPEST


def has_nested_blocks(text: str) -> bool:
    """Whether a line looks like blocks within blocks: a row of their signs, or a beginning far to the right."""
    may_be_far = FAR * " " in text or "\t" in text  # most texts are told by this
    return bool(ROW_OF_DASHES.search(text) or (may_be_far and FAR_IN.search(text)))


def line_of_alias(text: str) -> int | None:
    """The line (from 0) of the first anchor or alias: a few of them stand for more text than fits into any memory."""
    if ("&" not in text and "*" not in text) or not MAY_BE_ALIAS.search(text):
        return None
    events: Iterator[Any] = yaml.parse(text, Loader=SafeLoader)
    for event in events:
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            return int(event.start_mark.line)
    return None


def read_yaml(path: Path, text: str, first_line: int, problems: Problems) -> Any:
    """Parse `text`, which begins at `first_line` of `path`; None and a noted problem when it is not YAML."""
    try:
        if is_nested_too_deeply(text):
            problems.add(path, first_line, f"this is nested deeper than {DEEPEST} levels")
            return None
        if (alias := line_of_alias(text)) is not None:
            problems.add(path, first_line + alias, "this is a YAML anchor or alias (& or *): write the value out")
            return None
        return constructed(path, text, first_line, problems)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = first_line + (mark.line if mark else 0)
        what = getattr(error, "problem", None) or str(error).split("\n")[0]
        problems.add(path, line, f"this is not valid YAML: {what}")
        return None


@lru_cache(maxsize=2)  # values are made of them, then lines are looked up in them
def nodes(text: str) -> Any:
    """The nodes of a YAML text; None for an empty one. Raises yaml.YAMLError."""
    return yaml.compose(text, Loader=UniqueKeys)


def constructed(path: Path, text: str, first_line: int, problems: Problems) -> Any:
    """The values of a YAML text; None and a noted problem where a value is not what it looks like. Raises yaml.YAMLError."""
    node = nodes(text)
    loader = UniqueKeys("")
    try:
        try:
            return None if node is None else loader.plain(node)
        except _OddNodeError:
            # Nodes of its own: PyYAML takes `<<` out of those it reads, and the kept ones are read again.
            return yaml.load(text, Loader=UniqueKeys)
    except NO_VALUE as error:
        wrong = next((part for part in tagged(node) if not is_value(part)), node)
        shown = repr(wrong.value[:40]) if isinstance(wrong, yaml.ScalarNode) else f"this ({str(error)[:60]})"
        what = f"{shown} is not what its form or tag says (a date, a number); put it into quotes"
        problems.add(path, first_line + wrong.start_mark.line, what)
        return None
    finally:
        loader.dispose()


def tagged(node: Any) -> Iterator[Any]:
    """All single values below a node, and what has a tag of its own, in order."""
    if node is None:
        return
    if node.tag not in PLAIN_TAGS:
        yield node
    if not isinstance(node, yaml.ScalarNode):
        for part in node.value:
            for item in part if isinstance(part, tuple) else (part,):
                yield from tagged(item)


def is_value(node: Any) -> bool:
    """Whether YAML makes a value of a node: `2019-13-05` looks like a date and is none."""
    loader = UniqueKeys("")
    try:
        loader.construct_object(node, deep=True)
    except (*NO_VALUE, yaml.YAMLError):
        return False
    finally:
        loader.dispose()
    return True


def front_matter(path: Path) -> str:
    """The YAML of the front matter (which begins in line 2) of a Markdown entry that was read; none when it has changed or gone since."""
    try:
        return front_matter_of(path, path.stat().st_mtime_ns)
    except OSError:
        return ""


@lru_cache(maxsize=2)  # of a broken entry hundreds of lines may be asked for
def front_matter_of(path: Path, _written: int) -> str:
    """`front_matter` of a file as it was written at a time."""
    found = parted(read_text(path, Problems(path.parent)) or "")
    return found[0] if found else ""


def parted(text: str) -> tuple[str, str] | None:
    """Front matter, and what stands below it; None where there is none."""
    ends = FRONT_ENDS.search(text, len(FRONT) - 1) if text.startswith(FRONT) else None
    return (text[len(FRONT) : ends.start() + 1], text[ends.end() :]) if ends else None


def split_markdown(path: Path, problems: Problems) -> tuple[dict[str, Any], str, int] | None:
    """Front matter, body and the body's first line of a Markdown entry; None with a noted problem when it has none."""
    text = read_text(path, problems)
    if text is None:
        return None
    found = parted(text)
    if not found:
        problems.add(path, 1, "an entry begins with front matter between two lines of ---")
        return None
    front, body = found
    if len(body) > LONGEST_BODY:
        problems.add(
            path,
            front.count("\n") + 3,
            f"the text is longer than {LONGEST_BODY:,} characters; make several entries of it",
        )
        return None
    before = len(problems.found)
    fields = read_yaml(path, front, 2, problems)
    if not isinstance(fields, dict):
        if len(problems.found) == before:
            problems.add(path, 2, "the front matter is not a list of keys and values")
        return None
    return fields, body.strip() + "\n", front.count("\n") + 3
