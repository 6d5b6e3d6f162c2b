"""Finds cards by the names and codes that people and other programs write."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from kb.decks.names import MOST_NAMED, MOST_SUGGESTIONS, as_suggestion, both, either, name_key, split_quantity, suggest
from kb.errors import KbError
from kb.games.arkham.decks.card import ArkhamCard
from kb.games.arkham.decks.deck import Pile
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.schema.options import NO_NAMES
from kb.registry import games

_CODE = re.compile(r"#?(\d{5}[a-z]?)")
_GROUP = re.compile(r"^(.*\S)\s*[(\[]((?:[^()\[\]]|\([^()]*\))*)[)\]]$")  # brackets may contain one more pair
_BULLETS = re.compile(r"^(.*[^\s•●★*])\s*([•●★*]+)$")
_LEVEL = re.compile(r"(?:level|lvl|lv|xp)?\s*(\d)\s*(?:xp)?", re.IGNORECASE)


_LEVEL_BEHIND = re.compile(r"^(.*[^\s,]),?\s+(?:level|lvl|lv)\.?\s?(\d)$", re.IGNORECASE)
_PIPS = re.compile(r"[•●★*]+")


class UnknownName(KbError, ValueError):
    """No card has the name that the user `typed`. The message is written for users.

    `meant` lists similar card names.
    """

    def __init__(self, message: str, typed: str = "", meant: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.typed, self.meant = typed, tuple(meant)


@dataclass(slots=True)
class CardFinder:
    """Finds cards by the names that people and other programs write.

    If a name without a product fits several cards, those in the products `prefer` come first. `guessed` maps the code of
    each card that was named without its subtitle to the labels of the signature cards that may have been meant instead.
    """

    facts: ArkhamFacts
    prefer: Collection[str] = ()
    guessed: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _strangers: int = 0
    _bare: set[str] = field(default_factory=set)

    def find(self, text: str, investigator: bool = False) -> ArkhamCard:
        """Return the card that `text` means.

        `text` is a code or a name. A name may be followed by a subtitle, level, pack or code in brackets, or by the
        level as bullets. Without a level, the lowest one is meant; without a pack, the first printing. With
        `investigator`, only investigators are searched, otherwise only other cards.

        Raises UnknownName if no card fits, or if several cards fit that differ only in their subtitles.
        """
        fitting = self.fitting(text, investigator)
        alike = {card.subtitle: card for card in reversed(fitting) if _alike(card, fitting[0])}
        if len(alike) > 1:
            names = [
                f"{card.name}: {card.subtitle}{f' ({card.level})' if card.level else ''}" for card in alike.values()
            ]
            choices = either(f"`{name}`" for name in names)
            raise UnknownName(
                f"{text.strip()!r} matches {len(alike)} cards. Write {choices}, or a code.", text.strip(), names
            )
        if others := {card.subtitle: card.label for card in reversed(fitting) if _of_a_set(card, fitting[0])}:
            self.guessed[fitting[0].code] = tuple(others.values())[::-1]
        if fitting[0].title == text.strip().casefold():
            self._bare.add(fitting[0].code)
        return fitting[0]

    def fitting(self, text: str, investigator: bool = False) -> list[ArkhamCard]:
        """Return all cards that `text` may mean, the likeliest first (see `find`). Raises UnknownName if there are
        none.
        """
        text = text.strip()
        if self.facts.own(bare := text.strip("#[]()")) and (own := self.facts.card(bare)) is not None:
            return [own]
        if code := _CODE.fullmatch(text.strip("[]()")):
            card = self.facts.card(code[1])
            if card is None:
                newer = games()["arkham"].newer_than_facts(code[1])
                raise UnknownName(f"No card has the code {code[1]}.{f' {newer}' if newer else ''}", text)
            return [card]
        found, name, hints = self._described(text, investigator)
        if found:
            return found
        what = "investigator" if investigator else "card"
        if named := self.facts.named(name):
            namesakes = [card for card in named if (card.type == "investigator") == investigator]
            reason, meant = self._mismatch(namesakes, hints)
            raise UnknownName(f"No {what} {name!r} matches {text!r}{reason}.{as_suggestion(meant)}", text, meant)
        meant = self.investigators(name) if investigator else self.meant(name)
        raise UnknownName(f"There is no {what} {text!r}.{as_suggestion(meant)}", text, meant)

    def _mismatch(self, namesakes: list[ArkhamCard], hints: Iterable[str]) -> tuple[str, list[str]]:
        """Return the reason why no card of `namesakes` matches all `hints`, as a clause, and the names that may be
        meant. Both may be empty.
        """
        hint = ""
        for hint in hints:
            if not (left := self._fitting(namesakes, hint)):
                break
            namesakes = left
        if not namesakes:
            return "", []
        name, several = namesakes[0].name, len({card.subtitle for card in self.facts.named(namesakes[0].name)}) > 1
        if _LEVEL.fullmatch(hint) or _PIPS.fullmatch(hint):
            levels = {card.level or 0: f": {card.subtitle}" if several else "" for card in reversed(namesakes)}
            meant = [f"{name}{levels[level]}{f' ({level})' if level else ''}" for level in sorted(levels)]
            what = "level" if len(levels) == 1 else "levels"
            return f": the card has {what} {both(map(str, sorted(levels)))}", meant[:MOST_NAMED]
        subtitles = (
            [] if name_key(hint) in self.facts.pack_names else [card.subtitle for card in namesakes if card.subtitle]
        )
        if subtitles:
            return "", [f"{name}: {each}" for each in suggest(hint, subtitles) or dict.fromkeys(subtitles)][:MOST_NAMED]
        packs = dict.fromkeys(self.facts.pack_name(card.pack) for card in namesakes)
        return f": {hint!r} is neither its level nor its product ({', '.join(packs)})", []

    def version(self, text: str, investigator: ArkhamCard | None) -> ArkhamCard:
        """Return the version of `investigator` that `text` names by its code, name or pack. If `investigator` is None,
        `text` must name the version alone.

        Raises UnknownName if there is no such version.
        """
        for named in (f"{investigator.name} ({text})", text) if investigator else (text,):
            try:
                return self.find(named, investigator=True)
            except UnknownName:
                continue
        if investigator is None:
            raise UnknownName(f"{text!r} is not a version of an investigator; give a version's code or pack.", text)
        family, facts = self.facts.family(investigator.code), self.facts
        versions = [card for card in facts.named(investigator.name) if facts.family(card.code) == family]
        packs = list(dict.fromkeys(facts.pack_name(card.pack) for card in versions))
        meant = suggest(text, packs)
        raise UnknownName(
            f"{text!r} is not a version of {investigator.name}. Its versions are in: {', '.join(packs)}."
            f"{as_suggestion(meant)}",
            text,
            meant,
        )

    def known(self, code: str) -> bool:
        """Return True if `code` is the code of a card other than an investigator."""
        card = self.facts.card(code.lstrip("#"))
        return card is not None and card.type != "investigator"

    def _described(self, text: str, investigator: bool = False) -> tuple[list[ArkhamCard], str, list[str]]:
        """Return all cards that `text` may mean, the likeliest first, the name that it contains, and the texts that
        describe it further.

        `text` is a name, which may be followed by a level, a product or a subtitle.
        """
        name = text.strip()
        hints: list[str] = []
        while True:
            if bullets := _BULLETS.match(name):
                name, hints = bullets[1], [str(len(bullets[2])), *hints]
            if (signs := _GROUP.match(name)) and not name_key(signs[2]):
                name, hints = signs[1], [signs[2], *hints]
                continue
            signs_behind = not name_key(name.split()[-1]) if name else False  # `○○`: no level that kb can read
            called = () if signs_behind else self.facts.named(name)
            namesakes = [card for card in called if (card.type == "investigator") == investigator]
            narrowed = self._narrow(namesakes, hints)
            if narrowed:
                return narrowed, name, hints
            cut = _GROUP.match(name)
            if cut:
                name, hints = cut[1], [cut[2], *hints]
            elif level := _LEVEL_BEHIND.match(name):
                name, hints = level[1], [level[2], *hints]
            elif ":" in name:
                name, _, subtitle = name.rpartition(":")
                hints = [subtitle.strip(), *hints]
            else:
                return [], name, hints

    def parted(self, line: str) -> list[str]:
        """Split a line such as `Machete, 2x Guts` into one text for each card.

        A name may itself contain commas, so the longest known name is taken. A line without a known card is not split.
        """
        parts = [part.strip() for part in line.split(",")]
        lines, known = list[str](), False
        while parts:
            whole = (size for size in (3, 2, 1) if self._described(self.counted(", ".join(parts[:size]))[1])[0])
            size = next(whole, 0)
            known = known or size > 0
            lines.append(", ".join(parts[: size or 1]))
            parts = parts[size or 1 :]
        return lines if known else [line]

    def investigators(self, name: str) -> list[str]:
        """Return the names of investigators that are similar to the misspelt `name`."""
        return suggest(name, [each for each in self.facts.names if any(card.build for card in self.facts.named(each))])

    def meant(self, name: str) -> list[str]:
        """Return the card names that are similar to the misspelt `name`; none after many requests, because each request
        takes time.
        """
        self._strangers += 1
        return suggest(name, self.facts.names) if self._strangers <= MOST_SUGGESTIONS else []

    def settled(self, cards: Sequence[ArkhamCard], codes: Iterable[str], packs: str = "") -> ArkhamCard:
        """Return the investigator that a deck means, from `cards`: investigators who share a name.

        The choice depends on the deck's cards (`codes`), or on products that the deck names (`packs`). If all of
        `cards` are versions of one investigator and no product is named, the original is meant. Raises UnknownName if
        nothing decides the choice.
        """
        facts = self.facts
        namesakes = list({self._told_apart(card): card for card in reversed(cards)}.values())[::-1]
        roots, named = {facts.root(code) for code in codes}, name_key(packs)
        titles = {card.title for root in roots if (card := facts.card(root))}
        signed = {card.code: self._signed(card, roots, titles) for card in namesakes}
        narrowings = [
            [card for card in namesakes if any(signed[card.code]) and signed[card.code] == max(signed.values())],
            [card for card in namesakes if card.pack in self.prefer],
            [card for card in namesakes if card.pack in facts.packs and name_key(facts.packs[card.pack].name) in named],
            [card for card in namesakes if self._may_hold(card, roots)],
        ]
        for fitting in narrowings if len(namesakes) > 1 else ():
            namesakes = fitting if len(fitting) == 1 else namesakes
        if len(namesakes) == 1:
            return namesakes[0]
        choices = either(
            f"{card.code} ({facts.packs[card.pack].name}, {', '.join(card.classes)})" for card in namesakes
        )
        raise UnknownName(
            f"{len(namesakes)} investigators are called {namesakes[0].name}, and nothing in the deck shows which one it is. "
            f"Write {choices}."
        )

    def _told_apart(self, card: ArkhamCard) -> str:
        """Return a key that versions of an investigator share if a deck does not need to distinguish them.

        Two versions in the same product with different classes have different keys. A parallel version is chosen by its
        product.
        """
        original = self.facts.card(self.facts.family(card.code))
        alone = original is not None and original.pack == card.pack and original.classes != card.classes
        return card.code if alone else self.facts.family(card.code)

    def _may_hold(self, investigator: ArkhamCard, roots: Collection[str]) -> bool:
        """Return True if the options of `investigator` allow all cards in `roots`, apart from weaknesses and signature
        cards.
        """
        options = [each for each in investigator.build.options if not each.forbids] if investigator.build else []
        cards = [
            card for root in roots if (card := self.facts.card(root)) and not (card.only_investigators or card.subtype)
        ]
        return all(any(wanted.admits(card) for wanted in options) for card in cards)

    def _signed(self, card: ArkhamCard, roots: Collection[str], titles: Collection[str]) -> tuple[int, int]:
        """Return how many signature cards of the investigator `card` are in the deck: counted by code, and counted by
        title.

        `roots` and `titles` are the codes and titles of the deck's cards. From the number counted by title, 1 is
        subtracted for each missing card.
        """
        required = card.build.required if card.build else ()
        by_code = sum(any(self.facts.root(code) in roots for code in one_of) for one_of in required)
        names = [{each.title for code in one_of if (each := self.facts.card(code))} for one_of in required]
        by_name = sum(1 if not name.isdisjoint(titles) else -1 for name in names)
        return (by_code, by_name) if by_code or by_name > -len(names) else (0, 0)

    def own(self, cards: Pile, investigator: ArkhamCard) -> dict[str, int]:
        """Return a deck's cards, with the signature cards of other investigators replaced.

        A card found by its name alone may be another investigator's signature card. If `investigator` has a signature
        card with the same name, that card is used instead.
        """
        required = [one_of[0] for one_of in investigator.build.required] if investigator.build else []
        signed = {self.facts.root(code): card for code in required if (card := self.facts.card(code))}
        named = {card.title: card.code for card in signed.values()}
        counts: Counter[str] = Counter()
        for code, copies in cards.items():
            if code in self._bare and self.facts.root(code) not in signed:
                code = named.get(card.title, code) if (card := self.facts.card(code)) else code
            counts[code] += copies
        return dict(counts)

    def counted(self, text: str) -> tuple[int, str]:
        """Return the copies and the name in a line such as `2x Machete` or `Machete, 2`.

        If the name of a card begins with a number, the line is one copy of that card.
        """
        copies, name = split_quantity(text, levels=True)
        return (1, text.strip()) if self.begins(text) and not self.begins(name) else (copies, name)

    def begins(self, text: str) -> bool:
        """Return True if `text`, up to a bracket or colon, is the name of a card other than an investigator."""
        named = self.facts.named(re.split(r"[(\[]|: ", text)[0].rstrip("•●★* "))
        return any(card.type != "investigator" for card in named)

    def _narrow(self, cards: list[ArkhamCard], hints: list[str]) -> list[ArkhamCard]:
        """Return the cards that match all hints, such as a level or a product. The lowest level and the first printing
        come first.
        """
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

    def _fitting(self, cards: list[ArkhamCard], hint: str) -> list[ArkhamCard]:
        if self.facts.own(hint):
            return [card for card in cards if card.code == hint]
        if code := _CODE.fullmatch(hint):
            return [card for card in cards if card.code == code[1]]
        if level := _LEVEL.fullmatch(hint.strip()):
            return [card for card in cards if (card.level or 0) == int(level[1])]
        if _PIPS.fullmatch(hint.strip()):
            return [card for card in cards if (card.level or 0) == len(hint.strip())]
        key = name_key(hint)
        if not key:
            return []
        called = self.facts.pack_names.get(key, "")
        packs = (called, *self.facts.packs[called].reprints) if called else ()
        return [card for card in cards if name_key(card.subtitle) == key or card.pack in packs]


def _alike(card: ArkhamCard, first: ArkhamCard) -> bool:
    """Return True if `card` and `first` differ only in their subtitles, and both may be in any investigator's deck."""
    return (
        card.subtitle != "" != first.subtitle
        and (card.type, card.level, card.classes, card.hidden) == (first.type, first.level, first.classes, first.hidden)
        and not (card.subtype or card.story or card.only_investigators or card.type == "investigator")
    )


def _of_a_set(card: ArkhamCard, first: ArkhamCard) -> bool:
    """Return True if `card` and `first` are signature cards of one investigator in one product that differ only in their
    subtitles.
    """
    return (
        card.only_investigators == first.only_investigators != NO_NAMES
        and (card.type, card.pack, card.level) == (first.type, first.pack, first.level)
        and card.subtitle != first.subtitle
    )
