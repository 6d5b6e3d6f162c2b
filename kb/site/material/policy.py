"""The Content-Security-Policy of pages. It tells a browser which scripts may run, and forbids loading from other
servers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape, unescape
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig

from kb.site.single import digest

SCRIPTS = re.compile(r"<script>(.*?)</script>", re.S)
JINJA = re.compile(r"\{\{.*?\}\}", re.S)
VALUE = r'[^"\\<>]*'
"""A pattern for a value that a template inserts between quotation marks in a script. The value cannot end the
quotation.
"""
POLICY = (
    "default-src 'none'; script-src 'self' file: {hashes}{engine}; style-src 'self' file: 'unsafe-inline'; img-src 'self' file: data:; "
    "font-src 'self' file: data:; connect-src 'self' file:{loads}; worker-src 'self' file: blob:; manifest-src 'self'; base-uri 'none'; "
    "form-action 'self' file:"
)
PRINTED = ("site_name", "site_description", "site_author")
"""Settings that Material inserts in its pages without escaping them."""


class Escaped(str):
    """A text that is already safe in HTML. Templates do not escape it again, just as with markupsafe's own type."""

    __slots__ = ()

    def __html__(self) -> str:
        return str(self)


def escape_settings(config: MkDocsConfig) -> None:
    """Escape the settings that the theme prints, so that a site's name cannot contain a tag. Repeated calls change
    nothing.
    """
    for name in PRINTED:
        if (value := config[name]) and not isinstance(value, Escaped):
            config[name] = Escaped(escape(value))


def site_name(config: MkDocsConfig) -> str:
    """Return the site's name as plain text, for use outside HTML."""
    return unescape(config.site_name)


def known_scripts(folders: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that matches the inline scripts in the templates below `folders`. The pattern ignores spaces:
    remove all spaces from a script before matching it.
    """
    patterns = set()
    for folder in folders:
        for file in sorted(Path(folder).rglob("*.html")):
            for script in SCRIPTS.findall(file.read_text("utf-8", "replace")):
                patterns.add(VALUE.join(re.escape("".join(piece.split())) for piece in JINJA.split(script)))
    return re.compile("|".join(sorted(patterns)) or r"(?!)")


def policy_of(page: str, known: re.Pattern[str], engine: bool) -> str:
    """Return the Content-Security-Policy of a page. It allows those inline scripts of `page` (HTML) that the pattern
    `known` matches.

    `engine` is True if the page runs Python.
    """
    scripts = [script for script in dict.fromkeys(SCRIPTS.findall(page)) if known.fullmatch("".join(script.split()))]
    return POLICY.format(
        hashes=" ".join(f"'sha256-{digest(script)}'" for script in scripts),
        engine=" 'wasm-unsafe-eval' blob:" if engine else "",
        loads=" blob: data:" if engine else "",
    )
