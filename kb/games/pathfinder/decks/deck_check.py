"""Implements the protocol `kb.decks.games.Decks` for Pathfinder: checks decks, shows them, and creates new ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, get_args

import kb.games.pathfinder.decks.access
import kb.games.pathfinder.decks.cards_list
import kb.games.pathfinder.decks.feats
import kb.games.pathfinder.decks.players
import kb.games.pathfinder.decks.products
import kb.games.pathfinder.decks.trades  # noqa: F401  (each registers its checks)
from kb.decks.deckfile import DeckFile
from kb.decks.games import NO_OPTIONS, DeckView, NewDeckError
from kb.decks.names import counted_names, did_you_mean, either, name_key
from kb.decks.problems import Family, Finding
from kb.decks.report import Report
from kb.decks.ruleset import Ruleset
from kb.games.pathfinder.decks.deck import DECK_KEYS, PathfinderDeck
from kb.games.pathfinder.decks.deckfile import read_deck, set_in_name
from kb.games.pathfinder.decks.facts import SET_TITLES, SETS, Facts, PathfinderCard, names
from kb.games.pathfinder.decks.rulesets import PARTIES, RULESETS, amount
from kb.games.pathfinder.decks.table import GameTable, Seat, seat_of
from kb.games.pathfinder.records import CARD_TYPES

load_facts = Facts.load


def check(file: DeckFile, facts: Facts, options: Mapping[str, Any] = NO_OPTIONS) -> Report:
    """Check the deck in `file` and return the report. Raises DeckFileError if the deck cannot be read."""
    return check_deck(read_deck(file, facts), facts, file.name)


def show(file: DeckFile, facts: Facts) -> DeckView:
    """Return a table that compares the cards of each type in the deck with the Cards List.

    Raises DeckFileError if the deck cannot be read.
    """
    return view(read_deck(file, facts), facts)


def view(deck: PathfinderDeck, facts: Facts) -> DeckView:
    """Return a table that compares the cards of each type in `deck` with the Cards List."""
    seat = seat_of(deck, facts)
    played = f"adventure {deck.adventure}" + (f", after scenario {deck.after_scenario}" if deck.after_scenario else "")
    lines = seat.filled_lines()
    rows = [(kind, str(len(cards)), str(want), counted_names(names(cards))) for kind, cards, want in lines]
    if unknown := deck.of_type(None):
        rows.append(("type unknown", str(len(unknown)), "", counted_names(names(unknown))))
    rows.append(("all", str(len(deck.cards)), str(sum(want for _, _, want in lines)), ""))
    if deck.cohorts:
        rows.append(("cohort", str(len(deck.cohorts)), "", ", ".join(deck.cohorts)))
    heading = f"{deck.character.name} ({SET_TITLES[deck.set]}), {deck.stage} deck, {played}"
    return DeckView(heading, ("type", "cards", "list", ""), tuple(rows))


def new_deck(character: str, set_id: str | None, facts: Facts) -> str | None:
    """Return the text of a deck file with the character's suggested deck; None if no character has this name.

    Raises NewDeckError if the set is unknown or lacks the character, or if the character is in several sets and
    `set_id` is None. NewDeckError is also raised if no character has the name, but it resembles a character's name.
    """
    character, set_of_name = set_in_name(character)
    if (set_id := set_id or set_of_name) is not None:
        named, written = name_key(set_id), set_id
        set_id = next((key for key, title in SET_TITLES.items() if named in (key, name_key(title))), None)
        if set_id is None:
            known = sorted({each.name for each in facts.characters_of()})
            if not facts.called(character) and not did_you_mean(character, known):
                return None  # a character of another game, so the set is not one of these
            hint = (
                did_you_mean(written, [*SET_TITLES, *SET_TITLES.values()]) or f" The sets are {', '.join(SET_TITLES)}."
            )
            raise NewDeckError(f"There is no such set: {written!r}.{hint}")
    matches = facts.called(character, set_id)
    if not matches:
        if elsewhere := [each.set for each in facts.called(character)]:
            raise NewDeckError(
                f"There is no {character} in {SET_TITLES[set_id or '']}; {either([SET_TITLES[each] for each in elsewhere])} has one. "
                f"Write `set`: {either(elsewhere)}."
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
        f"adventure: B  # {DECK_KEYS['adventure'].says}",
        f"stage: new  # {DECK_KEYS['stage'].says}",
        "cards:",
    ]
    if not cards:
        lines.append(f"  # {', '.join(amount(number, each) for each in CARD_TYPES if (number := chosen.base(each)))}")
    kind = None
    for card, count in cards.items():
        comment = f"  # {card.type}" if card.type != kind else ""
        kind = card.type
        lines.append(f"  - {f'{count}x ' if count > 1 else ''}{card.name}{comment}")
    lines.append("# After the first scenario, write `stage: rebuilt` and the lines below that apply:")
    for key in DECK_KEYS.values():
        if not any(line.startswith(f"{key.name}:") for line in lines):
            lines.append(f"{f'# {key.name}: {key.example}':36}  # {key.says}")
    return "\n".join(lines) + "\n"


MOST_NAMED = 6


def unchecked(seat: Seat) -> Iterator[str]:
    """Yield a sentence for each fact that the checks lacked because it is unknown or missing from the deck file."""
    deck = seat.deck
    cards = list(dict.fromkeys(deck.cards))
    of_set = seat.facts.of_set(deck.set)
    if described := [
        card for card in cards if not card.own and (card.class_deck or not card.copies) and card not in of_set
    ]:
        whose = "its description" if len(described) == 1 else "their descriptions"
        yield f"{named(described)}: taken from {whose} in the deck file."
    if deck.character.own:
        yield f"{seat.name}: taken from your own data on this character ({deck.character.own})."
    for title in dict.fromkeys(card.own for card in cards if card.own):
        yield f"{named([card for card in cards if card.own == title])}: taken from your own card data ({title})."
    if uncounted := [card for card in cards if card not in described and seat.box.copies(card) is None]:
        yield f"Number of copies of {named(uncounted)} in the box: unknown."
    if unnumbered := [card for card in cards if card.deck is None]:
        yield f"The adventure deck of {named(unnumbered)}: unknown."
    if deck.skill_feats and deck.character.skill_feat_boxes is None:
        yield f"Number of boxes for each skill of {seat.name}: unknown."
    if deck.stage == "rebuilt" and deck.deck_adjustments and deck.role and SETS[deck.set].roles_adjust:
        yield f"How the role card {deck.role} changes the Cards List: taken from `deck_adjustments`."
    loot = [card for card in cards if card.loot and card not in seat.taken_from_box()]
    if strays := [card for card in loot if card.name not in seat.facts.loot(deck.set) and not seat.owned(card)]:
        yield f"Which reward gives {named(strays)}: unknown."

    if deck.stage != "rebuilt":
        return
    if deck.had is None and deck.from_box is None:
        yield "Where the cards came from: the deck file has neither `had` nor `from_box`."
    elif deck.had is None and not deck.left_over:
        yield "Whether the party still had cards when the box filled a gap: the deck file has neither `had` nor `left_over`."
    if deck.after_scenario is None and (deck.card_feats or deck.skill_feats or deck.feats("power") or deck.role):
        yield f"Feats are counted as if all of adventure {deck.adventure} had been played: `after_scenario` is not given."


def named(cards: list[PathfinderCard]) -> str:
    """Name the first cards and count the others, such as `Cure, Dagger and 3 more`."""
    first = ", ".join(card.name for card in cards[:MOST_NAMED])
    return first + (f" and {len(cards) - MOST_NAMED} more" if len(cards) > MOST_NAMED else "")


FAMILIES = get_args(Family)
CHECKS = {
    set_id: sorted((*RULESETS[set_id].checks, *PARTIES[set_id].checks), key=lambda each: FAMILIES.index(each.family))
    for set_id in SETS
}
"""The checks for each set, in the order that a report lists their findings."""


def rulesets() -> Mapping[str, Ruleset[Any]]:
    """Return the ruleset of each set, with its rules for single decks and for all decks of a party."""
    return {set_id: ruleset_of(set_id) for set_id in SETS}


def ruleset_of(set_id: str) -> Ruleset[GameTable]:
    """Return the ruleset of a set, with its rules for single decks and for parties in the order of a report."""
    ruleset = Ruleset[GameTable]("pathfinder", SET_TITLES[set_id])
    ruleset.checks.extend(CHECKS[set_id])
    return ruleset


def findings_on(table: GameTable) -> Iterator[Finding]:
    """Check a party by all rules of its set, and yield the findings."""
    return chain.from_iterable(check.findings(table) for check in CHECKS[table.set])


def check_deck(deck: PathfinderDeck, facts: Facts, file: str) -> Report:
    """Check a deck by the rules of its set and return the report. `file` is the name of its file in the report.

    The report's `details` contain the set, the stage, the adventure, the number of cards, the actual and required
    numbers of each type, and sentences about facts that the checks lacked.
    """
    seat = seat_of(deck, facts)
    return Report(
        file=file,
        game="pathfinder",
        character=deck.character.name,
        findings=tuple(findings_on(seat.table)),
        details={
            "set": deck.set,
            "stage": deck.stage,
            "adventure": deck.adventure,
            "cards": len(deck.cards),
            "types": {kind: {"cards": len(cards), "list": want} for kind, cards, want in seat.filled_lines()},
            "not_checked": list(unchecked(seat)),
        },
    )
