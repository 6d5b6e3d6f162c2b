"""What the fuzzing does: real inputs of a reader, and bad ones made of them, the same for the same number."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import yaml

# What breaks readers: control characters, halves of characters, huge and odd numbers, nesting, syntax of every format in use.
WORDS = re.findall(
    r"\S+",
    r"""
-1 --5 -0 00 9 999999999999 1e999 1e400 NaN Infinity 1_000 0x10 0o7 .5 +1 1:2:3 ٣ ² १२ Ⅷ ½ 1/0 2019-13-05 12:34:56 null ~ yes on !!int
&a *a ? - ] } :
, " ' | > % @ ` # --- ... \ / ../../x [[ ]] [[x|y]] [[card:x]] ( ) or deck<= is: name: type:" 😀 İ ß ﬁ ŉ ẞ x2 2x +
%YAML !!python/object:os.system
<script>alert(1)</script> javascript:alert(1) [x](javascript:x) ![x](x) {{7*7}} {%x%} $(x) ; -- .. con nul.txt C:\x //host/x file:///etc/passwd
/etc/passwd ~root/x %00 %2e%2e%2f ?x#y =1+1 ``` ~~~ \u0000 \ud800 !<tag:yaml.org,2002:int>
""",
)
SIGNS = "\x00\x1b\x7f\x85\x9b\f\v\r\t\n \u00ad\u0301\u061c\u200b\u202e\u2028\u2029\u2066\ufeff\ufffe\ud800\U0010ffff"
LONG = [
    "9" * 5000,
    "[" * 500,
    "{a: " * 200,
    "- " * 300,
    "> " * 200,
    "(" * 300,
    '"' * 50,
    "|" * 200,
    "word " * 400,
    "&x &y z",
    "<<: *a",
    "*a\n*a\n",
]
TOKENS = [*WORDS, *SIGNS, *LONG]
VALUES = [
    None,
    True,
    [],
    {},
    [[]],
    {"": None},
    0,
    -1,
    2**63,
    10**4000,
    0.5,
    1e308,
    "",
    " ",
    "a\x00b",
    [1, 2],
    ["x"] * 3000,
]
PART = re.compile(r"[\w.-]+")


@dataclass(frozen=True, slots=True)
class Corpus:
    """Real inputs; of JSON and YAML their values too, which are changed part by part. `bytes` are no text."""

    raw: list[bytes]
    form: str
    values: list[Any]

    @classmethod
    def of(cls, seeds: Sequence[bytes | str], form: str = "text") -> Corpus:
        raw = [seed.encode("utf-8", "surrogatepass") if isinstance(seed, str) else seed for seed in seeds]
        values = []
        for data in raw if form in ("json", "yaml") else ():
            with suppress(ValueError, yaml.YAMLError):
                values.append(json.loads(data) if form == "json" else yaml.load(data, yaml.CSafeLoader))
        return cls(raw, form, values)


@dataclass(frozen=True, slots=True)
class Reader:
    """`read` takes an input and gives what people see of it; a KbError is an answer too."""

    corpus: Corpus
    read: Callable[[bytes], Any]


def as_json(value: Any) -> str:
    """A value as JSON; numbers of any length."""
    try:
        return json.dumps(value)
    except ValueError:  # Python writes no numbers of more than 4,300 digits
        return json.dumps(str(value)[:10])


def mutated(corpus: Corpus, seed: int, number: int) -> bytes:
    """The input with this number in the run of a seed."""
    draw = random.Random(f"{seed}:{number}")
    if corpus.values and draw.random() < 0.5:
        value = copy.deepcopy(draw.choice(corpus.values))
        for _ in range(draw.choice((1, 2, 5))):
            value = _warped(draw, value)
        with suppress(RecursionError):
            return as_json(value)[:200_000].encode("utf-8", "surrogatepass")
    data = draw.choice(corpus.raw)
    for _ in range(draw.choice((1, 1, 2, 3, 6))):
        data = _changed(draw, data, draw.choice(corpus.raw), corpus.form == "bytes")
    return data[:200_000]


def _changed(draw: random.Random, data: bytes, other: bytes, binary: bool) -> bytes:
    """A place of it taken out, replaced, doubled, moved or taken from another input: bytes, a line, or a word."""
    token = draw.choice(TOKENS).encode("utf-8", "surrogatepass")
    at, end = sorted(draw.randrange(len(data) + 1) for _ in "ab")
    kind = draw.randrange(7)
    if binary or kind == 0:
        end = min(end, at + draw.choice((0, 1, 5, 100)))
        new = draw.choice((token, b"", data[at:end] * 2, bytes([draw.randrange(256)]), other[at : at + 64]))
        return data[:at] + new + data[end:]
    if kind == 1:
        return draw.choice((data[:at], data[at:]))
    if kind <= 3:
        lines, others = data.split(b"\n"), other.split(b"\n")
        row, one = draw.randrange(len(lines)), draw.choice(others)
        indented = draw.choice((b"", b"  ", b"\t", b" " * 40)) + lines[row].lstrip()
        lines[row : row + 1] = draw.choice(
            ([], [lines[row]] * 2, [lines[row]] * 300, [one, lines[row]], [indented], [lines[-1]])
        )
        return b"\n".join(lines)
    text = data.decode("utf-8", "surrogateescape")
    words = list(PART.finditer(text[:20_000]))
    if not words:
        return data + token
    numbers = [each for each in words if each[0].isdecimal()]
    found = draw.choice(numbers if numbers and kind == 6 else words)
    new = draw.choice(
        (token, token, draw.choice(PART.findall(other.decode("utf-8", "replace")[:20_000]) or [""]).encode())
    )
    return (
        text[: found.start()].encode("utf-8", "surrogateescape")
        + new
        + text[found.end() :].encode("utf-8", "surrogateescape")
    )


def _ways(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to every part of a value."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [way, *(below for key, part in pairs for below in _ways(part, (*way, key)))]


def _warped(draw: random.Random, value: Any) -> Any:
    """A part of it taken out, renamed, copied, wrapped, put elsewhere or replaced."""
    *way, last = draw.choice(_ways(value)) or (None,)
    holder = value
    for step in way:
        holder = holder[step]
    if last is None:
        return value
    part, token, kind = holder[last], draw.choice(TOKENS), draw.randrange(7)
    if kind == 0:
        del holder[last]
    elif kind == 1 and isinstance(holder, dict):
        holder[token] = holder.pop(last)
    elif kind == 2 and isinstance(holder, list):
        holder[last:last] = [copy.deepcopy(part) for _ in range(draw.choice((1, 50)))]
    elif kind == 3:
        holder[last] = draw.choice(([part], {"a": part}, str(part)))
    elif kind == 4 and isinstance(holder, dict):
        holder[token] = copy.deepcopy(part)
    elif kind == 5 and isinstance(part, str):
        holder[last] = _changed(draw, part.encode("utf-8", "surrogatepass"), b"x", False).decode("utf-8", "replace")
    else:
        holder[last] = draw.choice((token, copy.deepcopy(draw.choice(VALUES))))
    return value
