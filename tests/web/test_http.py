"""`kb serve` gives the same answers as the library, describes them correctly, and refuses invalid requests."""

import http.client
import json
import re
import socket
import time
from urllib.parse import quote, urlencode

import jsonschema
import pytest
from openapi_spec_validator import validate

import kb
from tests.tables import rows_of

KYRA = "game: pathfinder\nset: rotr\ncharacter: Kyra\ncards: [2x Mace, Quarterstaff]\n"
TABLE = "game: pathfinder\nset: rotr\nadventure: 1\nmembers:\n  Kyra:\n    pool: [Mace, Cure]\nrewards: [Bracers of Protection]\n"


def test_the_service_answers_like_the_library(service, real):
    question = "may I attack twice"
    asked = urlencode({"q": question, "in": "arkham", "limit": 3})
    assert service.ask(f"/search?{asked}").json == kb.as_json(kb.search(question, within="arkham", limit=3))
    assert service.ask(f"/ask?q={quote(question)}").json == kb.as_json(kb.ask(question))
    assert service.ask("/show?name=mulligan").json == kb.show("mulligan")
    assert service.ask("/entries/arkham/glossary/mulligan").json == kb.show("arkham/glossary/mulligan")
    assert service.ask("/cards?q=type:weapon+set:mm&limit=5").json == kb.cards("type:weapon set:mm", limit=5)
    assert service.ask("/deck/check", KYRA).json == kb.as_json(kb.Deck(KYRA).check())
    roland = "game: arkham\ninvestigator: Roland Banks\ncards: [3x Machete]\n"
    told = service.ask("/deck/check?start=true&owned=core&owned=dwl", roland).json
    assert told == kb.as_json(kb.Deck(roland).check(start=True, owned=["core", "dwl"]))
    rebuilt = service.ask("/party/rebuild?fill=true", TABLE)
    assert (rebuilt.status, rebuilt.json) == (200, kb.as_json(kb.Party(kb.Deck(TABLE)).rebuild(fill=True)))


def test_the_description_is_valid_and_true(service):
    told = service.ask("/openapi.json").json
    validate(told)
    asked = {
        "/search": "?q=mulligan",
        "/ask": "?q=mulligan",
        "/show": "?name=01020",
        "/entries/{id}": "",
        "/cards": "?q=machete",
        "/health": "",
        "/deck/check": "",
        "/party/rebuild": "",
    }
    assert told["paths"].keys() == asked.keys()
    for path, query in asked.items():
        (method,) = told["paths"][path]
        address = path.replace("{id}", "arkham/glossary/mulligan") + query
        body = {"/deck/check": KYRA, "/party/rebuild": TABLE}.get(path)
        found = service.ask(address, body)
        assert found.status == 200, (path, found)
        says(told, method, path, "200", found.json)
        wrong = service.ask(f"{address}{'&' if query else '?'}nothing=1", body)
        assert wrong.status == 400
        says(told, method, path, "4XX", wrong.json)


def says(told, method, path, status, found):
    """Check that the answer `found` matches its schema in the service's description `told`."""
    shape = told["paths"][path][method]["responses"][status]["content"]["application/json"]["schema"]
    jsonschema.validate(found, {**shape, "components": told["components"]}, jsonschema.Draft202012Validator)


@rows_of("web-http", "test_a_wrong_question_gets_a_sentence")
def test_a_wrong_question_gets_a_sentence(service, path, status, said):
    told = service.ask(path)
    assert told.status == status
    assert said in told.json["error"]
    assert "Traceback" not in told.json["error"]


@pytest.mark.parametrize(
    ("path", "body", "status", "said"),
    [
        ("/deck/check", b"", 400, "Send the text"),
        ("/deck/check", b"\xff", 400, "not UTF-8"),
        ("/deck/check", b"x" * 1_000_001, 413, "larger than"),
        ("/deck/check", b"x: [", 422, "this is not valid YAML"),
        ("/deck/check", b"cards: [Cure]", 422, "Can't tell which game"),
        ("/deck/check?taboo=nine", b"game: arkham\ninvestigator: Roland Banks\n", 422, "no taboo list"),
        (
            "/deck/check?short=true",
            b"game: arkham\ninvestigator: Roland Banks\n",
            400,
            "`short`: Extra inputs are not permitted. Parameters are standalone, ",
        ),
        ("/deck/check", b"[" * 50_000, 422, ":"),
        ("/party/rebuild", b"game: arkham\ninvestigator: Roland Banks\n", 400, "no `kb party rebuild`"),
    ],
)
def test_a_wrong_body_gives_an_error_message(service, path, body, status, said):
    told = service.ask(path, body)
    assert (told.status, said in told.json["error"]) == (status, True), told
    assert service.ask("/deck/check", KYRA).status == 200  # the service answers the next request


@pytest.mark.parametrize("path", ["/search?q=\udc94", "/?\udcee", "/nowhere/?\udc94"])
def test_an_undecodable_address_gives_an_error_message(service, path):
    assert service.ask_bare(path).startswith("HTTP/1.1 400 ")
    assert service.ask("/").status == 200


@pytest.mark.parametrize(
    "sent", [b"nonsense\r\n\r\n", b"GET /\x94 HTTP/1.1\r\nHost: localhost\r\n\r\n", b"\x16\x03\x01\x00\r\n\r\n"]
)
def test_invalid_requests_get_json(service, sent):
    with socket.create_connection(("127.0.0.1", service.port), timeout=30) as connection:
        connection.sendall(sent)
        head, _, body = connection.makefile("rb").read().partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert "not an HTTP request" in json.loads(body)["error"]
    assert service.ask("/").status == 200


def test_foreign_names_and_origins_are_refused(service):
    assert service.ask("/", Host="evil.example").status == 403
    assert service.ask("/", Host=f"evil.example:{service.port}").status == 403
    assert service.ask("/", Host="table.local").status == 200
    assert service.ask("/", Host=f"LOCALHOST:{service.port}").status == 200
    refused = service.ask("/search?q=mulligan", Origin="https://evil.example")
    assert refused.status == 403
    assert "access-control-allow-origin" not in refused.headers
    friend = service.ask("/search?q=mulligan", Origin="https://friend.example")
    assert (friend.status, friend.headers["access-control-allow-origin"]) == (200, "https://friend.example")
    own = service.ask("/", Origin=f"http://127.0.0.1:{service.port}", Host=f"127.0.0.1:{service.port}")
    assert own.status == 200
    preflight = {"Origin": "https://friend.example", "Access-Control-Request-Method": "POST"}
    before = service.ask("/deck/check", method="OPTIONS", **preflight)
    assert (before.status, before.headers["access-control-allow-origin"]) == (200, "https://friend.example")
    assert service.ask("/deck/check", method="OPTIONS", Origin="null").status == 403
    other = service.ask("/deck/check", method="OPTIONS", **preflight | {"Access-Control-Request-Method": "DELETE"})
    assert (other.status, "GET and POST" in other.json["error"]) == (400, True)


def test_an_extra_slash_in_the_address_is_not_redirected(service):
    assert service.ask("/search/?q=hunter").status == 404


def test_large_heads_and_many_parameters_are_refused(service):
    told = service.ask("/", X_Long="a" * 20_000)
    assert (told.status, "headers are larger" in told.json["error"]) == (431, True)
    assert service.ask("/", X_Long="a" * 2_000).status == 200
    told = service.ask("/search?" + "&".join(f"q{number}=1" for number in range(1_500)))
    assert (told.status, "`q`: Field required" in told.json["error"]) == (400, True)
    assert service.ask("/search?" + "&".join(["q=a"] * 3_000)).status == 400


def test_a_body_of_unannounced_length_is_limited(service):
    """A body sent in chunks does not announce its length, so the service counts the bytes as they arrive."""
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=30)
    try:
        connection.request(
            "POST",
            "/deck/check",
            iter([b"x" * 100_000] * 20),
            encode_chunked=True,
            headers={"Transfer-Encoding": "chunked"},
        )
        assert connection.getresponse().status == 413
    except OSError:  # the service closed the connection before the test had sent everything
        pass
    finally:
        connection.close()
    assert service.ask("/").status == 200


def test_too_many_connections_are_refused(start):
    with start("--connections", "5") as served:
        idle = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(8)]
        time.sleep(0.3)
        refused = served.ask_bare("/")
        assert refused.startswith("HTTP/1.1 503")
        assert "Too many connections" in json.loads(refused.partition("\r\n\r\n")[2])["error"]
        for connection in idle:
            connection.close()
        time.sleep(0.3)
        assert served.ask("/").status == 200


@pytest.mark.extended
def test_several_processes_share_the_address(start):
    with start("--workers", "2") as served:
        told = [served.ask(f"/search?q=mulligan&limit={number % 9 + 1}").status for number in range(20)]
        assert set(told) == {200}
        assert served.ask("/deck/check", KYRA).json["legal"] is False


@pytest.mark.extended
def test_the_service_does_not_contain_own_rulebooks(kb_home_with_book, start_in):
    with start_in(kb_home_with_book) as served:
        hits = served.ask("/search?q=zanzibar+gambit&limit=50").json["hits"]
        assert [hit for hit in hits if hit["kind"] == "rulebook"] == []
        book = kb.search("zanzibar gambit", kind="rulebook").hits[0].id
        assert served.ask(f"/entries/{book}").status == 404
        assert served.ask("/show?name=zanzibar+gambit").status == 404


def test_a_port_in_use_gives_an_error_message(service, kb, real):
    assert re.search(r"kb cannot listen on", kb("serve --port", service.port).refusal)
    assert kb("serve --origin friend.example").code == 2
