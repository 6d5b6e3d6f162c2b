"""Paths in sources cannot lead out of their folder."""

import pytest

from kb.sources.content import load_sources
from kb.sources.problems import SourceError


def problems(sources):
    with pytest.raises(SourceError) as caught:
        load_sources(sources.root)
    return "\n".join(map(str, caught.value.problems))


@pytest.mark.parametrize("outline", ["../../secret.tsv", "/etc/passwd", "a/../../../secret.tsv", "link.tsv"])
def test_an_outline_outside_the_folder_of_its_game_is_not_read(outline, sources, tmp_path):
    (tmp_path / "secret.tsv").write_text("id\ttitle\tkind\tsection\tpage\nch.secret\tSecret\trule\tx\t1\n")
    (sources.root / "content/chess/link.tsv").symlink_to(tmp_path / "secret.tsv")
    sources.write("content/chess/sources.yaml", f"- {{id: book, title: Book, outline: {outline}}}\n")
    said = problems(sources)
    assert "content/chess/sources.yaml:1: the outline of book" in said
    assert "secret" not in said.replace(outline, "").casefold()


@pytest.mark.parametrize("old", ["../../x", "/x/y", "chess/../../x", "chess/a b", "chess"])
def test_invalid_former_ids_are_reported(old, sources):
    sources.entry("chess/fork", "Fork", "Two at once. See [[castling]].", formerly=f'["{old}"]')
    assert "content/chess/fork.md:5: " in problems(sources)


@pytest.mark.parametrize("name", ["con.md", "a b.md", "what?.md", "-x.yaml", "x#y.md"])
def test_file_names_that_make_no_valid_id_are_reported(name, sources):
    sources.write(f"content/chess/{name}", "---\ntitle: X\nkind: rule\nsource: {doc: book}\n---\nText.\n")
    assert f"content/chess/{name}: the path makes the entry's id" in problems(sources)


def test_the_site_writes_no_page_outside_its_folder(sources, tmp_path):
    from kb.catalog.store import open_catalog
    from kb.site.folder import site_folder
    from kb.site.library import Library
    from kb.site.pages import SiteError, Writer

    with open_catalog() as catalog:
        writer = Writer(Library(catalog), site_folder(), {})
    with pytest.raises(SiteError, match="cannot be written"):
        writer.redirect("../../outside", "chess/fork.html")
