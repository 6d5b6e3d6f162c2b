"""The Pathfinder Adventure Card Game as one of the games of `kb.decks.games`: facts, check, view and new deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, get_args

import kb.games.pathfinder.decks.access  # noqa: F401  (registers the checks)
from kb.decks.deckfile import DeckFile
from kb.decks.form import PERHAPS, Field, Line, Offer, Person, text_of
from kb.decks.games import NO_FRAME, AccessError, DeckView, NewDeckError
from kb.decks.names import counted_names, did_you_mean, either, name_key
from kb.decks.nodes import key_name
from kb.decks.report import Family, Report
from kb.decks.ruleset import Ruleset
from kb.files.text import slug
from kb.frozen import frozen
from kb.games.pathfinder.decks.counts import POWER_FEAT_BOXES_WITH_ROLE, amount, filled_lines, wanted
from kb.games.pathfinder.decks.deckfile import HIGHEST_COUNT, keys_of, read_deck, set_in_name
from kb.games.pathfinder.decks.model import ADVENTURES, PLURALS, SET_TITLES, SETS, Card, Deck, Facts, names
from kb.games.pathfinder.decks.ruleset import OPEN_BOX_FROM, RULESETS, Subject
from kb.games.pathfinder.records import CARD_TYPES

load_facts = Facts.load


def check(file: DeckFile, facts: Facts, frame: Mapping[str, Any] = NO_FRAME) -> Report:
    """Read and check a deck file. Raises DeckFileError."""
    return check_deck(read_deck(file, facts), facts, file.name)


def show(file: DeckFile, facts: Facts) -> DeckView:
    """Cards per type beside the Cards List. Raises DeckFileError."""
    return view(read_deck(file, facts), facts)


def view(deck: Deck, facts: Facts) -> DeckView:
    """Cards per type beside the Cards List, of a deck that is already read."""
    subject = Subject(deck, facts)
    played = f"adventure {deck.adventure}" + (f", after scenario {deck.after_scenario}" if deck.after_scenario else "")
    lines = filled_lines(subject)
    rows = [(kind, str(len(cards)), str(want), counted_names(names(cards))) for kind, cards, want in lines]
    if unknown := deck.of_type(None):
        rows.append(("type unknown", str(len(unknown)), "", counted_names(names(unknown))))
    rows.append(("all", str(len(deck.cards)), str(sum(want for _, _, want in lines)), ""))
    if deck.cohorts:
        rows.append(("cohort", str(len(deck.cohorts)), "", ", ".join(deck.cohorts)))
    heading = f"{deck.character.name} ({SET_TITLES[deck.set]}), {deck.stage} deck, {played}"
    return DeckView(heading, ("type", "cards", "list", ""), tuple(rows))


# The keys that a deck file takes once the campaign is under way, as a new one names them.
MORE_KEYS = (
    "# Once a scenario has been played, say `stage: rebuilt` and what of this is so:",
    "# after_scenario: 2                 # the last one played of that adventure, by number or name; 0: none",
    "# card_feats: {spell: 1}            # boxes checked; also skill_feats: {Wisdom: 2}, power_feats: 1",
    "# role: NAME                        # the role card",
    "# had: [3x Cure, Crow]              # all cards before rebuilding; gained ones too",
    "# received: [Mace]                  # cards that other players gave; gave: those given to them",
    "# from_box: [2x Dog]                # cards of this deck that came from the box",
    "# left_over: [Codex]                # what the party had and nobody kept; party: [Kyra, Lini]: who plays",
    "# owns: [base, 1]                   # the products in the box",
)


def new_deck(character: str, set_id: str | None, facts: Facts) -> str | None:
    """The suggested deck of a character as a deck file; None when no character has that name.

    Raises NewDeckError when the set is unknown, or when the character is in several sets and none is named.
    """
    character, set_of_name = set_in_name(character)
    if (set_id := set_id or set_of_name) is not None:
        named = name_key(set_id)
        set_id = next((key for key, title in SET_TITLES.items() if named in (key, name_key(title))), None)
        if set_id is None:
            raise NewDeckError(f"There is no such set. Known are {', '.join(SET_TITLES)}.")
    matches = facts.called(character, set_id)
    if not matches:
        if elsewhere := [each.set for each in facts.called(character)]:
            raise NewDeckError(
                f"There is no {character} in {SET_TITLES[set_id or '']}; {either([SET_TITLES[each] for each in elsewhere])} has one: "
                f"name `set`: {either(elsewhere)}."
            )
        if hint := did_you_mean(character, sorted({each.name for each in facts.characters_of(set_id)})):
            raise NewDeckError(f"There is no character {character!r}.{hint}")
        return None
    if len(matches) > 1:
        raise NewDeckError(
            f"{matches[0].name} is in several sets. Name the set (`--in`): {either(sorted(each.set for each in matches))}."
        )
    chosen = matches[0]
    cards = Counter(facts.suggested_for(chosen))
    lines = [
        "game: pathfinder",
        f"set: {chosen.set}  # {SET_TITLES[chosen.set]}",
        f"character: {chosen.name}",
        "adventure: B  # B or 1 to 6: the adventure being played",
        "stage: new  # rebuilt, once a scenario has been played",
        "cards:",
    ]
    if not cards:
        lines.append(f"  # {', '.join(amount(number, each) for each in CARD_TYPES if (number := chosen.base(each)))}")
    kind = None
    for card, count in cards.items():
        comment = f"  # {card.type}" if card.type != kind else ""
        kind = card.type
        lines.append(f"  - {f'{count}x ' if count > 1 else ''}{card.name}{comment}")
    return "\n".join([*lines, *MORE_KEYS]) + "\n"


def rulesets() -> Mapping[str, Ruleset[Any]]:
    """The rulesets of both sets, for one deck and for the decks of one table."""
    from kb.games.pathfinder.party.checks import PARTIES

    return {**RULESETS, **{f"{set_id}-party": ruleset for set_id, ruleset in PARTIES.items()}}


MOST_NAMED = 6


def unchecked(subject: Subject) -> Iterator[str]:
    """Sentences on what the facts do not know or the deck file leaves open; none when everything could be checked."""
    deck = subject.deck
    cards = list(dict.fromkeys(deck.cards))
    of_set = subject.facts.of_set(deck.set)
    if described := [
        card for card in cards if not card.own and (card.class_deck or not card.copies) and card not in of_set
    ]:
        yield f"{named(described)}: taken as the deck file describes them."
    if deck.character.own:
        yield f"{subject.name}: taken as your own cards describe this character ({deck.character.own})."
    for title in dict.fromkeys(card.own for card in cards if card.own):
        yield f"{named([card for card in cards if card.own == title])}: taken as your own cards describe them ({title})."
    if uncounted := [card for card in cards if card not in described and subject.copies(card) is None]:
        yield f"How many copies of {named(uncounted)} the box has is unknown."
    if unnumbered := [card for card in cards if card.deck is None]:
        yield f"Which adventure deck {named(unnumbered)} is of is unknown."
    if deck.skill_feats and deck.character.skill_feat_boxes is None:
        yield f"How many boxes each skill of {subject.name} has is unknown."
    if deck.stage == "rebuilt" and deck.deck_adjustments and deck.role and SETS[deck.set].roles_adjust:
        yield f"What the role card {deck.role} changes in the Cards List is taken from `deck_adjustments`."
    loot = [card for card in cards if card.loot and card not in subject.taken_from_box()]
    if strays := [card for card in loot if card.name not in subject.facts.loot(deck.set) and not subject.owned(card)]:
        yield f"Which reward gives {named(strays)} is unknown."

    if deck.stage != "rebuilt":
        return
    if deck.had is None and deck.from_box is None:
        yield "Where the cards came from: the deck file names neither `had` nor `from_box`."
    elif deck.had is None and not deck.left_over:
        yield "Whether the party had cards left where the box filled a hole: the deck file names neither `had` nor `left_over`."
    if deck.after_scenario is None and (deck.card_feats or deck.skill_feats or deck.power_feats or deck.role):
        yield f"Feats are counted as if all of adventure {deck.adventure} had been played: `after_scenario` is not given."


def named(cards: list[Card]) -> str:
    """`Cure, Dagger and 3 more`."""
    first = ", ".join(card.name for card in cards[:MOST_NAMED])
    return first + (f" and {len(cards) - MOST_NAMED} more" if len(cards) > MOST_NAMED else "")


for _ruleset in RULESETS.values():
    _ruleset.checks.sort(key=lambda each: get_args(Family).index(each.family))


def check_deck(deck: Deck, facts: Facts, file: str) -> Report:
    """All findings on a deck by the ruleset of its character's set. `file` names the deck file in the report.

    `details` holds the set, stage and adventure, the number of cards and per type how many there are and must be, and what
    could not be checked, as sentences.
    """
    subject = Subject(deck, facts)
    return Report(
        file=file,
        game="pathfinder",
        character=deck.character.name,
        findings=tuple(RULESETS[deck.set].run(subject)),
        details={
            "set": deck.set,
            "stage": deck.stage,
            "adventure": deck.adventure,
            "cards": len(deck.cards),
            "types": {kind: {"cards": len(cards), "list": want} for kind, cards, want in filled_lines(subject)},
            "not_checked": list(unchecked(subject)),
        },
    )


@frozen
class FromTheBox:
    """What may come from the box when a deck is rebuilt; one subject for each character of the name (it may be in two sets)."""

    subjects: tuple[Subject, ...]
    notes: tuple[str, ...]

    def may_have(self, record: Mapping[str, Any]) -> bool | None:
        """Whether the card may be taken from the box: Basic, the Owner's, or of a number low enough, and of a type on the list.

        None: its facts are not known, it needs a card feat, it is promotional (that depends on what the table owns), or it is
        loot, of which the rulebook says both.
        """
        subject_and_card = self.found(record)
        return False if subject_and_card is None else verdict(*subject_and_card)

    def found(self, record: Mapping[str, Any]) -> tuple[Subject, Card] | None:
        """The card of a record with the subject (deck and facts) of its set; None when no set has it."""
        for subject in self.subjects:
            if record.get("game") == "pathfinder" and record.get("set") in (subject.deck.set, "own"):
                card = subject.facts.card(subject.deck.set, str(record.get("name")))
                if card is not None:
                    return subject, card
        return None

    def better(self, record: Mapping[str, Any]) -> bool:
        """Whether its adventure deck number is above that of a card of its type in the deck."""
        subject_and_card = self.found(record)
        if subject_and_card is None or subject_and_card[1].number is None:
            return False
        subject, card = subject_and_card
        numbers = [each.number for each in subject.deck.of_type(card.type) if each.number is not None]
        return bool(numbers) and card.number is not None and card.number > min(numbers)


def verdict(subject: Subject, card: Card) -> bool | None:
    """Whether a character may take a card from the box now, into a place of the Cards List or (None) one that a card feat would bring."""
    lines = subject.deck.character.may_fill(card)
    if any(wanted(subject, kind)[0] for kind in lines):
        return subject.gives(card)
    allowed = card.type is None or any(kind in by_feat(subject) for kind in lines)
    return None if allowed and subject.gives(card) is not False else False


def by_feat(subject: Subject) -> list[str]:
    """The types of which the Cards List asks for none, but has boxes, or may have: a card feat would bring one."""
    lines = subject.deck.character.cards_list
    return [kind for kind in CARD_TYPES if not wanted(subject, kind)[0] and lines[kind].maximum != 0]


def access(who: str | DeckFile, terms: Mapping[str, str], facts: Facts) -> FromTheBox | None:
    """What the characters of a name may take from the box, or the one of a deck file. Raises AccessError, DeckFileError."""
    if isinstance(who, DeckFile):
        decks = [read_deck(who, facts)]
    else:
        decks = [Deck(each, "rebuilt", "B", facts.suggested_for(each)) for each in facts.called(who)]
    if not decks:
        return None
    adventure = terms.get("adventure", decks[0].adventure if isinstance(who, DeckFile) else "B").upper()
    if adventure not in ADVENTURES:
        raise AccessError(f"adventure:{terms['adventure']} is none: write B or a number from 1 to 6.")
    subjects = tuple(Subject(replace(deck, stage="rebuilt", adventure=adventure), facts) for deck in decks)
    return FromTheBox(subjects, notes(subjects[0], "adventure" in terms or isinstance(who, DeckFile)))


def notes(subject: Subject, adventure_given: bool) -> tuple[str, ...]:
    """By which rule the box is open."""
    rule = f"pathfinder/{subject.deck.set}/cards-from-the-box"
    when = f"adventure {subject.deck.adventure}" + ("" if adventure_given else " (adventure:N says another)")
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
    notes = {key: each for key, each in file.value().items() if key_name(key) in ("player", "notes")}
    return {**keys_of(deck), **notes, "cards": dict(Counter(names(deck.cards)))}


def lines(file: DeckFile, facts: Facts) -> list[Line]:
    """The deck's cards by type. Raises DeckFileError."""
    cards = read_deck(file, facts, without_cards=True).cards
    order = (*CARD_TYPES, None)
    each = sorted(set(cards), key=lambda card: (order.index(card.type), card.name))
    return [
        Line(card.name, card.name, card.name, card.type or UNKNOWN, cards.count(card), shown=shown(card))
        for card in each
    ]


def shown(card: Card) -> str:
    """The id of a card, as the catalog has it."""
    return f"pathfinder/{card.set}/cards/{slug(card.name)}"


def adventure_titles(set_id: str, facts: Facts) -> dict[str, str]:
    """The adventures of a set by their numbers, such as `1 Burnt Offerings`."""
    named = {each.deck: each.name for each in facts.adventures.get(set_id, ())}
    return {
        number: f"{number}{' (base set)' if number == 'B' else ''} {named.get(number, '')}".strip()
        for number in ADVENTURES
    }


def fields(file: DeckFile, facts: Facts) -> list[Field]:
    """Where the deck stands, its role and its feats. Raises DeckFileError."""

    def choice(key: str, label: str, current: object, *choices: tuple[str, str]) -> Field:
        return Field(key, label, "choice", "" if current is None else str(current), choices)

    def boxes(key: str, label: str, of: str, checked: Mapping[str, tuple[int, ...]], there: int) -> list[Field]:
        numbers = [(str(number), str(number)) for number in range(1, min(there, 9) + 1)]
        return (
            [choice(f"{key}.{of}", f"{label}: {of}", len(checked.get(of, ())) or None, ("", "0"), *numbers)]
            if numbers
            else []
        )

    deck = read_deck(file, facts, without_cards=True)
    titles = adventure_titles(deck.set, facts)
    inputs = [
        choice("stage", "The deck is", deck.stage, ("new", "new"), ("rebuilt", "rebuilt after a scenario")),
        replace(
            choice("adventure", "Adventure being played", deck.adventure, *titles.items()), clears="after_scenario"
        ),
    ]
    if deck.stage == "new":
        return inputs
    adventure = facts.adventure(deck.set, deck.adventure)
    played = [(str(number), each.name) for number, each in enumerate(adventure.scenarios if adventure else (), 1)]
    first = (("", "not said"), ("0", "none yet"))
    inputs.append(choice("after_scenario", "Last scenario played of it", deck.after_scenario, *first, *played))
    roles = ((role, role) for role in deck.character.roles)
    inputs.append(choice("role", "Role", deck.role, ("", "no role yet"), *roles))
    for kind in CARD_TYPES:
        listed = deck.character.cards_list[kind]
        there = HIGHEST_COUNT if listed.maximum is None else listed.maximum - listed.base
        inputs += boxes("card_feats", "Card feats", kind, deck.card_feats, there)
    for skill, there in (deck.character.skill_feat_boxes or {}).items():
        inputs += boxes("skill_feats", "Skill feats", skill, deck.skill_feats, there)
    power = "" if deck.power_feats is None else str(deck.power_feats)
    return [*inputs, Field("power_feats", "Power feats", "number", power, most=POWER_FEAT_BOXES_WITH_ROLE)]


def agreed(facts: Facts) -> list[Field]:
    """A table of this game agrees on nothing that decks are checked for."""
    return []


def offers(file: DeckFile, facts: Facts, agreed: Mapping[str, Any] = NO_FRAME) -> list[Offer]:
    """The cards of the set that the character may take from the box, or keep when they were found. Raises DeckFileError."""
    subject = Subject(read_deck(file, facts, without_cards=True), facts)
    offered = []
    for card in sorted(facts.of_set(subject.deck.set), key=lambda card: card.name):
        allowed = verdict(subject, card)
        if allowed is False and (subject.deck.stage != "rebuilt" or card.type is None):
            continue
        detail = f"{card.type or UNKNOWN}, {card.deck or 'number unknown'}"
        detail += {True: "", False: ", once found in play: the box does not give it", None: PERHAPS}[allowed]
        words = " ".join(card.traits or ())
        offered.append(
            Offer(card.name, card.name, card.type or UNKNOWN, detail, allowed is True, words=words, shown=shown(card))
        )
    return offered


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
