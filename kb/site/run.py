"""Runs MkDocs over the pages that kb wrote, and lists all pages for search engines."""

from __future__ import annotations

import gzip
import logging
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote
from xml.sax.saxutils import escape

from kb.site.addresses import SUFFIX
from kb.site.folder import SiteError

# What Material for MkDocs puts beside the pages: our frame (site/theme) has its own style and scripts, and shows none of it.
THEMES_OWN = ("images", "javascripts", "stylesheets")


def write_sitemap(site: Path, url: str, pages: Iterable[str]) -> None:
    """Write the list of all pages for search engines (MkDocs knows only those it was given); without an address it is empty."""
    listed = "".join(f"<url><loc>{escape(url + quote(path + SUFFIX))}</loc></url>\n" for path in sorted(pages) if url)
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{listed}</urlset>\n'
    (site / "sitemap.xml").write_text(text, encoding="utf-8")
    (site / "sitemap.xml.gz").write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))


def run_mkdocs(staging: Path, target: Path) -> None:
    """Run MkDocs; its warnings are errors."""
    from mkdocs.commands.build import build
    from mkdocs.config import load_config
    from mkdocs.exceptions import MkDocsException

    logger = logging.getLogger("mkdocs")
    said = Collector()
    logger.addHandler(said)
    logger.propagate = False
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "true")
    try:
        build(load_config(str(staging / "mkdocs.yml"), site_dir=str(target)))
    except MkDocsException as error:
        raise SiteError(f"MkDocs could not build the site: {'; '.join(said.messages) or error}") from error
    finally:
        logger.removeHandler(said)
    for unused in THEMES_OWN:
        shutil.rmtree(target / "assets" / unused, ignore_errors=True)


class Collector(logging.Handler):
    """Keeps warnings and errors for the message of a failed build."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a message, the first few."""
        if len(self.messages) < 5:
            self.messages.append(record.getMessage())
