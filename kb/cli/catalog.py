"""`kb build` and `kb doctor`."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.terminal import Progress, strong, warn

if TYPE_CHECKING:
    from kb.catalog.reader import Catalog


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("build")(build)
    app.command("doctor")(doctor)


def open_here() -> Catalog:
    """The catalog, with a progress bar and warnings for people."""
    from kb.catalog.store import open_catalog

    return open_catalog(Progress("Building the catalog"), warn)


def build() -> None:
    """Build the catalog anew (it is otherwise built by itself when sources change)."""
    from kb.catalog.store import build_catalog

    started = time.monotonic()
    with build_catalog(Progress("Building the catalog")) as catalog:
        counts = catalog.counts()
    entries, cards = (sum(counts[table].values()) for table in ("entry", "card"))
    typer.echo(f"Built {entries} entries and {cards} cards in {time.monotonic() - started:.1f} s.")


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Say what is there, how old it is, how much of each, and what is wrong. Exit code 1 when something is."""
    from kb import __version__, paths
    from kb.catalog.store import open_catalog, status
    from kb.load.problems import SourceError
    from kb.load.sources import load_sources

    state = status()
    problems: list[str] = []
    try:
        load_sources(paths.sources_root(), paths.user_data_dir())
    except SourceError as error:
        problems = [str(problem) for problem in error.problems]
    counts: dict[str, dict[str, int]] = {}
    if state.built or not problems:
        with open_catalog() as catalog:
            counts = catalog.counts()
            built = catalog.built
    else:
        built = None
    found = {
        "version": __version__, "sources": str(paths.sources_root()), "catalog": str(state.home), "database": masked(state.database),
        "built": built, "counts": counts, "problems": problems,
    }  # fmt: skip
    if as_json:
        typer.echo(json.dumps(found, indent=1))
    else:
        typer.echo(f"{strong('kb')} {__version__}\nsources   {found['sources']}\ncatalog   {found['catalog']}")
        typer.echo(f"database  {found['database']}\nbuilt     {built or 'not yet'}")
        for table, games in counts.items():
            typer.echo(f"{table:<9} " + ", ".join(f"{game} {number}" for game, number in games.items()))
        typer.echo("\n".join(problems) if problems else "Nothing is wrong.")
    raise typer.Exit(1 if problems else 0)


def masked(url: str) -> str:
    """A database URL without its password."""
    import re

    return re.sub(r"(//[^:/@]+):[^@]+@", r"\1:***@", url)
