"""`kb doctor`, `kb export`, `kb new` and the old command `kb build`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from kb import paths, registry
from kb.catalog.cleaning import Cleaned
from kb.catalog.queries import Age
from kb.cli.help import Commands
from kb.cli.session import session_here
from kb.cli.terminal import AsJson, Progress, print_found, strong, tell, warn
from kb.frozen import frozen
from kb.plural import counted
from kb.shapes import Jsonable

UNKNOWN = "cards-known"
"""Id of the check that finds cards missing from the card data."""


@frozen
class Doctor(Jsonable):
    """Versions, paths, counts and problems of this installation."""

    version: str
    """Version of kb."""
    sources: str
    """Folder of the sources."""
    catalog: str
    """Folder of the catalog."""
    database: str
    """Address of the database, without its password."""
    built: str | None
    """Time when the catalog was built; null if it has not been built."""
    counts: dict[str, dict[str, int]]
    """Number of entries, cards, headings and characters, by kind and game."""
    data: str
    """Folder of your own data."""
    settings: str
    """File of your settings."""
    scopes: dict[str, list[str]]
    """Games and sets that `--in` accepts, by id, with their other names."""
    ages: list[Age]
    """The newest rules document and product of each game."""
    newer: list[str]
    """A sentence for each game whose card data are newer than its rules."""
    unknown_cards: list[str]
    """Cards of the last checked deck that are missing from the card data; they may be newer."""
    cleaned: Cleaned | None
    """Numbers of the files that `--clean` removed; null without that option."""
    problems: list[str]
    """The problems found, one sentence each."""


@frozen
class ContentCheck(Jsonable):
    """The problems in the file or folder given with `--content`."""

    entries: int
    """Number of entries."""
    questions: int
    """Number of questions under `asked:`."""
    named: int
    """Number of these questions for which an answering sentence is given."""
    problems: list[str]
    """The problems found, one sentence each."""
    doubts: list[str]
    """Possible problems that are worth a look, one sentence each."""


def build() -> None:
    """Rebuild the search catalog (the old name of kb doctor --rebuild).

    Examples:
        kb build
        KB_SOURCES=sources kb build
    """
    warn_of_other_checkout()
    tell(rebuilt())


def rebuilt() -> str:
    """Rebuild the catalog. Return a sentence with the catalog's size and the time taken."""
    from kb.catalog.store import build_catalog

    started = time.monotonic()
    with build_catalog(Progress("Building the catalog")) as catalog:
        counts = catalog.counts()
    entries, cards = (sum(counts[table].values()) for table in ("entry", "card"))
    return f"Built {counted(entries, 'entry')} and {counted(cards, 'card')} in {time.monotonic() - started:.1f} s."


def doctor(
    as_json: AsJson = False,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Rebuild the search catalog first (normally automatic).")
    ] = False,
    clean: Annotated[
        bool,
        typer.Option("--clean", help="Remove catalogs of deleted checkouts and older versions, and old lock files."),
    ] = False,
    content: Annotated[
        Path | None,
        typer.Option("--content", metavar="PATH", help="Only check this file or folder of content or cards."),
    ] = None,
) -> int:
    """Show versions, paths and the age of the data, and report problems. The exit code is 1 if there are problems.

    Examples:
        kb doctor
        kb doctor --json
    """
    if content is not None:
        return check_content(content, as_json)
    from kb.catalog.queries import ages, all_newer_facts
    from kb.catalog.store import database_url, home, open_catalog, read_current
    from kb.decks.games import dead_citations
    from kb.retrieval.engine import SearchIndex
    from kb.settings import damage
    from kb.sources.content import read_sources
    from kb.sources.own import lost_links
    from kb.sources.problems import SourceError
    from kb.version import __version__

    if rebuild:
        warn(rebuilt())
    current = read_current(home())
    try:
        _content, _facts, broken = read_sources(paths.sources_root(), paths.user_data_dir())
    except SourceError as error:
        broken = error.problems
    problems = [str(problem) for problem in broken]
    if wrong := damage():
        problems.append(wrong)
    hurt, catalog_problems = damage_of_the_catalog(bool(broken))
    problems += catalog_problems
    problems += [f"{link} is a broken link; remove the link." for link in lost_links(paths.user_data_dir())]
    counts: dict[str, dict[str, int]] = {}
    scopes: dict[str, list[str]] = {}
    newer, old, unknown = list[str](), list[Age](), list[str]()
    if (current and not hurt) or not broken:
        with open_catalog() as catalog:
            counts = catalog.counts()
            built = catalog.built
            problems += dead_citations(counts["entry"], catalog.citations)
            index = SearchIndex(catalog.index_folder)
            scopes = index.called()
            index.close()
            newer, old = all_newer_facts(catalog), ages(catalog)
        unknown = unknown_in_last_deck()
    else:
        built = None
    removed = cleaned() if clean else None
    report = Doctor(
        __version__, str(paths.sources_root()), str(home()), masked(database_url() or "SQLite"), built, counts,
        str(paths.user_data_dir()), str(paths.settings_file()), scopes, old, newer, unknown,
        removed, problems,
    )  # fmt: skip
    print_found(report, doctor_lines(report), as_json)
    if not as_json:
        warn_of_other_checkout()
    return 1 if problems else 0


def cleaned() -> Cleaned:
    """Remove unused files from the cache, and return the numbers of removed and kept ones."""
    from kb.catalog.cleaning import clean

    return clean()


def unknown_in_last_deck() -> list[str]:
    """Return the cards of the last checked deck that are missing from the card data; empty if it cannot be read."""
    from kb.decks.nodes import DeckFileError
    from kb.settings import last_deck

    deck = last_deck()
    if deck is None:
        return []
    with session_here() as session:
        reports = [each for each in session.check_decks([str(deck)]) if not isinstance(each, DeckFileError)]
    return [
        card
        for each in reports
        for found in each.findings
        if getattr(found.check, "id", found.check) == UNKNOWN
        for card in found.cards
    ]


def warn_of_other_checkout() -> None:
    """Warn if kb does not read the checkout in the working folder, unless `KB_SOURCES` is set."""
    import os

    if not os.environ.get("KB_SOURCES") and (other := paths.other_checkout(Path())) is not None:
        warn(f"kb reads {paths.sources_root()}, not the content in this checkout. {how_to_read(other)}")


def how_to_read(checkout: Path) -> str:
    """Return a sentence that says how to make kb read a checkout."""
    return f"To use the checkout, set KB_SOURCES={checkout}, or run `pip install -e {checkout}`."


def damage_of_the_catalog(broken: bool) -> tuple[bool, list[str]]:
    """Rebuild the catalog if it is damaged, unless the sources are `broken`. Return True if it is still damaged, and
    sentences about the damage.
    """
    from kb.catalog.store import build_catalog, damaged, emptied, own_data

    files = ", ".join([*damaged(), *(damaged(own) if (own := own_data()) else ())])
    if files and broken:
        return True, [f"The catalog is damaged ({files}); kb rebuilds it once the sources are valid again."]
    if files:
        build_catalog().close()
        return False, [f"The catalog was damaged ({files}); it was rebuilt."]
    if not broken and emptied():
        build_catalog().close()
        return False, ["Another program had changed the tables on the database server; kb rebuilt them."]
    return False, []


def doctor_lines(report: Doctor) -> Iterator[str]:
    """Yield the report of `kb doctor` as lines for people."""
    yield f"{strong('kb')} {report.version}\nsources   {report.sources}\ncatalog   {report.catalog}"
    yield f"database  {report.database}\nbuilt     {report.built or 'not yet'}"
    yield f"your data {report.data}\nsettings  {report.settings}"
    for scope, names in report.scopes.items():
        yield f"scope     {scope}{': ' + ', '.join(names) if names else ''}"
    for table, games in report.counts.items():
        yield f"{table:<9} " + ", ".join(f"{game} {number}" for game, number in games.items())
    for age in report.ages:
        parts = (
            age.document and f"rules {age.document} ({age.document_date})",
            age.product and f"cards up to {age.product} ({age.released})",
            age.facts_of and f"card data of {age.facts_of}, without {', '.join(age.missing)}",
        )
        yield f"newest    {age.game}: {', '.join(part for part in parts if part)}"
    yield from report.newer
    if report.unknown_cards:
        yield f"Your last checked deck has cards that are missing from the card data: {', '.join(report.unknown_cards)}. They may be newer."
    if report.cleaned:
        gone = f"{counted(report.cleaned.catalogs, 'old catalog')} and {counted(report.cleaned.locks, 'lock file')}"
        yield f"Removed {gone} ({report.cleaned.bytes / 1e6:.1f} MB)."
        if kept := report.cleaned.kept:
            yield f"Kept {counted(kept, 'catalog')} that another kb on this machine may use."
    yield from report.problems or ("No problems found.",)


def check_content(place: Path, as_json: bool) -> int:
    """Print the problems in a file or folder of content or cards, and the number of questions with an answering
    sentence.

    Return the exit code: 0 if there are no problems, 1 if there are problems, and 2 if `place` is not in kb's sources.
    """

    from kb.decks.names import either
    from kb.sources.content import read_sources
    from kb.sources.short_forms import loose_numbers
    from kb.sources.twins import drifted

    root = paths.sources_root().resolve()
    below = place.resolve()
    places = [root / "content", root / "cards", *(folder.resolve() for folder in registry.sources())]
    if not below.exists() or not any(below.is_relative_to(each) for each in places):
        read = either([str(each) for each in places])
        warn(f"{place} is not in {read}, where kb reads its sources.")
        if (other := paths.other_checkout(below)) is not None:
            warn(how_to_read(other))
        return 2
    content, _facts, broken = read_sources(root, paths.user_data_dir())
    problems = [problem for problem in broken if (root / problem.path).resolve().is_relative_to(below)]
    entries = [entry for entry in content.entries if (root / entry.path).resolve().is_relative_to(below)]
    answers = [number for entry in entries for _question, number in entry.answers]
    ids = {entry.id for entry in entries}
    report = ContentCheck(
        entries=len(entries),
        questions=len(answers),
        named=sum(number is not None for number in answers),
        problems=list(map(str, problems)),
        doubts=[
            *(str(drift) for drift in drifted(content.entries) if {drift.shorter, drift.longer} & ids),
            *(
                str(loose)
                for loose in loose_numbers(content.entries)
                if ids.intersection((loose.summary, *loose.entries))
            ),
        ],
    )
    counts = f"{counted(report.entries, 'entry')}, {counted(report.questions, 'question')}"
    wrong = f"{counted(len(problems), 'problem')}." if problems else "No problems found."
    said = f"{counts}, {report.named} with an answering sentence. {wrong}" if entries else f"Checked {place}. {wrong}"
    look = [f"Worth a look: {doubt}" for doubt in report.doubts]
    print_found(report, [*report.problems, *look, said], as_json)
    return 1 if problems else 0


def masked(url: str) -> str:
    """Return a database URL without its password."""
    import re

    return re.sub(r"(//[^:/@]+):[^@]+@", r"\1:***@", url)


def export(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to write to; replaces an older export.")],
    since: Annotated[
        Path | None,
        typer.Option("--since", metavar="FOLDER", help="Also list what has changed since this older export."),
    ] = None,
    with_own: Annotated[
        bool,
        typer.Option(
            "--with-own", help="Include your own rulebooks and cards. Check their licences before you share the export."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Export all entries, rulings, checks and card facts as JSON with a schema, and as SQLite.

    The same sources always give the same files.

    Examples:
        kb export data
        kb export new --since data
    """
    from kb.export.write import write_export

    shown = Progress("Exporting")
    with session_here(own=False) as session, session_here() as private:
        own = private.catalog if with_own else None
        index = write_export(session.catalog, folder, since, lambda share: shown("writing", share), own)
    counts = index.games.values()
    said = [
        f"Wrote {sum(count.entries for count in counts)} entries, {sum(count.cards for count in counts)} cards and "
        f"{sum(count.checks for count in counts)} checks to {folder}, in {len(index.files) + 1} files."
    ]
    if with_own:
        said.append("The export includes your own rulebooks and cards. Check their licences before you publish it.")
    if since:
        said.append(f"{folder / 'CHANGES.md'} lists the changes since {since}.")
    print_found(index, said, as_json)


new = Commands(name="new", help="Start a game of your own.", no_args_is_help=True)


@new.callback()
def group() -> None:
    """Start a game of your own."""


@new.command("game")
def game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Short name: small letters, digits, hyphens.")],
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="Title of the game.")] = None,
    colour: Annotated[
        str | None,
        typer.Option("--colour", metavar="COLOUR", help="Colour on the site, such as #2d4d7c."),
    ] = None,
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="The folder to create kb-NAME in.")] = Path(),
) -> None:
    """Create the files of a new game: sample entries, cards, deck checks and tests, ready to use.

    Examples:
        kb new game pebbles
        kb new game stones --title "Stones" --out games
    """
    from kb.starter.game import new_game

    made = new_game(name, out, title, colour)
    tell(
        f'Created {made}. Try it:\n  export KB_SOURCES={made.resolve()}\n  kb search --in {name} "how many copies of a card"'
    )
    tell(f"  kb deck check {made / 'deck.yaml'}\nIts README.md explains each file.")
