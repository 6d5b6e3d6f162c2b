"""The base class of all errors that kb raises for its users."""

from __future__ import annotations


class KbError(Exception):
    """A problem that the user can correct. The message is written for users: a sentence, or several lines such as
    `deck.yaml:3: sentence`.
    """
