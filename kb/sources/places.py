"""Knows the line of every key of a YAML text, by the positions of its nodes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from kb.files.safe_yaml import YamlError, load_nodes
from kb.sources.frontmatter import front_matter

Step = str | int


@dataclass(frozen=True, slots=True)
class Place:
    """A part of a YAML text, such as a row of a list: the text (or the Markdown file whose front matter it is, read again when a line is
    asked for), the line of its file at which it begins, and the way to the part."""

    text: str | Path
    first: int = 1
    way: tuple[Step, ...] = ()

    def below(self, *way: Step) -> Place:
        """A part of this part."""
        return Place(self.text, self.first, (*self.way, *way))

    def line(self, *way: Step) -> int:
        """The line of the file at which the part `way` leads to stands: the line of its key, or of the item of a list.

        Of a part that is missing, the line of what it is missing in.
        """
        node = nodes(self.text if isinstance(self.text, str) else front_matter(self.text))
        line = 0 if node is None else node.start_mark.line
        for step in (*self.way, *way):
            mark, node = next_node(node, step)
            if mark is None:
                break
            line = mark.line
        return self.first + int(line)


@lru_cache(maxsize=2)  # of one text many lines are asked for
def nodes(text: str) -> Any:
    """The nodes of a YAML text; None for an empty one, or where it is none (a file that changed since it was read)."""
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
