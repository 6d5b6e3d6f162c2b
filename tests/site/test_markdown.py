"""The bodies of entries become HTML from the parser's tokens, so that no text of a source becomes markup."""

from html.parser import HTMLParser
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.site.markdown import BodyRenderer, is_safe_target
from kb.site.markup import Icons, summary
from tests.conftest import ROOT
from tests.tables import data, rows_of

ICONS = Icons(ROOT / "site/theme/icons")
RENDERER = BodyRenderer(lambda name: ICONS.html(name) if name in ICONS.names else None)
TAGS = frozenset(
    [
        "p",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "a",
        "em",
        "strong",
        "code",
        "pre",
        "ul",
        "ol",
        "li",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "hr",
        "br",
        "blockquote",
        "div",
        "span",
    ]
)
ATTRIBUTES = {"href", "class", "rel", "id", "start", "style", "role", "aria-label", "title"}


def address(target, anchor, is_card):
    return None if target == "nowhere" else f"{target}.html" + (f"#{anchor}" if anchor else "")


def render(text):
    return RENDERER.render(dedent(text), address)


class Seen(HTMLParser):
    """The tags and attributes of an HTML text, except those inside the drawing of an icon (svg)."""

    def __init__(self, html):
        super().__init__()
        self.tags = []
        self.within = 0
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.within += tag == "svg"
        if not self.within:
            self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        self.within -= tag == "svg"


def assert_harmless(html):
    for tag, attributes in Seen(html).tags:
        assert tag in TAGS, html
        assert set(attributes) <= ATTRIBUTES, html
        assert is_safe_target(attributes.get("href") or "#"), html
        assert attributes.get("style") in {None, "text-align:left", "text-align:right", "text-align:center"}


HOSTILE = data("site-markdown", "HOSTILE")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text):
    html = render(text)
    assert_harmless(html)
    assert "<script" not in html
    assert "javascript:" not in "".join(attributes.get("href") or "" for _tag, attributes in Seen(html).tags)


PIECES = st.sampled_from(
    [
        *HOSTILE,
        "[[",
        "]]",
        "|",
        "`",
        "```",
        "~~~",
        "\n",
        "\n\n",
        "    ",
        "!!! ",
        "#",
        "{#x}",
        "[",
        "](",
        "<",
        ">",
        "*",
        "- ",
    ]
)


@given(st.lists(PIECES | st.text(max_size=8), max_size=12).map("".join))
def test_any_combination_of_markup_is_harmless(text):
    assert_harmless(render(text))


def test_links_icons_anchors_tables_and_notes():
    assert render("See [[fork#how|the *fork*]].") == '<p>See <a href="fork.html#how">the <em>fork</em></a>.</p>\n'
    assert render("[[card:arkham/cards/01001|Roland]]") == (
        '<p><a href="arkham/cards/01001.html" class="kb-card">Roland</a></p>\n'
    )
    assert render("[[nowhere|Words]]") == "<p><em>Words</em></p>\n"
    assert 'class="kb-icon kb-icon-fast"' in render("[fast] Do it.")
    assert render("[unknown] [fast](x.html)") == '<p>[unknown] <a href="x.html">fast</a></p>\n'
    assert '<h2 id="here">Title</h2>' in render("## Title {#here}")
    assert '<h2 id="placing-it">Placing it</h2>\n<h2 id="placing-it-1">' in render("## Placing it\n\n## Placing it")
    table = render("| a | b |\n| - | - |\n| [[fork|x]] | [[fork\\|y]] |\n")
    assert table.count("<td>") == 2
    assert table.count('<a href="fork.html">') == 2
    note = render('!!! note "Clarified"\n\n    Two [[fork|x]].\n\n    - a\n')
    assert '<div class="admonition note">' in note
    assert '<p class="admonition-title">Clarified</p>' in note
    assert "<li>a</li>" in note
    assert render("`[[fork|x]]`") == "<p><code>[[fork|x]]</code></p>\n"
    assert render("```mermaid\na --> b\n```").startswith('<pre class="kb-diagram"')


def test_an_empty_table_heading_becomes_a_plain_cell():
    html = render("|  | ready |\n| --- | --- |\n| Ana | yes |\n")
    assert "<td></td>" in html
    assert "<th>ready</th>" in html
    assert "<th></th>" not in html


@rows_of("site-markdown", "test_a_summary_tells_what_a_colon_announces")
def test_a_summary_tells_what_a_colon_announces(body, said):
    assert summary(body) == said
    assert len(said) <= 222
