"""What readers like least, to be put into valid inputs."""

from __future__ import annotations

import json
from typing import Any

# What breaks readers: control characters, halves of characters, huge and odd numbers, nesting, syntax of every format in use.
TOKENS = [
    "\x00", "\x1b[31m", "\u202e", "\ud800", "\ufeff", "\r", "\t", "\u2028", "İ", "ß", "٣", "²", "9" * 5000, "1e999", "-1", "--5", "-0",
    "NaN", "Infinity", "1_000", "0x10", "999999999999", "2019-13-05", "12:34:56", "~", "null", "yes", "!!int x", "!!binary x", "&a", "*a",
    "<<: *a", "? ", "- ", "- - - - -", "[" * 50, "{" * 50, "]", "}", ":", ": ", ",", '"', "'", "|", ">", "%", "@", "`", "#", "---\n", "...\n",
    "\n", "\n\n", "\\", "/", "../../x", "[[", "]]", "[[x|y]]", "[[card:x]]", "x" * 300, "(", ")", "or", "-", "deck<=", "is:", "name:",
    'type:"', "😀", "\u0301" * 20, "x2", "2x ", " x2", "+",
]  # fmt: skip
NUMBERS = [0, -1, 2**31, 2**63, 10**30, 10**4000, 0.5, -0.0, 1e308]
TEXTS = ["", " ", "x", "--5", "01001", "9" * 5000, "../../x", "a\x00b", "\ud800"]


def ways(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to every part of a value."""
    found = [way]
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in pairs:
        found += ways(part, (*way, key))
    return found


def as_json(value: Any) -> str:
    """A value as JSON; numbers of any length."""
    try:
        return json.dumps(value)
    except ValueError:  # Python writes no numbers of more than 4,300 digits
        return json.dumps(str(value)[:10])
