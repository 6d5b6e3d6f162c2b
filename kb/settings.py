"""What kb keeps for the user: the game that searches look at first, the last deck, what has been seen of the rules."""

from __future__ import annotations

import json
import os
from pathlib import Path
from zlib import crc32

from kb import paths
from kb.files.text import MEGABYTE, read_bounded

CHECKSUM = "checksum"


def chosen_game() -> str | None:
    """The id prefix of the game or set that `kb use` chose; None when none is chosen or the settings cannot be read."""
    scope = read().get("game")
    return scope if isinstance(scope, str) and scope else None


def choose_game(scope: str | None) -> None:
    """Keep the id prefix of a game or set for later searches; None forgets it. Raises OSError."""
    keep("game", scope)


def last_deck() -> Path | None:
    """The deck file that was checked last; None when there is none any more."""
    file = read().get("deck")
    try:
        return Path(file) if isinstance(file, str) and file.isprintable() and Path(file).is_file() else None
    except OSError:
        return None


def keep(key: str, value: object) -> None:
    """Keep a setting, or forget it (None). A damaged file is kept beside, as `settings.json.damaged`. Raises OSError."""
    from kb.files.swap import locked, replace, write_whole

    if read() == _with(read(), key, value):
        return
    path = Path(
        os.path.realpath(paths.settings_file())
    )  # a link to it, such as from a folder of all one's settings, stays one
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path):
        stored, damage = _read()
        settings = _with(stored, key, value)
        if (damage or len(written(settings)) > MEGABYTE) and path.is_file():  # more could not be read again
            replace(path, path.with_name(path.name + ".damaged"))
            settings = _with({}, key, value)
        write_whole(path, written(settings))


def written(settings: dict[str, object]) -> bytes:
    """The bytes of the settings file, with its checksum."""
    return f"{json.dumps({**settings, CHECKSUM: checksum(settings)})}\n".encode()


def checksum(settings: dict[str, object]) -> int:
    """A number that changes with settings, by which damage to their file shows. Who writes the file by hand leaves it out."""
    return crc32(json.dumps(settings, sort_keys=True).encode("utf-8"))


def _with(settings: dict[str, object], key: str, value: object) -> dict[str, object]:
    return {name: each for name, each in settings.items() if name != key} | ({} if value is None else {key: value})


def read() -> dict[str, object]:
    """All settings; none when there is no file or it holds something else."""
    return _read()[0]


def damage() -> str | None:
    """Why the settings cannot be read, as a sentence; None when they can, or there are none."""
    return _read()[1]


def _read() -> tuple[dict[str, object], str | None]:
    """The settings, and what is wrong with their file."""
    path = paths.settings_file()
    try:
        settings = json.loads(read_bounded(path, MEGABYTE))
        wrong = None if isinstance(settings, dict) else "it contains no settings"
        if wrong is None and CHECKSUM in settings and settings.pop(CHECKSUM) != checksum(settings):
            wrong = "its checksum does not match, so it was changed"
    except FileNotFoundError:
        return {}, None
    except OSError as error:
        settings, wrong = None, error.strerror or str(error)
    except (ValueError, RecursionError):
        settings, wrong = None, "it is not JSON"
    if wrong is None:
        return settings, None
    mended = "`kb use GAME` writes new ones" if path.is_file() else "move it away"
    return {}, f"{path}: the settings cannot be read ({wrong}). kb ignores them; {mended}."
