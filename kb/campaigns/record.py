"""Writes the files of a campaign: the first one, and one for each game played. Each file is written completely or not
at all.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from kb.campaigns.campaign import CampaignFile
from kb.campaigns.folder import CAMPAIGN_FILE, CampaignError, number_of, parse_page
from kb.campaigns.reader import DATE
from kb.decks.deckfile import CONTROL, parse_yaml
from kb.decks.file_keys import Key
from kb.decks.names import did_you_mean
from kb.decks.nodes import DeckFileError, key_name, plain_value
from kb.decks.questions import no_day
from kb.files.folders import OutsideError, inside
from kb.files.swap import locked, replace, write_whole
from kb.sources.cards import slug

DECKS = "decks"
UNDONE = "undone"
WIDTH = 32
LONGEST_NAME = 60


def said(words: Iterable[str], keys: Iterable[Key]) -> dict[str, Any]:
    """Parse `KEY=VALUE` options and return the values by key. Values in brackets are YAML.

    Raises CampaignError for a key that is unknown or repeated, and for a value that cannot be read.
    """
    known = [key.name for key in keys]
    values: dict[str, Any] = {}
    for each in words:
        key, mark, value = each.partition("=")
        name = key_name(key.strip())
        if not mark or name not in known:
            hint = did_you_mean(name, known) or f" Valid keys: {', '.join(known)}."
            raise CampaignError(f"{each!r}: write KEY=VALUE with a key of the file.{hint}")
        if name in values:
            raise CampaignError(f"{each!r}: {name} is given twice.")
        refuse_no_text(each)
        values[name] = parsed(value, each)
        if name == DATE and (why := no_day(str(values[name] or ""))):
            raise CampaignError(f"{each!r}: {why}")
    return values


def refuse_no_text(text: str) -> None:
    """Raise CampaignError if `text` contains characters that would make the file unreadable."""
    if CONTROL.search(text):
        raise CampaignError(f"{text!r} contains characters that are not text, so the file could not be read again.")


def parsed(value: str, option: str) -> Any:
    """Parse the value of an option. Lists and mappings in brackets and texts in quotes are YAML; any other value is
    text. Raises CampaignError, which quotes `option`, for invalid YAML.
    """
    if not value.strip().startswith(("[", "{", "'", '"')):
        return value.strip() or None
    try:
        return plain_value(parse_yaml(value, option))
    except DeckFileError as error:  # without line numbers: the text is no file
        why = " ".join(each.message for each in error.problems)
        raise CampaignError(f"{option!r}: {why} A value that begins with a bracket or quote is read as YAML.") from None


def written(keys: Iterable[Key], values: Mapping[str, Any], heading: str = "") -> str:
    """Return the text of a file with `values` in the order of `keys`. A key without a value becomes a comment that
    explains it.
    """
    lines = [f"# {line}" for line in heading.splitlines()]
    for key in keys:
        if key.name in values:
            lines.append(dumped({key.name: values[key.name]}))
        else:
            lines.append(f"# {f'{key.name}: {key.example}':<{WIDTH}}  # {key.comment}")
    return "\n".join(lines) + "\n"


def dumped(value: Mapping[str, Any]) -> str:
    """Return a mapping as readable YAML: the innermost lists on one line, and no quotes that kb does not need."""
    import yaml

    class Plain(yaml.SafeDumper):
        """Writes each single value as plain text, because kb's reader takes `yes` and `1` as written."""

        yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - as PyYAML has it

    def plain(dumper: Plain, value: object) -> Any:
        words = {"True": "yes", "False": "no", "None": ""}
        return dumper.represent_str(words.get(str(value), str(value)))

    for kind in (bool, int, float, type(None)):
        Plain.add_representer(kind, plain)
    lines = []
    for key, each in value.items():
        flow = None if isinstance(each, dict | list) else False
        lines.append(
            yaml.dump(
                {key: each}, Dumper=Plain, default_flow_style=flow, allow_unicode=True, width=110, sort_keys=False
            )
        )
    return "".join(lines).rstrip("\n")


def append(folder: Path, title: str, text: str, decks: Mapping[str, str]) -> Path:
    """Add the file of the next game to a campaign and return its path.

    `decks` maps the names of decks to their texts. `text` may refer to them as `decks/NN-NAME.yaml` (see `deck_place`);
    this function replaces NN by the game's number. Two simultaneous commands get two numbers. The game's file is
    written last: if kb is killed earlier, the campaign stays unchanged. Raises CampaignError if a file cannot be
    written.
    """
    with locked(folder.resolve()):
        number = 1 + max((number_of(path.name) for path in folder.iterdir()), default=0)
        path = folder / f"{number:02d}-{slug(title)[:LONGEST_NAME].strip('-') or 'game'}.yaml"
        keep(folder, path.name, number, text, decks)
    return path


def begin(folder: Path, text: str, decks: Mapping[str, str]) -> Path:
    """Write the first file of a campaign with its decks, and return its path. Raises CampaignError if the folder
    already has a campaign, and DeckFileError if kb could not read the file.
    """
    parse_page(text, CAMPAIGN_FILE)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CampaignError(f"{folder} cannot be written: {error.strerror or error}.") from None
    with locked(folder.resolve()):
        if os.path.lexists(folder / CAMPAIGN_FILE):
            raise CampaignError(
                f"{folder / CAMPAIGN_FILE} already exists. Add a game with `kb campaign record {folder}`."
            )
        keep(folder, CAMPAIGN_FILE, 0, text, decks)
    return folder / CAMPAIGN_FILE


def take_back(folder: Path, page: CampaignFile) -> list[Path]:
    """Move the file of a game, and the decks that kb saved for it, into the campaign's `undone` folder; return the new
    paths.

    If a name is taken there, a number is added. Raises CampaignError.
    """
    moved = []
    with locked(folder.resolve()):
        try:
            here = inside(folder, UNDONE)
            here.mkdir(exist_ok=True)
            for path in (Path(page.name), *sorted((folder / DECKS).glob(f"{page.number:02d}-*"))):
                to = here / path.name
                for number in itertools.count(2):
                    if not os.path.lexists(to):
                        break
                    to = here / f"{path.stem}-{number}{path.suffix}"
                replace(path, to)
                moved.append(to)
        except (OSError, OutsideError) as error:
            raise CampaignError(f"{page.name} cannot be moved: {getattr(error, 'strerror', None) or error}.") from None
    return moved


def keep(folder: Path, name: str, number: int, text: str, decks: Mapping[str, str]) -> None:
    """Write the decks of a game and then its file. Raises CampaignError if a deck would replace a file with other
    content; in this case, nothing is written.
    """
    places = {deck_place(who, deck, number): deck for who, deck in decks.items()}
    for place, deck in places.items():
        path = folder / place
        if os.path.lexists(path) and not (path.is_file() and path.read_bytes() == deck.encode("utf-8", "replace")):
            raise CampaignError(f"{path} already exists with other content. Move it away. Nothing was written.")
    for place, deck in {**places, name: text.replace(f"{DECKS}/NN-", f"{DECKS}/{number:02d}-")}.items():
        write(folder, place, deck)


def deck_place(name: str, text: str, number: int | None = None) -> str:
    """Return the path for the deck of `name` in the campaign's folder. The file name begins with `number`, or with `NN`
    if there is none; its suffix depends on the format of `text`.
    """
    suffix = "json" if text.lstrip()[:1] == "{" else "yaml"
    begins = "NN" if number is None else f"{number:02d}"
    return f"{DECKS}/{begins}-{slug(name)[:LONGEST_NAME] or 'deck'}.{suffix}"


def write(folder: Path, name: str, text: str) -> None:
    """Write a file in the folder, completely or not at all. Raises CampaignError if it cannot be written."""
    try:
        path = inside(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode("utf-8", "replace"))
    except (OSError, OutsideError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CampaignError(f"{folder / name} cannot be written: {reason}.") from None
