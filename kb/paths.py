"""Paths of the sources that kb ships, of the user's cache and of the user's own data."""

from __future__ import annotations

import os
from pathlib import Path

APP = "kb"


def sources_root() -> Path:
    """Return the folder that contains `content/`, `cards/` and `site/`.

    In a checkout, it is the repository; in an installed wheel, it is the package's own data. The environment variable
    `KB_SOURCES` replaces it: kb then uses the first folder named there that is not the package of a game.
    """
    for folder in _named_sources():
        if game_package(folder) is None:
            return folder
    package = Path(__file__).resolve().parent
    checkout = package.parent
    return checkout if (checkout / "content" / "README.md").is_file() else package / "_data"


def other_checkout(place: Path) -> Path | None:
    """Return the kb checkout that contains the folder `place`. Return None if there is no such checkout, or if kb
    reads its sources there. Changes in a checkout that is returned have no effect.
    """
    place = place.resolve()
    for folder in (place, *place.parents):
        if (folder / "content" / "README.md").is_file() and (folder / "cards").is_dir():
            return folder if folder != sources_root().resolve() else None
    return None


def game_folders() -> list[Path]:
    """Return the game packages named in `KB_SOURCES`. kb adds these packages to its own games."""
    return [package for folder in _named_sources() if (package := game_package(folder)) is not None]


def game_package(folder: Path) -> Path | None:
    """Return the folder that contains a `game.yaml`: `folder` itself, or else the only folder directly below it that
    does. Return None if there is no such folder.
    """
    if (folder / "game.yaml").is_file():
        return folder
    try:
        below = [path.parent for path in folder.glob("*/game.yaml")]
    except OSError:
        return None
    return below[0] if len(below) == 1 else None


def _named_sources() -> list[Path]:
    """Return the folders listed in `KB_SOURCES`. They are separated in the same way as in `PATH`."""
    return [_given(part) for part in os.environ.get("KB_SOURCES", "").split(os.pathsep) if part]


def cache_dir() -> Path:
    """Return the folder for files that can be rebuilt at any time (the catalog). `KB_HOME` moves it."""
    return _of_user("cache", "cache")


def user_data_dir() -> Path:
    """Return the folder for the user's own data (imported rulebooks and cards). `KB_HOME` moves it."""
    return _of_user("data", "data")


def settings_file() -> Path:
    """Return the file of the user's settings (`kb use`). `KB_HOME` moves it."""
    return _of_user("config", "") / "settings.json"


def _of_user(kind: str, within: str) -> Path:
    """Return the user's folder for files of a `kind`, which is `cache`, `data` or `config`. If `KB_HOME` is set, the
    result is the subfolder `within` of the folder that it names. Otherwise, the result is the folder where the
    operating system expects such files.
    """
    if home := os.environ.get("KB_HOME"):
        return _given(home) / within
    import platformdirs

    folder: Path = getattr(platformdirs, f"user_{kind}_path")(APP, appauthor=False)
    return folder


def _given(path: str) -> Path:
    """Resolve the path of a folder in an environment variable. A path with the `~name` of an unknown user, or with a
    loop of links, is only made absolute.
    """
    try:
        return Path(path).expanduser().resolve()
    except RuntimeError:
        return Path(path).absolute()
