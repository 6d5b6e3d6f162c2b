"""The phone edition: every entry, the search and the cards' names and types in one HTML file that needs nothing beside it."""

from __future__ import annotations

import base64
import hashlib
import re
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from markupsafe import Markup

from kb.catalog.reader import Catalog
from kb.files.folders import real_folder
from kb.files.swap import write_whole
from kb.registry import games
from kb.site.chapters import chapters_of
from kb.site.colours import colours
from kb.site.folder import SiteError, site_folder, templates_of
from kb.site.library import Library, read_library
from kb.site.pages import Writer
from kb.site.places import all_pages
from kb.site.searchdata import name_of, search_data
from kb.site.tables import as_json
from kb.version import __version__

OPENS = re.compile(r"<(?=!|script)", re.IGNORECASE)
CARD_LINK = re.compile(r'href="([^"]*/cards/[^"]*)"')
SIGN, NEAR = b'<meta name="generator" content="kb ', 1_000
"""What tells an edition of kb, near its beginning."""
SCRIPTS = ("asked.js", "rank.js", "single.js")


def build_single(catalog: Catalog, out: Path, name: str, games: Iterable[str] = ()) -> int:
    """Write the reference (of some games, or of all) as the one file `out`, called `name`; returns its size in bytes.

    It is written beside first; an older edition there is replaced. Raises SiteError when the file is something else, or cannot be written.
    """
    out = real_folder(out)
    check_file(out)
    site = site_folder()
    library = read_library(catalog, games)
    writer = Writer(library, site, all_pages())
    writer.hints = False
    search = search_in(writer, catalog.index_folder)
    texts = bodies(writer)
    html = page(site, library, name, search, texts, named_cards(writer, texts))
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        write_whole(out, html.encode("utf-8"))
    except OSError as error:
        raise SiteError(f"{out} cannot be written: {error.strerror or error}.") from None
    return out.stat().st_size


def check_file(out: Path) -> None:
    """Raise SiteError where something else than an edition of kb is: it would be lost."""
    if out.is_dir():
        raise SiteError(f"{out} is a folder; name a file, such as kb.html.")
    try:
        # No link to another file, and no pipe, whose other end reading would wait for.
        if out.exists() and not (stat.S_ISREG(out.lstat().st_mode) and SIGN in beginning(out)):
            raise SiteError(f"{out} is something else than kb's one file, so it was not replaced; name another file.")
    except OSError as error:
        raise SiteError(f"{out} cannot be read: {error.strerror or error}.") from None


def beginning(path: Path) -> bytes:
    """The first bytes of a file. Raises OSError."""
    with path.open("rb") as file:
        return file.read(NEAR)


def search_in(writer: Writer, index_folder: Path) -> str:
    """What the search reads, as JSON: `data` and the `parts` by their names.

    The vectors of words (kb.retrieval.likeness) are left out: a phone's one file would weigh 400 KB more. It ranks by shared words alone.
    """
    parts: dict[str, str] = {}

    def put(part: str) -> str:
        name = name_of(part)
        parts[name] = part
        return name

    data = search_data(writer.library, writer.addresses, index_folder, put, vectors=False)
    listed = ",".join(f'"{name}":{part}' for name, part in parts.items())
    return f'{{"data":{as_json(data)},"parts":{{{listed}}}}}'


def bodies(writer: Writer) -> dict[str, str]:
    """The text of every entry as HTML; links are addresses from the top of the site."""
    return {entry: " ".join(str(writer.body(entry)).split("\n")).strip() for entry in writer.library.entries}


def named_cards(writer: Writer, texts: dict[str, str]) -> dict[str, list[str]]:
    """The cards that texts link to, by the address of their pages: name, and what they are."""
    found = {}
    linked = {target for text in texts.values() for target in CARD_LINK.findall(text)}
    for card_id, card in writer.library.cards.items():
        address = writer.addresses.card(card_id)
        if address in linked:
            facts = (card.get("type"), card.get("class"), card.get("subtitle"))
            found[str(address)] = [writer.card_name(card_id), " · ".join(str(fact) for fact in facts if fact)]
    return found


def page(
    site: Path, library: Library, name: str, search: str, texts: dict[str, str], cards: dict[str, list[str]]
) -> str:
    """The HTML of the edition. `name` is what it is called, `search` the search data as JSON."""
    assets = site / "theme" / "assets" / "kb"
    scripts = [(assets / name).read_text(encoding="utf-8") for name in SCRIPTS]
    return (
        templates_of(site)
        .get_template("single.html.j2")
        .render(
            style=Markup(
                "".join((assets / name).read_text(encoding="utf-8") for name in ("kb.css", "look.css"))
                + colours(game for game in games().values() if game.id in library.games)
                + (assets / "single.css").read_text(encoding="utf-8")
            ),
            logo=Markup((assets / "logo.svg").read_text(encoding="utf-8")),
            scripts=[Markup(text) for text in scripts],
            hashes=" ".join(f"'sha256-{digest(text)}'" for text in scripts),
            search=inert(search),
            bodies=inert(as_json(texts)),
            cards=inert(as_json(cards)),
            contents=inert(as_json(contents(library))),
            name=name,
            version=__version__,
            sources=library.hash[:12],
        )
    )


def contents(library: Library) -> list[list[Any]]:
    """Shelves with their chapters: [id, title, [[chapter, [entry ids]], …]], in the order of the site."""
    return [
        [
            shelf.id,
            shelf.title,
            [[chapter.title, [entry.id for entry in chapter.entries]] for chapter in chapters_of(library, shelf.id)],
        ]
        for shelf in library.shelves.values()
    ]


def digest(text: str) -> str:
    """What a policy calls a script by that stands in its page."""
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def inert(text: str) -> Markup:
    """JSON that may stand in a script element: nothing in it ends the element or begins a comment or another script."""
    return Markup(OPENS.sub("\\\\u003c", text.replace("</", "<\\/")))
