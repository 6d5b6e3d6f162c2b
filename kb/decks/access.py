"""Which cards a character may have: what a game offers for `for:NAME` in a query for cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, cast

from kb import registry
from kb.decks.deckfile import DeckFile
from kb.errors import KbError

Record = Mapping[str, Any]


class AccessError(KbError, ValueError):
    """It cannot be told what a character may have; the message is a sentence."""


class MayHave(Protocol):
    """What one character may have."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences: by which rule, what was taken for granted, what is open."""

    def may_have(self, record: Record) -> bool | None:
        """Whether the card of a record may come into the deck; None when no source tells."""

    def better(self, record: Record) -> bool:
        """Whether the card would be an upgrade of what the deck holds."""


class Access(Protocol):
    """A game whose rules say which cards a character may have: its part `access`. What else a query may say of the
    character stands in `game.yaml` under `asks`."""

    def access(self, who: str | DeckFile, said: Mapping[str, str], facts: Any) -> MayHave | None:
        """What the character of a name, or of a deck file, may have; None when the game has nobody of that name.

        Raises AccessError when something that was said makes no sense, DeckFileError when the file cannot be read.
        """


def access_of(game: str) -> Access | None:
    """The part of a game that knows what characters may have; None when it has none."""
    return cast("Access | None", registry.part(game, "access"))
