"""The folder of templates, theme and settings of the site, and the error for problems with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader

from kb import paths, registry
from kb.errors import KbError


class SiteError(KbError):
    """The site cannot be built; the message says why in a sentence."""


def site_folder() -> Path:
    """Return the folder with templates/ and theme/: of the sources in use, or else kb's own.

    Raises SiteError if there is none.
    """
    package = Path(__file__).resolve().parent.parent
    places = [paths.sources_root() / "site", package.parent / "site", package / "_data" / "site"]
    folder = next((place for place in places if (place / "templates").is_dir()), None)
    if folder is None:
        raise SiteError(f"{places[0]} lacks templates/ and theme/: kb is not completely installed.")
    return folder


def templates_of(site: Path, **settings: Any) -> Environment:
    """Return the templates of a site, then those of each game (`templates/` in its folder). A line that begins with
    `%` is a statement, and inserted text is escaped unless the `settings` say otherwise.
    """
    folders = [site / "templates", *(about.folder / "templates" for about in registry.games().values())]
    how: dict[str, Any] = {"autoescape": True, "trim_blocks": True, "lstrip_blocks": True, "line_statement_prefix": "%"}
    return Environment(loader=FileSystemLoader(folders), **how | settings)
