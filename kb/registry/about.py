"""What a game says of itself in `game.yaml`: all that a cold start needs, read without importing the game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_KEYS = {
    "id", "title", "short", "tagline", "colour", "called", "marks", "frame", "commands", "prints", "query", "instead", "campaign", "asks",
    "opens", "tries", "whose", "editions", "bare_lists", "addresses",
}  # fmt: skip
_NAME = re.compile("[a-z_]+")
_OPTION = {"help", "metavar", "many"}
_EDITION = {"title", "within", "documents", "names"}


@dataclass(frozen=True, slots=True)
class Option:
    """An option of `kb deck check` that only some games know. Without a `metavar` it is a flag; `many`: it may be repeated."""

    name: str
    help: str
    metavar: str = ""
    many: bool = False


@dataclass(frozen=True, slots=True)
class Edition:
    """The rules of a game by one document and what belongs to it: `title` is its name with its version, as answers say it, `names` are others,
    `documents` the ids of its sources, and `within` the place where `--in` looks for its entries alone."""

    id: str
    title: str
    within: str
    documents: tuple[str, ...]
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """What `kb cards` may ask of a game's cards besides what every card has: texts (`fields`) and `numbers` by the keys of a record
    that they look at (the first that is there; `skills.combat` is a key of a key), `flags` that are a key themselves, and `short` names of
    any of them. `words` are words and phrases of players with the terms they stand for. `beside` says which other records tell more of a
    card: by their kind, the key of the card that is their `code`, and which keys of theirs the card then has too."""

    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    numbers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    short: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    beside: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class About:
    """`game.yaml` of a room.

    `called` gives by id prefix (the game's id, or a set of it) what players call it: for search and `game:` alike.
    `marks` are keys that only the game's deck files have, `frame` the options of `kb deck check` that it knows, `commands`
    its own commands (`deck upgrade`) and where their functions are (`cli:upgrade`, seen from the package), `prints` which
    types describe the JSON that a command prints of this game (`deck upgrade: [shapes:StepJson]`). `query` is what queries for its
    cards may ask. `whose` is the key of a deck file that names who plays the deck.
    `colour` is its colour on the site, for light and for dark pages (`#rrggbb`).
    `opens` are the entries that a table opens first, by id, with what they are called there.
    `tries` are questions to try on the first page, by what the link says.
    `bare_lists`: a plain list of cards in which no key tells a game is one of its decks.
    `addresses` are pages of decks (host and path, a pattern) and what of the site's public API `--fetch` asks for the deck.
    `editions` are the game's rules by one document each, the newest first, for a game of which several are played.
    `instead` says, for a game without deck rules, what to do with its files. `campaign`: it is played over several sessions and
    has a part `campaigns`. `asks` are terms of a query for cards that say more of a character (`adventure`), with what they are;
    such a game has a part `access`. `foreign`: the game comes from another package,
    whose folder holds its `content/` and `cards/`.
    """

    id: str
    title: str
    short: str
    tagline: str
    called: Mapping[str, tuple[str, ...]]
    marks: frozenset[str]
    frame: tuple[Option, ...]
    commands: Mapping[str, str]
    prints: Mapping[str, tuple[str, ...]]
    package: str
    folder: Path
    instead: str = ""
    colour: tuple[str, str] | None = None
    campaign: bool = False
    whose: str = "character"
    query: Query = field(default_factory=Query)
    asks: Mapping[str, str] = field(default_factory=dict)
    opens: Mapping[str, str] = field(default_factory=dict)
    tries: Mapping[str, str] = field(default_factory=dict)
    editions: tuple[Edition, ...] = ()
    bare_lists: bool = False
    addresses: Mapping[str, str] = field(default_factory=dict)

    @property
    def foreign(self) -> bool:
        """Whether the game comes from another package than kb."""
        return not self.package.startswith("kb.games.")

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that a deck file may call the game after `game:`."""
        scopes = (scope.rpartition("/")[2] for scope in self.called)
        return (self.id, self.title, *scopes, *(name for listed in self.called.values() for name in listed))


def read_about(path: Path, package: str) -> About:
    """Read a `game.yaml`. Raises OSError, and ValueError with a sentence that names the file and what is wrong with it."""
    from kb.files.safe_yaml import YamlError, load_yaml  # a search has no use for it

    try:
        raw = load_yaml(path.read_text(encoding="utf-8"))
    except YamlError as error:
        raise ValueError(f"{path}:{error.line}: {error.what}.") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: this is not UTF-8 text (byte {error.start}).") from None
    if not isinstance(raw, dict) or not isinstance(raw.get("id"), str) or not isinstance(raw.get("title"), str):
        raise ValueError(f"{path}: a game needs `id` and `title`.")
    if unknown := sorted(map(str, raw.keys() - _KEYS)):
        raise ValueError(f"{path}: unknown {', '.join(unknown)}; known are {', '.join(sorted(_KEYS))}.")
    try:
        return About(
            id=raw["id"],
            title=raw["title"],
            short=str(raw.get("short") or raw["title"]),
            tagline=str(raw.get("tagline") or ""),
            called={str(scope): tuple(map(str, names)) for scope, names in _mapping(raw, "called").items()},
            marks=frozenset(map(str, raw.get("marks") or ())),
            frame=tuple(_option(name, told) for name, told in _mapping(raw, "frame").items()),
            commands={str(name): str(where) for name, where in _mapping(raw, "commands").items()},
            prints={str(name): _listed(where) for name, where in _mapping(raw, "prints").items()},
            package=package,
            folder=path.parent,
            instead=str(raw.get("instead") or ""),
            colour=_colour(raw.get("colour")),
            campaign=bool(raw.get("campaign")),
            whose=str(raw.get("whose") or "character"),
            query=_query(_mapping(raw, "query")),
            asks={str(name): str(told) for name, told in _mapping(raw, "asks").items()},
            opens={str(entry): str(words) for entry, words in _mapping(raw, "opens").items()},
            tries={str(words): str(query) for words, query in _mapping(raw, "tries").items()},
            bare_lists=bool(raw.get("bare_lists", False)),
            addresses={str(page): str(asked) for page, asked in _mapping(raw, "addresses").items()},
            editions=tuple(_edition(raw["id"], name, told) for name, told in _mapping(raw, "editions").items()),
        )
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from None


def _mapping(raw: dict[str, Any], key: str) -> dict[Any, Any]:
    found = raw.get(key) or {}
    if not isinstance(found, dict):
        raise ValueError(f"`{key}` needs keys with values.")
    return found


def _query(raw: dict[Any, Any]) -> Query:
    if unknown := sorted(map(str, raw.keys() - {"fields", "numbers", "flags", "short", "words", "beside"})):
        raise ValueError(
            f"`query` has no {', '.join(unknown)}; it takes fields, numbers, flags, short, words and beside."
        )
    keys = {kind: _mapping(raw, kind) for kind in ("fields", "numbers", "short")}
    flags = tuple(map(str, raw.get("flags") or ()))
    if wrong := [
        name for name in (*flags, *(name for each in keys.values() for name in each)) if not _NAME.fullmatch(str(name))
    ]:
        raise ValueError(f"`query`: {wrong[0]} is no name for a term; use small letters and _.")
    fields, numbers = ({name: _listed(found) for name, found in keys[kind].items()} for kind in ("fields", "numbers"))
    words = {str(name).casefold(): str(found) for name, found in _mapping(raw, "words").items()}
    beside = {str(kind): (str(by), _listed(gives)) for kind, (by, gives) in _mapping(raw, "beside").items()}
    return Query(fields, numbers, flags, {name: str(found) for name, found in keys["short"].items()}, words, beside)


def _listed(given: object) -> tuple[str, ...]:
    return tuple(map(str, given)) if isinstance(given, list) else (str(given),)


def _colour(given: object) -> tuple[str, str] | None:
    if given is None:
        return None
    pair = [given.get("light"), given.get("dark")] if isinstance(given, dict) else [given, given]
    if not all(isinstance(each, str) and re.fullmatch("#[0-9a-fA-F]{6}", each) for each in pair):
        raise ValueError('`colour` is like "#2d4d7c", or {light: "#2d4d7c", dark: "#93b6ea"}.')
    return str(pair[0]), str(pair[1])


def _option(name: object, told: object) -> Option:
    if not isinstance(told, dict) or not isinstance(told.get("help"), str) or told.keys() - _OPTION:
        raise ValueError(f"the option {name} needs `help`, and takes `metavar` and `many` besides.")
    return Option(str(name), told["help"], str(told.get("metavar") or ""), bool(told.get("many")))


def _edition(game: str, name: object, told: object) -> Edition:
    if not isinstance(told, dict) or not told.keys() >= {"title", "documents"} or told.keys() - _EDITION:
        raise ValueError(f"the edition {name} needs `title` and `documents`, and takes `within` and `names` besides.")
    within = str(told.get("within") or f"{game}/{name}")
    names = _listed(told.get("names") or [])
    return Edition(str(name), str(told["title"]), within, _listed(told["documents"]), names)
