"""kb held open for one command: with a progress bar, warnings for people, and the game that `kb use` chose."""

from __future__ import annotations

from kb.api.session import Session
from kb.cli.terminal import Progress, warn
from kb.settings import chosen_game


def session_here() -> Session:
    """A session that tells people what it does."""
    return Session(chosen=chosen_game(), progress=Progress("Building the catalog"), say=warn)
