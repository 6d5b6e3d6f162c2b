"""Drafts of a game's file. The terminal and the page show a draft before they ask whether to record the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from kb.campaigns.campaign import CampaignFile, Folder, Replay
from kb.campaigns.folder import CAMPAIGN_FILE, CampaignError, parse_page
from kb.campaigns.game_campaign import AnyCampaign
from kb.campaigns.reader import GAME_KEYS, SETUP_KEYS
from kb.campaigns.record import append, deck_place, dumped, written
from kb.campaigns.replay import OpenCampaign
from kb.decks.deckfile import DeckFile, parse_deck
from kb.decks.games import RulesOf
from kb.decks.nodes import DeckFileError
from kb.decks.party import RebuildStep
from kb.frozen import frozen


@frozen
class Draft:
    """The draft of a game's file. `text` is the text of the file, and `decks` are the texts of its decks by owner.
    `replay` is the campaign replayed with the game, and `rebuilding` contains the steps that rebuilt the game's decks.
    """

    text: str
    decks: Mapping[str, str]
    replay: Replay
    rebuilding: Sequence[RebuildStep] = ()

    def write(self, folder: Path) -> Path:
        """Record the game and return the path of its file. Raises CampaignError."""
        return append(folder, self.replay.steps[-1].title, self.text, self.decks)


def first_file(part: AnyCampaign, values: Mapping[str, Any]) -> str:
    """Return the text of a `campaign.yaml` with `values`."""
    heading = "A campaign. This file contains the setup; each game has its own file next to it."
    return written((*SETUP_KEYS, *part.setup), values, heading)


def refuse_unreadable(campaign: Path, text: str, decks: Mapping[str, str], rules_of: RulesOf) -> None:
    """Raise DeckFileError if kb could not read a campaign with the first file `text` and `decks` (texts by owner)."""
    own = {deck_place(who, deck, 0): deck for who, deck in decks.items()}
    own |= {deck_place(who, deck): deck for who, deck in decks.items()}
    setup = str(campaign / CAMPAIGN_FILE)
    files = Folder(
        str(campaign),
        CampaignFile(setup, 0, parse_page(text, setup)),
        (),
        lambda path: parse_deck(own.get(path, ""), path),
    )
    if problems := OpenCampaign(files, rules_of).problems:
        raise DeckFileError(setup, list(problems))


def game_file(part: AnyCampaign, values: Mapping[str, Any]) -> str:
    """Return the text of a game's file with `values`."""
    return written([key for key in (*part.game_keys(), *GAME_KEYS) if key.name in values], values)


def draft(
    campaign: OpenCampaign, text: str, decks: Mapping[str, str], fill: bool = False, name: str = "the game"
) -> Draft:
    """Draft a game from the `text` of its file and its `decks` (texts by owner). With `fill`, the rules rebuild the
    decks after the game.

    Raises CampaignError if the rules of the game cannot rebuild decks. Raises DeckFileError if the file cannot be
    read; its message calls the file `name`.
    """
    files, file = campaign.files, parse_page(text, name)
    rebuilding: Sequence[RebuildStep] = ()
    if fill:
        if file.get("decks") is not None:  # checked before the decks are read, because they are not in the folder yet
            raise CampaignError("--fill rebuilds the decks, so do not give `decks` too.")
        rebuilt, rebuilding = campaign.filled(file)
        text = f"{text.rstrip()}\n{dumped({'decks': rebuilt})}\n" if rebuilt else text
    own = {deck_place(who, deck): deck for who, deck in decks.items()}
    page = CampaignFile(name, max((page.number for page in files.games), default=0) + 1, parse_page(text, name))

    def deck(path: str) -> DeckFile:
        return parse_deck(own[path], path) if path in own else files.deck(path)

    drafted = OpenCampaign(replace(files, games=(*files.games, page), deck=deck), campaign.rules_of).replay()
    if problems := drafted.steps[-1].problems:
        raise DeckFileError(name, list(problems))
    return Draft(text, decks, drafted, rebuilding)
