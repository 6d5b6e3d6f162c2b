"""Templates: a game's own template comes before those of the site and of other games. An error names the file and the
line.
"""

import pytest
from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader

from kb.site.folder import SiteError, rendered


@pytest.fixture
def environment(tmp_path):
    for place, text in (
        ("site/volume.j2", "site"),
        ("site/all.j2", "all"),
        ("mine/volume.j2", "mine"),
        ("mine/wrong.j2", "\n{{ volume.name.x }}"),
    ):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_text(text)
    own = PrefixLoader({"mine": FileSystemLoader(tmp_path / "mine")}, delimiter=":")
    return Environment(loader=ChoiceLoader([own, FileSystemLoader(tmp_path / "site")]))


def test_a_games_own_template_comes_first(environment):
    assert [
        rendered(environment, game, name)
        for game, name in (("mine", "volume.j2"), ("other", "volume.j2"), ("mine", "all.j2"))
    ] == [
        "mine",
        "site",
        "all",
    ]


def test_an_error_names_the_template_and_its_line(environment):
    with pytest.raises(SiteError, match=r"wrong\.j2:2: 'volume' is undefined"):
        rendered(environment, "mine", "wrong.j2")
    with pytest.raises(SiteError, match="There is no template nowhere"):
        rendered(environment, "mine", "nowhere.j2")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{% include "nope.j2" %}', r"broken\.j2:2: There is no template nope\.j2, neither in templates/ of mine"),
        ('{% extends "volum.j2" %}', r"broken\.j2:2: There is no template volum\.j2, .*Did you mean volume\.j2\?$"),
        ('{% include ["nope.j2", "other.j2"] %}', r"broken\.j2:2: There is no template nope\.j2 or other\.j2, "),
        ("{{ 1 | frobnicate }}", r"broken\.j2:2: No filter named 'frobnicate'\.$"),
        ("{% if %}", r"broken\.j2:2: [^.]+[^.]\.$"),
    ],
)
def test_an_error_gives_its_reason_and_ends_with_one_full_stop(environment, tmp_path, text, said):
    (tmp_path / "mine/broken.j2").write_text(f"\n{text}\n")
    with pytest.raises(SiteError, match=said):
        rendered(environment, "mine", "broken.j2")
