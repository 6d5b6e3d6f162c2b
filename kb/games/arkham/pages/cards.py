"""Pages of the single cards of Arkham Horror: The Card Game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from kb.decks.names import either
from kb.frozen import frozen
from kb.games.arkham.decks.adapter import load_facts
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.model import Card, Deck
from kb.games.arkham.decks.profile import Kind, Profile, profile_of
from kb.games.arkham.decks.tally import kind_of
from kb.games.arkham.schema.cards import SKILLS, Cycle, EncounterRecord, TabooRow
from kb.games.arkham.schema.keywords import KEYWORDS
from kb.games.arkham.schema.options import CLASSES, Choice, Option
from kb.records import build
from kb.site.cards import write_card
from kb.site.library import Library
from kb.site.pages import Page, Writer
from kb.site.tables import Column, Filter, Table, mask, values
from kb.sources.cards import slug

GAME = "arkham"
NAV = "arkham--cards"


def card_id(code: str) -> str:
    """Id of the card with a code."""
    return f"{GAME}/cards/{code}"


class Known:
    """What the catalog has of the game: its facts, and cards and scenario cards by id."""

    def __init__(self, library: Library) -> None:
        self.facts = load_facts(partial(library.of_kind, GAME))
        cards = (self.facts.card(record["code"]) for record in library.of_kind(GAME, "card"))
        encounters = (build(EncounterRecord, record) for record in library.of_kind(GAME, "encounter"))
        self.cards = {card_id(card.code): card for card in cards if card}
        self.encounters = {card_id(card.code): card for card in encounters}

    def cycle(self, code: str) -> Cycle | None:
        """The group of a product."""
        return self.facts.cycles.get(self.facts.packs[code].cycle) if code in self.facts.packs else None

    def order(self, code: str) -> tuple[int, int, str]:
        """Sorts codes of products as the products appeared."""
        pack, cycle = self.facts.packs.get(code), self.cycle(code)
        return (cycle.position if cycle else 0) or 99, (pack.position if pack else 0) or 99, code

    def players(self) -> list[Card]:
        """The player cards, first printings only, by name and level."""
        found = [card for card in self.cards.values() if not card.story and not card.duplicate_of]
        return sorted(found, key=lambda card: (card.name.casefold().lstrip('"'), card.level or 0, card.code))


@dataclass(slots=True)
class Access:
    """Who may include a card: ids of investigators, freely or only in limited slots; `signature`: it belongs to them."""

    free: list[str] = field(default_factory=list)
    limited: list[str] = field(default_factory=list)
    signature: list[str] = field(default_factory=list)


class Takers:
    """The investigators who are asked what they may include. Parallel ones stand for themselves only on their own pages."""

    def __init__(self, facts: Facts, cards: Iterable[Card]) -> None:
        self._facts = facts
        self.investigators: Sequence[Card] = [
            card for card in cards if card.type == "investigator" and card.build and not card.alternate_of
        ]
        self._known: dict[str, Access] = {}

    def may_take(self, card: Card) -> Access | None:
        """Which of the investigators may include a card; None for an investigator.

        Without taboos, with both printed sides; of a choice (a class to pick) every value counts.
        """
        known = self._known
        if card.type != "investigator" and card.code not in known:
            known[card.code] = self._asked(card.code)
        return known.get(card.code)

    def positions(self, card: Card) -> list[int]:
        """The places among the investigators of those who may include the card in one way or another."""
        found = self.may_take(card) or Access()
        ids = {*found.free, *found.limited, *found.signature}
        return [place for place, each in enumerate(self.investigators) if card_id(each.code) in ids]

    def _asked(self, code: str) -> Access:
        found = Access()
        for at, profiles in self._profiles.items():
            status = profiles[0].once(code)
            if status.kind is Kind.SIGNATURE:
                found.signature.append(at)
                continue
            player = [
                each for each in (status, *(profile.once(code) for profile in profiles[1:])) if each.kind is Kind.PLAYER
            ]
            if player:
                (found.limited if all(each.mask for each in player) else found.free).append(at)
        return found

    @cached_property
    def _profiles(self) -> dict[str, list[Profile]]:
        return {card_id(card.code): list(profiles_of(self._facts, card.code)) for card in self.investigators}


def profiles_of(facts: Facts, code: str) -> Iterator[Profile]:
    """The profile of an investigator without any choice made, then one for each value of each choice."""
    bare = profile_of(facts, Deck(code, {}))
    yield bare
    for unsettled in bare.unsettled:
        for value in unsettled.choice.values if not unsettled.choice.sizes else ():
            yield profile_of(facts, Deck(code, {}, choices={unsettled.choice.name: value}))


PACKS, TRAITS = ("arkham/packs/index.html", "Packs"), ("arkham/traits/index.html", "Traits")
FLAGS = [word.name for word in KEYWORDS if word.filtered]
FEW = 12
"""Up to so many rows need no filters."""
MANY = 100
"""A table of more cards than this can be filtered by who may take them."""

Groups = dict[str, list[tuple[str, str, int]]]


def crumbs(writer: Writer, *above: tuple[str, str]) -> list[tuple[str, str]]:
    """The pages above one: the game's own, then `above`."""
    return [(f"{GAME}/index.html", writer.library.games[GAME]), *above]


@frozen
class Tables:
    """Writes the tables of what is known. `takers` tells who may include a card."""

    writer: Writer
    known: Known
    takers: Takers

    def write(self) -> None:
        """All tables and the two lists of them."""
        players = self.known.players()
        others = [card for card in players if card.type != "investigator"]
        self.cards(
            "arkham/cards/index", "Player cards", f"All {len(others)} player cards with filters.", others,
            "Choose an investigator to see the cards that may go into the deck.",
        )  # fmt: skip
        investigators = [card for card in players if card.type == "investigator"]
        self.page(
            "arkham/investigators/index",
            "Investigators",
            f"{len(investigators)} investigators with skills, health and sanity.",
            lambda: self.investigators(investigators),
        )
        self.by_pack()
        self.by_trait(players)

    def cards(self, path: str, title: str, description: str, listed: Sequence[Card], intro: str = "") -> None:
        """The page with the table of some cards."""
        self.page(path, title, description, lambda: self.card_table(listed), intro)

    def page(self, path: str, title: str, description: str, table: Callable[[], Table], intro: str = "") -> None:
        """The page around a table."""
        above = [place for place in (PACKS, TRAITS) if path.startswith(place[0].removesuffix("index.html"))]
        around = {"title": title, "intro": intro, "crumbs": crumbs(self.writer, *above)}
        self.writer.write(
            Page(
                path, title, "table.md.j2", description, GAME, NAV, layout="wide", table=True,
                context=lambda: {**around, "table": table()},
            )
        )  # fmt: skip

    def card_table(self, cards: Sequence[Card]) -> Table:
        """Player cards with filters, a large table also by the investigator who may take a card."""
        columns = [
            Column("Name", "link"),
            Column("Class", "words"),
            Column("Type"),
            Column("Lvl", "number"),
            Column("Cost", "number"),
            Column("Icons", "icons"),
            Column("Traits", sorts=False),
            Column("Slot"),
        ]
        many = len(cards) > MANY
        rows = [[*self.row(card), *([mask(self.takers.positions(card))] if many else [])] for card in cards]
        if len(cards) <= FEW:
            return Table("cards", columns, rows=rows, icons=SKILLS)
        products = [
            (code, self.known.facts.pack_name(code))
            for code in sorted({card.pack for card in cards}, key=self.known.order)
        ]
        costs = sorted(
            {str(cost) for card in cards if (cost := printed_cost(card)) is not None},
            key=lambda one: (not one.isdigit(), one.zfill(3)),
        )
        filters = [
            *([Filter("investigator", "Investigator may take", 12, named(self.takers.investigators), "bit")] if many else []),
            Filter("class", "Class", 11, [*((name, name.capitalize()) for name in (*CLASSES, "neutral")), ("multi", "More than one")]),
            Filter("type", "Type", 2, values(sorted({card.type for card in cards}))),
            Filter("level", "Level", 3, values(sorted({card.level for card in cards if card.level is not None}))),
            Filter("cost", "Cost", 4, values(costs)),
            Filter("slot", "Slot", 7, values(sorted({slot for card in cards for slot in card.printed_slots}))),
            Filter("trait", "Trait", 6, values(sorted({trait for card in cards for trait in card.printed_traits}))),
            Filter("icon", "Skill icon", 8, [(name, name.capitalize()) for name in SKILLS]),
            Filter("pack", "Product", 9, products),
            *(Filter(flag, flag.capitalize(), 10, kind="flag") for flag in FLAGS),
            Filter("ruled", "Has rulings", 10, kind="flag"),
        ]  # fmt: skip
        note = "Cards for an investigator: by the deckbuilding options, limited slots included, without taboos and cards that change them."
        useful = [choice for choice in filters if choice.kind == "flag" or len(choice.values) > 1]
        return Table("cards", columns, useful, rows, note=note if many else "", icons=SKILLS)

    def row(self, card: Card) -> list[Any]:
        """A card as a row: the columns, then what the filters read."""
        ruled = self.writer.library.card_entries.get(card_id(card.code))
        return [
            link(self.writer, card),
            list(card.classes),
            card.type,
            card.level,
            printed_cost(card),
            [[name, card.skills[name]] for name in SKILLS if card.skills.get(name)] if card.type != "investigator" else [],
            list(card.printed_traits),
            list(card.printed_slots),
            [name for name in SKILLS if card.skills.get(name)],
            card.pack,
            [*(flag for flag in FLAGS if flag in card.keywords), *(["ruled"] if ruled else [])],
            [*card.classes, *(["multi"] if len(card.classes) > 1 else [])],
        ]  # fmt: skip

    def investigators(self, listed: list[Card]) -> Table:
        """The investigators with their numbers."""
        traits = sorted({trait for card in listed for trait in card.printed_traits})
        rows = [
            [
                link(self.writer, card),
                list(card.classes),
                *(card.skills.get(name) for name in SKILLS[:4]),
                card.health,
                card.sanity,
                list(card.printed_traits),
                self.known.facts.pack_name(card.pack),
            ]
            for card in listed
        ]
        columns = [
            Column("Name", "link"),
            Column("Class", "words"),
            *(Column(name.capitalize(), "number", icon=name) for name in SKILLS[:4]),
            Column("Health", "number"),
            Column("Sanity", "number"),
            Column("Traits", sorts=False),
            Column("Product"),
        ]
        classes = [(name, name.capitalize()) for name in (*CLASSES, "neutral")]
        filters = [Filter("class", "Class", 1, classes), Filter("trait", "Trait", 8, values(traits))]
        return Table("investigators", columns, filters, rows)

    def by_pack(self) -> None:
        """A table for each product, and the list of products."""
        held: dict[str, list[Card]] = defaultdict(list)
        for card in sorted(self.known.cards.values(), key=lambda card: card.code):
            if not card.story:
                held[card.pack].append(card)
        packs = {code: held[code] for code in sorted(held, key=self.known.order)}
        cycles = {code: cycle.name for code in packs if (cycle := self.known.cycle(code))}
        self.shelves(
            PACKS, "Player cards by product.", packs, self.known.facts.pack_name, lambda code: cycles.get(code, "Other")
        )

    def by_trait(self, players: Sequence[Card]) -> None:
        """A table for each trait, and the list of traits by letter."""
        held: dict[str, list[Card]] = defaultdict(list)
        for card in players:
            for trait in card.printed_traits:
                held[trait].append(card)
        self.shelves(TRAITS, "Player cards by trait.", dict(sorted(held.items())), str, lambda trait: trait[0].upper())

    def shelves(
        self,
        place: tuple[str, str],
        intro: str,
        held: Mapping[str, Sequence[Card]],
        name_of: Callable[[str], str],
        group_of: Callable[[str], str],
    ) -> None:
        """A table for each of what cards are sorted by, and the list of these tables in groups."""
        at, title = place
        groups: Groups = defaultdict(list)
        for key, listed in held.items():
            name, path = name_of(key), at.replace("index.html", slug(key))
            self.cards(path, name, f"{name}: {len(listed)} player cards.", listed)
            groups[group_of(key)].append((f"{path}.html", name, len(listed)))
        context = {"title": title, "intro": intro, "groups": groups, "crumbs": crumbs(self.writer)}
        self.writer.write(Page(at.removesuffix(".html"), title, "groups.md.j2", intro, GAME, NAV, context=context))


def printed_cost(card: Card) -> int | str | None:
    """What a card costs as its table says it; None for a card that has no cost."""
    return "–" if card.cost is None else None if card.cost == "" else card.cost


def link(writer: Writer, card: Card) -> list[str]:
    """A card's name as a cell: with its address, and its subtitle where it has one."""
    address = writer.addresses.card(card_id(card.code)) or ""
    return [card.name, address, *([card.subtitle] if card.subtitle else [])]


def named(investigators: Sequence[Card]) -> list[tuple[str, str]]:
    """Investigators to choose from: code and name, with the subtitle of those who share a name."""
    names = [card.name for card in investigators]
    return [
        (card.code, f"{card.name} ({card.subtitle})" if names.count(card.name) > 1 and card.subtitle else card.name)
        for card in investigators
    ]


CHANGED = {
    "forbidden": "forbidden",
    "campaign_only": "for campaigns only",
    "text_changed": "text changed",
    "build": "deckbuilding changed",
}


def change_words(row: TabooRow) -> Iterator[str]:
    """What a row of a taboo list changes."""
    if row.experience:
        yield f"{abs(row.experience)} experience {'more' if row.experience > 0 else 'less'}"
    if row.exceptional is not None:
        yield "exceptional" if row.exceptional else "no longer exceptional"
    yield from (words for name, words in CHANGED.items() if getattr(row, name))
    if row.limit is not None:
        yield f"deck limit {row.limit}"


def requirements(card: Card, known: Known) -> dict[str, Any] | None:
    """An investigator's deckbuilding in readable form; None for a card that builds no deck."""
    if card.build is None:
        return None
    return {
        "size": card.build.size,
        "weaknesses": card.build.random_weaknesses,
        "cards": [standing_in(codes, known) for codes in card.build.required],
        "options": [option_words(option) for option in card.build.options],
    }


def standing_in(codes: Iterable[str], known: Known) -> list[tuple[str, str]]:
    """Ids of the cards that fill one place; of several with one name the product tells which is meant."""
    found = [(card_id(code), known.cards[card_id(code)]) for code in codes if card_id(code) in known.cards]
    names = [card.name for _, card in found]
    return [(at, f" ({known.facts.pack_name(card.pack)})" if names.count(card.name) > 1 else "") for at, card in found]


def option_words(option: Option) -> str:
    """One deckbuilding option as a sentence fragment: `level 0-5 guardian or neutral cards`."""
    said = [f"{'not: ' if option.forbids else ''}{kind_of(option)}"]
    if option.limit:
        said.append(f"up to {option.limit}{' other' if option.other else ''} cards")
    if option.demand:
        said.append(
            f"at least {option.demand.number} cards"
            + (f" of each of {n} classes" if (n := option.demand.of_classes) else "")
        )
    if option.only_counts:
        said.append("only counts")
    if option.choice:
        said.append(choice_words(option.choice))
    return " · ".join(said)


def choice_words(choice: Choice) -> str:
    """What a player settles at deck creation."""
    if choice.options:
        return "one of: " + "; ".join(map(kind_of, choice.options))
    return f"choose {'a class' if choice.classes else 'a deck size'}: {either(choice.values)}"


SIDE_BY_SIDE = ("Type", "Class", "Level", "Cost", "Slot", "Traits", "Health", "Sanity", "Product")
TOLD = [word.name for word in KEYWORDS if word.told]
CARDS, INVESTIGATORS = ("arkham/cards/index.html", "Cards"), ("arkham/investigators/index.html", "Investigators")


def write_arkham(writer: Writer) -> None:
    """Write the pages of all player cards, and of every encounter card that an entry names."""
    library = writer.library
    if not library.of_kind(GAME, "card"):
        return
    here = Known(library)
    players = here.players()
    taboos = taboos_of(here.facts)
    traits = {trait for card in players for trait in card.printed_traits}
    asking = Takers(here.facts, players)
    asked = {card.code for card in asking.investigators}
    for at, card in here.cards.items():
        if card.duplicate_of:
            writer.redirect(at, f"{writer.addresses.original(at)}.html")
        elif writer.addresses.has_page(library.cards[at]):
            write_card(
                writer,
                library.cards[at],
                facts(card, here),
                NAV,
                crumbs(writer, INVESTIGATORS if card.type == "investigator" else CARDS),
                skills=card.skills,
                deck=requirements(card, here),
                taboo=taboos.get(card.code),
                bonded=card.bonded,
                kin=kin(card, here, traits),
                investigators=len(asked),
                takes=f"arkham/cards/index.html#?investigator={card.code}" if card.code in asked else None,
                elsewhere=[("Its text on ArkhamDB", f"https://arkhamdb.com/card/{card.code}")],
                later=partial(taking_time, card, asking, here, writer),
            )
    for at in here.encounters:
        if writer.addresses.has_page(library.cards[at]):
            told = encounter_facts(here.encounters[at], here)
            write_card(writer, library.cards[at], told, NAV, crumbs(writer, CARDS))
    Tables(writer, here, asking).write()


def taking_time(card: Card, asking: Takers, known: Known, writer: Writer) -> dict[str, Any]:
    """What of a card's page takes time: who may take it, and the cards of its name."""
    return {"access": asking.may_take(card), "versions": versions(card, known, writer)}


def taboos_of(facts: Facts) -> dict[str, list[str]]:
    """What the newest taboo list does to cards, in words, by first printing."""
    rows = facts.taboo_rows(max(facts.taboos, default=0))
    return {root: list(change_words(row)) or ["changed"] for root, row in rows.items()}


def kin(card: Card, known: Known, traits: set[str]) -> list[tuple[str, str]]:
    """Pages with cards like this one: its traits and its product."""
    if card.story:
        return []
    found = [(f"arkham/traits/{slug(trait)}.html", trait) for trait in card.printed_traits if trait in traits]
    return [*found, (f"arkham/packs/{slug(card.pack)}.html", known.facts.pack_name(card.pack))]


def facts(card: Card, known: Known) -> list[tuple[str, str]]:
    """A card's facts as label and value."""
    return shown(
        ("Type", " · ".join(filter(None, (card.type, card.subtype)))),
        ("Class", ", ".join(card.classes)),
        ("Level", card.level),
        ("Cost", "–" if card.cost is None else card.cost),
        ("Slot", ", ".join(card.printed_slots)),
        ("Traits", ", ".join(card.printed_traits)),
        ("Health", card.health),
        ("Sanity", card.sanity),
        ("Deck limit", card.limit),
        ("Also", ", ".join(name.replace("_", " ") for name in TOLD if name in card.keywords)),
        ("Only for", ", ".join((*card.restrictions.traits, *card.restrictions.classes))),
        ("Product", ", ".join(products(card, known))),
        ("Number", card.code),
    )


def versions(card: Card, known: Known, writer: Writer) -> dict[str, Any] | None:
    """The cards of a card's name side by side: other levels, and other cards that are called the same."""
    ids = [str(other["id"]) for other in writer.library.of_name(writer.library.cards[card_id(card.code)])]
    others = [
        known.cards[at] for at in ids if at in known.cards and writer.addresses.has_page(writer.library.cards[at])
    ]
    if len(others) < 2:
        return None
    told = {other.code: dict(facts(other, known)) for other in others}
    labels = [label for label in SIDE_BY_SIDE if any(label in found for found in told.values())]
    rows = [
        (
            "" if other.code == card.code else f"{card_id(other.code)}.html",
            [
                other.subtitle or writer.card_name(card_id(other.code)),
                *(told[other.code].get(label, "") for label in labels),
            ],
        )
        for other in sorted(others, key=lambda other: (other.level or 0, other.code))
    ]
    return {"labels": ["Card", *labels], "rows": rows}


def products(card: Card, known: Known) -> list[str]:
    """Names of the products that hold a printing of the card."""
    return sorted({known.facts.pack_name(each.pack) for each in known.facts.printings(card.root)})


def encounter_facts(card: EncounterRecord, known: Known) -> list[tuple[str, str]]:
    """A scenario card's facts as label and value."""
    return shown(
        ("Type", card.type),
        ("Encounter set", card.set),
        ("Product", known.facts.pack_name(card.pack)),
        ("Number", card.code),
    )


def shown(*listed: tuple[str, Any]) -> list[tuple[str, str]]:
    """The facts that there are, as texts."""
    return [(label, str(value)) for label, value in listed if value not in (None, "")]
