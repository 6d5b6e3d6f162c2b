"""The plugin sets the theme features that its pages need, in a site that does not set them."""

import pytest
from mkdocs.config.base import load_config

from kb.site.material.plugin import fit_features


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
