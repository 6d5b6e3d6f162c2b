"""Reads `earlier.yaml` of an edition: what it does with the rulings, answers and rules of the earlier ones."""

from __future__ import annotations

from pathlib import Path

from kb import registry
from kb.sources.entries import EarlierFields
from kb.sources.frontmatter import read_text, read_yaml
from kb.sources.places import Place
from kb.sources.problems import Problems
from kb.sources.references import Content
from kb.sources.validation import validate

NAME = "earlier.yaml"


def read_earlier(top: Path, game: str, content: Content, problems: Problems) -> None:
    """Read the file of each edition of a game below `top` (`content/`) into `content.earlier`, by the place of the edition."""
    told = registry.about(game)
    for edition in told.editions if told else ():
        path = top / edition.within / NAME
        if not path.is_file():
            continue
        text = read_text(path, problems) or "[]"
        listed = read_yaml(path, text, 1, problems)
        if not isinstance(listed, list):
            problems.add(path, 1, "this is a list of rows with `heading`, `stands`, `by` and `says`")
            continue
        rows = content.earlier.setdefault(edition.within, [])
        for number, given in enumerate(listed):
            place = Place(text).below(number)
            row = validate(EarlierFields, given, path, place.line, problems)
            if row is None:
                continue
            for heading in (row.heading, *row.by):
                if heading not in content.headings or content.headings[heading][0] != game:
                    problems.add(path, place.line(), f"{heading!r} is not a heading of any outline of {game}")
            if row.stands != "dropped" and not (row.by or (row.says and row.stands == "changed")):
                problems.add(path, place.line(), f"{row.heading} is {row.stands}: `by` names the headings that say so")
            rows.append(row)
