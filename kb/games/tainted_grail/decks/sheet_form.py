"""Tainted Grail as one of the games of `kb.decks.games`: check, view and new sheet, and the sheet as the form of
`kb.decks.form`.

The game has no card facts. The form contains attributes with their skills, resources, both decks, items and secrets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from kb.decks.deckfile import DeckFile
from kb.decks.file_keys import described as keys_of
from kb.decks.form import Field, FormLine, Offer, Person, field_of, text_of
from kb.decks.games import NO_OPTIONS, DeckView, Records
from kb.decks.names import each_counted, either
from kb.decks.nodes import whole
from kb.decks.report import Report
from kb.decks.ruleset import Ruleset
from kb.games.tainted_grail.decks.character_sheet import (
    ATTRIBUTES,
    BASIC_CARDS,
    CHARACTERS,
    DECK_NAMES,
    GAME,
    ITEM_KEYWORDS,
    MODES,
    OTHER_PAIRS,
    PAIRS,
    RESOURCES,
    RULESET,
    SECRET_KEYWORDS,
    STARTER_CARDS,
    TITLE,
    Cards,
    GrailCard,
    Item,
    Sheet,
    basic_card,
    character_named,
)
from kb.games.tainted_grail.decks.check import check_sheet
from kb.games.tainted_grail.decks.growth import next_point, pairs_of
from kb.games.tainted_grail.decks.sheet import read_sheet


def load_facts(records: Records) -> None:
    """Return nothing: the rules text is the only source, and it lists no cards."""


def check(file: DeckFile, facts: None, options: Mapping[str, Any] = NO_OPTIONS) -> Report:
    """Read and check a character sheet. Raises DeckFileError."""
    return check_sheet(read_sheet(file), file.name)


def show(file: DeckFile, facts: None) -> DeckView:
    """Return decks, attributes with the cost of their next point, skills and belongings. Raises DeckFileError."""
    sheet = read_sheet(file)
    rows = [(f"{deck.name} deck", str(len(deck.cards)), ", ".join(runs(deck.cards))) for deck in sheet.decks]
    rows += attribute_rows(sheet)
    rows += [(name, str(sheet.resources[name]), "") for name in RESOURCES if name in sheet.resources]
    rows += [
        (kind, str(len(belongings)), ", ".join(map(described, belongings)))
        for kind, belongings in (("items", sheet.items), ("secrets", sheet.secrets))
    ]
    played = f"{sheet.mode} mode" + (", free play" if sheet.free_play else "")
    spent = "" if sheet.experience_spent is None else f", {sheet.experience_spent} EXP spent"
    return DeckView(f"{sheet.character}, {played}{spent}", ("", "number", ""), tuple(rows))


def runs(cards: Iterable[GrailCard]) -> list[str]:
    """Return `1-15/25`, `17/25`, `2x Cleave`: runs of numbers combined, then names, all in the form of a file."""
    cards = list(cards)
    shown = [
        f"{first}-{last}/{BASIC_CARDS}" if first < last else f"{first}/{BASIC_CARDS}" for first, last in runs_of(cards)
    ]
    return shown + each_counted(card.name for card in cards if not card.number)


def runs_of(cards: Iterable[GrailCard]) -> list[tuple[int, int]]:
    """Return first and last of each run of numbers; a repeated number starts a new run."""
    spans: list[tuple[int, int]] = []
    for number in sorted(card.number for card in cards if card.number):
        if spans and number == spans[-1][1] + 1:
            spans[-1] = spans[-1][0], number
        else:
            spans.append((number, number))
    return spans


def attribute_rows(sheet: Sheet) -> list[tuple[str, str, str]]:
    """Return each pair's attributes with their skills and the cost of the pair's next point."""
    rows = []
    for pair in pairs_of(sheet) if sheet.attributes else ():
        for name in pair:
            skills = sheet.skills.get(name, ())
            listed = f"skills {', '.join(skills)}; " if skills else ""
            rows.append(
                (name, str((sheet.attributes or {})[name]), f"{listed}next point {next_point(sheet, pair)} EXP")
            )
    return rows


def described(item: Item) -> str:
    """Return an item with its keywords."""
    return f"{item.name} ({', '.join(item.marks)})" if item.marks else item.name


class Held(NamedTuple):
    """A card, a run of numbered cards, a skill, an item or a secret; `more` is shown after its name."""

    name: str
    copies: int = 1
    more: str = ""


def piles(sheet: Sheet) -> dict[str, list[Held]]:
    """Return the cards of both decks, the cards gained, skills, items and secrets, by kind; empty kinds are left out."""
    held: dict[str, list[Held]] = {}
    for deck in sheet.decks:
        held |= {f"{deck.name} deck": held_cards(deck.cards), f"{deck.name} cards gained": held_cards(deck.gained)}
    held["skills"] = [Held(f"Skill {card}", more=name) for name, cards in sheet.skills.items() for card in cards]
    for key in OWNED:
        held[key] = [
            Held(item.name, copies, ", ".join([*item.marks, *([f"of {item.owner}"] if item.owner else [])]))
            for _, (item, copies) in counted(sheet, key)
        ]
    return {title: lines for title, lines in held.items() if lines}


def held_cards(cards: Cards) -> list[Held]:
    """Return the numbered cards as runs of numbers, then those with a name."""
    runs = [
        Held(f"No. {first}" if first == last else f"No. {first}–{last}", last - first + 1)
        for first, last in runs_of(cards)
    ]
    named = Counter((card.name, card.grade or "") for card in cards if not card.number)
    return runs + [Held(name, copies, grade) for (name, grade), copies in named.items()]


def new_deck(character: str, set_id: str | None, facts: None) -> str | None:
    """Return a sheet to fill in, for one of the four characters; None for another name, or if a set is given.

    The values printed on the tile (starting attributes and resources) are not in the source and must be filled in.
    """
    known = character_named(character)
    if known is None or set_id is not None:
        return None
    favors = f"favors {' and '.join(known.favors)}" if known.favors else "balanced"
    first_gained = f"{STARTER_CARDS + 1} to {BASIC_CARDS}"
    lines = [
        "game: tainted-grail",
        f"character: {known.name}  # {known.title}",
        f"mode: standard  # {either(MODES)}",
        "experience_spent: 0  # all EXP spent since the campaign began",
        f"starting_attributes:  # fill in from the back of the tile ({favors}); an empty one is 0",
        *(f"  {name}:" for name in ATTRIBUTES),
        "#attributes: the current values, in the same form, once any has been raised",
        "resources:  # fill in from the back of the tile",
        *(f"  {name}:" for name in RESOURCES),
        "skills: {}  # numbers of the skill cards by attribute, such as {courage: [12]}",
        f"items: []  # such as Rusty Sword (WEAPON), or in quotes 'Old Mace (WEAPON, facedown)'; {', '.join(ITEM_KEYWORDS)}",
        "secrets: []  # such as {number: 14, keywords: [RELIC, PERSONAL]}",
    ]
    for deck in DECK_NAMES:
        lines += [
            f"{deck}:  # the starter cards 1 to {STARTER_CARDS}, plus the gained cards, minus the cards that are out",
            f"  gained: []  # from the advancement pool: names, or numbers {first_gained} of basic cards",
            "  out: []  # owned, but not in the deck now",
        ]
    return "\n".join(lines) + "\n"


def rulesets() -> Mapping[str, Ruleset[Any]]:
    """Return the game's only ruleset."""
    return {RULESET.game: RULESET}


OWNED = ("items", "secrets")
PLACES = {"deck": "{} deck", "basic": "{} cards gained", "advanced": "{} cards gained", "gained": "{} cards gained"}
"""The list that a card belongs to, as the first words of its key, with its group in the form."""


def people(facts: None) -> list[Person]:
    """Return the four characters of the campaign."""
    return [
        Person(each.name, "", each.name, each.name, TITLE, f"{GAME}/characters/{each.name.casefold()}")
        for each in CHARACTERS
    ]


def value(file: DeckFile, facts: None) -> dict[str, Any]:
    """Return the keys of the sheet with all counted things under `cards`: `combat deck NAME` or `combat advanced NAME`
    for a side, `items NUMBER` for belongings, and `items: NAME` for a new one. Raises DeckFileError.
    """
    sheet, original = read_sheet(file), file.value()
    start, now = sheet.starting or {}, sheet.attributes or {}
    keys = {
        **{key: each for key, each in original.items() if key not in DECK_NAMES},
        "character": sheet.character,
        "mode": sheet.mode,
        "starting_attributes": {name: number for name, number in start.items() if number},
        "attributes": {name: now[name] for name in now if now[name] != start.get(name)},
        "granted": dict(sheet.granted),
        "skills": {name: ", ".join(cards) for name, cards in sheet.skills.items() if cards},
        "resources": dict(sheet.resources),
        **{key: {str(at): owned(item) for at, (item, _) in counted(sheet, key)} for key in OWNED},
        "starter": {deck.name: runs(deck.starter) for deck in sheet.decks if deck.starter is not None},
        "cards": {line.key: line.copies for line in lines(file, facts)},
    }
    return filled(keys)


def filled(mapping: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of a mapping without keys whose value is empty."""
    return {key: each for key, each in mapping.items() if each not in ("", None, {}, [])}


def counted(sheet: Sheet, key: str) -> list[tuple[int, tuple[Item, int]]]:
    """Return the items or secrets of a sheet with their copies, numbered."""
    return list(enumerate(Counter(sheet.items if key == "items" else sheet.secrets).items(), 1))


def owned(item: Item) -> dict[str, Any]:
    """Return an item or a secret as the form stores it."""
    return filled(
        {
            "number": item.number,
            "name": "" if item.number else item.name,
            "keyword": ", ".join(word for word in item.keywords if word in ITEM_KEYWORDS),
            "bound": ", ".join(word for word in item.keywords if word in SECRET_KEYWORDS),
            "facedown": "yes" if item.facedown else "",
            "owner": item.owner,
        }
    )


def keys(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys of the sheet's file."""
    sheet = {key: each for key, each in value.items() if key not in ("cards", "starter", *OWNED)}
    start, now = sheet.get("starting_attributes", {}), sheet.get("attributes", {})
    if now:
        sheet["attributes"] = {name: now.get(name, start.get(name, 0)) for name in ATTRIBUTES}
    cards: Mapping[str, int] = value.get("cards", {})
    for key in OWNED:
        belongings = {f"{key} {at}": each for at, each in value.get(key, {}).items()}
        belongings |= {f"{key}: {name}": {"name": name} for name in added(cards, f"{key}: ")}
        sheet[key] = [as_owned(key, each, cards[at]) for at, each in belongings.items() if cards.get(at)]
    for side in DECK_NAMES:
        place = {
            each: [name for name, copies in added(cards, f"{side} {each} ").items() for _ in range(copies)]
            for each in PLACES
        }
        pool: Any = {each: place[each] for each in ("advanced", "basic") if place[each]}
        if place["gained"]:  # the file does not say which kind some of them are
            pool = [*place["gained"], *place["advanced"], *place["basic"]]
        starter = value.get("starter", {}).get(side)
        sheet[side] = {
            **({"starter": starter} if starter else {}),
            "gained": pool,
            "deck": runs(map(called, place["deck"])),
        }
    return filled(sheet)


def text(value: Mapping[str, Any]) -> str:
    """Return the text of the sheet's file."""
    return text_of(keys(value))


def called(name: str) -> GrailCard:
    """Return the card with a name, or the basic card with a number such as `7/25`."""
    number = name.removesuffix(f"/{BASIC_CARDS}")
    return basic_card(int(number)) if number != name and number.isdigit() else GrailCard(name)


def added(cards: Mapping[str, int], begins: str) -> dict[str, int]:
    """Return the copies under keys with a prefix, by the rest of the key."""
    return {key.removeprefix(begins): copies for key, copies in cards.items() if key.startswith(begins)}


def as_owned(key: str, item: Mapping[str, Any], copies: int) -> dict[str, Any]:
    """Return an item or a secret in the form of a file; a secret whose name is a number gets that number."""
    name, number = item.get("name"), item.get("number")
    if number is None and key == "secrets":
        number = whole(str(name).removeprefix("#"))
    words = ", ".join(str(item[each]) for each in ("keyword", "bound") if each in item)
    return filled(
        {
            "number": number or None,
            "name": None if number else name,
            "count": copies if copies > 1 else None,
            "keywords": words.split(", ") if words else [],
            "facedown": item.get("facedown"),
            "owner": item.get("owner"),
        }
    )


def lines(file: DeckFile, facts: None) -> list[FormLine]:
    """Return the cards of both decks, the cards gained, items and secrets. Raises DeckFileError."""
    sheet = read_sheet(file)
    rows = []
    for deck in sheet.decks:
        piles = [("deck", deck.cards)]
        for grade in ("advanced", "basic", None):
            piles.append((grade or "gained", tuple(card for card in deck.gained if card.grade == grade)))
        for place, cards in piles:
            for name, copies in Counter(card.name for card in cards).items():
                rows.append(
                    FormLine(f"{deck.name} {place} {name}", name, name, PLACES[place].format(deck.name), copies)
                )
    for key in OWNED:
        for at, (item, copies) in counted(sheet, key):
            rows.append(
                FormLine(
                    f"{key} {at}",
                    item.name,
                    item.name,
                    key,
                    copies,
                    tuple(kept(key, at, item)),
                    ", ".join(item.marks) or "no keyword",
                )
            )
    return rows


def kept(key: str, at: int, item: Item) -> Iterator[Field]:
    """Yield the form fields for an item or a secret: its keywords, whether it is facedown, and its owner."""
    values = owned(item)

    def one(name: str, label: str, choices: Iterable[str], none: str) -> Field:
        there = dict.fromkeys(["", *choices, values.get(name, "")])
        return Field(
            f"{key}.{at}.{name}", label, "choice", values.get(name, ""), tuple((each, each or none) for each in there)
        )

    yield one("keyword", "Keyword", ITEM_KEYWORDS, "none")
    yield Field(
        f"{key}.{at}.facedown", "Position", "choice", values.get("facedown", ""), (("", "faceup"), ("yes", "facedown"))
    )
    if key == "secrets":
        yield one("bound", "Bound to", SECRET_KEYWORDS, "nobody")
        yield one("owner", "First owner", (each.name for each in CHARACTERS), "this character")


ASKED = keys_of(Sheet)
SINGLE = ("mode", "flag", "number", "text")
"""The kinds of keys that hold one value."""


def fields(file: DeckFile, facts: None) -> list[Field]:
    """Return the fields for mode and experience, each attribute with its skills, and belongings. Raises DeckFileError."""
    sheet = read_sheet(file)
    opposed = {
        ", ".join("-".join(pair) for pair in each): each for each in (PAIRS, OTHER_PAIRS, *[sheet.pairs or PAIRS])
    }
    chosen = next((words for words, each in opposed.items() if each == sheet.pairs), "")
    readings = (("", "not given"), *((each, each) for each in opposed))
    inputs = [field_of(key, getattr(sheet, name)) for name, key in ASKED.items() if key.asks and key.kind in SINGLE]
    inputs.append(Field("pairs", ASKED["pairs"].asks, "choice", chosen, readings))
    for pair in pairs_of(sheet):
        for name in pair:
            group, more = name.capitalize(), f"next point {next_point(sheet, pair)} EXP"
            for key in ("starting", "attributes", "granted"):
                number = (getattr(sheet, key) or {}).get(name)
                inputs.append(field_of(ASKED[key], number, name, group=group, more=more))
            skills = ", ".join(sheet.skills.get(name, ()))
            inputs.append(field_of(ASKED["skills"], skills, name, group=group, more=more))
    for key, numbers, names, group in (
        ("resources", sheet.resources, RESOURCES, "Carried"),
        ("granted", sheet.granted, DECK_NAMES, "Cards given by the story, without EXP"),
    ):
        inputs += [
            field_of(ASKED[key], numbers.get(name), name, label=name.capitalize(), group=group) for name in names
        ]
    return inputs


def agreed(facts: None) -> list[Field]:
    """Return nothing: the sheets contain all agreements of a party."""
    return []


def offers(file: DeckFile, facts: None, agreed: Mapping[str, Any] = NO_OPTIONS) -> list[Offer]:
    """Return cards owned that are not in their deck, basic cards to gain, and free text: no source lists other cards.
    Raises DeckFileError.
    """
    sheet = read_sheet(file)
    offered = []
    for deck in sheet.decks:
        left = Counter(card.name for card in (*deck.starter_cards, *deck.gained))
        left.subtract(card.name for card in deck.cards)
        where, pool = PLACES["deck"].format(deck.name), PLACES["basic"].format(deck.name)
        offered += [
            Offer(f"{deck.name} deck {name}", name, where, f"into the {where}", True)
            for name, number in left.items()
            if number > 0
        ]
        numbers = {card.number for card in (*deck.gained, *deck.starter_cards)}
        basics = (basic_card(number).name for number in range(1, BASIC_CARDS + 1) if number not in numbers)
        offered += [Offer(f"{deck.name} basic {name}", name, pool, f"gained {deck.name} card", True) for name in basics]
        offered.append(Offer(f"{deck.name} advanced ", "", pool, f"gained advanced {deck.name} card", True, free=True))
        if not sheet.known or len(deck.starter_cards) != STARTER_CARDS or deck.starter is not None:
            offered.append(Offer(f"{deck.name} deck ", "", where, f"into the {where}", True, free=True))
    return [*offered, *(Offer(f"{key}: ", "", key, key.removesuffix("s"), True, free=True) for key in OWNED)]


def counts(file: DeckFile, facts: None) -> list[tuple[str, ...]]:
    """Return the cards of both decks, attributes and belongings. Raises DeckFileError."""
    return [row[:-1] for row in show(file, facts).rows]


def always(file: DeckFile, facts: None) -> dict[str, int]:
    """Return the starter decks, which are all that a sheet starts with. Raises DeckFileError."""
    return {line.key: line.copies for line in lines(file, facts)}


def formats() -> dict[str, str]:
    """Return kb's own format: other programs read no sheets of this game."""
    return {"kb's YAML": ".yaml"}


def written(file: DeckFile, facts: None, to: str) -> str:
    """Return the sheet as kb's YAML, which is the only format. Raises DeckFileError."""
    return text(value(file, facts))
