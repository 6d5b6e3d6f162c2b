"""Runs MkDocs over the pages that kb wrote, and lists all pages for search engines."""

from __future__ import annotations

import gc
import gzip
import logging
import os
import shutil
from collections.abc import Callable, Iterable
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from jinja2 import ChoiceLoader, Environment, FileSystemLoader

from kb.site.addresses import SUFFIX
from kb.site.folder import SiteError
from kb.site.memory import give_back
from kb.site.placing import merge

if TYPE_CHECKING:
    from mkdocs.theme import Theme

FOR_MARKDOWN = ("toc", "tables", "fenced_code")
"""What MkDocs adds to Markdown unasked, page by page: pages that kb wrote are HTML."""
AT_A_TIME = 250
"""Pages that MkDocs is given at once: it holds everything that it is given to the end."""


def write_sitemap(site: Path, url: str, pages: Iterable[str]) -> None:
    """Write the list of all pages for search engines (MkDocs knows only those it was given); without an address it is empty."""
    listed = "".join(
        f"<url><loc>{escape(url + quote(path + SUFFIX), quote=False)}</loc></url>\n" for path in sorted(pages) if url
    )
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{listed}</urlset>\n'
    (site / "sitemap.xml").write_text(text, encoding="utf-8")
    (site / "sitemap.xml.gz").write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))


def run_mkdocs(staging: Path, target: Path, at_a_time: int = AT_A_TIME) -> None:
    """Run MkDocs, whose warnings are errors; pages beyond the first `at_a_time` are moved out of the folder `docs` for it."""
    docs = staging / "docs"
    pages = sorted(docs.rglob("*.md"))
    shares = [pages[start : start + at_a_time] for start in range(0, len(pages), at_a_time)]
    for number, share in enumerate(shares):
        folder = docs if not number else staging / f"docs-{number}"
        for page in share if number else ():
            moved = folder / page.relative_to(docs)
            moved.parent.mkdir(parents=True, exist_ok=True)
            page.rename(moved)
    give_back()  # who wrote the pages knows them, and they know who wrote them
    gc.freeze()
    for number, share in enumerate(shares):
        folder, made = docs if not number else staging / f"docs-{number}", staging / "made"
        build_pages(staging / "mkdocs.yml", folder, made, share[0].relative_to(docs).as_posix())
        merge(made, target)
        shutil.rmtree(made, ignore_errors=True)
        give_back()  # files and pages of MkDocs know each other


def build_pages(config: Path, docs: Path, made: Path, first: str) -> None:
    """Let MkDocs make the pages of the folder `docs`, of which `first` is one. Raises SiteError."""
    from mkdocs.commands.build import build
    from mkdocs.config import load_config
    from mkdocs.exceptions import MkDocsException

    logger = logging.getLogger("mkdocs")
    said = Collector()
    logger.addHandler(said)
    logger.propagate = False
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "true")
    try:
        settings = load_config(str(config), docs_dir=str(docs), site_dir=str(made), nav=[{"Home": first}])
        templates = partial(without_the_themes_own, settings.theme.get_env, settings.theme)
        settings.theme.get_env = templates  # type: ignore[method-assign]
        settings.markdown_extensions = [name for name in settings.markdown_extensions if name not in FOR_MARKDOWN]
        build(settings)
    except MkDocsException as error:
        raise SiteError(f"MkDocs could not build the site: {'; '.join(said.messages) or error}") from error
    finally:
        logger.removeHandler(said)


class Unlisted(FileSystemLoader):
    """Templates that are there for those that build on them, and put no file of theirs into a site."""

    def list_templates(self) -> list[str]:
        """None."""
        return []


def without_the_themes_own(whole: Callable[[], Environment], theme: Theme) -> Environment:
    """The templates of a theme of MkDocs (as `whole` gives them), of whose own files none are copied: our frame (site/theme) has its own
    style and scripts, and to look through the twelve thousand files of Material for MkDocs takes longer than hundreds of pages."""
    found = whole()
    ours, *its_own, of_mkdocs = theme.dirs
    found.loader = ChoiceLoader([FileSystemLoader(ours), Unlisted(its_own), FileSystemLoader(of_mkdocs)])
    return found


class Collector(logging.Handler):
    """Keeps warnings and errors for the message of a failed build."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a message, the first few."""
        if len(self.messages) < 5:
            self.messages.append(record.getMessage())
