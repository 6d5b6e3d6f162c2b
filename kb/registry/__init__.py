"""The registry of games: their descriptions in `game.yaml`, and their parts, which kb imports on demand.

A game is a package with a `game.yaml` and a `game` module that contains the `game` object (see `kb.games.Game`). kb's
own games are in `kb/games/`. Another package provides a game through an entry point in the group `kb.games`, or as a
folder in `KB_SOURCES`. The value of the entry point is the package's name. This package imports none of the packages
that use games, and none of those packages names a game.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from kb import paths
from kb.errors import KbError
from kb.registry.about import About, Edition, Option, about_of, read_about

GROUP = "kb.games"


@cache
def installed() -> dict[str, Path]:
    """Return the folders of the games that other installed packages provide, by the package's name."""
    if sys.platform == "emscripten":  # a browser has only the packages of the page
        return {}
    from importlib.metadata import entry_points
    from importlib.util import find_spec

    folders = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        with suppress(ImportError):
            if (spec := find_spec(point.value)) and spec.origin:
                folders[point.value] = Path(spec.origin).parent
    return folders


__all__ = ["About", "Edition", "GameError", "Option", "about", "about_of", "games", "module", "part", "sources"]


class GameError(KbError):
    """A game from another package cannot be used. The message says which game and why."""


@cache
def games() -> dict[str, About]:
    """Return the descriptions of all games by id: first kb's own games in the order of their folders, then those from
    other packages.

    Raises GameError if a package is not a game, or if two games have the same id.
    """
    by_id: dict[str, About] = {}
    for package, folder in rooms():
        try:
            game = read_about(folder / "game.yaml", package)
        except (OSError, ValueError) as error:
            raise GameError(f"The game in the package {package} cannot be used: {error}") from None
        if (first := by_id.get(game.id)) is not None:
            raise GameError(
                f"The packages {first.package} ({first.folder}) and {package} ({folder}) both provide a game {game.id!r}. "
                "Uninstall one of them, or leave its folder out of KB_SOURCES."
            )
        by_id[game.id] = game
    return by_id


def rooms() -> Iterator[tuple[str, Path]]:
    """Yield the package name and folder of every game, kb's own games first."""
    folder = Path(__file__).parents[1] / "games"
    for file in sorted(folder.glob("*/game.yaml")):
        yield f"kb.games.{file.parent.name}", file.parent
    yield from foreign()


def foreign() -> Iterator[tuple[str, Path]]:
    """Yield the package name and folder of every game from another package.

    Installed packages come first, then the folders that `KB_SOURCES` names.
    """
    yield from installed().items()
    for folder in paths.game_folders():
        if folder.name not in installed():
            yield folder.name, folder


def about(game: str) -> About | None:
    """Return the description of a game. None for a game that has only entries and no package."""
    return games().get(game)


def part(game: str, name: str) -> Any:
    """Import and return a part of a game, such as `cards`, `decks`, `party`, `upgrades`, `pages`, `campaigns`,
    `access`, `form` or `scoring`.

    Return None if the game does not have the part, or has no package. kb's packages get parts through typed functions:
    `kb.sources.cards.cards_of`, `kb.decks.games.decks_of`, `kb.decks.party.party_of`, `kb.site.places.pages_of`.
    """
    description = about(game)
    if description is None:
        return None
    game_module = module(description, "game")
    with usable(description):
        return getattr(game_module.game, name, None)


def module(game: About, name: str) -> ModuleType:
    """Import and return the module `name` of a game's package.

    Raises GameError if another package has the name of the game's package, or if the import fails.
    """
    with usable(game):
        return _imported(game, name)


@contextmanager
def usable(game: About) -> Iterator[None]:
    """Convert an error inside the `with` block to a GameError that names the file and line, if the game comes from
    another package.
    """
    try:
        yield
    except (Exception, SystemExit) as error:
        if not game.foreign or isinstance(error, KbError):
            raise
        from traceback import extract_tb  # needed only for errors

        frames = [(error.filename, error.lineno)] if isinstance(error, SyntaxError) else []
        frames += [(each.filename, each.lineno) for each in reversed(extract_tb(error.__traceback__))]
        at = next((f"{file}:{line}: " for file, line in frames if file and game.folder in Path(file).parents), "")
        raise GameError(
            f"The game in the package {game.package} cannot be used: {at}{type(error).__name__}: {str(error)[:300]}"
        ) from error


def _imported(game: About, name: str) -> ModuleType:
    if game.folder in paths.game_folders() and str(game.folder.parent) not in sys.path:
        sys.path.append(str(game.folder.parent))
    package = import_module(game.package)
    if game.foreign and game.folder.resolve() not in (Path(place).resolve() for place in package.__path__):
        raise GameError(f"The folder {game.folder} has the same name as another Python package. Rename the folder.")
    return import_module(f"{game.package}.{name}")


def sources() -> list[Path]:
    """Return the folders of games from other packages. These folders can contain `content/` and `cards/`."""
    return [folder for _package, folder in foreign()]
