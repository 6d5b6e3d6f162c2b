"""Read JSON arrays of records one record at a time, each with the line that it begins on."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kb.errors import KbError
from kb.files.text import LARGEST_CARDS, read_bounded
from kb.sources.problems import Problems


class ArrayError(KbError, ValueError):
    """A text is not a valid JSON array. `what` says why (a sentence without its final full stop), and `line` says
    where.
    """

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")
        self.line, self.what = line, what


class _DuplicateKeyError(ValueError):
    pass


def records_in(path: Path, problems: Problems) -> Iterator[tuple[int, Any]]:
    """Yield the records of the JSON file `path`, each with its line.

    If the file, or the part after some record, cannot be read, the reason is added to `problems`.
    """
    try:
        yield from elements(read_bounded(path, LARGEST_CARDS).decode("utf-8"))
    except OSError as error:
        problems.add(path, 0, f"cannot be read: {error.strerror}")
    except UnicodeDecodeError as error:
        problems.add(path, 0, f"is not UTF-8 (byte {error.start})")
    except ArrayError as error:
        problems.add_cut_off(path, error.line, error.what)


def elements(text: str) -> Iterator[tuple[int, Any]]:
    """Yield the elements of a JSON array, each with its first line.

    Raises ArrayError at the first syntax error or duplicate key, after yielding all elements before the error.
    """
    decoder = json.JSONDecoder(object_pairs_hook=_no_duplicate_keys)
    place = _skip_blanks(text, 0)
    if text[place : place + 1] != "[":
        raise ArrayError(1, "must be a JSON array of records")
    place = _skip_blanks(text, place + 1)
    line, counted = 1, 0
    while text[place : place + 1] != "]":
        line, counted = line + text.count("\n", counted, place), place
        try:
            value, place = decoder.raw_decode(text, place)
        except json.JSONDecodeError as error:
            raise ArrayError(error.lineno, f"is not JSON: {error.msg}") from error
        except _DuplicateKeyError as error:
            raise ArrayError(line, str(error)) from error
        except (RecursionError, ValueError) as error:
            raise ArrayError(line, "is nested too deeply, or contains a number that is too long") from error
        yield line, value
        place = _skip_blanks(text, place)
        if text[place : place + 1] == ",":
            place = _skip_blanks(text, place + 1)
        elif text[place : place + 1] != "]":
            at = text.count("\n", 0, place) + 1
            raise ArrayError(at, "is not JSON: a comma or ] is missing after a record")
    if text[place + 1 :].strip():
        raise ArrayError(text.count("\n", 0, place) + 1, "has text after the end of the array")


def _no_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        twice = next(key for key, number in Counter(key for key, _ in pairs).items() if number > 1)
        raise _DuplicateKeyError(f"a record has the key `{twice}` twice")
    return record


def _skip_blanks(text: str, place: int) -> int:
    while text[place : place + 1].isspace():
        place += 1
    return place
