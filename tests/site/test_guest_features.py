"""The plugin in a site that sets no options: theme features, and navigation that pages share."""

import pytest
from mkdocs.config.base import load_config
from mkdocs.structure.files import File
from mkdocs.structure.nav import Section

from kb.site.material.navigation import folders_of
from kb.site.material.pages import KbPage
from kb.site.material.plugin import fit_features
from kb.site.pages import Page, WrittenPage


@pytest.mark.parametrize(
    ("features", "fitted"),
    [
        ("[]", ["navigation.prune"]),
        ("[navigation.tabs, navigation.instant, navigation.instant.prefetch]", ["navigation.tabs", "navigation.prune"]),
        ("[navigation.prune, toc.follow]", ["navigation.prune", "toc.follow"]),
    ],
)
def test_pruning_is_set_and_instant_loading_is_left_out(tmp_path, features, fitted):
    (tmp_path / "docs").mkdir()
    path = tmp_path / "mkdocs.yml"
    path.write_text(f"site_name: T\ntheme: {{name: material, features: {features}}}\nplugins: []\n", "utf-8")
    config = load_config(str(path))
    fit_features(config)
    assert config.theme["features"] == fitted


@pytest.mark.parametrize("directories", [True, False])
def test_unlisted_pages_of_a_folder_share_their_navigation(tmp_path, directories):
    """Otherwise MkDocs would draw and keep the navigation of thousands of card pages separately. Also tested with
    directory URLs.
    """
    (tmp_path / "docs").mkdir()
    path = tmp_path / "mkdocs.yml"
    path.write_text(f"site_name: T\ntheme: material\nplugins: []\nuse_directory_urls: {directories}\n", "utf-8")
    config, section = load_config(str(path)), Section("Cards", [])

    def key(name, listed=()):
        file = File(f"{name}.md", None, config.site_dir, config.use_directory_urls)
        page = KbPage(WrittenPage(Page(name, name, "card.md.j2"), name, "", "", ()), file, config, {}, {})
        page.below(section, folders_of(listed))
        return page.alike

    assert key("chess/cards/rook") == key("chess/cards/queen")
    assert key("chess/cards/rook") != key("chess/rook"), "pages in other folders need other links"
    if directories:  # the links from a page to pages below it differ from those of its neighbours
        assert key("chess/cards/rook", ["chess/cards/rook/moves/"]) != key("chess/cards/queen")
