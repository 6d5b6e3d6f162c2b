"""Remedies: changes that fix a problem, as data. A remedy can describe itself in words, using either the keys of a file
or the labels of a form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, TypeAlias

from kb.decks.names import both, counted_names, either
from kb.frozen import frozen
from kb.plural import counted
from kb.shapes import Jsonable, PrintedAs, computed
from kb.shapes import key as json_key

KeyWords: TypeAlias = Callable[[str], str]
"""A function from a key of a file to its name in a user interface; an empty string if the interface has no such field.
"""


def file_key(key: str) -> str:
    """Return a key as it appears in a file: `rewards:`, or `combat: gained:` for one in a mapping."""
    return f"`{key.replace('.', ': ')}:`"


def form_label(labels: Mapping[str, str]) -> KeyWords:
    """Return a KeyWords function for a form. For a key in `labels` it returns the label in quotation marks, and for
    other keys an empty string.
    """
    return lambda key: f"“{labels[key]}”" if key in labels else ""


@frozen
class Remedy(Jsonable):
    """A change that fixes a problem; a problem may have several alternative remedies."""

    NAME: ClassVar[str] = ""

    @computed
    def kind(self) -> str:
        """The kind of change, such as `remove`, `add`, `exchange`, `set` or `advice`."""
        return self.NAME

    @computed
    def text(self) -> str:
        """The change in words, as a clause; keys of the file are in backticks."""
        return self.words()

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the file that this remedy changes; empty if it changes only the list of cards."""
        return ()

    def words(self, key_words: KeyWords = file_key) -> str:
        """Return the remedy as an imperative clause without a full stop, such as `remove 1 of: Mace, Club`. `key_words`
        converts its keys to words.
        """
        raise NotImplementedError


@frozen
class Remove(Remedy):
    """Remove `copies` of the cards `of` from the deck, or from one of its parts."""

    NAME: ClassVar[str] = "remove"
    copies: int
    """Total number of cards to remove."""
    of: tuple[str, ...]
    """Labels of the cards that may be removed, one for each copy or for each card."""
    pile: str = json_key("optional", default="")
    """Key of the list to remove the cards from, such as `extra_deck`; empty: the deck itself."""
    why: str = json_key("optional", default="")
    """When this remedy applies, in words."""
    who: str = json_key("optional", default="")
    """The owner of the deck to remove the cards from, in a file about several people."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Key of the list that the remedy changes; empty if that is the deck itself."""
        return (self.pile,) if self.pile else ()

    def words(self, key_words: KeyWords = file_key) -> str:
        """Return `remove 1 of: Mace, Club`, or `remove Mace` when there is no choice."""
        where = _at(" from", self.pile, key_words) + (f" of {self.who}" if self.who else "")
        where += f" {self.why}" if self.why else ""
        if not self.of:
            return f"remove {counted(self.copies, 'card')}{where}"
        if len(set(self.of)) == 1:
            number = f"{self.copies}x " if self.copies > 1 or len(self.of) > self.copies else ""
            return f"remove {number}{self.of[0]}{where}"
        if self.copies >= len(self.of):
            return f"remove {counted_names(self.of)}{where}"
        return f"remove {self.copies} of{where}: {counted_names(self.of)}"


@frozen
class Add(Remedy):
    """Add exactly these cards."""

    NAME: ClassVar[str] = "add"
    cards: tuple[str, ...]
    """Labels of the cards to add, one for each copy."""
    pile: str = json_key("optional", default="")
    """Key of the list to add the cards to; empty: the deck itself."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Key of the list that the remedy changes; empty if that is the deck itself."""
        return (self.pile,) if self.pile else ()

    def words(self, key_words: KeyWords = file_key) -> str:
        """Return `add 2x Mace, Club`."""
        return f"add {counted_names(self.cards)}{_at(' to', self.pile, key_words)}"


@frozen
class Fill(Remedy):
    """Add `copies` cards of one kind, whichever the player likes. `have` lists candidates that the party owns; `among`
    lists other examples.
    """

    NAME: ClassVar[str] = "fill"
    copies: int
    """Number of cards to add."""
    what: str
    """Kind of card, in the singular: `ally`, `Mystic card`."""
    have: tuple[str, ...] = json_key("optional", default=())
    """Cards to use first, because the party already has them."""
    among: tuple[str, ...] = json_key("optional", default=())
    """Examples of cards that fit."""
    more: str = json_key("optional", default="")
    """Source of further cards, in words: `the box`."""
    pile: str = json_key("optional", default="")
    """Key of the list to add the cards to; empty: the deck itself."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Key of the list that the remedy changes; empty if that is the deck itself."""
        return (self.pile,) if self.pile else ()

    def words(self, key_words: KeyWords = file_key) -> str:
        """Return `add 2 allies: Sage, which the party has, then 1 from the box, for example Guard or Acolyte`."""
        amount = counted(self.copies, self.what)
        where = _at(" to", self.pile, key_words)
        example = f", for example {either(tuple(dict.fromkeys(self.among)))}" if self.among else ""
        left = self.copies - len(self.have)
        if not self.have:
            return f"add {amount}{where}{f' from {self.more}' if self.more else ''}{example}"
        rest = f", then {left}{f' from {self.more}' if self.more else ' more'}{example}" if left > 0 else ""
        return f"add {amount}{where}: {counted_names(self.have)}, which the party has{rest}"


@frozen
class Exchange(Remedy):
    """Exchange `copies` of the cards `out` for cards of `into`."""

    NAME: ClassVar[str] = "exchange"
    copies: int
    """Number of cards to exchange."""
    out: tuple[str, ...]
    """Labels of the cards that may be exchanged; empty: any card that no rule requires in the deck."""
    into: tuple[str, ...] = json_key("optional", default=())
    """Labels of cards that may replace them; empty: kb knows none."""
    what: str = json_key("optional", default="")
    """A description of the replacement, if `into` is not enough."""
    have: tuple[str, ...] = json_key("optional", default=())
    """Cards to add first, one for each copy, because the party already has them."""
    who: str = json_key("optional", default="")
    """The owner of the deck, if several decks are checked together."""
    pile: str = json_key("optional", default="")
    """Key of the list where the cards are exchanged; empty: the deck itself."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Key of the list that the remedy changes; empty if that is the deck itself."""
        return (self.pile,) if self.pile else ()

    def words(self, key_words: KeyWords = file_key) -> str:
        """Return `exchange 1 of 3x Mace for another card, for example Club`."""
        one = len(set(self.out)) == 1
        leaving = f"{f'{self.copies}x ' if self.copies > 1 else ''}{self.out[0]}" if one else counted_names(self.out)
        if not self.out:
            leaving = counted(self.copies, "other card")
        elif not one and self.copies < len(self.out):
            leaving = f"{self.copies} of: {leaving}"
        leaving += f" in the deck of {self.who}" if self.who else ""
        if len(self.have) > self.copies:
            return f"exchange {leaving} for {self.copies} of the cards that the party still has: {counted_names(self.have)}"
        left = self.copies - len(self.have)
        other = self.what or ("another card" if left == 1 else f"{left} other cards")
        listed = either(self.into) if len(set(self.into)) == len(self.into) else counted_names(self.into)
        example = f", for example {listed}" if self.into and listed != other else ""
        if self.have:
            first = f"{counted_names(self.have)}, which the party still has"
            return f"exchange {leaving} for {first}" + (f", and {other}{example}" if left else "")
        return f"exchange {leaving} for {other}{_at(' in', self.pile, key_words)}{example}"


@frozen
class Set(Remedy):
    """Set a key of the file to `value`, or to one of `choices`."""

    NAME: ClassVar[str] = "set"
    key: str
    """The key, with a dot if it is inside a mapping, such as `meta.deck_size`."""
    value: str = json_key("optional", default="")
    """The value; empty if there are several choices, or if only the user knows it."""
    choices: tuple[str, ...] = json_key("optional", default=())
    """Values that are legal."""
    who: str = json_key("optional", default="")
    """The person whose value it is, in a file about several people."""
    why: str = json_key("optional", default="")
    """When this remedy applies, in words: `if this character has played`."""
    in_list: str = json_key("optional", default="")
    """The word that begins the line with this value in a plain list, if it is not the key: `Class Choice`."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The key that the remedy sets."""
        return (self.key,)

    def words(self, key_words: KeyWords = file_key) -> str:
        """Return a clause such as `set `stage:` to rebuilt if this character has played`. If there is no value, the
        clause begins with `correct` or, with a reason, with `set`.
        """
        name, why = key_words(self.key) or self.key.replace("_", " "), f" {self.why}" if self.why else ""
        who = f" for {self.who}" if self.who else ""
        if self.value:
            return f"set {name}{who} to {self.value}{why}"
        if self.choices:
            listed = f" (in a text list: `{self.in_list}:`)" if self.in_list and key_words("command") else ""
            return f"set {name}{who} to {either(self.choices)}{why}{listed}"
        return f"{'set' if self.why.startswith('to ') else 'correct'} {name}{who}{why}"


@frozen
class Clear(Remedy):
    """Remove keys from the file."""

    NAME: ClassVar[str] = "clear"
    clears: tuple[str, ...]
    """The keys to remove."""
    who: str = json_key("optional", default="")
    """The person whose keys they are, in a file about several people."""
    why: str = json_key("optional", default="")
    """When this remedy applies, in words."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that the remedy removes."""
        return self.clears

    def words(self, key_words: KeyWords = file_key) -> str:
        """Return `remove `role:` and `card_feats:``."""
        named = both(key_words(key) or key.replace("_", " ") for key in self.clears)
        return f"remove {named}{f' of {self.who}' if self.who else ''}{f' {self.why}' if self.why else ''}"


@frozen
class ListUnder(Remedy):
    """List cards under a key of the file."""

    NAME: ClassVar[str] = "list"
    key: str
    """The key to list the cards under."""
    cards: tuple[str, ...]
    """The cards to list, or other names."""
    instead_of: str = json_key("optional", default="")
    """The key that the cards are listed under now, incorrectly."""
    who: str = json_key("optional", default="")
    """If the file is about several people: the person to list the cards under."""
    why: str = json_key("optional", default="")
    """When this remedy applies, in words."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The key to list the cards under, and the incorrect key if there is one."""
        return (self.key, self.instead_of) if self.instead_of else (self.key,)

    def words(self, key_words: KeyWords = file_key) -> str:
        """Return `list Sage under `received:` if it came from another deck`."""
        who, why = f" for {self.who}" if self.who else "", f" {self.why}" if self.why else ""
        who += _at(" and not under", self.instead_of, key_words)
        return f"list {counted_names(self.cards)} under {key_words(self.key) or self.key.replace('_', ' ')}{who}{why}"


@frozen
class Unlist(Remedy):
    """Remove cards from a list other than the deck, such as the side deck."""

    NAME: ClassVar[str] = "unlist"
    key: str
    """The key of the list."""
    cards: tuple[str, ...]
    """The cards to remove, or other names."""
    who: str = json_key("optional", default="")
    """The person under whose name the cards are listed, in a file about several people."""
    why: str = json_key("optional", default="")
    """When this remedy applies, in words."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The key of the list."""
        return (self.key,)

    def words(self, key_words: KeyWords = file_key) -> str:
        """Return `remove Sage from `rewards:``."""
        who, why = f" of {self.who}" if self.who else "", f" {self.why}" if self.why else ""
        return f"remove {counted_names(self.cards)} from {key_words(self.key) or self.key.replace('_', ' ')}{who}{why}"


@frozen
class Boxes(Remedy):
    """Check or clear boxes on a sheet or a card: feats, or upgrades of a customizable card."""

    NAME: ClassVar[str] = "boxes"
    of: str
    """The sheet or card that the boxes belong to: `weapon card feats`, `Runic Axe`."""
    number: int
    """Number of boxes to change; with `first`, the number of the box."""
    checked: bool
    """True: check them. False: clear them."""
    key: str = json_key("optional", default="")
    """The key of the file that holds them."""
    first: str = json_key("optional", default="")
    """The label of the box to check, if there is only one."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The key of the file that holds the boxes, if there is one."""
        return (self.key,) if self.key else ()

    def words(self, key_words: KeyWords = file_key) -> str:
        """Return `clear 2 boxes of weapon card feats`."""
        verb = "check" if self.checked else "clear"
        return f"{verb} {f'box {self.first}' if self.first else counted(self.number, 'box')} of {self.of}"


@frozen
class Move(Remedy):
    """Move cards from one person's deck, or one part of a deck, to another."""

    NAME: ClassVar[str] = "move"
    cards: tuple[str, ...]
    """The cards to move."""
    from_: str = json_key(name="from")
    """The person who has them, or the list that contains them."""
    to: str
    """The person who gets them, or the list that they join."""

    def words(self, key_words: KeyWords = file_key) -> str:
        """Return `move Sage from Kyra to Ezren`."""
        return f"move {counted_names(self.cards)} from {self.from_} to {self.to}"


@frozen
class Act(Remedy):
    """An action in the game, with the kb command that performs it."""

    NAME: ClassVar[str] = "act"
    what: str
    """The action, as an imperative clause: `draw 1 random basic weakness`."""
    command: str = ""
    """The command, such as `kb deck weakness`."""

    def words(self, key_words: KeyWords = file_key) -> str:
        """Return `draw 1 random basic weakness (`kb deck weakness`)`; a form leaves the command out."""
        shown = self.command and key_words("command")
        return f"{self.what} (`{self.command}`)" if shown else self.what


@frozen
class Advice(Remedy):
    """Advice that kb cannot apply itself, for example to compare a deck with the campaign log or to agree with the
    other players.
    """

    NAME: ClassVar[str] = "advice"
    text: str
    """An imperative clause that begins in lower case, without a full stop."""

    def words(self, key_words: KeyWords = file_key) -> str:
        """Return the text."""
        return self.text


@frozen
class Steps(Remedy):
    """Several changes that fix the problem together."""

    NAME: ClassVar[str] = "steps"
    steps: tuple[Annotated[Remedy, PrintedAs(dict[str, Any])], ...]
    """The changes, in order."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all steps."""
        return tuple(key for step in self.steps for key in step.keys)

    def words(self, key_words: KeyWords = file_key) -> str:
        """Return the clauses of all steps, joined by `, and `."""
        return ", and ".join(step.words(key_words) for step in self.steps)


AnyRemedy: TypeAlias = Annotated[
    Remedy,
    PrintedAs(
        Remove | Add | Fill | Exchange | Set | Clear | ListUnder | Unlist | Boxes | Move | Act | Advice | Steps,
    ),
]
"""A remedy of any kind, for the JSON Schema."""


def _at(word: str, key: str, key_words: KeyWords) -> str:
    """Return a preposition with a key in words, such as ` from `extra_deck:``; empty if there is no key."""
    return f"{word} {key_words(key) or key.replace('_', ' ').replace('.', ' ')}" if key else ""


def fitting(remedies: Iterable[Remedy], keys: Iterable[str]) -> tuple[Remedy, ...]:
    """Return the remedies that change only keys in `keys`, the keys that a file or form has."""
    known = set(keys)
    return tuple(remedy for remedy in remedies if known.issuperset(remedy.keys))


def in_words(remedies: Iterable[Remedy], key_words: KeyWords = file_key) -> str:
    """Return one sentence for each remedy, such as `Remove Mace. Or set …`. Every sentence after the first begins
    with `Or`. The result is empty if there are no remedies.
    """
    return " ".join(_sentences(remedies, key_words))


def _sentences(remedies: Iterable[Remedy], key_words: KeyWords) -> Iterator[str]:
    for number, remedy in enumerate(remedies):
        clause = remedy.words(key_words).rstrip(".")
        yield f"Or {clause}." if number else f"{clause[:1].upper()}{clause[1:]}."
