"""Which game or set a question names, and what people mean when they name one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from kb.retrieval.analysis import words


def named(
    text: str, called: Mapping[str, Sequence[str]], is_longer_name: Callable[[str, str], bool]
) -> tuple[str | None, str]:
    """The id prefix of the game or set that a question names, and the question without such names.

    The most specific one wins (a set before its game), then the longer name. A name that is part of something longer's own name
    (`is_longer_name`: a card may bear its game's) names no game. A question that is nothing but a name stays as it is.
    """
    typed = f" {' '.join(words(text))} "
    found = [
        (scope.count("/"), len(name), scope, name)
        for scope, names in called.items()
        for name in names
        if f" {name} " in typed and not is_longer_name(typed.strip(), name)
    ]
    if not found:
        return None, text
    scope = max(found)[2]
    rest = typed
    for _depth, _length, other, name in sorted(found, key=lambda item: -item[1]):
        if scope == other or scope.startswith(f"{other}/"):
            rest = rest.replace(f" {name} ", " ")
    return (scope, rest.strip()) if rest.strip() else (None, text)


def resolve(asked: str, called: Mapping[str, Sequence[str]], folders: Iterable[str]) -> list[str]:
    """The id prefixes that `asked` can mean: the folder itself, else a game or set by a name, else all folders that end in it."""
    listed = list(folders)
    plain = asked.strip().strip("/")
    exact = [folder for folder in listed if folder == plain.casefold()]
    name = " ".join(words(plain))
    by_name = [scope for scope, names in called.items() if name and name in names]
    ending = [folder for folder in listed if folder.endswith(f"/{plain.casefold()}")]
    if certain := exact or by_name:
        return certain[:1]
    return sorted(ending, key=lambda folder: (folder.count("/"), folder))
