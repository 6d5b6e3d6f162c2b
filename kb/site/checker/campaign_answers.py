"""Answers of the checker to the page's requests about campaigns (see kb.site.checker.answers)."""

from __future__ import annotations

from collections.abc import Mapping

from kb.campaigns.campaign import Filed, TableDice
from kb.citation import Citation
from kb.decks.party import RebuildStep
from kb.frozen import frozen
from kb.shapes import Jsonable, key
from kb.site.checker.answers import QuestionForm


@frozen
class ShownCampaign(Jsonable):
    """A replayed campaign."""

    game: str
    """Id of the game."""
    title: str
    """The campaign's name."""
    games: int
    """The number of recorded games."""
    last: str
    """The title of the last game; empty if there is none."""
    legal: bool
    """True if every file can be read and no rule is broken."""
    dice: TableDice | None
    """The party's dice rolls; null if the game has none."""
    page: str
    """The campaign's page, as HTML."""


@frozen
class ReplayAnswer(Jsonable):
    """A campaign after a request."""

    files: Mapping[str, str]
    """The texts of the campaign's files, by path."""
    shown: ShownCampaign
    """The replayed campaign."""


@frozen
class SetupAnswer(Jsonable):
    """The questions about a campaign's setup and, if it was saved, the campaign."""

    form: QuestionForm = key("flat")
    answers: Mapping[str, str]
    """The answers so far, by the keys of the questions."""
    labels: Mapping[str, str]
    """The full text of each choice, by its name in files."""
    problems: tuple[str, ...] = key("optional", default=())
    """Sentences that say why the recorded games do not fit the setup; left out if they fit."""
    files: Mapping[str, str] = key("optional", default_factory=dict)
    """The texts of the campaign's files, by path; left out if it was not saved."""
    shown: ShownCampaign | None = key("optional", default=None)
    """The replayed campaign; left out if it was not saved."""


@frozen
class LinkedCitation(Jsonable):
    """A cited entry, with the address of its page."""

    citation: Citation = key("flat")
    url: str
    """The page's address, from the top of the site; empty if the site does not include the entry."""


@frozen
class FoundInGame(Filed):
    """A finding on a game before it is saved."""

    fix: str
    """The remedies in words, with the labels of the form."""
    question: str
    """The key of the question that the finding concerns; empty if it concerns none."""
    links: tuple[LinkedCitation, ...]
    """The rules that the finding cites."""


@frozen
class GamePreview(Jsonable):
    """The changes of a game before it is saved."""

    title: str
    """The game's heading."""
    changes: tuple[str, ...]
    """The changes, in words."""
    findings: tuple[FoundInGame, ...]
    """The findings on the game."""
    rebuilding: tuple[RebuildStep, ...]
    """The steps that rebuild the party's decks."""


@frozen
class NextGameAnswer(Jsonable):
    """The questions about the next game, and its changes or, if it was saved, the campaign."""

    form: QuestionForm = key("flat")
    refuses: str
    """The refusals to give cards away, written as an answer in a form."""
    preview: GamePreview | None = key("optional", default=None)
    """The changes that the game makes; left out if the request did not ask for them."""
    files: Mapping[str, str] = key("optional", default_factory=dict)
    """The texts of the campaign's files, by path; left out if the game was not saved."""
    shown: ShownCampaign | None = key("optional", default=None)
    """The replayed campaign; left out if the game was not saved."""


@frozen
class ZipAnswer(Jsonable):
    """A campaign as a zip."""

    zip: str
    """The zip, in base64."""
    name: str
    """A name for the file, without extension."""
