"""Colours added to the site's style sheet: those in each game's `game.yaml`, and one chosen by the site's host."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kb.registry import About
from kb.site.folder import SiteError


def colours(games: Iterable[About]) -> str:
    """Return CSS that gives each game its colour on light and on dark pages. Empty if no game has a colour."""
    return "".join(
        f"[data-md-color-scheme] {{ --kb-{game.id}: light-dark({', '.join(game.colour)}); }}\n"
        for game in games
        if game.colour
    )


def own_colour(colour: str) -> str:
    """Return CSS for the link colour that a host has chosen for pages outside the games. Empty if `colour` is empty.

    Raises SiteError if `colour` is not of the form `#2d4d7c`.
    """
    if not colour:
        return ""
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", colour):
        raise SiteError(f"colour: {colour!r} is not a colour. Write one such as #2d4d7c.")
    return f"[data-md-color-scheme] {{ --kb-plain: light-dark({colour}, color-mix(in srgb, {colour} 45%, #fff)) !important; }}\n"
