"""What the user has chosen for good: the game that searches look at first."""

from __future__ import annotations

import json

from kb import paths


def chosen_game() -> str | None:
    """The id prefix of the game or set that `kb use` chose; None when none is chosen or the settings cannot be read."""
    found = read().get("game")
    return found if isinstance(found, str) and found else None


def choose_game(scope: str | None) -> None:
    """Keep the id prefix of a game or set for later searches; None forgets it. Raises OSError."""
    from kb.files.swap import write_whole

    kept = {key: value for key, value in read().items() if key != "game"} | ({"game": scope} if scope else {})
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
