"""The decks of one table: judged together, rebuilt, and their cards pulled from one collection; what a game offers for that."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, Protocol, TypeVar, cast

from kb import registry
from kb.decks.deckfile import DeckFile
from kb.decks.games import RulesOf, game_of
from kb.decks.names import both, name_key, split_quantity
from kb.decks.nodes import DeckFileError
from kb.decks.questions import Conversation
from kb.decks.report import Located, Report
from kb.errors import KbError
from kb.frozen import frozen
from kb.jsonable import FLAT, HIDDEN, NAMED, Jsonable, called, key


class PartyError(KbError, ValueError):
    """Decks that cannot be judged or rebuilt together; the message says why."""


@frozen
class PartyReport(Jsonable):
    """The decks of one table."""

    findings: tuple[Located, ...]
    """What was found on them together."""
    reports: tuple[Report, ...] = field(metadata=called("decks"))
    """What was found on each."""

    @property
    def together(self) -> bool:
        """Whether they may be played together."""
        return not any(each.finding.severity == "error" for each in self.findings)

    @property
    def verdict(self) -> str:
        """Whether the decks may be played together, in words that follow their number, with those that are not legal by themselves."""
        one = len(self.reports) == 1
        if not self.together:
            return "does not fit the party" if one else "cannot be played together"
        fits = "fits the party" if one else "can be played together"
        wrong = [each.character for each in self.reports if not each.legal]
        if not wrong:
            return fits
        whose = both(f"{name}'" if name.endswith("s") else f"{name}'s" for name in wrong)
        return f"{fits}, but {whose} {'deck is' if len(wrong) == 1 else 'decks are'} not legal"

    @key
    def legal(self) -> bool:
        """Whether they may be played together, and each of them may be played."""
        return self.together and all(report.legal for report in self.reports)


@frozen
class Refusable:
    """A move in words, its card, and the members who may refuse it: neither give the card away nor take it. `refused`: they do already."""

    text: str
    card: str
    by: tuple[str, ...]
    refused: bool = False


@frozen
class Step:
    """A step of the players: its heading, its lines, the entry (id) that states the rule, and the moves one by one that may be refused."""

    title: str
    lines: tuple[str, ...]
    cite: str
    moves: tuple[Refusable, ...] = ()


@frozen
class Rebuilding(Jsonable):
    """The decks of a table after a scenario.

    `steps` are what the players do, `decks` deck files by member, `told` all of it as the game prints it, but for the findings. Without
    `decks` the table names something that nobody knows.
    """

    file: str = field(metadata=HIDDEN)
    findings: tuple[Located, ...]
    """What is wrong or impossible, at its lines in the table's file."""
    steps: tuple[Step, ...] = field(default=(), metadata=HIDDEN)
    decks: Mapping[str, str] = field(default_factory=dict, metadata=HIDDEN)
    told: Mapping[str, Any] | Jsonable = field(default_factory=dict, metadata=FLAT)

    @property
    def legal(self) -> bool:
        """Whether nothing is wrong or impossible."""
        return not any(each.finding.severity == "error" for each in self.findings)


class Party(Protocol):
    """What a game whose decks share a table offers: its part `party`. `facts` is what its part `decks` made of the records."""

    def check(self, files: Sequence[DeckFile], facts: Any, owned: Sequence[str], out: Sequence[str]) -> PartyReport:
        """Check the decks of one table together, and each by itself.

        `owned` are products, `out` those who are out of the campaign for good. Raises DeckFileError, and PartyError when an
        option makes no sense.
        """


class RebuildingParty(Party, Protocol):
    """The same for a game whose table rebuilds its decks between scenarios."""

    def rebuild(self, file: DeckFile, facts: Any, fill: bool) -> Rebuilding:
        """Rebuild the decks of the table that a file describes; with `fill` cards from the box are chosen. Raises DeckFileError."""

    def table(self, files: Sequence[DeckFile], facts: Any) -> str:
        """Return the text of a table file whose members hold these decks. Raises PartyError for decks that cannot be read."""

    def asked(self, facts: Any) -> Conversation:
        """What is asked of a table after a scenario; gives the keys of its file. Raises DeckFileError for a deck that cannot be read."""

    def example(self) -> str:
        """A table file to try."""


def party_of(game: str) -> Party | None:
    """The part of a game that judges the decks of a table together; None when it has none."""
    return cast(Party | None, registry.part(game, "party"))


def rebuilding_of(game: str) -> RebuildingParty | None:
    """The part of a game that rebuilds the decks of a table; None when it has none."""
    part = party_of(game)
    return cast(RebuildingParty, part) if hasattr(part, "rebuild") else None


P = TypeVar("P")


def check_together(
    files: Iterable[DeckFile | DeckFileError], rules_of: RulesOf, owned: Sequence[str] = (), out: Sequence[str] = ()
) -> PartyReport:
    """Judge the decks of one table together, and each by itself, as the game they are all of does.

    Raises PartyError for decks of several games, of a game that has no such rules, or that cannot be read (every one is told).
    """
    decks = readable(files)
    part, facts = part_for(decks[0], rules_of, "party check", party_of)
    for file in decks[1:]:
        if part_for(file, rules_of, "party check", party_of)[0] is not part:
            raise PartyError(f"{file.name} is a deck of another game than {decks[0].name}; give decks of one game.")
    return part.check(decks, facts, owned, out)


def table_of(files: Iterable[DeckFile | DeckFileError], rules_of: RulesOf) -> str:
    """Return the text of a table file whose members hold these decks. Raises PartyError for decks of several games, of a game that
    rebuilds none, or that cannot be read."""
    decks = readable(files)
    part, facts = part_for(decks[0], rules_of, "party new", rebuilding_of)
    for file in decks[1:]:
        if part_for(file, rules_of, "party new", rebuilding_of)[0] is not part:
            raise PartyError(f"{file.name} is a deck of another game than {decks[0].name}; give decks of one game.")
    return part.table(decks, facts)


def rebuild_table(file: DeckFile, rules_of: RulesOf, fill: bool = False) -> Rebuilding:
    """Rebuild the decks of the table that a file describes, as its game does. Raises DeckFileError and PartyError."""
    part, facts = part_for(file, rules_of, "party rebuild", rebuilding_of)
    return part.rebuild(file, facts, fill)


REFUSES = "refuses"


def refusals(text: str) -> dict[str, list[str]]:
    """Who refuses which cards, as a page keeps it between the answers: a line `NAME: CARD` for each."""
    by_member: dict[str, list[str]] = {}
    for line in text.splitlines():
        name, _, card = line.partition(": ")
        by_member.setdefault(name, []).append(card)
    return by_member


def refusing(text: str, refuse: Mapping[str, Any]) -> str:
    """The lines that `refusals` reads, after a member refuses a card or no longer does."""
    line = f"{refuse['who']}: {refuse['card']}"
    others = [each for each in text.splitlines() if each != line]
    return "\n".join([*others, line] if refuse["refuses"] else others)


OF_REFUSALS = re.compile(rf"^{REFUSES}\s*:.*\n?(?:[ \t\]}}-].*\n?)*", re.MULTILINE)


def with_refusal(file: DeckFile, who: str, card: str, refuses: bool = True) -> str:
    """The text of a table's file in which a member refuses a card, or no longer does: its key `refuses` goes to the end, the rest stays."""
    by_member = named if isinstance(named := file.value().get(REFUSES), dict) else {}
    name = next((each for each in by_member if name_key(each) == name_key(who)), who)
    listed = by_member.get(name) or []
    others = [
        each
        for each in (listed if isinstance(listed, list) else [listed])
        if name_key(split_quantity(str(each))[1]) != name_key(card)
    ]
    return with_refusals(file, {**by_member, name: [*others, card] if refuses else others})


def with_refusals(file: DeckFile, by_member: Mapping[str, list[str]]) -> str:
    """The text of a table's file in which each member refuses these cards and no others."""
    by_member = {name: cards for name, cards in by_member.items() if cards}
    if file.text.lstrip().startswith("{"):
        others = {key: each for key, each in file.value().items() if key != REFUSES}
        return (
            f"{json.dumps({**others, **({REFUSES: by_member} if by_member else {})}, indent=2, ensure_ascii=False)}\n"
        )
    text = OF_REFUSALS.sub("", file.text)
    ends = "" if text.endswith("\n") else "\n"
    return f"{text}{ends}{REFUSES}: {json.dumps(by_member, ensure_ascii=False)}\n" if by_member else text


def readable(files: Iterable[DeckFile | DeckFileError]) -> list[DeckFile]:
    """The decks of a table, all of which can be read. Raises PartyError, which tells what is wrong with each that cannot."""
    each = list(files)
    if wrong := [str(file) for file in each if isinstance(file, DeckFileError)]:
        raise PartyError("\n".join(wrong))
    if not each:
        raise PartyError("No deck given.")
    return [file for file in each if not isinstance(file, DeckFileError)]


def part_for(file: DeckFile, rules_of: RulesOf, command: str, part_of: Callable[[str], P | None]) -> tuple[P, Any]:
    """The part of a file's game that a command needs, and the game's facts. Raises PartyError when the game has none, DeckFileError for no
    game."""
    about = game_of(file)
    part = part_of(about.id)
    if part is None:
        raise PartyError(f"{file.name}: there is no `kb {command}` for {about.title}.")
    return part, rules_of(about.id)[1]


@frozen
class HeldCard:
    """A card that decks hold.

    name: as people know it; facts: what is printed on a stand-in for it, line by line; decks: copies by deck; stock: copies
    by product owned, None where nobody knows how many.
    """

    name: str
    facts: tuple[str, ...]
    decks: Mapping[str, int]
    stock: Mapping[str, int | None]

    @property
    def copies(self) -> int:
        """Copies in all decks."""
        return sum(self.decks.values())


@frozen
class Collection(Jsonable):
    """Decks, the cards they want, and the products owned."""

    decks: Mapping[str, str]
    """The decks by their titles, with a line on each."""
    cards: tuple[HeldCard, ...] = field(metadata=HIDDEN)
    owned: str
    """Which products are taken to be owned, in words."""


@frozen
class Take(Jsonable):
    """Copies of a card to take from a product."""

    card: HeldCard = field(metadata=NAMED)
    """The card."""
    copies: int
    """How many."""
    decks: Mapping[str, int]
    """For which decks, by their titles."""
    uncertain: bool = False
    """Nobody knows whether the product has so many."""


@frozen
class Pull(Jsonable):
    """Which cards of several decks to take from which product."""

    collection: Collection = field(metadata=FLAT)
    products: Mapping[str, tuple[Take, ...]]
    """What to take from each product, the first to open first."""
    missing: tuple[Take, ...]
    """What no product has: copies to be shared or replaced."""

    @property
    def copies(self) -> int:
        """Cards that are taken."""
        return sum(take.copies for takes in self.products.values() for take in takes)


class Pulling(Protocol):
    """What the part `party` of a game offers whose cards come in products. `facts` is what its part `decks` made of the records."""

    def collection(self, files: Sequence[DeckFile], facts: Any, owned: Sequence[str]) -> Collection:
        """The cards of decks with the products that hold them. Raises DeckFileError, and PartyError for unknown products."""


def pulling_of(game: str) -> Pulling | None:
    """That part of a game; None when its cards come in no products that are known."""
    part = registry.part(game, "party")
    return cast(Pulling, part) if hasattr(part, "collection") else None


def pull_together(files: Iterable[DeckFile | DeckFileError], rules_of: RulesOf, owned: Sequence[str]) -> Pull:
    """The pull list of several decks. Raises DeckFileError, and PartyError for decks that cannot be read, of several games, or of one
    whose products nobody knows."""
    decks = readable(files)
    games = {game_of(file).id: game_of(file).title for file in decks}
    if len(games) != 1:
        raise PartyError(f"The decks are of {' and '.join(games.values())}; give decks of one game.")
    ((game, title),) = games.items()
    part = pulling_of(game)
    if part is None:
        raise PartyError(f"kb does not know which products contain the cards of {title}.")
    return pull(part.collection(decks, rules_of(game)[1], owned))


def pull(collection: Collection) -> Pull:
    """From the products that have most of the cards first, so that few have to be opened; the decks are served in their order."""
    supply: Counter[str] = Counter()
    for card in collection.cards:
        for product, there in card.stock.items():
            supply[product] += card.copies if there is None else min(card.copies, there)
    ranked = [product for product, _ in supply.most_common()]
    products: dict[str, list[Take]] = {product: [] for product in ranked}
    missing: list[Take] = []
    for card in collection.cards:
        left = +Counter(card.decks)
        # products of which the number of copies is known come first: the others may not have any more
        for product in sorted(card.stock, key=lambda each: (card.stock[each] is None, ranked.index(each))):
            there = card.stock[product]
            number = left.total() if there is None else min(there, left.total())
            if number:
                products[product].append(Take(card, number, _served(left, number), there is None))
        if left:
            missing.append(Take(card, left.total(), dict(left)))
    full = {product: tuple(takes) for product, takes in products.items() if takes}
    return Pull(collection, full, tuple(missing))


def _served(left: Counter[str], number: int) -> dict[str, int]:
    """Take so many copies off what the decks still want, the first deck first."""
    served: Counter[str] = Counter()
    for deck, wanted in left.items():
        served[deck] = min(wanted, number - served.total())
    left -= served
    return dict(+served)
