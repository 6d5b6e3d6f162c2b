"""The folder with the site's templates, theme and settings, and the error for problems with the site."""

from __future__ import annotations

from pathlib import Path
from traceback import extract_tb
from typing import Any

from jinja2 import (
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PrefixLoader,
    TemplateError,
    TemplateNotFound,
    TemplatesNotFound,
)

from kb import paths, registry
from kb.decks.names import did_you_mean, either
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
    choices = [f"{game}:{name}", name]
    try:
        return environment.select_template(choices).render(**context)
    except TemplateError as error:
        missing = missing_templates(error)
        if missing == choices:  # the page's own template, not one that it includes
            raise SiteError(
                f"There is no template {name}, neither in templates/ of {game} nor in the site's."
            ) from None
        where = [(frame.filename, frame.lineno) for frame in extract_tb(error.__traceback__) if ".j2" in frame.filename]
        file, line = where[-1] if where else (name, 0)
        line = getattr(error, "lineno", None) or line
        reason = f"{(error.message or '').rstrip('.')}."
        if missing:
            names = {each.partition(":")[2] or each for each in environment.list_templates()}
            meant = did_you_mean(missing[0], sorted(names)) if len(missing) == 1 else ""
            reason = (
                f"There is no template {either(missing)}, neither in templates/ of {game} nor in the site's.{meant}"
            )
        raise SiteError(f"{getattr(error, 'filename', None) or file}:{line}: {reason}") from error


def missing_templates(error: TemplateError) -> list[str]:
    """Return the names of the templates that an error did not find; empty for an error of another kind."""
    if isinstance(error, TemplatesNotFound):
        return [str(each) for each in error.templates]
    return [str(error.name)] if isinstance(error, TemplateNotFound) else []
