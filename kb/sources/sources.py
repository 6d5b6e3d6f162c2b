"""Loads everything that a catalog is built from, or reports everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kb import registry
from kb.files.inside import is_plain_path
from kb.sources.books import load_books
from kb.sources.cards import CardFacts, CardNames, LoadedCards, load_facts
from kb.sources.content import read_content
from kb.sources.entries import LoadedEntry
from kb.sources.problems import Problems, SourceError, SourceProblem
from kb.sources.references import Content


def load_sources(root: Path, own: Path | None = None) -> tuple[Content, LoadedCards]:
    """Load `content/` and `cards/` below `root`, and the user's own imports (card data, rulebooks) below `own`.

    Raises SourceError with every problem found, each with its path and line; while a file of cards is no JSON, with that alone.
    """
    content, facts, problems = read_sources(root, own)
    if problems:
        raise SourceError(problems)
    return content, facts


def read_sources(root: Path, own: Path | None = None) -> tuple[Content, LoadedCards, list[SourceProblem]]:
    """What `load_sources` loads, as far as it can be read, and everything that is wrong with it.

    Raises SourceError when there is no folder `content/`.
    """
    problems, content = Problems(root), Content()
    facts = read_facts(root, own, problems)
    content.entries.extend(read_entries(root, own, content, facts, problems))
    return content, facts, problems.told()


def read_facts(root: Path, own: Path | None, problems: Problems) -> LoadedCards:
    """Read `cards/` below `root` and the user's own imports below `own`; everything wrong goes to `problems`.

    Raises SourceError when there is no folder `content/`, which is read next.
    """
    if not (root / "content").is_dir():
        raise SourceError(
            [SourceProblem(str(root), 0, "there is no folder content/ here; KB_SOURCES may name another one")]
        )
    facts = load_facts(root / "cards", problems, own)
    check_ids(facts, root / "cards", problems)
    return facts


def read_entries(
    root: Path, own: Path | None, content: Content, facts: LoadedCards, problems: Problems
) -> Iterator[LoadedEntry]:
    """Read `content/` below `root` and the user's own rulebooks below `own` into `content`, but for the entries: these come one after the
    other, in order. Of the records of `facts` only their games are asked. Everything wrong goes to `problems`."""
    names = CardNames(card for card in facts.cards if not card.own)
    entries = read_content(root / "content", content, names, problems)
    for game in sorted(facts.records.keys() - content.games.keys()):  # cards without a folder of entries
        if told := registry.about(game):
            content.games[game] = told.title
        else:
            problems.add(
                root / "content" / game / "game.yaml",
                0,
                f"there are cards of {game}, but no file with the game's title",
            )
    if own is not None:
        content.passages = load_books(own, content.games, content.headings, problems)
    return entries


def check_ids(facts: LoadedCards, folder: Path, problems: Problems) -> None:
    """Note every card whose set and code (or name) make no id, or the id of another: ids become paths and addresses."""
    for listed in (facts.cards, facts.characters):
        names: dict[str, CardFacts] = {}
        for card in listed:
            if not is_plain_path(card.id):
                what = f"the card {card.name!r} has the id {card.id!r}; an id is made of letters, digits and . _ + - between slashes"
                problems.add(folder / card.game, 0, what)
            if (other := names.setdefault(card.id.casefold(), card)) is not card:
                ids = " and ".join(map(repr, sorted({other.id, card.id})))
                same = (
                    f"the ids {ids}, which many systems take for one" if other.id != card.id else f"the same id {ids}"
                )
                what = f"the cards {other.name!r} and {card.name!r} have {same}: name one of them otherwise"
                problems.add(folder / card.game, 0, what)
