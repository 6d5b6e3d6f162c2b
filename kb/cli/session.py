"""kb held open for one command: with a progress bar, warnings for people, and the game that `kb use` chose."""

from __future__ import annotations

from kb.api.session import Session
from kb.cli.terminal import Progress, warn
from kb.settings import chosen_game, damage


def session_here(own: bool = True) -> Session:
    """A session that tells people what it does; without `own` what they have imported is not opened."""
    if wrong := damage():
        warn(wrong)
    return Session(chosen=chosen_game(), own=own, progress=Progress("Building the catalog"), say=warn)
