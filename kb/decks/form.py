"""A deck as a form: what a page draws of it, and the deck file after each change.

The state of the form is the deck file itself, in kb's YAML: what is drawn is read from it, and what is changed is written into it.
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
from kb.decks.games import NO_FRAME, game_of
from kb.decks.nodes import DeckFileError, whole
from kb.decks.reading import deck_in
from kb.errors import KbError
from kb.frozen import frozen
from kb.registry import About, games

MOST_COPIES = 99
"""Copies of one card that the form takes; the checks tell where a rule has less."""


class FormError(KbError, ValueError):
    """The form cannot do what it is asked; the message is a sentence."""


@frozen
class CardChange:
    """A change to the deck: set the copies of a card."""

    card: str
    copies: int


@frozen
class KeyChange:
    """A change to the deck: set a key, with a dot where it lies in a mapping; an empty value clears it."""

    key: str
    value: str | int | None


Change = CardChange | KeyChange


@frozen
class Person:
    """A character or investigator to begin with: `name` and `set` as a new deck is asked for, `label` for people, `group` what it is listed
    under, `shown` the id of the card or entry that shows them."""

    name: str
    set: str
    label: str
    group: str
    shown: str


@frozen
class Field:
    """A setting of the deck. `key` is its key in the deck file, with a dot where that lies in a mapping, or the name of an option of a check;
    `choices` are values with their names, and what a long list has them under. For a number, `most` at most, the form has a field of its
    own; of several (`many`) none may be chosen, and a `flag` has no values. An empty value: nothing is said. Those of a `group` stand
    together. A change to it leaves unsaid what has the key `clears`."""

    key: str
    label: str
    kind: Literal["choice", "number", "text", "many", "flag"]
    value: str
    choices: tuple[tuple[str, ...], ...] = ()
    group: str = ""
    most: int = 999
    clears: str = ""


@frozen
class Line:
    """A card of the deck: `key` as the file names it, `label` as findings do, its `name` for people, and the `group` it stands in; `sheet`
    are the settings of the card itself, `folded` what is seen of them; `shown` is the id of the card whose page may show it."""

    key: str
    label: str
    name: str
    group: str
    copies: int
    sheet: tuple[Field, ...] = ()
    folded: str = ""
    shown: str = ""


PERHAPS = ", may be allowed: it depends on a choice or on something kb does not know"
"""What is said of a card whose coming in is not sure."""


@frozen
class Offer:
    """A card that the character may take; `sure` unless it depends on a choice, or on facts that nobody knows. With `free` it is whatever is
    typed, which follows the key and is its name. `words` are further ones that it is found by; `later` it stands after the others in a new
    deck; `shown` as of a Line."""

    key: str
    name: str
    group: str
    detail: str
    sure: bool
    free: bool = False
    words: str = ""
    later: bool = False
    shown: str = ""


class DeckForm(Protocol):
    """What a game offers for the form: its part `form`. `facts` is what its `load_facts` gave."""

    def people(self, facts: Any) -> list[Person]:
        """The characters or investigators that a deck can be built for."""

    def value(self, file: DeckFile, facts: Any) -> dict[str, Any]:
        """The keys of the deck file, whatever its format, with all cards under `cards`, copies by key. Raises DeckFileError."""

    def keys(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """Return the keys of the deck file as they are written (`value` may count cards by keys of its own)."""

    def text(self, value: Mapping[str, Any]) -> str:
        """The text of the deck file with these keys (as `value` gives them)."""

    def lines(self, file: DeckFile, facts: Any) -> list[Line]:
        """The cards of the deck. Raises DeckFileError."""

    def fields(self, file: DeckFile, facts: Any) -> list[Field]:
        """The settings of the deck. Raises DeckFileError."""

    def agreed(self, facts: Any) -> list[Field]:
        """What a table agrees on: the options of a check, with the values that there are. Those that a deck says too are not said here."""

    def offers(self, file: DeckFile, facts: Any, agreed: Mapping[str, Any] = NO_FRAME) -> list[Offer]:
        """The cards that may come in, by what was agreed on. Raises DeckFileError, also when an option makes no sense."""

    def counts(self, file: DeckFile, facts: Any) -> list[tuple[str, ...]]:
        """What there is of each type, and what there should be where that is known, also of a deck without cards. Raises DeckFileError."""

    def always(self, file: DeckFile, facts: Any) -> Mapping[str, int]:
        """The cards that an empty deck begins with, copies by key: every deck of the character holds them. Raises DeckFileError."""

    def formats(self) -> Mapping[str, str]:
        """What the deck can be saved as: the ends of the files' names by what people call the format; kb's YAML comes first."""

    def written(self, file: DeckFile, facts: Any, to: str) -> str:
        """The deck in one of these formats. Raises DeckFileError."""


def form_of(game: str) -> DeckForm:
    """The part of a game that draws its decks as a form. Raises FormError when it has none."""
    form = registry.part(game, "form")
    if form is None:
        titles = " and ".join(games()[each.id].title for each in with_form())
        raise FormError(f"The form builds decks of {titles}. `Check a deck` checks those of other games.")
    return cast(DeckForm, form)


def with_form() -> list[About]:
    """The games whose decks can be built in the form."""
    return [about for about in games().values() if not about.foreign and registry.part(about.id, "form") is not None]


def deck_of(text: str, name: str, game: str, who: str, set_id: str, facts_of: Callable[[str], Any]) -> DeckFile:
    """The deck in a text; where that does not say whose it is, of `who` in that game and set, and a first line with their name is a title.
    `facts_of` gives a game's facts. Raises KbError."""
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
        # Where the text says who plays, fewer of its names are unknown as it is.
        if lined and (len(lined) < len(found.problems) or not all(each.typed for each in found.problems)):
            raise
        raise found from None


def deck_of_anybody(text: str, name: str, facts_of: Callable[[str], Any]) -> DeckFile:
    """The deck in a text; a list that does not say whose it is, of the character whom its first lines name.

    Raises KbError, for a list of another game's cards a sentence that asks whose deck it is.
    """
    file = deck_in(text, name)
    if _says_whose(file) or file.format != "text":
        return file
    try:
        return _with_cards(file, facts_of)
    except KbError:
        people = []
        for about in with_form():
            with suppress(KbError):  # a site may be without the game
                people += [(about, each) for each in form_of(about.id).people(facts_of(about.id))]
        top = "\n".join(text.strip().splitlines()[:3])
        named = [each for each in people if re.search(rf"\b{re.escape(each[1].label.partition(' (')[0])}\b", top, re.I)]
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
        ask = f"names cards of {about.title} and not whose deck it is; begin it with a line `{about.whose}: NAME`."
        raise refusal(name, ask) from None


def _says_whose(file: DeckFile) -> bool:
    """Whether a deck file says who plays it, or of which game it is."""
    whose = {"game", *(each.whose for each in games().values())}
    return file.format == "json" or not file.key_names().isdisjoint(whose)


def _unknown(deck: DeckFile | DeckFileError) -> int:
    """How many names a deck holds that its game does not know; more than any deck holds where something else is wrong."""
    problems = deck.problems if isinstance(deck, DeckFileError) else ()
    return len(problems) if all(each.typed for each in problems) else MOST_LINES


def _deck_of(file: DeckFile, facts_of: Callable[[str], Any], *whose: str) -> DeckFile | DeckFileError:
    """A list as the deck of somebody (game, name and set), or what is wrong with it then."""
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
    """A deck file with cards, all of which are known. Raises KbError."""
    game = game_of(file).id
    if not form_of(game).lines(file, facts_of(game)) and file.format == "text":
        raise refusal(file.name, "contains no card that kb knows.")
    return file


def as_file(text: str, name: str, game: str, who: str, set_id: str, facts: Any) -> str:
    """The text of a deck as a file of kb: a plain list as YAML, as the deck of `who` where it names nobody; any other as it is.
    Raises KbError."""
    if not looks_like_text(text):
        return text

    def facts_of(game_id: str) -> Any:
        if game_id != game:
            raise refusal(name, f"is not a deck of {games()[game].title}.")
        return facts

    form = form_of(game)
    return form.text(form.value(deck_of(text, name, game, who, set_id, facts_of), facts))


def changed(value: Mapping[str, Any], change: Change, fields: Iterable[Field] = ()) -> dict[str, Any]:
    """Return the keys of a deck file after a change.

    Raises FormError for a number of copies or a value of a number field that is out of range.
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
    """A copy of a mapping with the value at a path of keys replaced; a key whose new value is empty is left out."""
    first, *inner = path
    nested = value.get(first)
    updated: Any = _replaced(nested if isinstance(nested, Mapping) else {}, inner, new) if inner else new
    return {key: each for key, each in {**value, first: updated}.items() if key != first or each not in ("", {})}


def text_of(value: Mapping[str, Any]) -> str:
    """The keys of a deck as the text of a deck file (YAML)."""
    return str(yaml.safe_dump(dict(value), sort_keys=False, allow_unicode=True, width=1_000))


def at_lines(lines: Sequence[Line], cards: Sequence[str]) -> list[Line]:
    """The lines of a deck with the cards that a finding names."""
    return [line for line in lines if line.label in cards or line.name in cards]
