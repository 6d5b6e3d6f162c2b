"""Colours that follow the site's style sheet: those of games whose `game.yaml` names them, and a host's own."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kb.registry import About
from kb.site.folder import SiteError

PAPER = "#fdfcf9"
LEAST_CONTRAST = 4.5


def colours(games: Iterable[About]) -> str:
    """Style rules that give each game its colour on light and on dark pages; empty when no game names one."""
    return "".join(
        f"[data-md-color-scheme] {{ --kb-{game.id}: light-dark({', '.join(game.colour)}); }}\n"
        for game in games
        if game.colour
    )


def own_colour(colour: str) -> str:
    """Style rules for the colour of links outside the games that a host names; empty for none.

    Raises SiteError when it is none, or too pale to be read as a link on the page (WCAG 2, success criterion 1.4.3).
    """
    if not colour:
        return ""
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", colour):
        raise SiteError(f"colour: a colour such as #2d4d7c is needed, not {colour!r}.")
    ratio = (light(PAPER) + 0.05) / (light(colour) + 0.05)
    if ratio < LEAST_CONTRAST:
        raise SiteError(
            f"colour: {colour} is too pale for links (contrast {ratio:.1f}, needed {LEAST_CONTRAST}); take a darker one."
        )
    return f"[data-md-color-scheme] {{ --kb-plain: light-dark({colour}, color-mix(in srgb, {colour} 45%, #fff)) !important; }}\n"


def light(colour: str) -> float:
    """The relative luminance of a colour as WCAG 2 defines it."""
    parts = [part / 255 for part in bytes.fromhex(colour[1:])]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
