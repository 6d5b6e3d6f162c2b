"""`kb serve` and `kb mcp`: interfaces for programs on this machine."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Annotated

import typer

from kb.cli.terminal import Progress, close_page, tell, warn

UNUSABLE = 2


def needs(extra: str, *modules: str) -> None:
    """Stop with exit code 2 if one of the `modules` of an extra is not installed. The message says how to install the
    extra.
    """
    if any(find_spec(module) is None for module in modules):
        warn(f"This command needs the extra `{extra}`: pip install 'cardlore-kb[{extra}]'")
        raise typer.Exit(UNUSABLE)


def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, metavar="PORT", help="Port; 0 picks a free one.")] = 8001,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Address to listen on.")] = "127.0.0.1",
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", metavar="NAME", help="Another host name that requests may address (repeatable)."),
    ] = None,
    origin: Annotated[
        list[str] | None,
        typer.Option(
            "--origin", metavar="ORIGIN", help="Allow web pages from this origin to read the answers (repeatable)."
        ),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, metavar="NUMBER", help="Number of processes.")] = 1,
    seconds: Annotated[
        float, typer.Option(min=0.1, max=600, metavar="SECONDS", help="Time limit for one answer.")
    ] = 10.0,
    connections: Annotated[
        int, typer.Option(min=1, max=10_000, metavar="NUMBER", help="Connections per process.")
    ] = 200,
) -> None:
    """Serve searches, cards and deck checks as JSON over HTTP (needs the `serve` extra).

    It listens on this machine only, unless you set --host. /openapi.json describes the API. Requests are not stored, and your own
    rulebooks are never served. Ctrl-C stops it.

    Examples:
        kb serve
        kb serve --port 0
    """
    close_page()
    needs("serve", "starlette", "uvicorn")
    from kb.catalog.store import open_catalog
    from kb.web.server import serve as listen
    from kb.web.settings import Settings

    settings = Settings(host, port, tuple(allow_host or ()), tuple(origin or ()), workers, seconds, connections)
    open_catalog(Progress("Building the catalog"), warn).close()
    listen(settings, lambda address: tell(f"Serving at {address} (Ctrl-C stops)."))


def mcp(
    own: Annotated[
        bool, typer.Option("--own", help="Also let the assistant read rulebooks that you imported.")
    ] = False,
) -> None:
    """Run an MCP server for AI assistants (needs the `mcp` extra).

    The assistant starts the server and talks to it over standard input and output. The server's tools are search, ask,
    show, cards and check_deck; each answer has its id, source and page.

    Examples:
        kb mcp
        kb mcp --help
    """
    close_page()
    needs("mcp", "mcp")
    from kb.catalog.store import open_catalog
    from kb.web.assistant import run

    open_catalog(say=warn, own=own).close()
    run(own)
