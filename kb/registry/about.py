"""The description of a game in its `game.yaml`. The description contains everything that kb needs at start, so that the
game itself need not be imported.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_type_hints

from kb.frozen import NOTHING, frozen
from kb.shapes import build, fits


@frozen
class Option:
    """An option of `kb deck check` that only some games have. Without a `metavar` it is a flag. With `many`, it can be
    repeated. With `steps`, commands about upgrade steps have it too.
    """

    name: str
    help: str
    metavar: str = ""
    many: bool = False
    steps: bool = False


@frozen
class Edition:
    """An edition of a game: the rules in one document or several.

    `title` is its name with its version, as answers show it. `names` are other names. `documents` are the ids of its
    documents in sources.yaml. `within` is the value of `--in` that restricts a search to its entries.
    """

    id: str
    title: str
    documents: tuple[str, ...]
    within: str = ""
    names: tuple[str, ...] = ()


@frozen
class Query:
    """The fields that `kb cards` queries can use for a game's cards, in addition to the fields that every card has.

    `fields` are fields with texts, and `numbers` are fields with numbers. Each field lists keys of the record, and
    the first key that exists is used. `skills.combat` means the key `combat` within the key `skills`. `checks` are
    keys that contain checks (a list of `skills` with a `difficulty`). `flags` are keys that can be asked for without
    a value. `short` gives short names for any of these.

    `keywords` gives the place of a table of further flags (`schema.keywords:KEYWORDS`, relative to the package). Each
    flag has a `name`, and cards list the names that apply to them under `keywords`. `words` maps words and phrases
    that players use to terms of a query. `beside` describes other kinds of records with more facts about a card. It
    gives the kind of these records, the key of the card that equals their `code`, and the keys that the card takes
    from them. `closed` lists all values of a field that is also a flag or a term of `asks`. For example, `taboo:up`
    asks for a value, and `taboo:8` refers to a list.
    """

    fields: Mapping[str, tuple[str, ...]] = NOTHING
    numbers: Mapping[str, tuple[str, ...]] = NOTHING
    checks: Mapping[str, tuple[str, ...]] = NOTHING
    flags: tuple[str, ...] = ()
    keywords: str = ""
    short: Mapping[str, str] = NOTHING
    words: Mapping[str, str] = NOTHING
    beside: Mapping[str, Mapping[str, tuple[str, ...]]] = NOTHING
    closed: Mapping[str, tuple[str, ...]] = NOTHING


@frozen
class NewerProduct:
    """A product that is newer than the card facts of its game. `name` and `code` are in lower case.

    `cards` is the beginning of its cards' codes, and `says` is a sentence saying that the product is newer.
    """

    name: str
    code: str
    cards: str
    says: str

    def named_by(self, asked: str) -> bool:
        """Return True if `asked`, a text in lower case, names the product or is the code of one of its cards."""
        is_code = re.fullmatch(rf"{re.escape(self.cards)}\d{{3}}[a-z]?", asked, re.ASCII)
        return bool(is_code) or asked == self.code or self.name in asked


@frozen
class About:
    """The contents of a game's `game.yaml`.

    `called` maps id prefixes (the game's id, or one of its sets) to the names that players use, in searches and after
    `game:`. `marks` are keys that only the game's deck files have. `options` are the game's options of `kb deck check`.
    `commands` maps the game's own commands (`deck upgrade`) to their functions (`cli:upgrade`, relative to the package).
    `prints` gives the types that describe the JSON of a command for this game (`deck upgrade: [upgrades:Step]`).
    `query` describes queries for its cards. `whose` is the key of a deck file that names the player's character.

    `colour` is the game's colour on light and on dark pages of the site (`#rrggbb`). `opens` are the entries that
    players need first, by id, with the text of the link. `sheets` maps entries that describe a paper sheet to the
    page of the site's tool that fills in the sheet (`build`, `score`). `tries` are example questions for the home
    page, by the text of the link.

    With `bare_lists`, a plain list of cards without any key that identifies a game is a deck for this game. `repeats`
    are the keys that a plain list can have several times. `addresses` maps web pages of decks (a pattern of host and
    path) to the request that `--fetch` sends to the public API of that site. `editions` are the game's editions, newest
    first, if it has several. `instead` says what to do with deck files of a game without deck rules. With `campaign`,
    the game is played over several sessions and has a `campaigns` part. `newer` are products that are newer than the
    game's card facts, by name: their `code`, the beginning of their card codes (`cards`), and the date of the facts
    (`facts_of`).

    In a query for cards, some terms (such as `adventure`) give more facts about a character. `asks` maps these terms
    to their meanings. A game with such terms has an `access` part. If `foreign` is True, the game comes from another
    package, whose folder contains its `content/` and `cards/`.
    """

    id: str
    title: str
    package: str
    folder: Path
    short: str = ""
    tagline: str = ""
    called: Mapping[str, tuple[str, ...]] = NOTHING
    marks: frozenset[str] = frozenset()
    options: tuple[Option, ...] = ()
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
    repeats: frozenset[str] = frozenset()
    addresses: Mapping[str, str] = NOTHING

    @property
    def foreign(self) -> bool:
        """True if the game comes from another package."""
        return not self.package.startswith("kb.games.")

    def newer_than_facts(self, text: str) -> str | None:
        """Return a sentence if `text` names a product that is newer than the card facts, or is the code of a card
        that is newer. Otherwise, return None.
        """
        asked = text.strip().casefold()
        return next((each.says for each in self.newer_products if each.named_by(asked)), None)

    @property
    def newer_products(self) -> list[NewerProduct]:
        """The products that are newer than the card facts."""
        return [
            NewerProduct(
                name.casefold(), says["code"], says["cards"], f"{name} is newer than kb's data ({says['facts_of']})."
            )
            for name, says in self.newer.items()
        ]

    @property
    def names(self) -> tuple[str, ...]:
        """All names of the game that a deck file can use after `game:`."""
        scopes = (scope.rpartition("/")[2] for scope in self.called)
        return (self.id, self.title, *scopes, *(name for listed in self.called.values() for name in listed))


def read_about(path: Path, package: str) -> About:
    """Return the description in a `game.yaml`. Raises OSError if it cannot be read, and ValueError with a sentence that
    names the file and the mistake.
    """
    from kb.files.safe_yaml import YamlError, load_yaml  # searches do not need it
    from kb.files.text import MEGABYTE, read_bounded

    try:
        text = read_bounded(path, MEGABYTE).decode("utf-8")
        try:
            raw = json.loads(text)  # in the browser's pack, where reading YAML would take longer (kb.site.checker.pack)
        except (ValueError, RecursionError):
            raw = load_yaml(text)
        return about_of(raw, path.parent, package)
    except YamlError as error:
        raise ValueError(f"{path}:{error.line}: {error.what}.") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: this is not UTF-8 text (byte {error.start}).") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}.") from None


def about_of(raw: Any, folder: Path, package: str) -> About:
    """Convert the contents of the `game.yaml` in `folder` to a description. Raises ValueError with a sentence without
    its final stop.
    """
    if not isinstance(raw, dict) or not isinstance(raw.get("title"), str):
        raise ValueError("a game needs a `title`")
    values: dict[str, Any] = {
        "id": folder.name,
        "short": raw["title"],
        **{str(key): value for key, value in raw.items() if value is not None},
    }
    for key, name in (("options", "name"), ("editions", "id")):  # the mapping's keys are the names
        if isinstance(each := values.get(key), dict):
            values[key] = [{name: called, **say} if isinstance(say, dict) else say for called, say in each.items()]
    if (colour := values.get("colour")) is not None:
        values["colour"] = [colour.get("light"), colour.get("dark")] if isinstance(colour, dict) else [colour, colour]
        if not all(re.fullmatch("#[0-9a-fA-F]{6}", str(each)) for each in values["colour"]):
            raise ValueError('`colour` must look like "#2d4d7c" or {light: "#2d4d7c", dark: "#93b6ea"}')
    hints = get_type_hints(About)
    for key, value in values.items():
        if key not in hints or not fits(hints[key], value):
            raise ValueError(f"`{key}` is not a key of a game, or its value is wrong; see kb/registry/about.py")
    for edition in values.get("editions", ()):
        edition.setdefault("within", f"{values['id']}/{edition['id']}")
    return build(About, {**values, "package": package, "folder": folder})
