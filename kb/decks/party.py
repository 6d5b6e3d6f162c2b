"""Handles the decks in one party: checks them together, rebuilds them, and finds their cards in a collection. The
module also defines the interfaces that a game implements for this.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, Protocol, TypeVar, cast

from kb import registry
from kb.decks.deckfile import DeckFile
from kb.decks.games import RulesOf, game_of
from kb.decks.names import both
from kb.decks.nodes import DeckFileError
from kb.decks.questions import Conversation
from kb.decks.report import Located, Report
from kb.errors import KbError
from kb.frozen import frozen
from kb.shapes import Jsonable, computed, key, plain_json


class PartyError(KbError, ValueError):
    """Decks cannot be checked or rebuilt together; the message says why."""


class UnreadableDecksError(PartyError):
    """Some `decks` of a party cannot be read."""

    def __init__(self, decks: Sequence[DeckFileError]) -> None:
        super().__init__("\n".join(map(str, decks)))
        self.decks = decks


@frozen
class PartyReport(Jsonable):
    """The report on the decks in one party."""

    findings: tuple[Located, ...]
    """Findings on the decks together."""
    reports: tuple[Report, ...] = key(name="decks")
    """The report on each deck."""

    @property
    def together(self) -> bool:
        """Return True if the decks may be played together."""
        return not any(each.finding.severity == "error" for each in self.findings)

    @property
    def verdict(self) -> str:
        """Return the verdict in words that follow the number of decks, such as `can be played together`. The verdict
        names the owners of decks that are illegal on their own.
        """
        one = len(self.reports) == 1
        if not self.together:
            return "does not fit the party" if one else "cannot be played together"
        fits = "fits the party" if one else "can be played together"
        wrong = [each.character for each in self.reports if not each.legal]
        if not wrong:
            return fits
        whose = both(f"{name}'" if name.endswith("s") else f"{name}'s" for name in wrong)
        return f"{fits}, but {whose} {'deck is' if len(wrong) == 1 else 'decks are'} not legal"

    @computed
    def legal(self) -> bool:
        """True if the decks may be played together and each of them is legal."""
        return self.together and all(report.legal for report in self.reports)


@frozen
class Refusable:
    """A move of a card that members of the party may refuse. `text` describes the move, and `by` are the members who
    may refuse to give or take `card`. `refused` is True if one of them has refused it.
    """

    text: str
    card: str
    by: tuple[str, ...]
    refused: bool = False


@frozen
class RebuildStep:
    """A step of a rebuilding, as an instruction for the players.

    `title` is the heading, `lines` is the text, and `cite` is the id of the entry that states the rule. `moves` are the
    moves that members may refuse.
    """

    title: str
    lines: tuple[str, ...]
    cite: str
    moves: tuple[Refusable, ...] = ()


@frozen
class Rebuilding(Jsonable):
    """The result of rebuilding a party's decks after a scenario.

    `steps` are the instructions for the players, and `decks` are the texts of the new deck files by member. `decks` is
    empty if the party file contains unknown names. `told` is the result, without the findings, in the game's own
    output format.
    """

    file: str
    findings: tuple[Located, ...]
    """Findings, with their lines in the party's file."""
    steps: tuple[RebuildStep, ...] = ()
    decks: Mapping[str, str] = field(default_factory=dict)
    told: Mapping[str, Any] | Jsonable = field(default_factory=dict)

    def as_json(self, cites: Mapping[str, Jsonable]) -> dict[str, Any]:
        """Return the result in the game's own output format, with the findings."""
        return {**plain_json(self.told, cites), "findings": plain_json(self.findings, cites)}

    @property
    def legal(self) -> bool:
        """Return True if there are no errors."""
        return not any(each.finding.severity == "error" for each in self.findings)


class PartyPart(Protocol):
    """Interface of a game's `party` part, for games whose players share cards. `facts` is the value that the `decks`
    part loaded.
    """

    def check(self, files: Sequence[DeckFile], facts: Any, owned: Sequence[str], out: Sequence[str]) -> PartyReport:
        """Check the decks in one party together, and each deck on its own.

        `owned` lists the products owned, and `out` the characters who are permanently out of the campaign. Raises
        DeckFileError if a file cannot be read, and PartyError if an option does not apply.
        """


class RebuildingParty(PartyPart, Protocol):
    """Interface of a game's `party` part, for games whose party rebuilds its decks between scenarios."""

    def rebuild(self, file: DeckFile, facts: Any, fill: bool) -> Rebuilding:
        """Rebuild the decks of the party that `file` describes. With `fill`, also choose cards from the box. Raises
        DeckFileError if a file cannot be read.
        """

    def table(self, files: Sequence[DeckFile], facts: Any) -> str:
        """Return the text of a party file for members with the decks in `files`. Raises PartyError for decks that
        cannot be read.
        """

    def asked(self, facts: Any) -> Conversation:
        """Ask about a party after a scenario. The result of the conversation is the keys and values of the party file.
        Raises DeckFileError for a deck that cannot be read.
        """

    def example(self) -> str:
        """Return an example of a party file."""

    def with_refusal(self, file: DeckFile, who: str, card: str, refuses: bool) -> str:
        """Return the text of a party file after the member `who` refuses a move of `card` (see `Refusable`) or, if
        `refuses` is False, accepts it again.
        """

    def with_refusals(self, file: DeckFile, by_member: Mapping[str, list[str]]) -> str:
        """Return the text of a party file with exactly these refusals: the cards in `by_member`."""


def party_of(game: str) -> PartyPart | None:
    """Return the `party` part of a game, which checks the decks of a party together; None if the game has none."""
    return cast(PartyPart | None, registry.part(game, "party"))


def rebuilding_of(game: str) -> RebuildingParty | None:
    """Return the `party` part of a game if it can rebuild decks; otherwise None."""
    part = party_of(game)
    return cast(RebuildingParty, part) if hasattr(part, "rebuild") else None


P = TypeVar("P")


def check_together(
    files: Iterable[DeckFile | DeckFileError], rules_of: RulesOf, owned: Sequence[str] = (), out: Sequence[str] = ()
) -> PartyReport:
    """Check the decks in one party together, and each deck on its own, by the rules of their game.

    `owned` lists the products owned, and `out` the characters who are permanently out of the campaign. Raises
    PartyError for decks of several games, for a game that does not check parties, or for decks that cannot be read (the
    message lists them).
    """
    decks = readable(files)
    part, facts = part_for(decks, rules_of, "party check", party_of)
    return part.check(decks, facts, owned, out)


def table_of(files: Iterable[DeckFile | DeckFileError], rules_of: RulesOf) -> str:
    """Return the text of a party file for members with the decks in `files`.

    Raises PartyError for decks of several games, for a game that cannot rebuild decks, or for decks that cannot be
    read.
    """
    decks = readable(files)
    part, facts = part_for(decks, rules_of, "party new", rebuilding_of)
    return part.table(decks, facts)


def rebuild_table(file: DeckFile, rules_of: RulesOf, fill: bool = False) -> Rebuilding:
    """Rebuild the decks of the party that `file` describes, by the rules of its game. With `fill`, also choose cards
    from the box. Raises DeckFileError if a file cannot be read, and PartyError if the game does not rebuild decks.
    """
    part, facts = part_for([file], rules_of, "party rebuild", rebuilding_of)
    return part.rebuild(file, facts, fill)


def readable(files: Iterable[DeckFile | DeckFileError]) -> list[DeckFile]:
    """Return the decks of a party if all of them can be read. Otherwise, raise PartyError with the problems of all
    unreadable decks.
    """
    each = list(files)
    if wrong := [file for file in each if isinstance(file, DeckFileError)]:
        raise UnreadableDecksError(wrong)
    if not each:
        raise PartyError("No deck given.")
    return [file for file in each if not isinstance(file, DeckFileError)]


def part_for(
    files: Sequence[DeckFile], rules_of: RulesOf, command: str, part_of: Callable[[str], P | None]
) -> tuple[P, Any]:
    """Return the part of the files' game that `command` needs, and the game's facts. `part_of` returns this part for
    the id of a game.

    Raises PartyError if the files are for several games or their game has no such part, and DeckFileError if a game is
    unknown.
    """
    games = [game_of(file) for file in files]
    for file, about in zip(files, games, strict=True):
        if part_of(about.id) is None:
            raise PartyError(f"{file.name}: there is no `kb {command}` for {about.title}.")
        if about.id != games[0].id:
            raise PartyError(f"{file.name} and {files[0].name} are decks for different games. Give decks for one game.")
    return cast(P, part_of(games[0].id)), rules_of(games[0].id)[1]


@frozen
class HeldCard:
    """A card that one or more decks contain.

    name: its name for people; facts: the lines printed on a proxy of it; decks: copies by deck; stock: copies by
    product owned, None if the number is unknown.
    """

    name: str
    facts: tuple[str, ...]
    decks: Mapping[str, int]
    stock: Mapping[str, int | None]

    @property
    def copies(self) -> int:
        """Return the number of copies in all decks."""
        return sum(self.decks.values())


@frozen
class Collection:
    """Decks, the cards that they need, and the products owned: a line of text about each deck, by the deck's title, and
    the products in words.
    """

    decks: Mapping[str, str]
    cards: tuple[HeldCard, ...]
    owned: str


@frozen
class Take(Jsonable):
    """Copies of a card to take from a product."""

    card: HeldCard = key("named")
    """The card."""
    copies: int
    """The number of copies."""
    decks: Mapping[str, int]
    """The number of copies for each deck, by the deck's title."""
    uncertain: bool = False
    """True if it is unknown whether the product contains enough copies."""


@frozen
class Pull(Jsonable):
    """A pull list: the cards of several decks, by the product to take them from."""

    decks: Mapping[str, str]
    """A line of text about each deck, by the deck's title."""
    owned: str
    """The products counted as owned, in words."""
    products: Mapping[str, tuple[Take, ...]]
    """The cards to take from each product, in the order in which to open the products."""
    missing: tuple[Take, ...]
    """Cards with too few copies in the products. Share or replace the missing copies."""

    @property
    def copies(self) -> int:
        """Return the number of cards that are taken."""
        return sum(take.copies for takes in self.products.values() for take in takes)


class Pulling(Protocol):
    """Interface of a game's `party` part, for games whose cards come in products. `facts` is the value that the `decks`
    part loaded.
    """

    def collection(self, files: Sequence[DeckFile], facts: Any, owned: Sequence[str]) -> Collection:
        """Return the cards of the decks in `files`, with the products that contain them. Raises DeckFileError if a file
        cannot be read, and PartyError for an unknown product in `owned`.
        """


def pulling_of(game: str) -> Pulling | None:
    """Return the `party` part of a game if it knows the products of cards; otherwise None."""
    part = registry.part(game, "party")
    return cast(Pulling, part) if hasattr(part, "collection") else None


def pull_together(files: Iterable[DeckFile | DeckFileError], rules_of: RulesOf, owned: Sequence[str]) -> Pull:
    """Return the pull list of several decks; `owned` lists the products owned.

    Raises DeckFileError if a file cannot be read. Raises PartyError for unreadable decks, for decks of several games,
    and for a game whose products are unknown.
    """
    decks = readable(files)
    games = {game_of(file).id: game_of(file).title for file in decks}
    if len(games) != 1:
        raise PartyError(f"These decks are for {' and '.join(games.values())}. Give decks for one game.")
    ((game, title),) = games.items()
    part = pulling_of(game)
    if part is None:
        raise PartyError(f"kb does not know which products contain the cards of {title}.")
    return pull(part.collection(decks, rules_of(game)[1], owned))


def pull(collection: Collection) -> Pull:
    """Choose the products to take the cards of a collection from. Products with the most needed cards come first, so
    that few products are opened. If there are too few copies, earlier decks get them first.
    """
    supply: Counter[str] = Counter()
    for card in collection.cards:
        for product, there in card.stock.items():
            supply[product] += card.copies if there is None else min(card.copies, there)
    ranked = [product for product, _ in supply.most_common()]
    products: dict[str, list[Take]] = {product: [] for product in ranked}
    missing: list[Take] = []
    for card in collection.cards:
        left = +Counter(card.decks)
        # products with a known number of copies come first: the others may have too few
        for product in sorted(card.stock, key=lambda each: (card.stock[each] is None, ranked.index(each))):
            there = card.stock[product]
            number = left.total() if there is None else min(there, left.total())
            if number:
                products[product].append(Take(card, number, _served(left, number), there is None))
        if left:
            missing.append(Take(card, left.total(), dict(left)))
    full = {product: tuple(takes) for product, takes in products.items() if takes}
    return Pull(collection.decks, collection.owned, full, tuple(missing))


def _served(left: Counter[str], number: int) -> dict[str, int]:
    """Give up to `number` copies to the decks that still need some, earlier decks first. Return the copies given by
    deck, and subtract them from `left`.
    """
    served: Counter[str] = Counter()
    for deck, wanted in left.items():
        served[deck] = min(wanted, number - served.total())
    left -= served
    return dict(+served)
