"""Check the size of an mkdocs.yml before MkDocs reads it, because MkDocs has no limits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from kb.files.safe_yaml import DEEPEST, TOO_DEEP
from kb.files.text import read_bounded
from kb.frozen import frozen
from kb.site.folder import SiteError

LARGEST_CONFIG, MOST_VALUES, MOST_FILES = 1_000_000, 50_000, 10
INHERIT = "INHERIT"
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The faster loader, if PyYAML has it. It is used only to parse: no values are constructed."""


def refuse_endless(config_file: Path) -> None:
    """Raise SiteError if an mkdocs.yml cannot be read or is unreasonably large. The files that it inherits from are
    checked too.

    Mistakes in the YAML are left to MkDocs.
    """
    file: Path | None = config_file
    for _ in range(MOST_FILES):
        if file is None:
            return
        try:
            raw = read_bounded(file, LARGEST_CONFIG)
        except OSError as error:
            raise SiteError(f"{file} cannot be read: {error.strerror or error}.") from error
        try:
            _refuse_growing(file, raw)
            root = yaml.compose(raw, LOADER)
        except yaml.YAMLError:
            return
        pairs = root.value if isinstance(root, yaml.MappingNode) else ()
        above = next((value.value for key, value in pairs if key.value == INHERIT), None)
        file = file.parent / above if isinstance(above, str) else None
    raise SiteError(f"{config_file} inherits from more than {MOST_FILES} files, or from itself.")


@frozen
class _Begun:
    """A list or mapping whose end is not reached yet: its anchor, and the sizes of its values so far."""

    anchor: str | None
    held: list[int]


def _refuse_growing(file: Path, raw: bytes) -> None:
    """Raise SiteError if a YAML text is nested too deeply, or has too many values. Aliases count as often as they are
    used.
    """
    sizes: dict[str, int] = {}
    open_nodes = [_Begun(None, [])]
    for event in yaml.parse(raw, LOADER):
        line, size = event.start_mark.line + 1 if event.start_mark else 1, 0
        if isinstance(event, yaml.CollectionStartEvent):
            open_nodes.append(_Begun(event.anchor, []))
        elif isinstance(event, yaml.CollectionEndEvent):
            ended = open_nodes.pop()
            size = 1 + sum(ended.held)
            if ended.anchor:
                sizes[ended.anchor] = size
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in sizes:
                raise SiteError(
                    f"{file}:{line}: the alias *{event.anchor} refers to nothing, or to a value that contains it."
                )
            size = sizes[event.anchor]
        elif isinstance(event, yaml.ScalarEvent):
            size = 1
            if event.anchor:
                sizes[event.anchor] = size
        if size:
            open_nodes[-1].held.append(size)
        if len(open_nodes) > DEEPEST:
            raise SiteError(f"{file}:{line}: {TOO_DEEP.format(DEEPEST)}.")
        if size > MOST_VALUES or len(open_nodes[-1].held) > MOST_VALUES:
            raise SiteError(f"{file}:{line}: there are more than {MOST_VALUES:,} values.")
