"""Arkham Horror: The Card Game as one of the games of `kb.decks.games`: facts, check, view, new deck; decks read and written in all formats.

What is written is read again; what then differs from the deck is what the format cannot hold.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice, product
from typing import Any

import kb.games.arkham.decks.checks  # noqa: F401  (registers the checks)
from kb.decks.deckfile import DeckFile, parse_deck, refusal
from kb.decks.games import NO_FRAME, DeckView, NewDeckError, Records
from kb.decks.names import either
from kb.decks.nodes import DeckFileError, Scalar
from kb.decks.report import Report
from kb.decks.ruleset import Ruleset
from kb.frozen import frozen
from kb.games.arkham.decks.facts import CardFinder, Facts, UnknownName
from kb.games.arkham.decks.formats import (
    BUILD_ONLY,
    FAN_MADE_CONTENT,
    DeckFormatError,
    arkham_build_text,
    arkhamdb_text,
    foreign_meta,
    is_json_deck,
    json_deck,
    list_deck,
    list_text,
    meta_of,
)
from kb.games.arkham.decks.frame import (
    CAMPAIGN,
    DISCRETION,
    GRIMOIRE,
    Frame,
    FrameError,
    edition,
    frame_of,
    judged_by,
    not_known,
    preferred,
    sentence,
    taboo_called,
)
from kb.games.arkham.decks.model import CARRIED, KEYS, MOST_CARDS, Card, Deck
from kb.games.arkham.decks.profile import Kind, Profile, profile_of
from kb.games.arkham.decks.tally import ARKHAM, Tally, count_deck, seat_in_limited_slots
from kb.games.arkham.decks.yaml_deck import yaml_deck, yaml_text
from kb.games.arkham.schema.options import CLASSES, NOT_SPECIAL
from kb.registry.editions import NoSuchEdition, chosen_edition

_START = Frame(start=True)
_MOST_CHOICES = 40
SECTIONS = ("asset", "event", "skill", "weakness")


def load_facts(records: Records) -> Facts:
    """Facts of all cards; taboo lists, products and scenario cards are read when a deck needs them."""
    return Facts(records)


def read_deck(file: DeckFile, facts: Facts, rules: str | None = None, prefer: Collection[str] = ()) -> Deck:
    """The deck of a file in any of the formats: ArkhamDB or arkham.build JSON, text list, YAML.

    rules: the edition that an option names (see kb.registry.editions for what counts without it). prefer: the products that a
    name is looked for first in, where cards of one name differ. Raises DeckFileError.
    """
    with _about(file):
        if file.format == "text":
            deck = list_deck(file.text, facts, file.name, prefer)
        elif is_json_deck(data := file.value()):
            deck = json_deck(data)
        else:
            deck = yaml_deck(file, facts, prefer)
        for pile in (deck.cards, deck.side_deck, deck.extra, deck.ignored, deck.sealed):
            if pile and (len(pile) > MOST_CARDS or sum(map(abs, pile.values())) > MOST_CARDS):
                raise DeckFormatError(f"holds more than {MOST_CARDS:,} cards in one pile; that is not a deck.")
        deck.rules = _edition(rules, str(deck.rest.get("rules") or ""))
    return deck


@contextmanager
def _about(file: DeckFile) -> Iterator[None]:
    """Turn an error of format, frame or edition into a DeckFileError that names the file."""
    try:
        yield
    except (DeckFormatError, FrameError, NoSuchEdition) as error:
        raise refusal(file.name, str(error)) from None


def _edition(option: str | None, deck_rules: str) -> str:
    """Id of the edition that judges a deck. Raises NoSuchEdition."""
    chosen = chosen_edition("arkham", option, deck_rules)
    return chosen.id if chosen else ""


def check(file: DeckFile, facts: Facts, frame: Mapping[str, Any] = NO_FRAME) -> Report:
    """Check a deck file in the frame that options describe (see `read_framed`). Raises DeckFileError."""
    deck, agreed = read_framed(file, facts, frame)
    return check_deck(deck, facts.with_cards_of(deck), file.name, agreed)


def read_framed(file: DeckFile, facts: Facts, options: Mapping[str, Any] = NO_FRAME) -> tuple[Deck, Frame]:
    """The deck of a file and the frame that options describe (see kb.games.arkham.decks.frame).

    `rules` and `taboo` replace what the deck says. Raises DeckFileError, also when an option makes no sense.
    """
    with _about(file):
        frame = frame_of(options, facts)
        rules_node = file.get("rules")
        rules = _edition(options.get("rules"), rules_node.text if isinstance(rules_node, Scalar) else "")
        deck = read_deck(file, facts, rules, preferred(frame, edition(rules), facts))
        if options.get("taboo") is not None:
            deck.taboo = taboo_number(str(options["taboo"]), facts)
    return deck, frame


def taboo_number(named: str, facts: Facts) -> int:
    """Number of the taboo list that `latest`, `none` or a number names. Raises FrameError."""
    number = taboo_called(named, facts)
    if number is None or (number not in facts.taboos and named.strip().casefold() not in ("latest", "none")):
        known = ", ".join(map(str, facts.taboos))
        raise FrameError(f"There is no taboo list {named!r}; there are {known}, `latest` and `none`.")
    return number


def show(file: DeckFile, facts: Facts) -> DeckView:
    """Cards by type and level. Raises DeckFileError."""
    deck = read_deck(file, facts)
    facts = facts.with_cards_of(deck)
    profile = profile_of(facts, deck)
    cards = [(card, copies) for card, _, copies in facts.in_order(deck.cards) if card and copies > 0]
    rows = []
    for section in SECTIONS:
        of_section = [row for row in cards if row[0].section == section]
        names = ", ".join(f"{copies}x {card.label}" if copies > 1 else card.label for card, copies in of_section)
        rows.append((section, str(sum(copies for _, copies in of_section)), names))
    rows.append(("all", str(sum(copies for copies in deck.cards.values() if copies > 0)), ""))
    return DeckView(
        f"{facts.name(deck.investigator)}: {deck.name or 'deck'}, deck size {profile.size}",
        ("type", "cards", ""),
        tuple(rows),
    )


def new_deck(character: str, set_id: str | None, facts: Facts) -> str | None:
    """A deck file that is legal at the start of a campaign; None when there is no such investigator.

    `set_id` is the pack where several versions have the name. Raises NewDeckError.
    """
    try:
        card = CardFinder(facts).find(f"{character} ({set_id})" if set_id else character, investigator=True)
    except UnknownName as error:
        if set_id and facts.named(character):
            raise NewDeckError(str(error)) from None
        return None
    if card.build is None:
        raise NewDeckError(f"{card.name} [{card.code}] cannot build decks.")
    deck, wrong = starting_deck(card, facts, _edition(None, ""))
    offered = {
        option.chosen_as: either(option.values) for option in card.build.choices if option.chosen_as in deck.choices
    }
    said = [f"deck size {profile_of(facts, deck).size}, level 0"]
    said += [f"kb has not found a legal deck: {message}" for message in wrong]
    said += [f"{name} may be {values}" for name, values in offered.items()]
    return "".join(f"# {line}\n" for line in said) + yaml_text(deck, facts)


def starting_deck(card: Card, facts: Facts, rules: str = "") -> tuple[Deck, tuple[str, ...]]:
    """A deck for an investigator, and what is still not legal about it (nothing, as a rule).

    Choices are tried in their order, cards of the investigator's own product, cycle and class come first.
    """
    choices = card.build.choices if card.build else ()
    tried = []
    for values in islice(product(*(option.values for option in choices)), _MOST_CHOICES):
        chosen = {option.chosen_as: value for option, value in zip(choices, values, strict=True)}
        for spread in (False, True):
            deck = _filled(Deck(card.code, {}, choices=chosen, rules=rules), facts, spread)
            findings = check_deck(deck, facts, frame=_START).findings
            tried.append((deck, tuple(each.message for each in findings if each.severity == "error")))
            if not tried[-1][1]:
                return tried[-1]
    return min(tried, key=lambda each: len(each[1]))


def _filled(deck: Deck, facts: Facts, spread: bool) -> Deck:
    profile = profile_of(facts, deck)
    deck.cards = _fill(required(profile), profile, 2, spread)
    if profile.extra is not None:
        deck.extra = _fill(_signatures(profile.extra), profile.extra, 1, spread)
    return deck


def required(profile: Profile) -> dict[str, int]:
    """The cards that every deck of the investigator begins with: signatures, and random basic weaknesses still to be drawn."""
    counts = _signatures(profile)
    if profile.build is not None and profile.build.random_weaknesses:
        counts[profile.facts.placeholder()] = profile.build.random_weaknesses
    return counts


def _signatures(profile: Profile) -> dict[str, int]:
    """The cards that the investigator requires, the original set of those in sets."""
    counts: dict[str, int] = {}
    for need in profile.needs:
        if need.set in ("", "original"):
            counts[need.root] = need.most
    for demand in profile.demands:
        for code in demand.codes[: demand.at_start or demand.least]:
            counts[code] = 1
    for need in profile.needs:
        if need.rule and need.rule.as_many_as and need.root in counts:
            counts[need.root] = sum(counts.get(code, 0) for code in need.rule.as_many_as)
    return {code: copies for code, copies in counts.items() if copies}


def _fill(cards: dict[str, int], profile: Profile, most: int, spread: bool) -> dict[str, int]:
    """Level 0 cards that take no limited slot, until the deck has its size: first those of which some are required."""
    titles = {card.title for code in cards if (card := profile.facts.card(code))}
    left = profile.size
    offered = _offered(profile)
    queue: list[Card] = []
    for demand in profile.at_least:
        if not demand.of_classes:
            queue += [card for card in offered if demand.admits(card)][: (demand.number + 1) // 2]
    for card in (*queue, *(_by_class(offered) if spread else offered)):
        if left and card.title not in titles:
            titles.add(card.title)
            cards[card.code] = min(most, card.limit or 1, left)
            left -= cards[card.code]
    return cards


def _offered(profile: Profile) -> list[Card]:
    """The level 0 cards that the options let in without a slot, the nearest to the investigator first."""
    facts, who = profile.facts, profile.investigator
    assert who is not None
    cards = []
    for code in facts.codes():
        status = profile.status(code)
        card = status.card
        if card is None or card.root != code or status.kind is not Kind.PLAYER or status.mask or card.level:
            continue
        if (
            status.counts
            and card.special is NOT_SPECIAL
            and not ("researched" in card.keywords or card.story or card.sheet)
        ):
            cards.append(card)

    def far(card: Card) -> tuple[object, ...]:
        cycles = [facts.packs[each.pack].cycle for each in (card, who)]
        return (
            cycles[0] in DISCRETION,
            set(card.classes).isdisjoint(who.classes),
            card.pack != who.pack,
            cycles[0] != cycles[1],
            card.code,
        )

    return sorted(cards, key=far)


def _by_class(cards: Iterable[Card]) -> list[Card]:
    """The cards of a single class, one of each class in turn, for investigators who need several classes."""
    piles = [[card for card in cards if card.classes == (name,)] for name in CLASSES]
    turns = max(map(len, piles), default=0)
    return [pile[turn] for turn in range(turns) for pile in piles if turn < len(pile)]


def rulesets() -> Mapping[str, Ruleset[Any]]:
    """The rulesets of one deck, of the step between two scenarios, and of the decks of one table."""
    import kb.games.arkham.decks.upgrade.checks  # noqa: F401  (registers the checks)
    from kb.games.arkham.decks.party import PARTY
    from kb.games.arkham.decks.upgrade.plan import UPGRADE

    return {"arkham": ARKHAM, "upgrade": UPGRADE, "party": PARTY}


def check_deck(deck: Deck, facts: Facts, file: str = "", frame: Frame = CAMPAIGN) -> Report:
    """Judge a deck in a frame. Never raises: what is wrong with the deck is in the report.

    Details of the report: `lines` for people, `size` and `size_required`, `copies` (all cards), `experience` (in all) and
    `experience_by_card`, `slots` (the assignment of limited slots), `taboo`, `judged_by` (documents, taboo list, environment), which `once`
    says in words.
    """
    deck_tally = count_deck(deck, profile_of(facts, deck), frame)
    by = edition(deck.rules)
    return Report(
        file=file,
        game=ARKHAM.game,
        character=facts.name(deck.investigator),
        findings=tuple(by.restated(ARKHAM.run(deck_tally))),
        details=_details(deck_tally),
    )


def _details(deck_tally: Tally) -> dict[str, Any]:
    deck, profile = deck_tally.deck, deck_tally.profile
    details: dict[str, Any] = {
        "name": deck.name,
        "size": deck_tally.size,
        "size_required": profile.size,
        "copies": deck_tally.total,
        "experience": deck_tally.spent,
        "experience_by_card": deck_tally.experience,
    }
    if deck_tally.extra is not None:
        details["extra_size"] = deck_tally.extra.size
    if deck.taboo:
        details["taboo"] = deck.taboo
    details["judged_by"] = judged_by(deck.rules, deck.taboo, deck_tally.frame.environment, profile.facts)
    if profile.limited and deck_tally.demand:
        details["slots"], _ = seat_in_limited_slots(deck_tally)
    if unsure := list(_not_checked(deck_tally)):
        details["not_checked"] = unsure
    details["once"] = [sentence(details["judged_by"])]
    untold = profile.build is None and profile.back is not None and profile.facts.own(profile.back.code)
    details["lines"] = [
        *([] if untold else [f"Deck size {deck_tally.size} of {profile.size}, {deck_tally.spent} experience."]),
        *(slots["text"] for slots in details.get("slots", ())),
    ]
    return details


def _not_checked(deck_tally: Tally) -> Iterator[str]:
    """Sentences about cards of which the rules at hand do not speak: the user's own ones, and those newer than the rules."""
    facts, by = deck_tally.facts, edition(deck_tally.deck.rules)
    cards = [
        each for each in (deck_tally.profile.investigator, *(card for card, _copies in deck_tally.cards())) if each
    ]
    own = dict.fromkeys(card.label for card in cards if facts.own(card.code))
    if own:
        yield f"{', '.join(own)}: taken as your own cards describe them; no rule here speaks of fan-made cards."
    back = deck_tally.profile.back
    if back is not None and back.build is None and facts.own(back.code):
        yield f"{back.label}: its facts do not say what its deck must be; the deck is not judged by it."
    elif back is not None and back.build is not None and back.build.unread:
        yield (
            f"{back.label}: its deckbuilding options ask for {', '.join(back.build.unread)}, which kb does not read; "
            "where they do, cards are let in by the rest of the option."
        )
    newer = [card for card in cards if not facts.own(card.code) and not_known(card, facts, by)]
    if newer and (by.id == GRIMOIRE or deck_tally.frame.environment != "legacy"):
        products = dict.fromkeys(facts.packs[card.pack].name for card in newer)
        yield (
            f"{', '.join(dict.fromkeys(card.label for card in newer))}: from {', '.join(products)}, newer than {by.rules}; "
            "what environments and rules made since say of these cards is not known here."
        )


WRITERS: Mapping[str, Callable[[Deck, Facts], str]] = {
    "arkhamdb": arkhamdb_text,
    "arkham.build": arkham_build_text,
    "text": list_text,
    "yaml": yaml_text,
}
FORMATS = tuple(WRITERS)
# keys of a JSON deck that are written from the deck itself, or are of no account: what a site works out, a copy of `description_md`
_TOLD = {*(row.json for row in KEYS), "investigator_name", "problem", "description"}


@frozen
class Written:
    """A deck's text in a format, and what of the deck the format cannot hold (in words)."""

    text: str
    lost: tuple[str, ...]


def write_deck(deck: Deck, to: str, facts: Facts) -> Written:
    """The deck in one of FORMATS. Raises KeyError for another format."""
    facts = facts.with_cards_of(deck)
    text = WRITERS[to](deck, facts)
    return Written(text, tuple(_lost(deck, text, to, facts)))


def _lost(deck: Deck, text: str, to: str, facts: Facts) -> Iterator[str]:
    """What reading the text again does not give back."""
    try:
        again = read_deck(parse_deck(text, "deck.txt" if to == "text" else "deck"), facts)
    except DeckFileError as error:
        yield f"the deck as a whole, which cannot be read again: {error}"
        return
    for row in KEYS:
        if _order_apart(getattr(deck, row.field)) != _order_apart(getattr(again, row.field)):
            yield row.called
    if to in ("text", "yaml"):
        carried = _TOLD | ({*CARRIED, FAN_MADE_CONTENT} if to == "yaml" else set())
        yield from (f"`{key}`" for key, value in deck.rest.items() if value and key not in carried)
        yield from (f"`{key}` of `meta`" for key in foreign_meta(deck) if key not in carried)
    elif to == "arkhamdb":
        yield from (f"`{key}`, which only arkham.build knows" for key in BUILD_ONLY if deck.rest.get(key))
        if made := [each.name for each in deck.brought if each.code in (*deck.cards, deck.investigator)]:
            yield f"fan-made cards, which ArkhamDB does not know: {', '.join(made)}"
    if to in ("text", "arkham.build") and deck.brought and FAN_MADE_CONTENT not in meta_of(deck):
        yield "the facts of fan-made cards"
    for oddity in deck.oddities:
        yield f"what could not be read: {oddity}"


def _order_apart(value: Any) -> Any:
    """A value without the order of its codes, which means nothing."""
    if isinstance(value, tuple):
        return sorted(value, key=repr)
    return {key: _order_apart(part) for key, part in value.items()} if isinstance(value, Mapping) else value
