"""Pages that belong to no game: home, search, what the checker checks, about."""

from __future__ import annotations

from pathlib import Path

from kb.decks.games import all_rulesets
from kb.games import about
from kb.site.chapters import chapters_of
from kb.site.library import Library
from kb.site.pages import Page, Writer
from kb.site.places import places_of

DESCRIPTION = "Rules, rulings, cards and deck checks of adventure card games. Unofficial, offline."


def write_general(writer: Writer, notice: Path | None, checker: bool) -> None:
    """Write the pages that belong to no game. `notice` is the file NOTICE.md where there is one; `checker`: decks are checked in the page."""
    writer.write(
        Page(
            "index",
            "kb",
            "home.md.j2",
            DESCRIPTION,
            layout="home",
            context={"games": shown_games(writer.library)},
        )
    )
    writer.write(Page("search", "Search", "search.md.j2", "Search all rules, rulings and cards.", layout="search"))
    writer.write(
        Page(
            "along",
            "Take it along",
            "along.md.j2",
            "Keep the whole site on a phone or laptop, to open without a network.",
            layout="along",
            context={"checker": checker},
        )
    )
    writer.write(
        Page(
            "checks/index",
            "What the checker checks",
            "checks.md.j2",
            "Every deck check with the rule it cites.",
            context={"rulesets": rulesets()},
        )
    )
    text = notice.read_text(encoding="utf-8") if notice else ""
    body = text.partition("\n")[2] if text.startswith("# ") else text
    writer.write(
        Page(
            "about",
            "About and licences",
            "about.md.j2",
            "What kb is, its sources and its licences.",
            context={"notice": writer.markdown(body)},
        )
    )


def shown_games(library: Library) -> list[dict[str, object]]:
    """What the first page tells of each game that has entries."""
    games: list[dict[str, object]] = []
    for game, title in library.games.items():
        shelves = [shelf for shelf in library.shelves.values() if shelf.game == game]
        number = sum(entry.game == game for entry in library.entries.values())
        cards = sum(card["game"] == game for card in library.cards.values())
        if number:
            games.append(
                {
                    "id": game,
                    "title": title,
                    "tagline": told.tagline if (told := about(game)) else "",
                    "opens": [
                        (entry, words)
                        for entry, words in (told.opens if told else {}).items()
                        if entry in library.entries
                    ],
                    "entries": number,
                    "cards": cards,
                    "shelves": [shelf for shelf in shelves if shelf.set],
                    "places": places_of(library, shelves[0]) if len(shelves) == 1 else [],
                    "chapters": chapters_of(library, game)[:5] if len(shelves) == 1 else [],
                }
            )
    return games


def anchor_of(game: str, ruleset_id: str) -> str:
    """Where a ruleset stands on the page of all checks."""
    return game if game == ruleset_id else f"{game}-{ruleset_id}"


def rulesets() -> list[dict[str, object]]:
    """The registered rulesets of every game."""
    return [
        {"anchor": anchor_of(game, ruleset_id), "title": ruleset.title, "checks": ruleset.checks}
        for game, ruleset_id, ruleset in all_rulesets()
    ]
