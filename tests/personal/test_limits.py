"""Hostile rulebooks: the time to read them grows only in proportion to their length, even if elements are unclosed,
repeated or far outside the page.
"""

import pytest

from kb.personal.passages import LONGEST, of_html, of_text, passages
from kb.personal.rulebooks import PageRow, in_reading_order, of_pdf
from kb.personal.store import NotTakenError
from tests.personal.written import pdf

MANY = 200_000
OPEN = ("<!--", "<?", "</", "<![x", "<a <b ", "<a b=\"'", "<a b='", "<script>", "<style></script>", "&amp", "<svg>")


@pytest.mark.parametrize("sign", OPEN)
def test_unclosed_html_is_read_in_one_pass(sign):
    """Python's HTML parser took minutes for such texts, because it searched for the end again at every position."""
    shown = "".join(line.text for line in of_html(f"<p>First</p>{sign * MANY}"))
    assert shown.startswith("First")


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        ("<p title='a > b'>Fish</p>", ["Fish"]),
        ("<p don't>Fish</p><p>it's</p>", ["Fish", "it's"]),
        ("a<!-- <p>x -->b", ["ab"]),
        ("<script>if (a<b) '</p>'</SCRIPT >c", ["c"]),
        ("<nav/>a<svg>x</svg>b", ["a", "b"]),
        ("a < b &lt; c", ["a < b < c"]),
        ('<p x="<h1>">a', ["a"]),
        ("<!doctype html><H2 class=x>Top</H2>rest", ["Top", "rest"]),
        ("<p\nid=1\n>a<br>b", ["a", "b"]),
    ],
)
def test_html_is_read_as_browsers_do(html, shown):
    assert [line.text for line in of_html(html)] == shown


@pytest.mark.parametrize("text", ["A rule goes on\n" * MANY, "ab-\n" * MANY, "word " * MANY, "x" * MANY])
def test_text_without_an_end_becomes_passages_of_the_usual_length(text):
    found = passages(of_text(text))
    assert max(len(each.text) for each in found) <= LONGEST
    letters = sum(len(each.text.replace(" ", "").replace("\n", "")) for each in found)
    assert letters == len(text.replace(" ", "").replace("\n", "").replace("-\n", "")) - (
        text.count("-\n") - 1 if "-\n" in text else 0
    )


def test_text_far_outside_the_page_is_put_at_its_edge():
    far = pdf([[(50 if n % 2 else 3e8, 700 - 20 * n, 10, False, f"Words of the row {n}.") for n in range(30)]])
    assert {line.text for line in of_pdf(far)} >= {f"Words of the row {n}." for n in range(1, 30, 2)}


def test_a_page_with_too_much_text_is_refused():
    full = pdf([[(5, 5 + n % 800, 1, False, "many words " * 20) for n in range(600)]])
    with pytest.raises(NotTakenError, match="100,000 characters"):
        of_pdf(full)


def test_columns_are_found_however_many_rows_there_are():
    rows = [PageRow(x, x + 200, 800 - n / 100, 10, False, f"{x}-{n}") for n in range(20_000) for x in (50, 320)]
    ordered = in_reading_order(rows)
    assert [row.x for row in ordered] == [50] * 20_000 + [320] * 20_000
