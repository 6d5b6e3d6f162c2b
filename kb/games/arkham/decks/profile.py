"""What holds for every deck of one investigator, side, choice and taboo list, worked out once and kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from kb.games.arkham.decks.customize import customized
from kb.games.arkham.decks.editions import GRIMOIRE
from kb.games.arkham.decks.facts import Facts, with_taboo
from kb.games.arkham.decks.model import Card, Customization, Deck
from kb.games.arkham.decks.status import Access, Status, classify, no_player_card
from kb.games.arkham.schema.cards import TabooList
from kb.games.arkham.schema.options import NO_NAMES, AtLeast, Build, Choice, Option
from kb.games.arkham.schema.special import FromCards, SignatureCount

Granted = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Need:
    """A signature card that the deck must hold: as many copies as `least` to `most`, or as `rule` says."""

    root: str
    set: str
    least: int
    most: int
    rule: SignatureCount | None = None


@dataclass(frozen=True, slots=True)
class Unsettled:
    """A choice without a value, or with one that is not offered."""

    choice: Choice
    value: str


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """The rules of a deck before its cards are looked at.

    front, back: the sides in use (None when the code is unknown or cannot build). base_size: deck size that was chosen
    or is printed. size: with what options and cards in the deck add to it. access: what decides which cards it may
    hold. limited: the options with slots, sources the cards that gave them. needs: signature cards; expected: the
    original ones by first printing, where their number is certain; demands: other cards out of a list. at_least:
    numbers of cards of a kind. extra: the rules of the extra deck. statuses: those of cards without upgrades that were asked
    for (see `status`).
    """

    facts: Facts
    investigator: Card | None
    front: Card | None
    back: Card | None
    build: Build | None
    taboo: TabooList | None
    access: Access
    base_size: int = 0
    size: int = 0
    limited: tuple[Option, ...] = ()
    sources: tuple[str, ...] = ()
    unsettled: tuple[Unsettled, ...] = ()
    needs: tuple[Need, ...] = ()
    demands: tuple[FromCards, ...] = ()
    at_least: tuple[AtLeast, ...] = ()
    expected: Mapping[str, int] | None = None
    keeps_lower: frozenset[str] = frozenset()
    starting_experience: int = 0
    extra: Profile | None = None
    statuses: dict[str, Status] = field(init=False, default_factory=dict, repr=False)
    _upgraded: dict[tuple[str, Customization], Status] = field(init=False, default_factory=dict, repr=False)

    @property
    def options(self) -> tuple[Option, ...]:
        """The deckbuilding options in order: prohibitions of cards, those of the investigator, those gained."""
        return self.access.options

    @property
    def signatures(self) -> frozenset[str]:
        """First printings of the signature cards."""
        return self.access.signatures

    @property
    def single_copies(self) -> bool:
        """Whether the deck may hold only one copy of each card."""
        return self.access.single_copies

    def status(self, code: str) -> Status:
        """What the rules say of a card (without upgrades) in such a deck."""
        found = self.statuses.get(code)
        if found is None:
            found = self.statuses[code] = self.once(code)
        return found

    def once(self, code: str) -> Status:
        """The same for who asks once: it is not kept."""
        return self._classified(code, _in_force(self.facts, self.taboo, code))

    def upgraded(self, code: str, marks: Customization) -> Status:
        """What the rules say of a customizable card with these boxes marked."""
        found = self._upgraded.get((code, marks))
        if found is None:
            card = self.card(code)
            found = self._classified(code, customized(card, marks) if card else None)
            self._upgraded[code, marks] = found
        return found

    def card(self, code: str) -> Card | None:
        """The card with the taboo list in force."""
        return self.status(code).card

    def _classified(self, code: str, card: Card | None) -> Status:
        if card is None:
            return no_player_card(code, of_scenarios=self.facts.encounter(code) is not None)
        return classify(self.access, code, card)


def _in_force(facts: Facts, taboo: TabooList | None, code: str) -> Card | None:
    card = facts.card(code)
    return with_taboo(card, facts.taboo_rows(taboo.list).get(card.root)) if card and taboo else card


Key = tuple[str, str, str, int, str, tuple[tuple[str, str], ...], Granted]


def compiled(facts: Facts) -> dict[Key, Profile]:
    """The profiles compiled from these facts, which `profile_of` fills."""
    found: dict[Key, Profile] = facts.remembered.setdefault("profiles", {})
    return found


def profile_of(facts: Facts, deck: Deck) -> Profile:
    """The profile of a deck, compiled when such a deck is first met."""
    granted: Granted = ()
    if not facts.deck_changing.isdisjoint(deck.cards):
        counts: dict[str, int] = {}
        for code in facts.deck_changing.intersection(deck.cards):
            if deck.cards[code] > 0:
                counts[facts.root(code)] = counts.get(facts.root(code), 0) + deck.cards[code]
        granted = tuple(sorted(counts.items()))
    key = (deck.investigator, deck.front, deck.back, deck.taboo, deck.rules, tuple(deck.choices.items()), granted)
    profiles = compiled(facts)
    found = profiles.get(key)
    if found is None:
        found = profiles[key] = _compile(facts, deck, granted)
    return found


def _compile(facts: Facts, deck: Deck, granted: Granted) -> Profile:
    taboo = facts.taboos.get(deck.taboo) if deck.taboo else None
    front = facts.card(deck.front or deck.investigator)
    back = _in_force(facts, taboo, deck.back or deck.investigator)
    bare = Profile(facts, facts.card(deck.investigator), front, back, None, taboo, _of_front(front))
    if back is None or front is None or back.build is None:
        return bare
    build, special = back.build, back.special
    family = facts.family(back.code)
    own = facts.card(family)
    settled = _settle(build, deck.choices)
    gains = _gains(facts, granted)
    rules = {rule.code: rule for rule in (*special.counts, *(own.special.counts if own else ()))}
    needs = _needs(facts, build, rules)
    demands = special.back.cards + front.special.front.cards
    demanded = {code for demand in demands for code in demand.codes}
    certain = not demands and not any(need.rule for need in needs)
    options = (*gains.forbidding, *settled.options, *gains.options)
    access = replace(
        bare.access,
        options=options,
        signatures=frozenset(need.root for need in needs) | demanded,
        family=frozenset({family, facts.family(front.code), back.root, front.root}),
        single_copies=gains.single_copies,
        either_class=deck.rules == GRIMOIRE,
    )
    return replace(
        bare,
        build=build,
        base_size=settled.base_size,
        size=settled.size + gains.size,
        access=access,
        limited=tuple(option for option in options if option.limit),
        sources=("",) * sum(1 for option in settled.options if option.limit) + gains.sources,
        unsettled=settled.unsettled,
        needs=needs,
        demands=demands,
        at_least=tuple(option.demand for option in settled.options if option.demand) + special.back.at_least,
        expected={need.root: need.least for need in needs if need.set in ("", "original")} if certain else None,
        keeps_lower=special.keeps_lower,
        starting_experience=special.starting_experience,
        extra=_extra(bare, back.extra_build, access) if back.extra_build else None,
    )


def _of_front(front: Card | None) -> Access:
    return Access(classes=frozenset(front.classes) if front else NO_NAMES, traits=front.traits if front else NO_NAMES)


@dataclass(frozen=True, slots=True)
class _Settled:
    """Options and size with what was chosen in them, and the choices that were not made, or wrongly."""

    options: tuple[Option, ...]
    unsettled: tuple[Unsettled, ...]
    base_size: int
    size: int


def _settle(build: Build, choices: Mapping[str, str]) -> _Settled:
    """Put what was chosen into size and options."""
    options: list[Option] = []
    unsettled: list[Unsettled] = []
    base, more = build.size, 0
    taken: set[str] = set()
    for option in build.options:
        choice = option.choice
        if choice is None:
            options.append(option)
            continue
        value = choices.get(choice.name, "")
        if value not in choice.values or (choice.classes and value in taken):
            unsettled.append(Unsettled(choice, value))
        elif choice.sizes:
            base = int(value)
        elif choice.classes:
            taken.add(value)
            classes = frozenset(each for each in choice.classes if each == value)
            options.append(replace(option, choice=None, wanted=replace(option.wanted, classes=classes)))
        else:
            chosen = next(each for each in choice.options if each.id == value)
            more += chosen.size
            options.append(replace(option, choice=None, wanted=chosen.wanted))
    return _Settled(tuple(options), tuple(unsettled), base, base + more)


@dataclass(frozen=True, slots=True)
class _Gains:
    """What cards in the deck change: its size, options gained, by which cards, and prohibitions (which come first)."""

    size: int
    forbidding: tuple[Option, ...]
    options: tuple[Option, ...]
    sources: tuple[str, ...]
    single_copies: bool


def _gains(facts: Facts, granted: Granted) -> _Gains:
    """Gather what cards in the deck change; options are gained for each copy."""
    changing = [(card, count) for root, count in granted if (card := facts.card(root))]
    gaining = [(card.name, gain, count) for card, count in changing if (gain := card.special.gains)]
    return _Gains(
        sum(card.special.deck_size * count for card, count in changing),
        tuple(Option(wanted=kind, forbids=True) for card, _ in changing if (kind := card.special.forbids)),
        tuple(replace(gain, limit=gain.limit * count) for _, gain, count in gaining),
        tuple(name for name, _, _ in gaining),
        any(card.special.single_copies for card, _ in changing),
    )


def _needs(facts: Facts, build: Build, rules: Mapping[str, SignatureCount]) -> tuple[Need, ...]:
    """The signature cards by set: "" for what every deck of the investigator holds, else the set's name."""
    needs: dict[tuple[str, str], Need] = {}
    for one_of in build.required:
        for code in one_of:
            card = facts.card(code)
            if card is None:
                continue
            name = (card.set or "original") if len(one_of) > 1 else ""
            rule = rules.get(card.root)
            count = card.limit or 1
            least, most = (rule.least, rule.most) if rule and rule.most else (count, count)
            needs.setdefault((card.root, name), Need(card.root, name, least, most, rule))
    return tuple(needs.values())


def _extra(bare: Profile, build: Build, access: Access) -> Profile:
    """The profile of the extra deck: its cards, other than those required, one of each."""
    needs = _needs(bare.facts, build, {})
    signatures = frozenset(need.root for need in needs)
    return replace(
        bare,
        build=build,
        base_size=build.size,
        size=build.size,
        access=replace(access, options=build.options, signatures=signatures, single_copies=True),
        needs=needs,
    )
