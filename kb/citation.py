"""A citation: what every window says of the entry that states a rule. It stands beside all rooms, because all of them hand it on."""

from __future__ import annotations

from kb.frozen import frozen


@frozen
class Citation:
    """An entry as a check cites it."""

    id: str
    title: str
    source: str
