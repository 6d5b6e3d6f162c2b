"""Writes pages: a template rendered to finished HTML, kept in memory for whoever asks (MkDocs' plugin, the single file).

Nothing here knows of MkDocs: a sink says where a page stands (`url`) and takes what was written (`Writer.written`).
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
"""Templates of macros that all templates share, by the short names under which they know them."""
WRITER_METHODS = (
    "library", "link", "linked", "card_link", "card_linked", "page_link", "body", "title_of", "lead_of", "campaigns", "markdown",
)  # fmt: skip
"""Methods and properties of Writer that templates use by these names."""
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
    """One page. `path` is its address without suffix; `nav` the section that it stands in (the path of a chapter, a shelf or a game; empty for
    what belongs to no game). `table`: it holds a table of kb.site.tables; `engine` is the script that runs the deck checker. `where` stands
    behind the title where the browser shows it: pages of several sets have one title. The page of an entry is described by what the entry
    says first (`entry`); `before` and `after` are its neighbours in the book or among cards. A `context` that takes time is a function."""

    path: str
    title: str
    template: str
    description: str = ""
    nav: str = ""
    layout: str = "page"
    table: bool = False
    engine: str = ""
    where: str = ""
    entry: str = ""
    before: str = ""
    after: str = ""
    context: dict[str, Any] | Callable[[], dict[str, Any]] = field(default_factory=dict)


@frozen
class Written:
    """A page as it was written: what the browser calls it, how it is described, its HTML, and what it links to (addresses from the top of
    the site, with `.html`)."""

    page: Page
    title: str
    description: str
    html: str
    links: tuple[str, ...]


class Writer:
    """Renders templates and keeps the pages.

    `url` gives the address of a page (`a/b.html`) or file as this very site has it; without one pages stand where they are named.
    """

    def __init__(
        self,
        library: Library,
        site: Path,
        pages: Mapping[str, CardPages],
        url: Callable[[str], str] = str,
    ) -> None:
        self.library = library
        self.written: dict[str, Written] = {}
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
        """Render a page and keep it. Raises SiteError when two pages have the same address."""
        self._claim(page.path)
        self._here, self._links = self._url(page.path + SUFFIX), []
        context = page.context() if callable(page.context) else page.context
        html = rendered(self._environment, page.path.partition("/")[0], page.template, page=page, **context)
        description = page.description or (self.described(page.entry) if page.entry else page.title)
        html = CONTROL.sub("", html).strip()
        self.written[page.path] = Written(page, self._title(page), description, html, tuple(self._links))

    def has(self, path: str) -> bool:
        """Whether there is a page, or a redirect, at an address (without suffix)."""
        return path.casefold() in self._claimed

    def redirect(self, old: str, target: str) -> None:
        """Keep where an old address (without suffix) leads. Raises SiteError when a page has it."""
        self._claim(old)
        self.moved[old] = target

    def link(self, entry_id: str, anchor: str | None = None) -> str:
        """Address of an entry as seen from the page being written."""
        return self.page_link(self.addresses.entry(entry_id, anchor))

    def card_link(self, card_id: str) -> str | None:
        """Address of a card as seen from the page being written; None when it is shown nowhere."""
        address = self.addresses.card(card_id)
        return self.page_link(address) if address else None

    def linked(self, entry: EntryView | str) -> Markup:
        """The title of an entry (which may be named by its id) as a link to it."""
        entry_id = entry if isinstance(entry, str) else entry.id
        return Markup('<a href="{}">{}</a>').format(self.link(entry_id), self.title_of(entry_id))

    def card_linked(self, card_id: str) -> Markup | str:
        """A card's name as a link to it; the name alone where it is shown nowhere."""
        address, name = self.card_link(card_id), self.card_name(card_id)
        return Markup('<a href="{}">{}</a>').format(address, name) if address else name

    def page_link(self, address: str) -> str:
        """An address from the top of the site as seen from the page being written."""
        path, mark, rest = address.partition("#")
        self._links.append(address)
        return relative(self._url(path) + mark + rest, self._here.rpartition("/")[0])

    def card_name(self, card_id: str) -> str:
        """A card's name, with its level as players write it: `Elusive (3)`."""
        card = self.library.cards[card_id]
        return f"{card['name']} ({card['level']})" if card.get("level") else str(card["name"])

    def body(self, entry_id: str, part: str = "all") -> Markup:
        """An entry's body as HTML for the page being written; what gives a campaign away is folded.

        `part` may be `lead` (up to the first heading) or `rest`.
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
        """A text in Markdown (an older wording, a notice) as HTML for the page being written."""
        return Markup(
            self._bodies.render(text.strip(), self._address, self._hint if self.hints else lambda _target, _is_card: "")
        )

    def titled(self, entry_id: str) -> str:
        """An entry's title as other pages may say it: one that gives a campaign away is masked."""
        entry = self.library.entries[entry_id]
        return f"Spoiler for {entry.spoiler}" if entry.spoiler else entry.title

    def title_of(self, entry_id: str) -> Markup:
        """An entry's title for pages; a masked one is told by the script when its campaign is finished (reader.js)."""
        entry = self.library.entries[entry_id]
        return self._masked(self.titled(entry_id), entry.title, entry.spoiler)

    def lead_of(self, entry_id: str) -> Markup:
        """The first sentence of an entry for pages, masked as its title is."""
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
        """The first sentence of an entry; a spoiler is not told."""
        entry = self.library.entries[entry_id]
        return f"Spoiler for {entry.spoiler}." if entry.spoiler else summary(entry.body)

    def campaigns(self, shelf: str) -> list[str]:
        """The campaigns that entries of a shelf give away, each once."""
        return sorted({entry.spoiler for entry in self.library.of_shelf(shelf) if entry.spoiler})

    def described(self, entry_id: str) -> str:
        """A description of an entry's page, as search engines and bookmarks show it."""
        return plain_icons(self.summary(entry_id))

    def _address(self, target: str, anchor: str | None, is_card: bool) -> str | None:
        if is_card:
            return self.card_link(target)
        shown = target in self.library.entries or target in self.library.tables
        return self.link(target, anchor) if shown else None  # an entry of a game that the site leaves out

    def _hint(self, target: str, is_card: bool) -> str:
        """The hint (title attribute) of a link: an entry's first sentence and source, or a card's facts."""
        if is_card:
            card = self.library.cards[self.addresses.original(target)]
            return f"{self.card_name(str(card['id']))}: {in_short(card)}"
        if target not in self.library.entries:
            return ""
        return f"{self.described(target)} ({self.library.entries[target].citation})"

    def _icons(self, text: str) -> Markup:
        return Markup(self.icons.inline(str(escape(text))))

    def _title(self, page: Page) -> str:
        """The title of a page in the browser; no two pages have the same."""
        title = f"{page.title} · {page.where}" if page.where not in ("", page.title) else page.title
        self._titles[title] += 1
        return title if self._titles[title] == 1 else f"{title} ({self._titles[title]})"

    def _claim(self, path: str) -> None:
        if not is_plain_path(path):
            raise SiteError(f"A page cannot be written: {path[:120]!r} is no address below the top of the site.")
        if self.has(path):
            raise SiteError(f"Two pages of the site have the address {path}{SUFFIX}: rename one of the entries.")
        self._claimed.add(path.casefold())


def plain_icons(text: str) -> str:
    """Text with the names of icons as words."""
    return re.sub(r"\[([a-z_]+)\]", r"\1", text)


def in_short(card: Record) -> str:
    """A card in one line: subtitle, type, classes, level, deck, cost, traits."""
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
