"""Implements two protocols for Tainted Grail: `kb.decks.games.Decks` (check, show and create sheets) and
`kb.decks.form.DeckForm` (edit a sheet as a form).

The form contains attributes with their skills, resources, both decks, items and secrets. kb has no card facts for this
game, so the argument `facts` is always None.
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
    """Return None, because the rules text is the only source and contains no cards."""


def check(file: DeckFile, facts: None, options: Mapping[str, Any] = NO_OPTIONS) -> Report:
    """Check the character sheet in `file` and return the report. Raises DeckFileError if it cannot be read."""
    return check_sheet(read_sheet(file), file.name)


def show(file: DeckFile, facts: None) -> DeckView:
    """Return the sheet as a table: decks, attributes with the cost of their next point, resources, items and secrets.

    Raises DeckFileError if the sheet cannot be read.
    """
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
    """Return the cards as lines of a sheet's file, such as `1-15/25`, `17/25` and `2x Cleave`.

    Consecutive numbers are combined. Cards with a name come after cards with a number.
    """
    cards = list(cards)
    shown = [
        f"{first}-{last}/{BASIC_CARDS}" if first < last else f"{first}/{BASIC_CARDS}" for first, last in runs_of(cards)
    ]
    return shown + each_counted(card.name for card in cards if not card.number)


def runs_of(cards: Iterable[GrailCard]) -> list[tuple[int, int]]:
    """Return the first and last number of each run of consecutive card numbers. A repeated number starts a new run."""
    spans: list[tuple[int, int]] = []
    for number in sorted(card.number for card in cards if card.number):
        if spans and number == spans[-1][1] + 1:
            spans[-1] = spans[-1][0], number
        else:
            spans.append((number, number))
    return spans


def attribute_rows(sheet: Sheet) -> list[tuple[str, str, str]]:
    """Return a table row for each attribute: its name, its value, and its skills with the cost of the next point."""
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
    """Return the name of an item or a secret, followed by its keywords in brackets."""
    return f"{item.name} ({', '.join(item.marks)})" if item.marks else item.name


class Held(NamedTuple):
    """A line in a list of cards or belongings: a card, a run of numbered cards, a skill, an item or a secret.

    `more` is shown after the name.
    """

    name: str
    copies: int = 1
    more: str = ""


def piles(sheet: Sheet) -> dict[str, list[Held]]:
    """Return the lists of a sheet by their title: both decks, the cards gained, skills, items and secrets.

    Empty lists are left out.
    """
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
    """Return the cards as lines to show: first numbered cards, as runs of numbers, then cards with a name."""
    runs = [
        Held(f"No. {first}" if first == last else f"No. {first}–{last}", last - first + 1)
        for first, last in runs_of(cards)
    ]
    named = Counter((card.name, card.grade or "") for card in cards if not card.number)
    return runs + [Held(name, copies, grade) for (name, grade), copies in named.items()]


def new_deck(character: str, set_id: str | None, facts: None) -> str | None:
    """Return the text of a new sheet for `character`, to be filled in.

    The result is None if `character` is not one of the four characters, or if `set_id` is given, because the game has
    no sets. The user must fill in the values printed on the tile (starting attributes and resources), because kb's
    source does not contain them.
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
    """Return the ruleset for character sheets, by the id of the game. There is no other ruleset for sheets."""
    return {RULESET.game: RULESET}


OWNED = ("items", "secrets")
PLACES = {"deck": "{} deck", "basic": "{} cards gained", "advanced": "{} cards gained", "gained": "{} cards gained"}
"""The lists of cards, with the heading of each list in the form. `{}` is `combat` or `diplomacy`.

A card's key in the form consists of `combat` or `diplomacy`, the name of the list, and the name of the card.
"""


def people(facts: None) -> list[Person]:
    """Return the four characters of The Fall of Avalon, for the form's choice of a character."""
    return [
        Person(each.name, "", each.name, each.name, TITLE, f"{GAME}/characters/{each.name.casefold()}")
        for each in CHARACTERS
    ]


def value(file: DeckFile, facts: None) -> dict[str, Any]:
    """Return the keys of the sheet as the form edits them. Everything that has copies is under `cards`.

    In `cards`, a card has a key such as `combat deck NAME` or `combat advanced NAME`. An item or a secret on the
    sheet has a key such as `items NUMBER`, and a new one has a key such as `items: NAME`. Raises DeckFileError if the
    sheet cannot be read.
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
    """Return a copy of `mapping` without the keys whose value is empty or None."""
    return {key: each for key, each in mapping.items() if each not in ("", None, {}, [])}


def counted(sheet: Sheet, key: str) -> list[tuple[int, tuple[Item, int]]]:
    """Return the items or secrets of a sheet, each with a number from 1 and its copies. `key` is `items` or `secrets`."""
    return list(enumerate(Counter(sheet.items if key == "items" else sheet.secrets).items(), 1))


def owned(item: Item) -> dict[str, Any]:
    """Return the keys of an item or a secret as the form stores them; `as_owned` converts them back."""
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
    """Return the keys of the sheet's file, given the keys that the form edits (see `value`)."""
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
        if place["gained"]:  # the file does not say whether these cards are basic or advanced
            pool = [*place["gained"], *place["advanced"], *place["basic"]]
        starter = value.get("starter", {}).get(side)
        sheet[side] = {
            **({"starter": starter} if starter else {}),
            "gained": pool,
            "deck": runs(map(called, place["deck"])),
        }
    return filled(sheet)


def text(value: Mapping[str, Any]) -> str:
    """Return the text of the sheet's file, given the keys that the form edits (see `value`)."""
    return text_of(keys(value))


def called(name: str) -> GrailCard:
    """Return the card called `name`. A name such as `7/25` means the basic card with this number."""
    number = name.removesuffix(f"/{BASIC_CARDS}")
    return basic_card(int(number)) if number != name and number.isdigit() else GrailCard(name)


def added(cards: Mapping[str, int], begins: str) -> dict[str, int]:
    """Return the copies of the cards whose key starts with `begins`, by the remaining part of their key."""
    return {key.removeprefix(begins): copies for key, copies in cards.items() if key.startswith(begins)}


def as_owned(key: str, item: Mapping[str, Any], copies: int) -> dict[str, Any]:
    """Return the keys of an item or a secret as the sheet's file lists them. `key` is `items` or `secrets`.

    If the name of a secret is a number, it becomes the number of the secret.
    """
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
    """Return the form's lines: cards in both decks, cards gained, items and secrets.

    Raises DeckFileError if the sheet cannot be read.
    """
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
    """Yield the form fields of an item or a secret: its keywords, whether it is facedown, and its owner.

    `key` is `items` or `secrets`, and `at` is the number of the card in the form.
    """
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
"""The kinds of keys whose value is a single value, not a list or mapping."""


def fields(file: DeckFile, facts: None) -> list[Field]:
    """Return the form fields of a sheet: mode, experience, opposed pairs, attributes with their skills, and resources.

    Raises DeckFileError if the sheet cannot be read.
    """
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
    """Return an empty list: the players have nothing to agree on that is not on their sheets."""
    return []


def offers(file: DeckFile, facts: None, agreed: Mapping[str, Any] = NO_OPTIONS) -> list[Offer]:
    """Return what can be added to the sheet: owned cards that are not in the deck, and basic cards to gain.

    The user types the names of other cards, items and secrets, because no source lists them. Raises DeckFileError if
    the sheet cannot be read.
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


def aside(file: DeckFile, facts: None) -> list[FormLine]:
    """Return an empty list: a deck file has no cards apart from the deck."""
    return []


def counts(file: DeckFile, facts: None) -> list[tuple[str, ...]]:
    """Return rows of a name and a number: cards in both decks, attributes, resources, items and secrets.

    Raises DeckFileError if the sheet cannot be read.
    """
    return [row[:-1] for row in show(file, facts).rows]


def always(file: DeckFile, facts: None) -> dict[str, int]:
    """Return the copies of all cards and belongings in `file` by key. A new sheet contains only its starter decks.

    Raises DeckFileError if the sheet cannot be read.
    """
    return {line.key: line.copies for line in lines(file, facts)}


def formats() -> dict[str, str]:
    """Return the only format that a sheet can be saved in, kb's YAML, with its file extension."""
    return {"kb's YAML": ".yaml"}


def written(file: DeckFile, facts: None, to: str) -> str:
    """Return the sheet as YAML, the only format, whatever `to` is. Raises DeckFileError if it cannot be read."""
    return text(value(file, facts))
