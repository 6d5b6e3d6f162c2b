"""What an entry cites or names without a link is told: shared cards, numbered rulings, answers of a FAQ."""

from typing import cast

import pytest

from kb.catalog.advice import unlinked
from kb.markup import LINK
from kb.sources.entries import CitationFields, EntryFields, Kind, LoadedEntry, LoadedLink
from kb.sources.references import Content

CARDS = {"chess/cards/red-queen": "Red Queen", "chess/cards/red-queen-2": "Red Queen", "chess/cards/pawn": "Pawn"}


def entry(id_, body, kind="rule", cards=(), doc="book"):
    fields = EntryFields("A title", cast("Kind", kind), CitationFields(doc), cards=list(cards))
    links = [
        LoadedLink(target=found[1].removeprefix("card:"), is_card=found[1].startswith("card:"))
        for found in LINK.finditer(body)
    ]
    path = f"content/{id_}.md"
    return LoadedEntry(
        id=id_, game="chess", fields=fields, body=body, citation="Book", path=path, line=1, links=links
    )  # fmt: skip


def told(*entries):
    content = Content(entries=list(entries))
    return [str(problem) for problem in unlinked(content, CARDS)]


TAKEN = entry("chess/rulings/1-2", "The queen may be taken.", "ruling", ("chess/cards/red-queen",))


@pytest.mark.parametrize(
    ("body", "cards"),
    [
        ("So does [[card:chess/cards/red-queen|her majesty]], the Red Queen.", ()),
        ("So does the Red Queen.", ("chess/cards/red-queen-2",)),
        ("So does the Red Queen, see [[chess/rulings/1-2|1.2]].", ()),
        ("In The Red Queen, a scenario.", ()),
        ("The Red Queens of old.", ()),
    ],
)
def test_a_card_that_is_linked_or_another_thing_is_not_told(body, cards):
    assert told(TAKEN, entry("chess/faq/queen", body, "faq", cards)) == []


def test_a_shared_card_without_a_link_is_told():
    found = told(TAKEN, entry("chess/faq/queen", "So does the Red Queen.", "faq"))
    assert found == [
        "content/chess/faq/queen.md:1: chess/faq/queen names Red Queen, as chess/rulings/1-2 does; "
        "link the card, or list it in cards:"
    ]
    assert told(TAKEN, entry("chess/queen", "So does the Red Queen.")) == []  # a rule that names a card as its example


@pytest.mark.parametrize(
    "body", ["As ruling 1.2 says.", "She may be taken (1.2).", "Ruling 1.2: taken. See rulings 1.2."]
)
def test_a_cited_number_is_a_link(body):
    found = told(TAKEN, entry("chess/queen", body.replace("Ruling", "ruling")))
    assert found == ["content/chess/queen.md:1: chess/queen cites 1.2 without a link to chess/rulings/1-2"]
    assert told(TAKEN, entry("chess/queen", body + " [[chess/rulings/1-2]]")) == []


@pytest.mark.parametrize(
    "body", ["Step 1.2 follows.", "FAQ 1.2 is new.", "The price is (1.25).", "Ruling 3.4 is another's."]
)
def test_other_numbers_are_no_citations(body):
    assert told(TAKEN, entry("chess/queen", body)) == []


@pytest.mark.parametrize(
    "body", ["She may move (FAQ).", "The FAQ adds that she may.", "She may (FAQ, questions and answers)."]
)
def test_a_cited_answer_of_a_faq_is_a_link(body):
    answer = entry("chess/faq/queen", "She may.", "faq")
    assert "cites FAQ without a link to the answer" in told(answer, entry("chess/queen", f"A rule.\n\n{body}"))[0]
    linked = f"A rule.\n\n{body} [[chess/faq/queen|There]]."
    assert told(answer, entry("chess/queen", linked)) == []
    assert told(answer, entry("chess/queen", f"{linked}\n\n{body}"))  # the link stands in another paragraph
    assert told(answer, entry("chess/queen", "As of FAQ 2.5 she may. The FAQ of version 2.5 is the newest.")) == []
