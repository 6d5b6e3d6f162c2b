"""Reads YAML safely: plain values only, every key once, and nothing that grows beyond its text."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Any

import yaml

from kb.errors import KbError

try:
    from yaml import CSafeLoader as SafeLoader
except ImportError:  # PyYAML without libyaml, as in a browser: slower, same results
    from yaml import SafeLoader  # type: ignore[assignment]

DEEPEST = 60
FAR = 60
BRACKETS = re.compile(r"[\[\]{}]")
ROW_OF_DASHES, FAR_IN = re.compile(r"[-?:][ \t]+(?:[-?:][ \t]+){19}"), re.compile(rf"^[ \t]{{{FAR},}}\S", re.M)
TOO_DEEP = "exceeded maximum nesting depth"  # what libyaml says, as PyYAML 6.0.4 brings it
MERGE = "tag:yaml.org,2002:merge"
MAY_BE_ALIAS = re.compile(r"[&*](?<![^\s\[{,:?-][&*])[^\s&*]")
# What PyYAML's constructors raise on odd values (`2019-13-05`, `!!int x`), beside its own errors.
NO_VALUE = (ValueError, TypeError, AttributeError, LookupError, ArithmeticError, RecursionError)


class YamlError(KbError):
    """A text that is not the YAML we take: `line` (from 1) and `what` is wrong there, a sentence without its final stop."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")
        self.line = line
        self.what = what


class UniqueKeys(SafeLoader):
    """PyYAML's loader of plain values, which refuses a key that is there twice: its own would silently keep the last."""

    single: Any = None
    """The single value that was read last."""

    def flatten_mapping(self, node: Any) -> None:
        """Put what `<<` brings in among the keys of a node, all of it: PyYAML 6.0.4 and later leave out a key that comes twice.

        Raises YamlError where `<<` itself is there twice.
        """
        merged = [(key, value) for key, value in node.value if key.tag == MERGE]
        if len(merged) > 1:
            raise YamlError(merged[1][0].start_mark.line + 1, "the key '<<' is there twice")
        brought = []
        for _key, value in merged:
            for mapping in value.value if isinstance(value, yaml.SequenceNode) else [value]:
                if not isinstance(mapping, yaml.MappingNode):
                    raise YamlError(mapping.start_mark.line + 1, "'<<' takes a mapping, or a list of them")
                self.flatten_mapping(mapping)
                brought += mapping.value
        node.value = brought + [pair for pair in node.value if pair[0].tag != MERGE]
        super().flatten_mapping(node)

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        """The mapping of a node. Raises YamlError at the second of two equal keys, also where `<<` brings it in."""
        made = super().construct_mapping(node, deep)
        if len(made) < len(node.value):
            known = set()
            for key, _value in sorted(node.value, key=lambda pair: pair[0].start_mark.index):
                value = self.construct_object(key, deep=True)
                if value in known:
                    raise YamlError(key.start_mark.line + 1, f"the key {key.value!r} is there twice")
                known.add(value)
        return made

    def construct_scalar(self, node: Any) -> Any:
        """The text of a single value; what goes wrong with it is told with its line."""
        self.single = node
        return super().construct_scalar(node)


def load_yaml(text: str) -> Any:
    """The values of a YAML text, as `yaml.safe_load` makes them; None for an empty one.

    Raises YamlError for what is no YAML, a key that is there twice, an anchor or alias (a few of them stand for more text than fits
    into any memory), values nested more than DEEPEST levels (on which libyaml would crash the process), and a value that is not what
    its form or tag says.
    """
    loader = None
    try:
        refuse_bombs(text)
        loader = UniqueKeys(text)
        return loader.get_single_data()
    except yaml.YAMLError as error:
        raise not_yaml(error) from None
    except NO_VALUE as error:
        wrong = loader and loader.single
        shown = repr(wrong.value[:40]) if wrong else f"this ({str(error)[:60]})"
        what = f"{shown} is not what its form or tag says (a date, a number); put it into quotes"
        raise YamlError(wrong.start_mark.line + 1 if wrong else 1, what) from None
    finally:
        if loader:
            loader.dispose()


def load_nodes(text: str) -> Any:
    """The nodes of a YAML text, which know their lines; None for an empty one. Raises YamlError."""
    try:
        refuse_bombs(text)
        return yaml.compose(text, Loader=SafeLoader)
    except yaml.YAMLError as error:
        raise not_yaml(error) from None


def not_yaml(error: yaml.YAMLError) -> YamlError:
    """What PyYAML says is wrong, with its line."""
    mark = getattr(error, "problem_mark", None)
    what = getattr(error, "problem", None) or str(error).split("\n")[0]
    if TOO_DEEP in what:
        return YamlError(mark.line + 1 if mark else 1, f"this is nested deeper than {DEEPEST} levels")
    return YamlError(mark.line + 1 if mark else 1, f"this is not valid YAML: {what}")


def refuse_bombs(text: str) -> None:
    """Raise YamlError for anchors, aliases and deep nesting, and yaml.YAMLError for what is no YAML.

    Only a text that looks like it is parsed to know.
    """
    aliased = ("&" in text or "*" in text) and MAY_BE_ALIAS.search(text)
    if not (aliased or has_many_open(text) or has_nested_blocks(text)):
        return
    depth = 0
    for event in yaml.parse(text, Loader=SafeLoader):
        line = event.start_mark.line + 1 if event.start_mark else 1
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise YamlError(line, f"this is nested deeper than {DEEPEST} levels")
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise YamlError(line, "this is a YAML anchor or alias (& or *): write the value out")


def has_many_open(text: str) -> bool:
    """Whether a text has more than DEEPEST brackets open at once, as if each were one of YAML's."""
    if text.count("[") + text.count("{") <= DEEPEST:
        return False
    return max(accumulate(1 if sign in "[{" else -1 for sign in BRACKETS.findall(text)), default=0) > DEEPEST


def has_nested_blocks(text: str) -> bool:
    """Whether a line looks like blocks within blocks: a row of their signs, or a beginning far to the right."""
    may_be_far = FAR * " " in text or "\t" in text  # most texts are told by this
    return bool(ROW_OF_DASHES.search(text) or (may_be_far and FAR_IN.search(text)))
