"""The rules for every deck of one investigator with the same sides, choices and taboo list, computed once and cached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from kb.decks.names import CardLabel
from kb.frozen import frozen
from kb.games.arkham.decks.card import ArkhamCard, Customization, customized
from kb.games.arkham.decks.deck import ArkhamDeck, Pile
from kb.games.arkham.decks.edition import GRIMOIRE
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.schema.cards import BASIC_WEAKNESS, TabooList
from kb.games.arkham.schema.options import NO_NAMES, AtLeast, Build, DeckOption, FromCards, Names, SignatureCount

DECK_TYPES = ("asset", "event", "skill")
_NO_LIMIT = 1_000_000


class Kind(Enum):
    """The role of a card in a deck, or (DENIED) why it may not be in it."""

    PLAYER = "player card"
    SIGNATURE = "signature card"
    BASIC = "basic weakness"
    WEAKNESS = "weakness"
    STORY = "story card"
    UNKNOWN = "unknown"
    OF_NO_DECK = "no card of a deck"
    BONDED = "bonded"
    OF_OTHERS = "signature of another investigator"
    TRAIT = "only for investigators with other traits"
    CLASS = "weakness of another class"
    TABOO = "forbidden by the taboo list"
    FORBIDDEN = "excluded by a deckbuilding restriction"
    OPTIONS = "in none of the deckbuilding options"


DENIED = (
    Kind.OF_NO_DECK,
    Kind.BONDED,
    Kind.OF_OTHERS,
    Kind.TRAIT,
    Kind.CLASS,
    Kind.TABOO,
    Kind.FORBIDDEN,
    Kind.OPTIONS,
)


@frozen
class Status:
    """One card in decks of one profile.

    title: the title that copies are counted by, empty for cards that have no limit by title. counts: toward the deck
    size. limit: copies by title. cost: experience of a copy. mask: a bit for each limited option that allows it, 0 if
    it takes no limited slot. named: name of a scenario card.
    """

    code: str
    card: ArkhamCard | None
    kind: Kind
    title: str = ""
    counts: bool = False
    limit: int = _NO_LIMIT
    cost: int = 0
    mask: int = 0
    named: str = ""

    @property
    def denied(self) -> bool:
        """Return True if the card may not be in the deck."""
        return self.kind in DENIED

    @property
    def label(self) -> str:
        """Return the name of the card with its code; the name for scenario cards, the code alone for unknown ones."""
        if self.card:
            return self.card.label
        return CardLabel(self.named, self.code) if self.named else f"[{self.code}]"


@frozen
class Need:
    """A signature card that the deck must contain, with `least` to `most` copies, or the number that `rule` gives."""

    root: str
    set: str
    least: int
    most: int
    rule: SignatureCount | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """The rules of a deck, independent of its cards.

    front, back: the sides in use (None if the code is unknown or cannot build). base_size: the printed or chosen deck
    size. size: with the additions of options and cards in the deck. These fields decide which cards it may contain.
    options: in order (prohibitions by cards, the investigator's options, those gained). signatures: first printings of
    the signature cards. family: codes that mean the investigator on cards for one investigator only. classes, traits:
    as printed on the front. single_copies: one copy of each card. either_class: a card of several classes takes no
    limited slot if an option without a limit allows it. unsettled: options that have no valid choice, with the invalid
    value. limited: the options with slots; sources: the cards that gave them. needs: signature cards; demands: other
    cards from a list. at_least: numbers of cards of a kind. extra: the rules of the extra deck. statuses: cached
    results for cards that have no upgrades (see `status`).
    """

    facts: ArkhamFacts
    investigator: ArkhamCard | None
    front: ArkhamCard | None
    back: ArkhamCard | None
    taboo: TabooList | None
    build: Build | None = None
    base_size: int = 0
    size: int = 0
    options: tuple[DeckOption, ...] = ()
    signatures: Names = NO_NAMES
    family: Names = NO_NAMES
    classes: Names = NO_NAMES
    traits: Names = NO_NAMES
    single_copies: bool = False
    either_class: bool = False
    sources: tuple[str, ...] = ()
    unsettled: tuple[tuple[DeckOption, str], ...] = ()
    needs: tuple[Need, ...] = ()
    demands: tuple[FromCards, ...] = ()
    at_least: tuple[AtLeast, ...] = ()
    keeps_lower: frozenset[str] = frozenset()
    starting_experience: int = 0
    extra: Profile | None = None
    statuses: dict[str, Status] = field(init=False, default_factory=dict, repr=False)
    _upgraded: dict[tuple[str, Customization], Status] = field(init=False, default_factory=dict, repr=False)

    @property
    def limited(self) -> tuple[DeckOption, ...]:
        """Return the options with slots."""
        return tuple(option for option in self.options if option.limit)

    def may_let_in(self, card: ArkhamCard) -> bool:
        """Return True if an open choice could allow a card."""
        return any(
            replace(option, classes=frozenset(option.choose_class)).admits(card)
            for option, _ in self.unsettled
            if option.choose_class
        )

    def lets_in(self, card: ArkhamCard) -> bool:
        """Return True if the options allow a card by its description; other rules may still exclude it."""
        return self._let_in(card)[0] is Kind.PLAYER

    def status(self, code: str) -> Status:
        """Return the status of a card, ignoring upgrades, in a deck of this profile."""
        status = self.statuses.get(code)
        if status is None:
            status = self.statuses[code] = self.once(code)
        return status

    def once(self, code: str) -> Status:
        """Return the status of a card like `status`, without caching it: for code that looks each card up once."""
        return self._classified(code, _in_force(self.facts, self.taboo, code))

    def upgraded(self, code: str, marks: Customization) -> Status:
        """Return the status of a customizable card with these boxes marked."""
        status = self._upgraded.get((code, marks))
        if status is None:
            card = self.card(code)
            status = self._upgraded[code, marks] = self._classified(code, customized(card, marks) if card else None)
        return status

    def card(self, code: str) -> ArkhamCard | None:
        """Return the card with the taboo list in force."""
        return self.status(code).card

    def _classified(self, code: str, card: ArkhamCard | None) -> Status:
        """Return the status of a card (with taboo list and upgrades applied) under the deck file's code for it."""
        if card is None:
            named = self.facts.encounters.get(code)
            return Status(code, None, Kind.UNKNOWN if named is None else Kind.OF_NO_DECK, named=named or "")
        cost = card.cost_of_a_copy
        if never := self._never(card):
            return Status(code, card, never, cost=cost)
        if card.root in self.signatures or card.only_investigators:
            return Status(code, card, Kind.SIGNATURE, cost=cost)
        if card.weakness:
            return Status(code, card, Kind.BASIC if card.subtype == BASIC_WEAKNESS else Kind.WEAKNESS)
        if card.story and card.level is None:
            return Status(code, card, Kind.STORY, limit=card.limit or card.quantity)
        counts = "permanent" not in card.keywords
        limit = 1 if "exceptional" in card.keywords or self.single_copies else card.limit or 0
        kind, mask = self._let_in(card)
        if card.forbidden:
            kind, mask = Kind.TABOO, 0
        elif card.only_traits and card.only_traits.isdisjoint(self.traits):
            kind, mask = Kind.TRAIT, 0
        return Status(code, card, kind, card.title, counts, limit, cost, mask)

    def _never(self, card: ArkhamCard) -> Kind | None:
        """Return why a card may not be in a deck of this profile under any options; None if it may."""
        of_a_deck = (
            card.type in DECK_TYPES or card.subtype or (card.story and card.type == "investigator" and card.limit)
        )
        other_side = card.hidden and not card.story and card.subtype != BASIC_WEAKNESS
        if not of_a_deck or other_side or self._of_an_encounter_set(card):
            return Kind.OF_NO_DECK
        if card.bonded:
            return Kind.BONDED
        own = card.root in self.signatures or not card.only_investigators
        if not own and card.only_investigators.isdisjoint(self.family):
            return Kind.OF_OTHERS
        if card.only_classes and card.only_classes.isdisjoint(self.classes):
            return Kind.CLASS
        return None

    def _of_an_encounter_set(self, card: ArkhamCard) -> bool:
        """Return True for an asset, event or skill of an encounter set without a deck limit: scenarios put it into
        play, never into a deck.

        Story assets that a campaign adds to decks have a deck limit.
        """
        without_limit = (
            card.story and card.type in DECK_TYPES and card.level is None and not (card.limit or card.subtype)
        )
        return without_limit and not (
            card.only_investigators or card.root in self.signatures or self.facts.own(card.code)
        )

    def _let_in(self, card: ArkhamCard) -> tuple[Kind, int]:
        """Return whether the options allow a card, and a bit for each limited option that it may take a slot of (0: it
        needs none).

        A prohibition applies unless an earlier option allows the card; it is reported if a later one does. A limited
        option with "other" is only needed if no option without a limit allows the card. An option without "other"
        always takes a slot (rulings 1.15, 1.16). By the Grimoire (1.101), it does not for a card of several classes.
        """
        free = barred = False
        mask, must, bit = 0, 0, 1
        for option in self.options:
            if option.limit:
                bit <<= 1
            if option.only_counts or not option.admits(card):
                continue
            if option.forbids:
                barred = barred or not (free or mask)
            elif option.limit:
                mask |= bit >> 1
                if not option.other:
                    must |= bit >> 1
            else:
                free = True
        if not free and not mask:
            return Kind.OPTIONS, 0
        if barred:
            return Kind.FORBIDDEN, 0
        if free and self.either_class and len(card.classes) > 1:
            return Kind.PLAYER, 0
        return Kind.PLAYER, must if free else mask


def profile_of(facts: ArkhamFacts, deck: ArkhamDeck) -> Profile:
    """Return the profile of a deck, computed for the first deck that needs it."""
    counts: Counter[str] = Counter()
    for code in facts.deck_changing.intersection(deck.cards):
        counts[facts.root(code)] += max(0, deck.cards[code])
    chosen, granted = tuple(deck.choices.items()), tuple(sorted((+counts).items()))
    key = (deck.investigator, deck.front, deck.back, deck.taboo, deck.rules, chosen, granted)
    profile: Profile | None = facts.profiles.get(key)
    if profile is None:
        profile = facts.profiles[key] = _compile(facts, deck, dict(granted))
    return profile


def _in_force(facts: ArkhamFacts, taboo: TabooList | None, code: str) -> ArkhamCard | None:
    card = facts.card(code)
    return facts.by_taboo(card, taboo.list) if card and taboo else card


def _compile(facts: ArkhamFacts, deck: ArkhamDeck, granted: Pile) -> Profile:
    """Compute the profile; `granted` are the copies, by first printing, of the cards that change the deck's rules."""
    taboo = facts.taboos.get(deck.taboo) if deck.taboo else None
    front = facts.card(deck.front or deck.investigator)
    back = _in_force(facts, taboo, deck.back or deck.investigator)
    bare = Profile(
        facts,
        facts.card(deck.investigator),
        front,
        back,
        taboo,
        classes=frozenset(front.classes) if front else NO_NAMES,
        traits=front.traits if front else NO_NAMES,
    )
    if back is None or front is None or back.build is None:
        return bare
    build, special = back.build, back.special
    chosen, unsettled, base_size, more = _settle(build, deck.choices)
    changing = [(card, count) for root, count in granted.items() if (card := facts.card(root))]
    gaining = [(card.name, gain, count) for card, count in changing if (gain := card.special.gains)]
    own = facts.card(facts.family(back.code))
    needs = tuple(_needs(facts, build, base_size, (*special.counts, *(own.special.counts if own else ()))))
    demands = special.back.cards + front.special.front.cards
    profile = replace(
        bare,
        build=build,
        base_size=base_size,
        size=base_size + more + sum(card.special.deck_size * count for card, count in changing),
        options=(
            *(DeckOption(**kind.kind, forbids=True) for card, _ in changing if (kind := card.special.forbids)),
            *chosen,
            *(replace(gain, limit=gain.limit * count) for _, gain, count in gaining),
        ),
        signatures=frozenset(need.root for need in needs).union(*(demand.codes for demand in demands)),
        family=frozenset({facts.family(back.code), facts.family(front.code), back.root, front.root}),
        single_copies=any(card.special.single_copies for card, _ in changing),
        either_class=deck.rules == GRIMOIRE,
        sources=("",) * sum(1 for option in chosen if option.limit) + tuple(name for name, _, _ in gaining),
        unsettled=unsettled,
        needs=needs,
        demands=demands,
        at_least=tuple(option.demand for option in chosen if option.demand) + special.back.at_least,
        keeps_lower=special.keeps_lower,
        starting_experience=special.starting_experience,
    )
    return replace(profile, extra=_extra(profile, back.extra_build)) if back.extra_build else profile


def _settle(
    build: Build, choices: Mapping[str, str]
) -> tuple[tuple[DeckOption, ...], tuple[tuple[DeckOption, str], ...], int, int]:
    """Return the options with the choices made, the missing or wrong choices, the deck size, and the cards that a
    choice adds to it.
    """
    options: list[DeckOption] = []
    unsettled: list[tuple[DeckOption, str]] = []
    base, more = build.size, 0
    taken: set[str] = set()
    for option in build.options:
        if not option.chosen_as:
            options.append(option)
            continue
        value = choices.get(option.chosen_as, "")
        if value not in option.values or (option.choose_class and value in taken):
            unsettled.append((option, value))
        elif option.choose_size:
            base = int(value)
        elif option.choose_class:
            taken.add(value)
            classes = frozenset(each for each in option.choose_class if each == value)
            options.append(option.settled(replace(option, classes=classes)))
        else:
            chosen = next(each for each in option.choose_option if each.id == value)
            more += chosen.size
            options.append(option.settled(chosen))
    return tuple(options), tuple(unsettled), base, more


def _needs(facts: ArkhamFacts, build: Build, size: int, counts: tuple[SignatureCount, ...] = ()) -> Iterator[Need]:
    """Yield the signature cards by set: "" for those that every deck of the investigator contains, or else the set's
    name.
    """
    rules = {rule.code: rule for rule in counts}
    seen = set()
    for one_of in build.required:
        for card in filter(None, map(facts.card, one_of)):
            name = (card.set or "original") if len(one_of) > 1 else ""
            rule, count = rules.get(card.root), card.limit or 1
            least, most = (rule.least, rule.most) if rule and rule.most else (count, count)
            if rule and rule.by_size:
                least = most = rule.by_size.get(size, most)
            if (card.root, name) not in seen:
                seen.add((card.root, name))
                yield Need(card.root, name, least, most, rule)


def _extra(profile: Profile, build: Build) -> Profile:
    """Return the profile of the extra deck: one of each of its cards, except the required cards."""
    needs = tuple(_needs(profile.facts, build, build.size))
    return Profile(
        profile.facts,
        profile.investigator,
        profile.front,
        profile.back,
        profile.taboo,
        build,
        build.size,
        build.size,
        build.options,
        signatures=frozenset(need.root for need in needs),
        family=profile.family,
        classes=profile.classes,
        traits=profile.traits,
        single_copies=True,
        either_class=profile.either_class,
        needs=needs,
    )
