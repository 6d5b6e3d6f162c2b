"""The rules that apply to every deck with the same investigator, sides, choices and taboo list.

The rules are computed once and cached.
"""

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
    """The role of a card in a deck. The kinds in DENIED say why the deck may not contain the card."""

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
    """The role that a card has in decks of one profile.

    - `title`: the title that copies are counted by; empty for cards without a limit by title.
    - `counts`: True if the card counts toward the deck size.
    - `limit`: the maximum number of copies with the same title.
    - `cost`: the experience of one copy.
    - `mask`: a bit for each limited option that has a slot for the card; 0 if the card needs no slot.
    - `named`: the name of a scenario card (`card` is then None).
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
        """Return True if the deck may not contain the card."""
        return self.kind in DENIED

    @property
    def label(self) -> str:
        """Return the card's name and code; for an unknown card, only the code."""
        if self.card:
            return self.card.label
        return CardLabel(self.named, self.code) if self.named else f"[{self.code}]"


@frozen
class Need:
    """A signature card that the deck must contain.

    - `root`: code of its first printing.
    - `set`: the set that it belongs to; empty if every deck needs it.
    - `least`, `most`: the number of copies.
    - `rule`: a rule that gives another number of copies.
    """

    root: str
    set: str
    least: int
    most: int
    rule: SignatureCount | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """The rules for a deck, which do not depend on most of its cards.

    - `front`, `back`: the sides in use; None if the code is unknown.
    - `build`: the requirements of the back; None if it cannot build decks.
    - `base_size`: the printed or chosen deck size. `size`: that size, as changed by options and by cards in
      the deck.
    - `options`: first what cards in the deck forbid, then the investigator's options, then options gained from cards.
    - `signatures`: first printings of the signature cards.
    - `family`: codes that mean this investigator on cards that are only for one investigator.
    - `classes`, `traits`: as printed on the front.
    - `single_copies`: True if the deck may contain only one copy of each title.
    - `either_class`: True if a multi-class card takes no limited slot when an unlimited option allows it.
    - `sources`: for each limited option, the card that gives it; empty for the investigator's own options.
    - `unsettled`: options without a valid choice, each with the invalid value.
    - `needs`: the required signature cards. `demands`: other required cards, from lists.
    - `at_least`: required numbers of cards that meet conditions.
    - `keeps_lower`: traits of cards whose lower level version may stay uncounted after an upgrade.
    - `starting_experience`: the experience that the investigator starts a campaign with.
    - `extra`: the rules for the extra deck; None if there is none.
    - `statuses`: cached results of `status`.
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
        """Return the options that have a limited number of slots."""
        return tuple(option for option in self.options if option.limit)

    def may_let_in(self, card: ArkhamCard) -> bool:
        """Return True if a class that is still to be chosen could make an option allow the card."""
        return any(
            replace(option, classes=frozenset(option.choose_class)).admits(card)
            for option, _ in self.unsettled
            if option.choose_class
        )

    def lets_in(self, card: ArkhamCard) -> bool:
        """Return True if the deckbuilding options allow the card. Other rules may still exclude it."""
        return self._let_in(card)[0] is Kind.PLAYER

    def status(self, code: str) -> Status:
        """Return the status of the card with the code in decks of this profile, without marked upgrades."""
        status = self.statuses.get(code)
        if status is None:
            status = self.statuses[code] = self.once(code)
        return status

    def once(self, code: str) -> Status:
        """Return the same as `status`, without caching the result. This is for callers that look up each card only
        once.
        """
        return self.classified(code, _in_force(self.facts, self.taboo, code))

    def upgraded(self, code: str, marks: Customization) -> Status:
        """Return the status of a customizable card with the boxes in `marks` marked."""
        status = self._upgraded.get((code, marks))
        if status is None:
            card = self.card(code)
            status = self._upgraded[code, marks] = self.classified(code, customized(card, marks) if card else None)
        return status

    def card(self, code: str) -> ArkhamCard | None:
        """Return the card with the code, changed by the deck's taboo list; None if it is unknown."""
        return self.status(code).card

    def classified(self, code: str, card: ArkhamCard | None) -> Status:
        """Return the status of `card`, which already has taboo list and upgrades applied. `code` is its code in the
        deck file.
        """
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
        """Return the reason why no option can allow the card in a deck of this profile; None if an option could."""
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
        """Return True if scenarios put the card into play and never into a deck.

        These are assets, events and skills of an encounter set without a deck limit. Story assets that a campaign adds
        to decks have a deck limit.
        """
        without_limit = (
            card.story and card.type in DECK_TYPES and card.level is None and not (card.limit or card.subtype)
        )
        return without_limit and not (
            card.only_investigators or card.root in self.signatures or self.facts.own(card.code)
        )

    def _let_in(self, card: ArkhamCard) -> tuple[Kind, int]:
        """Return Kind.PLAYER if the options allow the card, and a bit for each limited option whose slot it may take
        (0: none).

        Otherwise, return the reason why they do not, and 0. An option that forbids the card applies unless an earlier
        option allows the card. The forbidding option is the reason if a later option allows the card. A limited
        option with "other" is only needed if no unlimited option allows the card. A limited option without "other"
        always takes a slot (rulings 1.15, 1.16). By the Grimoire (1.101), it takes none for a multi-class card that
        an unlimited option allows.
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
    """Return the profile of a deck. It is computed once for all decks with the same investigator, sides, choices and so
    on.
    """
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
    """Compute the profile of a deck. `granted` gives the copies of cards in the deck that change its rules, by first
    printing.
    """
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
    """Apply the choices recorded in a deck.

    Return the options with the choices made, the options whose choice is missing or invalid (with the value), the deck
    size, and the number of cards that a choice adds to the size.
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
    """Yield the required signature cards. If the deck needs only one of several sets, each card has the name of its
    set.

    `counts` are rules for numbers of copies, which may depend on the deck size.
    """
    rules = {rule.code: rule for rule in counts}
    seen = set()
    for one_of in build.required:
        for card in filter(None, map(facts.card, one_of)):
            name = (card.signature_set or "original") if len(one_of) > 1 else ""
            rule, count = rules.get(card.root), card.limit or 1
            least, most = (rule.least, rule.most) if rule and rule.most else (count, count)
            if rule and rule.by_size:
                least = most = rule.by_size.get(size, most)
            if (card.root, name) not in seen:
                seen.add((card.root, name))
                yield Need(card.root, name, least, most, rule)


def _extra(profile: Profile, build: Build) -> Profile:
    """Return the profile of the extra deck. Apart from required cards, it contains only one copy of each title."""
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
