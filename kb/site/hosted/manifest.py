"""The manifest by which a phone installs the site."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

NAME = "manifest.webmanifest"
ASSETS = "assets/kb"
PAPER = "#fdfcf9"
ICONS = (("icon-192.png", 192, "any"), ("icon-512.png", 512, "any"), ("icon-cut.png", 512, "maskable"))
"""Our mark: name, pixels and purpose. A phone cuts a maskable one to its own shape."""
LEAST = 144
"""Pixels of a picture that browsers take for an installed site."""


def write_manifest(site: Path, name: str, logo: str) -> None:
    """Write the manifest of a built site that is called `name`; its own `logo` (an address) is the icon where browsers take it for one."""
    own = own_icon(site, logo)
    told = {
        "name": name,
        "short_name": name[:12].rstrip(),
        "lang": "en",
        # Both as seen from the manifest, which lies at the top of the site wherever that is.
        "start_url": "index.html",
        "scope": "./",
        "display": "standalone",
        "theme_color": PAPER,
        "background_color": PAPER,
        "icons": [own]
        if own
        else [icon(f"{ASSETS}/{file}", f"{size}x{size}", "image/png", use) for file, size, use in ICONS],
    }
    (site / NAME).write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def icon(address: str, sizes: str, kind: str, purpose: str) -> dict[str, Any]:
    """An icon as a manifest names it."""
    return {"src": address, "sizes": sizes, "type": kind, "purpose": purpose}


def own_icon(site: Path, logo: str) -> dict[str, Any] | None:
    """A host's own picture as an icon: an SVG, or a PNG that is large enough and square; None for others, and for our own."""
    file = site / logo
    if not logo or logo.startswith(f"{ASSETS}/") or not file.is_file():
        return None
    if file.suffix.lower() == ".svg":
        return icon(logo, "any", "image/svg+xml", "any")
    head = file.read_bytes()[:24]
    if head[:8] == b"\x89PNG\r\n\x1a\n" and len(head) == 24:
        width, height = struct.unpack(">II", head[16:24])
        if width == height >= LEAST:
            return icon(logo, f"{width}x{height}", "image/png", "any")
    return None
