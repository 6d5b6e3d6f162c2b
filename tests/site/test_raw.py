"""A page that kb wrote goes through MkDocs as it is; a page of somebody else's is Markdown."""

from __future__ import annotations

from markdown import Markdown

from kb.site.raw import RAW


def rendered(text: str) -> str:
    return str(Markdown(extensions=["toc", "tables", "fenced_code", "kb.site.raw"]).convert(text))


def test_nothing_within_a_page_of_kb_is_markdown() -> None:
    page = f"{RAW}\n<p>*a* `b` <b>c</p>\n\n    # no heading, &amp; no code\n\n~~~\n[x]: y\n<script>1</div>\n</div>"
    assert rendered(f"\n{page}\n") == page


def test_other_pages_stay_markdown() -> None:
    assert rendered("*a*\n\n<div>b</div>") == "<p><em>a</em></p>\n<div>b</div>"
