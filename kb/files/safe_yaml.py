"""Reads YAML safely: only plain values, each key once, and no aliases that could multiply the data."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import yaml
from yaml.composer import Composer

from kb.errors import KbError

try:
    from yaml import CSafeLoader as SafeLoader
except ImportError:  # PyYAML without libyaml, as in a browser: slower, with the same results
    from yaml import SafeLoader  # type: ignore[assignment]

DEEPEST = 60
TOO_DEEP = "this is nested deeper than {} levels"
MERGE = "tag:yaml.org,2002:merge"
# Exceptions that PyYAML's constructors raise on invalid values (`2019-13-05`, `!!int x`), besides its own errors.
NO_VALUE = (ValueError, TypeError, AttributeError, LookupError, ArithmeticError, RecursionError)


class YamlError(KbError):
    """A text is not YAML that kb accepts: `line` (from 1), and `what` is wrong, a sentence without its final full stop."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")
        self.line = line
        self.what = what


# libyaml's loader composes nodes in C and calls no methods of a subclass; PyYAML's own loader is a Composer already.
BASES = (SafeLoader,) if issubclass(SafeLoader, Composer) else (Composer, SafeLoader)


class Loader(*BASES):  # type: ignore[misc]
    """PyYAML's loader of plain values, with limits.

    It refuses anchors and aliases (a few can expand to more text than fits into memory), values nested more than
    `deepest` levels, more than `most` values, and duplicate keys, of which PyYAML silently keeps the last.
    """

    def __init__(self, text: str, deepest: int = DEEPEST, most: int | None = None) -> None:
        SafeLoader.__init__(self, text)
        Composer.__init__(self)
        self.deepest, self.most = deepest, most
        self.depth = self.nodes = 0
        self.scalar: Any = None
        """The node of the scalar that was read last."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Compose the node of the next event. Raises YamlError."""
        event: Any = self.peek_event()
        line = event.start_mark.line + 1
        if event.anchor is not None:
            raise YamlError(line, "this is a YAML anchor or alias (& or *): write the value out")
        if self.depth == self.deepest and isinstance(event, yaml.CollectionStartEvent):
            raise YamlError(line, TOO_DEEP.format(self.deepest))
        if self.nodes == self.most:
            raise YamlError(line, f"there are more than {self.most:,} values")
        self.depth += 1
        self.nodes += 1
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node

    def flatten_mapping(self, node: Any) -> None:
        """Refuse `<<`, which is useless without aliases. Raises YamlError."""
        for key, _value in node.value:
            if key.tag == MERGE:
                raise YamlError(key.start_mark.line + 1, "this is a YAML merge (<<): write the keys out")
        super().flatten_mapping(node)

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        """Construct the mapping of a node. Raises YamlError at the second of two equal keys."""
        made = super().construct_mapping(node, deep)
        if len(made) < len(node.value):
            known = set()
            for key, _value in node.value:
                value = self.construct_object(key, deep=True)
                if value in known:
                    raise YamlError(key.start_mark.line + 1, f"the key {key.value!r} is there twice")
                known.add(value)
        return made

    def construct_scalar(self, node: Any) -> Any:
        """Construct the value of a scalar, and note its node so that an error can name the line."""
        self.scalar = node
        return super().construct_scalar(node)


def load_yaml(text: str) -> Any:
    """Load the values of a YAML text as `yaml.safe_load` does; None for an empty text. Raises YamlError."""
    return load_nodes(text)[0]


def load_nodes(text: str) -> tuple[Any, Any]:
    """Load the values of a YAML text, and its node with line numbers; both None for an empty text.

    Raises YamlError for text that is not YAML, for constructs that `Loader` refuses, and for values that do not fit
    their form or tag.
    """
    with reading(text) as loader:
        node = loader.get_single_node()
        return None if node is None else loader.construct_document(node), node


@contextmanager
def reading(text: str, *limits: int) -> Iterator[Loader]:
    """Return a loader for a text, with other limits; errors in this block become YamlError."""
    loader = None
    try:
        loader = Loader(text, *limits)
        yield loader
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        what = getattr(error, "problem", None) or str(error).split("\n")[0]
        deep = "nesting depth" in what  # the message of the libyaml in PyYAML 6.0.4
        what = TOO_DEEP.format(*limits or [DEEPEST]) if deep else f"this is not valid YAML: {what.removeprefix('but ')}"
        raise YamlError(mark.line + 1 if mark else 1, what) from None
    except NO_VALUE as error:
        wrong = loader and loader.scalar
        shown = repr(wrong.value[:40]) if wrong else f"this ({str(error)[:60]})"
        what = f"{shown} is not valid for its form or tag (a date, a number); put it in quotes"
        raise YamlError(wrong.start_mark.line + 1 if wrong else 1, what) from None
    finally:
        if loader:
            loader.dispose()
