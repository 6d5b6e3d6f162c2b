"""Finds the card that a line of a deck list means: name, subtitle, level, pack or code."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from kb.decks.names import MOST_SUGGESTIONS, did_you_mean, either, name_key, split_quantity
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
    _strangers: int = 0
    _bare: set[str] = field(default_factory=set)

    def find(self, text: str, investigator: bool = False) -> Card:
        """The card that a text means.

        Understood are a code, a name, and after a name a subtitle, level, pack or code in brackets, or the level as
        bullets. Without a level the lowest is meant, without a pack the first printing. Raises UnknownName, also for a name
        that several cards share which only their subtitles tell apart.
        """
        fitting = self.fitting(text, investigator)
        alike = {card.subtitle: card for card in reversed(fitting) if _alike(card, fitting[0])}
        if len(alike) > 1:
            told = either(
                f"`{card.name}: {card.subtitle}{f' ({card.level})' if card.level else ''}`" for card in alike.values()
            )
            raise UnknownName(f"{text.strip()!r} may be one of {len(alike)} cards: write {told}, or a code.")
        if fitting[0].title == text.strip().casefold():
            self._bare.add(fitting[0].code)
        return fitting[0]

    def fitting(self, text: str, investigator: bool = False) -> list[Card]:
        """All cards that a text may mean, the likeliest first. Raises UnknownName when there is none."""
        text = text.strip()
        if self.facts.own(bare := text.strip("#[]()")) and (own := self.facts.card(bare)) is not None:
            return [own]
        if code := _CODE.fullmatch(text.strip("[]()")):
            card = self.facts.card(code[1])
            if card is None:
                raise UnknownName(f"No card has the code {code[1]}.")
            return [card]
        name = text
        hints: list[str] = []
        if bullets := _BULLETS.match(name):
            name, hints = bullets[1], [str(len(bullets[2]))]
        while True:
            found = [card for card in self.facts.named(name) if (card.type == "investigator") == investigator]
            narrowed = self._narrow(found, hints)
            if narrowed:
                return narrowed
            cut = _GROUP.match(name)
            if cut:
                name, hints = cut[1], [cut[2], *hints]
            elif ":" in name:
                name, _, subtitle = name.rpartition(":")
                hints = [subtitle.strip(), *hints]
            else:
                break
        if self.facts.named(name):
            raise UnknownName(f"No {'investigator' if investigator else 'card'} {name!r} is as described in {text!r}.")
        raise UnknownName(f"There is no card {text!r}.{self.hint(name)}")

    def nearest_investigator(self, names: Iterable[str]) -> str:
        """` Did you mean …?` with the investigator that one of the names is near to; nothing without any."""
        known = [name for name in self.facts.names if any(card.build for card in self.facts.named(name))]
        return next(filter(None, (did_you_mean(name, known) for name in names)), "")

    def hint(self, name: str) -> str:
        """` Did you mean …?` with the cards that a misspelt name is near to; nothing when there are none, or too many were asked for."""
        self._strangers += 1
        return did_you_mean(name, self.facts.names) if self._strangers <= MOST_SUGGESTIONS else ""

    def settled(self, cards: Sequence[Card], held: Iterable[str], packs: str = "") -> Card:
        """Which of the investigators that a name fits is meant, by what the deck holds (codes), or by products that it names.

        Versions of one investigator are told apart by their products only; without a word of that the original is meant.
        Raises UnknownName where nothing settles it.
        """
        facts = self.facts
        namesakes = list({self._told_apart(card): card for card in reversed(cards)}.values())[::-1]
        roots, named = {facts.root(code) for code in held}, name_key(packs)
        titles = {card.title for root in roots if (card := facts.card(root))}
        signed = {card.code: self._signed(card, roots, titles) for card in namesakes}
        told = [
            [card for card in namesakes if any(signed[card.code]) and signed[card.code] == max(signed.values())],
            [card for card in namesakes if card.pack in self.prefer],
            [card for card in namesakes if card.pack in facts.packs and name_key(facts.packs[card.pack].name) in named],
            [card for card in namesakes if self._may_hold(card, roots)],
        ]
        for fitting in told if len(namesakes) > 1 else ():
            namesakes = fitting if len(fitting) == 1 else namesakes
        if len(namesakes) == 1:
            return namesakes[0]
        choices = either(
            f"{card.code} ({facts.packs[card.pack].name}, {', '.join(card.classes)})" for card in namesakes
        )
        raise UnknownName(
            f"{len(namesakes)} investigators are called {namesakes[0].name}, and nothing in the deck tells which one it is: "
            f"write {choices}."
        )

    def _told_apart(self, card: Card) -> str:
        """What versions of an investigator share that nothing needs to tell apart: a parallel is meant by its product only."""
        original = self.facts.card(self.facts.family(card.code))
        alone = original is not None and original.pack == card.pack and original.classes != card.classes
        return card.code if alone else self.facts.family(card.code)

    def _may_hold(self, investigator: Card, roots: Collection[str]) -> bool:
        """Whether some option of the investigator lets in every card that is nobody's own."""
        options = [each for each in investigator.build.options if not each.forbids] if investigator.build else []
        held = [
            card for root in roots if (card := self.facts.card(root)) and not (card.only_investigators or card.subtype)
        ]
        return all(any(wanted.admits(card) for wanted in options) for card in held)

    def _signed(self, card: Card, roots: Collection[str], titles: Collection[str]) -> tuple[int, int]:
        """How many of the investigator's signature cards are there, by code, then by name; those that are not count against it."""
        required = card.build.required if card.build else ()
        by_code = sum(any(self.facts.root(code) in roots for code in one_of) for one_of in required)
        names = [{each.title for code in one_of if (each := self.facts.card(code))} for one_of in required]
        by_name = sum(1 if not name.isdisjoint(titles) else -1 for name in names)
        return (by_code, by_name) if by_code or by_name > -len(names) else (0, 0)

    def own(self, cards: Mapping[str, int], investigator: Card) -> dict[str, int]:
        """The cards of a deck; where a name alone was found as another's signature or card, the investigator's own of that name."""
        required = [one_of[0] for one_of in investigator.build.required] if investigator.build else []
        signed = {self.facts.root(code): card for code in required if (card := self.facts.card(code))}
        named = {card.title: card.code for card in signed.values()}
        found: dict[str, int] = {}
        for code, copies in cards.items():
            if code in self._bare and self.facts.root(code) not in signed:
                code = named.get(card.title, code) if (card := self.facts.card(code)) else code
            found[code] = found.get(code, 0) + copies
        return found

    def counted(self, text: str) -> tuple[int, str]:
        """Copies and name of a line such as `2x Machete` or `Machete, 2`; a name that itself begins with a number is one copy."""
        copies, name = split_quantity(text, levels=True)
        return (1, text.strip()) if self.begins(text) and not self.begins(name) else (copies, name)

    def begins(self, text: str) -> bool:
        """Whether a text begins with the name of a card that decks hold, up to what stands in brackets."""
        named = self.facts.named(re.split(r"[(\[]", text)[0].rstrip("•●★* "))
        return any(card.type != "investigator" for card in named)

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
        called = self.facts.pack_names.get(key, "")
        packs = (called, *self.facts.packs[called].reprints) if called else ()
        return [card for card in cards if name_key(card.subtitle) == key or card.pack in packs]


def _alike(card: Card, first: Card) -> bool:
    """Whether nothing but the subtitle tells a card from another one that anybody may have in a deck."""
    return (
        card.subtitle != "" != first.subtitle
        and (card.type, card.level, card.classes, card.hidden) == (first.type, first.level, first.classes, first.hidden)
        and not (card.subtype or card.story or card.only_investigators or card.type == "investigator")
    )
