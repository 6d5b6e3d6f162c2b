"""Which investigators of Arkham Horror may include a card, as the deck checker judges it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING

from kb.games.arkham.pages.known import GAME, card_id
from kb.games.arkham.schema.cards import CardRecord
from kb.site.library import Library

if TYPE_CHECKING:
    from kb.games.arkham.decks.facts import Facts
    from kb.games.arkham.decks.profile import Profile


Marks = tuple[int, int, int]
"""Who may include a card freely, in limited slots, as a signature: a bit for each investigator. As lists they would be megabytes."""


@dataclass(slots=True)
class Access:
    """Who may include a card: ids of investigators, freely or only in limited slots; `signature`: it belongs to them."""

    free: list[str] = field(default_factory=list)
    limited: list[str] = field(default_factory=list)
    signature: list[str] = field(default_factory=list)


def takers(cards: Iterable[CardRecord]) -> list[CardRecord]:
    """The investigators among the cards who are asked. Parallel ones stand for themselves only on their own pages."""
    return [card for card in cards if card.type == "investigator" and card.build and not card.alternate_of]


class Takers:
    """The investigators who are asked, and what each may include: asked card by card, since a page that is made anew needs one."""

    def __init__(self, library: Library, investigators: Sequence[CardRecord]) -> None:
        self._library = library
        self.investigators = investigators
        self._known: dict[str, Marks] = {}
        self._found: dict[Marks, Marks] = {}

    def may_take(self, card: CardRecord) -> Access | None:
        """Which of the investigators may include a card; None for an investigator.

        Without taboos, with both printed sides; of a choice (a class to pick) every value counts.
        """
        if card.type == "investigator":
            return None
        ids = [card_id(investigator.code) for investigator in self.investigators]
        return Access(
            *([at for number, at in enumerate(ids) if marks >> number & 1] for marks in self._marks(card.code))
        )

    def marks(self, card: CardRecord) -> int:
        """The same as a number, whose bit is set for each of the investigators who may include the card in one way or another."""
        free, limited, signature = self._marks(card.code) if card.type != "investigator" else (0, 0, 0)
        return free | limited | signature

    def _marks(self, code: str) -> Marks:
        if code not in self._known:
            marks = self._asked(code)
            self._known[code] = self._found.setdefault(marks, marks)  # many cards are taken by the same
        return self._known[code]

    def _asked(self, code: str) -> Marks:
        from kb.games.arkham.decks.status import Kind

        free = limited = signature = 0
        for number, profiles in enumerate(self._profiles):
            status = profiles[0].once(code)
            if status.kind is Kind.SIGNATURE:
                signature |= 1 << number
                continue
            statuses = [status, *(profile.once(code) for profile in profiles[1:])]
            if any(status.kind is Kind.PLAYER and not status.mask for status in statuses):
                free |= 1 << number
            elif any(status.kind is Kind.PLAYER for status in statuses):
                limited |= 1 << number
        return free, limited, signature

    @cached_property
    def _profiles(self) -> list[list[Profile]]:
        from kb.games.arkham.decks.adapter import load_facts

        facts = load_facts(partial(self._library.of_kind, GAME))
        return [list(profiles_of(facts, card.code)) for card in self.investigators]


def profiles_of(facts: Facts, code: str) -> Iterator[Profile]:
    """The profile of an investigator without any choice made, then one for each value of each choice."""
    from kb.games.arkham.decks.model import Deck
    from kb.games.arkham.decks.profile import profile_of

    bare = profile_of(facts, Deck(code, {}))
    yield bare
    for unsettled in bare.unsettled:
        for value in unsettled.choice.values if not unsettled.choice.sizes else ():
            yield profile_of(facts, Deck(code, {}, choices={unsettled.choice.name: value}))
