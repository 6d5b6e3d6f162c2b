"""The colours of games whose `game.yaml` names them: rules that follow the site's style sheet."""

from __future__ import annotations

from collections.abc import Iterable

from kb.registry import About


def colours(games: Iterable[About]) -> str:
    """Style rules that give each game its colour on light and on dark pages; empty when no game names one."""
    rules = []
    for game in games:
        if game.colour:
            light, dark = game.colour
            rules += [
                f'[data-md-color-scheme="default"] {{ --kb-{game.id}: {light}; }}',
                f'[data-md-color-scheme="slate"] {{ --kb-{game.id}: {dark}; }}',
                f".kb-game--{game.id} {{ --kb-accent: var(--kb-{game.id}) !important; }}",
            ]
    return "".join(f"{rule}\n" for rule in rules)
