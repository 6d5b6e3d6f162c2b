"""Builds the site: pages from the catalog, then MkDocs, beside the old site; a failed build leaves the old one."""

from __future__ import annotations

import gc
import json
import shutil
from collections.abc import Callable, Collection
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from markupsafe import escape

from kb import paths
from kb.catalog.reader import Catalog
from kb.catalog.store import open_catalog
from kb.decks.games import all_rulesets
from kb.files.folders import real_folder, workshop
from kb.files.patch import finish, is_cut_off
from kb.files.swap import locked, recover
from kb.registry import games
from kb.site.addresses import SUFFIX
from kb.site.checker.pack import Packer
from kb.site.checker.page import put_script, write_checker
from kb.site.colours import colours
from kb.site.data import Older, write_data
from kb.site.folder import SiteError, reason, site_folder
from kb.site.general import DESCRIPTION, anchor_of, write_general
from kb.site.hosted.edition import ASSETS, frame_stamp, packed_before, taken_along, write_edition
from kb.site.hosted.manifest import preview, write_manifest
from kb.site.identity import Identity, dress, read_identity
from kb.site.library import Library, only_games, read_library, with_own
from kb.site.memory import give_back, swept_soon
from kb.site.own import write_own
from kb.site.pages import Writer
from kb.site.past import (
    Past,
    Readings,
    around_pages,
    basis_of,
    body_digests,
    changed_texts,
    keep_past,
    past_in,
    read_past,
    same_pages,
    told_of,
    unchanged,
)
from kb.site.places import all_pages
from kb.site.placing import check_places, merge, put_in_place, read_marker
from kb.site.rules import write_rules
from kb.site.run import run_mkdocs, write_sitemap
from kb.site.searchdata import write_search_data
from kb.site.standing import Finished, digests_of, files_of, leave_out_equal, standing
from kb.site.using import write_using
from kb.version import __version__

__all__ = ["Built", "SiteError", "build_site", "is_fresh"]

# The page that MkDocs asks for: it is never taken over.
FIRST = "index"
Progress = Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class Built:
    """A finished site: where it is, how many pages it has, and how many of them were made anew."""

    folder: Path
    pages: int
    anew: int


def build_site(
    catalog: Catalog,
    out: Path,
    progress: Progress | None = None,
    pages: Path | None = None,
    keep: bool = False,
    identity: Identity | None = None,
) -> Built:
    """Build the site into the folder `out`, replacing a site that is there.

    `pages` keeps the Markdown and theme that MkDocs was given (for `mkdocs serve`); with `keep`, files in `out` that kb did not
    write stay; `identity` is how the site presents itself, else what a site.yaml beside the sources says. Raises SiteError when
    `out` or `pages` holds something else than kb's, when they cannot be written, or when MkDocs finds fault; `out` is then as it
    was.
    """
    out, pages = real_folder(out), real_folder(pages) if pages else None
    try:
        with swept_soon(), locked(out):  # what stays of an older site is looked at once
            recover(out)
            finish(out)
            check_places(out, pages, keep)
            identity = identity or read_identity(paths.sources_root())
            with open_catalog(own=True) if identity.with_own else nullcontext(catalog) as shown:
                report = progress or (lambda _step, _share: None)
                return write_site(catalog, shown, out, report, pages, keep, identity)
    except OSError as error:
        raise SiteError(f"The site cannot be written to {out}: {reason(error)}.") from error


def write_site(
    catalog: Catalog,
    shown: Catalog,
    out: Path,
    report: Progress,
    pages: Path | None,
    keep: bool,
    identity: Identity,
) -> Built:
    """`build_site` without its errors in words; `shown` is the catalog with what the user has imported where that is on the site, else the
    same. Raises SiteError and OSError."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with workshop(out) as beside, Packer(beside / "python") as packer:
        report("reading the catalog", 0.0)
        give_back()  # the catalog may just have been built
        library = read_library(catalog)
        if identity.with_own:
            library = with_own(library, shown)
        if identity.games:
            library = only_games(library, identity.games)
        gc.freeze()  # the whole library stays: it is not looked through again and again for what may go
        staging, site = beside / "staging", beside / "site"
        past = Past() if pages else read_past(out)  # what the folder `pages` is to hold is written whole
        there = standing(past, out)
        begun = Past(basis_of(shown, site_folder(), identity, notice()), body_digests(library))
        changed = changed_texts(past, begun)
        # Early, because a whole game is in memory for a moment: the pages then grow into the room that it leaves.
        report("writing the data", 0.01)
        older = Older(out, past.data, changed, there) if changed is not None else None
        data, same = write_data(
            catalog, library.games, list(library.shelves.values()), beside / "data", identity, older
        )
        give_back()
        number, told, left = stage(shown.index_folder, library, staging, (past, begun), there, report, identity, packer)
        same |= left
        del library  # most of the memory, which only pages need
        give_back()
        now = past_in(told)
        del told
        report("running MkDocs", 0.3)
        run_mkdocs(staging, site, *([number] if pages else []))
        merge(beside / "data", site)
        report("packing the deck checker", 0.9)
        put_script(packer, site, staging if pages else None)
        write_sitemap(site, identity.url, now.pages)
        report("packing the whole for readers without a network", 0.95)
        write_manifest(site, identity, DESCRIPTION)
        finished = Finished(site, out, same)
        digests = digests_of(finished, past, taken_along(finished.names()))
        whole = write_edition(finished, digests, packed_before(out, past.whole))
        give_back()  # what the packers held
        if same:
            finished = Finished(site, out, same | leave_out_equal(site, out))
        now = replace(now, files=files_of(finished, past, there, digests), whole=whole, data=data)
        report("putting it in place", 0.98)
        put_in_place(site, out, marker(shown, identity), keep, finished.same)
        keep_past(out, now)
        if pages:
            keep_pages(staging, pages, marker(shown, identity))
    report("done", 1.0)
    return Built(out, number, len(now.pages) - sum(f"{path}{SUFFIX}" in same for path in now.pages))


def keep_pages(staging: Path, pages: Path, told: dict[str, str]) -> None:
    """Keep what MkDocs was given in the folder `pages`, with its marker; the site is built by then. Raises SiteError."""
    try:
        pages.parent.mkdir(parents=True, exist_ok=True)
        with workshop(pages) as beside:
            copied = shutil.copytree(staging, beside / "pages")
            with locked(pages):
                put_in_place(copied, pages, told, False)
    except OSError as error:
        raise SiteError(f"The site is built, but its pages cannot be kept in {pages}: {reason(error)}.") from error


def stage(
    index_folder: Path,
    library: Library,
    staging: Path,
    builds: tuple[Past, Past],
    there: Collection[str],
    report: Progress,
    identity: Identity,
    packer: Packer,
) -> tuple[int, bytes, set[str]]:
    """Write into `staging` what MkDocs is to read: the number of all pages, how each is made (`past_in`), and the files of the site that
    stay. What is known of pages lies between all that they were made of: told as bytes it lets that room go.

    `builds` are the one that is known of the older site and this one as it begins; `there` are the older site's files, as far as they
    are as that build wrote them.
    """
    past, begun = builds
    changed = changed_texts(past, begun)
    pages = {path for path in past.pages if f"{path}{SUFFIX}" in there and path != FIRST}
    packer.known = past.checker if changed is not None else ""
    readings = Readings()
    readings.watch(library)
    for left in (unchanged(past, changed, pages), set[str]()):
        writer, parts = write_pages(library, index_folder, staging, report, identity, readings, left, packer, there)
        made = {**{path: past.pages[path] for path in left}, **writer.made}
        around = around_pages(staging, site_folder())
        now = Past(begun.basis, begun.bodies, *around, made, sorted(readings.outside), checker=packer.name)
        same = same_pages(past, now, pages)
        if left <= same:
            break
        shutil.rmtree(staging)  # what stands around the pages is not as it was: none is left out
    for path in same - left:
        (staging / "docs" / f"{path}.md").unlink()
    return len(writer.written), told_of(now), parts.union(f"{path}{SUFFIX}" for path in same)


def write_pages(
    library: Library,
    index_folder: Path,
    staging: Path,
    report: Progress,
    identity: Identity,
    readings: Readings,
    left: Collection[str],
    packer: Packer,
    there: Collection[str] = (),
) -> tuple[Writer, set[str]]:
    """Write Markdown (of all pages but those in `left`), theme and configuration into `staging`; returns who wrote them, and the parts
    of the search that are `there` and stay.

    `packer` begins to pack the checker, which goes on beside all that follows.
    """
    site = site_folder()
    shutil.copytree(site / "theme", staging / "theme", ignore=shutil.ignore_patterns("icons"))
    with (staging / "theme" / "assets" / "kb" / "kb.css").open("a", encoding="utf-8") as style:
        style.write(colours(game for game in games().values() if game.id in library.games))
    icon = dress(staging / "theme", identity)
    pages = all_pages()
    writer = Writer(library, site, staging, pages, readings, left)
    library.checks = cited_by()
    # First, because it holds a whole index for a moment: the pages then grow into the room that it leaves.
    assets = f"{ASSETS}/"
    parts = {name.removeprefix(assets) for name in there if name.startswith(assets)}
    parts = write_search_data(library, writer.addresses, index_folder, staging / "docs" / ASSETS, parts)
    give_back()
    report("writing pages", 0.05)
    script = packer.begin(library, writer.addresses, site)
    give_back()
    for game in pages.values():
        game.write(writer)
    write_rules(writer)
    write_own(writer)
    write_using(writer, site)
    write_checker(writer, script)
    write_general(writer, identity.name, notice(), bool(script))
    writer.write_part(
        "parts/games.html",
        "games.html.j2",
        shown={entry.game for entry in library.entries.values()},
        short={game.id: game.short for game in games().values()},
    )
    for old, entry in library.formerly.items():
        if old.casefold() not in writer.written:
            writer.redirect(old, writer.addresses.entry(entry))
    config = (
        f"INHERIT: {json.dumps(str(site / 'mkdocs.yml'))}\nsite_name: {json.dumps(str(escape(identity.name)))}\n"
        f"site_url: {json.dumps(identity.url)}\ndocs_dir: docs\nsite_dir: ../site\ntheme:\n  custom_dir: theme\n"
        f"extra:\n  stamp: {json.dumps(frame_stamp(staging / 'theme' / 'assets' / 'kb'))}\n  icon: {json.dumps(icon)}\n"
        f"  preview: {json.dumps(preview(identity))}\n"
    )
    (staging / "mkdocs.yml").write_text(config, encoding="utf-8")
    return writer, {f"{assets}{part}" for part in parts}


def marker(catalog: Catalog, identity: Identity) -> dict[str, str]:
    """What a site was built from."""
    return {"version": __version__, "catalog": catalog.hash, "identity": json.dumps(identity.told(), sort_keys=True)}


def is_fresh(out: Path, catalog: Catalog) -> bool:
    """Whether the site in `out` was built from this very catalog, and whole."""
    if is_cut_off(out):
        return False
    told, wanted = read_marker(out) or {}, marker(catalog, read_identity(paths.sources_root()))
    return {key: told.get(key) for key in wanted} == wanted


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
