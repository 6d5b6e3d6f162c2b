"""Reads the files entries are written in, as text and as YAML, and knows the line of every key: what is wrong is noted with its line."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from kb.files.safe_yaml import YamlError, load_nodes, load_yaml
from kb.files.text import read_bounded
from kb.frozen import frozen
from kb.sources.problems import Problems

LARGEST_FILE = 4_000_000
LONGEST_BODY = 40_000
# Control characters, and those that turn the direction of writing around: a text with them says other things than it shows.
HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
FRONT, FRONT_ENDS = "---\n", re.compile(r"\n---[ \t]*\n")


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


def read_yaml(path: Path, text: str, first_line: int, problems: Problems) -> Any:
    """The values of `text`, which begins at `first_line` of `path`; None and a noted problem when it is not YAML."""
    try:
        return load_yaml(text)
    except YamlError as error:
        problems.add(path, first_line + error.line - 1, error.what)
        return None


def split_markdown(path: Path, problems: Problems) -> tuple[dict[str, Any], Place, str, int] | None:
    """Front matter and its place, body and the body's first line of a Markdown entry; None with a noted problem when it has none."""
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
            f"the text is longer than {LONGEST_BODY:,} characters; make several entries of it",
        )
        return None
    before = len(problems.found)
    fields = read_yaml(path, front, 2, problems)
    if not isinstance(fields, dict):
        if len(problems.found) == before:
            problems.add(path, 2, "the front matter is not a list of keys and values")
        return None
    return fields, Place(front, 2), body.strip() + "\n", front.count("\n") + 3


Step = str | int


@frozen
class Place:
    """A part of a YAML text, such as a row of a list: the text, the line of its file at which it begins, and the way to the part."""

    text: str
    first: int = 1
    way: tuple[Step, ...] = ()

    def below(self, *way: Step) -> Place:
        """A part of this part."""
        return Place(self.text, self.first, (*self.way, *way))

    def line(self, *way: Step) -> int:
        """The line of the file at which the part `way` leads to stands: the line of its key, or of the item of a list.

        Of a part that is missing, the line of what it is missing in.
        """
        node = nodes(self.text)
        line = 0 if node is None else node.start_mark.line
        for step in (*self.way, *way):
            mark, node = next_node(node, step)
            if mark is None:
                break
            line = mark.line
        return self.first + int(line)


@lru_cache(maxsize=2)  # of one text many lines are asked for
def nodes(text: str) -> Any:
    """The nodes of a YAML text; None for an empty one, or where it is none."""
    try:
        return load_nodes(text)
    except YamlError:
        return None


def next_node(node: Any, step: Step) -> tuple[Any, Any]:
    """The mark and the node of one part of a node: the mark of its key, or of the item; both None where there is none."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value.strip() == str(step).strip():
                return key.start_mark, value
    elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and 0 <= step < len(node.value):
        return node.value[step].start_mark, node.value[step]
    return None, None
