"""A deck as a form: the fields that a page draws, and the deck file after each change.

The deck file, in kb's YAML, is the only state of the form: the page is drawn from it and every change is written into
it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal, Protocol, cast

import yaml

from kb import registry
from kb.decks.deckfile import MOST_LINES, DeckFile, looks_like_text, refusal
from kb.decks.file_keys import Key
from kb.decks.games import NO_OPTIONS, game_of
from kb.decks.nodes import DeckFileError, whole
from kb.decks.reading import deck_in
from kb.errors import KbError
from kb.frozen import frozen
from kb.registry import About, games

MOST_COPIES = 99
"""The most copies of one card that the form accepts. If the rules allow fewer, the checks report the excess."""


class FormError(KbError, ValueError):
    """The form cannot make a change; the message is written for users."""


@frozen
class CardChange:
    """A change to the deck: set the number of copies of the card with the key `card`."""

    card: str
    copies: int


@frozen
class KeyChange:
    """A change to the deck: set `key` of the file to `value`. A key inside a mapping is written with a dot. An empty
    value removes the key.
    """

    key: str
    value: str | int | None


Change = CardChange | KeyChange


@frozen
class Person:
    """A character or investigator to build a deck for.

    A new deck file contains `name` and `set`. `called` is the name that people use; `label` adds words if several
    characters have that name. `group` is the heading above the character in the list. `shown` is the id of the card or
    entry that shows the character.
    """

    name: str
    set: str
    called: str
    label: str
    group: str
    shown: str


@frozen
class Field:
    """A setting of the deck, as a field of the form.

    `key` is the key in the deck file (with a dot if it is inside a mapping) or the name of a check option. `value` is
    the current value; empty means that nothing is set. Each of the `choices` has a value, a label and, in a long list,
    a heading. A field of kind `number` accepts at most `most`. A field of kind `many` accepts any number of choices,
    and a `flag` has no choices. The form shows fields of one `group` together, under the group's name and `more`. A
    change to this field clears the key `clears`.
    """

    key: str
    label: str
    kind: Literal["choice", "number", "text", "many", "flag"]
    value: str
    choices: tuple[tuple[str, ...], ...] = ()
    group: str = ""
    most: int = 999
    clears: str = ""
    more: str = ""


def field_of(key: Key, value: object, below: str = "", label: str = "", **more: Any) -> Field:
    """Return the form field for `key` of the deck file, or for the name `below` that key; `value` is the current value.

    `label` replaces the label in `key.asks`, and `more` contains further attributes of the field.
    """
    at, label = f"{key.name}.{below}" if below else key.name, label or key.asks
    text = "" if value is None else str(value)
    if key.kind == "flag":
        return Field(at, label, "choice", "yes" if value else "", (("", "no"), ("yes", "yes")), **more)
    if key.most:
        return Field(at, label, "number", text, most=key.most, **more)
    if key.choices:
        return Field(at, label, "choice", text, tuple((each, each) for each in key.choices), **more)
    return Field(at, label, "text", text, **more)


@frozen
class FormLine:
    """A card in the deck, as a line of the form.

    `key` is the card's name in the file, `label` its name in findings and `name` its name for people. `group` is the
    heading above the card. `sheet` contains the settings of the card itself, and `folded` is their heading, which is
    visible even if they are folded. `shown` is the id of the card whose page shows it.
    """

    key: str
    label: str
    name: str
    group: str
    copies: int
    sheet: tuple[Field, ...] = ()
    folded: str = ""
    shown: str = ""


PERHAPS = ", may be allowed: it depends on a choice or on something kb does not know"
"""The note on a card that may be allowed, depending on a choice."""


@frozen
class Offer:
    """A card that the form offers to add to the deck.

    `key`, `name`, `group` and `shown` are as in FormLine, and `detail` is text next to the name. `sure` is False if a
    choice or unknown facts determine whether the character may take the card. With `free`, the user types a name,
    which is appended to the key. `words` are further search terms. A new deck lists a `later` card after the other
    cards. `full` is True if the deck already has the maximum number of copies of the card.
    """

    key: str
    name: str
    group: str
    detail: str
    sure: bool
    free: bool = False
    words: str = ""
    later: bool = False
    shown: str = ""
    full: bool = False


class DeckForm(Protocol):
    """Interface of a game's `form` part, which shows decks as a form. `facts` is the value that the game's `load_facts`
    returned.
    """

    def people(self, facts: Any) -> list[Person]:
        """Return the characters or investigators that a deck can be built for."""

    def value(self, file: DeckFile, facts: Any) -> dict[str, Any]:
        """Return the keys and values of a deck file in any format. The key `cards` contains all cards, as numbers of
        copies by card key. Raises DeckFileError if the file cannot be read.
        """

    def keys(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """Convert `value` (as `value()` returns it) to the keys and values that kb writes to the deck file."""

    def text(self, value: Mapping[str, Any]) -> str:
        """Return the text of a deck file with the keys and values in `value` (as `value()` returns it)."""

    def lines(self, file: DeckFile, facts: Any) -> list[FormLine]:
        """Return the cards in the deck `file`. Raises DeckFileError if the file cannot be read."""

    def aside(self, file: DeckFile, facts: Any) -> list[FormLine]:
        """Return the cards that the file lists apart from the deck, such as a side deck; empty if the game has none.

        The key of such a line is its key in the file, with a dot, so a KeyChange sets its number of copies. Raises
        DeckFileError if the file cannot be read.
        """

    def fields(self, file: DeckFile, facts: Any) -> list[Field]:
        """Return the settings of the deck in `file`. Raises DeckFileError if the file cannot be read."""

    def agreed(self, facts: Any) -> list[Field]:
        """Return fields for the settings that the players agree on. The settings are the check options with their
        values, without the options that a deck file sets.
        """

    def offers(self, file: DeckFile, facts: Any, agreed: Mapping[str, Any] = NO_OPTIONS) -> list[Offer]:
        """Return the cards that can be added to the deck under the check options `agreed`. Raises DeckFileError if the
        file cannot be read or an option does not apply.
        """

    def counts(self, file: DeckFile, facts: Any) -> list[tuple[str, ...]]:
        """Return a row for each type of card: its name, the number of cards, and the required number if known. An empty
        deck has rows too. Raises DeckFileError if the file cannot be read.
        """

    def always(self, file: DeckFile, facts: Any) -> Mapping[str, int]:
        """Return the cards that every deck of this character contains, as numbers of copies by card key. A new deck
        starts with them. Raises DeckFileError if the file cannot be read.
        """

    def formats(self) -> Mapping[str, str]:
        """Map the name of each format that the deck can be saved in to its file extension. kb's YAML comes first."""

    def written(self, file: DeckFile, facts: Any, to: str) -> str:
        """Return the deck as a text in the format `to`, one of `formats()`. Raises DeckFileError if the file cannot be
        read.
        """


def form_of(game: str) -> DeckForm:
    """Return the `form` part of a game. Raises FormError if the form cannot build decks for the game."""
    form = registry.part(game, "form")
    if form is None:
        titles = " and ".join(games()[each.id].title for each in with_form())
        raise FormError(f"The form builds decks for {titles}. For other games, use `Check a deck`.")
    return cast(DeckForm, form)


def with_form() -> list[About]:
    """Return the games that the form can build decks for."""
    return [about for about in games().values() if not about.foreign and registry.part(about.id, "form") is not None]


def deck_of(text: str, name: str, game: str, who: str, set_id: str, facts_of: Callable[[str], Any]) -> DeckFile:
    """Read the deck in `text`; `name` is its name in messages.

    If the text names no owner, the deck belongs to the character `who` of the game `game` and the set `set_id`. In that
    case, a first line with the character's name is a title. `facts_of` returns the facts of a game. Raises KbError if
    the deck cannot be read.
    """
    file = deck_in(text, name)
    try:
        return _with_cards(file, facts_of)
    except KbError as error:
        if _says_whose(file):
            raise
        lined = [each for each in getattr(error, "problems", ()) if each.line]
        found = _deck_of(file, facts_of, game, who, set_id)
        if isinstance(found, DeckFile):
            return found
        # A text that names its owner has fewer unknown names when read unchanged.
        if lined and (len(lined) < len(found.problems) or not all(each.typed for each in found.problems)):
            raise
        raise found from None


def deck_of_anybody(text: str, name: str, facts_of: Callable[[str], Any]) -> DeckFile:
    """Read the deck in `text`; `name` is its name in messages. If the text is a list without an owner, the owner is the
    character named in its first lines.

    `facts_of` returns the facts of a game. Raises KbError if the deck cannot be read. If the owner of the cards remains
    unknown, the message asks for the owner.
    """
    file = deck_in(text, name)
    if _says_whose(file) or file.format != "text":
        return file
    try:
        return _with_cards(file, facts_of)
    except KbError:
        people = []
        for about in with_form():
            with suppress(KbError):  # a site may not contain the game
                people += [(about, each) for each in form_of(about.id).people(facts_of(about.id))]
        top = "\n".join(text.strip().splitlines()[:3])
        named = [each for each in people if re.search(rf"\b{re.escape(each[1].called)}\b", top, re.I)]
        tried = named or {(about.id, each.set): (about, each) for about, each in people}.values()
        decks = [(about, _deck_of(file, facts_of, about.id, each.name, each.set)) for about, each in tried]
        if not decks:
            raise
        about, best = min(decks, key=lambda each: _unknown(each[1]))
        if isinstance(best, DeckFile) and named:
            return best
        if isinstance(best, DeckFileError) and named:
            raise best from None
        if about.bare_lists:
            raise
        ask = (
            f"contains cards of {about.title}, but does not say whose deck it is. Begin it with a line "
            f"`{about.whose}: NAME`."
        )
        raise refusal(name, ask) from None


def _says_whose(file: DeckFile) -> bool:
    """Return True if a deck file names its owner or its game."""
    whose = {"game", *(each.whose for each in games().values())}
    return file.format == "json" or not file.key_names().isdisjoint(whose)


def _unknown(deck: DeckFile | DeckFileError) -> int:
    """Return the number of unknown names in a deck. If it has other problems, return more than any deck contains."""
    problems = deck.problems if isinstance(deck, DeckFileError) else ()
    return len(problems) if all(each.typed for each in problems) else MOST_LINES


def _deck_of(file: DeckFile, facts_of: Callable[[str], Any], *whose: str) -> DeckFile | DeckFileError:
    """Read a plain list as a deck. `whose` gives its game, character and set. Return the deck, or the error if it
    cannot be read.
    """
    game, who, set_id = whose
    text = file.text
    says = {"game": game, games()[game].whose: who, "set": set_id}
    lines = [f"{key}: {value}" for key, value in says.items() if value and key not in file.key_names()]
    if re.match(rf"\s*(?!\d).*\b{re.escape(who)}\b", text, re.IGNORECASE) and file.format == "text":
        text = re.sub(r"(?=\S)", "# ", text, count=1)
    try:
        return _with_cards(deck_in("\n".join([*lines, text]), file.name), facts_of)
    except DeckFileError as error:
        problems = [replace(each, line=max(0, each.line - len(lines))) for each in error.problems]
        return DeckFileError(file.name, problems)


def _with_cards(file: DeckFile, facts_of: Callable[[str], Any]) -> DeckFile:
    """Return `file` unchanged. Raises KbError for a card that kb does not know, or for a plain list without cards."""
    game = game_of(file).id
    if not form_of(game).lines(file, facts_of(game)) and file.format == "text":
        raise refusal(file.name, "contains no card that kb knows.")
    return file


def as_file(text: str, name: str, game: str, who: str, set_id: str, facts: Any) -> str:
    """Convert the plain list `text` to the text of a YAML deck file. If the list names no owner, the deck belongs to
    `who`.

    A text in another format is returned unchanged. Raises KbError if the list cannot be read.
    """
    if not looks_like_text(text):
        return text

    def facts_of(game_id: str) -> Any:
        if game_id != game:
            raise refusal(name, f"is not a deck for {games()[game].title}.")
        return facts

    form = form_of(game)
    return form.text(form.value(deck_of(text, name, game, who, set_id, facts_of), facts))


def changed(value: Mapping[str, Any], change: Change, fields: Iterable[Field] = ()) -> dict[str, Any]:
    """Return the keys and values of a deck file after `change`; `value` contains the keys and values before the
    change.

    Raises FormError if a number of copies, or the number in one of the form's `fields`, is out of range.
    """
    new = dict(value)
    if isinstance(change, CardChange):
        if not 0 <= change.copies <= MOST_COPIES:
            raise FormError(f"The number of copies must be from 0 to {MOST_COPIES}.")
        cards = {**value.get("cards", {}), change.card: change.copies}
        new["cards"] = {key: number for key, number in cards.items() if number}
        return new
    text = "" if change.value is None else str(change.value).strip()
    number = whole(text)
    for field in fields:
        if (
            field.key == change.key
            and field.kind == "number"
            and text
            and not 0 <= (-1 if number is None else number) <= field.most
        ):
            raise FormError(f"“{field.label}” must be a whole number from 0 to {field.most}.")
        if field.key == change.key and text != field.value:
            value = {key: each for key, each in value.items() if key != field.clears}
    return _replaced(value, change.key.split("."), text if number is None else number)


def _replaced(value: Mapping[str, Any], path: Sequence[str], new: str | int) -> dict[str, Any]:
    """Return a copy of the mapping `value` where the key at `path` has the value `new`. If `new` is empty, the key is
    left out.
    """
    first, *inner = path
    nested = value.get(first)
    updated: Any = _replaced(nested if isinstance(nested, Mapping) else {}, inner, new) if inner else new
    return {key: each for key, each in {**value, first: updated}.items() if key != first or each not in ("", {})}


def text_of(value: Mapping[str, Any]) -> str:
    """Return the text of a YAML deck file with these keys and values."""
    return str(yaml.safe_dump(dict(value), sort_keys=False, allow_unicode=True, width=1_000))


def at_lines(lines: Sequence[FormLine], cards: Sequence[str]) -> list[FormLine]:
    """Return the lines of a deck for the cards that a finding names (`cards`)."""
    return [line for line in lines if line.label in cards or line.name in cards]
