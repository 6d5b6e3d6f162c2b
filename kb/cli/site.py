"""`kb site build` and `kb site serve`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from kb.cli.help import Commands
from kb.cli.terminal import Progress, close_page, tell, warn
from kb.files.outputs import refuse_inputs

app = Commands(
    name="site", no_args_is_help=True, help="Build the site of all rules and cards, or show it on this machine."
)
Port = Annotated[int, typer.Option(min=1, max=65535, help="Port on this machine.")]
Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        "-f",
        metavar="FILE",
        help="The mkdocs.yml of your own site with `plugins: \\[kb]`; without it kb's.",
    ),
]


@app.command()
def build(
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder for the site, public/site; a site that is there is replaced, files of others stay.",
        ),
    ] = None,
    config: Config = None,
    single: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Instead of a folder, write one HTML file with every entry and the search: for a phone.",
        ),
    ] = None,
    name: Annotated[str, typer.Option(help="What the site is called.")] = "",
    url: Annotated[str, typer.Option(help="Where it will stand: for the sitemap and canonical links.")] = "",
    games: Annotated[str, typer.Option(metavar="GAME,…", help="Only these games.")] = "",
    own: Annotated[
        bool,
        typer.Option(
            "--with-own",
            help="Put your own rulebooks and cards on it too, word by word. Publish it only where you have the right to.",
        ),
    ] = False,
    python: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Python for the tools on the site: the package that `npm pack pyodide` writes. Kept for later builds.",
        ),
    ] = None,
) -> None:
    """Build the static site with MkDocs. It needs no server: open its index.html.

    The tools (check, build and rebuild decks, record campaigns, score games) need Python for the browser: --python, once. A site that is
    built without it has no tools.

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
        raise SiteError(
            "--single writes one file of kb's own pages; give no --out, --config, --with-own or --url with it."
        )
    out = out or Path("public/site")
    refuse_inputs(single if single is not None else out, (config, python))
    if python is not None:
        pyodide.keep(python)
    with open_catalog(Progress("Building the catalog"), warn) as catalog:
        if single is not None:
            from kb.site.single import build_single

            size = build_single(catalog, single, name or "kb", chosen)
            tell(f"Wrote {single} ({size / 1e6:.1f} MB) in {time.monotonic() - started:.1f} s. Open it on any device.")
            return
    from kb.site.build import Given, build_site

    pages = build_site(out, config, Given(name, url, chosen, own))
    if pyodide.package() is None:
        tell(
            "The site has no tools (Check a deck and the like): they need Python for the browser. Add it once with: "
            f"npm pack pyodide@{pyodide.VERSION} && kb site build --python {pyodide.PACKAGE}"
        )
    if own:
        tell("Your own rulebooks and cards are on it: publish it only where you have the right to.")
    tell(f"Built {pages} pages in {time.monotonic() - started:.1f} s. Open {out / 'index.html'}")


@app.command()
def serve(port: Port = 8000, config: Config = None) -> None:
    """Show the site at http://127.0.0.1:PORT with MkDocs' own server, which builds it again when a source changes. Ctrl-C stops.

    Examples:
        kb site serve
        kb site serve --port 8001
    """
    from kb.catalog.store import open_catalog

    close_page()
    with open_catalog(Progress("Building the catalog"), warn):
        pass
    from kb.site.build import serve_site

    tell(f"The site is being built; it will be at http://127.0.0.1:{port}/ (Ctrl-C stops).")
    serve_site(port, config)
