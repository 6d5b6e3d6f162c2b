"""Reads `content/<game>/changes.yaml`: what changed in our entries, newest first, with links to them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from kb.sources.entries import ChangeFields
from kb.sources.frontmatter import read_text, read_yaml
from kb.sources.places import Place
from kb.sources.problems import Problems
from kb.sources.validation import validate

NAME = "changes.yaml"


def read_changes(folder: Path, entries: Collection[str], problems: Problems) -> list[ChangeFields]:
    """The changes of a game, the entries by their whole ids; what is wrong goes to `problems`."""
    path = folder / NAME
    if not path.is_file():
        return []
    text = read_text(path, problems) or "[]"
    listed = read_yaml(path, text, 1, problems)
    if not isinstance(listed, list):
        problems.add(path, 1, "changes are a list of rows with `date`, `text` and `entries`")
        return []
    found: list[ChangeFields] = []
    for number, row in enumerate(listed):
        place = Place(text).below(number)
        change = validate(ChangeFields, row, path, place.line, problems)
        if change is None:
            continue
        if found and change.date > found[-1].date:
            problems.add(
                path, place.line("date"), f"{change.date} stands below {found[-1].date}: the newest is the first"
            )
        ids = [f"{folder.name}/{entry}" for entry in change.entries]
        for entry in ids:
            if entry not in entries:
                problems.add(path, place.line("entries"), f"there is no entry {entry!r}")
        found.append(replace(change, entries=ids))
    return found
