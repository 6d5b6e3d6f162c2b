"""The manual, "Using kb": Markdown in `using/` of the site's folder, which people read in the repository as well. MkDocs renders it."""

from __future__ import annotations

import re
from collections.abc import Container
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

from kb.registry import games
from kb.site.folder import SiteError

FOLDER, FIRST = "using", "index"
LINK = re.compile(r"\[([^\]]*)\]\(([\w-]+)\.md(?:#[\w.-]*)?\)")
"""A link from one page of the manual to another, as it stands in Markdown."""
NAMED_FENCE = re.compile(r"^(```\w+) \S+$", re.M)
"""A block of code that names its file, which tests run by."""


class Manual:
    """The pages of the manual but for those of games that the site leaves out: `paths` are their addresses without suffix, in order."""

    def __init__(self, site: Path, shown: Container[str]) -> None:
        self._folder = site / FOLDER
        self._out = {game for game in games() if game not in shown}
        first = self._folder / f"{FIRST}.md"
        if not first.is_file():
            raise SiteError(f"{first} is missing: the manual of kb is not complete.")
        names = dict.fromkeys(found[2] for found in LINK.finditer(first.read_text(encoding="utf-8")))
        self.paths = [f"{FOLDER}/{name}" for name in (FIRST, *names) if name not in self._out]

    def add(self, files: Files, config: MkDocsConfig) -> None:
        """Add the pages to a site that does not have them of its own."""
        for name in self._out:
            if found := files.get_file_from_path(f"{FOLDER}/{name}.md"):
                files.remove(found)
        for path in self.paths:
            if found := files.get_file_from_path(f"{path}.md"):
                found.inclusion = InclusionLevel.NOT_IN_NAV  # it stands in kb's part
            else:
                source = str(self._folder.parent / f"{path}.md")
                files.append(
                    File.generated(config, f"{path}.md", abs_src_path=source, inclusion=InclusionLevel.NOT_IN_NAV)
                )

    def fitted(self, page: Page, markdown: str) -> str:
        """A page as this site shows it: without links to pages that it leaves out, of which the first page loses the lines. The search of
        the site leaves it to the contents."""
        page.meta.setdefault("search", {"exclude": True})
        lines = markdown.splitlines()
        if page.file.src_uri == f"{FOLDER}/{FIRST}.md":
            lines = [line for line in lines if not ((found := LINK.search(line)) and found[2] in self._out)]
        text = LINK.sub(lambda found: found[1] if found[2] in self._out else found[0], "\n".join(lines))
        return NAMED_FENCE.sub(r"\1", text)
