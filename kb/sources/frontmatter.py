"""Reads source files as text and as YAML, with the line of every key, so that problems are reported with their lines."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from kb.files.safe_yaml import YamlError, load_nodes
from kb.files.text import read_bounded
from kb.frozen import frozen
from kb.sources.entries import LONGEST_BODY
from kb.sources.problems import Problems

LARGEST_FILE = 4_000_000
# Control characters, and those that change the direction of writing: a text with them differs from its appearance.
HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
FRONT, FRONT_ENDS = "---\n", re.compile(r"\n---[ \t]*\n")


def read_text(path: Path, problems: Problems) -> str | None:
    """Return the text of a source file; None, with a problem reported, if it cannot be read."""
    try:
        if path.is_file():  # skip anything else, such as a pipe, which would block, or a broken link
            text = read_bounded(path, LARGEST_FILE).decode("utf-8-sig").replace("\r\n", "\n")
            if hidden := HIDDEN.search(text):
                line, sign = text.count("\n", 0, hidden.start()) + 1, f"U+{ord(hidden[0]):04X}"
                problems.add(path, line, f"the character {sign} is invisible; remove it")
                return None
            return text
        problems.add(path, 0, "this is not a file")
    except UnicodeDecodeError as error:
        problems.add(path, 0, f"this is not UTF-8 text (byte {error.start})")
    except OSError as error:
        problems.add(path, 0, f"this cannot be read: {error.strerror}")
    return None


def read_yaml(path: Path, problems: Problems, text: str | None = None, first_line: int = 1) -> tuple[Any, YamlPlace]:
    """Return the values of a YAML file, or of the `text` in it that begins at `first_line`, and their places.

    The values are None for an empty text and, with a problem reported, for one that cannot be read.
    """
    values = node = None
    try:
        text = read_text(path, problems) if text is None else text
        values, node = load_nodes(text or "")
    except YamlError as error:
        problems.add(path, first_line + error.line - 1, error.what)
    return values, YamlPlace(node, first_line)


def split_markdown(path: Path, problems: Problems) -> tuple[dict[str, Any], YamlPlace, str, int] | None:
    """Return front matter and its place, body and the body's first line of a Markdown entry; None, with a problem
    reported, without front matter.
    """
    text = read_text(path, problems)
    if text is None:
        return None
    ends = FRONT_ENDS.search(text, len(FRONT) - 1) if text.startswith(FRONT) else None
    if not ends:
        problems.add(path, 1, "an entry begins with front matter between two lines of ---")
        return None
    front, body = text[len(FRONT) : ends.start() + 1], text[ends.end() :]
    if len(body) > LONGEST_BODY:
        problems.add(
            path,
            front.count("\n") + 3,
            f"the text is longer than {LONGEST_BODY:,} characters; split it into several entries",
        )
        return None
    before = len(problems.found)
    fields, place = read_yaml(path, problems, front, 2)
    if not isinstance(fields, dict):
        if len(problems.found) == before:
            problems.add(path, 2, "the front matter is not a list of keys and values")
        return None
    return fields, place, body.strip() + "\n", front.count("\n") + 3


@frozen
class YamlPlace:
    """A part of a YAML file, such as a row of a list, by its node; its text begins at the line `first` of the file."""

    node: Any
    first: int = 1

    def item(self, number: int, key: str | None = None) -> YamlPlace:
        """Return an item of this list, or of the list under a key of this mapping."""
        listed = self.node if key is None else next_node(self.node, key)[1]
        return YamlPlace(next_node(listed, number)[1], self.first)

    def line(self, *way: str | int) -> int:
        """Return the line of the part that `way` leads to: the line of its key, or of the item of a list.

        If the part is missing, return the line of the part that should contain it.
        """
        node = self.node
        line = 0 if node is None else node.start_mark.line
        for step in way:
            mark, node = next_node(node, step)
            if mark is None:
                break
            line = mark.line
        return self.first + int(line)


def next_node(node: Any, step: str | int) -> tuple[Any, Any]:
    """Return the mark and the node of a part of a node: the mark of its key, or of the item; both None if it is missing."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value.strip() == str(step).strip():
                return key.start_mark, value
    elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and 0 <= step < len(node.value):
        return node.value[step].start_mark, node.value[step]
    return None, None
