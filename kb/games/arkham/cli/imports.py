"""`kb import`: takes data that you own into your own data folder; nothing of it leaves the machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypedDict

import typer

from kb.cli.terminal import AsJson, print_json, tell


class SkippedJson(TypedDict):
    """A record that was left out."""

    file: str
    """The file it stands in."""
    code: str
    """Its code."""
    reason: str
    """Why."""


class ArkhamDBJson(TypedDict):
    """What an import of ArkhamDB's card data took."""

    taken: dict[str, int]
    """Number of records by kind."""
    files: int
    """Number of files that were read."""
    skipped: list[SkippedJson]
    """Records that were left out."""


def arkhamdb(
    folder: Annotated[
        Path,
        typer.Argument(metavar="PATH", help="Folder with `pack/`, `packs.json`, … (a copy of ArkhamDB's card data)."),
    ],
    languages: Annotated[
        list[str] | None,
        typer.Option("--language", "-l", metavar="CODE", help="Take names in this language too (repeatable): de, fr …"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Import cards, taboo lists and products of Arkham Horror: The Card Game from a folder in ArkhamDB's layout.

    Texts stay on this machine. Exit code 0: imported; 2: the folder cannot be read (then nothing has changed).

    Examples:
        kb import arkhamdb arkhamdb-json-data
        kb import arkhamdb arkhamdb-json-data --language de
    """
    from kb import paths
    from kb.catalog.queries import newer_facts
    from kb.catalog.store import open_catalog
    from kb.games.arkham.imports.own import import_folder

    done = import_folder(folder, paths.user_data_dir(), paths.sources_root() / "cards", languages or ())
    if as_json:
        told: ArkhamDBJson = {
            "taken": done.records,
            "files": done.files,
            "skipped": [{"file": item.file, "code": item.code, "reason": item.reason} for item in done.skipped],
        }
        print_json(told)
        return
    taken = ", ".join(f"{number:,} {kind.replace('_', ' ')}" for kind, number in done.records.items())
    tell(f"Taken from {done.files} files: {taken}.")
    for item in done.skipped:
        tell(f"Skipped {item.code} of {item.file}: {item.reason}.")
    tell(f"Written to {done.target}.")
    with open_catalog(own=True) as catalog:
        if newer := newer_facts("arkham", catalog.documents().values(), catalog.records("arkham", "pack")):
            tell(newer)
