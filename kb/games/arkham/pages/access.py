"""Which investigators of Arkham Horror may include a card, as the deck checker judges it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from kb.games.arkham.pages.known import card_id
from kb.games.arkham.schema.cards import CardRecord
from kb.site.library import Record

if TYPE_CHECKING:
    from kb.games.arkham.decks.facts import Facts
    from kb.games.arkham.decks.profile import Profile


@dataclass(slots=True)
class Access:
    """Who may include a card: ids of investigators, freely or only in limited slots; `signature`: it belongs to them."""

    free: list[str] = field(default_factory=list)
    limited: list[str] = field(default_factory=list)
    signature: list[str] = field(default_factory=list)


def takers(cards: list[CardRecord]) -> list[CardRecord]:
    """The investigators among the cards who are asked. Parallel ones stand for themselves only on their own pages."""
    return [card for card in cards if card.type == "investigator" and card.build and not card.alternate_of]


class Takers:
    """The investigators who are asked, and what each may include: asked card by card, since a page that is made anew needs one."""

    def __init__(self, records: Mapping[tuple[str, str], list[Record]], investigators: Sequence[CardRecord]) -> None:
        self._records = records
        self.investigators = investigators
        self._known: dict[str, Access] = {}

    def may_take(self, card: CardRecord) -> Access | None:
        """Which of the investigators may include a card; None for an investigator.

        Without taboos, with both printed sides; of a choice (a class to pick) every value counts.
        """
        if card.type == "investigator":
            return None
        if card.code not in self._known:
            self._known[card.code] = self._asked(card.code)
        return self._known[card.code]

    def _asked(self, code: str) -> Access:
        from kb.games.arkham.decks.status import Kind

        found = Access()
        for at, profiles in self._profiles:
            status = profiles[0].once(code)
            if status.kind is Kind.SIGNATURE:
                found.signature.append(at)
                continue
            statuses = [status, *(profile.once(code) for profile in profiles[1:])]
            if any(status.kind is Kind.PLAYER and not status.mask for status in statuses):
                found.free.append(at)
            elif any(status.kind is Kind.PLAYER for status in statuses):
                found.limited.append(at)
        return found

    @cached_property
    def _profiles(self) -> list[tuple[str, list[Profile]]]:
        from kb.games.arkham.decks.desk import load_facts

        facts = load_facts(lambda kind: self._records.get(("arkham", kind), []))
        return [(card_id(card.code), list(profiles_of(facts, card.code))) for card in self.investigators]


def profiles_of(facts: Facts, code: str) -> Iterator[Profile]:
    """The profile of an investigator without any choice made, then one for each value of each choice."""
    from kb.games.arkham.decks.model import Deck
    from kb.games.arkham.decks.profile import profile_of

    bare = profile_of(facts, Deck(code, {}))
    yield bare
    for unsettled in bare.unsettled:
        for value in unsettled.choice.values if not unsettled.choice.sizes else ():
            yield profile_of(facts, Deck(code, {}, choices={unsettled.choice.name: value}))
