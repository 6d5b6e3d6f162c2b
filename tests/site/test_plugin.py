"""kb as a plugin of MkDocs in a club's site, with the club's own pages, settings and addresses."""

import re
import subprocess
import sys
from urllib.parse import parse_qs, urlsplit

import pytest

from kb.site.build import SiteError, build_site, serve_site
from tests.conftest import ROOT

FORMS = ROOT / ".github" / "ISSUE_TEMPLATE"
FORM = re.compile(r"(?m)^ +id: (\w+)$")
MANUAL = ROOT / "site" / "using" / "own-site.md"
HOUSE = "# House rules\n\nWe never take back a zorblax. See [castling](chess/castling.md).\n"


def club(folder, told=""):
    """Write a club's site with the short mkdocs.yml of the manual, and return the path of that file. `told` replaces
    its option `games`.
    """
    config = re.search(r"```yaml mkdocs.yml\n(.*?)```", MANUAL.read_text("utf-8"), re.S)
    assert len(config[1].strip().splitlines()) <= 14
    (folder / "docs").mkdir(parents=True)
    (folder / "docs/index.md").write_text("# Our table\n\nThursdays.\n")
    (folder / "docs/house.md").write_text(HOUSE)
    text = config[1].replace("games: [arkham, luxor]", told or "games: [chess]").replace("kb:arkham", "kb:chess")
    (folder / "mkdocs.yml").write_text("\n".join(line for line in text.splitlines() if "kb:luxor" not in line))
    return folder / "mkdocs.yml"


def test_plain_mkdocs_builds_a_clubs_site(sources, tmp_path):
    sources.entry("chess/old-one", "Old one", "It moved.", formerly="[chess/older]")
    config = club(tmp_path / "club")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-f", str(config)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    site = config.parent / "site"
    assert "Thursdays." in (site / "index.html").read_text(), "the club's own page stays"
    page = (site / "chess/castling/index.html").read_text()
    assert 'href="../fork/"' in page
    assert "The Thursday table" in page
    assert 'data-md-color-scheme="slate"' in page, "the page has the club's colours"
    assert "fonts.googleapis" not in page
    assert '<a href="../castling/"' in (site / "chess/fork/index.html").read_text() or "../../house/" in page
    assert 'url=../old-one/"' in (site / "chess/older/index.html").read_text()
    assert (site / "robots.txt").read_text().endswith("Sitemap: https://table.example/sitemap.xml\n")
    assert 'template="https://table.example/?q={searchTerms}"' in (site / "opensearch.xml").read_text()
    assert 'href="../../opensearch.xml"' in page
    assert "Report an error" not in page, "without an address for reports, there is no link"
    assert "zorblax" in (site / "search/search_index.json").read_text(), (
        "Material's search index contains the club's own pages"
    )
    assert "Castling" not in (site / "search/search_index.json").read_text().replace("castling", "")


@pytest.mark.extended
def test_what_is_wrong_is_a_sentence(sources, tmp_path):
    for name, told, said in (
        ("one", "games: [go]", "there is no game go. Choose from chess"),
        ("two", "colour: pink", "'pink' is not a colour"),
    ):
        with pytest.raises(SiteError, match=re.escape(said)):
            build_site(tmp_path / name / "out", club(tmp_path / name, told))
        assert not (tmp_path / name / "out").exists()


def test_another_theme_or_a_missing_plugin_gives_a_message(sources, tmp_path):
    config = club(tmp_path / "club")
    config.write_text(config.read_text().replace("name: material", "name: mkdocs"))
    with pytest.raises(SiteError, match="need the Material theme"):
        build_site(tmp_path / "out", config)
    config.write_text("site_name: x\ntheme: material\n")
    with pytest.raises(SiteError, match="has no `plugins:"):
        build_site(tmp_path / "out", config)


@pytest.mark.extended
def test_an_error_is_reported_with_what_the_page_knows(sources, tmp_path, tab):
    config = club(tmp_path / "club", "games: [chess], report: https://forge.example/new")
    config.write_text(config.read_text().replace("site_url: https://table.example/", "use_directory_urls: false"))
    build_site(tmp_path / "out", config)
    assert (tmp_path / "out/robots.txt").is_file()
    assert not (tmp_path / "out/opensearch.xml").exists()
    page = tab(f"file://{tmp_path / 'out'}").open("chess/castling.html")
    link = page.get_by_role("link", name="Report an error on this page")
    told = parse_qs(urlsplit(link.get_attribute("href")).query)
    assert (told["template"], told["entry"]) == (["wrong-rule.yml"], ["chess/castling"])
    assert told["citation"][0].startswith("Book of Chess")
    assert told.keys() <= {"template", "title", *FORM.findall((FORMS / "wrong-rule.yml").read_text())}


@pytest.mark.extended
def test_own_and_our_pages_are_found_together(sources, tmp_path, tab):
    config = club(tmp_path / "club")
    config.write_text(config.read_text() + "\nuse_directory_urls: false\n")
    build_site(tmp_path / "out", config)
    opened = tab(f"file://{tmp_path / 'out'}")
    page = opened.open("index.html")
    for typed, found in (("zorblax", "House rules"), ("hide the king", "Castling")):
        page.click("[data-md-component=search-query]")
        page.fill("[data-md-component=search-query]", typed)
        page.keyboard.press("End")
        page.wait_for_selector(f".md-search-result__item:has-text('{found}')")
    assert opened.strangers == []


BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 9)
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x: [" + "y, " * 60_000 + "]", "more than 50,000 values"),
        (BOMB, "mkdocs.yml:5: there are more than 50,000 values"),
        ("x: " + "[" * 500 + "]" * 500, "nested deeper than 60 levels"),
        ("x: &x [*x]", "*x refers to nothing"),
        ("INHERIT: mkdocs.yml", "or from itself"),
        ("INHERIT: /dev/zero", "/dev/zero cannot be read: this is not a file"),
        ("#" * 1_000_001, "larger than 1 MB"),
        ("x: !!int y", "not an MkDocs configuration"),
        ("- x", "Expected a key-value mapping"),
        (
            "site_name: x\ntheme: material\nplugins: [{kb: {colur: red}}]",
            "kb has no such option. kb's options are games,",
        ),
        (
            "site_name: x\ntheme: material\nplugins: [{kb: {edit: 'javascript://x/%0aalert(1)'}}]",
            "must begin with https://",
        ),
        ("site_name: x\ntheme: material\nplugins: [{kb: {export: [yes]}}]", "Expected type"),
    ],
    ids=lambda value: value[:20],
)
@pytest.mark.parametrize("begin", ["build", "serve"])
def test_a_hostile_configuration_gives_an_error_message(begin, text, said, tmp_path):
    (tmp_path / "docs").mkdir()
    config = tmp_path / "mkdocs.yml"
    config.write_text(text)
    with pytest.raises(SiteError, match=re.escape(said)):
        build_site(tmp_path / "out", config) if begin == "build" else serve_site(1, config)
    assert not (tmp_path / "out").exists()
