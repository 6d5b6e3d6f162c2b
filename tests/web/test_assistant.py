"""Tests `kb mcp` with the client of the official MCP SDK, over standard input and output."""

import asyncio
import json
import os
import subprocess
import sys

import pytest

pytest.importorskip("mcp")
from mcp import Client, StdioServerParameters

import kb as library
from tests.web.loop import run

CITED = {"id", "title", "source", "page"}
KYRA = "game: pathfinder\nset: rotr\ncharacter: Kyra\ncards: [2x Mace, Quarterstaff]\n"


def asked(home, work, *options):
    """Start `kb mcp` like an assistant, and run the coroutine function `work` with the client."""
    environment = {**os.environ, "KB_HOME": str(home)}
    program = ["-c", "from kb.cli import run; run()", "mcp", *options]

    async def go():
        async with Client(StdioServerParameters(command=sys.executable, args=program, env=environment)) as client:
            await work(client)

    run(asyncio.wait_for(go(), 120))


async def call(client, tool, **arguments):
    """Call a tool and return its structured answer. Fails if the tool reports an error."""
    found = await client.call_tool(tool, arguments)
    assert not found.is_error, found.content
    return dict(found.structured_content)


async def fails(client, tool, **arguments):
    """Call a tool and return its error message. Fails if the tool reports no error."""
    found = await client.call_tool(tool, arguments)
    assert found.is_error
    return " ".join(getattr(each, "text", "") for each in found.content)


@pytest.mark.extended
def test_every_tool_answers_with_id_source_and_page(real):
    async def work(client):
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {"ask", "search", "show", "cards", "check_deck"}
        assert all(tool.description and tool.annotations and tool.annotations.read_only_hint for tool in tools.values())
        assert "Cite the id, source and page" in (client.instructions or "")

        answer = await call(client, "ask", question="how many copies of a myriad card can I have")
        assert answer["certain"] is True
        assert answer["answer"]["id"] == "arkham/grimoire/glossary/myriad"
        assert answer["answer"]["text"] == library.show("arkham/grimoire/glossary/myriad")["text"]
        assert all(each.keys() >= CITED for each in answer["hits"])
        unsure = await call(client, "ask", question="xyzzy plugh")
        assert (unsure["certain"], unsure["answer"]) == (False, None)

        found = await call(client, "search", question="closing a location", game="mummy's mask", limit=2)
        assert len(found["hits"]) == 2
        assert found["hits"][0] | {"source": "Mummy's Mask rulebook", "page": "15"} == found["hits"][0]
        assert all(hit.keys() >= CITED for hit in found["hits"])

        shown = await call(client, "show", name="closing a location", game="mm")
        assert (shown["id"], shown["source"], shown["page"]) == (
            "pathfinder/mm/closing-a-location",
            "Mummy's Mask rulebook",
            "15",
        )
        card = await call(client, "show", name="01020")
        assert (card["facts"]["name"], card.keys() >= CITED) == ("Machete", True)
        listed = await call(client, "cards", query="type:weapon set:mm", limit=3)
        assert listed["total"] > 3
        assert [each.keys() >= CITED for each in listed["cards"]] == [True] * 3

        report = await call(client, "check_deck", deck=KYRA)
        assert report["legal"] is False
        cites = report["findings"][0]["cites"]
        assert (cites[0]["source"], cites[0]["page"]) == ("Rise of the Runelords rulebook", "7")
        roland = "game: arkham\ninvestigator: Roland Banks\ncards: [2x Police Badge]\n"
        told = await call(client, "check_deck", deck=roland, options={"start": True, "taboo": "latest"})
        assert "arkham/level-0-at-the-start" in [finding["code"] for finding in told["findings"]]

    asked(real, work)


def test_an_error_gives_a_message_and_the_next_call_is_answered(real):
    async def work(client):
        assert "There is no game, set or folder called" in await fails(
            client, "search", question="attack", game="nowhere"
        )
        assert "Several entries or cards are called" in await fails(client, "show", name="closing a location")
        assert "There is no field" in await fails(client, "cards", query="nofield:1")
        assert "cannot be used with decks for this game" in await fails(
            client, "check_deck", deck=KYRA, options={"taboo": "1"}
        )
        assert await fails(client, "search", question="a" * 301)
        assert await fails(client, "search", question="attack", limit=1000)
        assert await fails(client, "search")
        assert (await call(client, "search", question="mulligan"))["hits"]

    asked(real, work)


@pytest.mark.extended
def test_own_rulebooks_are_found_only_when_asked_for(kb_home_with_book):
    async def without(client):
        found = await call(client, "search", question="zanzibar gambit", limit=20)
        assert [hit for hit in found["hits"] if hit["kind"] == "rulebook"] == []

    async def with_them(client):
        found = await call(client, "search", question="zanzibar gambit")
        assert found["hits"][0]["kind"] == "rulebook"
        assert "skip the whole turn" in (await call(client, "show", name=found["hits"][0]["id"]))["text"]

    asked(kb_home_with_book, without)
    asked(kb_home_with_book, with_them, "--own")


def test_without_the_extra_kb_mcp_says_how_to_install_it(kb, monkeypatch):
    monkeypatch.setattr("kb.cli.service.find_spec", lambda _module: None)
    for command in ("mcp", "serve"):
        assert f"cardlore-kb[{command}]" in kb(command).refusal


def test_options_of_a_wrong_type_give_an_error_message(real):
    from kb.web.assistant import tools

    for odd in ([0.5], [None], [["core"]]):
        with pytest.raises(Exception, match="`owned`: Input should be a valid string"):
            tools(False)["check_deck"](deck=KYRA, options={"owned": odd})
    with pytest.raises(Exception, match="There is no game, set or folder called"):
        tools(False)["search"](question="attack", game="\ud800")


def asked_bare(home, lines):
    """Send raw lines to `kb mcp`, and return the answers by the id of the request."""
    program = [sys.executable, "-c", "from kb.cli import run; run()", "mcp"]
    greeting = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    begin = [request(0, "initialize", **greeting), '{"jsonrpc":"2.0","method":"notifications/initialized"}']
    with subprocess.Popen(
        program,
        env={**os.environ, "KB_HOME": str(home)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:
        server.stdin.write("".join(f"{line}\n" for line in [*begin, *lines, request("last", "ping")]).encode())
        server.stdin.flush()
        answers = {}
        while len(answers) < len(lines) + 2:
            answer = json.loads(server.stdout.readline())
            answers[answer["id"]] = answer
        server.stdin.close()
        return answers, server.stderr.read().decode()


def request(number, method, **given):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": given})


def test_every_request_with_an_id_is_answered(real):
    broken = [
        request(1, "tools/call", name="search", arguments={"question": "mulligan\udcff"}),
        '{"jsonrpc": "2.0", "id": 2, "method": {}}',
        '{"jsonrpc": "1.0", "id": 3, "method": "ping"}',
        '{"jsonrpc": "2.0", "id": 4, "method": "ping", "params": 8}',
        '{"jsonrpc": "2.0", "id": 5, "method": "ping", "params": {"x": ' + "[" * 300 + "]" * 300 + "}}",
        request(6, "tools/call", name="show", arguments={"name": "mulligan", "gaem": "arkham"}),
        request(7, "tools/call", name="nothing"),
    ]
    deep = "[" * 5000 + "]" * 5000
    broken += [
        f'{{"jsonrpc": "2.0", "id": 8, "method": "ping", "params": {{"id": 1, "x": {deep}}}}}',
        f'{{"jsonrpc": "2.0", "method": "ping", "params": {{"x": {deep}}}, "id" : "\\u0039"}}',
        '{"id": 10, "method": "ping", "params": {',
        '{"jsonrpc": "2.0", "id": 11, "method": "ping", "params": "' + "x" * 9_000_000 + '"}',
        request(12, "tools/call", name="search", arguments={"question": 5, "limit": 10**9}),
        request(13, "tools/call", name="search", arguments={}),
    ]
    answers, said = asked_bare(real, broken)
    assert set(answers) == {0, *range(1, 9), "9", *range(10, 14), "last"}
    assert answers[1]["result"]["structuredContent"]["hits"]
    assert all("error" in answers[number] for number in (2, 3, 4, 5, 8, "9", 10, 11))
    refused = [answers[number]["result"]["content"][0]["text"] for number in (12, 13)]
    assert [text.partition(". Parameters are question, game, ")[0] for text in refused] == [
        "`question`: Input should be a valid string",
        "`question`: Field required",
    ]
    assert answers[6]["result"]["isError"] is True
    assert "gaem" in answers[6]["result"]["content"][0]["text"]
    assert "Traceback" not in said
