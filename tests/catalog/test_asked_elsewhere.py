"""A question in the words of a heading that another entry covers is told, unless the entry covers it too or leads there."""

from typing import cast

import pytest

from kb.catalog.advice import asked_elsewhere
from kb.sources.entries import CitationFields, EntryFields, Kind, LoadedEntry, LoadedLink, OutlineHeading
from kb.sources.references import Content

TITLES = {"b.castling": "Castling", "b.pawn-promotion": "Pawn Promotion", "b.clocks": "Clocks"}


def entry(
    name,
    covers,
    asked="",
    see=(),
    kind="rule",
    title="A title",
):
    fields = EntryFields(title, cast("Kind", kind), CitationFields("book"), covers=list(covers))
    answers = [(asked, None)] if asked else []
    return LoadedEntry(id=f"chess/{name}", game="chess", fields=fields, body="Text.", citation="Book", path=f"content/chess/{name}.md", line=1,
        links=[LoadedLink(target=f"chess/{target}", is_see=True) for target in see], answers=answers)  # fmt: skip


def told(*entries):
    headings = {
        id_: ("chess", OutlineHeading(id=id_, doc="book", title=title, kind="rule", section="", page=None, position=at))
        for at, (id_, title) in enumerate(TITLES.items())
    }
    return [str(problem) for problem in asked_elsewhere(Content(entries=list(entries), headings=headings))]


PROMOTION = entry("promotion", ("b.pawn-promotion",))


def test_a_question_in_the_words_of_another_heading_is_told():
    (problem,) = told(PROMOTION, entry("clocks", ("b.clocks",), "how does pawn promotion go"))
    assert problem.startswith(
        "content/chess/clocks.md:1: is asked 'how does pawn promotion go', in the words of the heading 'Pawn Promotion'"
    )
    assert "which chess/promotion covers" in problem
    assert "list b.pawn-promotion in covers" in problem


@pytest.mark.parametrize(
    "other",
    [
        entry("clocks", ("b.clocks", "b.pawn-promotion"), "how does pawn promotion go"),
        entry("clocks", ("b.clocks",), "how does pawn promotion go", see=("promotion",)),
        entry("clocks", ("b.clocks",), "how does pawn promotion go", title="Promotion of a pawn"),
        entry("clocks", ("b.clocks",), "does my clock stop during a long pawn promotion in the last minute"),
        entry("clocks", ("b.clocks",), "promotion of the pawn"),
        entry("clocks", ("b.clocks",), "how does pawn promotion go", kind="example"),
        entry("castles", ("b.clocks",), "castling"),
    ],
)  # fmt: skip
def test_what_covers_it_leads_there_or_asks_for_more_is_not_told(other):
    assert told(PROMOTION, other) == []
