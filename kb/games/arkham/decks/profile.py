"""What holds for every deck of one investigator, side, choice and taboo list, worked out once and kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from kb.games.arkham.decks.customize import customized
from kb.games.arkham.decks.entries import Entry, classify
from kb.games.arkham.decks.facts import Facts, with_taboo
from kb.games.arkham.decks.model import Card, Customization, Deck, TabooList
from kb.games.arkham.decks.options import CLASSES, AtLeast, Build, Choice, FromCards, Option, SignatureCount

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


@dataclass(slots=True)
class Profile:
    """The rules of a deck before its cards are looked at.

    front, back: the sides in use (None when the code is unknown or cannot build). base_size: deck size that was chosen
    or is printed. size: with what options and cards in the deck add to it. options: in order, choices put in. limited:
    those with slots, sources the cards that gave them. needs: signature cards; expected: the original ones by first
    printing, where their number is certain; demands: other cards out of a list. at_least: numbers of cards of a kind.
    """

    facts: Facts
    investigator: Card | None
    front: Card | None
    back: Card | None
    build: Build | None
    taboo: TabooList | None
    base_size: int = 0
    size: int = 0
    options: tuple[Option, ...] = ()
    limited: tuple[Option, ...] = ()
    sources: tuple[str, ...] = ()
    slot_names: tuple[str, ...] = ()
    unsettled: tuple[Unsettled, ...] = ()
    needs: tuple[Need, ...] = ()
    demands: tuple[FromCards, ...] = ()
    at_least: tuple[AtLeast, ...] = ()
    signatures: frozenset[str] = frozenset()
    family: frozenset[str] = frozenset()
    expected: dict[str, int] | None = None
    keeps_lower: frozenset[str] = frozenset()
    single_copies: bool = False
    starting_experience: int = 0
    side: Profile | None = None
    entries: dict[str, Entry] = field(default_factory=dict)
    customized: dict[tuple[str, Customization], Entry] = field(default_factory=dict)

    def entry(self, code: str) -> Entry:
        """What the rules say of a card (without upgrades) in such a deck."""
        found = self.entries.get(code)
        if found is None:
            found = self.entries[code] = classify(self, code, self.card(code))
        return found

    def upgraded(self, code: str, marks: Customization) -> Entry:
        """What the rules say of a customizable card with these boxes marked."""
        found = self.customized.get((code, marks))
        if found is None:
            card = self.card(code)
            found = classify(self, code, customized(card, marks) if card else None)
            self.customized[code, marks] = found
        return found

    def card(self, code: str) -> Card | None:
        """The card with the taboo list in force."""
        card = self.facts.card(code)
        return with_taboo(card, self.taboo.rows.get(card.root)) if card and self.taboo else card


def profile_of(facts: Facts, deck: Deck) -> Profile:
    """The profile of a deck, compiled when such a deck is first met."""
    granted: Granted = ()
    if not facts.deck_changing.isdisjoint(deck.slots):
        counts: dict[str, int] = {}
        for code in facts.deck_changing.intersection(deck.slots):
            if deck.slots[code] > 0:
                counts[facts.root(code)] = counts.get(facts.root(code), 0) + deck.slots[code]
        granted = tuple(sorted(counts.items()))
    key = (deck.investigator, deck.front, deck.back, deck.taboo, tuple(deck.choices.items()), granted)
    found = facts.profiles.get(key)
    if found is None:
        found = facts.profiles[key] = _compile(facts, deck, granted)
    return found


def _compile(facts: Facts, deck: Deck, granted: Granted) -> Profile:
    taboo = facts.taboos.get(deck.taboo)
    profile = Profile(facts, facts.card(deck.investigator), None, None, None, taboo)
    profile.front = facts.card(deck.front or deck.investigator)
    profile.back = profile.card(deck.back or deck.investigator)
    if profile.back is None or profile.front is None or profile.back.build is None:
        return profile
    build = profile.build = profile.back.build
    own = facts.card(facts.family(profile.back.code))
    special = profile.back.special
    family = facts.family(profile.back.code)
    profile.family = frozenset({family, facts.family(profile.front.code), profile.back.root, profile.front.root})
    _settle(profile, build, deck.choices)
    _grant(profile, granted)
    rules = {rule.code: rule for rule in (*special.counts, *(own.special.counts if own else ()))}
    profile.needs = tuple(_needs(profile, build, rules))
    profile.demands = special.back_cards + profile.front.special.front_cards
    profile.at_least += special.back_at_least
    profile.signatures = frozenset(need.root for need in profile.needs) | {
        code for demand in profile.demands for code in demand.codes
    }
    if not profile.demands and not any(need.rule for need in profile.needs):
        profile.expected = {need.root: need.least for need in profile.needs if need.set in ("", "original")}
    profile.keeps_lower = special.keeps_lower
    profile.starting_experience = special.starting_experience
    if profile.back.side_build:
        profile.side = _side(profile, profile.back.side_build)
    return profile


def _settle(profile: Profile, build: Build, choices: Mapping[str, str]) -> None:
    """Put what was chosen into size and options; remember what was not, or wrongly."""
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
            options.append(replace(option, choice=None, wanted=replace(option.wanted, classes=frozenset({value}))))
        else:
            wanted, size = choice.options[value]
            more += size
            options.append(replace(option, choice=None, wanted=wanted))
    profile.options = tuple(options)
    profile.unsettled = tuple(unsettled)
    profile.base_size, profile.size = base, base + more
    profile.at_least = tuple(option.at_least for option in options if option.at_least)


def _grant(profile: Profile, granted: Granted) -> None:
    """Add what cards in the deck change: its size, options gained for each copy, prohibitions (which come first)."""
    forbidding: list[Option] = []
    gained: list[Option] = []
    sources = ["" for option in profile.options if option.limit]
    for root, count in granted:
        card = profile.facts.card(root)
        if card is None:
            continue
        special = card.special
        profile.size += special.deck_size * count
        profile.single_copies = profile.single_copies or special.single_copies
        if special.forbids:
            forbidding.append(special.forbids)
        if special.gains:
            gained.append(replace(special.gains, limit=special.gains.limit * count))
            sources.append(card.name)
    profile.options = (*forbidding, *profile.options, *gained)
    profile.limited = tuple(option for option in profile.options if option.limit)
    profile.sources = tuple(sources)


def _needs(profile: Profile, build: Build, rules: Mapping[str, SignatureCount]) -> list[Need]:
    """The signature cards by set: "" for what every deck of the investigator holds, else the set's name."""
    needs: dict[tuple[str, str], Need] = {}
    alternatives = any(len(slot) > 1 for slot in build.slots)
    for slot in build.slots:
        for code in slot:
            card = profile.facts.card(code)
            if card is None:
                continue
            name = (card.set or "original") if alternatives and len(slot) > 1 else ""
            rule = rules.get(card.root)
            count = card.limit or 1
            least, most = (rule.least, rule.most) if rule and rule.most else (count, count)
            needs.setdefault((card.root, name), Need(card.root, name, least, most, rule))
    return list(needs.values())


def _side(profile: Profile, build: Build) -> Profile:
    """The profile of the deck beside the deck: its cards, other than those required, one of each."""
    side = Profile(profile.facts, profile.investigator, profile.front, profile.back, build, profile.taboo)
    side.base_size = side.size = build.size
    side.options = build.options
    side.family = profile.family
    side.needs = tuple(_needs(side, build, {}))
    side.signatures = frozenset(need.root for need in side.needs)
    side.single_copies = True
    return side


def is_classed(card: Card) -> bool:
    """Whether a card counts as a card of a class. Weaknesses never do (ruling 1.35)."""
    return not card.subtype and not card.classes.isdisjoint(CLASSES)
