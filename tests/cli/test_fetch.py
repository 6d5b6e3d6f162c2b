"""`--fetch` downloads decks from web addresses. The tests use a local server that answers like ArkhamDB and
arkham.build; kb makes no other connection.
"""

import json
import socket
import threading
import time
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from urllib.request import HTTPSHandler

import pytest

from kb.api.session import Session
from kb.web import questions, work
from kb.web.assistant import tools
from tests.games.arkham.decks.conftest import AGNES, FACTS, deck
from tests.games.arkham.decks.upgrade.steps import put

JSON = {"Content-Type": "application/json; charset=utf-8"}
PAGE = "https://arkhamdb.com/decklist/view/123/a-deck-1.0"
ASKED = "arkhamdb.com/api/public/decklist/123"

pytestmark = pytest.mark.usefixtures("real")


def exported(**keys):
    """Return a deck as JSON bytes, in the format of both sites. `keys` replace parts of the deck."""
    slots = dict(deck(AGNES, {"Shrivelling": 2}).cards)
    made = {"id": 123, "name": "Found out there", "investigator_code": AGNES, "slots": slots, "sideSlots": [],
            "meta": "", "xp": None, "taboo_id": None, "previous_deck": None}  # fmt: skip
    return json.dumps(made | keys).encode()


@pytest.fixture
def sites(monkeypatch):
    """Redirect all https connections to a local server. Return its `answers` (by host and path) and the addresses
    `asked` for so far.
    """
    told = SimpleNamespace(answers={}, asked=[])

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked = f"{self.headers['Host']}{self.path}"
            told.asked.append(asked)
            answer = told.answers.get(asked, (404, JSON, b'{"message": "Not found"}'))
            if callable(answer):
                answer(self)
                return
            status, headers, body = answer
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    class Here(HTTPSHandler):
        def https_open(self, req):
            def connect(host, timeout):
                connection = HTTPConnection(host, timeout=timeout)
                connection.sock = socket.create_connection(server.server_address[:2], timeout)
                return connection

            return self.do_open(connect, req)

    monkeypatch.setattr("urllib.request.HTTPSHandler", Here)
    for name in ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    yield told
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("page", "asked"),
    [
        (PAGE, ASKED),
        ("https://de.arkhamdb.com/deck/view/77?x=1#y", "arkhamdb.com/api/public/deck/77"),
        ("ArkhamDB.com/decklist/view/5/", "arkhamdb.com/api/public/decklist/5"),
        ("https://arkhamdb.com/api/public/deck/6.json", "arkhamdb.com/api/public/deck/6"),
        ("https://arkham.build/share/LCfRwHWV4taJzGO", "api.arkham.build/v1/public/share/LCfRwHWV4taJzGO"),
        ("https://arkham.build/deck/view/Ab-c_1", "api.arkham.build/v1/public/share/Ab-c_1"),
        ("https://arkham.build/decklist/view/9/name", "arkhamdb.com/api/public/decklist/9"),
        ("https://api.arkham.build/v1/public/share/abc", "api.arkham.build/v1/public/share/abc"),
    ],
)
def test_the_deck_of_a_page(kb, sites, page, asked):
    sites.answers[asked] = (200, JSON, exported())
    unasked = kb("deck show", page)
    assert (unasked.code, sites.asked) == (2, [])
    assert f"It then asks {asked.split('/')[0]} for https://{asked}." in unasked.err
    run = kb("deck show {} --fetch", page)
    assert (run.code, sites.asked) == (0, [asked])
    assert "Agnes Baker: Found out there" in run.out


@pytest.mark.extended
def test_every_command_that_takes_a_deck_takes_an_address(kb, sites, tmp_path):
    after = put(deck(AGNES, {"Shrivelling": 2}), {"Shrivelling": 1, "Shrivelling (3)": 1})
    sites.answers[ASKED] = (200, JSON, exported())
    sites.answers["api.arkham.build/v1/public/share/next"] = (200, JSON, exported(slots=dict(after.cards), xp=4))
    follows = "https://arkham.build/share/next"
    checked = kb("deck check {} {} --fetch --json", PAGE, follows)
    assert [report["file"] for report in checked.json] == [PAGE, follows]
    step = kb("deck upgrade {} {} --fetch --xp 4 --json", PAGE, follows)
    assert (step.code, step.json["cost"]) == (0, 3)
    planned = kb("deck plan {} --want {} --xp 4 --fetch --json", PAGE, follows)
    assert (planned.code, planned.json["cost"]) == (0, 3)
    assert kb("deck convert {} --to arkhamdb --fetch", PAGE).json["investigator_code"] == AGNES
    assert "Found out there" in kb("deck page {} --fetch", PAGE).out
    assert "Agnes Baker is legal" in kb("deck party {} --fetch", PAGE).out
    assert "Shrivelling" in kb("deck pull {} --fetch", PAGE).out
    assert kb("deck party", PAGE).code == kb("deck pull", PAGE).code == 2


def slow(handler):
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.end_headers()
    for _ in range(50):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.1)


def cut_off(handler):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n{")


NOTHING = (
    f"arkhamdb.com has no public deck at https://{ASKED}. The number may be wrong, or its owner does not share it."
)


@pytest.mark.extended
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((404, JSON, b"{}"), NOTHING),
        ((200, {"Content-Type": "text/html"}, b"<html>Log in</html>"), NOTHING),
        ((200, JSON, b""), NOTHING),
        ((200, JSON, b'{"success": false}'), "returned something that is not a deck"),
        ((200, JSON, b"[" * 100_000), "returned something that is not a deck"),
        ((200, JSON, b"\xff\xfe\xfd"), "returned something that is not a deck"),
        ((200, JSON, b" " * 1_500_000), "is larger than 1,000,000 bytes"),
        ((429, JSON, b"{}"), f"arkhamdb.com returned status 429 for https://{ASKED}. Try again later."),
        ((500, JSON, b"{}"), f"returned status 500 for https://{ASKED}. Try again later."),
        ((302, {"Location": "https://evil.example/x"}, b""), "returned status 302"),
        (slow, "arkhamdb.com did not answer within 1 seconds."),
        (cut_off, "returned something that is not a deck"),
    ],
)
def test_an_answer_that_is_not_a_deck_gives_an_error_message(kb, sites, monkeypatch, answer, said):
    monkeypatch.setattr("kb.cli.fetch.SECONDS", 1)
    sites.answers[ASKED] = answer
    run = kb("deck check {} --fetch", PAGE)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith(f"{PAGE}: ")
    assert said in " ".join(run.err.split())
    assert set(sites.asked) == {ASKED}


@pytest.mark.extended
@pytest.mark.parametrize(
    "page",
    [
        "https://example.org/deck/1",
        "https://arkhamdb.com/card/01001",
        "https://arkhamdb.com@evil.example/deck/view/1",
        "https://evil.example/arkhamdb.com/deck/view/1",
        "https://arkhamdb.com.evil.example/deck/view/1",
        "https://arkhamdb.com:8443/deck/view/1",
        "https://arkham.build/share/",
        "https://arkham.build/share/a%2f..%2fb",
        "file:///etc/passwd",
        "https://arkhamdb.com/deck/view/١",
    ],
)
def test_kb_requests_no_other_page(kb, sites, page):
    run = kb("deck check {} --fetch", page)
    assert (run.code, sites.asked) == (2, [])
    assert "kb can download from api.arkham.build and arkhamdb.com" in run.err


def test_a_failed_download_does_not_stop_other_decks(kb, sites, tmp_path):
    (tmp_path / "deck.json").write_bytes(exported())
    run = kb("deck check {} {} --fetch --json", PAGE, tmp_path / "deck.json")
    first, second = run.json
    assert (run.code, first["file"], "problems" in first, second["character"]) == (2, PAGE, True, "Agnes Baker")


def test_service_assistant_and_library_never_download(sites, monkeypatch):
    def asked(*_, **__):
        sites.asked.append("a name")

    assert FACTS.card(AGNES) is not None
    monkeypatch.setattr(socket, "getaddrinfo", asked)
    for page in (PAGE, "https://arkham.build/share/abc", "arkhamdb.com/deck/view/1"):
        with Session(own=False, files=False) as session:
            status, told = work.answered(session, questions.check_deck, {"text": page})
            assert (status, b"address of a page" in told) == (422, True)
            with pytest.raises(Exception, match="Files cannot be opened here"):
                list(session.check_decks([page]))
        with pytest.raises(Exception, match="address of a page"):
            tools(False)["check_deck"](deck=page)
        with Session() as session:
            (found,) = session.check_decks([page])
            assert "address of a page" in str(found) or "cannot be read" in str(
                found
            )  # without https, the word names a file
    assert sites.asked == []
