"""Readers of what is asked, and of what kb keeps for itself: questions, queries, requests, cache, index, settings."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

from kb import paths
from kb import settings as kept_settings
from kb.api.session import Session
from kb.catalog.current import Current, read_current, read_failure
from kb.errors import KbError
from kb.export.changes import changes, in_words, read_games
from kb.retrieval.cards import parse_query
from kb.retrieval.document import Document, Vocabulary
from kb.retrieval.engine import SearchIndex
from kb.retrieval.index import write_index
from kb.site.build import MARKER, foreign
from kb.web import tools
from kb.web.app import application
from kb.web.settings import Settings
from tests.fuzz.mutate import Corpus, Reader
from tests.fuzz.of_decks import BETWEEN
from tests.fuzz.of_sources import small
from tests.fuzz.seeds import ARKHAM_TEXT, CARDS, CURRENT, PATHFINDER, QUERIES, QUESTIONS


def written_index(folder: Path) -> Path:
    """A small index."""
    documents = [
        Document(
            f"chess/{n}",
            "chess",
            "rule",
            f"Title {n}",
            ("chess",),
            sentences=("You close a location when its deck runs out.",),
        )
        for n in range(30)
    ]
    write_index(folder / "i", documents, Vocabulary({"chess": [["close", "shut down"]]}))
    return folder / "i"


def questions(folder: Path) -> Reader:
    """Questions to the search."""
    index = SearchIndex(written_index(folder))

    def read(data: bytes) -> Any:
        found = index.search(data.decode("utf-8", "surrogateescape"))
        return [hit.snippet for hit in found.hits], found.corrected

    return Reader(Corpus.of(QUESTIONS), read)


def card_queries(_folder: Path) -> Reader:
    """Queries for cards."""

    def read(data: bytes) -> Any:
        fits = parse_query(data.decode("utf-8", "surrogateescape"))
        return [fits(card) for card in CARDS]

    return Reader(Corpus.of(QUERIES), read)


def cache(folder: Path) -> Reader:
    """What kb keeps of its builds: of the catalog and of sites."""
    (folder / "site").mkdir()
    (folder / "site/index.html").write_text("x")
    places = [folder / "current.json", folder / "failed.json", folder / "site" / MARKER]

    def read(data: bytes) -> Any:
        for place in places:
            place.write_bytes(data)
        current, failed = read_current(folder), read_failure(folder, "a")
        assert current is None or isinstance(current, Current)
        assert failed is None or all(isinstance(each, str) for each in failed)
        return failed, foreign(folder / "site")

    seeds = [
        CURRENT,
        {"fingerprint": "a", "problems": ["x"]},
        {"version": "0", "catalog": "h", "files": ["index.html"]},
    ]
    return Reader(Corpus.of([json.dumps(seed) for seed in seeds], "json"), read)


def index(folder: Path) -> Reader:
    """The files of an index, damaged: a sentence or an answer; which of both the program's hashes decide before."""
    place = written_index(folder)
    files = sorted(path for path in place.iterdir() if path.is_file())
    whole = {path.name: path.read_bytes() for path in files}

    def read(data: bytes) -> Any:
        name, _, damaged = data.partition(b"\n")
        target = next((path for path in files if path.name.encode() == name), None)
        if target is None:
            return None
        target.write_bytes(damaged)
        try:
            opened = SearchIndex(place)
            try:
                return [hit.title for hit in opened.search("close a location").hits]
            finally:
                opened.close()
        except KbError:
            raise
        except Exception:  # `kb` compares the files with their hashes then, and builds anew
            return None
        finally:
            target.write_bytes(whole[target.name])

    return Reader(Corpus.of([f"{name}\n".encode() + data for name, data in whole.items()], "bytes"), read)


def settings(folder: Path) -> Reader:
    """The user's settings."""
    place = paths.settings_file()
    place.parent.mkdir(parents=True)

    def read(data: bytes) -> Any:
        place.write_bytes(data)
        told = kept_settings.chosen_game(), kept_settings.last_deck(), kept_settings.damage()
        if len(data) % 8 == 0:
            kept_settings.choose_game("arkham")
            assert kept_settings.chosen_game() == "arkham"
            assert kept_settings.damage() is None
        return told

    return Reader(
        Corpus.of([json.dumps({"game": "arkham", "deck": "x.yaml", "seen": {"arkham/faq": "2.5"}})], "json"), read
    )


def built(folder: Path) -> None:
    """A catalog of small sources, in use from here on."""
    small(folder / "sources")
    os.environ["KB_SOURCES"] = str(folder / "sources")


def requests(folder: Path) -> Reader:
    """Requests to `kb serve`, as its server hands them on: method, address, headers, body."""
    built(folder)
    app = application(Settings())
    loop = asyncio.new_event_loop()
    service = app.router.lifespan_context(app)
    loop.run_until_complete(service.__aenter__())

    def read(data: bytes) -> Any:
        head, _, body = data.partition(b"\n\n")
        first, *rows = head.split(b"\n")
        method, _, address = first.partition(b" ")
        path, _, query = address.partition(b"?")
        headers = [(name.strip().lower(), value.strip()) for name, _, value in (row.partition(b":") for row in rows)]
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method.decode("latin-1"), "scheme": "http",
            "path": path.decode("utf-8", "replace"), "raw_path": path, "query_string": query, "headers": headers, "root_path": "",
            "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8001), "state": {},
        }  # fmt: skip
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        loop.run_until_complete(app(scope, receive, send))
        status = sent[0]["status"]
        text = b"".join(message.get("body", b"") for message in sent[1:])
        assert status < 500 or status == 503, text
        assert not text or json.loads(text) is not None
        return status

    seeds: list[bytes | str] = [
        f"{line}\nhost: 127.0.0.1:8001\n\n{body}"
        for line, body in (
            ("GET /search?q=may+the+king+swap&limit=3&in=chess", ""), ("GET /ask?q=castling&spoilers=no", ""), ("GET /show?name=Fork", ""),
            ("GET /entries/chess/castling", ""), ("GET /cards?q=type:weapon&limit=2", ""), ("POST /deck/check?taboo=latest", ARKHAM_TEXT),
            ("POST /deck/check", PATHFINDER), ("POST /party/rebuild?fill=yes", "game: pathfinder\nset: rotr\nmembers: {}\n"),
            ("OPTIONS /search", ""), ("GET /openapi.json", ""),
        )
    ]  # fmt: skip
    return Reader(Corpus.of(seeds), read)


def assistant(folder: Path) -> Reader:
    """What an assistant asks of the tools of `kb mcp`."""
    built(folder)
    session = Session(own=False)

    def read(data: bytes) -> Any:
        try:
            asked = json.loads(data)
        except (ValueError, RecursionError):
            return None
        if not isinstance(asked, dict):
            return None
        text = {key: value for key, value in asked.items() if isinstance(value, str)}
        options = asked.get("options")
        told: list[Any] = []
        for work in (
            lambda: tools.search(session, text.get("question", ""), text.get("game"), text.get("kind"), 5),
            lambda: tools.ask(session, text.get("question", ""), text.get("game")),
            lambda: tools.show(session, text.get("name", ""), text.get("game")),
            lambda: tools.cards(session, text.get("query", ""), 20),
            lambda: tools.check_deck(session, text.get("deck", ""), options if isinstance(options, dict) else {}),
        ):
            try:
                told.append(work())
            except KbError as error:
                told.append(str(error))
        assert json.dumps(told)
        return told

    seeds = [
        {"question": "may the king swap", "game": "chess", "kind": "rule", "name": "Fork", "query": "type:x name:y", "deck": PATHFINDER,
         "options": {"taboo": "latest", "owned": ["core"], "standalone": True}},
        {"question": "x", "name": "chess/fork", "query": "level>1", "deck": ARKHAM_TEXT, "options": {}},
    ]  # fmt: skip
    session.search("castling")
    return Reader(Corpus.of([json.dumps(seed) for seed in seeds], "json"), read)


def older_exports(folder: Path) -> Reader:
    """An older export, with which a new one is compared."""
    item = {"id": "a/b", "title": "A", "name": "A", "body": "x", "sources": ["a"]}
    game = {"game": "chess", "entries": [item, {**item, "id": "a/c"}], "cards": [item]}
    (folder / "games").mkdir()

    def read(data: bytes) -> Any:
        pieces = BETWEEN.split(data)
        (folder / "index.json").write_bytes(pieces[0])
        (folder / "games/chess.json").write_bytes(pieces[2] if len(pieces) > 2 else data)
        version, games = read_games(folder)
        found = changes(games, {"chess": game}, (version, "1"))
        return in_words(found), json.dumps(found)

    index_file = json.dumps({"version": "0.1.0", "games": {"chess": {"title": "Chess"}}})
    whole = json.dumps(game, indent=1)
    return Reader(
        Corpus.of(
            [f"{index_file}\n=== chess\n{whole}", f"{index_file}\n=== chess\n{json.dumps({**game, 'entries': []})}"]
        ),
        read,
    )
