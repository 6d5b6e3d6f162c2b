"""The user's settings: the game to search first, the deck checked last, and the editions of rules chosen or seen."""

from __future__ import annotations

import json
import os
from pathlib import Path
from zlib import crc32

from kb import paths
from kb.files.text import MEGABYTE, read_bounded

CHECKSUM = "checksum"
SHAPES = {
    "game": (str, "text"),
    "deck": (str, "text"),
    "rules": (dict, "an object"),
    "seen": (dict, "an object"),
}
"""The type of each setting, and the word for it in messages."""


def chosen_game() -> str | None:
    """Return the id prefix of the game or set chosen with `kb use`; None if none is chosen or the settings cannot be
    read.
    """
    scope = read().get("game")
    return scope if isinstance(scope, str) and scope else None


def choose_game(scope: str | None) -> None:
    """Save the id prefix of a game or set for later searches; None removes it. Raises OSError."""
    keep("game", scope)


def last_deck() -> Path | None:
    """Return the deck file that was checked last; None if it no longer exists."""
    file = read().get("deck")
    try:
        return Path(file) if isinstance(file, str) and file.isprintable() and Path(file).is_file() else None
    except OSError:
        return None


def keep(key: str, value: object) -> None:
    """Save the setting `key`; the value None removes it. A damaged file is renamed to `settings.json.damaged`. Raises
    OSError.
    """
    from kb.files.swap import locked, replace, write_whole

    if read() == _with(read(), key, value):
        return
    path = Path(
        os.path.realpath(paths.settings_file())
    )  # a symbolic link to the file, such as one from a user's collection of settings, is kept
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path):
        stored, damage = _read()
        settings = _with(stored, key, value)
        if (damage or len(written(settings)) > MEGABYTE) and path.is_file():  # a larger file could not be read again
            replace(path, path.with_name(path.name + ".damaged"))
            settings = _with({}, key, value)
        write_whole(path, written(settings))


def written(settings: dict[str, object]) -> bytes:
    """Return the bytes of the settings file, with its checksum."""
    return f"{json.dumps({**settings, CHECKSUM: checksum(settings)})}\n".encode()


def checksum(settings: dict[str, object]) -> int:
    """Return a checksum of the settings, which reveals damage to their file. Users who edit the file can remove the
    checksum.
    """
    return crc32(json.dumps(settings, sort_keys=True).encode("utf-8"))


def _with(settings: dict[str, object], key: str, value: object) -> dict[str, object]:
    return {name: each for name, each in settings.items() if name != key} | ({} if value is None else {key: value})


def read() -> dict[str, object]:
    """Return all settings; empty if there is no file or its contents are invalid."""
    return _read()[0]


def damage() -> str | None:
    """Return a sentence that says why the settings cannot be read; None if they can be read or do not exist."""
    return _read()[1]


def _read() -> tuple[dict[str, object], str | None]:
    """Return the settings, and a sentence that says why their file cannot be read (None if it can)."""
    path = paths.settings_file()
    try:
        settings = json.loads(read_bounded(path, MEGABYTE))
        wrong = None if isinstance(settings, dict) else "it contains no settings"
        if wrong is None and CHECKSUM in settings:
            if settings.pop(CHECKSUM) != checksum(settings):
                wrong = "its checksum does not match, so it was changed"
        elif wrong is None and (unknown := settings.keys() - SHAPES.keys()):  # a newer kb may write others
            wrong = f"there is no setting {min(unknown)[:40]!r}; there are {', '.join(SHAPES)}"
        for key, (kind, shape) in SHAPES.items():
            if wrong is None and key in settings and not isinstance(settings[key], kind):
                wrong = f"`{key}` must be {shape}"
    except FileNotFoundError:
        return {}, None
    except OSError as error:
        settings, wrong = None, error.strerror or str(error)
    except (ValueError, RecursionError):
        settings, wrong = None, "it is not JSON"
    if wrong is None:
        return settings, None
    advice = "To write new ones, use `kb use GAME`." if path.is_file() else "Move it away."
    return {}, f"{path}: the settings cannot be read ({wrong}). kb ignores them. {advice}"
