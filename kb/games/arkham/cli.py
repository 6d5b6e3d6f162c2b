"""The commands that only Arkham Horror has: `deck upgrade`, `plan`, `convert` and `weakness`, and `import arkhamdb`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kb.api.decks import Deck
from kb.cli.completion import characters
from kb.cli.deck_files import FINDINGS, LEGAL, Fetch, fetched, files_named, finding_lines, write_new
from kb.cli.session import FileOut, Force, Owned, session_here
from kb.cli.terminal import AsJson, coloured, dim, print_found, strong, warn
from kb.decks.reading import only_deck, read_each
from kb.errors import KbError
from kb.plural import counted

if TYPE_CHECKING:
    from kb.api.session import Session
    from kb.citation import Citation
    from kb.decks.deckfile import DeckFile
    from kb.decks.upgrades import PurchasePlan, StepReport
    from kb.games.arkham.imports.own import ImportedCards

Rules = Annotated[str | None, typer.Option("--rules", metavar="EDITION", help="grimoire or faq.")]
Taboo = Annotated[str | None, typer.Option("--taboo", metavar="LIST", help="Taboo list by number, latest or none.")]
Environment = Annotated[str | None, typer.Option("--environment", metavar="NAME", help="current, limited or legacy.")]


def convert(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A deck file in any format that is read; - for input.")],
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", help="arkhamdb, arkham.build, text or yaml.")],
    out: FileOut = None,
    force: Force = False,
    fetch: Fetch = False,
) -> None:
    """Write an Arkham Horror deck in another format; what the format cannot hold is said on standard error.

    Exit code 2 when the file cannot be read, the format is unknown or the file to write exists.

    Examples:
        kb deck convert roland.yaml --to text
        kb deck convert roland.yaml --to arkhamdb --out roland.json
    """
    from kb.games.arkham.decks.deck_writing import FORMATS, write_deck
    from kb.games.arkham.party import GAME, named_decks

    if to not in FORMATS:
        raise KbError(f"There is no format {to!r}; there are {', '.join(FORMATS)}.")
    with session_here() as session:
        facts = session.deck_rules.game(GAME)[1]
        decks = named_decks(read_each(fetched([file], fetch)), facts)
        if len(decks) > 1:
            raise KbError(f"{file} holds {len(decks)} decks; convert them one by one.")
        written = write_deck(decks[0].deck, to, facts)
    write_new(out, written.text, force, files_named(file))
    if written.lost:
        warn(f"The format {to} cannot hold: {'; '.join(written.lost)}.")


def weakness(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DECK...", help="The deck to draw for, then the others at the table: what they have is out."
        ),
    ] = None,
    number: Annotated[int | None, typer.Option("--number", "-n", min=1, max=50, help="How many to draw.")] = None,
    investigator: Annotated[
        str | None,
        typer.Option(
            "--investigator", metavar="NAME", autocompletion=characters, help="For whom to draw, without a deck."
        ),
    ] = None,
    owned: Owned = None,
    drawn: Annotated[
        list[str] | None, typer.Option("--drawn", metavar="NAME", help="A weakness drawn already (repeat).")
    ] = None,
    trait: Annotated[
        str, typer.Option("--trait", metavar="TRAIT", help="Draw only among weaknesses with it.", show_default=False)
    ] = "",
    standalone: Annotated[
        bool, typer.Option("--standalone", help="Leave out weaknesses that are for campaigns only.")
    ] = False,
    seed: Annotated[int | None, typer.Option("--seed", help="Makes the draw repeatable.")] = None,
    as_json: AsJson = False,
) -> None:
    """Draw random basic weaknesses from one copy of each product owned (Arkham Horror).

    Weaknesses in the decks given are out of the pool; those locked to a class are in it only for investigators of the class.
    Without --number as many as the first deck still needs, at least one. The seed that is printed repeats the draw. Exit
    code 2 when a file cannot be read or the pool is too small.

    Examples:
        kb deck weakness roland.yaml --seed 7
        kb deck weakness --investigator "Roland Banks" --number 2 --owned core
    """
    from kb.api.decks import Deck
    from kb.games.arkham.weaknesses import RULE, draw_weaknesses

    with session_here() as session:
        weaknesses = draw_weaknesses(
            *(Deck.load_all(files, session=session) if files else ()),
            number=number, investigator=investigator, owned=owned or (), drawn=drawn or (), trait=trait,
            standalone=standalone, seed=seed, session=session,
        )  # fmt: skip
        drawn_from = dim(f"Drawn from {weaknesses.pool} with --seed {weaknesses.seed}. Rule: {RULE}")
        print_found(weaknesses, [*(card.label for card in weaknesses.drawn), drawn_from], as_json, session.cites)


def arkhamdb(
    folder: Annotated[
        Path,
        typer.Argument(metavar="PATH", help="Folder with `pack/`, `packs.json`, … (a copy of ArkhamDB's card data)."),
    ],
    languages: Annotated[
        list[str] | None,
        typer.Option("--language", "-l", metavar="CODE", help="Take names in this language too (repeatable): de, fr …"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Import cards, taboo lists and products of Arkham Horror: The Card Game from a folder in ArkhamDB's layout.

    Texts stay on this machine. Exit code 0: imported; 2: the folder cannot be read (then nothing has changed).

    Examples:
        kb import arkhamdb arkhamdb-json-data
        kb import arkhamdb arkhamdb-json-data --language de
    """
    from kb import paths
    from kb.games.arkham.imports.own import import_folder

    done = import_folder(folder, paths.user_data_dir(), paths.sources_root() / "cards", languages or ())
    print_found(done, import_lines(done), as_json)


def import_lines(done: ImportedCards) -> Iterator[str]:
    """What an import of ArkhamDB's card data took, and what it left out."""
    from kb.catalog.queries import newer_facts
    from kb.catalog.store import open_catalog

    taken = ", ".join(f"{number:,} {kind.replace('_', ' ')}" for kind, number in done.records.items())
    yield f"Taken from {done.files} files: {taken}."
    for item in done.skipped:
        yield f"Skipped {item.code} of {item.file}: {item.reason}."
    yield f"Written to {done.target}."
    with open_catalog(own=True) as catalog:
        if newer := newer_facts("arkham", catalog.documents().values(), catalog.records("arkham", "pack")):
            yield newer


def upgrade(
    files: Annotated[
        list[str],
        typer.Argument(metavar="OLD NEW...", help="The deck before, the deck after, and so on; a folder, or - ."),
    ],
    experience: Annotated[
        list[int] | None,
        typer.Option(
            "--xp",
            metavar="N",
            min=0,
            help="Experience earned before the step (repeat for further steps); else what the deck after says.",
        ),
    ] = None,
    rules: Rules = None,
    taboo: Taboo = None,
    environment: Environment = None,
    as_json: AsJson = False,
    fetch: Fetch = False,
) -> int:
    """Judge the step between two scenarios: what it costs at least, line by line, and whether it is legal.

    Arkham Horror. Several decks are a campaign: in the order in which they name the deck before them (`previous_deck`), or
    else as given; unspent experience is carried on. Without --xp a deck's `xp` and `xp_adjustment` say how much there is in
    all; with it, what was left before and the adjustment are added. Exit code 0: legal; 1: not legal; 2: a file cannot be
    read or the decks are no chain.

    Examples:
        kb deck upgrade roland.yaml after.yaml --xp 5
        kb deck upgrade roland.yaml after.yaml --xp 5 --json
    """
    with session_here() as session:
        first, *later = Deck.load_all(fetched(files, fetch), session=session)
        judged = first.upgrade_to(*later, earned=experience or (), rules=rules, taboo=taboo, environment=environment)
        steps = (step_lines(step, session.cites) for step in judged.steps)
        print_found(judged, chain.from_iterable(steps), as_json, session.cites)
    return LEGAL if judged.legal else FINDINGS


def step_lines(step: StepReport, cites: Mapping[str, Citation]) -> Iterator[str]:
    """One step for people: the verdict, by which rules, the lines with their rules, the findings."""
    from kb.games.arkham.decks.edition import sentence

    verdict = coloured("legal", "green") if step.legal else coloured("not legal", "red")
    there = "" if step.available is None else f" of {step.available} available, {step.unspent} left"
    yield f"{strong(f'{step.old} -> {step.new}:')} {step.character}, {step.cost} experience{there}: {verdict}."
    yield dim(f"  {sentence(step.judged_by)}")
    for line in step.lines:
        rules = dim(f"[{', '.join(line.cites)}]")
        yield f"  {line.text} {rules}"
    for finding in step.findings:
        yield from finding_lines(finding, cites)


def plan(
    file: Annotated[str, typer.Argument(metavar="DECK", help="The deck as it is now.")],
    want: Annotated[
        list[str] | None,
        typer.Option(
            "--want",
            metavar="LIST",
            help="A deck file to get to, `side` (the side deck), or a card such as `2x Shrivelling (3)` (repeat).",
        ),
    ] = None,
    experience: Annotated[int, typer.Option("--xp", metavar="N", min=0, max=999, help="Experience there is now.")] = 0,
    each: Annotated[
        int, typer.Option("--each", metavar="M", min=0, max=99, help="Experience expected after each scenario.")
    ] = 0,
    out: Annotated[
        list[str] | None,
        typer.Option(
            "--drop", "--out", metavar="CARD", help="A card that may leave first (repeat), `2x` for more copies."
        ),
    ] = None,
    keep: Annotated[
        list[str] | None, typer.Option("--keep", metavar="CARD", help="A card that stays (repeat).")
    ] = None,
    rules: Rules = None,
    taboo: Taboo = None,
    environment: Environment = None,
    as_json: AsJson = False,
    fetch: Fetch = False,
) -> int:
    """Plan purchases between scenarios so that the wishes come true soonest, exactly (Arkham Horror).

    Summed over all wishes the fewest scenarios are waited; of such orders the one that costs least is taken. Without --want
    the side deck is the wish list. Without --each only what there is now is spent. Exit code 0: every wish comes true; 1:
    some do not; 2: a file cannot be read, or the wishes are no legal deck.

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
            rules=rules,
            taboo=taboo,
            environment=environment,
        )
        print_found(planned, plan_lines(planned, experience, each), as_json, session.cites)
    return FINDINGS if planned.missed else LEGAL


def plan_lines(planned: PurchasePlan, experience: int, each: int) -> Iterator[str]:
    """A plan for people: from what on, scenario by scenario, and whether all wishes come true."""
    from kb.games.arkham.decks.edition import sentence

    later = f", {each} after each scenario" if each else ""
    yield f"{planned.file}: {planned.character}, {experience} experience now{later}."
    yield dim(f"  {sentence(planned.judged_by)}")
    if wrong := planned.errors_before:
        yield f"The deck is itself not legal ({counted(wrong, 'error')}); see `kb deck check` on it."
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
            f"What leaves is a proposal: {', '.join(planned.proposed)}. `--drop CARD` names other cards, `--keep CARD` lets one stay."
        )
    if not planned.exact:
        yield "So many wishes are not planned exactly: each step is legal, but another order may be sooner or cheaper."
    if planned.missed:
        yield f"Not yet: {', '.join(planned.missed)}."
    else:
        when = after(planned.purchases[-1].scenario)
        yield f"All wishes have come true {when}; {planned.cost} experience in all."


def after(scenario: int) -> str:
    """`now`, `after scenario 2`."""
    return f"after scenario {scenario}" if scenario else "now"


def _wishes(name: str, session: Session, fetch: bool) -> Sequence[str | DeckFile]:
    """The decks in a file of this name or at this address; else the card, or the side deck, that it names. Raises PartyError."""
    from kb.decks.party import readable
    from kb.decks.upgrades import SIDE

    fetched_names = fetched([name], fetch)
    is_deck = fetched_names != [name] or (name != SIDE and Path(name).is_file())
    return readable(session.read_decks(fetched_names)) if is_deck else [name]
