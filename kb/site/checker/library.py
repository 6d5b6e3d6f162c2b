"""The data of the checker in the browser: rules and facts of games, citations, addresses, and the decks that were read
last.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from kb.citation import Citation, Citations
from kb.decks.contract import options_for
from kb.decks.deckfile import DEEPEST_NESTING, LARGEST_FILE, DeckFile, too_large
from kb.decks.form import FormLine, Offer, deck_of, deck_of_anybody, form_of
from kb.decks.games import Decks, decks_of, game_of
from kb.decks.names import split_quantity
from kb.decks.nodes import DeckFileError, DeckProblem
from kb.errors import KbError
from kb.registry import games
from kb.site.checker.answers import Correction, PageLink
from kb.site.checker.messages import DeckRequest
from kb.site.checker.questions import agreed_on

AnyCard = TypeVar("AnyCard", FormLine, Offer)
DEEPEST = 10 * DEEPEST_NESTING
"""The most brackets that may be open at once in a text. Thousands would overflow the stack of the browser and of its
Python.
"""
MOST_HELD = 4
"""The number of parsed decks in the cache: the deck on the page, the deck before a step, and the decks of the last two
changes.
"""


class NotHereError(KbError):
    """The deck is for a game that this site does not include."""


@dataclass(slots=True)
class HeldDeck:
    """A deck in the cache: `file` is its parsed file, `value` has its keys if a form wrote the file."""

    file: DeckFile
    value: dict[str, Any] | None = None


class CheckerLibrary:
    """The rules, facts and citations of one site.

    `data` has three keys. `records` has the catalog's records by game and kind. `cites` has the entries as [id, title,
    source]. `links` has the address of each entry, and of each card with a page, from the top of the site.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._records: Mapping[str, Mapping[str, list[dict[str, Any]]]] = data["records"]
        self.cites = Citations()
        self.cites.update({row[0]: Citation(*row) for row in data["cites"]})
        self.links: Mapping[str, str] = data["links"]
        self._loaded: dict[str, tuple[Decks, Any]] = {}
        self._held: OrderedDict[tuple[str, str], HeldDeck] = OrderedDict()

    def game(self, game_id: str) -> tuple[Decks, Any]:
        """Return a game's deck rules and facts. Raises NotHereError if the site does not include the game."""
        if game_id not in self._records:
            raise NotHereError(f"This site does not include {games()[game_id].title}, so it cannot check this deck.")
        if game_id not in self._loaded:
            module = decks_of(game_id)
            self._loaded[game_id] = (module, module.load_facts(lambda kind: self.records(game_id, kind)))
        return self._loaded[game_id]

    def facts_of(self, game_id: str) -> Any:
        """Return the facts of a game. Raises NotHereError if the site does not include the game."""
        return self.game(game_id)[1]

    def facts(self, file: DeckFile) -> Any:
        """Return the facts of a deck's game. Raises NotHereError if the site does not include the game."""
        return self.facts_of(game_of(file).id)

    def records(self, game: str, kind: str) -> list[dict[str, Any]]:
        """Return a game's records of one kind, such as its cards. Empty if there are none."""
        return self._records[game].get(kind, [])

    def options(self, request: DeckRequest, file: DeckFile) -> dict[str, Any]:
        """Return the options for checking a deck. They are the request's options, and its party's agreements for the
        deck's game. Raises DeckFileError for an option that the game does not have, or with a wrong value.
        """
        game = game_of(file).id
        answers = request.agreed.get(game)
        fields = form_of(game).agreed(self.facts(file)) if answers else ()
        return options_for(file, {**request.options, **agreed_on(fields, answers or {})})

    def held(self, request: DeckRequest) -> HeldDeck:
        """Return the deck of a request. Its text is parsed only once for several requests. Raises KbError."""
        if (kept := self._held.get(("", request.text))) is not None:  # the text that the form sent to the page
            return kept
        at = (f"{request.name} {request.game} {request.who}", request.text)
        if at not in self._held:
            text = received(request.text, request.name)
            if request.who is None:
                file = deck_of_anybody(text, request.name, self.facts_of)
            else:
                file = deck_of(text, request.name, request.game, *request.who, self.facts_of)
            self._hold(at, HeldDeck(file))
        self._held.move_to_end(at)
        return self._held[at]

    def hold(self, file: DeckFile, value: dict[str, Any] | None) -> None:
        """Cache a deck that a form wrote, so that the next request with its text does not parse it again."""
        self._hold(("", file.text), HeldDeck(file, value))

    def _hold(self, at: tuple[str, str], deck: HeldDeck) -> None:
        self._held[at] = deck
        while len(self._held) > MOST_HELD:
            self._held.popitem(last=False)

    def linked(self, entries: Iterable[str]) -> tuple[PageLink, ...]:
        """Return the titles and addresses of cited entries. Entries without a page are left out."""
        known = (entry for entry in entries if entry in self.cites and entry in self.links)
        return tuple(PageLink(self.cites[entry].title, self.links[entry]) for entry in known)

    def shown(self, card: AnyCard) -> AnyCard:
        """Return a line of a deck, or an offered card, with the address of the card's page as `shown`. If the card
        has no page, `shown` is empty.
        """
        return replace(card, shown=self.links.get(card.shown, ""))


def received(text: str, name: str) -> str:
    """Return a text that the page sent, without the byte order mark. Raises DeckFileError if the text is too large or
    nested too deeply.
    """
    text = text.removeprefix("\ufeff")
    if len(text.encode("utf-8", "surrogatepass")) > LARGEST_FILE:
        raise too_large(name)
    return not_too_deep(text, name)


def not_too_deep(text: str, name: str) -> str:
    """Return `text` unchanged. Raises DeckFileError if more than `DEEPEST` brackets are open at once."""
    open_now = 0
    for match in re.finditer(r"[\[\]{}]", text):
        open_now = open_now + 1 if match[0] in "[{" else max(0, open_now - 1)
        if open_now > DEEPEST:
            line = text.count("\n", 0, match.start()) + 1
            raise DeckFileError(name, [DeckProblem(line, f"is nested deeper than {DEEPEST_NESTING} levels.")])
    return text


def corrections(error: BaseException | None, text: str) -> Iterator[Correction]:
    """Yield corrected texts for the unknown names that `error` reports.

    In each corrected text, an unknown name is replaced by a similar one, or its line is left out.
    """
    if not isinstance(error, DeckFileError):
        error = error.__cause__ if error is not None else None
    lines = text.splitlines()
    for each in error.problems if isinstance(error, DeckFileError) else ():
        typed = re.compile(rf"(?<!\w){re.escape(each.typed)}(?!\w)")
        at = next((at for at, line in enumerate(lines) if each.typed and typed.search(line)), None)
        if at is None:
            continue
        for name in each.meant:
            before, after = typed.split(lines[at], maxsplit=1)
            other = [*lines[:at], f"{before}{name}{after}", *lines[at + 1 :]]
            yield Correction(f"“{each.typed}” is {name}", "\n".join(other))
        if each.line and split_quantity(lines[at].lstrip("-*• "), levels=True)[1] == each.typed:
            yield Correction(f"Leave out “{each.typed}”", "\n".join([*lines[:at], *lines[at + 1 :]]))
