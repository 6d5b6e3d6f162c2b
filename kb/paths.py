"""Where things are: the sources that kb ships, the user's cache and the user's own data."""

from __future__ import annotations

import os
from pathlib import Path

APP = "kb"


def sources_root() -> Path:
    """Folder that holds `content/`, `cards/` and `site/`.

    `KB_SOURCES` names another one (to work on content outside the installed package). In a checkout it is the repository,
    in an installed wheel the package's own data.
    """
    if named := os.environ.get("KB_SOURCES"):
        return _given(named)
    package = Path(__file__).resolve().parent
    checkout = package.parent
    return checkout if (checkout / "content" / "README.md").is_file() else package / "_data"


def cache_dir() -> Path:
    """Folder for what can be built anew at any time (the catalog). `KB_HOME` moves it."""
    if home := os.environ.get("KB_HOME"):
        return _given(home) / "cache"
    from platformdirs import user_cache_path

    return user_cache_path(APP, appauthor=False)


def user_data_dir() -> Path:
    """Folder for what belongs to the user (imported card data). `KB_HOME` moves it."""
    if home := os.environ.get("KB_HOME"):
        return _given(home) / "data"
    from platformdirs import user_data_path

    return user_data_path(APP, appauthor=False)


def settings_file() -> Path:
    """The file with what the user has chosen for good (`kb use`). `KB_HOME` moves it."""
    if home := os.environ.get("KB_HOME"):
        return _given(home) / "settings.json"
    from platformdirs import user_config_path

    return user_config_path(APP, appauthor=False) / "settings.json"


def _given(path: str) -> Path:
    """A folder as an environment variable names it; a `~name` that nobody has and a loop of links stay as they are."""
    try:
        return Path(path).expanduser().resolve()
    except RuntimeError:
        return Path(path).absolute()
