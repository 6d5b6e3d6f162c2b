"""Rulebook files become passages with headings, pages and columns. A file that kb cannot read gives an error
message.
"""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.personal.passages import LONGEST, NotTakenError, of_html, of_markdown, of_text, passages
from kb.personal.rulebooks import import_rulebook, of_pdf
from tests.personal.written import pdf

WORDS = "the guardian of the lake drains water and moves"


def read(found):
    return [(passage.page, passage.title, passage.text) for passage in found]


def two_columns(number):
    """Return the texts of a PDF page, as for `written.pdf`: a title over both columns, a heading in each column, a
    running title and the page number.
    """
    page = [
        (40, 800, 20, True, f"Chapter {number}"),
        (40, 820, 8, False, "Game of Lakes"),
        (300, 20, 8, False, str(number)),
    ]
    for column, x in enumerate((40.0, 310.0)):
        page.append((x, 770, 14, True, f"Lake {number}{'AB'[column]}"))
        page += [(x, 750 - 12 * row, 10, False, f"{WORDS} {number}{'AB'[column]}{row}") for row in range(20)]
    # Texts in a PDF may come in any order.
    random.Random(number).shuffle(page)
    return page


def test_pdf_columns_headings_and_pages():
    found = read(passages(of_pdf(pdf([two_columns(number) for number in (1, 2, 3, 4)]))))
    assert [(page, title) for page, title, _ in found] == [
        (number, f"Lake {number}{column}") for number in (1, 2, 3, 4) for column in "AB"
    ]
    for page, title, text in found:
        assert text == " ".join(f"{WORDS} {title[5:]}{row}" for row in range(20)), page


def test_pdf_rows_with_a_wide_gap_are_split():
    """Rows of the two columns are at the same height and directly follow each other in the file, so PDFium reads them
    as one row.
    """
    page = []
    for row in range(20):
        page += [
            (40, 700 - 12 * row, 10, False, f"left {row} goes on"),
            (320, 700 - 12 * row, 10, False, f"right {row} goes on"),
        ]
    (only,) = passages(of_pdf(pdf([page])))
    assert only.title == "Page 1"
    assert only.text.index("left 19") < only.text.index("right 0")


def test_scanned_locked_or_damaged_pdfs_give_an_error_message():
    with pytest.raises(NotTakenError, match="a scan"):
        of_pdf(pdf([[(40, 20, 8, False, "1")], [(40, 20, 8, False, "2")]]))
    with pytest.raises(NotTakenError, match="password"):
        of_pdf(pdf([two_columns(1)], locked=True))
    whole = pdf([two_columns(1)])
    for spoiled in (b"", b"%PDF-1.4", whole[:200], b"\0" * 5_000, b"<html>"):
        with pytest.raises(NotTakenError, match="This cannot be read as a PDF"):
            of_pdf(spoiled)


@given(st.integers(0, 10_000), st.binary(min_size=1, max_size=6))
def test_spoiled_pdf_is_read_or_refused(at, other):
    data = bytearray(pdf([two_columns(1)]))
    data[at % len(data) : at % len(data) + len(other)] = other
    try:
        passages(of_pdf(bytes(data)))
    except NotTakenError:
        return


def test_markdown():
    text = (
        "Before.\n\n# Lakes\n\n## Draining\n\nOne **may** [drain](http://x) `it`.\n\n- first\n- second\n\n"
        "## Empty\n\n# Rivers\n\n<b>No</b> fish.\n"
    )
    assert read(passages(of_markdown(text))) == [
        (None, "Beginning", "Before."),
        (None, "Draining", "One may drain it.\n\nfirst\n\nsecond"),
        (None, "Rivers", "<b>No</b> fish."),
    ]


def test_html():
    text = "<title>x</title><script>alert(1)</script><h1>Lakes</h1><p>Drain &amp; <b>be</b> glad.<p>Twice.<h2>Fish</h2><ul><li>One<li>Two</ul>"
    assert read(passages(of_html(text))) == [
        (None, "Lakes", "Drain & be glad.\n\nTwice."),
        (None, "Fish", "One\n\nTwo"),
    ]


def test_plain_text_with_pages():
    text = "LAKES\n\nDrain it, and be\nglad of it.\n\nWho drains first\n\nThe youngest.\n\fOn the next page.\n\nRivers\n======\n\nNo fish."
    assert read(passages(of_text(text))) == [
        (1, "LAKES", "Drain it, and be glad of it."),
        (1, "Who drains first", "The youngest.\n\nOn the next page."),
        (2, "Rivers", "No fish."),
    ]


@pytest.mark.parametrize(
    "section", ["<![x]>", "<![ x[y]>", "<![]>", "<![if !supportLists]>", "<![CDATA[a]]>", "<![x[", "<![%>"]
)
def test_html_with_sections_of_other_programs(section):
    assert next(line.text for line in of_html(f"<p>One</p>{section}<p>Two</p>")) == "One"
    assert "".join(line.text for line in of_html(f"{section}>Two")).endswith("Two")


def test_a_long_section_is_cut_between_sentences():
    text = "# Lakes\n\n" + "The water of a lake goes down by one. " * 300
    found = passages(of_markdown(text))
    assert [passage.title for passage in found] == [
        "Lakes",
        *(f"Lakes ({number})" for number in range(2, len(found) + 1)),
    ]
    assert all(len(passage.text) <= LONGEST and passage.text.endswith(".") for passage in found)
    assert sum(passage.text.count("goes down") for passage in found) == 300


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.docx", b"PK", "reads rulebooks in"),
        ("a.txt", b"\0\0", "not a text file"),
        ("a.md", b"", "contains no text"),
        ("a.html", b"<script>alert(1)</script>", "contains no text"),
        ("a.pdf", b"no PDF", "cannot be read as a PDF"),
    ],
)
def test_other_files_give_an_error_message_and_leave_nothing(tmp_path, name, data, said):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(NotTakenError, match=said) as refused:
        import_rulebook(tmp_path / name, tmp_path / "data", "chess", "Lakes")
    assert str(refused.value).count(str(tmp_path / name)) == 1
    assert not (tmp_path / "data").exists()


def test_invalid_rulebook_names_are_refused(tmp_path):
    (tmp_path / "a.md").write_text("# A\n\nText.")
    for name in ("../x", "a/b", "con", ""):
        with pytest.raises(NotTakenError, match="is not a valid name for a rulebook"):
            import_rulebook(tmp_path / "a.md", tmp_path / "data", "chess", "Lakes", name)


def test_pdf_of_too_many_pages_is_refused():
    with pytest.raises(NotTakenError, match="1,501 pages"):
        of_pdf(pdf([[]] * 1_501))
