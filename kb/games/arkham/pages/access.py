"""Which investigators of Arkham Horror may include a card, as the deck checker judges it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
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


def access_to(
    records: dict[tuple[str, str], list[Record]], cards: list[CardRecord], investigators: list[CardRecord]
) -> dict[str, Access]:
    """Which of the investigators may include each of `cards` (by code).

    Without taboos, with both printed sides; of a choice (a class to pick) every value counts.
    """
    from kb.games.arkham.decks.desk import load_facts
    from kb.games.arkham.decks.status import Kind

    facts = load_facts(lambda kind: records.get(("arkham", kind), []))
    found = {card.code: Access() for card in cards if card.type != "investigator"}
    for investigator in investigators:
        at = card_id(investigator.code)
        profiles = list(profiles_of(facts, investigator.code))
        for wanted, access in found.items():
            statuses = [profile.status(wanted) for profile in profiles]
            if statuses[0].kind is Kind.SIGNATURE:
                access.signature.append(at)
            elif any(status.kind is Kind.PLAYER and not status.mask for status in statuses):
                access.free.append(at)
            elif any(status.kind is Kind.PLAYER for status in statuses):
                access.limited.append(at)
    return found


def profiles_of(facts: Facts, code: str) -> Iterator[Profile]:
    """The profile of an investigator without any choice made, then one for each value of each choice."""
    from kb.games.arkham.decks.model import Deck
    from kb.games.arkham.decks.profile import profile_of

    bare = profile_of(facts, Deck(code, {}))
    yield bare
    for unsettled in bare.unsettled:
        for value in unsettled.choice.values if not unsettled.choice.sizes else ():
            yield profile_of(facts, Deck(code, {}, choices={unsettled.choice.name: value}))
