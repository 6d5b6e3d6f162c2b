"""Read source files as text and as YAML. The line of every key is recorded, so that each problem is reported with its
line.
"""

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
# Control characters and characters that change the direction of writing: with them, a text differs from what it looks like.
HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
FRONT, FRONT_ENDS = "---\n", re.compile(r"\n---[ \t]*\n")


def read_text(path: Path, problems: Problems) -> str | None:
    """Return the text of a source file. If it cannot be read, add a problem to `problems` and return None."""
    try:
        if path.is_file():  # a pipe would block, and a broken link has no content
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
    """Return the values of a YAML file, and their locations in the file.

    If `text` is given, it is the part of the file that begins at `first_line`. The values are None if the text is
    empty. If the text cannot be read, a problem is added and the values are None too.
    """
    values = node = None
    try:
        text = read_text(path, problems) if text is None else text
        values, node = load_nodes(text or "")
    except YamlError as error:
        problems.add(path, first_line + error.line - 1, error.what)
    return values, YamlPlace(node, first_line)


def split_markdown(path: Path, problems: Problems) -> tuple[dict[str, Any], YamlPlace, str, int] | None:
    """Split an entry's Markdown file. Return its front matter, the location of the front matter, its body, and the
    body's first line.

    Return None, with a problem added, if the file cannot be read or has no valid front matter.
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
    """The location of a part of a YAML file, such as a row of a list. `node` is the parsed part; the parsed text begins
    at the line `first` of the file.
    """

    node: Any
    first: int = 1

    def item(self, number: int, key: str | None = None) -> YamlPlace:
        """Return the location of item `number` of a list. The list is this part or, if `key` is given, the value of
        `key` in this mapping.
        """
        listed = self.node if key is None else next_node(self.node, key)[1]
        return YamlPlace(next_node(listed, number)[1], self.first)

    def line(self, *way: str | int) -> int:
        """Return the line of the part that `way` leads to. `way` consists of keys of mappings and numbers of list
        items, from the outside in.

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
    """Return the start mark and the node of a part of `node`. `step` is a key of a mapping or the number of a list
    item.

    For a mapping, the mark is where the key begins. Both results are None if there is no such part.
    """
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value.strip() == str(step).strip():
                return key.start_mark, value
    elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and 0 <= step < len(node.value):
        return node.value[step].start_mark, node.value[step]
    return None, None
