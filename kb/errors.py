"""The base of every error that kb raises for its user."""

from __future__ import annotations


class KbError(Exception):
    """Something that a user can mend; the message is a sentence (or several lines of `place: sentence`)."""
