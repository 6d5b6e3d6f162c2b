"""Building the site: the files written, the escaping of texts, and the old site, which stays if the build fails."""

import re

import pytest

from kb.site.build import SiteError, build_site


def build(out):
    build_site(out)
    return out


def test_the_page_of_an_entry_contains_everything_related(sources, tmp_path):
    sources.entry(
        "chess/rulings/tower",
        "May the tower castle",
        "No, the king castles.",
        kind="ruling",
        about="[ch.castling]",
        authority="community-consensus",
    )
    page = (build(tmp_path / "out") / "chess/castling.html").read_text()
    assert ">Castling</h1>" in page
    assert "Book of Chess" in page
    assert "may the king swap with the tower" in page
    assert 'href="fork.html"' in page
    assert 'href="rulings/tower.html"' in page
    assert "not official" in page
    assert '<meta name="description" content="Move the king two squares' in page


def test_source_texts_never_become_markup(sources, tmp_path):
    sources.entry(
        "chess/trick",
        "'<b>Trick</b> & \"more\"'",
        'A <script>alert(1)</script> and [click](javascript:alert(2)) and text {: onclick="alert(3)" } and {{ config }}.',
        asked="['<img src=x onerror=alert(4)>']",
        aliases="['{{ 7 * 191 }}']",
    )
    out = build(tmp_path / "out")
    page = (out / "chess/trick.html").read_text()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert 'href="javascript' not in page
    assert not re.search(r"<\w[^>\"]*(?:\"[^\"]*\"[^>\"]*)*\sonclick", page), "the text must not become an attribute"
    assert "<img src=x" not in page
    assert "<b>Trick" not in page
    assert "1337" not in page
    for data in (out / "assets/kb/search-data.js", *(out / "assets/kb/search").iterdir()):
        assert "</script><" not in data.read_text().replace("<\\/", "")


@pytest.mark.extended
def test_icons_and_diagrams(sources, tmp_path):
    sources.entry(
        "chess/turn",
        "Turn",
        "Spend [action] to move, [unknown_thing] stays.\n\n```mermaid\nflowchart TD\n    A[Move <b>] --> B\n```\n",
        kind="reference",
    )
    page = (build(tmp_path / "out") / "chess/turn.html").read_text()
    assert 'aria-label="action"' in page
    assert "[unknown_thing]" in page
    assert '<pre class="kb-diagram"' in page
    assert "Move &lt;b&gt;" in page


@pytest.mark.extended
def test_spoilers_and_older_wordings_are_folded(sources, tmp_path):
    sources.entry("chess/end", "The end", "The king dies of old age.", spoiler="The Long Game")
    sources.entry(
        "chess/pawn", "Pawn", "It moves forward.", history="[{until: 'edition 2', text: 'It moved sideways.'}]"
    )
    out = build(tmp_path / "out")
    end = (out / "chess/end.html").read_text()
    folded = end[end.index("<details") : end.index("</details>")]
    assert "Spoiler for The Long Game" in folded
    assert "dies of old age" in folded
    assert "dies of old age" not in end.replace(folded, "")
    pawn = (out / "chess/pawn.html").read_text()
    assert "It moved sideways." in pawn[pawn.index("<details") : pawn.index("</details>")]


@pytest.mark.extended
def test_a_list_is_one_page_and_old_ids_redirect(sources, tmp_path):
    sources.write(
        "content/chess/errata.yaml",
        """
        title: Errata of pieces
        kind: erratum
        source: {doc: book}
        entries:
          - id: queen
            title: Queen
            formerly: [chess/lady]
            body: She is no [[fork]].
        """,
    )
    out = build(tmp_path / "out")
    page = (out / "chess/errata.html").read_text()
    assert 'id="queen"' in page
    assert 'href="fork.html"' in page
    assert "errata.html#queen" in (out / "chess/lady.html").read_text()


@pytest.mark.extended
def test_a_failed_build_leaves_the_old_site(sources, tmp_path, monkeypatch):
    out = build(tmp_path / "out")
    before = (out / "index.html").read_bytes()

    def broken(*_args):
        raise SiteError("MkDocs could not build the site: made up")

    monkeypatch.setattr("kb.site.material.plugin.write_all", broken)
    with pytest.raises(SiteError, match="made up"):
        build(tmp_path / "out")
    assert (out / "index.html").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".out")] == []


@pytest.mark.extended
def test_foreign_files_stay_and_are_never_overwritten(sources, tmp_path, kb):
    out = tmp_path / "mine"
    (out / ".git").mkdir(parents=True)
    (out / ".git/HEAD").write_text("ref")
    (out / "CNAME").write_text("rules.example.org")
    build(out)
    (sources.root / "content/chess/fork.md").unlink()
    sources.entry("chess/castling", "Castling", "The king jumps.", covers="[ch.castling]")
    build(out)
    assert not (out / "chess/fork.html").exists()
    assert [(out / name).read_text() for name in (".git/HEAD", "CNAME")] == ["ref", "rules.example.org"]
    (tmp_path / "other").mkdir()
    (tmp_path / "other/index.html").write_text("dear")
    assert (
        "contains index.html, which kb did not write" in kb("site", "build", "--out", str(tmp_path / "other")).refusal
    )
    assert [path.read_text() for path in (tmp_path / "other").iterdir()] == ["dear"]


@pytest.mark.extended
@pytest.mark.posix
@pytest.mark.parametrize("link", ["chess", "assets", "search"])
def test_a_link_below_the_folder_is_never_written_through(sources, tmp_path, kb, link):
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "castling.html").write_text("mine")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / link).symlink_to(precious)
    assert f"contains {link}, which kb did not write" in kb("site build --out {}", tmp_path / "out").refusal
    assert [path.read_text() for path in precious.iterdir()] == ["mine"]


def test_two_entries_with_one_address_give_an_error_message(sources, tmp_path):
    sources.entry("chess/index", "Index", "An entry where the page of the game stands.")
    with pytest.raises(SiteError, match=r"Two pages"):
        build(tmp_path / "out")


def test_the_command_refuses_broken_sources(sources, tmp_path, kb):
    sources.entry("chess/bad", "Bad", "See [[nowhere-at-all]].")
    assert "nowhere-at-all" in kb("site", "build", "--out", str(tmp_path / "out")).refusal
    assert not (tmp_path / "out").exists()


@pytest.mark.extended
@pytest.mark.parametrize(
    "text",
    [
        "site_name: " + "x" * 2_000_000, "nav: " + "[" * 5000, "site_name: \x00", "- a\n- b\n", "5", "site_name: [1]\nplugins: {kb: 5}",
        "plugins: 7\n", "theme: {name: [material]}\n", "a: &a [x, x]\nb: &b [*a, *a]\nsite_name: *b\n", "site_name: !!python/object:os.system x",
        "INHERIT: mkdocs.yml\n", "site_name: \ud7ff\nsite_url: 'javascript:alert(1)'\nplugins: [kb]\ntheme: nosuch\n",
    ],
)  # fmt: skip
def test_a_hostile_mkdocs_yml_gives_an_error_message(sources, tmp_path, kb, text):
    (tmp_path / "mkdocs.yml").write_text(text, "utf-8")
    (tmp_path / "docs").mkdir()
    done = kb("site build --config {} --out {}", tmp_path / "mkdocs.yml", tmp_path / "out")
    assert (done.code, "Traceback" in done.err, "bug in kb" in done.err) == (2, False, False), done
    assert not (tmp_path / "out").exists()
