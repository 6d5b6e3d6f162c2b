"""Pages of the user's imported rulebooks and cards, in a site built with `kb site build --with-own`."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from kb.catalog.reader import PassageView
from kb.plural import counted
from kb.site.addresses import list_of, row_of
from kb.site.library import Library, Record
from kb.site.pages import Page, Writer
from kb.site.tables import SiteTable, TableColumn

NOTICE = "Imported unchanged, not in kb's words. Publish it only if you have the right to do so."
FACTS = {
    "Type": "type",
    "Class": "class",
    "Traits": "traits",
    "Deck or level": "number",
    "Copies": "owned",
}


def books(library: Library, game: str) -> dict[str, list[PassageView]]:
    """Return the passages of the user's rulebooks for a game, by the folder of each book on the site."""
    by_book: dict[str, list[PassageView]] = defaultdict(list)
    for passage in library.own_passages.values():
        if passage.game == game:
            by_book[passage.id.rpartition("/")[0]].append(passage)
    return by_book


def card_lists(library: Library, game: str) -> dict[str, list[Record]]:
    """Return the user's own cards for a game, by the folder of each imported list on the site."""
    by_list: dict[str, list[Record]] = defaultdict(list)
    for card in library.own_cards.values():
        if card["game"] == game:
            by_list[list_of(card)].append(card)
    return by_list


def place(library: Library, game: str) -> list[tuple[str, str, str]]:
    """Return the pages of a game's imported books and card lists, each with address, title and amount (see
    kb.site.places).
    """
    return [
        *(
            (f"{at}/index", title_of(listed), counted(len(listed), "section"))
            for at, listed in books(library, game).items()
        ),
        *(
            (f"{at}/index", str(listed[0]["own"]), counted(len(listed), "own card"))
            for at, listed in card_lists(library, game).items()
        ),
    ]


def title_of(listed: list[PassageView]) -> str:
    """Return the title of an imported book on the site. `listed` are its passages."""
    return f"Your copy of {listed[0].book}"


def write_own(writer: Writer) -> None:
    """Write the pages of all imported rulebooks and lists of cards."""
    for game in writer.library.games:
        for at, listed in books(writer.library, game).items():
            write_book(writer, game, at, listed)
        for at, cards in card_lists(writer.library, game).items():
            write_list(writer, game, at, cards)


def write_book(writer: Writer, game: str, at: str, listed: list[PassageView]) -> None:
    """Write the contents page of an imported rulebook, and a page for each of its sections.

    `at` is the book's folder on the site, and `listed` contains its passages.
    """
    title = title_of(listed)
    context: dict[str, Any] = {"title": title, "sections": listed, "notice": NOTICE}
    writer.write(Page(f"{at}/index", title, "own-book.md.j2", f"Sections of {title}.", game, context=context))
    ids = ["", *(passage.id for passage in listed), ""]
    for before, passage, after in zip(ids, listed, ids[2:], strict=False):
        passage_context = {
            "passage": passage,
            "notice": NOTICE,
            "paragraphs": [part for part in passage.text.split("\n\n") if part.strip()],
            "restating": [
                entry for entry in writer.library.restating.get(passage.id, ()) if entry in writer.library.entries
            ],
        }
        writer.write(
            Page(
                passage.id,
                passage.title,
                "own-passage.md.j2",
                passage.source,
                game,
                where=title,
                before=before,
                after=after,
                context=passage_context,
            )
        )


def write_list(writer: Writer, game: str, at: str, cards: list[Record]) -> None:
    """Write the page of an imported list of cards, with a table. A fact that none of the cards has gets no column."""
    facts = {label: key for label, key in FACTS.items() if any(card.get(key) not in (None, "", []) for card in cards)}
    columns = [
        TableColumn("Name", "link"),
        *(TableColumn(label, "number") if key == "owned" else TableColumn(label) for label, key in facts.items()),
    ]
    rows = [
        [[str(card["name"]), f"{at}/index.html#{row_of(card)}"], *(cell(card, key) for key in facts.values())]
        for card in cards
    ]
    title = f"Your own cards: {cards[0]['own']}"
    table = SiteTable("own cards", columns, [], rows, [row_of(card) for card in cards], NOTICE)
    context = {"title": title, "intro": "", "table": table}
    writer.write(Page(f"{at}/index", title, "table.md.j2", title, game, layout="wide", table=True, context=context))


def cell(card: Record, key: str) -> Any:
    """Return the fact `key` of a card as the content of a table cell."""
    value = card.get(key)
    if key == "owned":
        return value
    return ", ".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)
