"""Colours in addition to the site's style sheet: those in each game's `game.yaml`, and a host's own."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kb.registry import About
from kb.site.folder import SiteError


def colours(games: Iterable[About]) -> str:
    """Return style rules that give each game its colour on light and on dark pages; empty if no game has one."""
    return "".join(
        f"[data-md-color-scheme] {{ --kb-{game.id}: light-dark({', '.join(game.colour)}); }}\n"
        for game in games
        if game.colour
    )


def own_colour(colour: str) -> str:
    """Return style rules for a host's colour of links outside the games; empty for none.

    Raises SiteError if it is not a colour.
    """
    if not colour:
        return ""
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", colour):
        raise SiteError(f"colour: {colour!r} is not a colour. Write one such as #2d4d7c.")
    return f"[data-md-color-scheme] {{ --kb-plain: light-dark({colour}, color-mix(in srgb, {colour} 45%, #fff)) !important; }}\n"
