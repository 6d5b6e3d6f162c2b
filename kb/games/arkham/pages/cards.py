"""Writes the pages of Arkham Horror's cards, and tables of cards."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from typing import Any

from kb.decks.names import either
from kb.games.arkham.decks.card import ArkhamCard
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.deck_counts import kind_of
from kb.games.arkham.decks.deck_rules import load_facts
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.profile import Kind, Profile, profile_of
from kb.games.arkham.schema.cards import SKILLS, Cycle, TabooRow
from kb.games.arkham.schema.keywords import KEYWORDS
from kb.games.arkham.schema.options import CLASSES, DeckOption
from kb.site.cards import write_card
from kb.site.pages import Page, Writer
from kb.site.tables import Filter, SiteTable, TableColumn, mask, values
from kb.sources.cards import slug

GAME = "arkham"
NAV = "arkham/cards"
PACKS, TRAITS = ("arkham/packs/index.html", "Packs"), ("arkham/traits/index.html", "Traits")
FLAGS = [word.name for word in KEYWORDS if word.as_filter]
TOLD = [word.name for word in KEYWORDS if word.on_card_page]
FEW = 12
"""A table with at most this many rows needs no filters."""
MANY = 100
"""A table with more cards than this has a filter by investigator."""
SIDE_BY_SIDE = ("Type", "Class", "Level", "Cost", "Slot", "Traits", "Health", "Sanity", "Product")


def card_id(code: str) -> str:
    """Return the id of the card with the code: `arkham/cards/01020`."""
    return f"{GAME}/cards/{code}"


def write_arkham(writer: Writer) -> None:
    """Write the pages of all player cards and of every encounter card that an entry names, and the tables of cards."""
    if writer.library.of_kind(GAME, "card"):
        ArkhamCardPages(writer).write()


class ArkhamCardPages:
    """Writes the pages of cards.

    - `cards`: all cards, by id.
    - `players`: the player cards in their first printing, by name and level.
    - `traits`: the traits of these cards.
    - `investigators`: the investigators in the filter of tables. Parallel versions are not among them.
    """

    def __init__(self, writer: Writer) -> None:
        self.writer, self.library = writer, writer.library
        self.facts = load_facts(partial(self.library.of_kind, GAME))
        cards = (self.facts.card(record["code"]) for record in self.library.of_kind(GAME, "card"))
        self.cards = {card_id(card.code): card for card in cards if card}
        self.players = sorted(
            (card for card in self.cards.values() if not card.story and not card.duplicate_of),
            key=lambda card: (card.name.casefold().lstrip('"'), card.level or 0, card.code),
        )
        self.traits = {trait for card in self.players for trait in card.printed_traits}
        self.investigators = [
            card for card in self.players if card.type == "investigator" and card.build and not card.alternate_of
        ]
        self.ways = cache(self._ways)

    def write(self) -> None:
        """Write all pages of cards and all tables."""
        taboos = taboos_of(self.facts)
        builders = {card.code for card in self.investigators}
        order = [card_id(card.code) for card in self.players]
        beside = {at: (before, after) for before, at, after in zip(["", *order], order, [*order[1:], ""], strict=False)}
        for at, card in self.cards.items():
            if card.duplicate_of:
                self.writer.redirect(at, f"{self.writer.addresses.original(at)}.html")
            elif self.writer.addresses.has_page(self.library.cards[at]):
                write_card(
                    self.writer,
                    self.library.cards[at],
                    facts(card, self.facts),
                    NAV,
                    self.library.games[GAME],
                    beside=beside.get(at, ("", "")),
                    skills=card.skills,
                    deck=self.requirements(card),
                    taboo=taboos.get(card.code),
                    bonded=card.bonded,
                    kin=self.kin(card),
                    investigators=len(builders),
                    takes=f"arkham/cards/index.html#?investigator={card.code}" if card.code in builders else None,
                    elsewhere=[("Its text on ArkhamDB", f"https://arkhamdb.com/card/{card.code}")],
                    later=partial(self.taking_time, card),
                )
        for record in self.library.of_kind(GAME, "encounter"):
            card_record = self.library.cards[card_id(record["code"])]
            if self.writer.addresses.has_page(card_record):
                write_card(self.writer, card_record, encounter_facts(record, self.facts), NAV, self.library.games[GAME])
        others = [card for card in self.players if card.type != "investigator"]
        all_investigators = [card for card in self.players if card.type == "investigator"]
        self.table(
            "arkham/cards/index",
            "Player cards",
            f"All {len(others)} player cards with filters.",
            partial(self.card_table, others),
            "Choose an investigator to see the cards that their deck may contain.",
        )
        self.table(
            "arkham/investigators/index",
            "Investigators",
            f"{len(all_investigators)} investigators with skills, health and sanity.",
            partial(self.investigator_table, all_investigators),
        )
        self.by_pack()
        self.by_trait()

    def _ways(self, code: str) -> list[str]:
        """Return, for each investigator, how a deck may include the card with the code.

        The value is `signature`, `free`, `limited` (only in limited slots), or empty. Taboo lists are ignored, and both
        sides of the investigator are the printed ones. If the investigator has a choice, such as a class, every value
        counts.
        """
        return [way_in(profiles, code) for profiles in self._profiles]

    @cached_property
    def _profiles(self) -> list[list[Profile]]:
        return [list(profiles_of(self.facts, card.code)) for card in self.investigators]

    def taking_time(self, card: ArkhamCard) -> dict[str, Any]:
        """Return the parts of a card's page that take a long time to compute: the investigators who may have the
        card, and cards with the same name.
        """
        ways = zip(self.investigators, self.ways(card.code), strict=True) if card.type != "investigator" else ()
        access: dict[str, list[tuple[str, str]]] = {"free": [], "limited": [], "signature": []}
        names = Counter(each.name for each in self.investigators)
        for investigator, way in ways:
            if way:
                product = f" ({self.facts.pack_name(investigator.pack)})" if names[investigator.name] > 1 else ""
                access[way].append((card_id(investigator.code), product))
        return {"access": access, "versions": self.versions(card)}

    def kin(self, card: ArkhamCard) -> list[tuple[str, str]]:
        """Return the pages with similar cards: the pages of the card's traits and product, each with an address and a
        label.
        """
        if card.story:
            return []
        pages = [(f"arkham/traits/{slug(name)}.html", name) for name in card.printed_traits if name in self.traits]
        return [*pages, (f"arkham/packs/{slug(card.pack)}.html", self.facts.pack_name(card.pack))]

    def versions(self, card: ArkhamCard) -> dict[str, Any] | None:
        """Return a table that compares all cards with the card's name, such as its other levels; None if there is no
        other card.
        """
        records = self.library.of_name(self.library.cards[card_id(card.code)])
        pages = [record for record in records if record["id"] in self.cards and self.writer.addresses.has_page(record)]
        others = sorted(
            (self.cards[record["id"]] for record in pages), key=lambda other: (other.level or 0, other.code)
        )
        if len(others) < 2:
            return None
        known = [dict(facts(other, self.facts)) for other in others]
        labels = [label for label in SIDE_BY_SIDE if any(label in facts_of_card for facts_of_card in known)]
        rows = []
        for other, facts_of_card in zip(others, known, strict=True):
            at = card_id(other.code)
            cells = [other.subtitle or self.writer.card_name(at), *(facts_of_card.get(label, "") for label in labels)]
            rows.append(("" if other.code == card.code else f"{at}.html", cells))
        return {"labels": ["Card", *labels], "rows": rows}

    def requirements(self, card: ArkhamCard) -> dict[str, Any] | None:
        """Return an investigator's deckbuilding requirements in readable form; None for a card that builds no deck."""
        if card.build is None:
            return None
        return {
            "size": card.build.size,
            "weaknesses": card.build.random_weaknesses,
            "cards": [self.standing_in(codes) for codes in card.build.required],
            "options": [option_words(option) for option in card.build.options],
        }

    def standing_in(self, codes: Iterable[str]) -> list[tuple[str, str]]:
        """Return the ids of the alternative cards for one requirement. If several have the same name, their products
        are added.
        """
        cards = [card for code in codes if (card := self.cards.get(card_id(code)))]
        names = [card.name for card in cards]
        return [
            (card_id(card.code), f" ({self.facts.pack_name(card.pack)})" if names.count(card.name) > 1 else "")
            for card in cards
        ]

    def table(self, path: str, title: str, description: str, table: Callable[[], SiteTable], intro: str = "") -> None:
        """Write a page with a table. The function `table` makes the table when the page is rendered."""
        around = {"title": title, "intro": intro}
        self.writer.write(
            Page(
                path,
                title,
                "table.md.j2",
                description,
                NAV,
                layout="wide",
                table=True,
                context=lambda: {**around, "table": table()},
            )
        )

    def card_table(self, cards: Sequence[ArkhamCard]) -> SiteTable:
        """Return a table of player cards with filters. A large table also has a filter by investigator."""
        columns = [
            TableColumn("Name", "link"),
            TableColumn("Class", "words"),
            TableColumn("Type"),
            TableColumn("Lvl", "number"),
            TableColumn("Cost", "number"),
            TableColumn("Icons", "icons"),
            TableColumn("Traits", sorts=False),
            TableColumn("Slot"),
        ]
        many = len(cards) > MANY
        rows = [
            [*self.row(card), *([mask([at for at, way in enumerate(self.ways(card.code)) if way])] if many else [])]
            for card in cards
        ]
        if len(cards) <= FEW:
            return SiteTable("cards", columns, rows=rows, icons=(*SKILLS, *CLASSES))
        products = [
            (code, self.facts.pack_name(code)) for code in sorted({card.pack for card in cards}, key=self.order)
        ]
        costs = sorted(
            {str(cost) for card in cards if (cost := printed_cost(card)) is not None},
            key=lambda one: (not one.isdigit(), one.zfill(3)),
        )
        filters = [
            *([Filter("investigator", "Investigator may take", 12, named(self.investigators), "bit")] if many else []),
            Filter(
                "class",
                "Class",
                11,
                [*((name, name.capitalize()) for name in (*CLASSES, "neutral")), ("multi", "More than one")],
            ),
            Filter("type", "Type", 2, values(sorted({card.type for card in cards}))),
            Filter("level", "Level", 3, values(sorted({card.level for card in cards if card.level is not None}))),
            Filter("cost", "Cost", 4, values(costs)),
            Filter("slot", "Slot", 7, values(sorted({slot for card in cards for slot in card.printed_slots}))),
            Filter("trait", "Trait", 6, values(sorted({trait for card in cards for trait in card.printed_traits}))),
            Filter("icon", "Skill icon", 8, [(name, name.capitalize()) for name in SKILLS]),
            Filter("pack", "Product", 9, products),
            *(Filter(flag, flag.capitalize(), 10, kind="flag") for flag in FLAGS),
            Filter("ruled", "Has rulings", 10, kind="flag"),
        ]
        note = (
            "The filter by investigator uses the deckbuilding options, including limited slots. It ignores taboos and "
            "cards that change the options."
        )
        useful = [choice for choice in filters if choice.kind == "flag" or len(choice.values) > 1]
        return SiteTable("cards", columns, useful, rows, note=note if many else "", icons=(*SKILLS, *CLASSES))

    def row(self, card: ArkhamCard) -> list[Any]:
        """Return the row of a card in a table: the cells of the columns, then the values for the filters."""
        ruled = self.library.card_entries.get(card_id(card.code))
        return [
            self.link(card),
            list(card.classes),
            card.type,
            card.level,
            printed_cost(card),
            [[name, card.skills[name]] for name in SKILLS if card.skills.get(name)]
            if card.type != "investigator"
            else [],
            list(card.printed_traits),
            list(card.printed_slots),
            [name for name in SKILLS if card.skills.get(name)],
            card.pack,
            [*(flag for flag in FLAGS if flag in card.keywords), *(["ruled"] if ruled else [])],
            [*card.classes, *(["multi"] if len(card.classes) > 1 else [])],
        ]

    def investigator_table(self, listed: list[ArkhamCard]) -> SiteTable:
        """Return a table of investigators with skills, health and sanity."""
        traits = sorted({trait for card in listed for trait in card.printed_traits})
        rows = [
            [
                self.link(card),
                list(card.classes),
                *(card.skills.get(name) for name in SKILLS[:4]),
                card.health,
                card.sanity,
                list(card.printed_traits),
                self.facts.pack_name(card.pack),
            ]
            for card in listed
        ]
        columns = [
            TableColumn("Name", "link"),
            TableColumn("Class", "words"),
            *(TableColumn(name.capitalize(), "number", icon=name) for name in SKILLS[:4]),
            TableColumn("Health", "number"),
            TableColumn("Sanity", "number"),
            TableColumn("Traits", sorts=False),
            TableColumn("Product"),
        ]
        classes = [(name, name.capitalize()) for name in (*CLASSES, "neutral")]
        filters = [Filter("class", "Class", 1, classes), Filter("trait", "Trait", 8, values(traits))]
        return SiteTable("investigators", columns, filters, rows, icons=CLASSES)

    def link(self, card: ArkhamCard) -> list[str]:
        """Return the cell with a card's name: the name, the address of its page, and the subtitle if there is one."""
        address = self.writer.addresses.card(card_id(card.code)) or ""
        return [
            f"{card.name} ({card.level})" if card.level else card.name,
            address,
            *([card.subtitle] if card.subtitle else []),
        ]

    def cycle(self, pack: str) -> Cycle | None:
        """Return the cycle of the product with the code; None if it is unknown."""
        return self.facts.cycles.get(self.facts.packs[pack].cycle) if pack in self.facts.packs else None

    def order(self, pack: str) -> tuple[int, int, str]:
        """Return the sort key of the product with the code, for the order of release."""
        cycle, position = self.cycle(pack), self.facts.packs[pack].position if pack in self.facts.packs else 0
        return (cycle.position if cycle else 0) or 99, position or 99, pack

    def by_pack(self) -> None:
        """Write a table of cards for each product, and the list of products."""
        cards_by_pack: dict[str, list[ArkhamCard]] = defaultdict(list)
        for card in sorted(self.cards.values(), key=lambda card: card.code):
            if not card.story:
                cards_by_pack[card.pack].append(card)
        packs = {code: cards_by_pack[code] for code in sorted(cards_by_pack, key=self.order)}
        cycles = {code: cycle.name for code in packs if (cycle := self.cycle(code))}
        self.volumes(
            PACKS, "Player cards by product.", packs, self.facts.pack_name, lambda code: cycles.get(code, "Other")
        )

    def by_trait(self) -> None:
        """Write a table of cards for each trait, and the list of traits by letter."""
        cards_by_trait = {
            trait: [card for card in self.players if trait in card.printed_traits] for trait in sorted(self.traits)
        }
        self.volumes(TRAITS, "Player cards by trait.", cards_by_trait, str, lambda trait: trait[0].upper())

    def volumes(
        self,
        place: tuple[str, str],
        intro: str,
        cards_by_key: Mapping[str, Sequence[ArkhamCard]],
        name_of: Callable[[str], str],
        group_of: Callable[[str], str],
    ) -> None:
        """Write a table for each key of `cards_by_key`, and a page that lists these tables.

        `place` is the address and title of that page. `name_of` returns the title of a table, and `group_of` its
        heading in the list.
        """
        at, title = place
        groups: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
        for key, listed in cards_by_key.items():
            name, path = name_of(key), at.replace("index.html", slug(key))
            self.table(path, name, f"{name}: {len(listed)} player cards.", partial(self.card_table, listed))
            groups[group_of(key)].append((f"{path}.html", name, len(listed)))
        context = {"title": title, "intro": intro, "groups": groups}
        self.writer.write(Page(at.removesuffix(".html"), title, "groups.md.j2", intro, NAV, context=context))


def way_in(profiles: Sequence[Profile], code: str) -> str:
    """Return how the deckbuilding options allow a card: `signature`, `free`, or `limited`; empty if they do not.

    `profiles` are the rules for each value of the investigator's choices. One that allows the card is enough.
    """
    status = profiles[0].once(code)
    if status.kind is Kind.SIGNATURE:
        return "signature"
    statuses = (status, *(profile.once(code) for profile in profiles[1:]))
    masks = [each.mask for each in statuses if each.kind is Kind.PLAYER]
    return "" if not masks else "limited" if all(masks) else "free"


def profiles_of(facts: ArkhamFacts, code: str) -> Iterator[Profile]:
    """Yield the profile of an investigator with all choices open, then one profile for each value of each choice."""
    bare = profile_of(facts, ArkhamDeck(code, {}))
    yield bare
    for option, _ in bare.unsettled:
        for value in option.values if not option.choose_size else ():
            yield profile_of(facts, ArkhamDeck(code, {}, choices={option.chosen_as: value}))


def printed_cost(card: ArkhamCard) -> int | str | None:
    """Return a card's cost as tables show it, with a dash for a printed dash; None for a card without a cost."""
    return "–" if card.cost is None else None if card.cost == "" else card.cost


def named(investigators: Sequence[ArkhamCard]) -> list[tuple[str, str]]:
    """Return the code and the name of each investigator to choose from. If several share a name, the subtitle is
    added.
    """
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
    """Yield the changes that a row of a taboo list makes, in words."""
    if row.experience:
        yield f"{abs(row.experience)} experience {'more' if row.experience > 0 else 'less'}"
    if row.exceptional is not None:
        yield "exceptional" if row.exceptional else "no longer exceptional"
    yield from (words for name, words in CHANGED.items() if getattr(row, name))
    if row.limit is not None:
        yield f"deck limit {row.limit}"


def option_words(option: DeckOption) -> str:
    """Return one deckbuilding option in words: `level 0-5 guardian or neutral cards`."""
    parts = [f"{'not: ' if option.forbids else ''}{kind_of(option)}"]
    if option.limit:
        parts.append(f"up to {option.limit}{' other' if option.other else ''} cards")
    if option.demand:
        parts.append(
            f"at least {option.demand.number} cards"
            + (f" of each of {n} classes" if (n := option.demand.of_classes) else "")
        )
    if option.only_counts:
        parts.append("only counts")
    if option.choose_option:
        parts.append("one of: " + "; ".join(map(kind_of, option.choose_option)))
    elif option.values:
        parts.append(f"choose {'a class' if option.choose_class else 'a deck size'}: {either(option.values)}")
    return " · ".join(parts)


def taboos_of(facts: ArkhamFacts) -> dict[str, list[str]]:
    """Return the changes of the newest taboo list, in words, by the first printing of the card."""
    rows = facts.taboo_rows(max(facts.taboos, default=0))
    return {root: list(change_words(row)) or ["changed"] for root, row in rows.items()}


def facts(card: ArkhamCard, known: ArkhamFacts) -> list[tuple[str, str]]:
    """Return a card's facts as pairs of label and value."""
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
        ("Product", ", ".join(sorted({known.pack_name(each.pack) for each in known.printings(card.root)}))),
        ("Number", card.code),
    )


def encounter_facts(card: Mapping[str, Any], known: ArkhamFacts) -> list[tuple[str, str]]:
    """Return a scenario card's facts as pairs of label and value."""
    return shown(
        ("Type", card["type"]),
        ("Encounter set", card.get("encounter_set")),
        ("Product", known.pack_name(card["pack"])),
        ("Number", card["code"]),
    )


def shown(*listed: tuple[str, Any]) -> list[tuple[str, str]]:
    """Return the pairs of label and value with the values as texts, without empty values."""
    return [(label, str(value)) for label, value in listed if value not in (None, "")]
