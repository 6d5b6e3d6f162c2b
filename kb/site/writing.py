"""All pages of a site, as a writer holds them: those of each game, the rules, what the user has imported, the checker, home."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from kb import paths
from kb.catalog.reader import Catalog
from kb.decks.games import all_rulesets
from kb.registry import games
from kb.site.checker.page import write_checker
from kb.site.folder import SiteError, site_folder
from kb.site.general import anchor_of, write_general
from kb.site.library import Library, only_games, read_library, with_own
from kb.site.own import write_own
from kb.site.pages import Writer
from kb.site.places import all_pages
from kb.site.rules import write_rules


def library_of(catalog: Catalog, chosen: Iterable[str] = (), own: Catalog | None = None) -> Library:
    """What a site shows of a catalog: of some games only, or of all; with what the user has imported, of the catalog with it (`own`).

    Raises SiteError for a game that there is not.
    """
    library = read_library(catalog)
    if own is not None:
        library = with_own(library, own)
    wanted = known_games(library, chosen)
    return only_games(library, wanted) if wanted else library


def known_games(library: Library, names: Iterable[str]) -> list[str]:
    """The ids of games that were named by id or by another name. Raises SiteError."""
    ids = {game.casefold(): game for game in library.games}
    ids |= {
        name.casefold(): about.id for about in games().values() for name in about.names if about.id in library.games
    }
    for name in names:
        if name.casefold() not in ids:
            raise SiteError(f"games: no game is called {name}; there are {', '.join(sorted(library.games))}.")
    return list(dict.fromkeys(ids[name.casefold()] for name in names))


def write_all(
    library: Library,
    name: str,
    url: Callable[[str], str] = str,
    checker: Callable[[Writer], Path | None] = lambda _writer: None,
) -> Writer:
    """Write every page of a site that is called `name`, and keep where old addresses lead.

    `url` says where a page or file stands (kb.site.pages), `checker` packs the deck checker and gives its script, if any.
    Raises SiteError.
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
    """The file NOTICE.md: beside the sources in a checkout, in the package's metadata when installed."""
    from importlib.metadata import PackageNotFoundError, files

    beside = paths.sources_root() / "NOTICE.md"
    if beside.is_file():
        return beside
    try:
        found = [file for file in files("cardlore-kb") or [] if file.name == "NOTICE.md"]
    except PackageNotFoundError:
        return None
    return Path(str(found[0].locate())) if found else None


def cited_by() -> dict[str, list[tuple[str, object]]]:
    """The deck checks that cite each entry, with the address of their ruleset on the page of all checks."""
    found: dict[str, list[tuple[str, object]]] = {}
    for game, ruleset_id, ruleset in all_rulesets():
        for check in ruleset.checks:
            for entry in check.cites:
                found.setdefault(entry, []).append((anchor_of(game, ruleset_id), check))
    return found
