"""Reads Tainted Grail character sheets. Builds a `Sheet` from a parsed file, or reports all problems of the file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from kb.decks import nodes
from kb.decks.deckfile import DeckFile
from kb.decks.fields import Fields
from kb.decks.file_keys import KeyReader, described, key
from kb.decks.names import either, name_key, split_quantity
from kb.decks.nodes import DeckFileError, Node, Scalar, scalars_below
from kb.frozen import frozen
from kb.games.tainted_grail.decks.character_sheet import (
    ATTRIBUTES,
    BASIC_CARDS,
    CARDS_OF_A_SIDE,
    ITEM_KEYWORDS,
    MOST,
    POOL,
    SECRET_KEYWORDS,
    Cards,
    ChallengeRule,
    DeckName,
    Grade,
    GrailCard,
    GrailDeck,
    Item,
    Mode,
    Pairs,
    Sheet,
    basic_card,
    character_named,
)

LINE = re.compile(r"([^()\[\]{},]+)((?:[(\[{][^()\[\]{}]*[)\]}]\s*)*)")
# Words that may follow a name in brackets but are not keywords. `C` marks craftable items; no check uses it.
NOT_KEYWORDS = ("facedown", "faceup", "c")
NUMBER = re.compile(rf"^#?(\d{{1,4}})(?:\s*[-–]\s*(\d{{1,4}}))?(?:\s*/\s*{BASIC_CARDS})?$")
SHORT = {"rep": "reputation", "exp": "experience"}
MOST_COPIES = 99
OF_SECRETS = ("number", "owner")


@frozen
class Belonging:
    """The keys of an item or a secret in the file. The keywords may be under `keyword`, under `keywords` or under both."""

    name: str = key("text", "Rusty Sword", "the name", str, default="required, except for a secret with a number")
    count: int | None = key("number", "2", "number of copies", most=MOST_COPIES, default="1")
    keyword: tuple[Node, ...] = key(
        "listed", "WEAPON", f"{either(ITEM_KEYWORDS)}; for a secret also {either(SECRET_KEYWORDS)}", tuple
    )
    keywords: tuple[Node, ...] = key("listed", "[RELIC, PERSONAL]", "several keywords", tuple, default="none")
    facedown: bool = key("flag", "yes", "yes if the card is facedown and so not in use", bool, default="no")
    number: int | None = key("number", "14", "only for a secret: its number", most=MOST)
    owner: str | None = key(
        "text", "Beor", "only for a secret: the character who got it first", default="the sheet's character"
    )


@frozen
class Side:
    """The keys under `combat` or `diplomacy` in the file. The nodes in `out` are parsed later, when the owned cards
    are known.
    """

    starter: Cards | None = key("cards", "[1-14, Jab]", "the starter cards", default="the cards numbered 1 to 15")
    gained: Cards = key(
        "gained",
        "{advanced: [Cleave], basic: [17]}",
        "cards gained from the advancement pool: one list, or a list for each kind",
        tuple,
        default="none",
    )
    deck: Cards | None = key("cards", "[1-14, 17]", "the cards in the deck; use this key instead of out")
    out: tuple[Node, ...] = key(
        "listed", "[3]", "cards that the character owns, but that are not in the deck now", tuple, default="none"
    )


def read_sheet(file: DeckFile) -> Sheet:
    """Return the character sheet that `file` describes.

    Raises DeckFileError with all problems of the file and their lines.
    """
    reader = SheetFileReader(file.root, [])
    sheet = reader.sheet()
    if reader.problems:
        raise DeckFileError(file.name, reader.problems)
    return sheet


def mode_names(modes: Iterable[Mode]) -> dict[str, Mode]:
    """Return each spelling of a mode that a file may use, such as `story` or `story mode`, with its mode."""
    return {f"{each}{end}": each for end in ("", " mode") for each in modes}


class SheetFileReader(KeyReader):
    """Reads the keys of a sheet, of a `Side` or of a `Belonging`.

    Most methods read one kind of value and are named after it. The argument `name` of these methods is the key in the
    file.
    """

    def sheet(self) -> Sheet:
        """Return the character sheet that the keys describe, and note problems that involve several keys."""
        values = self.values(Sheet, also=("game", "player", "notes"))
        if self.get("character") is None or values.get("character") == "":
            self.note(self.mapping, described(Sheet)["character"].needs)
        sheet = Sheet(**{"attributes": values.get("starting"), **values})
        rules = self.get("challenge_rules")
        if rules is not None and "challenge" not in (sheet.mode, *sheet.earlier_modes):
            self.note(rules, "`challenge_rules` is for `mode: challenge` only.")
        return replace(sheet, free_play=sheet.free_play or self.plays_freely())

    def character(self, name: str) -> str | None:
        """Return the name of the character. A known name is spelled as in the campaign, without the title."""
        text = self.text(name)
        known = character_named(text or "")
        return known.name if known else text

    def plays_freely(self) -> bool:
        """Return True if the file says `mode: free play` instead of naming one of the modes."""
        node = self.get("mode")
        return isinstance(node, Scalar) and name_key(node.text) == "freeplay"

    def mode(self, name: str, modes: Sequence[Mode]) -> Mode | None:
        """Return the mode under the key `name`; None if the file says free play or an unknown mode."""
        return None if self.plays_freely() else self.one_of(name, mode_names(modes))

    def modes(self, name: str, modes: Sequence[Mode]) -> tuple[Mode, ...]:
        """Return the modes listed under the key `name`."""
        return self.all_of(name, mode_names(modes), "mode")

    def challenge_rules(self, name: str, rules: Sequence[ChallengeRule]) -> frozenset[ChallengeRule]:
        """Return the rules of challenge mode that the file lists under the key `name`."""
        return frozenset(self.all_of(name, {each: each for each in rules}, "challenge rule"))

    def counts(self, name: str, most: int, known: Sequence[str]) -> dict[str, int]:
        """Return the whole numbers in the mapping under the key `name`, by name.

        Names without a number are left out. `known` lists the allowed names, and `most` is the largest allowed
        number.
        """
        allowed = (*known, *(short for short, long in SHORT.items() if long in known))
        fields = self.named(name, allowed)
        numbers = {each: fields.number(each, most) for each in allowed} if fields else {}
        return {SHORT.get(each, each): number for each, number in numbers.items() if number is not None}

    def named(self, key: str, known: Iterable[str]) -> Fields | None:
        """Return a reader for the mapping under `key`, or None if there is none. Names not in `known` are reported."""
        if fields := self.below(key):
            fields.check_keys(known)
        return fields

    def attributes(self, name: str, most: int) -> dict[str, int] | None:
        """Return the values of all six attributes, 0 for missing ones; None if no attribute has a number."""
        values = self.counts(name, most, ATTRIBUTES)
        return {each: values.get(each, 0) for each in ATTRIBUTES} if values else None

    def pairs(self, name: str) -> Pairs | None:
        """Return the three pairs of opposed attributes. A pair is written as `aggression-empathy` or as a list of two."""
        node = self.get(name)
        if node is None:
            return None
        words = (word for each in scalars_below(node) for word in re.findall(r"\w+", each.text.casefold()))
        names = [word for word in words if word != "and"]
        if sorted(names) != sorted(ATTRIBUTES):
            self.note(
                node, "`pairs` must be three pairs such as `aggression-empathy`, with each of the six attributes once."
            )
            return None
        return tuple(zip(names[::2], names[1::2], strict=True))

    def skills(self, name: str) -> dict[str, tuple[str, ...]]:
        """Return the skill cards of each attribute that has any."""
        fields = self.named(name, ATTRIBUTES)
        return {each: cards for each in ATTRIBUTES if fields and (cards := fields.words(each))}

    def items(self, name: str) -> tuple[Item, ...]:
        """Return the items listed under the key `name`, one for each copy."""
        return tuple(self.belongings(name, ITEM_KEYWORDS, OF_SECRETS))

    def secrets(self, name: str) -> tuple[Item, ...]:
        """Return the secrets listed under the key `name`, one for each copy."""
        return tuple(self.belongings(name, (*ITEM_KEYWORDS, *SECRET_KEYWORDS), ()))

    def belongings(self, name: str, keywords: tuple[str, ...], without: tuple[str, ...]) -> Iterator[Item]:
        """Yield the items or secrets listed under the key `name`, one for each copy.

        Each is a line of text or a mapping. `keywords` are the keywords allowed. Keys in `without` are not allowed.
        """
        what = name.removesuffix("s")
        for node in self.listed(name):
            if isinstance(node, nodes.Mapping):
                below = SheetFileReader(node, self.problems, f"{name}: ")
                held: Belonging | None = Belonging(**below.values(Belonging, without=without))
            else:
                held = self.in_a_line(node, what)
            if held is None:
                continue
            copies, called = split_quantity(held.name)
            owner = character_named(held.owner or "")
            words = (
                self.choose(word, {each: each for each in keywords}, "keyword")
                for word in (*held.keyword, *held.keywords)
            )
            item = Item(
                called or f"secret {held.number}",
                tuple(dict.fromkeys(filter(None, words))),
                held.facedown,
                held.number,
                owner.name if owner else held.owner,
            )
            if not called and held.number is None:
                self.note(
                    node, f"This {what} has no name; give it {'a `name`' if without else 'a `name` or a `number`'}."
                )
            elif not copies:
                self.note(node, f"{called}: write a number of copies from 1 to {MOST_COPIES}.")
            elif set(called.split()) & {*keywords, "facedown"}:
                self.note(node, f"{called!r}: put keywords in brackets, such as `Rusty Sword (WEAPON)`.")
            yield from [item] * (copies if held.count is None else held.count)

    def in_a_line(self, node: Node, what: str) -> Belonging | None:
        """Parse a line such as `2x Rusty Sword (WEAPON, facedown)`; the line of a secret may be its number, such as
        `14`.

        `what` is `item` or `secret`. The result is None for an empty line, and for a line that cannot be parsed (such a
        line is reported).
        """
        text = node.text if isinstance(node, Scalar) else None
        if text == "":
            return None
        match = LINE.fullmatch(text) if text is not None else None
        if match is None:
            shown = "Write" if text is None else f"{text!r}: write"
            line = "a line such as `2x Rusty Sword (WEAPON)`, or by its keys; put the line in quotes if it contains a comma"
            self.note(node, f"{shown} each {what} as {line}.")
            return None
        name, words = match[1].strip(), re.findall(r"\w+", match[2])
        number = re.fullmatch(r"#?(\d{1,4})", name) if what == "secret" else None
        return Belonging(
            "" if number else name,
            keywords=tuple(Scalar(word, node.line) for word in words if name_key(word) not in NOT_KEYWORDS),
            facedown="facedown" in map(name_key, words),
            number=int(number[1]) if number else None,
        )

    def side(self, name: DeckName) -> GrailDeck:
        """Return the cards under the key `combat` or `diplomacy`.

        If the value is a list, it contains the cards in the deck. If it is a mapping, the deck is listed under
        `deck`. If the mapping does not list the deck, the deck consists of all owned cards except those under `out`.
        """
        node = self.get(name)
        if not isinstance(node, nodes.Mapping):
            return GrailDeck(name, self.cards(name))
        below = SheetFileReader(node, self.problems, f"{name}: ")
        side = Side(**below.values(Side))
        deck = GrailDeck(name, side.deck or (), side.gained, side.starter)
        if side.deck is None:
            return replace(deck, cards=self.owned_but(deck, side.out))
        if (out := below.get("out")) is not None:
            self.note(out, f"`{name}` has both `deck` and `out`; `out` is for sheets that do not list the deck.")
        return deck

    def gained(self, name: str) -> Cards:
        """Return the gained cards: a list, or a mapping with lists under `advanced` and `basic`."""
        node = self.get(name)
        if not isinstance(node, nodes.Mapping):
            return self.cards(name)
        graded = SheetFileReader(node, self.problems, f"{self.where}{name}: ")
        graded.check_keys(POOL)
        return tuple(card for grade in POOL for card in graded.cards(grade, grade))

    def cards(self, name: str, grade: Grade | None = None) -> Cards:
        """Return the cards listed under the key `name`, in order, one for each copy. Named cards get the `grade`."""
        return tuple(card for part in self.listed(name) for card in self.line(part, grade))

    def line(self, node: Node, grade: Grade | None) -> Cards:
        """Return the cards that a line such as `7`, `7/25`, `1-15`, `Cleave` or `2x Cleave` describes.

        A line that cannot be parsed is reported, and the result is empty.
        """
        wrong = ""
        if not isinstance(node, Scalar):
            wrong = "A card must be a name or the number of a basic card."
        elif match := NUMBER.match(node.text):
            first, last = int(match[1]), int(match[2] or match[1])
            if not 1 <= first <= last <= BASIC_CARDS:
                wrong = f"Basic cards are numbered 1 to {BASIC_CARDS}; {node.text!r} is not."
            elif grade == "advanced":
                wrong = f"{node.text} is the number of a basic card, not an advanced card."
            else:
                return tuple(map(basic_card, range(first, last + 1)))
        else:
            number, name = split_quantity(node.text)
            if 1 <= number <= CARDS_OF_A_SIDE:
                return (GrailCard(name, None, grade),) * number
            wrong = f"{node.text!r}: a character has 1 to {CARDS_OF_A_SIDE} cards of each kind."
        self.note(node, wrong)
        return ()

    def owned_but(self, deck: GrailDeck, out: Iterable[Node]) -> Cards:
        """Return the starter and gained cards of `deck` except those that `out` lists. `deck.cards` is not used."""
        left = [*deck.starter_cards, *deck.gained]
        for part in out:
            for card in self.line(part, None):
                owned = [each for each in left if each.key == card.key]
                if owned:
                    left.remove(owned[-1])
                else:
                    message = (
                        f"`out` lists more copies of {card.name} than the starter and gained {deck.name} cards contain."
                    )
                    self.note(part, message)
        return tuple(left)
