"""`kb site build` and `kb site serve`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from kb.cli.help import Commands
from kb.cli.terminal import Progress, close_page, tell, warn
from kb.files.outputs import refuse_inputs

app = Commands(name="site", no_args_is_help=True, help="Build the website, or show it on this machine.")
Port = Annotated[int, typer.Option(min=1, max=65535, metavar="PORT", help="Port on this machine.")]
Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        "-f",
        metavar="FILE",
        help="Your own site's mkdocs.yml, with `plugins: [kb]` [default: kb's own].",
    ),
]


@app.command()
def build(
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="The folder to write the site to; replaces an older site [default: public/site].",
        ),
    ] = None,
    config: Config = None,
    single: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Instead of the site, write one HTML file for a phone, with all entries and the search.",
        ),
    ] = None,
    name: Annotated[str, typer.Option(metavar="TEXT", help="The site's title.")] = "",
    url: Annotated[str, typer.Option(metavar="URL", help="Public URL, for the sitemap and canonical links.")] = "",
    games: Annotated[str, typer.Option(metavar="GAME,…", help="Only these games.")] = "",
    own: Annotated[
        bool,
        typer.Option(
            "--with-own",
            help="Include your own rulebooks and cards, in full. Check their licences before you publish.",
        ),
    ] = False,
    python: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The file from `npm pack pyodide`, for the tools on the site. kb saves it for later builds.",
        ),
    ] = None,
) -> None:
    """Build the static site. You can open its index.html without a server.

    The tools (check, build and rebuild decks, record campaigns, score games) need Pyodide: add it once with --python. A site built
    without it has no tools.

    Examples:
        kb site build --out public/site
        kb site build --single rules.html
    """
    from kb.catalog.store import open_catalog
    from kb.site.checker import pyodide
    from kb.site.folder import SiteError

    started = time.monotonic()
    chosen = tuple(game.strip() for game in games.split(",") if game.strip())
    if single is not None and (out or config or own or url):
        raise SiteError("--single cannot be combined with --out, --config, --with-own or --url.")
    out = out or Path("public/site")
    refuse_inputs(single if single is not None else out, (config, python))
    if python is not None:
        pyodide.keep(python)
    with open_catalog(Progress("Building the catalog"), warn) as catalog:
        if single is not None:
            from kb.site.single import build_single

            size = build_single(catalog, single, name or "kb", chosen)
            tell(
                f"Wrote {single} ({size / 1e6:.1f} MB) in {time.monotonic() - started:.1f} s. You can open it on any device."
            )
            return
    from kb.site.build import Given, build_site

    pages = build_site(out, config, Given(name, url, chosen, own))
    if pyodide.package() is None:
        tell(
            "The site has no tools, such as Check a deck: they need Python for the browser. Add it once with: "
            f"npm pack pyodide@{pyodide.VERSION} && kb site build --python {pyodide.PACKAGE}"
        )
    if own:
        tell("The site includes your own rulebooks and cards: check their licences before you publish it.")
    tell(f"Built {pages} pages in {time.monotonic() - started:.1f} s. Open {out / 'index.html'}")


@app.command()
def serve(port: Port = 8000, config: Config = None) -> None:
    """Show the site at http://127.0.0.1:PORT and rebuild it when a source changes.

    Ctrl-C stops it.

    Examples:
        kb site serve
        kb site serve --port 8001
    """
    from kb.catalog.store import open_catalog

    close_page()
    with open_catalog(Progress("Building the catalog"), warn):
        pass
    from kb.site.build import serve_site

    tell(f"Building the site. It will be at http://127.0.0.1:{port}/ (Ctrl-C stops).")
    serve_site(port, config)
