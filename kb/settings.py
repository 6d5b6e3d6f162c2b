"""What kb keeps for the user: the game that searches look at first, the last deck, what has been seen of the rules."""

from __future__ import annotations

import json
from pathlib import Path

from kb import paths


def chosen_game() -> str | None:
    """The id prefix of the game or set that `kb use` chose; None when none is chosen or the settings cannot be read."""
    found = read().get("game")
    return found if isinstance(found, str) and found else None


def choose_game(scope: str | None) -> None:
    """Keep the id prefix of a game or set for later searches; None forgets it. Raises OSError."""
    keep("game", scope)


def last_deck() -> Path | None:
    """The deck file that was checked last; None when there is none any more."""
    found = read().get("deck")
    try:
        return Path(found) if isinstance(found, str) and found.isprintable() and Path(found).is_file() else None
    except OSError:
        return None


def keep(key: str, value: object) -> None:
    """Keep a setting, or forget it (None). Raises OSError."""
    from kb.files.swap import write_whole

    before = read()
    kept = {name: each for name, each in before.items() if name != key} | ({} if value is None else {key: value})
    if kept == before:
        return
    path = paths.settings_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, (json.dumps(kept, indent=1, ensure_ascii=False) + "\n").encode())


def read() -> dict[str, object]:
    """All settings; none when there is no file or it holds something else."""
    try:
        found = json.loads(paths.settings_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
