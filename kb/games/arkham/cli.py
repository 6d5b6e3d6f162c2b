"""The commands for Arkham Horror: `deck plan`, `convert` and `weakness`, and `import arkhamdb`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kb.api.decks import Deck
from kb.cli.completion import characters
from kb.cli.deck_files import FINDINGS, LEGAL, Fetch, fetched, files_named, write_new
from kb.cli.session import FileOut, Force, Owned, session_here, with_step_options
from kb.cli.terminal import AsJson, dim, print_found, strong, warn
from kb.decks.reading import only_deck, read_each
from kb.errors import KbError
from kb.plural import counted

if TYPE_CHECKING:
    from kb.api.session import Session
    from kb.decks.deckfile import DeckFile
    from kb.games.arkham.imports.own import ArkhamDBImport
    from kb.games.arkham.purchase_plan import PurchasePlan


def convert(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A deck file, or - for standard input.")],
    to: Annotated[
        str, typer.Option("--to", metavar="FORMAT", help="Target format: arkhamdb, arkham.build, text or yaml.")
    ],
    out: FileOut = None,
    force: Force = False,
    fetch: Fetch = False,
) -> None:
    """Convert an Arkham Horror deck to another format.

    Data that the format cannot store is listed on standard error.

    Examples:
        kb deck convert roland.yaml --to text
        kb deck convert roland.yaml --to arkhamdb --out roland.json
    """
    from kb.games.arkham.decks.deck_writing import FORMATS, write_deck
    from kb.games.arkham.party import GAME, named_decks

    if to not in FORMATS:
        raise KbError(f"Unknown format {to!r}. Formats: {', '.join(FORMATS)}.")
    with session_here() as session:
        facts = session.deck_rules.game(GAME)[1]
        decks = named_decks(read_each(fetched([file], fetch)), facts)
        if len(decks) > 1:
            raise KbError(f"{file} contains {len(decks)} decks. Convert them one by one.")
        written = write_deck(decks[0].deck, to, facts)
    write_new(out, written.text, force, files_named(file))
    if written.lost:
        warn(f"Not stored in the format {to}: {'; '.join(written.lost)}.")


def weakness(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DECK...",
            help="The deck to draw for, then the party's other decks. Weaknesses in these decks cannot be drawn.",
        ),
    ] = None,
    number: Annotated[
        int | None,
        typer.Option("--number", "-n", min=1, max=50, metavar="NUMBER", help="Number of weaknesses to draw."),
    ] = None,
    investigator: Annotated[
        str | None,
        typer.Option(
            "--investigator",
            metavar="NAME",
            autocompletion=characters,
            help="The investigator to draw for, if you have no deck file.",
        ),
    ] = None,
    owned: Owned = None,
    drawn: Annotated[
        list[str] | None, typer.Option("--drawn", metavar="NAME", help="A weakness already drawn (repeatable).")
    ] = None,
    trait: Annotated[
        str,
        typer.Option("--trait", metavar="TRAIT", help="Draw only weaknesses that have this trait.", show_default=False),
    ] = "",
    standalone: Annotated[bool, typer.Option("--standalone", help="Leave out campaign-only weaknesses.")] = False,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="NUMBER", help="The seed that an earlier draw printed, to repeat that draw."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Draw random basic weaknesses from one copy of each product you own (Arkham Horror).

    Weaknesses in the given decks cannot be drawn. A weakness of one class is drawn only for an investigator of that
    class. Without --number, kb draws as many as the first deck still needs, at least one. To repeat a draw, give --seed
    the number that kb printed.

    Examples:
        kb deck weakness roland.yaml --seed 7
        kb deck weakness --investigator "Roland Banks" --number 2 --owned core
    """
    from kb.api.decks import Deck
    from kb.games.arkham.weaknesses import draw_weaknesses

    with session_here() as session:
        weaknesses = draw_weaknesses(
            *(Deck.load_all(files, session=session) if files else ()),
            number=number,
            investigator=investigator,
            owned=owned or (),
            drawn=drawn or (),
            trait=trait,
            standalone=standalone,
            seed=seed,
            session=session,
        )
        drawn_from = dim(
            f"Drawn from {counted(weaknesses.pool, 'weakness')}. Repeat with --seed {weaknesses.seed}. Rule: {weaknesses.cites[0]}"
        )
        print_found(weaknesses, [*(card.label for card in weaknesses.drawn), drawn_from], as_json, session.cites)


def arkhamdb(
    folder: Annotated[
        Path,
        typer.Argument(metavar="PATH", help="A copy of ArkhamDB's card data: a folder with `pack/` and `packs.json`."),
    ],
    languages: Annotated[
        list[str] | None,
        typer.Option(
            "--language", "-l", metavar="CODE", help="Also import names in this language: de, fr … (repeatable)."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Import Arkham Horror cards, taboo lists and products from a copy of ArkhamDB's data.

    Card texts stay on this machine.

    Examples:
        kb import arkhamdb arkhamdb-json-data
        kb import arkhamdb arkhamdb-json-data --language de
    """
    from kb import paths
    from kb.games.arkham.imports.own import import_folder

    data = paths.user_data_dir()
    done = import_folder(folder, data, paths.sources_root() / "cards", languages or ())
    print_found(done, import_lines(done, data / "arkham"), as_json)


def import_lines(done: ArkhamDBImport, target: Path) -> Iterator[str]:
    """Yield the printed lines about `done`, an import of ArkhamDB's card data into the folder `target`: the records
    imported, then those skipped.
    """
    from kb.catalog.queries import newer_facts
    from kb.catalog.store import open_catalog

    taken = ", ".join(f"{number:,} {kind.replace('_', ' ')}" for kind, number in done.records.items())
    yield f"Imported from {done.files} files: {taken}."
    for item in done.skipped:
        yield f"Skipped {item.code} of {item.file}: {item.reason}."
    yield f"Written to {target}."
    with open_catalog(own=True) as catalog:
        if newer := newer_facts("arkham", catalog.documents().values(), catalog.records("arkham", "pack")):
            yield newer


@with_step_options
def plan(
    file: Annotated[str, typer.Argument(metavar="DECK", help="The current deck.")],
    want: Annotated[
        list[str] | None,
        typer.Option(
            "--want",
            metavar="LIST",
            help="A wish: a card such as `2x Shrivelling (3)`, `side` for the side deck, or a target deck file (repeatable).",
        ),
    ] = None,
    experience: Annotated[int, typer.Option("--xp", metavar="N", min=0, max=999, help="Experience available now.")] = 0,
    each: Annotated[
        int, typer.Option("--each", metavar="M", min=0, max=99, help="Experience expected after each scenario.")
    ] = 0,
    out: Annotated[
        list[str] | None,
        typer.Option(
            "--drop", "--out", metavar="CARD", help="A card to remove first, such as `2x Knife` (repeatable)."
        ),
    ] = None,
    keep: Annotated[
        list[str] | None, typer.Option("--keep", metavar="CARD", help="A card to keep (repeatable).")
    ] = None,
    as_json: AsJson = False,
    fetch: Fetch = False,
    **options: Any,
) -> int:
    """Plan purchases so that you wait as little as possible for the cards you want (Arkham Horror).

    kb finds the order with the shortest total wait; ties go to the cheapest order. Without --want, the side deck is the
    wish list. Without --each, kb only spends the current experience. The exit code is 1 if some wishes remain.

    Examples:
        kb deck plan roland.yaml --want "Beat Cop (2)" --xp 3 --each 2
        kb deck plan roland.yaml --want "Beat Cop (2)" --xp 3 --json
    """
    with session_here() as session:
        wishes = [wish for name in want or () for wish in _wishes(name, session, fetch)]
        deck = only_deck(file, list(session.read_decks(fetched([file], fetch))))
        planned = Deck(deck, session=session).plan(
            wishes,
            experience=experience,
            each=each,
            out=out or (),
            keep=keep or (),
            **options,
        )
        print_found(planned, plan_lines(planned, experience, each), as_json, session.cites)
    return FINDINGS if planned.missed else LEGAL


def plan_lines(planned: PurchasePlan, experience: int, each: int) -> Iterator[str]:
    """Yield the printed lines of a plan: a heading, the purchases scenario by scenario, and the wishes that remain.

    `experience` is available now, and `each` is gained after each scenario.
    """
    from kb.games.arkham.decks.edition import sentence

    later = f", {each} after each scenario" if each else ""
    yield f"{planned.file}: {planned.character}, {experience} experience now{later}."
    yield dim(f"  {sentence(planned.judged_by)}")
    if wrong := planned.errors_before:
        yield f"The current deck is not legal ({counted(wrong, 'error')}). See kb deck check."
    for one in planned.purchases:
        when = after(one.scenario)
        spent = f"{one.cost} spent, {one.left} left" if one.lines else "nothing is bought"
        yield f"{strong(f'{when.capitalize()}:')} {one.available} experience, {spent}."
        for line in one.lines:
            rules = dim(f"[{', '.join(line.cites)}]")
            yield f"  {line.text} {rules}"
        for note in one.notes:
            yield f"  note  {note}"
    if planned.proposed:
        yield (
            f"Suggested removals: {', '.join(planned.proposed)}. Use --drop CARD for others, --keep CARD to keep one."
        )
    if not planned.exact:
        yield "With this many wishes the plan is approximate: each step is legal, but another order may be faster or cheaper."
    if planned.missed:
        yield f"Wishes that remain: {', '.join(planned.missed)}."
    else:
        when = after(planned.purchases[-1].scenario)
        yield f"All wishes granted {when}, for {planned.cost} experience."


def after(scenario: int) -> str:
    """Return `now` for scenario 0, or else a phrase such as `after scenario 2`."""
    return f"after scenario {scenario}" if scenario else "now"


def _wishes(name: str, session: Session, fetch: bool) -> Sequence[str | DeckFile]:
    """Return the wishes that one --want value stands for.

    If `name` is a file, or an address that was fetched, these are the decks it contains. Any other `name` is itself a
    wish: a card, or the word `side`. Raises PartyError if a deck cannot be read.
    """
    from kb.decks.party import readable
    from kb.games.arkham.decks.upgrade.wishes import SIDE

    fetched_names = fetched([name], fetch)
    is_deck = fetched_names != [name] or (name != SIDE and Path(name).is_file())
    return readable(session.read_decks(fetched_names)) if is_deck else [name]
