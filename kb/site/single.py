"""The phone edition: one HTML file with every entry, the search, and the names and types of cards."""

from __future__ import annotations

import base64
import hashlib
import re
import stat
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from markupsafe import Markup

from kb.catalog.reader import Catalog, EntryView
from kb.files.folders import real_folder
from kb.files.swap import write_whole
from kb.registry import games
from kb.site.chapters import chapters_of
from kb.site.colours import colours
from kb.site.folder import SiteError, site_folder
from kb.site.library import Library
from kb.site.pages import Page, Writer, in_short
from kb.site.places import all_pages
from kb.site.searchdata import name_of, search_data
from kb.site.tables import as_json
from kb.version import __version__

OPENS = re.compile(r"<(?=!|script)", re.IGNORECASE)
HEADING = re.compile(r'(<h\d id=")')
FONT = re.compile(r'url\("([\w-]+\.woff2)"\)')
SIGN, NEAR = b'<meta name="generator" content="kb ', 1_000
"""A text that identifies a phone edition of kb, and the number of bytes at the beginning of the file that must contain
it.
"""
SCRIPTS, STYLES = ("asked.js", "rank.js", "single.js"), ("kb.css", "look.css", "single.css")


def build_single(catalog: Catalog, out: Path, name: str, games: Iterable[str] = ()) -> int:
    """Write the phone edition to the file `out`, and return the file's size in bytes.

    `name` is the title of the edition, and `games` are the games to include (empty for all). The file is written under
    another name first, and replaces an older edition. Raises SiteError if `out` is another file or cannot be written.
    """
    out = real_folder(out)
    check_file(out)
    library = Library(catalog, games)
    # Each page of the site becomes a part of the file, identified by the page's address.
    writer = Writer(library, site_folder(), all_pages(), lambda path: f"#{path}")
    writer.hints, writer.icons.apart = False, True
    context = {**parts(writer), "search": search_in(writer, catalog.index_folder)}
    writer.write(Page("kb", name, "single.html.j2", context=context))
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        write_whole(out, writer.written["kb"].html.encode("utf-8"))
    except OSError as error:
        raise SiteError(f"{out} cannot be written: {error.strerror or error}.") from None
    return out.stat().st_size


def check_file(out: Path) -> None:
    """Raise SiteError if the file `out` exists and is not a phone edition of kb, because its content would be lost."""
    if out.is_dir():
        raise SiteError(f"{out} is a folder; name a file, such as kb.html.")
    try:
        # Refuse a link to another file, and a pipe, because reading it would block.
        if out.exists() and not (stat.S_ISREG(out.lstat().st_mode) and SIGN in beginning(out)):
            raise SiteError(f"{out} was not written by kb, so it was not replaced. Choose another file.")
    except OSError as error:
        raise SiteError(f"{out} cannot be read: {error.strerror or error}.") from None


def beginning(path: Path) -> bytes:
    """Return the first bytes of a file, as many as can contain SIGN. Raises OSError."""
    with path.open("rb") as file:
        return file.read(NEAR)


def search_in(writer: Writer, index_folder: Path) -> Markup:
    """Return the search data as JSON: `data` is the main part, `parts` has the other parts by name.

    The vectors of words (kb.retrieval.likeness) are left out, because they would add 400 KB to the file. Without them,
    the search ranks only by shared words.
    """
    parts: dict[str, str] = {}

    def put(part: str) -> str:
        name = name_of(part)
        parts[name] = part
        return name

    data = search_data(writer.library, writer.addresses, index_folder, put, vectors=False)
    listed = ",".join(f'"{name}":{part}' for name, part in parts.items())
    return inert(f'{{"data":{as_json(data)},"parts":{{{listed}}}}}')


def parts(writer: Writer) -> dict[str, Any]:
    """Return the values for the template: volumes with their chapters, lists and entries, the cards that texts name,
    the scripts, and the styles.
    """
    library, assets = writer.library, site_folder() / "theme" / "assets" / "kb"
    pages: dict[str, dict[str, list[tuple[EntryView, Markup]]]] = defaultdict(lambda: defaultdict(list))
    for entry in library.entries.values():
        page = writer.addresses.entry(entry.id).partition("#")[0]
        text = HEADING.sub(rf"\g<1>{page}#", " ".join(writer.body(entry.id).split("\n")))
        pages[library.volume_of(entry.id)][page].append((entry, Markup(text)))
    titles = {**{volume.id: volume.title for volume in library.volumes.values()}, **library.games}
    texts = [text for volume in pages.values() for listed in volume.values() for _, text in listed]
    linked = {target for text in texts for target in re.findall('href="#(.*?)"', text)}
    scripts = [(assets / name).read_text(encoding="utf-8") for name in SCRIPTS]
    return {
        "volumes": [
            (volume, titles[volume], chapters_of(library, volume), volume_pages)
            for volume, volume_pages in pages.items()
        ],
        "cards": [
            (address, writer.card_name(card), in_short(record))
            for card, record in library.cards.items()
            if (address := writer.addresses.card(card)) in linked and writer.addresses.original(card) == card
        ],
        "scripts": [Markup(text) for text in scripts],
        "hashes": " ".join(f"'sha256-{digest(text)}'" for text in scripts),
        "style": Markup(
            with_fonts("".join((assets / name).read_text(encoding="utf-8") for name in STYLES), assets)
            + colours(game for game in games().values() if game.id in library.games)
        ),
        "logo": Markup((assets / "logo.svg").read_text(encoding="utf-8")),
        "icon_names": sorted(writer.icons.names),
        "titled": writer.titled,
        "address_of": writer.addresses.entry,
        "version": __version__,
        "sources": library.hash[:12],
    }


def with_fonts(style: str, assets: Path) -> str:
    """Embed the fonts of the folder `assets` in the style sheet `style`, so that the page loads no other file."""

    def inlined(match: re.Match[str]) -> str:
        return f'url("data:font/woff2;base64,{base64.b64encode((assets / match[1]).read_bytes()).decode("ascii")}")'

    return FONT.sub(inlined, style)


def digest(text: str) -> str:
    """Return the SHA-256 of an inline script, in the form that a Content-Security-Policy expects."""
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def inert(text: str) -> Markup:
    """Make JSON safe inside a script element: it cannot end the element, and cannot begin a comment or another script."""
    return Markup(OPENS.sub("\\\\u003c", text.replace("</", "<\\/")))
