"""Wiki links: finds them in a body, resolves them to full ids, and writes them back in full."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from kb.markup import LINK
from kb.sources.entries import LoadedLink

CODE = re.compile(r"```.*?```|`[^`\n]+`", re.S)


def resolve_entry(target: str, from_id: str, known: Collection[str]) -> str | None:
    """The full id that `target` means in the entry `from_id`: beside it, then in each folder above, then as a full id."""
    folder = from_id.split("/")[:-1]
    while folder:
        candidate = "/".join([*folder, target])
        if candidate in known:
            return candidate
        folder.pop()
    return target if target in known else None


def resolve_body(
    body: str,
    from_id: str,
    known: Collection[str],
    find_card: Callable[[str, str], str | None],
    title_of: Callable[[str], str],
    broken: Callable[[str, int], None],
) -> tuple[str, list[LoadedLink]]:
    """Rewrite every wiki link of `body` to `[[full/id#anchor|words]]` and list the links.

    `find_card(name_or_code, from_id)` gives a card id or None; `broken(target, offset)` is called for a link to nothing.
    Links inside code are left alone.
    """
    links: list[LoadedLink] = []
    code = [found.span() for found in CODE.finditer(body)]

    def rewrite(found: re.Match[str]) -> str:
        if any(start <= found.start() < end for start, end in code):
            return found[0]
        target, words = found[1].strip(), found[2]
        if target.startswith("card:"):
            name = target[5:].strip()
            card = find_card(name, from_id)
            if card is None:
                broken(target, found.start())
                return words or name
            links.append(LoadedLink(target=card, is_card=True))
            return f"[[card:{card}|{words or name}]]"
        path, _, anchor = target.partition("#")
        full = resolve_entry(path, from_id, known) if path else from_id
        if full is None:
            broken(target, found.start())
            return words or target
        links.append(LoadedLink(target=full, anchor=anchor or None))
        return f"[[{full}{'#' + anchor if anchor else ''}|{words or title_of(full)}]]"

    return LINK.sub(rewrite, body), links
