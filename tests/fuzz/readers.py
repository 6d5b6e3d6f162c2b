"""Every reader that is fuzzed, by its name."""

from __future__ import annotations

from tests.fuzz import of_decks, of_imports, of_questions, of_sources
from tests.fuzz.reader import Opener

READERS: dict[str, Opener] = {
    "arkham-decks": of_decks.arkham_yaml,
    "pathfinder-decks": of_decks.pathfinder_yaml,
    "sheets": of_decks.sheets,
    "lists": of_decks.lists,
    "exports": of_decks.exports,
    "positions": of_decks.positions,
    "tables": of_decks.tables,
    "parties": of_decks.parties,
    "campaigns": of_decks.campaigns,
    "archives": of_decks.archives,
    "verdicts": of_decks.verdicts,
    "links": of_decks.links,
    "entries": of_sources.entries,
    "lists-of-entries": of_sources.lists_of_entries,
    "books-of-rules": of_sources.about_the_game,
    "arkham-cards": of_sources.arkham_cards,
    "pathfinder-cards": of_sources.pathfinder_cards,
    "bodies": of_sources.bodies,
    "arkhamdb": of_imports.arkhamdb,
    "own-cards": of_imports.own_cards,
    "kept-data": of_imports.kept_data,
    "rulebooks": of_imports.rulebooks,
    "pdf": of_imports.pdf,
    "questions": of_questions.questions,
    "card-queries": of_questions.card_queries,
    "cache": of_questions.cache,
    "index": of_questions.index,
    "settings": of_questions.settings,
    "requests": of_questions.requests,
    "assistant": of_questions.assistant,
    "older-exports": of_questions.older_exports,
}
