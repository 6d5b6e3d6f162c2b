"""`kb build`, `kb doctor`, `kb export` and `kb new`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from kb import paths, registry
from kb.cli.help import Commands
from kb.cli.session import session_here
from kb.cli.terminal import AsJson, Progress, print_found, strong, tell, warn
from kb.frozen import frozen
from kb.jsonable import Jsonable
from kb.plural import counted


@frozen
class Doctor(Jsonable):
    """What is there, how old it is, how much of each, and what is wrong."""

    version: str
    """Version of kb."""
    sources: str
    """Folder of the sources."""
    catalog: str
    """Folder of the catalog."""
    database: str
    """Address of the database, without its password."""
    built: str | None
    """When the catalog was built; null: not yet."""
    counts: dict[str, dict[str, int]]
    """How much there is, by kind and game."""
    data: str
    """Folder of your own data."""
    settings: str
    """File of your settings."""
    scopes: dict[str, list[str]]
    """What can be searched within, by id, with other names of it."""
    newer: list[str]
    """For each game whose card facts are newer than its documents a sentence, with the dates."""
    problems: list[str]
    """What is wrong, each in a sentence."""


@frozen
class ContentCheck(Jsonable):
    """What is wrong in a part of the content (`--content`)."""

    entries: int
    """How many entries it has."""
    questions: int
    """How many questions they are asked."""
    named: int
    """How many of these name the sentence that answers."""
    problems: list[str]
    """What is wrong, each in a sentence."""
    doubts: list[str]
    """What may be wrong and is worth a look, each in a sentence."""


def build() -> None:
    """Build the catalog anew (it is otherwise built by itself when sources change).

    Examples:
        kb build
        KB_SOURCES=sources kb build
    """
    from kb.catalog.store import build_catalog

    warn_of_other_checkout()
    started = time.monotonic()
    with build_catalog(Progress("Building the catalog")) as catalog:
        counts = catalog.counts()
    entries, cards = (sum(counts[table].values()) for table in ("entry", "card"))
    tell(f"Built {entries} entries and {cards} cards in {time.monotonic() - started:.1f} s.")


def doctor(
    as_json: AsJson = False,
    content: Annotated[
        Path | None,
        typer.Option(
            help="Only read the sources again and say what is wrong in this file or folder of content or cards; builds nothing.",
        ),
    ] = None,
) -> int:
    """Say what is there, how old it is, how much of each, and what is wrong. Exit code 1 when something is.

    Examples:
        kb doctor
        kb doctor --json
    """
    if content is not None:
        return check_content(content, as_json)
    from kb.catalog.queries import all_newer_facts
    from kb.catalog.store import database_url, home, open_catalog, read_current
    from kb.decks.games import dead_citations
    from kb.retrieval.engine import SearchIndex
    from kb.settings import damage
    from kb.sources.content import read_sources
    from kb.sources.own import lost_links
    from kb.sources.problems import SourceError
    from kb.version import __version__

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
    problems += [f"{link} is a link that leads nowhere; remove it." for link in lost_links(paths.user_data_dir())]
    counts: dict[str, dict[str, int]] = {}
    scopes: dict[str, list[str]] = {}
    newer: list[str] = []
    if (current and not hurt) or not broken:
        with open_catalog() as catalog:
            counts = catalog.counts()
            built = catalog.built
            problems += dead_citations(counts["entry"], catalog.citations)
            index = SearchIndex(catalog.index_folder)
            scopes = index.called()
            index.close()
            newer = all_newer_facts(catalog)
    else:
        built = None
    report = Doctor(
        __version__, str(paths.sources_root()), str(home()), masked(database_url() or "SQLite"), built, counts,
        str(paths.user_data_dir()), str(paths.settings_file()), scopes, newer, problems,
    )  # fmt: skip
    print_found(report, doctor_lines(report), as_json)
    if not as_json:
        warn_of_other_checkout()
    return 1 if problems else 0


def warn_of_other_checkout() -> None:
    """Say that kb does not read the checkout that one stands in, unless `KB_SOURCES` chose what it reads."""
    import os

    if not os.environ.get("KB_SOURCES") and (other := paths.other_checkout(Path())) is not None:
        warn(f"kb reads {paths.sources_root()}, not the content of this checkout. {how_to_read(other)}")


def how_to_read(checkout: Path) -> str:
    """A sentence that says how to make kb read a checkout."""
    return (
        f"KB_SOURCES={checkout} in the environment makes it read that; so does `pip install -e {checkout}`, for good."
    )


def damage_of_the_catalog(broken: bool) -> tuple[bool, list[str]]:
    """Whether the catalog is damaged still, and what is said of its damage. It is built anew, unless the sources are `broken`."""
    from kb.catalog.store import build_catalog, damaged, emptied, own_data

    files = ", ".join([*damaged(), *(damaged(own) if (own := own_data()) else ())])
    if files and broken:
        return True, [f"The catalog is damaged ({files}); `kb build` rebuilds it when the sources are right again."]
    if files:
        build_catalog().close()
        return False, [f"The catalog was damaged ({files}); it was rebuilt."]
    if not broken and emptied():
        build_catalog().close()
        what = "dropped, emptied, or another kb's"
        return False, [f"The tables on the server were not as kb wrote them ({what}); they were written anew."]
    return False, []


def doctor_lines(report: Doctor) -> Iterator[str]:
    """The report of `kb doctor` for people."""
    yield f"{strong('kb')} {report.version}\nsources   {report.sources}\ncatalog   {report.catalog}"
    yield f"database  {report.database}\nbuilt     {report.built or 'not yet'}"
    yield f"your data {report.data}\nsettings  {report.settings}"
    for scope, names in report.scopes.items():
        yield f"scope     {scope}{': ' + ', '.join(names) if names else ''}"
    for table, games in report.counts.items():
        yield f"{table:<9} " + ", ".join(f"{game} {number}" for game, number in games.items())
    yield from report.newer
    yield from report.problems or ("Nothing is wrong.",)


def check_content(place: Path, as_json: bool) -> int:
    """Print what is wrong in a file or folder of content or cards, and how many of its questions name the sentence that answers.

    Returns the exit code: 0 nothing is wrong, 1 something is, 2 nothing that kb reads lies there.
    """

    from kb.decks.names import either
    from kb.sources.content import read_sources
    from kb.sources.twins import drifted

    root = paths.sources_root().resolve()
    below = place.resolve()
    places = [root / "content", root / "cards", *(folder.resolve() for folder in registry.sources())]
    if not below.exists() or not any(below.is_relative_to(each) for each in places):
        read = either([str(each) for each in places])
        warn(f"{place} is not a file or folder of {read}, which kb reads.")
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
        doubts=[str(drift) for drift in drifted(content.entries) if {drift.shorter, drift.longer} & ids],
    )
    counts = f"{counted(report.entries, 'entry')}, {counted(report.questions, 'question')}"
    wrong = f"{counted(len(problems), 'problem')}." if problems else "Nothing is wrong."
    said = (
        f"{counts}; {report.named} of them name the sentence that answers. {wrong}"
        if entries
        else f"{place} was read. {wrong}"
    )
    look = [f"Worth a look: {doubt}" for doubt in report.doubts]
    print_found(report, [*report.problems, *look, said], as_json)
    return 1 if problems else 0


def masked(url: str) -> str:
    """A database URL without its password."""
    import re

    return re.sub(r"(//[^:/@]+):[^@]+@", r"\1:***@", url)


def export(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to; an older export there is replaced.")],
    since: Annotated[
        Path | None,
        typer.Option("--since", metavar="FOLDER", help="Also say what changed since this older export."),
    ] = None,
    with_own: Annotated[
        bool,
        typer.Option(
            "--with-own", help="Also your own rulebooks and cards, which are else left out: mind their licence."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write all entries, rulings, checks and card facts as JSON with its schema, and as one SQLite file.

    Your own rulebooks and cards are not in it, unless you ask for them. Equal sources give equal files.

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
        said.append(
            "Your own rulebooks and cards are in it. The licence of the files does not cover them: publish only what you may."
        )
    if since:
        said.append(f"{folder / 'CHANGES.md'} says what changed since {since}.")
    print_found(index, said, as_json)


new = Commands(name="new", help="Begin a game of your own.", no_args_is_help=True)


@new.callback()
def group() -> None:
    """Begin a game of your own."""


@new.command("game")
def game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its short name: small letters, digits, hyphens.")],
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="What it is called.")] = None,
    colour: Annotated[
        str | None,
        typer.Option("--colour", metavar="COLOUR", help="Its colour on the site, like #2d4d7c."),
    ] = None,
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where the folder kb-NAME is made.")] = Path(),
) -> None:
    """Make a folder with entries, cards, deck checks and tests of a new game, which works at once in searches, checks and the site.

    Examples:
        kb new game pebbles
        kb new game stones --title "Stones" --out games
    """
    from kb.starter.game import new_game

    made = new_game(name, out, title, colour)
    tell(
        f'Made {made}. Try it:\n  export KB_SOURCES={made.resolve()}\n  kb search --in {name} "how many copies of a card"'
    )
    tell(f"  kb deck check {made / 'deck.yaml'}\nIts README.md says what each file is.")
