"""The site's navigation: games are tabs; sets, chapters and other pages of a game are sections.

Every page contains the navigation, so its length determines the size of a site. Therefore it does not list cards, or
the entries of long chapters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from markupsafe import Markup, escape
from mkdocs.structure import StructureItem
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page

from kb.registry import games
from kb.registry.editions import editions_of
from kb.site.chapters import chapters_of
from kb.site.library import Library, Volume
from kb.site.material.pages import KbPage
from kb.site.places import places_of

MOST = 30
"""The most entries of a chapter that the navigation lists. A chapter with more entries lists none of them."""
RULES = Markup('<span data-kb-plays="{}">Rules: {}</span>')
"""The title of the section with an edition's rules. The page moves the edition that the reader has chosen to the front.
"""
KB = "kb:"
"""The prefix for kb's pages in a site's own `nav`.

`kb:GAME` stands for the pages of a game, `kb:more` for the checker and the manual, and `kb:` for all of kb's pages.
"""


class Tree:
    """The part of a navigation that contains kb's pages.

    `games` has the section of each game, by id. `more` has the sections that belong to no game. The argument `pages`
    maps the address of each page, without its suffix, to the page. `manual` are the addresses of the manual's pages.
    """

    def __init__(self, library: Library, pages: Mapping[str, Page], manual: Iterable[str]) -> None:
        self._library, self._pages = library, pages
        self._sections: dict[str, Section] = {}
        self.games = {game: self._game(game) for game in library.games}
        tools = self._found(["check", "build", "party", "campaign", "score", "checks/index"])
        self.more: list[StructureItem] = [
            self._section("Tools" if len(tools) > 1 else "Deck checks", "check", tools),
            self._section("Using kb", "using", self._found([*manual, "along", "about"])),
        ]

    def parts(self) -> dict[str, list[StructureItem]]:
        """Return the items for each name that a site can write in its own `nav`, such as `kb:more`."""
        parts: dict[str, list[StructureItem]] = {f"{KB}{game}": [section] for game, section in self.games.items()}
        return {**parts, f"{KB}more": self.more}

    def _found(self, paths: Iterable[str]) -> list[StructureItem]:
        return [self._pages[path] for path in paths if path in self._pages]

    def _section(self, title: str, at: str, children: Iterable[StructureItem]) -> Section:
        section = self._sections[at] = Section(str(escape(title)), list(children))
        return section

    def _game(self, game: str) -> Section:
        library = self._library
        title = getattr(games().get(game), "short", "") or library.games[game]
        volumes = [volume for volume in library.volumes.values() if volume.game == game]
        own = [item for volume in volumes if volume.id == game for item in self._volume(volume)]
        sets = [self._set(volume) for volume in volumes if volume.id != game]
        compared = self._found([f"{game}/topics/index"])
        if own and editions_of(game):  # first the rules of the newest edition, then the changes, then older rules
            changed = self._found([f"{game}/changes/index"])
            last = [item for item in own if item.is_section] + self._found([f"{game}/news/index"])
            children = [item for item in own if item not in [*changed, *last]] + sets + compared + changed + last
        else:
            children = [*(own or self._found([f"{game}/index"])), *compared, *sets]
        section = self._section(title, game, children)
        if not own:
            self._fill(section, game)
        return section

    def _set(self, volume: Volume) -> Section:
        section = self._section(self._called(volume), volume.id, self._volume(volume))
        if self._is_edition(
            volume
        ):  # the section is titled as the edition's rules, so it directly contains the chapters
            self._fill(section, volume.id)
        return section

    @staticmethod
    def _is_edition(volume: Volume) -> bool:
        return volume.id in {edition.within for edition in editions_of(volume.game)}

    def _called(self, volume: Volume) -> str:
        """Return the name of a volume in the navigation: the name of its edition if it contains the rules of an
        edition, else its title.
        """
        editions = editions_of(volume.game)
        by_place = {each.within: each for each in editions}
        edition = by_place.get(volume.id) or next(
            (each for each in editions if each.within not in self._library.volumes), None
        )
        if edition and (volume.id in by_place or volume.id == volume.game):
            return RULES.format(edition.id, edition.title)
        return volume.title

    def _volume(self, volume: Volume) -> list[StructureItem]:
        # Pages of a whole game are listed in the game's own volume, not again below each of its sets.
        below = f"{volume.id}/" if volume.game in self._library.volumes else ""
        paths = [path for path, _title, _much in places_of(self._library, volume) if "/topics/" not in path]
        places = [path for path in paths if path.startswith(below)]
        listed = [path for path in dict.fromkeys([f"{volume.id}/index", *places]) if path in self._pages]
        if self._is_edition(volume):
            return self._found(listed)
        rules = Section(self._called(volume) if editions_of(volume.game) and volume.id == volume.game else "Rules", [])
        self._fill(rules, volume.id)
        return [*self._found(listed), *([rules] if rules.children else [])]

    def _fill(self, section: Section, volume: str) -> None:
        """Add the chapters of a volume to a section.

        A chapter with too many entries to list appears as a single page. That page is still the parent of its entries.
        """
        for chapter in chapters_of(self._library, volume):
            entries = [entry.id for entry in chapter.entries if entry.list_id is None]
            shown = self._found(entries) if len(entries) <= MOST else []
            page = self._found([chapter.path])
            made = self._section(chapter.title, chapter.path, [*page, *(item for item in shown if item not in page)])
            made.parent = section
            section.children += [made] if shown else page

    def above(self, page: KbPage) -> Section | None:
        """Return the section that contains a page that the navigation does not list.

        The result is the section that the page names, or else the section of the nearest folder above the page. None if
        there is no such section.
        """
        folder = page.written.page.nav
        if folder in self._sections:
            return self._sections[folder]
        folder = page.written.page.path
        while folder and folder not in self._sections:
            folder = folder.rpartition("/")[0]
        return self._sections.get(folder)


def placed(nav: Navigation, tree: Tree, home: Page | None) -> Navigation:
    """Return a site's navigation with kb's pages added where its `nav` names them, or else after its own pages.

    If the navigation has no home page, `home` comes first.
    """
    parts = tree.parts()
    everything = [item for part in parts.values() for item in part]
    named = any(link(item).startswith(KB) for item in walk(nav.items))

    def put(items: Iterable[StructureItem]) -> list[StructureItem]:
        replaced: list[StructureItem] = []
        for item in items:
            if isinstance(item, Section):
                item.children = put(item.children)
            at = link(item)
            replaced += everything if at == KB else parts.get(at, [item])
        return replaced

    own = put(nav.items)
    first = [home] if home is not None and home not in nav.pages else []
    nav.items = [*first, *own] if named else [*first, *own, *everything]
    adopt(None, nav.items)
    nav.pages = [item for item in walk(nav.items) if isinstance(item, Page)]
    nav.homepage = next((page for page in nav.pages if page.is_homepage), None)
    return nav


def folders_of(urls: Iterable[str]) -> set[str]:
    """Return all folders above the given addresses. For `a/b/c/` these are `a` and `a/b`."""
    parts = [url.removesuffix("/").split("/") for url in urls]
    return {"/".join(part[:end]) for part in parts for end in range(1, len(part))}


def link(item: StructureItem) -> str:
    """Return the address of a navigation item that is a link. Empty for pages and sections."""
    return str(getattr(item, "url", "") or "") if item.is_link else ""


def walk(items: Iterable[Any]) -> Iterator[Any]:
    """Yield every item of a navigation in order, including the items inside sections."""
    for item in items:
        yield item
        yield from walk(item.children or ())


def adopt(parent: Section | None, items: Iterable[StructureItem]) -> None:
    """Set the parent of every item, including the items inside sections."""
    for item in items:
        item.parent = parent
        if isinstance(item, Section):
            adopt(item, item.children)
