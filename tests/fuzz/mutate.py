"""Makes inputs that mean ill out of real ones: the same one for the same seed and number, in microseconds, without Hypothesis."""

from __future__ import annotations

import contextlib
import copy
import json
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from tests.fuzz.hostile import NUMBERS, TEXTS, TOKENS, as_json, ways

MORE_TOKENS = [
    "[" * 500, "{" * 500, "{a: " * 200, "- " * 300, "> " * 200, "(" * 300, "&a [*a]", "*a\n*a\n", "&x &y z", "!!python/object:os.system x",
    "!!set {a}", "!!float .nan", "!!timestamp 2019-13-05", "!<tag:yaml.org,2002:int> x", "%YAML 9.9\n---\n", "--- !!map\n", "\x85", "\u2029",
    "\u2066", "\u061c", "\ufffe", "\U0010ffff", "\udfff\ud800", "\x7f", "\x9b31m", "\f", "\v", "0" * 400, "1e400", "-9e999", "0b1", "0o7",
    "1:2:3", ".5", "+1", "१२", "Ⅷ", "½", "1/0", "'" * 50, '"' * 50, "`" * 60, "~~~\n", "```\n", "|" * 200, "\\" * 99, "\\u0000", "\\ud800",
    "<script>alert(1)</script>", "javascript:alert(1)", "[x](javascript:x)", "![x](x)", "{{ 7*7 }}", "{% x %}", "$(x)", ";", "--", "..", "...",
    "con", "nul.txt", "a/../../b", "C:\\x", "//host/x", "file:///etc/passwd", "/etc/passwd", "~root/x", "%00", "%2e%2e%2f", "?x#y", "x" * 5000,
    "word " * 400, "ﬁ", "ŉ", "ẞ", "ʼ", "a\u0338", "\u200b", "\u00ad", "１２", "1\u00a0000", "yes\n", "on", "off", "!", "!x", "=", "=1+1", "@x",
]  # fmt: skip
DICTIONARY = [*TOKENS, *MORE_TOKENS]
WORD = re.compile(r"[\w.-]+")
NUMBER = re.compile(r"-?\d+")
MOST_LENGTH = 200_000
MOST_PARTS = 20_000
Change = Callable[[random.Random, str, Sequence[str]], str]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Real inputs of a reader: their bytes, their text, and the values of those that are JSON or YAML.

    `form`: json and yaml inputs are also changed part by part, bytes are no text.
    """

    raw: list[bytes]
    form: str
    values: list[Any]
    texts: list[str]

    @classmethod
    def of(cls, seeds: Sequence[bytes | str], form: str = "text") -> Corpus:
        """The corpus of some seeds."""
        raw = [seed.encode("utf-8", "surrogatepass") if isinstance(seed, str) else seed for seed in seeds]
        texts = [] if form == "bytes" else [seed.decode("utf-8", "replace") for seed in raw]
        values = []
        for text in texts if form in ("json", "yaml") else ():
            try:
                values.append(json.loads(text) if form == "json" else yaml.load(text, yaml.CSafeLoader))
            except (ValueError, yaml.YAMLError):
                continue
        return cls(raw, form, values, texts)


def mutated(corpus: Corpus, seed: int, number: int) -> bytes:
    """The input with this number in the run of a seed."""
    draw = random.Random(f"{seed}:{number}")
    if corpus.form == "bytes":
        return _bytes(draw, draw.choice(corpus.raw), corpus.raw)
    text = ""
    if corpus.values and draw.random() < 0.5:
        with contextlib.suppress(RecursionError):  # nested deeper than Python can write it
            text = as_json(_warped(draw, copy.deepcopy(draw.choice(corpus.values)), corpus.values))
    if not text:
        text = draw.choice(corpus.texts)
        for _ in range(draw.choice((1, 1, 1, 2, 3, 6))):
            text = draw.choice(CHANGES)(draw, text, corpus.texts)
    data = text[:MOST_LENGTH].encode("utf-8", "surrogatepass")
    return _bytes(draw, data, corpus.raw) if draw.random() < 0.05 else data


def _bytes(draw: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """A few bytes flipped, taken out, doubled, or taken from another input."""
    found = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 4, 16))):
        at = draw.randrange(len(found) + 1)
        kind = draw.randrange(6)
        if kind <= 1 and at < len(found):
            found[at] = draw.choice((found[at] ^ 1 << draw.randrange(8), draw.randrange(256), 0, 255))
        elif kind == 2:
            del found[at : at + draw.choice((1, 2, 8, 100))]
        elif kind == 3:
            found[at:at] = found[max(0, at - draw.choice((1, 4, 64))) : at] * draw.choice((1, 2, 50))
        elif kind == 4:
            other = draw.choice(others)
            begin = draw.randrange(len(other) + 1)
            found[at : at + draw.choice((0, 16))] = other[begin : begin + draw.choice((4, 64, 512))]
        else:
            found[at:at] = draw.choice(DICTIONARY).encode("utf-8", "surrogatepass")
    return bytes(found[:MOST_LENGTH])


def _token(draw: random.Random, text: str, _others: Sequence[str]) -> str:
    at = draw.randint(0, len(text))
    return text[:at] + draw.choice(DICTIONARY) + text[at + draw.choice((0, 0, 1, 5)) :]


def _word(draw: random.Random, text: str, others: Sequence[str]) -> str:
    """A word replaced by one that readers do not like, or by one of another input."""
    words = list(WORD.finditer(text[:20_000]))
    if not words:
        return text + draw.choice(DICTIONARY)
    found = draw.choice(words)
    theirs = WORD.findall(draw.choice(others)[:20_000]) if draw.random() < 0.4 else []
    new = draw.choice(theirs or DICTIONARY)
    return text[: found.start()] + new + text[found.end() :]


def _number(draw: random.Random, text: str, others: Sequence[str]) -> str:
    numbers = list(NUMBER.finditer(text[:20_000]))
    if not numbers:
        return _token(draw, text, others)
    found = draw.choice(numbers)
    new = draw.choice(("0", "-1", "00", "9" * 9, "9" * 20, "9" * 5000, "1e9", "0.5", "--5", "999", "٣", "1_0", "²", ""))
    return text[: found.start()] + new + text[found.end() :]


def _lines(draw: random.Random, text: str, others: Sequence[str]) -> str:
    """Lines taken out, doubled, many times over, moved, indented otherwise, or taken from another input."""
    lines = text.split("\n")
    at = draw.randrange(len(lines))
    kind = draw.randrange(7)
    if kind == 0:
        del lines[at : at + draw.choice((1, 1, 2, 5))]
    elif kind == 1:
        lines[at:at] = lines[at : at + draw.choice((1, 2, 4))]
    elif kind == 2:
        lines[at:at] = [lines[at]] * draw.choice((2, 10, 10, 100, 1000))
    elif kind == 3:
        other = draw.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == 4:
        lines[at] = draw.choice(("", " ", "  ", "    ", "\t", " " * 40)) + lines[at].lstrip()
    elif kind == 5:
        lines[at] = lines[at][: draw.randint(0, len(lines[at]))]
    else:
        lines[at:at] = draw.choice(others).split("\n")[: draw.choice((1, 3, 10))]
    return "\n".join(lines)


def _cut(draw: random.Random, text: str, _others: Sequence[str]) -> str:
    at = draw.randint(0, len(text))
    return draw.choice((text[:at], text[at:], text[:at] + text[at + draw.choice((1, 2, 5, 20, 100)) :]))


def _doubled(draw: random.Random, text: str, _others: Sequence[str]) -> str:
    at = draw.randint(0, len(text))
    piece = text[max(0, at - draw.choice((1, 2, 10, 60))) : at]
    return text[:at] + piece * draw.choice((1, 1, 3, 30, 300)) + text[at:]


def _signs(draw: random.Random, text: str, _others: Sequence[str]) -> str:
    at = draw.randint(0, len(text))
    signs = "".join(
        chr(draw.choice((draw.randrange(128), draw.randrange(0x3000), draw.randrange(0x110000)))) for _ in "ab"
    )
    return text[:at] + signs + text[at + draw.randint(0, 2) :]


CHANGES: tuple[Change, ...] = (_token, _token, _word, _word, _number, _lines, _lines, _cut, _doubled, _signs)


def _warped(draw: random.Random, value: Any, others: Sequence[Any]) -> Any:
    """A value with a few of its parts taken out, renamed, doubled, wrapped, put elsewhere, or replaced."""
    for _ in range(draw.choice((1, 1, 2, 3, 5))):
        way = draw.choice(ways(value))
        new = _value(draw, value, others)
        if not way:
            if draw.random() < 0.1:
                return new
            continue
        holder = value
        for step in way[:-1]:
            holder = holder[step]
        last, kind = way[-1], draw.randrange(9)
        if kind == 0:
            del holder[last]
        elif kind == 1 and isinstance(holder, dict):
            name = draw.choice((draw.choice(DICTIONARY), draw.choice(list(holder)), "x"))
            holder[name] = holder.pop(last)
        elif kind == 2 and isinstance(holder, list):
            copies = draw.choice((1, 2, 50, 500))
            few = (
                len(ways(holder[last])) * copies <= MOST_PARTS
            )  # copies of copies take the run's time and try nothing new
            holder[last:last] = [copy.deepcopy(holder[last]) for _ in range(copies if few else 1)]
        elif kind == 3:
            holder[last] = draw.choice(
                ([holder[last]], {"a": holder[last]}, {str(last): holder[last]}, str(holder[last]))
            )
        elif kind == 4 and isinstance(holder, dict):
            holder[draw.choice(DICTIONARY)] = new
        elif kind == 5 and isinstance(holder[last], str):
            holder[last] = draw.choice(CHANGES)(draw, holder[last], ["x", holder[last]])
        else:
            holder[last] = new
    return value


def _value(draw: random.Random, whole: Any, others: Sequence[Any]) -> Any:
    """A value that a reader may not expect there; now and then one that stands elsewhere, or nested deeply."""
    kind = draw.randrange(10)
    if kind <= 1:
        return draw.choice(NUMBERS)
    if kind <= 4:
        return draw.choice(DICTIONARY)
    if kind == 5:
        return draw.choice((None, True, False, [], {}, [[]], [None], {"": None}, [*TEXTS], [1, 2], "", " "))
    if kind == 6:
        value: Any = draw.choice((1, "x", [], {}))
        for _ in range(draw.choice((5, 30, 150))):
            value = [value] if draw.random() < 0.5 else {"a": value}
        return value
    if kind == 7:
        return [draw.choice(DICTIONARY[:40])] * draw.choice((3, 300, 3000))
    found = draw.choice((whole, draw.choice(others)))
    for step in draw.choice(ways(found)):
        found = found[step]
    return copy.deepcopy(found)
