"""Inputs that mean ill: valid ones with pieces taken out, doubled, or replaced by what readers like least."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import strategies as st

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
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | st.sampled_from([*NUMBERS, *TEXTS])
    | st.text(max_size=12)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)


@st.composite
def spoiled(draw: st.DrawFn, seeds: list[str], most: int = 5) -> str:
    """A text of `seeds` with up to `most` changes; now and then one that has nothing to do with them."""
    text = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(0, most))):
        at = draw(st.integers(0, len(text)))
        kind = draw(st.integers(0, 4))
        if kind == 0:
            text = text[:at] + draw(st.sampled_from(TOKENS)) + text[at:]
        elif kind == 1:
            text = text[:at] + text[at + draw(st.integers(1, 20)) :]
        elif kind == 2:
            text = text[:at] + text[max(0, at - draw(st.integers(1, 60))) : at] + text[at:]
        elif kind == 3:
            text = text[:at] + draw(st.text(max_size=4)) + text[at + 1 :]
        else:
            token = draw(st.sampled_from(TOKENS))
            text = text[:at] + token + text[at + len(token) :]
    return text


def ways(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to every part of a value."""
    found = [way]
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in pairs:
        found += ways(part, (*way, key))
    return found


@st.composite
def warped(draw: st.DrawFn, seeds: list[Any], most: int = 3) -> Any:
    """A value of `seeds` with up to `most` parts replaced, renamed or taken out."""
    value = copy.deepcopy(draw(st.sampled_from(seeds)))
    for _ in range(draw(st.integers(0, most))):
        way = draw(st.sampled_from(ways(value)))
        if not way:
            continue
        holder = value
        for step in way[:-1]:
            holder = holder[step]
        kind = draw(st.integers(0, 5))
        if kind == 0:
            del holder[way[-1]]
        elif kind == 1 and isinstance(holder, dict):
            holder[draw(st.text(max_size=6))] = holder.pop(way[-1])
        elif kind == 2 and isinstance(holder, list):
            holder.append(copy.deepcopy(holder[way[-1]]))
        else:
            holder[way[-1]] = draw(VALUES)
    return value


def as_json(value: Any) -> str:
    """A value as JSON; numbers of any length."""
    try:
        return json.dumps(value)
    except ValueError:  # Python writes no numbers of more than 4,300 digits
        return json.dumps(str(value)[:10])
