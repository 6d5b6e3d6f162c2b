"""What a game says of itself in `game.yaml`: all that a cold start needs, read without importing the game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_type_hints

from kb.frozen import frozen
from kb.records import NOTHING, build, fits


@frozen
class Option:
    """An option of `kb deck check` that only some games know. Without a `metavar` it is a flag; `many`: it may be repeated."""

    name: str
    help: str
    metavar: str = ""
    many: bool = False


@frozen
class Edition:
    """The rules of a game by one document and what belongs to it: `title` is its name with its version, as answers say it, `names` are others,
    `documents` the ids of its sources, and `within` the place where `--in` looks for its entries alone."""

    id: str
    title: str
    documents: tuple[str, ...]
    within: str = ""
    names: tuple[str, ...] = ()


@frozen
class Query:
    """What `kb cards` may ask of a game's cards besides what every card has: texts (`fields`) and `numbers` by the keys of a record
    that they look at (the first that is there; `skills.combat` is a key of a key), `checks` by the keys that hold checks (a list of `skills`
    with a `difficulty`), `flags` that are a key themselves, and `short` names of
    any of them. `keywords`
    names a table of more flags (`schema.keywords:KEYWORDS`, seen from the package): each has a `name`, which cards list that have it among
    their `keywords`. `words` are words and phrases of players with the terms they stand for. `beside` says which other records tell more of a
    card: by their kind and the key of the card that is their `code`, which keys of theirs the card then has too."""

    fields: Mapping[str, tuple[str, ...]] = NOTHING
    numbers: Mapping[str, tuple[str, ...]] = NOTHING
    checks: Mapping[str, tuple[str, ...]] = NOTHING
    flags: tuple[str, ...] = ()
    keywords: str = ""
    short: Mapping[str, str] = NOTHING
    words: Mapping[str, str] = NOTHING
    beside: Mapping[str, Mapping[str, tuple[str, ...]]] = NOTHING


@frozen
class About:
    """`game.yaml` of a room.

    `called` gives by id prefix (the game's id, or a set of it) what players call it: for search and `game:` alike.
    `marks` are keys that only the game's deck files have, `frame` the options of `kb deck check` that it knows, `commands`
    its own commands (`deck upgrade`) and where their functions are (`cli:upgrade`, seen from the package), `prints` which
    types describe the JSON that a command prints of this game (`deck upgrade: [upgrades:Step]`). `query` is what queries for its
    cards may ask. `whose` is the key of a deck file that names who plays the deck.
    `colour` is its colour on the site, for light and for dark pages (`#rrggbb`).
    `opens` are the entries that a table opens first, by id, with what they are called there. `sheets` are those among them that show on
    paper what a tool of the site fills in: the entry, and the name of the tool's page (`build`, `score`).
    `tries` are questions to try on the first page, by what the link says.
    `bare_lists`: a plain list of cards in which no key tells a game is one of its decks.
    `addresses` are pages of decks (host and path, a pattern) and what of the site's public API `--fetch` asks for the deck.
    `editions` are the game's rules by one document each, the newest first, for a game of which several are played.
    `instead` says, for a game without deck rules, what to do with its files. `campaign`: it is played over several sessions and
    has a part `campaigns`. `newer` are products that came out after the game's card facts were taken, by name: their `code`, how the codes
    of their cards begin (`cards`), and the day of the facts (`facts_of`).
    `asks` are terms of a query for cards that say more of a character (`adventure`), with what they are;
    such a game has a part `access`. `foreign`: the game comes from another package,
    whose folder holds its `content/` and `cards/`.
    """

    id: str
    title: str
    package: str
    folder: Path
    short: str = ""
    tagline: str = ""
    called: Mapping[str, tuple[str, ...]] = NOTHING
    marks: frozenset[str] = frozenset()
    frame: tuple[Option, ...] = ()
    commands: Mapping[str, str] = NOTHING
    prints: Mapping[str, tuple[str, ...]] = NOTHING
    instead: str = ""
    colour: tuple[str, str] | None = None
    campaign: bool = False
    whose: str = "character"
    query: Query = Query()
    asks: Mapping[str, str] = NOTHING
    opens: Mapping[str, str] = NOTHING
    sheets: Mapping[str, str] = NOTHING
    tries: Mapping[str, str] = NOTHING
    editions: tuple[Edition, ...] = ()
    newer: Mapping[str, Mapping[str, str]] = NOTHING
    bare_lists: bool = False
    addresses: Mapping[str, str] = NOTHING

    @property
    def foreign(self) -> bool:
        """Whether the game comes from another package than kb."""
        return not self.package.startswith("kb.games.")

    def newer_than_facts(self, text: str) -> str | None:
        """Return a sentence if a text is, or names, a product or a card code that is newer than the card facts; None otherwise."""
        asked = text.strip().casefold()
        for product, says in self.newer.items():
            is_code = re.fullmatch(rf"{re.escape(says['cards'])}\d{{3}}[a-z]?", asked, re.ASCII)
            if is_code or asked == says["code"] or product.casefold() in asked:
                return f"{product} is newer than kb's data ({says['facts_of']})."
        return None

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that a deck file may call the game after `game:`."""
        scopes = (scope.rpartition("/")[2] for scope in self.called)
        return (self.id, self.title, *scopes, *(name for listed in self.called.values() for name in listed))


def read_about(path: Path, package: str) -> About:
    """Read a `game.yaml`. Raises OSError, and ValueError with a sentence that names the file and what is wrong with it."""
    from kb.files.safe_yaml import YamlError, load_yaml  # a search has no use for it

    try:
        return about_of(load_yaml(path.read_text(encoding="utf-8")), path.parent, package)
    except YamlError as error:
        raise ValueError(f"{path}:{error.line}: {error.what}.") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: this is not UTF-8 text (byte {error.start}).") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}.") from None


def about_of(raw: Any, folder: Path, package: str) -> About:
    """What a `game.yaml` in a folder holds. Raises ValueError with a sentence without its final stop."""
    if not isinstance(raw, dict) or not isinstance(raw.get("title"), str):
        raise ValueError("a game needs a `title`")
    values: dict[str, Any] = {
        "id": folder.name,
        "short": raw["title"],
        **{str(key): value for key, value in raw.items() if value is not None},
    }
    for key, name in (("frame", "name"), ("editions", "id")):  # the key of each is its name
        if isinstance(each := values.get(key), dict):
            values[key] = [{name: called, **say} if isinstance(say, dict) else say for called, say in each.items()]
    if (colour := values.get("colour")) is not None:
        values["colour"] = [colour.get("light"), colour.get("dark")] if isinstance(colour, dict) else [colour, colour]
        if not all(re.fullmatch("#[0-9a-fA-F]{6}", str(each)) for each in values["colour"]):
            raise ValueError('`colour` is like "#2d4d7c", or {light: "#2d4d7c", dark: "#93b6ea"}')
    hints = get_type_hints(About)
    for key, value in values.items():
        if key not in hints or not fits(hints[key], value):
            raise ValueError(f"`{key}` is not a key of a game, or its value is wrong; see kb/registry/about.py")
    for edition in values.get("editions", ()):
        edition.setdefault("within", f"{values['id']}/{edition['id']}")
    return build(About, {**values, "package": package, "folder": folder})
