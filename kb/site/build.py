"""Build a site with MkDocs in a new folder and move it into place, or serve it during editing.

Only files that kb wrote are replaced. Other files in the folder (`.git`, `CNAME`) stay, and a failed build leaves the
old site unchanged.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from logging.handlers import MemoryHandler
from pathlib import Path, PurePosixPath
from typing import Any

from mkdocs.commands import build as mkdocs_build
from mkdocs.commands import serve as mkdocs_serve
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import MkDocsException

from kb.files.folders import files_below, real_folder, workshop
from kb.files.swap import locked, recover, replace, swap_in, write_whole
from kb.files.text import read_bounded
from kb.frozen import frozen
from kb.site.config_file import refuse_endless
from kb.site.folder import SiteError, site_folder

__all__ = ["Given", "SiteError", "build_site", "own_config", "serve_site"]
MARKER, LARGEST_MARKER = ".kb-site.json", 64_000_000


@frozen
class Given:
    """Values from the command line that override the values in mkdocs.yml. Empty values override nothing."""

    name: str = ""
    url: str = ""
    games: tuple[str, ...] = ()
    with_own: bool = False

    def settings(self) -> dict[str, Any]:
        """Return the site's name and address under the names that MkDocs uses for these settings. Empty values are left
        out.
        """
        settings = {"site_name": self.name, "site_url": self.url}
        return {key: value for key, value in settings.items() if value}


NOTHING = Given()


def own_config() -> Path:
    """Return the path of kb's own mkdocs.yml, which is next to the folder of templates. Raises SiteError if it is
    missing.
    """
    file = site_folder().parent / "mkdocs.yml"
    if not file.is_file():
        raise SiteError(f"{file} is missing: kb is not completely installed.")
    return file


def build_site(out: Path, config_file: Path | None = None, given: Given = NOTHING) -> int:
    """Build a site into the folder `out`, replacing an older site there, and return the number of its pages.

    The site is the one that the mkdocs.yml `config_file` describes; without `config_file`, it is kb's own site. Raises
    SiteError if `out` cannot be written, if `out` contains another file that the site would replace, or if MkDocs
    reports an error. In these cases `out` is unchanged.
    """
    out = real_folder(out)
    if out.exists() and not out.is_dir():
        raise SiteError(f"{out} is not a folder. Choose a folder for the site.")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with locked(out), workshop(out) as workspace:
            recover(out)
            new = workspace / "site"
            run(config_file or own_config(), new, given)
            put_in_place(new, out)
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        raise SiteError(f"The site cannot be written to {out}: {error.strerror or error}{where}.") from error
    return sum(name.endswith(".html") for name in files_below(out))


def run(config_file: Path, folder: Path, given: Given) -> None:
    """Run `mkdocs build` with the settings of `config_file` and `given`, and write the site into `folder`. Raises
    SiteError with MkDocs' message.
    """
    with _heard("build"):
        config = configured(config_file, given, site_dir=str(folder))
        config.plugins.on_startup(command="build", dirty=False)
        try:
            mkdocs_build.build(config)
        finally:
            config.plugins.on_shutdown()


@contextmanager
def _heard(what: str) -> Iterator[None]:
    """Convert MkDocs' errors inside the `with` block to a SiteError with MkDocs' messages. `what` is the action for the
    message ("build").
    """
    handler = MemoryHandler(1_000, flushLevel=logging.CRITICAL + 1)
    handler.setLevel(logging.WARNING)
    logger = logging.getLogger("mkdocs")
    logger.addHandler(handler)
    try:
        yield
    except MkDocsException as error:
        messages = [record.getMessage() for record in handler.buffer[:5]]
        raise SiteError(f"MkDocs could not {what} the site: {'; '.join(messages) or error}") from error
    finally:
        logger.removeHandler(handler)


def configured(config_file: Path, given: Given, **settings: Any) -> MkDocsConfig:
    """Load the settings of an mkdocs.yml and override them with those in `given`.

    Raises SiteError if the file cannot be read, is not an MkDocs configuration, or does not use the `kb` plugin. Raises
    MkDocsException for other errors.
    """
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "true")
    refuse_endless(config_file)
    try:
        config = load_config(str(config_file), **given.settings(), **settings)
    except OSError as error:
        raise SiteError(f"{config_file} cannot be read: {error.strerror or error}.") from error
    except (
        RecursionError,
        ValueError,
        TypeError,
        AttributeError,
    ) as error:  # errors that MkDocs does not catch in odd YAML
        raise SiteError(
            f"{config_file} is not an MkDocs configuration ({type(error).__name__}: {str(error)[:200]})."
        ) from error
    plugin = config.plugins.get("kb")
    if plugin is None:
        raise SiteError(
            f"{config_file} has no `plugins: [kb]`, so the site would have none of kb's pages. Add the plugin."
        )
    if given.games:
        plugin.config["games"] = list(given.games)
    if given.with_own:
        plugin.config["with_own"] = True
    return config


def serve_site(port: int, config_file: Path | None = None, given: Given = NOTHING) -> None:
    """Serve a site at 127.0.0.1 until the user interrupts it, and rebuild the site when a source changes.

    Raises SiteError if MkDocs reports an error or the port cannot be used.
    """
    file = config_file or own_config()
    with _heard("serve"):
        configured(file, given)
    try:
        mkdocs_serve.serve(str(file), livereload=True, dev_addr=f"127.0.0.1:{port}", **given.settings())
    except MkDocsException as error:
        raise SiteError(f"MkDocs could not serve the site: {error}") from error
    except OSError as error:
        raise SiteError(
            f"Port {port} cannot be used: {error.strerror or error}. Choose another port with --port."
        ) from error


def foreign(folder: Path) -> set[str]:
    """Return the names of the files in `folder` that kb did not write, according to the marker file of kb's last build."""
    try:
        marker = json.loads(read_bounded(folder / MARKER, LARGEST_MARKER))
        files = {str(name) for name in marker["files"]}
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        files = set()
    return files_below(folder) - files - {MARKER}


def put_in_place(new: Path, out: Path) -> None:
    """Move the finished folder `new` to `out`.

    If `out` contains only kb's files, the whole folder is replaced. Otherwise only kb's files are replaced. Raises
    OSError, and SiteError if a file from another program is in the way; `out` is then unchanged. The caller must hold
    `locked(out)`.
    """
    files, others = files_below(new), foreign(out) if out.is_dir() else set()
    above = {folder.as_posix() for name in files for folder in PurePosixPath(name).parents}
    if clash := sorted(
        others & (files | above)
    ):  # writes could be redirected by a link or file that has the name of one of the site's folders
        raise SiteError(
            f"{out} contains {clash[0]}, which kb did not write. The site would replace it, so nothing was changed. Choose another folder."
        )
    if not others:
        write_marker(new, files)
        new.chmod(0o755)
        swap_in(new, out)
        return
    before = files_below(out) - others - {MARKER}
    write_marker(out, files | before)  # if interrupted here, the next build still knows kb's files
    for name in sorted(files):
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        replace(new / name, out / name)
    for name in before - files:
        (out / name).unlink(missing_ok=True)
    write_marker(out, files)


def write_marker(folder: Path, files: set[str]) -> None:
    """Write the marker file of `folder`: the list `files` of the files that kb wrote there."""
    write_whole(folder / MARKER, json.dumps({"files": sorted(files)}).encode("utf-8"))
