"""The MkDocs `kb` plugin: it adds every kb page to a site with Material for MkDocs.

The site can have its own theme settings, pages and navigation. The plugin uses only public MkDocs hooks. Pages are
generated files with finished HTML. The theme's search worker is replaced by one that ranks as kb does.
"""

from __future__ import annotations

import re
from contextlib import ExitStack
from html import escape
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlencode

from material.plugins.search.plugin import SearchPlugin  # type: ignore[import-untyped]
from mkdocs.config import config_options
from mkdocs.config.base import Config, ValidationError
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from kb import paths, registry
from kb.catalog.store import open_catalog
from kb.errors import KbError
from kb.files.folders import workshop
from kb.frozen import frozen
from kb.site.addresses import relative
from kb.site.checker.pack import checked, pack
from kb.site.checker.page import FOLDER as PYTHON
from kb.site.checker.page import PAGES as CHECKERS
from kb.site.checker.shared import FOLDER as SHARED
from kb.site.checker.shared import write_shared
from kb.site.colours import colours, own_colour
from kb.site.folder import site_folder
from kb.site.hosted import write_data, write_edition, write_manifest
from kb.site.library import Library
from kb.site.material.navigation import Tree, folders_of, placed
from kb.site.material.pages import FOLDER, KbPage, add_manual, fitted, manual_paths
from kb.site.material.policy import escape_settings, known_scripts, policy_of, site_name
from kb.site.material.search import in_own_words, put_worker, write_index_script
from kb.site.material.server import Connected, compressed
from kb.site.pages import Writer
from kb.site.searchdata import write_search_data
from kb.site.writing import write_all
from kb.version import __version__

log = get_plugin_logger("kb")
ASSETS = "assets/kb"
CHARSET = '<meta charset="utf-8">'
MOVED = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>{0} has moved</title><meta name="robots" content="noindex">'
    """<meta http-equiv="Content-Security-Policy" content="default-src 'none'">"""
    '<meta http-equiv="refresh" content="0; url={1}"><p>This page has moved: <a href="{1}">{2}</a></p></html>\n'
)


THEMES = ("material", "materialx")
"""Names of the supported themes: Material, and its successor MaterialX."""
PRUNE = "navigation.prune"
INSTANT = (
    "navigation.instant",
    "navigation.instant.progress",
    "navigation.instant.prefetch",
    "navigation.instant.preview",
)


def fit_features(config: MkDocsConfig) -> None:
    """Set the theme features that kb's pages need: `navigation.prune`, and no instant loading.

    Without pruning, every page contains the whole navigation, which makes a site of all games ten times as large. With
    instant loading, the scripts of tables and spoilers would not start.
    """
    features = config.theme.get("features", [])
    kept = [feature for feature in features if feature not in INSTANT]
    for feature in features:
        if feature in INSTANT:
            log.info(f"Removed the feature {feature}, because tables and spoilers start when a page is loaded.")
    if PRUNE not in kept:
        log.info(f"Added the feature {PRUNE}: without it the site would be ten times as large.")
        kept.append(PRUNE)
    config.theme["features"] = kept


def for_crawlers(config: MkDocsConfig) -> dict[str, str]:
    """Return files for search engines and for the address bar of a browser, by name.

    The files are robots.txt (https://www.robotstxt.org) and, only if the site's address is known, opensearch.xml
    (https://github.com/dewitt/opensearch).
    """
    address = config.site_url
    robots = "User-agent: *\nAllow: /\n"
    if not address:
        return {"robots.txt": robots}
    name = escape(site_name(config))
    search = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">'
        f"<ShortName>{name[:16]}</ShortName><LongName>{name[:48]}</LongName><Description>Rules, rulings and cards: {name}</Description>"
        f'<Url type="text/html" template="{escape(address)}?q={{searchTerms}}"/><InputEncoding>UTF-8</InputEncoding></OpenSearchDescription>\n'
    )
    return {"robots.txt": f"{robots}Sitemap: {address}sitemap.xml\n", "opensearch.xml": search}


class WebAddress(config_options.URL):
    """An option whose value must be a web address (http or https)."""

    def run_validation(self, value: object) -> str:
        """Return the address `value`. Raises ValidationError if it is not a web address."""
        address: str = super().run_validation(value)
        if address and not address.startswith(("https://", "http://")):
            raise ValidationError("It must begin with https:// or http://.")
        return address


def without_indents(html: str) -> str:
    """Remove indents and empty lines, which come from templates, from the HTML of a page."""
    return "\n".join(filter(None, (line.lstrip(" ") for line in html.split("\n"))))


class Options(Config):  # type: ignore[no-untyped-call]
    """The options of the plugin: the keys below `kb:` in mkdocs.yml."""

    games = config_options.ListOfItems(config_options.Type(str), default=[])
    with_own = config_options.Type(bool, default=False)
    policy = config_options.Type(bool, default=True)
    export = config_options.Type(bool, default=True)
    along = config_options.Type(bool, default=True)
    colour = config_options.Type(str, default="")
    edit = WebAddress(default="")
    report = WebAddress(default="")

    def validate(self) -> tuple[Any, Any]:
        """Return errors and warnings about the options. An unknown option is an error; MkDocs would only warn."""
        failed, warnings = super().validate()
        known = [name for name, _ in self._schema]
        for name in self.keys() - set(known):
            failed.append((name, ValidationError(f"kb has no such option. kb's options are {', '.join(known)}.")))
        return failed, [each for each in warnings if each[0] in known]


@frozen
class Made:
    """The pages written for one catalog and one site, and the folder with the search data and the packed checker.

    `key` identifies the catalog and the site's settings.
    """

    key: tuple[object, ...]
    library: Library
    writer: Writer
    folder: Path


class KbPlugin(BasePlugin[Options]):  # type: ignore[no-untyped-call]
    """The plugin. `mkdocs serve` uses one instance for all its builds, and the pages are written again only if the
    catalog has changed.
    """

    def __init__(self) -> None:
        self._serving = False
        self._made: Made | None = None
        self._scripts: re.Pattern[str] | None = None
        self._open = ExitStack()
        self._pages: dict[str, File] = {}

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Remember whether the command is `mkdocs serve`, whose server adds scripts to pages."""
        self._serving = command == "serve"

    def on_shutdown(self) -> None:
        """Remove temporary files outside the site. MkDocs reuses the instance for the next build in the same process."""
        self._open.close()
        self._made = None

    @event_priority(50)  # runs before Material's `offline` plugin, which would add a script from another server
    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Add kb's templates after the site's templates, and kb's styles and scripts before the site's own. Raises
        PluginError.
        """
        escape_settings(config)
        if config.theme.name not in THEMES:
            raise PluginError("kb's pages need the Material theme. Write `theme: material` in mkdocs.yml.")
        fit_features(config)
        if not any(f"{theme}/search" in config.plugins for theme in THEMES):
            search = SearchPlugin()
            search.load_config({}, config.config_file_path)
            config.plugins[f"{config.theme.name}/search"] = search
        config.theme.dirs.insert(1 if config.theme.custom_dir else 0, str(site_folder() / "theme"))
        config.theme["font"] = False  # the theme's fonts would come from another server
        config.extra_css.insert(0, f"{ASSETS}/kb.css")
        config.extra["polyfills"] = [*config.extra.get("polyfills", []), f"{ASSETS}/instead-of-iframe-worker.js"]
        config.extra_javascript.append(f"{ASSETS}/kb.js")
        return config

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Add all of kb's pages, the search data, and the redirects to the site's files. Raises PluginError."""
        try:
            return self._with_ours(files, config)
        except KbError as error:
            raise PluginError(f"kb: {error}") from None

    def _with_ours(self, files: Files, config: MkDocsConfig) -> Files:
        """Add kb's files to `files` and return them, as `on_files` does. Raises KbError."""
        made = self._made_anew(config)
        theme = site_folder() / "theme"
        for file in list(files):
            if file.abs_src_path and Path(file.abs_src_path).is_relative_to(theme / "icons"):
                files.remove(file)  # pages contain the icons themselves
        by_address: dict[str, File] = {}
        places = {**made.library.games, **{volume.id: volume.title for volume in made.library.volumes.values()}}
        self._pages = {}
        for path, written in made.writer.written.items():
            own_page = files.get_file_from_path(f"{path}.md")  # the site's own page takes precedence
            file = own_page or File.generated(config, f"{path}.md", content="", inclusion=InclusionLevel.NOT_IN_NAV)
            if own_page is None:
                page = KbPage(written, file, config, by_address, places)
                page.edit_url = self._edit_address(path)
                page.report = self._report_address(path, made.library)
                files.append(file)
            self._pages[path] = by_address[f"{path}.html"] = file
        for old, target in made.writer.moved.items():
            name = self._at(config, f"{old}.html") + ("index.html" if config.use_directory_urls else "")
            where, mark, anchor = target.partition("#")
            from_folder = name.rpartition("/")[0]
            address = escape(relative(self._at(config, where) + mark + anchor, from_folder))
            content = MOVED.format(escape(old), address, escape(target))
            files.append(File.generated(config, name, content=content))
        for folder, place in (
            (made.folder / "search", ASSETS),
            (made.folder / "python", PYTHON),
            (made.folder / "shared", SHARED),
        ):
            for part in folder.rglob("*.js"):
                name = f"{place}/{part.relative_to(folder).as_posix()}"
                files.append(File.generated(config, name, abs_src_path=str(part)))
        style = files.get_file_from_path(f"{ASSETS}/kb.css")
        if style is not None:
            files.remove(style)
        shown = [game for game in registry.games().values() if game.id in made.library.games]
        text = (theme / ASSETS / "kb.css").read_text(encoding="utf-8") + colours(shown) + own_colour(self.config.colour)
        files.append(File.generated(config, f"{ASSETS}/kb.css", content=text))
        self._manual = manual_paths(site_folder())
        add_manual(self._manual, site_folder(), files, config)
        for path in self._manual:
            if listed := files.get_file_from_path(f"{path}.md"):
                by_address[f"{path}.html"] = listed
        put_worker(files, config, theme / ASSETS)
        for name, text in for_crawlers(config).items():
            if files.get_file_from_path(name) is None:
                files.append(File.generated(config, name, content=text))
        return files

    def _made_anew(self, config: MkDocsConfig) -> Made:
        """Return the pages for the current catalog. They are written again only if the catalog or the settings have
        changed. Raises KbError.
        """
        with ExitStack() as opened:
            catalog = opened.enter_context(open_catalog())
            own = opened.enter_context(open_catalog(own=True)) if self.config.with_own else None
            shown = own or catalog
            key = (shown.hash, tuple(self.config.games), site_name(config), config.use_directory_urls)
            if self._made is not None and self._made.key == key:
                return self._made
            self._open.close()
            paths.cache_dir().mkdir(parents=True, exist_ok=True)
            folder = self._open.enter_context(workshop(paths.cache_dir() / "site"))
            library = Library(catalog, self.config.games, own)
            writer = write_all(
                library,
                site_name(config),
                lambda path: self._at(config, path),
                lambda writer: pack(library, writer.addresses, site_folder(), folder / "python"),
            )
            if writer.has("check"):
                write_shared(library, writer.addresses, checked(library), folder / "shared")
            write_search_data(library, writer.addresses, shown.index_folder, folder / "search")
            self._made = Made(key, library, writer, folder)
            return self._made

    @staticmethod
    def _at(config: MkDocsConfig, path: str) -> str:
        """Return the address of a page or file in this site. With directory URLs, `a/b.html` is `a/b/`."""
        if not config.use_directory_urls or not path.endswith(".html"):
            return path
        folder = path.removesuffix(".html").removesuffix("index").rstrip("/")
        return f"{folder}/" if folder else ""

    def _edit_address(self, path: str) -> str | None:
        """Return the address to edit the source of the entry at `path`. None if there is none.

        The `edit` option is the address of the `content` folder in a forge.
        """
        source = paths.sources_root() / "content" / f"{path}.md"
        return f"{self.config.edit.rstrip('/')}/{path}.md" if self.config.edit and source.is_file() else None

    def _report_address(self, path: str, library: Library) -> str | None:
        """Return the address of a forge's form to report an error on a page, with known values filled in. None without
        the `report` option.
        """
        if not self.config.report:
            return None
        entry = library.entries.get(path)
        parameters = {"template": "wrong-verdict.yml" if path in CHECKERS else "wrong-rule.yml", "version": __version__}
        if path not in CHECKERS:
            parameters |= {
                "title": f"Wrong rule: {path}",
                "entry": path,
                "citation": str(entry.citation) if entry else "",
            }
        return f"{self.config.report}?{urlencode({key: value for key, value in parameters.items() if value})}"

    def on_page_markdown(self, markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Adapt the Markdown of a page of the manual to this site. Other pages are unchanged."""
        return fitted(page, markdown) if page.file.src_uri.startswith(f"{FOLDER}/") else markdown

    def on_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> Navigation:
        """Add kb's pages to the navigation: where the site's own `nav` says `kb:GAME` or `kb:`, or else after the
        site's own pages.
        """
        assert self._made is not None
        pages = {path: file.page for path, file in self._pages.items() if file.page}
        pages |= {path: manual_page for path in self._manual if (manual_page := self._page(files, path))}
        tree = Tree(self._made.library, pages, self._manual)
        nav = placed(nav, tree, pages.get("index"))
        listed = {id(page) for page in nav.pages}
        folders = folders_of(page.url for page in nav.pages)
        for page in pages.values():
            if isinstance(page, KbPage):
                before, after = page.written.page.before, page.written.page.after
                page.previous_page, page.next_page = pages.get(before), pages.get(after)
                if id(page) not in listed:
                    page.below(tree.above(page), folders)
        return nav

    @staticmethod
    def _page(files: Files, path: str) -> Page | None:
        file = files.get_file_from_path(f"{path}.md")
        return file.page if file else None

    def on_env(self, env: Any, *, config: MkDocsConfig, files: Files) -> Any:
        """Add the function `kb_once` to the templates. kb.html uses it to render content only once if many pages share
        it.
        """
        drawn: dict[Any, str] = {}

        def once(key: Any, block: Any) -> str:
            if key not in drawn:
                drawn[key] = block()
            return drawn[key]

        env.globals["kb_once"] = once
        return env

    def on_post_template(self, output: str, *, template_name: str, config: MkDocsConfig) -> str:
        """Leave out the sitemap if the site's address is unknown."""
        return "" if template_name.startswith("sitemap.xml") and not config.site_url else output

    def on_post_page(self, output: str, *, page: Page, config: MkDocsConfig) -> str:
        """Add a Content-Security-Policy to a kb page, and let its search dialog count answers instead of documents.

        The policy lists the scripts that may run, and forbids loading anything from other servers.
        """
        if not isinstance(page, KbPage) and page.file.src_uri.removesuffix(".md") not in self._manual:
            return output
        output = in_own_words(output)
        frame = output.replace(page.content or "", "")  # the policy allows no scripts within the page's text
        if "<pre" not in output and "<textarea" not in output:
            output, frame = without_indents(output), without_indents(frame)
        if not self.config.policy or self._serving:
            return output
        engine = isinstance(page, KbPage) and bool(page.written.page.engine)
        if self._scripts is None:
            self._scripts = known_scripts(config.theme.dirs)
        policy = policy_of(frame, self._scripts, engine)
        head = f'{CHARSET}<meta http-equiv="Content-Security-Policy" content="{policy}"><meta name="referrer" content="no-referrer">'
        return output.replace(CHARSET, head, 1)

    @event_priority(-100)  # after Material's search has written its index
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write the files that are not pages: the script of the search index, the export, and the edition for offline
        readers. Raises PluginError.
        """
        assert self._made is not None
        site = Path(config.site_dir)
        try:
            write_index_script(site)
            if self.config.export and not self._serving:
                with open_catalog() as catalog:
                    write_data(catalog, self._made.library, site, site_name(config), config.site_url or "")
            if self.config.along and not self._serving:
                write_manifest(site, site_name(config), str(config.theme.get("logo") or ""))
                write_edition(site)
        except KbError as error:
            raise PluginError(f"kb: {error}") from None

    def on_serve(self, server: LiveReloadServer, *, config: MkDocsConfig, builder: Any) -> LiveReloadServer:
        """Rebuild the site when one of kb's sources changes. Send responses compressed and over persistent connections."""
        server.RequestHandlerClass = type("Connected", (Connected, server.RequestHandlerClass), {})  # type: ignore[arg-type]
        server.set_app(compressed(server.serve_request))
        for folder in ("content", "cards", "site"):
            if (source := paths.sources_root() / folder).is_dir():
                server.watch(str(source))
        return server
