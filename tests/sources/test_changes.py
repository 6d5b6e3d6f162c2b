"""A game's `changes.yaml` lists changes of its entries. kb checks the file when it reads it, and shows the list on a
page of the site.
"""

import pytest


def test_changes_reach_the_catalog_newest_first(sources):
    from kb.catalog.store import open_catalog

    sources.write(
        "content/chess/changes.yaml",
        """
        - {date: "2026-02-03", text: Forks are told better., entries: [fork, castling]}
        - {date: "2026-01-01", text: Castling is new., entries: [castling]}
        """,
    )
    with open_catalog() as catalog:
        assert catalog.own_changes() == [
            ("chess", "2026-02-03", "Forks are told better.", ["chess/fork", "chess/castling"]),
            ("chess", "2026-01-01", "Castling is new.", ["chess/castling"]),
        ]
        assert catalog.entry("chess/changes") is None


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('- {date: "2026-02-03", text: A., entries: [rook]}\n', 1, "there is no entry 'chess/rook'"),
        ('- date: "2026-02-30x"\n  text: A.\n  entries: [fork]\n', 1, "date"),
        ('- date: "2026-02-03"\n  text: A.\n', 1, "entries"),
        (
            '- {date: "2026-01-01", text: A., entries: [fork]}\n- {date: "2026-02-03", text: B., entries: [fork]}\n',
            2,
            "put the newest first",
        ),
        ('- {date: "2026-01-01", text: A., entries: [fork], who: me}\n', 1, "who"),
        ("date: today\n", 1, "this file must contain a list of rows"),
    ],
)
def test_what_is_wrong_with_changes_is_named(sources, kb, text, line, said):
    sources.write("content/chess/changes.yaml", text)
    found = kb("doctor")
    assert found.code == 1
    told = next(each for each in (found.out + found.err).splitlines() if "changes.yaml" in each)
    assert f"content/chess/changes.yaml:{line}: " in told
    assert said in told


def test_the_page_names_days_and_links_entries(sources):
    from kb.catalog.store import open_catalog
    from kb.site.changes import places, write_changes
    from kb.site.folder import site_folder
    from kb.site.library import Library
    from kb.site.pages import Writer

    sources.write(
        "content/chess/changes.yaml", '- {date: "2026-02-03", text: "<b>Forks</b> are told.", entries: [fork]}\n'
    )
    with open_catalog() as catalog:
        library = Library(catalog)
    write_changes(writer := Writer(library, site_folder(), {}), "chess")
    page = writer.written["chess/news/index"].html
    assert "<dt>2026-02-03</dt>" in page
    assert "&lt;b&gt;Forks" in page
    assert '<a href="../fork.html">Fork</a>' in page
    assert places(library, "chess") == [("chess/news/index", "Site corrections", "last on 2026-02-03")]
    assert places(library, "draughts") == []
