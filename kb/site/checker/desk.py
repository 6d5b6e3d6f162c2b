"""What runs in the reader's browser: one question in (JSON), one answer out (JSON). It imports the pure core only.

The page sends `{"do": "check", "text": …, "name": …, "options": {…}}` and gets `{"report": …, "page": …, "alone": …, "share": …}`:
the report is what `kb deck check --json` prints, `alone` what `kb deck page` writes, `page` the same with links into the site,
`share` the fragment of a link.
`{"do": "open", "share": …}` gives `{"text": …}` back. Whatever cannot be done is answered with `{"problem": sentence}`.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

from kb.citation import Citation
from kb.decks.bundles import deck_in
from kb.decks.contract import check_file, contract
from kb.decks.games import Decks, NewDeckError, decks_of, game_of, with_decks
from kb.decks.nodes import DeckFileError
from kb.decks.share import ShareError, from_link, to_link
from kb.site.decks.game_pages import deck_page
from kb.site.places import pages_of

Answer = dict[str, Any]


class Desk:
    """Rules, facts and citations of one site.

    `records` are those of the catalog by game and kind, `cites` its entries as [id, title, source], `links` the address of
    each entry from the top of the site.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        # Packed, because a copy of the memory goes over the wire: lists of records are unfolded when they are asked for.
        self._records = {
            (game, kind): zlib.compress(json.dumps(found, ensure_ascii=False).encode("utf-8"), 9)
            for game, kinds in data["records"].items()
            for kind, found in kinds.items()
        }
        self._games = frozenset(data["records"])
        self._cites = {row[0]: Citation(*row) for row in data["cites"]}
        self._links: Mapping[str, str] = data["links"]
        self._loaded: dict[str, tuple[Decks, Any]] = {}

    def answer(self, asked: str) -> str:
        """The answer to a question of the page; both are JSON."""
        question = json.loads(asked)
        done: Mapping[str, Callable[[Mapping[str, Any]], Answer]] = {"check": self._check, "open": self._open}
        try:
            answer = done[question["do"]](question)
        except (DeckFileError, ShareError) as error:
            answer = {"problem": str(error)}
        return json.dumps(answer, ensure_ascii=False)

    def warm_up(self) -> int:
        """Draw one deck of every game, so that a copy of the memory holds all programs and templates that a check needs.

        Facts are let go again: they would be a megabyte more to load, and are read in a moment. Returns the decks drawn.
        """
        drawn = 0
        for game in with_decks():
            if game.id not in self._games:
                continue
            rules = import_module(f"{game.package}.decks")
            for found in walk_packages(rules.__path__, f"{rules.__name__}."):
                import_module(found.name)
            pages_of(game.id)
            module, facts = self._game(game.id)
            module.rulesets()
            if example := first_deck(module, facts, partial(self._of, game.id)):
                self._check({"text": example[1], "name": "deck"})
                drawn += 1
        self._loaded.clear()
        return drawn

    def _game(self, game_id: str) -> tuple[Decks, Any]:
        if game_id not in self._loaded:
            module = decks_of(game_id)
            self._loaded[game_id] = (module, module.load_facts(lambda kind: self._of(game_id, kind)))
        return self._loaded[game_id]

    def _of(self, game: str, kind: str) -> list[dict[str, Any]]:
        packed = self._records.get((game, kind))
        found: list[dict[str, Any]] = json.loads(zlib.decompress(packed)) if packed else []
        return found

    def _check(self, question: Mapping[str, Any]) -> Answer:
        text = str(question["text"])
        file = deck_in(text, str(question.get("name") or "deck"))
        if (about := game_of(file)).id not in self._games:
            return {"problem": f"This site is without {about.title}, so it cannot check this deck."}
        report = check_file(file, self._game, question.get("options") or {})
        game = game_of(file).id
        module, facts = self._game(game)
        drawn = (file, module, facts, report, self._cites, lambda kind: self._of(game, kind))
        return {
            "report": contract(report, self._cites),
            "page": deck_page(*drawn, self._links),
            "alone": deck_page(*drawn),
            "share": to_link(text),
        }

    def _open(self, question: Mapping[str, Any]) -> Answer:
        return {"text": from_link(str(question["share"]))}


def first_deck(module: Decks, facts: Any, records: Callable[[str], list[dict[str, Any]]]) -> tuple[str, str] | None:
    """The first character (by name, then deck file) for whom a game can begin a deck; None when there is none."""
    for person in [*records("character"), *records("card")]:
        name = str(person["name"])
        try:
            text = module.new_deck(name, None, facts)
        except NewDeckError:
            continue
        if text is not None:
            return name, text
    return None
