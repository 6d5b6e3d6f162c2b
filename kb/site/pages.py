"""Writes pages: a template, rendered to HTML below a front matter that MkDocs reads."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape

from kb.authority import LABELS
from kb.files.inside import NewFolder, OutsideError
from kb.site.addresses import SUFFIX, Addresses, CardPages, relative
from kb.site.diagrams import Drawings
from kb.site.folder import SiteError, template_folders
from kb.site.library import Library, Record
from kb.site.markdown import CONTROL, BodyRenderer, is_safe_target
from kb.site.markup import Icons, summary
from kb.site.past import Made, Readings, digest
from kb.site.raw import RAW
from kb.sources.cards import slug

KIND_WORDS = {
    "card-type": "card type",
    "decklist": "deck list",
    "sidebar-rule": "rule (sidebar)",
    "sidebar-new": "new in this set",
    "strategy": "advice, not a rule",
    "faq": "question & answer",
    "reference": "reference sheet",
}
TOP = "\x01"
"""Stands before the links of a part, until MkDocs knows from where they lead."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page. `path` is its address without suffix; `nav` the navigation file beside it; `table`: it holds a table
    of kb.site.tables. `where` stands behind the title where the browser shows it: pages of several sets have one title. The page
    of an entry is described by what the entry says first (`entry`). A `context` that takes time is a function: a page that comes out as
    before is not rendered."""

    path: str
    title: str
    template: str
    description: str = ""
    game: str = ""
    nav: str = ""
    layout: str = "page"
    table: bool = False
    engine: str = ""
    where: str = ""
    entry: str = ""
    context: dict[str, Any] | Callable[[], dict[str, Any]] = field(default_factory=dict)


def from_folder(folder: str) -> Callable[[str], str]:
    """What makes of an address from the top of the site the address as seen from a folder."""
    return lambda address: relative(address, folder)


class Writer:
    """Renders templates into the folder that MkDocs reads."""

    def __init__(
        self,
        library: Library,
        site: Path,
        staging: Path,
        pages: Mapping[str, CardPages],
        readings: Readings | None = None,
        unchanged: Collection[str] = (),
    ) -> None:
        self.library = library
        self.made: dict[str, Made] = {}
        self._readings, self._unchanged = readings or Readings(), unchanged
        self.addresses = Addresses(library, pages)
        self.icons = Icons(site / "theme" / "icons")
        self._bodies = BodyRenderer(
            lambda name: self.icons.html(name) if name in self.icons.names else None, Drawings(site / "diagrams").html
        )
        self.docs = staging / "docs"
        self._pages, self._parts = NewFolder(self.docs), NewFolder(staging / "theme")
        self.written: dict[str, str] = {}
        self._as_seen: Callable[[str], str] = from_folder("")
        self.hints = True
        self._summaries: dict[str, str] = {}
        self._titles: Counter[str] = Counter()
        self._environment = Environment(
            loader=FileSystemLoader(template_folders(site)),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        self._environment.filters.update(
            kind=lambda kind: KIND_WORDS.get(kind, kind),
            icons=self._icons,
            web=lambda address: address if is_safe_target(str(address)) else "#",
        )
        self._environment.globals.update(
            library=library,
            link=self.link,
            card_link=self.card_link,
            page_link=self.page_link,
            body=self.body,
            slug=slug,
            authority=lambda key: LABELS.get(key, key),
            icon=lambda name: Markup(self.icons.html(name)),
            card_name=self.card_name,
            title_of=self.title_html,
            lead_of=self.lead_html,
            campaigns=self.campaigns,
            symbol=lambda name: Markup(self.icons.symbol(name)),
            markdown=self.markdown,
            group_anchor=lambda title: f"part-{slug(title) or 'other'}",
        )

    def write(self, page: Page) -> None:
        """Render a page, unless it comes out as before. Raises SiteError when two pages have the same address."""
        self._claim(page.path)
        title = self._title(page)
        if page.path in self._unchanged:
            return
        with self._readings.page() as reads:
            source = self._rendered(page, title)
        self._put(self._pages, f"{page.path}.md", source)
        self.made[page.path] = Made(digest(source.encode("utf-8", "surrogatepass")), page.nav, sorted(reads))

    def _rendered(self, page: Page, title: str) -> str:
        """A page as MkDocs reads it."""
        self._as_seen = from_folder(page.path.rpartition("/")[0])
        description = page.description or (self.described(page.entry) if page.entry else page.title)
        front = {
            "title": str(escape(title)),
            "description": str(escape(description)),
            **{key: value for key in ("game", "nav", "layout", "table", "engine") if (value := getattr(page, key))},
        }
        context = page.context() if callable(page.context) else page.context
        text = self._environment.get_template(page.template).render(page=page, **context)
        # JSON is YAML: titles with colons, quotes and dashes need no care.
        head = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in front.items())
        # One raw block: MkDocs hands it on as it is, and main.html takes the wrapper off.
        return f"---\n{head}---\n{RAW}\n{CONTROL.sub('', text).strip()}\n</div>\n"

    def write_part(self, name: str, template: str, **context: Any) -> None:
        """Render HTML that theme templates include. Links in it begin with `{{ base_url }}`: it serves pages in any folder."""
        self._as_seen = lambda address: TOP + address
        html = self._environment.get_template(template).render(**context)
        self._put(self._parts, name, html.replace("{", "&#123;").replace(TOP, "{{ base_url }}/"))

    def redirect(self, old: str, target: str) -> None:
        """Leave a page at an old address that leads to the new one, without a script."""
        self._claim(old)
        address = relative(target, old.rpartition("/")[0])
        self._put(
            self._pages,
            f"{old}{SUFFIX}",
            '<!doctype html><html lang="en"><meta charset="utf-8"><title>Moved</title><meta name="robots" content="noindex">'
            """<meta http-equiv="Content-Security-Policy" content="default-src 'none'">"""
            f'<meta http-equiv="refresh" content="0; url={escape(address)}">'
            f'<p>This page has moved: <a href="{escape(address)}">{escape(target)}</a></p></html>\n',
        )

    def link(self, entry_id: str, anchor: str | None = None) -> str:
        """Address of an entry as seen from the page being written."""
        return self.page_link(self.addresses.entry(entry_id, anchor))

    def card_link(self, card_id: str) -> str | None:
        """Address of a card as seen from the page being written; None when it is shown nowhere."""
        address = self.addresses.card(card_id)
        return self.page_link(address) if address else None

    def page_link(self, address: str) -> str:
        """An address from the top of the site as seen from the page being written."""
        return self._as_seen(address)

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

    def title_html(self, entry_id: str) -> Markup:
        """An entry's title for pages; a masked one is told by the script when its campaign is finished (reader.js)."""
        entry = self.library.entries[entry_id]
        return self._masked(self.titled(entry_id), entry.title, entry.spoiler)

    def lead_html(self, entry_id: str) -> Markup:
        """The first sentence of an entry for pages, masked as its title is."""
        entry = self.library.entries[entry_id]
        return self._masked(self.summary(entry_id), summary(entry.body) if entry.spoiler else "", entry.spoiler)

    def _masked(self, shown: str, told: str, campaign: str | None) -> Markup:
        if not campaign:
            return self._icons(shown)
        told = plain_icons(told)
        return Markup('<span class="kb-masked" data-campaign="{}" data-told="{}">{}</span>').format(
            campaign, told, shown
        )

    def summary(self, entry_id: str) -> str:
        """The first sentence of an entry; a spoiler is not told."""
        entry = self.library.entries[entry_id]
        if entry.spoiler:
            return f"Spoiler for {entry.spoiler}."
        body = entry.body  # told of for each page that shows it (kb.site.past)
        if entry_id not in self._summaries:
            self._summaries[entry_id] = summary(body)
        return self._summaries[entry_id]

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
        """What a link's hint says: an entry's first sentence and source, a card's facts."""
        if is_card:
            card = self.library.cards[self.addresses.original(target)]
            return f"{self.card_name(str(card['id']))}: {in_short(card)}"
        if target not in self.library.entries:
            return ""
        return f"{self.described(target)} ({self.library.entries[target].citation})"

    def _icons(self, text: str) -> Markup:
        return Markup(self.icons.inline(str(escape(text))))

    def _title(self, page: Page) -> str:
        """What the browser calls a page: no two pages the same."""
        title = f"{page.title} · {page.where}" if page.where else page.title
        self._titles[title] += 1
        return title if self._titles[title] == 1 else f"{title} ({self._titles[title]})"

    def _claim(self, path: str) -> None:
        address = path.casefold()
        if address in self.written:
            raise SiteError(f"Two pages of the site have the address {path}{SUFFIX}: rename one of the entries.")
        self.written[address] = path

    def _put(self, folder: NewFolder, name: str, text: str) -> None:
        try:
            path = folder.path(name)
        except OutsideError as error:
            raise SiteError(f"A page cannot be written: {error}.") from error
        path.write_text(text, encoding="utf-8")


def plain_icons(text: str) -> str:
    """Text with the names of icons as words."""
    return re.sub(r"\[([a-z_]+)\]", r"\1", text)


def in_short(card: Record) -> str:
    """What a card is, in a line: type, classes, level or deck, cost, traits."""
    cost = "–" if "cost" in card and card["cost"] is None else card.get("cost")
    said = [
        card.get("subtitle"),
        card.get("type"),
        ", ".join(card["class"]) if isinstance(card.get("class"), list) else None,
        f"level {card['level']}" if card.get("level") is not None else None,
        f"deck {card['deck']}" if isinstance(card.get("deck"), str) else None,
        f"cost {cost}" if cost is not None else None,
        ", ".join(card.get("traits") or ()),
    ]
    return " · ".join(str(part) for part in said if part)
