"""Which cards a Pathfinder character may have at an adventure, and the deck as a form to fill in, which offers them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from kb.decks.deckfile import DeckFile
from kb.decks.form import PERHAPS, Field, Line, Offer, Person, text_of
from kb.decks.games import NO_FRAME, AccessError
from kb.games.pathfinder.decks.adapter import view
from kb.games.pathfinder.decks.counts import POWER_FEAT_BOXES_WITH_ROLE, wanted
from kb.games.pathfinder.decks.deckfile import HIGHEST_COUNT, read_deck
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import ADVENTURES, CARD_TYPES, PLURALS, SET_TITLES, Card, Deck, names
from kb.games.pathfinder.decks.ruleset import OPEN_BOX_FROM, Subject


@dataclass(frozen=True, slots=True)
class FromTheBox:
    """What may come from the box when a deck is rebuilt; one subject for each character of the name (it may be in two sets)."""

    subjects: tuple[Subject, ...]
    notes: tuple[str, ...]

    def may_have(self, record: Mapping[str, Any]) -> bool | None:
        """Whether the card may be taken from the box: Basic, the Owner's, or of a number low enough, and of a type on the list.

        None: its facts are not known, it needs a card feat, it is promotional (that depends on what the table owns), or it is
        loot, of which the rulebook says both.
        """
        found = self.found(record)
        return False if found is None else verdict(*found)

    def found(self, record: Mapping[str, Any]) -> tuple[Subject, Card] | None:
        """The card of a record, with the character of its set."""
        for subject in self.subjects:
            if record.get("game") == "pathfinder" and record.get("set") in (subject.deck.set, "own"):
                card = subject.facts.card(subject.deck.set, str(record.get("name")))
                if card is not None:
                    return subject, card
        return None

    def better(self, record: Mapping[str, Any]) -> bool:
        """Whether its adventure deck number is above that of a card of its type in the deck."""
        found = self.found(record)
        if found is None or found[1].number is None:
            return False
        subject, card = found
        held = [each.number for each in subject.deck.of_type(card.type) if each.number is not None]
        return bool(held) and card.number is not None and card.number > min(held)


def verdict(subject: Subject, card: Card) -> bool | None:
    """Whether a character may take a card from the box now."""
    if not subject.begun(card):
        return False
    lines = subject.deck.character.may_fill(card)
    places = [kind for kind in lines if wanted(subject, kind)[0]]
    with_feats = [kind for kind in lines if kind in by_feat(subject)]
    if card.type is not None and not places and not with_feats:
        return False
    allowed = subject.from_box(card)
    if allowed and not places:
        return None
    if (
        allowed
        and not subject.owned(card)
        and (card.loot or (card.deck == "P" and "P" not in (subject.deck.owns or ())))
    ):
        return None
    return allowed


def by_feat(subject: Subject) -> list[str]:
    """The types of which the Cards List asks for none, but has boxes, or may have: a card feat would bring one."""
    lines = subject.deck.character.cards_list
    return [kind for kind in CARD_TYPES if not wanted(subject, kind)[0] and lines[kind].maximum != 0]


def access(who: str | DeckFile, said: Mapping[str, str], facts: Facts) -> FromTheBox | None:
    """What the characters of a name may take from the box, or the one of a deck file. Raises AccessError, DeckFileError."""
    if isinstance(who, DeckFile):
        decks = [read_deck(who, facts)]
    else:
        decks = [Deck(each, "rebuilt", "B", facts.suggested_for(each)) for each in facts.called(who)]
    if not decks:
        return None
    adventure = said.get("adventure", decks[0].adventure if isinstance(who, DeckFile) else "B").upper()
    if adventure not in ADVENTURES:
        raise AccessError(f"adventure:{said['adventure']} is none: write B or a number from 1 to 6.")
    subjects = tuple(Subject(replace(deck, stage="rebuilt", adventure=adventure), facts) for deck in decks)
    return FromTheBox(subjects, notes(subjects[0], "adventure" in said or isinstance(who, DeckFile)))


def notes(subject: Subject, told: bool) -> tuple[str, ...]:
    """By which rule the box is open."""
    rule = f"pathfinder/{subject.deck.set}/cards-from-the-box"
    when = f"adventure {subject.deck.adventure}" + ("" if told else " (adventure:N says another)")
    who = subject.name
    if subject.deck.number < OPEN_BOX_FROM:
        box = f"From the box {who} may take cards that are Basic or owned in {when}"
    else:
        box = f"From the box {who} may take cards that are Basic, owned, or numbered {subject.highest_from_box} or lower in {when}"
    feats = [PLURALS[kind] for kind in by_feat(subject)]
    more = f" Only with card feats: {', '.join(feats)}." if feats else ""
    return (f"{box} ({rule}). What is acquired in play may be kept whatever its number.{more}",)


UNKNOWN = "type unknown"
text = text_of


def people(facts: Facts) -> list[Person]:
    """The characters of each set; a name that several sets have is told with its set."""
    sets = Counter(each.name for each in facts.characters.values())
    return [
        Person(
            each.name,
            set_id,
            f"{each.name} ({SET_TITLES[set_id]})" if sets[each.name] > 1 else each.name,
            SET_TITLES[set_id],
            f"pathfinder/{set_id}/characters/{each.name.casefold().replace(' ', '-')}",
        )
        for (set_id, _), each in sorted(facts.characters.items())
    ]


def value(file: DeckFile, facts: Facts) -> dict[str, Any]:
    """The keys of the deck file with its cards by name. Raises DeckFileError."""
    deck = read_deck(file, facts, without_cards=True)
    held = {key: each for key, each in file.value().items() if key not in (*CARD_TYPES, *PLURALS.values(), "cards")}
    first = {"game": "pathfinder", "set": deck.set, "character": deck.character.name, "adventure": deck.adventure}
    feats = {kind: len(boxes) for kind, boxes in deck.card_feats.items()}
    skills = {skill: len(boxes) for skill, boxes in deck.skill_feats.items()}
    if skills and not isinstance(held.get("skill_feats"), dict):
        held["skill_feats"] = skills  # a list of them
    return {
        **first,
        "stage": deck.stage,
        **held,
        **({"card_feats": feats} if feats else {}),
        "cards": dict(Counter(names(deck.cards))),
    }


def lines(file: DeckFile, facts: Facts) -> list[Line]:
    """The deck's cards by type. Raises DeckFileError."""
    cards = read_deck(file, facts, without_cards=True).cards
    order = (*CARD_TYPES, None)
    each = sorted(set(cards), key=lambda card: (order.index(card.type), card.name))
    return [Line(card.name, card.name, card.name, card.type or UNKNOWN, cards.count(card)) for card in each]


def adventure_titles(set_id: str, facts: Facts) -> dict[str, str]:
    """The adventures of a set by their numbers, such as `1 Burnt Offerings`."""
    named = {each.deck: each.name for each in facts.adventures.get(set_id, ())}
    return {
        number: f"{number}{' (base set)' if number == 'B' else ''} {named.get(number, '')}".strip()
        for number in ADVENTURES
    }


def fields(file: DeckFile, facts: Facts) -> list[Field]:
    """Where the deck stands, its role and its feats. Raises DeckFileError."""

    def choice(key: str, label: str, said: object, *choices: tuple[str, str]) -> Field:
        return Field(key, label, "choice", "" if said is None else str(said), choices)

    def boxes(key: str, label: str, of: str, checked: Mapping[str, tuple[int, ...]], there: int) -> list[Field]:
        numbers = [(str(number), str(number)) for number in range(1, min(there, 9) + 1)]
        return (
            [choice(f"{key}.{of}", f"{label}: {of}", len(checked.get(of, ())) or None, ("", "0"), *numbers)]
            if numbers
            else []
        )

    deck = read_deck(file, facts, without_cards=True)
    titles = adventure_titles(deck.set, facts)
    found = [
        choice("stage", "The deck is", deck.stage, ("new", "new"), ("rebuilt", "rebuilt after a scenario")),
        choice(
            "adventure",
            "Adventure being played",
            deck.adventure,
            *titles.items(),
        ),
    ]
    if deck.stage == "new":
        return found
    adventure = facts.adventure(deck.set, deck.adventure)
    played = [(str(number), each.name) for number, each in enumerate(adventure.scenarios if adventure else (), 1)]
    first = (("", "not said"), ("0", "none yet"))
    found.append(choice("after_scenario", "Last scenario played of it", deck.after_scenario, *first, *played))
    roles = ((role, role) for role in deck.character.roles)
    found.append(choice("role", "Role", deck.role, ("", "no role yet"), *roles))
    for kind in CARD_TYPES:
        listed = deck.character.cards_list[kind]
        there = HIGHEST_COUNT if listed.maximum is None else listed.maximum - listed.base
        found += boxes("card_feats", "Card feats", kind, deck.card_feats, there)
    for skill, there in (deck.character.skill_feat_boxes or {}).items():
        found += boxes("skill_feats", "Skill feats", skill, deck.skill_feats, there)
    power = "" if deck.power_feats is None else str(deck.power_feats)
    return [*found, Field("power_feats", "Power feats", "number", power, most=POWER_FEAT_BOXES_WITH_ROLE)]


def agreed(facts: Facts) -> list[Field]:
    """A table of this game agrees on nothing that decks are checked for."""
    return []


def offers(file: DeckFile, facts: Facts, agreed: Mapping[str, Any] = NO_FRAME) -> list[Offer]:
    """The cards of the set that the character may take from the box, or keep when they were found. Raises DeckFileError."""
    subject = Subject(read_deck(file, facts, without_cards=True), facts)
    found = []
    for card in sorted(facts.of_set(subject.deck.set), key=lambda card: card.name):
        allowed = verdict(subject, card)
        if allowed is False and (subject.deck.stage != "rebuilt" or card.type is None):
            continue
        detail = f"{card.type or UNKNOWN}, {card.deck or 'number unknown'}"
        detail += {True: "", False: ", once found in play: the box does not give it", None: PERHAPS}[allowed]
        found.append(Offer(card.name, card.name, card.type or UNKNOWN, detail, allowed is True))
    return found


def counts(file: DeckFile, facts: Facts) -> list[tuple[str, ...]]:
    """Cards per type beside the Cards List. Raises DeckFileError."""
    return [row[:-1] for row in view(read_deck(file, facts, without_cards=True), facts).rows]


def always(file: DeckFile, facts: Facts) -> dict[str, int]:
    """What the character card says that the deck must hold. Raises DeckFileError."""
    return dict.fromkeys(read_deck(file, facts, without_cards=True).character.must_hold, 1)


def formats() -> dict[str, str]:
    """Other programs read no decks of this game."""
    return {"kb's YAML": ".yaml"}


def written(file: DeckFile, facts: Facts, to: str) -> str:
    """The deck as kb's YAML, which is the only format. Raises DeckFileError."""
    return text(value(file, facts))
