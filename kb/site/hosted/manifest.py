"""The manifest by which a phone installs the site, and the icons that it names."""

from __future__ import annotations

import json
import struct
from functools import partial
from pathlib import Path
from typing import Any

from kb.files.remembered import remembered
from kb.site.hosted import drawing
from kb.site.hosted.drawing import drawn, shapes_of
from kb.site.identity import PAPER, Identity

NAME = "manifest.webmanifest"
PLAIN = "#2d4d7c"
"""The colour of the mark where the host names none: --kb-plain of kb.css."""
BOX = 32.0
ICONS = (
    ("icon-180.png", 180, 0.72, ""),
    ("icon-192.png", 192, 0.8, "any"),
    ("icon-512.png", 512, 0.8, "any"),
    ("icon-cut.png", 512, 0.58, "maskable"),
)
"""Name, pixels, how much of the square the mark takes, and its purpose in the manifest: a phone cuts a maskable one to its own
shape. The first is the one that iPhones ask for."""
PREVIEW, TALL, WIDE = "preview.png", 630, 1200
"""The picture that is shown where somebody passes a link on, and its pixels."""
LEAST = 144
"""Pixels of a picture that browsers take for an installed site."""


def write_manifest(site: Path, identity: Identity, description: str) -> None:
    """Write the manifest and its icons into a built site; a host's own picture is the icon where browsers take it for one."""
    assets = site / "assets" / "kb"
    logo = (assets / "logo.svg").read_text(encoding="utf-8")
    ink = tuple(bytes.fromhex((identity.colour or PLAIN)[1:]))
    how = Path(drawing.__file__).read_bytes()
    listed = []
    pictures = [(name, size, share, 0) for name, size, share, _purpose in ICONS]
    if preview(identity) == PREVIEW:
        pictures.append((PREVIEW, TALL, 0.5, (WIDE - TALL) // 2))
    for name, size, share, beside in pictures:
        given = (BOX, size, share, (ink[0], ink[1], ink[2]), PAPER, beside)
        recipe = repr((how, logo, given)).encode("utf-8")
        (assets / name).write_bytes(remembered("icons", recipe, partial(drawn, shapes_of(logo), *given)))
    for name, size, _share, purpose in ICONS:
        if purpose:
            listed.append(icon(name, f"{size}x{size}", "image/png", purpose))
    own = own_icon(identity.logo)
    paper = "#" + bytes(PAPER).hex()
    told = {
        "name": identity.name,
        "short_name": identity.name[:12].rstrip(),
        "description": description,
        "lang": "en",
        # Both as seen from the manifest, which lies at the top of the site wherever that is.
        "start_url": "index.html",
        "scope": "./",
        "display": "standalone",
        "theme_color": paper,
        "background_color": paper,
        "icons": [own] if own else listed,
    }
    (site / NAME).write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def preview(identity: Identity) -> str:
    """The file beside the style that is shown where somebody passes a link on: a host's own picture, unless it is an SVG, which nobody
    shows there; the mark where there is none. Empty without an address."""
    if not identity.url:
        return ""
    kind = identity.logo.suffix.lower() if identity.logo else ""
    return f"own-logo{kind}" if kind not in ("", ".svg") else "" if kind else PREVIEW


def icon(name: str, sizes: str, kind: str, purpose: str) -> dict[str, Any]:
    """An icon as a manifest names it."""
    return {"src": f"assets/kb/{name}", "sizes": sizes, "type": kind, "purpose": purpose}


def own_icon(logo: Path | None) -> dict[str, Any] | None:
    """A host's own picture as an icon: an SVG, or a PNG that is large enough and square; None for others."""
    if logo is None:
        return None
    kind = logo.suffix.lower()
    if kind == ".svg":
        return icon(f"own-logo{kind}", "any", "image/svg+xml", "any")
    head = logo.read_bytes()[:24]
    if kind == ".png" and head[:8] == b"\x89PNG\r\n\x1a\n" and len(head) == 24:
        width, height = struct.unpack(">II", head[16:24])
        if width == height >= LEAST:
            return icon(f"own-logo{kind}", f"{width}x{height}", "image/png", "any")
    return None
