"""The manual, "Using kb": Markdown in `using/` of the site's folder, which people read in the repository as well."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from kb.markup import plain
from kb.registry import games
from kb.site.folder import SiteError
from kb.site.markup import summary
from kb.site.pages import Page, Writer

FIRST = "index"
# A link from one page of the manual to another, as it stands in Markdown.
LINK = re.compile(r"\]\(([\w-]+)\.md(#[\w.-]*)?\)")
WORDS = re.compile(r"\[([^\]]*)\]\(([\w-]+)\.md(?:#[\w.-]*)?\)")
NAV = "using"


@dataclass(frozen=True, slots=True)
class Chapter:
    """A page of the manual: its name without suffix, its title and its text below the title."""

    name: str
    title: str
    body: str


def write_using(writer: Writer, site: Path) -> None:
    """Write the pages of the manual below `using/`, with the contents beside them, but for those of games that the site leaves out.

    Raises SiteError when one is missing.
    """
    chapters = without(read_manual(site / "using"), {game for game in games() if game not in writer.library.games})
    writer.write_part(f"nav/{NAV}.html", "using-nav.html.j2", first=chapters[0], chapters=chapters[1:])
    for chapter in chapters:
        # The pages lie beside each other on the site as they do in the repository.
        body = LINK.sub(lambda found: f"]({found[1]}.html{found[2] or ''})", chapter.body)
        writer.write(
            Page(
                f"using/{chapter.name}",
                chapter.title,
                "using.md.j2",
                summary(plain(chapter.body)),
                nav=NAV,
                context=partial(
                    lambda body, first: {"body": writer.markdown(body), "first": first}, body, chapter.name == FIRST
                ),
            )
        )


def without(chapters: list[Chapter], names: Container[str]) -> list[Chapter]:
    """A manual without some chapters: lines of the first page that lead to one go, elsewhere the words of the link stay."""

    def shorter(chapter: Chapter) -> Chapter:
        lines = chapter.body.splitlines()
        if chapter.name == FIRST:
            lines = [line for line in lines if not ((found := LINK.search(line)) and found[1] in names)]
        body = WORDS.sub(lambda found: found[1] if found[2] in names else found[0], "\n".join(lines))
        return replace(chapter, body=body)

    return [shorter(chapter) for chapter in chapters if chapter.name not in names]


def read_manual(folder: Path) -> list[Chapter]:
    """The pages of the manual: `index.md`, then those it links to, in that order. Raises SiteError when one is missing."""
    first = _read(folder, FIRST)
    names = dict.fromkeys(found[1] for found in LINK.finditer(first.body))
    return [first, *(_read(folder, name) for name in names if name != FIRST)]


def _read(folder: Path, name: str) -> Chapter:
    path = folder / f"{name}.md"
    try:
        heading, _, body = path.read_text(encoding="utf-8").partition("\n")
    except (OSError, UnicodeDecodeError):
        raise SiteError(f"{path} is missing or no text: the manual of kb is not complete.") from None
    return Chapter(name, heading.removeprefix("# ").strip(), body)
