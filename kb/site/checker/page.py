"""Write the pages that use the packed checker (kb.site.checker.pack): checking, building, parties, campaigns, scores.

A page loads the checker when the reader clicks a button.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from kb.decks.deckfile import LARGEST_FILE, NOT_UTF8, TOO_LARGE
from kb.decks.form import form_of, with_form
from kb.decks.games import NewDeckError, decks_of
from kb.decks.party import RebuildingParty, rebuilding_of
from kb.decks.questions import Asked, Question, as_form
from kb.decks.reading import deck_in
from kb.decks.share import NO_DECK, WAYS
from kb.registry import About, about
from kb.site.checker import pyodide
from kb.site.checker.campaign import LARGEST_FOLDER, with_campaigns
from kb.site.checker.pack import at_tables, checked
from kb.site.checker.questions import as_questions, drawn, scored_games
from kb.site.checker.shared import kinds_of_decks
from kb.site.library import Library
from kb.site.pages import Page, Writer

FOLDER = "assets/kb/python"
PAGES = {
    "check": ("Check a deck", "Paste a deck to see what is wrong, which rule says so and how to fix it."),
    "build": (
        "Build a deck",
        "Choose a character, add cards by typing, and see each problem next to its card.",
    ),
    "party": (
        "Rebuild the party",
        "After a scenario, see who trades which cards, what the box adds and what goes back. Check whether decks can be played together.",
    ),
    "campaign": (
        "Record a campaign",
        "Record each game of a campaign by answering questions, and see what each game changes before you save it.",
    ),
    "score": ("Score a game", "Enter what each player has at the end. See the score with the rules behind it."),
}
"""The title and description of each page, by its address. The page's template and script have the same name."""
CHOOSING = ("build", "party", "campaign", "score")
"""The pages that can be opened by a link that already chooses a game."""
MOST_DECKS, OWNED = 6, "Products you own and investigators out of the campaign"
LIMITS = {"bytes": LARGEST_FILE, "large": TOO_LARGE, "coding": NOT_UTF8, "ways": WAYS, "broken": NO_DECK}
"""The largest file, the formats of links, and the page's messages about larger files, unreadable files and links."""


def write_checker(writer: Writer, script: Path | None) -> None:
    """Write the pages that use the packed checker `script`. Without a script, no page is written, because none would
    work.

    The pages name only games of the site. The page for parties is written only if a game of the site supports parties.
    """
    if script is None:
        return
    library = writer.library
    games, tables = checked(library), at_tables(library)
    forms = [game for game in with_form() if game in games]
    campaigns = with_campaigns(library.games)
    if games:
        write_page(
            writer, "check", script,
            games=games,
            examples=[deck for game in games for deck in examples(library, game, 1)],
            agreed={game.id: agreed(library, game) for game in forms},
            shared=kinds_of_decks(games),
            party="party" if tables else "",
            campaign="campaign" if campaigns else "",
            build="build" if forms else "",
        )  # fmt: skip
    if forms:
        write_page(
            writer, "build", script,
            games=forms,
            people={game.id: people(writer, game) for game in forms},
            suggested=[game.id for game in forms if suggests(library, game)],
            agreed={game.id: agreed(library, game, besides_the_deck=True) for game in forms},
            shared=kinds_of_decks(games),
            papers=papers(library, "build"),
        )  # fmt: skip
    if scored := scored_games(library.games):
        write_page(writer, "score", script, games=scored, papers=papers(library, "score"))
    if campaigns:
        titles = {game.id: game.short for game in campaigns}
        write_page(writer, "campaign", script, games=campaigns, titles=titles, most=LARGEST_FOLDER)
    if tables:
        write_party(writer, script, tables)


def papers(library: Library, page: str) -> list[tuple[str, str, str]]:
    """Return the paper sheets that a page of the checker can fill in: game, entry, and name of each."""
    return [
        (game.id, entry, game.opens.get(entry, game.short))
        for game in map(about, library.games)
        if game
        for entry, tool in game.sheets.items()
        if tool == page and entry in library.entries
    ]


def write_party(writer: Writer, script: Path, tables: list[About]) -> None:
    """Write the page for parties, for the games in `tables`."""
    library = writer.library
    rebuilding = [(game, part) for game in tables if (part := rebuilding_of(game.id))]
    pairs = ((game, list(examples(library, game, 2))) for game in tables)
    write_page(
        writer, "party", script,
        games=sorted(tables, key=lambda game: rebuilding_of(game.id) is None),
        rebuilding=[game for game, _part in rebuilding],
        first=[first_asked(library, game, part) for game, part in rebuilding[:1]],
        asked=asked_of_table(library, tables),
        table="".join(part.example() for _game, part in rebuilding),
        campaign=any(game in with_campaigns(library.games) for game, _part in rebuilding[:1]),
        examples=[(game, [{"text": text} for _name, text in decks]) for game, decks in pairs if decks],
    )  # fmt: skip


def tools_of(library: Library, game: str) -> list[tuple[str, str, str]]:
    """Return the tools for a game: the name of each tool's page, its address with the game already chosen, and its
    purpose.

    Empty for an unknown game, or if the site has no checker.
    """
    description = about(game)
    if pyodide.package() is None or description is None:
        return []
    games_by_page = {
        "check": checked(library),
        "build": with_form(),
        "party": at_tables(library),
        "campaign": with_campaigns(library.games),
        "score": scored_games(library.games),
    }
    named = {page: description.opens[entry] for entry, page in description.sheets.items() if entry in description.opens}
    if not rebuilding_of(game):
        named["party"] = "Check decks together"
    return [
        (path, f"{path}.html{f'#?game={game}' if path in CHOOSING else ''}", named.get(path, PAGES[path][0]))
        for path, supported in games_by_page.items()
        if game in [each.id for each in supported]
    ]


def write_page(writer: Writer, path: str, script: Path, **more: Any) -> None:
    """Write the page `path` of PAGES. `more` are further values for its template."""
    title, description = PAGES[path]
    checker = {"pack": f"{FOLDER}/{script.name}", "size": script.stat().st_size, "limits": LIMITS}
    writer.write(
        Page(
            path,
            title,
            f"{path}.md.j2",
            f"{description} Nothing leaves your browser.",
            layout="check",
            engine=path,
            context={"checker": checker, **more},
        )
    )


def facts_of(library: Library, game: About) -> Any:
    """Return the facts that a game's deck rules need, from the records of the library."""
    return decks_of(game.id).load_facts(partial(library.of_kind, game.id))


def people(writer: Writer, game: About) -> list[tuple[str, ...]]:
    """Return the characters that a form can begin a deck for: name, set, label, group in the list, and address of the
    character's page (or empty).
    """
    library, addresses = writer.library, writer.addresses
    listed = form_of(game.id).people(facts_of(library, game))
    pages = (
        addresses.entry(each.shown) if each.shown in library.entries else addresses.card(each.shown) for each in listed
    )
    return [(each.name, each.set, each.label, each.group, page or "") for each, page in zip(listed, pages, strict=True)]


def suggests(library: Library, game: About) -> bool:
    """Return True if a new deck for the game comes with suggested cards."""
    decks = examples(library, game, 1)
    return any(form_of(game.id).lines(deck_in(text, "deck.yaml"), facts_of(library, game)) for _name, text in decks)


def agreed(library: Library, game: About, besides_the_deck: bool = False) -> dict[str, Any]:
    """Return the questions about a party's agreements, such as its card pool and house rules.

    With `besides_the_deck`, questions that the form asks for each deck are left out.
    """
    facts, form = facts_of(library, game), form_of(game.id)
    decks = examples(library, game, 1) if besides_the_deck else ()
    deck_keys = {field.key for _name, text in decks for field in form.fields(deck_in(text, "deck.yaml"), facts)}
    return drawn(
        as_questions(
            [field for field in form.agreed(facts) if field.key not in deck_keys],
            group := f"{game.short}: lists, products and house rules",
        ),
        folded=(group,),
    ).as_json({})


def first_asked(library: Library, game: About, part: RebuildingParty) -> dict[str, Any]:
    """Return the empty form for a party of the game."""
    return drawn(as_form(part.asked(facts_of(library, game)), {})[0]).as_json({})


def asked_of_table(library: Library, tables: list[About]) -> dict[str, dict[str, Any]]:
    """Return the questions for checking a party, by the game's id.

    The questions ask for the party's decks and, in some games, for the products owned and the characters who are out
    of the campaign.
    """
    decks = [
        Asked(f"deck {number}", Question(f"Deck {number}", file=True, group="" if number < 3 else "More decks"), "", "")
        for number in range(1, MOST_DECKS + 1)
    ]
    questions = {game.id: [*decks] for game in tables}
    for game in (each for each in with_form() if each in tables):
        facts, form = facts_of(library, game), form_of(game.id)
        owned = next((field.choices for field in form.agreed(facts) if field.key == "owned"), ())
        # Each product is listed once, because the user enters the number of copies.
        products = list({code: name for code, name, *_ in reversed(owned)}.values())[::-1]
        if products:
            people = list(dict.fromkeys(each.label for each in form.people(facts)))
            for key, words, choices in (
                ("owned", f"{game.short}: products owned, if the decks do not say", products),
                ("out", f"{game.short}: investigators out of the campaign for good", people),
            ):
                questions[game.id].append(
                    Asked(key, Question(words, choices, many=True, copies=key == "owned", group=OWNED), "", "")
                )
    return {game: drawn(of_game, folded=("More decks", OWNED)).as_json({}) for game, of_game in questions.items()}


def examples(library: Library, game: About, many: int) -> Iterator[tuple[str, str]]:
    """Yield up to `many` example decks for a game, as pairs of character and text."""
    facts = facts_of(library, game)
    for person in chain(library.of_kind(game.id, "character"), library.of_kind(game.id, "card")):
        with suppress(NewDeckError):
            if many and (text := decks_of(game.id).new_deck(name := str(person["name"]), None, facts)) is not None:
                many -= 1
                yield name, text
