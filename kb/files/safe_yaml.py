"""Read YAML safely: only plain values, no duplicate keys, and no aliases, which could multiply the data."""

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
# Exceptions other than its own that PyYAML raises for invalid values (`2019-13-05`, `!!int x`).
NO_VALUE = (ValueError, TypeError, AttributeError, LookupError, ArithmeticError, RecursionError)


class YamlError(KbError):
    """A text is not YAML that kb accepts. `what` says why (a sentence without its final full stop), and `line` counts from
    1.
    """

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")
        self.line = line
        self.what = what


# libyaml's loader composes nodes in C and calls no methods of a subclass; PyYAML's own loader is a Composer already.
BASES = (SafeLoader,) if issubclass(SafeLoader, Composer) else (Composer, SafeLoader)


class Loader(*BASES):  # type: ignore[misc]
    """PyYAML's loader of plain values, with additional limits.

    The loader refuses anchors and aliases, because a few of them can expand to more text than fits into memory. The
    loader also refuses values nested more than `deepest` levels deep, and more than `most` values. It also refuses
    duplicate keys. PyYAML silently keeps the last of them.
    """

    def __init__(self, text: str, deepest: int = DEEPEST, most: int | None = None) -> None:
        SafeLoader.__init__(self, text)
        Composer.__init__(self)
        self.deepest, self.most = deepest, most
        self.depth = self.nodes = 0
        self.scalar: Any = None
        """The node of the scalar that was read last."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Return the node for the parser's next event. Raises YamlError if it exceeds a limit, or is an anchor or
        alias.
        """
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
        """Refuse the merge key `<<`, which is useless without aliases. Raises YamlError."""
        for key, _value in node.value:
            if key.tag == MERGE:
                raise YamlError(key.start_mark.line + 1, "this is a YAML merge (<<): write the keys out")
        super().flatten_mapping(node)

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        """Return the mapping of a node. Raises YamlError if a key occurs twice."""
        made = super().construct_mapping(node, deep)
        if len(made) < len(node.value):
            known = set()
            for key, _value in node.value:
                value = self.construct_object(key, deep=True)
                if value in known:
                    raise YamlError(key.start_mark.line + 1, f"the key {key.value!r} occurs twice")
                known.add(value)
        return made

    def construct_scalar(self, node: Any) -> Any:
        """Return the value of a scalar. Its node is remembered, so that an error can name the line."""
        self.scalar = node
        return super().construct_scalar(node)


def load_yaml(text: str) -> Any:
    """Return the values of a YAML text, as `yaml.safe_load` does. None for an empty text. Raises YamlError."""
    return load_nodes(text)[0]


def load_nodes(text: str) -> tuple[Any, Any]:
    """Return the values of a YAML text, and its root node with line numbers. Both are None for an empty text.

    Raises YamlError if the text is not YAML, if `Loader` refuses it, or if a value does not fit its form or tag.
    """
    with reading(text) as loader:
        node = loader.get_single_node()
        return None if node is None else loader.construct_document(node), node


@contextmanager
def reading(text: str, *limits: int) -> Iterator[Loader]:
    """Yield a loader for `text`. `limits` are the deepest level and the greatest number of values, if they differ from
    the defaults.

    Errors of PyYAML inside the `with` block are converted to YamlError.
    """
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
