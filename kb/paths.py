"""Where things are: the sources that kb ships, the user's cache and the user's own data."""

from __future__ import annotations

import os
from pathlib import Path

APP = "kb"


def sources_root() -> Path:
    """Folder that holds `content/`, `cards/` and `site/`.

    The first folder of `KB_SOURCES` that is no game's is another one (to work on content outside the installed package). In a
    checkout it is the repository, in an installed wheel the package's own data.
    """
    for folder in _named_sources():
        if game_package(folder) is None:
            return folder
    package = Path(__file__).resolve().parent
    checkout = package.parent
    return checkout if (checkout / "content" / "README.md").is_file() else package / "_data"


def other_checkout(place: Path) -> Path | None:
    """The checkout of kb that a place lies in, when kb reads its sources elsewhere: what is changed there does nothing."""
    place = place.resolve()
    for folder in (place, *place.parents):
        if (folder / "content" / "README.md").is_file() and (folder / "cards").is_dir():
            return folder if folder != sources_root().resolve() else None
    return None


def game_folders() -> list[Path]:
    """The packages of games among the folders of `KB_SOURCES`: what stands there is added to kb's own games."""
    return [package for folder in _named_sources() if (package := game_package(folder)) is not None]


def game_package(folder: Path) -> Path | None:
    """The folder with a `game.yaml`: this one, or the only one directly below it; None when it is no game's folder."""
    if (folder / "game.yaml").is_file():
        return folder
    try:
        below = [path.parent for path in folder.glob("*/game.yaml")]
    except OSError:
        return None
    return below[0] if len(below) == 1 else None


def _named_sources() -> list[Path]:
    """The folders of `KB_SOURCES`, parted as those of `PATH`."""
    return [_given(part) for part in os.environ.get("KB_SOURCES", "").split(os.pathsep) if part]


def cache_dir() -> Path:
    """Folder for what can be built anew at any time (the catalog). `KB_HOME` moves it."""
    return _of_user("cache", "cache")


def user_data_dir() -> Path:
    """Folder for what belongs to the user (imported card data). `KB_HOME` moves it."""
    return _of_user("data", "data")


def settings_file() -> Path:
    """The file with what the user has chosen for good (`kb use`). `KB_HOME` moves it."""
    return _of_user("config", "") / "settings.json"


def _of_user(kind: str, within: str) -> Path:
    """The user's folder for a kind of files, as the system has it, or the one `within` KB_HOME."""
    if home := os.environ.get("KB_HOME"):
        return _given(home) / within
    import platformdirs

    folder: Path = getattr(platformdirs, f"user_{kind}_path")(APP, appauthor=False)
    return folder


def _given(path: str) -> Path:
    """A folder as an environment variable names it; a `~name` that nobody has and a loop of links stay as they are."""
    try:
        return Path(path).expanduser().resolve()
    except RuntimeError:
        return Path(path).absolute()
