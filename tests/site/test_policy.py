"""The security policy of a page allows the theme's scripts, whatever the settings of the site. The site's names are
escaped.
"""

import pytest
from mkdocs.config.defaults import MkDocsConfig

from kb.site.material.policy import escape_settings, known_scripts, policy_of, site_name
from kb.site.single import digest


@pytest.fixture
def known(tmp_path):
    (tmp_path / "base.html").write_text(
        '<script>scope("{{ base_url }}",\n  location)</script><p>{{ config.copyright }}', "utf-8"
    )
    return known_scripts([str(tmp_path)])


@pytest.mark.parametrize(
    ("script", "allowed"),
    [
        ('scope(".", location)', True),
        ('scope("../..",location)', True),
        ("alert(1)", False),
        ('scope("."+alert(1)+"", location)', False),
        ('scope("", location);alert(1)', False),
        ("", False),
    ],
)
def test_a_script_is_allowed_if_a_template_has_it(known, script, allowed):
    policy = policy_of(f"<html><script>{script}</script></html>", known, engine=False)
    assert (f"'sha256-{digest(script)}'" in policy) is allowed
    assert "unsafe-eval" not in policy


def test_the_names_of_a_site_are_escaped_once_for_the_theme():
    config = MkDocsConfig()
    config.load_dict({"site_name": 'A <b onclick="x"> & C', "site_author": "<script>", "site_description": None})
    for _ in range(2):
        escape_settings(config)
    assert config.site_name == "A &lt;b onclick=&quot;x&quot;&gt; &amp; C"
    assert (config.site_author, config.site_description) == ("&lt;script&gt;", None)
    assert site_name(config) == 'A <b onclick="x"> & C'


def test_templates_that_escape_do_not_escape_twice():
    from jinja2 import Environment

    config = MkDocsConfig()
    config.load_dict({"site_name": "A & B"})
    escape_settings(config)
    assert (
        Environment(autoescape=False).from_string("{{ n }} {{ n | e }}").render(n=config.site_name)
        == "A &amp; B A &amp; B"
    )
