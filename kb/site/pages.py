"""Write pages: render a template to finished HTML and keep it in memory for MkDocs' plugin and for the single file.

This module does not depend on MkDocs. A caller passes `url`, which returns the address of a page, and finds the results
in `Writer.written`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from kb.authority import LABELS
from kb.catalog.reader import EntryView
from kb.files.folders import is_plain_path
from kb.frozen import frozen
from kb.site.addresses import SUFFIX, Addresses, CardPages, relative
from kb.site.folder import SiteError, rendered, templates_of
from kb.site.library import Library, Record
from kb.site.markdown import CONTROL, BodyRenderer, Drawings, is_safe_target
from kb.site.markup import Icons, summary
from kb.sources.cards import slug

SHARED_TEMPLATES = {"m": "macros", "c": "checking", "t": "table"}
"""Templates with macros for all page templates, by the short names that page templates use for them."""
WRITER_METHODS = (
    "library", "link", "linked", "card_link", "card_linked", "card_title", "page_link", "body", "title_of", "lead_of", "campaigns", "markdown",
)  # fmt: skip
"""Names of the methods and properties of Writer that templates can use directly."""
KIND_WORDS = {
    "card-type": "card type",
    "decklist": "deck list",
    "sidebar-rule": "rule (sidebar)",
    "sidebar-new": "new in this set",
    "strategy": "advice, not a rule",
    "faq": "question & answer",
    "reference": "reference sheet",
}


@frozen
class Page:
    """A page of the site before it is rendered.

    `path` is its address without suffix. `nav` is the section that contains it: the path of a chapter, a volume or a
    game, empty for pages that belong to no game. `table` is True if the page contains a table from kb.site.tables.
    `engine` is the script that runs the deck checker, and `script` is a script for this page only.

    `where` follows the title in the browser, because pages of several sets have the same title. `entry` is the id of
    the entry that the page shows; the page's description is then the beginning of that entry. `before` and `after` are
    the previous and next pages in the book or among the cards. `context` holds the values for the template, or is a
    function that computes them if that is slow.
    """

    path: str
    title: str
    template: str
    description: str = ""
    nav: str = ""
    layout: str = "page"
    table: bool = False
    engine: str = ""
    script: str = ""
    where: str = ""
    entry: str = ""
    before: str = ""
    after: str = ""
    context: dict[str, Any] | Callable[[], dict[str, Any]] = field(default_factory=dict)


@frozen
class WrittenPage:
    """A rendered page: its title in the browser, its description, its HTML, and the addresses that it links to.

    The addresses are paths from the top of the site, with `.html`.
    """

    page: Page
    title: str
    description: str
    html: str
    links: tuple[str, ...]


class Writer:
    """Renders templates and keeps the finished pages in `written`.

    `url` returns the address of a page (`a/b.html`) or file in this particular site. By default, the address is the
    page's name.
    """

    def __init__(
        self,
        library: Library,
        site: Path,
        pages: Mapping[str, CardPages],
        url: Callable[[str], str] = str,
    ) -> None:
        self.library = library
        self.written: dict[str, WrittenPage] = {}
        self.moved: dict[str, str] = {}
        self._url = url
        self._here = ""
        self._links: list[str] = []
        self._claimed: set[str] = set()
        self.addresses = Addresses(library, pages)
        self.icons = Icons(site / "theme" / "icons")
        self._bodies = BodyRenderer(
            lambda name: self.icons.html(name) if name in self.icons.names else None, Drawings(site / "diagrams").html
        )
        self.hints = True
        self._titles: Counter[str] = Counter()
        self._environment = templates_of(site, keep_trailing_newline=True)
        self._environment.filters.update(
            kind=lambda kind: KIND_WORDS.get(kind, kind),
            icons=self._icons,
            linked=self.linked,
            card_linked=self.card_linked,
            web=lambda address: address if is_safe_target(str(address)) else "#",
        )
        template_globals = self._environment.globals
        template_globals.update({name: getattr(self, name) for name in WRITER_METHODS})
        template_globals.update(
            slug=slug,
            authority=lambda key: LABELS.get(key, key),
            icon=lambda name: Markup(self.icons.html(name)),
            symbol=lambda name: Markup(self.icons.symbol(name)),
            group_anchor=lambda title: f"part-{slug(title) or 'other'}",
        )
        template_globals.update(
            {short: self._environment.get_template(f"{name}.j2").module for short, name in SHARED_TEMPLATES.items()}
        )

    def write(self, page: Page) -> None:
        """Render `page` and keep the result. Raises SiteError if another page has the same address."""
        self._claim(page.path)
        self._here, self._links = self._url(page.path + SUFFIX), []
        context = page.context() if callable(page.context) else page.context
        html = rendered(self._environment, page.path.partition("/")[0], page.template, page=page, **context)
        description = page.description or (self.described(page.entry) if page.entry else page.title)
        html = CONTROL.sub("", html).strip()
        self.written[page.path] = WrittenPage(page, self._title(page), description, html, tuple(self._links))

    def has(self, path: str) -> bool:
        """Return True if a page or a redirect has the address `path` (without suffix)."""
        return path.casefold() in self._claimed

    def redirect(self, old: str, target: str) -> None:
        """Record that the address `old` (without suffix) redirects to `target`. Raises SiteError if a page has the
        address `old`.
        """
        self._claim(old)
        self.moved[old] = target

    def link(self, entry_id: str, anchor: str | None = None) -> str:
        """Return the address of an entry, relative to the page being written."""
        return self.page_link(self.addresses.entry(entry_id, anchor))

    def card_link(self, card_id: str) -> str | None:
        """Return the address of a card, relative to the page being written. None if no page shows the card."""
        address = self.addresses.card(card_id)
        return self.page_link(address) if address else None

    def linked(self, entry: EntryView | str) -> Markup:
        """Return the title of an entry as a link to the entry. `entry` is an entry or its id."""
        entry_id = entry if isinstance(entry, str) else entry.id
        return Markup('<a href="{}">{}</a>').format(self.link(entry_id), self.title_of(entry_id))

    def card_linked(self, card_id: str) -> Markup | str:
        """Return a card's name as a link to the card, or as plain text if no page shows the card."""
        address, name = self.card_link(card_id), self.card_title(card_id)
        return Markup('<a href="{}">{}</a>').format(address, name) if address else name

    def page_link(self, address: str) -> str:
        """Convert an address from the top of the site to one relative to the page being written."""
        path, mark, rest = address.partition("#")
        self._links.append(address)
        return relative(self._url(path) + mark + rest, self._here.rpartition("/")[0])

    def card_name(self, card_id: str) -> str:
        """Return a card's name with its level, written as players do: `Elusive (3)`."""
        card = self.library.cards[card_id]
        return f"{card['name']} ({card['level']})" if card.get("level") else str(card["name"])

    def card_title(self, card_id: str) -> Markup | str:
        """Return a card's name for a page. If the name spoils a campaign, it is masked until the reader has marked the
        campaign as finished (kb.js).
        """
        spoiler, name = self.library.cards[card_id].get("spoiler"), self.card_name(card_id)
        return self._masked(f"Spoiler for {spoiler}", name, spoiler) if spoiler else name

    def body(self, entry_id: str, part: str = "all") -> Markup:
        """Return an entry's body as HTML for the page being written. An entry that spoils a campaign is folded.

        `part` is `all`, `lead` (the text up to the first heading) or `rest` (the text from the first heading).
        """
        entry = self.library.entries[entry_id]
        lead, mark, rest = entry.body.strip().partition("\n## ")
        chosen = {"all": entry.body.strip(), "lead": lead, "rest": f"## {rest}" if mark else ""}[part]
        html = self.markdown(chosen)
        if entry.spoiler:
            html = Markup(
                '<details class="spoiler" data-campaign="{}"><summary>Spoiler for {}<span class="kb-shut">: show</span></summary>\n'
                "{}</details>\n"
            ).format(entry.spoiler, entry.spoiler, html)
        return html

    def markdown(self, text: str) -> Markup:
        """Return a Markdown text, such as an older wording or a notice, as HTML for the page being written."""
        return Markup(
            self._bodies.render(text.strip(), self._address, self._hint if self.hints else lambda _target, _is_card: "")
        )

    def titled(self, entry_id: str) -> str:
        """Return an entry's title for use on other pages. If the entry spoils a campaign, return "Spoiler for" and the
        campaign instead.
        """
        entry = self.library.entries[entry_id]
        return f"Spoiler for {entry.spoiler}" if entry.spoiler else entry.title

    def title_of(self, entry_id: str) -> Markup:
        """Return an entry's title as HTML. A title that spoils a campaign is masked until the reader has marked the
        campaign as finished (kb.js).
        """
        entry = self.library.entries[entry_id]
        return self._masked(self.titled(entry_id), entry.title, entry.spoiler)

    def lead_of(self, entry_id: str) -> Markup:
        """Return the first sentence of an entry as HTML. It is masked like the title if the entry spoils a campaign."""
        entry = self.library.entries[entry_id]
        return self._masked(self.summary(entry_id), summary(entry.body) if entry.spoiler else "", entry.spoiler)

    def _masked(self, shown: str, revealed: str, campaign: str | None) -> Markup:
        if not campaign:
            return self._icons(shown)
        revealed = plain_icons(revealed)
        return Markup('<span class="kb-masked" data-campaign="{}" data-told="{}">{}</span>').format(
            campaign, revealed, shown
        )

    def summary(self, entry_id: str) -> str:
        """Return the first sentence of an entry as text. For a spoiler, name only the campaign."""
        entry = self.library.entries[entry_id]
        return f"Spoiler for {entry.spoiler}." if entry.spoiler else summary(entry.body)

    def campaigns(self, volume: str) -> list[str]:
        """Return the names of the campaigns that entries of `volume` spoil, sorted."""
        return sorted({entry.spoiler for entry in self.library.of_volume(volume) if entry.spoiler})

    def described(self, entry_id: str) -> str:
        """Return the description of an entry's page for search engines and bookmarks: its first sentence."""
        return plain_icons(self.summary(entry_id))

    def _address(self, target: str, anchor: str | None, is_card: bool) -> str | None:
        if is_card:
            return self.card_link(target)
        shown = target in self.library.entries or target in self.library.tables
        return self.link(target, anchor) if shown else None  # the entry may belong to a game that the site leaves out

    def _hint(self, target: str, is_card: bool) -> str:
        """Return the tooltip of a link: an entry's first sentence and source, or a card's facts. `target` is the id of
        the entry or card.
        """
        if is_card:
            card = self.library.cards[self.addresses.original(target)]
            return "" if card.get("spoiler") else f"{self.card_name(str(card['id']))}: {in_short(card)}"
        if target not in self.library.entries:
            return ""
        return f"{self.described(target)} ({self.library.entries[target].citation})"

    def _icons(self, text: str) -> Markup:
        return Markup(self.icons.inline(str(escape(text))))

    def _title(self, page: Page) -> str:
        """Return the title of a page for the browser, made unique with a number if needed."""
        title = f"{page.title} · {page.where}" if page.where not in ("", page.title) else page.title
        self._titles[title] += 1
        return title if self._titles[title] == 1 else f"{title} ({self._titles[title]})"

    def _claim(self, path: str) -> None:
        if not is_plain_path(path):
            raise SiteError(f"A page cannot be written: {path[:120]!r} is not an address below the top of the site.")
        if self.has(path):
            raise SiteError(f"Two pages of the site have the address {path}{SUFFIX}: rename one of the entries.")
        self._claimed.add(path.casefold())


def plain_icons(text: str) -> str:
    """Replace each icon `[name]` in a text with its name without brackets."""
    return re.sub(r"\[([a-z_]+)\]", r"\1", text)


def in_short(card: Record) -> str:
    """Return the facts of a card in one line: subtitle, type, classes, level, deck, cost, traits."""
    cost = "–" if "cost" in card and card["cost"] is None else card.get("cost")
    parts = [
        card.get("subtitle"),
        card.get("type"),
        ", ".join(card["class"]) if isinstance(card.get("class"), list) else None,
        f"level {card['level']}" if card.get("level") is not None else None,
        f"deck {card['deck']}" if isinstance(card.get("deck"), str) else None,
        f"cost {cost}" if cost is not None else None,
        ", ".join(card.get("traits") or ()),
    ]
    return " · ".join(str(part) for part in parts if part)
