"""The site contains the export for programs, and llms.txt, a list of its contents for AI assistants."""

import json
import re
from hashlib import sha256

import jsonschema
import pytest

from kb.site.build import Given, build_site

LINK = re.compile(r"\]\(([^)]+)\)")


def test_every_link_of_llms_txt_leads_to_a_file_of_the_site(site):
    text = (site / "llms.txt").read_text("utf-8")
    links = LINK.findall(text)
    assert {"arkham/index.html", "pathfinder/mm/index.html", "api/games/luxor.json", "checks/index.html"} <= set(links)
    assert [link for link in links if not (site / link).is_file()] == []
    assert "CC-BY-4.0" in text
    assert text.startswith("# kb\n\n> ")


def test_the_data_are_an_export_without_the_database(site):
    index = json.loads((site / "api" / "index.json").read_bytes())
    assert set(index["games"]) >= {"arkham", "luxor", "pathfinder", "tainted-grail"}
    for name, digest in index["files"].items():
        assert sha256((site / "api" / name).read_bytes()).hexdigest() == digest
    assert not list((site / "api").rglob("*.sqlite"))
    for name in ("game", "entry", "index"):
        schema = json.loads((site / "api" / "schema" / f"{name}.json").read_bytes())
        files = {"game": "games/luxor.json", "entry": "entries/arkham/glossary/mulligan.json", "index": "index.json"}
        jsonschema.Draft202012Validator(schema).validate(json.loads((site / "api" / files[name]).read_bytes()))


@pytest.mark.extended
def test_only_the_games_of_the_site_and_its_address(sources, kb, tmp_path):
    sources.write("content/checkers/game.yaml", "title: Checkers\n")
    sources.write("content/checkers/sources.yaml", "- {id: book, title: Book of Checkers}\n")
    sources.entry("checkers/crown", "Crown", "A man on the last row is crowned.")
    (tmp_path / "kings.md").write_text("# Castling\n\nA king wears a zorblax.\n")
    assert kb("import rulebook {} --game chess --title Kings", tmp_path / "kings.md").code == 0
    build_site(tmp_path / "site", given=Given("Our rules", "https://example.org/rules/", ("chess",)))
    text = (tmp_path / "site" / "llms.txt").read_text("utf-8")
    assert text.startswith("# Our rules\n")
    assert all(link.startswith("https://example.org/rules/") for link in LINK.findall(text))
    assert [path.name for path in (tmp_path / "site" / "api" / "games").iterdir()] == ["chess.json"]
    page = (tmp_path / "site/chess/castling.html").read_text()
    assert '<link rel="canonical" href="https://example.org/rules/chess/castling.html">' in page
    assert "https://example.org/rules/chess/castling.html" in (tmp_path / "site/sitemap.xml").read_text()
    for path in [tmp_path / "site" / "llms.txt", *(tmp_path / "site" / "api").rglob("*.*")]:
        assert not path.is_file() or not re.search(rb"checkers|crowned|zorblax", path.read_bytes(), re.I), path
