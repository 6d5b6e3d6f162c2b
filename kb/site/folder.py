"""Where templates, theme and settings of the site stand, and what is said when something there is amiss."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from kb import paths, registry
from kb.errors import KbError


class SiteError(KbError):
    """The site cannot be built; the message says why in a sentence."""


def site_folder() -> Path:
    """Folder with mkdocs.yml, templates/ and theme/: of the sources in use, else kb's own.

    Raises SiteError when there is none.
    """
    package = Path(__file__).resolve().parent.parent
    places = [paths.sources_root() / "site", package.parent / "site", package / "_data" / "site"]
    found = next((place for place in places if (place / "mkdocs.yml").is_file()), None)
    if found is None:
        raise SiteError(f"{places[0]} lacks mkdocs.yml, templates/ and theme/: kb is not completely installed.")
    return found


def template_folders(site: Path) -> list[Path]:
    """Where templates are looked for: those of the site, then those of each game (`templates/` in its room)."""
    return [site / "templates", *(about.folder / "templates" for about in registry.games().values())]


def reason(error: OSError) -> str:
    """Why writing failed, in the system's words; of many files that were copied why the first did."""
    if isinstance(error, shutil.Error) and isinstance(error.args[0], list):
        return re.sub(r"\[Errno \d+\] ([^:]+).*", r"\1", str(error.args[0][0][2]))
    return error.strerror or str(error)
