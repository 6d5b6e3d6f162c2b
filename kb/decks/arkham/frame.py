"""In which frame a deck is judged: standalone, at the start of a campaign, a limited card pool, ultimatums and boons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Environment = Literal["legacy", "current", "limited"]
ULTIMATUMS = ("chaos", "disaster", "exile", "highlander", "induction", "orthodoxy")
BOONS = ("ancients", "morrigan")


@dataclass(frozen=True, slots=True)
class Frame:
    """What the group agreed on, beyond the rules that always hold.

    standalone: a single scenario; experience is paid with additional weaknesses. start: the deck that begins a campaign
    (only the experience given at the start is there). environment: which products may be used; `expansions` are the
    cycles chosen for the limited environment. products: codes of the packs owned, empty when nothing is said about that.
    ultimatums, boons: those in force.
    """

    standalone: bool = False
    start: bool = False
    environment: Environment = "legacy"
    expansions: tuple[str, ...] = ()
    products: frozenset[str] = frozenset()
    ultimatums: frozenset[str] = frozenset()
    boons: frozenset[str] = frozenset()


CAMPAIGN = Frame()
