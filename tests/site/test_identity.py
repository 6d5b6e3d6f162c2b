"""How a site presents itself: from site.yaml, from the command line, and what is said when something is wrong with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kb.site.folder import SiteError
from kb.site.hosted.manifest import preview
from kb.site.identity import Identity, contrast, read_identity


def test_without_a_file_it_is_kb(tmp_path: Path) -> None:
    assert read_identity(tmp_path).name == "kb"


def test_a_file_and_the_command_line_before_it(tmp_path: Path) -> None:
    (tmp_path / "table.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>", encoding="utf-8")
    (tmp_path / "site.yaml").write_text(
        "name: Our table\nurl: https://example.org/rules\ngames: [ahlcg, luxor]\nlogo: table.svg\ncolour: '#2D4D7C'\n",
        encoding="utf-8",
    )
    found = read_identity(tmp_path, {"name": "Another", "games": ""})
    assert found.name == "Another"
    assert found.url == "https://example.org/rules/"
    assert found.games == ("arkham", "luxor")
    assert found.logo == tmp_path / "table.svg"
    assert found.colour == "#2d4d7c"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nmae: x", "unknown nmae"),
        ("- a", "keys with values"),
        ("name: [", "this is not valid YAML"),
        ("name: " + "[" * 90_000, "this is nested deeper than"),
        ("name: x\n" + "- " * 90_000, "site.yaml:"),
        ("a: &x [1]\nname: *x", "site.yaml:1: this is a YAML anchor or alias"),
        ("name: " + "x" * 61, "`name`: a name of up to 60"),
        ("url: javascript:alert(1)", "`url`: an address"),
        ("url: https://example.org/?q=1", "`url`: an address"),
        ("games: [chess]", "no game is called chess; there are arkham"),
        ("colour: red", "a colour such as"),
        ("colour: '#ffff00'", "too pale for links"),
        ("logo: site.yaml", "is not a picture"),
        ("logo: nothing.svg", "is not a picture"),
        (f"logo: {'x' * 5000}.svg", "is not a picture"),
        ('logo: "a\\0.svg"', "is not a picture"),
        ("url: 'http://['", "an address such as"),
        ("url: 'https://example.org/\"><b>'", "an address such as"),
        ('url: "https://example.org/a\\nb"', "an address such as"),
    ],
)
def test_what_is_wrong_is_told(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "site.yaml").write_text(text + "\n", encoding="utf-8")
    with pytest.raises(SiteError, match=said.replace("(", r"\(")):
        read_identity(tmp_path)


@pytest.mark.parametrize("given", [{"url": "example.org"}, {"colour": "#12"}, {"games": "go"}, {"name": "a\nb"}])
def test_the_command_line_is_checked_too(given: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(SiteError, match="--" + next(iter(given))):
        read_identity(tmp_path, given)


def test_contrast_is_that_of_wcag() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize(
    ("logo", "url", "shown"),
    [
        (None, "https://example.org/", "preview.png"),
        ("table.png", "https://example.org/", "own-logo.png"),
        ("table.svg", "https://example.org/", ""),
        (None, "", ""),
    ],
)
def test_the_picture_where_a_link_is_passed_on_is_the_hosts_own(logo: str | None, url: str, shown: str) -> None:
    assert preview(Identity(url=url, logo=Path(logo) if logo else None)) == shown
