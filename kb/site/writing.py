"""Write all pages of a site.

These are the pages of each game (its rules, the user's imported data, the checker) and the pages that belong to no game
(home, offline use, the list of checks, about).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from kb import paths
from kb.decks.games import all_rulesets
from kb.registry import about
from kb.site.checker.page import PAGES, tools_of, write_checker
from kb.site.editions import Opening, openings
from kb.site.folder import site_folder
from kb.site.library import Library, Volume
from kb.site.own import write_own
from kb.site.pages import Page, Writer
from kb.site.places import all_pages, places_of
from kb.site.rules import write_rules
from kb.site.topics import title_of_changes


def write_all(
    library: Library,
    name: str,
    url: Callable[[str], str] = str,
    checker: Callable[[Writer], Path | None] = lambda _writer: None,
) -> Writer:
    """Write every page of a site called `name`, and record the redirects from old addresses. Return the Writer that
    holds them.

    `url` returns the address of a page or file (see kb.site.pages). `checker` packs the deck checker and returns the
    path of its script, or None for a site without a checker. Raises SiteError.
    """
    site, pages = site_folder(), all_pages()
    writer = Writer(library, site, pages, url)
    library.checks = cited_by()
    script = checker(writer)
    for game in pages.values():
        game.write(writer)
    write_rules(writer)
    write_own(writer)
    write_checker(writer, script)
    write_general(writer, name, notice(), bool(script))
    for old, entry in library.formerly.items():
        if not writer.has(old):
            writer.redirect(old, writer.addresses.entry(entry))
    return writer


def notice() -> Path | None:
    """Return the path of NOTICE.md: next to the sources in a checkout, among the package's metadata if kb is installed.

    Return None if there is no such file.
    """
    from importlib.metadata import PackageNotFoundError, files

    in_checkout = paths.sources_root() / "NOTICE.md"
    if in_checkout.is_file():
        return in_checkout
    try:
        notices = [file for file in files("cardlore-kb") or [] if file.name == "NOTICE.md"]
    except PackageNotFoundError:
        return None
    return Path(str(notices[0].locate())) if notices else None


def cited_by() -> dict[str, list[tuple[str, object]]]:
    """Return the deck checks that cite each entry, by the entry's id.

    Each check comes with the anchor of its ruleset on the page of all checks.
    """
    by_entry: dict[str, list[tuple[str, object]]] = {}
    for game, ruleset_id, ruleset in all_rulesets():
        for check in ruleset.checks:
            for entry in check.cites:
                by_entry.setdefault(entry, []).append((anchor_of(game, ruleset_id), check))
    return by_entry


DESCRIPTION = "Rules, rulings, cards and deck checks for adventure card games. Unofficial, offline."
MOST_TRIES, MOST_LINKS = 3, 5


def write_general(writer: Writer, name: str, notice: Path | None, checker: bool) -> None:
    """Write the pages that belong to no game.

    `name` is the site's name. `notice` is the path of NOTICE.md, or None. `checker` is True if the site can check
    decks.
    """
    writer.write(
        Page(
            "index",
            name,
            "home.md.j2",
            DESCRIPTION,
            layout="home",
            context=lambda: {
                "games": shown_games(writer.library),
                "tries": tries(writer.library),
                "tools": tool_tiles(writer, checker),
                "campaign": writer.has("campaign"),
                "build": writer.has("build"),
            },
        )
    )
    writer.write(
        Page(
            "along",
            "Use offline",
            "along.md.j2",
            "Keep the whole site on a phone or laptop and open it offline.",
            layout="along",
            context={"checker": checker},
        )
    )
    writer.write(
        Page(
            "checks/index",
            "All deck checks",
            "checks.md.j2",
            "Every deck check with the rule it cites.",
            context={"rulesets": rulesets(writer.library)},
        )
    )
    text = notice.read_text(encoding="utf-8") if notice else ""
    body = text.partition("\n")[2] if text.startswith("# ") else text
    writer.write(
        Page(
            "about",
            "About and licences",
            "about.md.j2",
            "What kb is, and kb's sources and licences.",
            context=lambda: {"notice": writer.markdown(body)},
        )
    )


TILES = {
    "check": "Paste a deck and see which rules it breaks",
    "build": "Choose a character, add cards, see each problem at once",
    "party": "Check decks together, or rebuild them after a scenario",
    "campaign": "Record each game and see what the game changes",
}
"""The tools shown on the home page: the name of each tool's page, and one line about its purpose."""


def tool_tiles(writer: Writer, checker: bool) -> list[tuple[str, str, str]]:
    """Return the address, title and purpose of each tool on the home page. Empty if the site has no checker."""
    return [(f"{page}.html", PAGES[page][0], words) for page, words in TILES.items() if checker and writer.has(page)]


def shown_games(library: Library) -> list[dict[str, object]]:
    """Return the data of each game on the home page: title, tagline, links, and the numbers of entries and cards. Games
    without entries are left out.
    """
    games: list[dict[str, object]] = []
    for game, title in library.games.items():
        volumes = [volume for volume in library.volumes.values() if volume.game == game]
        number = sum(entry.game == game for entry in library.entries.values())
        cards = sum(card.startswith(f"{game}/") for card in library.cards)
        if number:
            games.append(
                {
                    "id": game,
                    "title": title,
                    "tagline": description.tagline if (description := about(game)) else "",
                    "links": list(first_links(library, game, volumes))[:MOST_LINKS],
                    "entries": number,
                    "cards": cards,
                }
            )
    return games


def first_links(library: Library, game: str, volumes: list[Volume]) -> Iterator[Opening]:
    """Yield the links of a game on the home page: to its sets, or to its cards and its entry points."""
    description = about(game)
    if len(volumes) > 1 and all(volume.set for volume in volumes):
        yield from (Opening(volume.title, "", game, tool=f"{volume.id}/index.html") for volume in volumes)
        if any(key.startswith(f"{game}/") for key in library.topics):
            yield Opening(title_of_changes(game), "", game, tool=f"{game}/topics/index.html")
        return
    cards = [(f"{path}.html", title) for path, title, _much in (places_of(library, volumes[0]) if volumes else [])]
    shown = [place for place in cards if not place[0].startswith((f"{game}/changes/", f"{game}/news/"))][:2]
    yield from (Opening(title, "", game, tool=address) for address, title in shown)
    if description:
        yield from openings(library, game, {path: address for path, address, _words in tools_of(library, game)})


def anchor_of(game: str, ruleset_id: str) -> str:
    """Return the anchor of a ruleset on the page of all checks."""
    return game if game == ruleset_id else f"{game}-{ruleset_id}"


def tries(library: Library) -> list[tuple[str, str]]:
    """Return a few example questions for the home page, as pairs of link text and question. Every game gets its first
    question before any game gets a second one.
    """
    offered = [list(description.tries.items()) for game in library.games if (description := about(game))]
    rounds = [[listed[at] for listed in offered if at < len(listed)] for at in range(MOST_TRIES)]
    return [pair for each in rounds for pair in each][:MOST_TRIES]


def rulesets(library: Library) -> list[dict[str, object]]:
    """Return the anchor, title and checks of each registered ruleset of the site's games."""
    return [
        {"anchor": anchor_of(game, ruleset_id), "title": ruleset.title, "checks": ruleset.checks}
        for game, ruleset_id, ruleset in all_rulesets()
        if game in library.games
    ]
