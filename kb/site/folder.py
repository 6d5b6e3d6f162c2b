"""The folder with the site's templates, theme and settings, and the error for problems with the site."""

from __future__ import annotations

from pathlib import Path
from traceback import extract_tb
from typing import Any

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, TemplateError, TemplatesNotFound

from kb import paths, registry
from kb.errors import KbError


class SiteError(KbError):
    """The site cannot be built. The message explains why in a sentence."""


def site_folder() -> Path:
    """Return the folder that contains templates/ and theme/: from the sources in use, or else kb's own.

    Raises SiteError if neither has one.
    """
    package = Path(__file__).resolve().parent.parent
    places = [paths.sources_root() / "site", package.parent / "site", package / "_data" / "site"]
    folder = next((place for place in places if (place / "templates").is_dir()), None)
    if folder is None:
        raise SiteError(f"{places[0]} lacks templates/ and theme/: kb is not completely installed.")
    return folder


def templates_of(site: Path, **settings: Any) -> Environment:
    """Return the environment with the site's templates, followed by the templates of each game (`templates/` in the
    game's folder).

    A template name `GAME:NAME` refers to a template of that game only. In templates, a line that begins with `%` is a
    statement. Inserted text is escaped unless the `settings` of Jinja override it.
    """
    games = {about.id: about.folder / "templates" for about in registry.games().values()}
    folders = [site / "templates", *games.values()]
    how: dict[str, Any] = {"autoescape": True, "trim_blocks": True, "lstrip_blocks": True, "line_statement_prefix": "%"}
    own = PrefixLoader({game: FileSystemLoader(folder) for game, folder in games.items()}, delimiter=":")
    return Environment(loader=ChoiceLoader([own, FileSystemLoader(folders)]), **how | settings)


def rendered(environment: Environment, game: str, name: str, /, **context: Any) -> str:
    """Render the template `name`: the game's own if it has one, else the site's. Raises SiteError with the file and
    line of a mistake.
    """
    try:
        return environment.select_template([f"{game}:{name}", name]).render(**context)
    except TemplatesNotFound:
        raise SiteError(f"There is no template {name}, neither in templates/ of {game} nor in the site's.") from None
    except TemplateError as error:
        where = [(frame.filename, frame.lineno) for frame in extract_tb(error.__traceback__) if ".j2" in frame.filename]
        file, line = where[-1] if where else (name, 0)
        line = getattr(error, "lineno", None) or line
        raise SiteError(f"{getattr(error, 'filename', None) or file}:{line}: {error.message}.") from error
