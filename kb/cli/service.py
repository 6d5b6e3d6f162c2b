"""`kb serve` and `kb mcp`: kb for programs on this machine."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Annotated

import typer

from kb.cli.terminal import Progress, close_page, tell, warn

UNUSABLE = 2


def needs(extra: str, *modules: str) -> None:
    """Stop with exit code 2 when an extra is not installed, and say how to get it."""
    if any(find_spec(module) is None for module in modules):
        warn(f"This needs the extra `{extra}`: pip install 'cardlore-kb[{extra}]'")
        raise typer.Exit(UNUSABLE)


def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")] = 8001,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Address to listen on.")] = "127.0.0.1",
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", metavar="NAME", help="Another name that requests may call it by (repeat)."),
    ] = None,
    origin: Annotated[
        list[str] | None,
        typer.Option("--origin", metavar="ORIGIN", help="Let pages of this origin read the answers (repeat)."),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes to share the requests among.")] = 1,
    seconds: Annotated[float, typer.Option(min=0.1, max=600, help="How long one answer may take.")] = 10.0,
    connections: Annotated[int, typer.Option(min=1, max=10_000, help="Connections that each process holds.")] = 200,
) -> None:
    """Serve search, entries, cards, deck checks and party rebuilds as JSON over HTTP (extra `serve`). Ctrl-C stops.

    It listens on this machine only unless --host says otherwise. /openapi.json describes it. It keeps nothing, and your own
    rulebooks are not in it.

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
    listen(settings, lambda address: tell(f"kb answers at {address} (Ctrl-C stops)."))


def mcp(
    own: Annotated[
        bool, typer.Option("--own", help="Let it find your own rulebooks too: the assistant reads them then.")
    ] = False,
) -> None:
    """Be the tools of an assistant: search, ask, show, cards, check_deck (Model Context Protocol; extra `mcp`).

    An assistant starts it and speaks with it over standard input and output. Every answer carries its id, source and page.

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
