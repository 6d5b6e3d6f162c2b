"""Colours that follow the site's style sheet: those of games whose `game.yaml` names them, and a host's own."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kb.registry import About
from kb.site.folder import SiteError


def colours(games: Iterable[About]) -> str:
    """Style rules that give each game its colour on light and on dark pages; empty when no game names one."""
    return "".join(
        f"[data-md-color-scheme] {{ --kb-{game.id}: light-dark({', '.join(game.colour)}); }}\n"
        for game in games
        if game.colour
    )


def own_colour(colour: str) -> str:
    """Style rules for the colour of links outside the games that a host names; empty for none.

    Raises SiteError when it is none.
    """
    if not colour:
        return ""
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", colour):
        raise SiteError(f"colour: a colour such as #2d4d7c is needed, not {colour!r}.")
    return f"[data-md-color-scheme] {{ --kb-plain: light-dark({colour}, color-mix(in srgb, {colour} 45%, #fff)) !important; }}\n"
