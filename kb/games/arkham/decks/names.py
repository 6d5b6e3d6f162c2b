"""Finds the card that a line of a deck list means: name, subtitle, level, pack or code."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from kb.decks.names import MOST_SUGGESTIONS, either, name_key, split_quantity, suggest
from kb.errors import KbError
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.model import Card

_CODE = re.compile(r"#?(\d{5}[a-z]?)")
_GROUP = re.compile(r"^(.*\S)\s*[(\[]((?:[^()\[\]]|\([^()]*\))*)[)\]]$")  # brackets may hold one pair more
_BULLETS = re.compile(r"^(.*[^\s•●★*])\s*([•●★*]+)$")
_LEVEL = re.compile(r"(?:level|lvl|lv|xp)?\s*(\d)\s*(?:xp)?", re.IGNORECASE)


class UnknownName(KbError, ValueError):
    """No card has the name. The message is a sentence."""


@dataclass(slots=True)
class CardFinder:
    """Looks cards up by what people and other programs write for them. prefer: products whose version of a card a name alone means."""

    facts: Facts
    prefer: Collection[str] = ()
    _packs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _strangers: int = 0

    def find(self, text: str, investigator: bool = False) -> Card:
        """The card that a text means.

        Understood are a code, a name, and after a name a subtitle, level, pack or code in brackets, or the level as
        bullets. Without a level the lowest is meant, without a pack the first printing. Raises UnknownName.
        """
        text = text.strip()
        if self.facts.own(bare := text.strip("#[]()")) and (own := self.facts.card(bare)) is not None:
            return own
        if code := _CODE.fullmatch(text.strip("[]()")):
            card = self.facts.card(code[1])
            if card is None:
                raise UnknownName(f"No card has the code {code[1]}.")
            return card
        name = text
        hints: list[str] = []
        if bullets := _BULLETS.match(name):
            name, hints = bullets[1], [str(len(bullets[2]))]
        while True:
            found = [card for card in self._named(name) if (card.type == "investigator") == investigator]
            narrowed = self._narrow(found, hints)
            if narrowed:
                return narrowed[0]
            cut = _GROUP.match(name)
            if cut:
                name, hints = cut[1], [cut[2], *hints]
            elif ":" in name:
                name, _, subtitle = name.rpartition(":")
                hints = [subtitle.strip(), *hints]
            else:
                break
        if self._named(name):
            raise UnknownName(f"No {'investigator' if investigator else 'card'} {name!r} is as described in {text!r}.")
        raise UnknownName(f"There is no card {text!r}.{self.hint(name)}")

    def hint(self, name: str) -> str:
        """` Did you mean …?` with the cards that a misspelt name is near to; nothing when there are none, or too many were asked for."""
        self._strangers += 1
        close = suggest(name, self.facts.names) if self._strangers <= MOST_SUGGESTIONS else []
        return f" Did you mean {either(self.facts.named(each)[0].name for each in close)}?" if close else ""

    def counted(self, text: str) -> tuple[int, str]:
        """Copies and name of a line such as `2x Machete` or `Machete, 2`; a name that itself begins with a number is one copy."""
        copies, name = split_quantity(text, levels=True)
        return (1, text.strip()) if self.begins(text) and not self.begins(name) else (copies, name)

    def begins(self, text: str) -> bool:
        """Whether a text begins with the name of a card that decks hold, up to what stands in brackets."""
        named = self._named(re.split(r"[(\[]", text)[0].rstrip("•●★* "))
        return any(card.type != "investigator" for card in named)

    def _named(self, name: str) -> list[Card]:
        return [card for known in self.facts.names_by_key.get(name_key(name), ()) for card in self.facts.named(known)]

    def _narrow(self, cards: list[Card], hints: list[str]) -> list[Card]:
        """The cards that all hints fit, the lowest level and the first printing first."""
        for hint in hints:
            cards = self._fitting(cards, hint)
        differ = len({(card.root, card.modified) for card in cards}) > 1
        return sorted(
            cards,
            key=lambda card: (
                card.hidden,
                card.level or 0,
                differ and bool(self.prefer) and card.pack not in self.prefer,
                card.root != card.code,
                card.code,
            ),
        )

    def _fitting(self, cards: list[Card], hint: str) -> list[Card]:
        if self.facts.own(hint):
            return [card for card in cards if card.code == hint]
        if code := _CODE.fullmatch(hint):
            return [card for card in cards if card.code == code[1]]
        if level := _LEVEL.fullmatch(hint.strip()):
            return [card for card in cards if (card.level or 0) == int(level[1])]
        key = name_key(hint)
        packs = self._packs_called(key)
        return [card for card in cards if name_key(card.subtitle) == key or card.pack in packs]

    def _packs_called(self, key: str) -> tuple[str, ...]:
        """The pack with this name or code, and the packs whose cards it holds again."""
        if not self._packs:
            for pack in self.facts.packs.values():
                self._packs.setdefault(name_key(pack.name), (pack.code, *pack.reprints))
                self._packs.setdefault(name_key(pack.code), (pack.code, *pack.reprints))
        return self._packs.get(key, ())
