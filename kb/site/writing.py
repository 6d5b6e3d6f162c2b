"""All pages of a site, as a writer holds them: those of each game, the rules, what the user has imported, the checker, home."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from kb import paths
from kb.decks.games import all_rulesets
from kb.site.checker.page import write_checker
from kb.site.folder import site_folder
from kb.site.general import anchor_of, write_general
from kb.site.library import Library
from kb.site.own import write_own
from kb.site.pages import Writer
from kb.site.places import all_pages
from kb.site.rules import write_rules


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
