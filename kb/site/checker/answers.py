"""Answers of the checker to the page's requests about decks, parties and scores. Each answer is a dataclass, which is
printed as JSON.

The requests are in kb.site.checker.messages, the answers about campaigns in kb.site.checker.campaign_answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Annotated, Any

from kb.decks.form import Change, Field, FormLine, Offer
from kb.decks.form_fixes import Button
from kb.decks.party import PartyReport, Rebuilding
from kb.decks.problems import Finding
from kb.decks.report import Report
from kb.decks.upgrades import Price, StepReport
from kb.frozen import frozen
from kb.shapes import Jsonable, PrintedAs, key
from kb.site.checker.messages import NamedText


@frozen
class Correction(Jsonable):
    """A text in which a name that kb does not know is corrected."""

    words: str
    """The label of the button that uses the text."""
    text: str
    """The corrected text."""


@frozen
class Failure(Jsonable):
    """The answer to a request that failed."""

    problem: str
    """A sentence that says what is wrong."""
    deck: int | None = None
    """The position of the deck that cannot be read, among several decks; null if the problem concerns no single deck."""
    mends: tuple[Correction, ...] = ()
    """Corrected texts, if names in the text are unknown."""


@frozen
class PageLink(Jsonable):
    """A link to a page of the site."""

    title: str
    """The page's title."""
    url: str
    """The page's address, from the top of the site."""


@frozen
class CheckAnswer(Jsonable):
    """A checked deck."""

    report: Report
    """All findings on the deck."""
    counted: str
    """The numbers of findings, such as `2 errors, 1 note`; empty if there are none."""
    page: str
    """The deck's page, as HTML."""
    share: str
    """The deck as the part of a link after the #."""


@frozen
class OpenAnswer(Jsonable):
    """A deck from a shared link."""

    text: str
    """The deck file's text."""


@frozen
class FoundOnForm(Jsonable):
    """A finding, with the lines or the field of the form that it concerns."""

    finding: Finding = key("flat")
    fix: str
    """The remedies in words, with the labels of the form."""
    brief: str
    """The finding without the names of its cards, to show next to one of these cards."""
    field: str | None
    """The key of the field that the finding concerns; null if it concerns none."""
    lines: tuple[str, ...]
    """The keys of the lines that the finding concerns."""
    group: str | None
    """The heading of the cards that the finding concerns; null if it concerns no single heading."""
    mends: tuple[Button, ...]
    """Buttons that fix the finding."""
    links: tuple[PageLink, ...]
    """The rules that the finding cites."""


@frozen
class Bought(Jsonable):
    """A line of an upgrade."""

    text: str
    """The line in words."""
    links: tuple[PageLink, ...]
    """The rules that state the price."""
    changes: tuple[Change, ...]
    """Changes to the form that undo the line; empty if it cannot be undone alone."""


@frozen
class StepOnForm(Jsonable):
    """An upgrade to the deck on the form."""

    report: StepReport = key("flat")
    bought: tuple[Bought, ...]
    """The lines of the upgrade."""
    lost: Mapping[str, tuple[Change, ...]]
    """For each card that can be exiled, by its key: changes to the form that exile one copy of the card."""


@frozen
class FormAnswer(Jsonable):
    """A deck as a form."""

    counts: tuple[tuple[str, ...], ...]
    """A row for each type of card: its name, the number of cards, and the required number if known."""
    legal: bool
    """True if the upgrade is legal or, if there is no upgrade, if the deck is legal."""
    character: str
    """The deck's owner."""
    findings: tuple[FoundOnForm, ...]
    """The findings on the upgrade or, if there is no upgrade, on the deck."""
    text: str
    """The deck file's text."""
    game: str
    """Id of the game."""
    fields: tuple[Field, ...]
    """The settings of the deck."""
    name: str
    """The deck's name; empty if it has none."""
    lines: tuple[FormLine, ...]
    """The cards. `shown` is the address of the card's page."""
    aside: tuple[FormLine, ...]
    """The cards that the file lists apart from the deck, such as a side deck. Their keys are keys in the file."""
    formats: tuple[str, ...]
    """The names of the formats that the deck can be saved in."""
    upgrades: bool
    """True if decks for this game are upgraded with experience."""
    steps: tuple[str, ...]
    """The upgrades that the deck's description records."""
    share: str
    """The deck as the part of a link after the #."""
    step: StepOnForm | None = key("optional", default=None)
    """The upgrade; left out if the request named no earlier deck."""
    old: str = key("optional", default="")
    """The text of the deck that a new upgrade starts from; left out unless the request begins an upgrade."""


@frozen
class OffersAnswer(Jsonable):
    """The cards that the character may take."""

    offers: tuple[Offer, ...]
    """The cards. `shown` is the address of the card's page."""


@frozen
class WriteAnswer(Jsonable):
    """A deck in another format."""

    text: str
    """The text in that format."""
    suffix: str
    """The file extension, with its dot."""


@frozen
class PricesAnswer(Jsonable):
    """The prices of cards in an upgrade."""

    prices: Mapping[str, Price]
    """The price of one more copy of each card, by the card's key."""


@frozen
class QuestionOnForm(Jsonable):
    """A question, as the page draws it."""

    key: str
    """Key of the question in the form."""
    text: str
    """The whole question."""
    start: str
    """The question without its tail and hint."""
    tail: str
    """The end of the question, which is left out below a heading with the name in `of`."""
    group: str
    """The heading above the question."""
    fold: bool
    """True if the group is closed at first."""
    kind: str
    """The kind of input: `number`, `day`, `deck` or `text`."""
    many: bool
    """True if several answers may be given."""
    lines: bool
    """True if commas do not separate answers."""
    copies: bool
    """True if a choice may have a number of copies."""
    needed: bool
    """True if the answer must not be empty."""
    of: str
    """The person that the question is about; empty if it is about nobody."""
    note: str
    """How the answer is used."""
    rule: str
    """The address of the rule behind the note; empty if there is none."""
    list: int | None
    """The position of the choices in the form's `lists`; null if any text may be entered."""
    default: str
    """The default answer."""
    share: str
    """The deck that was entered, as the part of a link after the #; empty if the question has no suggested deck."""
    typed: str
    """The answer so far."""
    wrong: str
    """A sentence that says why the answer is invalid; empty if it is valid."""


@frozen
class QuestionForm(Jsonable):
    """Questions of a game as a form. Each list of choices is sent once."""

    lists: tuple[tuple[str, ...], ...]
    """The lists of choices."""
    questions: tuple[QuestionOnForm, ...]
    """The questions, in order."""
    finds: Mapping[str, str]
    """For each choice, further words that a search can find it by."""


@frozen
class TableAnswer(Jsonable):
    """The questions about a party."""

    form: QuestionForm = key("flat")
    text: str = key("optional", default="")
    """The text of the party's file; left out while answers are missing."""


@frozen
class NewDeckFile(Jsonable):
    """A member's deck after a rebuild."""

    name: str
    """The name of the deck's file."""
    text: str
    """The text of the deck's file."""
    title: str
    """A title for the deck."""
    share: str
    """The deck as the part of a link after the #."""
    game: str
    """Id of the game."""
    who: str
    """The member."""


@frozen
class RebuildAnswer(Jsonable):
    """The decks of a party after a scenario."""

    told: Annotated[Rebuilding, PrintedAs(dict[str, Any])]
    """The moves of cards and the findings, as `kb party rebuild --json` prints them for the game."""
    title: str
    """A title for the result."""
    legal: bool
    """True if no rule is broken."""
    page: str
    """The page of the result, as HTML."""
    decks: tuple[NewDeckFile, ...]
    """The new decks; empty if cards of a deck are still to be chosen."""
    text: str
    """The text of the party's file, with its refusals."""
    share: str
    """The party's file, encoded as the part of a link after the #."""
    refuses: str | None = None
    """The refusals, written as an answer in a form; null if the request changed none."""


@frozen
class TogetherAnswer(Jsonable):
    """The decks of a party, checked together and each by itself."""

    files: tuple[NamedText, ...]
    """The decks, after the requested fix."""
    told: PartyReport
    """The findings."""
    title: str
    """A title for the result."""
    legal: bool
    """True if no rule is broken."""
    page: str
    """The page of the result, as HTML."""


@frozen
class ScoreAnswer(Jsonable):
    """The questions about a final position and, if no answer is missing, its score."""

    form: QuestionForm = key("flat")
    answers: Mapping[str, str]
    """The answers so far, by the keys of the questions."""
    problems: Sequence[str] = ()
    """Sentences that say what is wrong with the position."""
    links: Mapping[str, str] = field(default_factory=dict)
    """The addresses of the rules that the score cites, by entry."""
    text: str = key("optional", default="")
    """The text of the position's file; left out while answers are missing."""
    score: Mapping[str, Any] = key("optional", default_factory=dict)
    """The score; left out if there is none yet."""
    on_tie: str = key("optional", default="")
    """A sentence that says what decides a tie."""
