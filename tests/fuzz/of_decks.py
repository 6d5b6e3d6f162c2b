"""Readers of what players write: decks, sheets, tables, campaigns, archives, links."""

from __future__ import annotations

import json
import re
import zlib
from functools import cache
from pathlib import Path
from typing import Any

from kb.campaigns.folder import HEAD, parse_page
from kb.campaigns.games import campaign_game, campaigns_of
from kb.campaigns.model import Folder, Page
from kb.campaigns.replay import replay_folder
from kb.campaigns.told import cites_of
from kb.decks.bundles import deck_in
from kb.decks.contract import check_text, party_json, rebuilding_json
from kb.decks.deckfile import DeckFile, decode_deck, parse_deck
from kb.decks.games import game_of
from kb.decks.nodes import DeckFileError, DeckProblem
from kb.decks.party import check_together, rebuild_table
from kb.decks.pull import pull_json, pull_together
from kb.decks.share import from_link, to_link
from kb.decks.table import Table
from kb.games.arkham.decks.upgrade.campaign import judge_campaign
from kb.games.arkham.named import named_decks
from kb.games.luxor import position
from kb.games.luxor.score import score_position
from kb.games.pathfinder.party.adapter import example
from kb.judge.read import Row
from kb.judge.stats import Stats, paired
from kb.judge.verdicts import Rules, judge_rows
from kb.sources.cards import LoadedCards
from kb.sources.sources import load_sources
from kb.version import __version__
from tests.conftest import ROOT
from tests.fuzz.mutate import Corpus, Reader
from tests.fuzz.seeds import ARKHAM_JSON, ARKHAM_TEXT, CAMPAIGNS, PATHFINDER, POSITION, SHEET

GAMES = ("arkham", "pathfinder", "tainted-grail")
BETWEEN = re.compile(rb"^=== (.{0,80})$", re.M)
"""Parts the files of a folder in one input: a line `=== NAME` before each."""


@cache
def facts() -> LoadedCards:
    """The repository's own cards."""
    return load_sources(ROOT)[1]


def records(game: str, kind: str) -> list[dict[str, Any]]:
    """The records of a kind, as a catalog gives them."""
    return facts().records.get(game, {}).get(kind, [])


@cache
def table() -> Table:
    """The deck rules with the repository's own facts."""
    made = Table(records)
    for game in GAMES:
        made.game(game)
    return made


def own_decks(game: str) -> list[bytes]:
    """The decks of one game in tests/data."""
    return [path.read_bytes() for path in sorted((ROOT / "tests/data/decks" / game).glob("*.*"))]


def checked(data: bytes, name: str) -> Any:
    """The report on a deck, and its list."""
    told = check_text(data, name, table().game, {})
    file = deck_in(decode_deck(name, data), name)
    module, known = table().game(game_of(file).id)
    return told, str(module.show(file, known))


def deck(name: str, seeds: list[bytes | str], form: str) -> Reader:
    """A reader of decks in a file of a name."""
    table()
    return Reader(Corpus.of(seeds, form), lambda data: checked(data, name))


def arkham_yaml(_folder: Path) -> Reader:
    """Arkham Horror decks as YAML."""
    return deck("deck.yaml", [*own_decks("arkham")], "yaml")


def pathfinder_yaml(_folder: Path) -> Reader:
    """Pathfinder decks as YAML."""
    return deck("deck.yaml", [PATHFINDER, *own_decks("pathfinder")], "yaml")


def sheets(_folder: Path) -> Reader:
    """Tainted Grail sheets."""
    return deck("sheet.yaml", [SHEET, *own_decks("tainted-grail")], "yaml")


def lists(_folder: Path) -> Reader:
    """Decks as plain lists."""
    return deck("deck.txt", [ARKHAM_TEXT, PATHFINDER, "Knife\n2 Machete\n"], "text")


def exports(_folder: Path) -> Reader:
    """Decks as other programs export them."""
    meta = {**ARKHAM_JSON, "meta": json.dumps(ARKHAM_JSON["meta"])}
    seeds = [ARKHAM_JSON, meta, [ARKHAM_JSON, ARKHAM_JSON], {"data": {"1": ARKHAM_JSON}}, {"deck": ARKHAM_JSON}]
    return deck("deck.json", [json.dumps(seed) for seed in seeds], "json")


def positions(_folder: Path) -> Reader:
    """Final positions of Luxor."""
    short = "set_points: {1: 4}\nplayers: [{name: Ada, vases: 1, jewelry: 1, statues: 1, looted: 9}]\n"
    return Reader(
        Corpus.of([POSITION, short], "yaml"),
        lambda data: str(
            score_position(position.read_position(parse_deck(decode_deck("luxor.yaml", data), "luxor.yaml")))
        ),
    )


def tables(_folder: Path) -> Reader:
    """Tables between two scenarios, rebuilt."""

    def read(data: bytes) -> Any:
        file = deck_in(decode_deck("table.yaml", data), "table.yaml")
        rebuilt = rebuild_table(file, table().game, len(data) % 2 == 0)
        return rebuilding_json(rebuilt, {}), [step.lines for step in rebuilt.steps], dict(rebuilt.decks)

    table()
    seeds = [example(), *(path.read_bytes() for path in sorted((ROOT / "tests/data/party").glob("*.yaml")))]
    return Reader(Corpus.of(seeds, "yaml"), read)


def parties(_folder: Path) -> Reader:
    """A deck beside another one: judged together, pulled from one collection, and (Arkham Horror) as the step before it."""
    others = {
        "arkham": parse_deck(json.dumps(ARKHAM_JSON), "other.json"),
        "pathfinder": parse_deck(PATHFINDER, "other.yaml"),
        "tainted-grail": parse_deck(SHEET, "other.yaml"),
    }

    def read(data: bytes) -> Any:
        file = deck_in(decode_deck("deck.yaml", data), "deck.yaml")
        game = game_of(file).id
        decks = [file, others.get(game, file)]
        told: list[Any] = []
        told.append(party_json(check_together(decks, table().game), {}))
        if game != "tainted-grail":
            told.append(pull_json(pull_together(decks, table().game, [])))
        if game == "arkham":
            steps = judge_campaign(named_decks(decks[::-1], table().game(game)[1]), table().game(game)[1])
            told.append([str(step) for step in steps])
        return told

    table()
    return Reader(
        Corpus.of([json.dumps(ARKHAM_JSON), *own_decks("arkham"), PATHFINDER, *own_decks("pathfinder")], "yaml"), read
    )


def campaigns(_folder: Path) -> Reader:
    """Folders of campaigns, replayed."""

    def read(data: bytes) -> Any:
        pieces = BETWEEN.split(data)
        texts = {name.decode("utf-8", "replace"): text for name, text in zip(pieces[1::2], pieces[2::2], strict=True)}

        def page(name: str, number: int) -> Page:
            try:
                return Page(name, number, parse_page(decode_deck(name, texts.get(name, b"")), name))
            except DeckFileError as error:
                return Page(name, number, None, tuple(error.problems))

        def below(name: str) -> DeckFile:
            if name not in texts:
                raise DeckFileError(name, [DeckProblem(0, "cannot be read.")])
            return parse_deck(decode_deck(name, texts[name]), name)

        games = [name for name in sorted(texts) if name != HEAD and not name.startswith("decks/")]
        folder = Folder(".", page(HEAD, 0), tuple(page(name, at) for at, name in enumerate(games, 1)), below)
        replay = replay_folder(folder, table())
        return str(replay), cites_of(replay), filled(folder)

    table()
    return Reader(Corpus.of(list(CAMPAIGNS), "text"), read)


def filled(folder: Folder) -> Any:
    """What the rules work out for the last game of a campaign."""
    if folder.head.file is None or not folder.games or folder.games[-1].file is None:
        return None
    part = campaigns_of(campaign_game(folder.head.file).id)
    assert part is not None
    before = Folder(folder.path, folder.head, folder.games[:-1], folder.deck)
    game = campaign_game(folder.head.file).id
    return part.title(folder.games[-1].file), part.filled(before, folder.games[-1].file, table().game(game)[1])


@cache
def judged() -> Rules:
    """What rows are judged by."""
    packed = {
        (game, kind): zlib.compress(json.dumps(list(found)).encode())
        for game, kinds in facts().records.items()
        for kind, found in kinds.items()
        if game in GAMES
    }
    return Rules(__version__, "facts of the repository", {}, packed)


def archives(_folder: Path) -> Reader:
    """Rows of an archive of decks, judged."""
    judge_rows(judged(), [Row(1, PATHFINDER.encode(), "a:1"), Row(2, ARKHAM_TEXT.encode(), "a:2")])

    def read(data: bytes) -> Any:
        rows = [Row(at, line, f"a:{at}") for at, line in enumerate(data.split(b"\n")[:20], 1)]
        lines, unreadable = judge_rows(judged(), rows)
        assert b"bug in kb" not in lines
        return lines.decode("utf-8"), unreadable

    lines = [
        json.dumps(ARKHAM_JSON),
        json.dumps([ARKHAM_JSON]),
        json.dumps({"slots": {"01016": 2}, "investigator_code": "01001"}),
    ]
    return Reader(Corpus.of(["\n".join(lines), *lines], "json"), read)


def verdicts(folder: Path) -> Reader:
    """Files of verdicts, counted and compared."""
    found, _ = judge_rows(judged(), [Row(1, json.dumps(ARKHAM_JSON).encode(), "a:1"), Row(2, b"{}", "a:2")])
    (folder / "before.jsonl").write_bytes(found)

    def read(data: bytes) -> Any:
        (folder / "verdicts.jsonl").write_bytes(data)
        stats = Stats()
        for pair in paired(str(folder / "verdicts.jsonl"), str(folder / "before.jsonl") if len(data) % 2 else None):
            stats.add(*pair)
        return stats.as_json()

    return Reader(Corpus.of([found, *found.splitlines(keepends=True)], "json"), read)


def links(_folder: Path) -> Reader:
    """Decks in links."""
    seeds = [to_link(json.dumps(ARKHAM_JSON)), to_link(PATHFINDER), to_link("x" * 900_000), to_link("")]
    return Reader(Corpus.of(seeds, "bytes"), lambda data: len(from_link(data.decode("latin-1"))))
