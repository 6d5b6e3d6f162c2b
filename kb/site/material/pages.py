"""kb's pages as MkDocs pages, and the pages of the manual.

kb's own pages are finished HTML: MkDocs only needs their titles, tables of contents, anchors and links. The pages of
the manual are Markdown in `using/` of the site's folder. MkDocs renders them, and they can also be read in the
repository.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set
from pathlib import Path
from typing import Any

from markupsafe import escape
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.nav import Section
from mkdocs.structure.pages import Page, log
from mkdocs.structure.toc import get_toc

from kb.registry.editions import editions_of
from kb.site.folder import SiteError
from kb.site.pages import WrittenPage
from kb.sources.cards import slug

HEADING = re.compile(r'<h([23])((?: [a-z-]+="[^"]*")*)>(.*?)</h\1>', re.S)
ID, TAG = re.compile(r'\bid="([^"]+)"'), re.compile(r"<[^>]+>")
ROWS = re.compile(r'"anchors":\[([^\]]*)\]')
HOME = "Home"
"""The label of the home page in the navigation. The page itself has the site's title."""
ASIDE, COLUMNS, COLUMN = "<!--kb:aside-->", "<!--kb:columns-->", "<!--kb:column-->"
"""Markers in the HTML of a page. ASIDE: the following text is shown next to the main text. COLUMNS: columns begin or
end. COLUMN: a column ends.
"""


class KbPage(Page):
    """A page that kb wrote. Its HTML is used unchanged, without Markdown.

    The theme's templates do not escape a page's values, so they are escaped here.
    """

    alike: tuple[int, str] | None = None
    """A key shared by pages that have the same tabs and navigation. None for a page that the navigation lists."""

    report: str | None = None
    """The address of the form to report an error on the page. None if the site has no such form."""

    def __init__(
        self,
        written: WrittenPage,
        file: File,
        config: MkDocsConfig,
        by_address: Mapping[str, File],
        places: Mapping[str, str],
    ) -> None:
        """Create the MkDocs page for the page `written`.

        `by_address` has the files of all kb's pages, by their addresses from the top of the site, with `.html`.
        `places` has the titles of games and volumes, by id.
        """
        title = HOME if written.page.layout == "home" else written.page.title
        super().__init__(escape(title), file, config)  # markup, which templates do not escape again
        self.written, self._by_address, self._places = written, by_address, places

    def read_source(self, config: MkDocsConfig) -> None:
        """Set the page's metadata, which other pages have in their front matter. No file is read."""
        page = self.written.page
        bare = page.layout == "home"
        alone = (
            bare
            or page.layout in ("front", "check")
            or page.table
            or self.alike is not None
            or ASIDE in self.written.html
        )
        place = page.nav.removesuffix("/index")
        around = ["/".join(place.split("/")[:number]) for number in (1, 2)]
        self.markdown = ""
        self.meta = {
            "title": str(escape(self.written.title)),
            "description": str(escape(self.written.description)),
            "template": "kb.html",
            "hide": ["navigation", "toc", "path"] if bare else ["toc"] if alone else [],
            "search": {"exclude": True},
            "kb": {
                "place": place,
                "places": {name: self._places[name] for name in around if name in self._places},
                "game": place.partition("/")[0],
                "rules": {
                    game: [[each.id, each.title, each.within] for each in editions]
                    for game in self._places
                    if (editions := editions_of(game))
                },
                "layout": page.layout,
                "table": page.table,
                "script": page.script,
                "engine": page.engine,
            },
        }

    def render(self, config: MkDocsConfig, files: Files) -> None:
        """Set the page's content, table of contents, anchors and links, as `Page.render` does for other pages."""
        text, _, aside = self.written.html.partition(ASIDE)
        text, taken, tokens = headed(text)
        if aside:
            text = (
                f'<div class="kb-entry"><div class="kb-entry__text">{text}</div>'
                f'<aside class="kb-entry__aside" aria-label="About this page">{aside}</aside></div>'
            )
        elif COLUMNS in text:
            first, sides, last = text.split(COLUMNS)
            columns = "".join(
                f'<section class="kb-side">{side}</section>' for side in sides.split(COLUMN) if side.strip()
            )
            text = f'{first}<div class="kb-sides">{columns}</div>{last}'
        self.content = text
        if "toc" not in self.meta["hide"]:
            self.toc = get_toc(tokens)
        rows = {anchor.strip('"') for listed in ROWS.findall(text) for anchor in listed.split(",")}
        self.present_anchor_ids = taken | rows
        self.links_to_anchors = {}
        for address in self.written.links:
            path, _, anchor = address.partition("#")
            if (target := self._by_address.get(path)) is not None:
                if anchor and not anchor.startswith("?"):
                    self.links_to_anchors.setdefault(target, {}).setdefault(anchor, address)
            elif path.endswith(".html"):
                message = f"Page '{self.file.src_uri}' links to '{address}', which is not a page of the site."
                log.log(config.validation.links.not_found, message)

    def below(self, section: Section | None, listed: Set[str]) -> None:
        """Make the page a child of a section that does not list it.

        `listed` are the folders of the pages that the navigation lists.
        """
        self.parent = section
        page = self.url.removesuffix("/")  # with directory URLs, the page `a/b/` has its neighbours in `a/`
        folder = self.url if page in listed else page.rpartition("/")[0]
        self.alike = (id(section), folder)


def headed(text: str) -> tuple[str, set[str], list[Any]]:
    """Add an id to each heading of an HTML text, and a link to the heading itself.

    Return the new HTML, all ids in it, and the headings in the form that Markdown's toc extension uses.
    """
    tokens: list[Any] = []
    taken = set(ID.findall(text))
    seen: set[str] = set()

    def named(match: re.Match[str]) -> str:
        level, attributes, words = int(match[1]), match[2], match[3]
        plain = TAG.sub("", words).strip()
        if not plain:  # a script fills in the heading
            return match[0]
        own_id = ID.search(attributes)
        name = wanted = own_id[1] if own_id else slug(plain) or "part"
        number = 1
        while name in (seen if own_id else taken):  # texts shown next to each other may have parts with the same name
            number += 1
            name = f"{wanted}-{number}"
        taken.add(name)
        seen.add(name)
        token: dict[str, Any] = {"level": level, "id": name, "name": plain, "children": []}
        (tokens[-1]["children"] if level == 3 and tokens else tokens).append(token)
        link = f'<a class="headerlink" href="#{name}" title="Permanent link">¶</a>'
        others = " ".join(ID.sub("", attributes).split())
        return f'<h{level} id="{name}"{others and " "}{others}>{words}{link}</h{level}>'

    return HEADING.sub(named, text), taken, tokens


FOLDER, FIRST = "using", "index"
LINK = re.compile(r"\]\(([\w-]+)\.md(?:#[\w.-]*)?\)")
"""A link from one page of the manual to another page, in Markdown."""
NAMED_FENCE = re.compile(r"^(```\w+) \S+$", re.M)
"""The first line of a code block, if the line has the name of a file after the language. Tests use these names."""


def manual_paths(site: Path) -> list[str]:
    """Return the addresses of the manual's pages without suffix, in the order that its first page links to them.

    Raises SiteError if the first page is missing.
    """
    first = site / FOLDER / f"{FIRST}.md"
    if not first.is_file():
        raise SiteError(f"{first} is missing: kb's manual is not complete.")
    names = dict.fromkeys(match[1] for match in LINK.finditer(first.read_text(encoding="utf-8")))
    return [f"{FOLDER}/{name}" for name in (FIRST, *names)]


def add_manual(paths: Iterable[str], site: Path, files: Files, config: MkDocsConfig) -> None:
    """Add the manual's pages to a site. A page that the site itself provides is not replaced."""
    for path in paths:
        if file := files.get_file_from_path(f"{path}.md"):
            file.inclusion = InclusionLevel.NOT_IN_NAV  # it is in kb's part
        else:
            source = str(site / f"{path}.md")
            files.append(File.generated(config, f"{path}.md", abs_src_path=source, inclusion=InclusionLevel.NOT_IN_NAV))


def fitted(page: Page, markdown: str) -> str:
    """Adapt a page of the manual to the site: remove the names of files from code blocks, and exclude the page from
    Material's search.
    """
    page.meta.setdefault("search", {"exclude": True})
    return NAMED_FENCE.sub(r"\1", markdown)
