"""The Pathfinder Adventure Card Game as one of the games of `kb.decks.games`: facts, check, view and new deck."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from kb.decks.deckfile import DeckFile
from kb.decks.games import NO_FRAME, DeckView, NewDeckError, Records
from kb.decks.names import did_you_mean, either, name_key, split_quantity, tally
from kb.decks.report import Report
from kb.decks.ruleset import Ruleset
from kb.games.pathfinder.decks.check import RULESETS, check_deck
from kb.games.pathfinder.decks.counts import amount, lines, wanted
from kb.games.pathfinder.decks.deckfile import read_deck
from kb.games.pathfinder.decks.facts import Facts, card_of, character_of
from kb.games.pathfinder.decks.model import CARD_TYPES, SET_TITLES, Card
from kb.games.pathfinder.decks.ruleset import Subject
from kb.own_records import CARD, CHARACTER, COPIES, FACTS

MOST_COPIES = 15
Rows = Iterable[Mapping[str, Any]]


def with_own(
    records: Mapping[str, Iterable[Mapping[str, Any]]],
    cards: Rows,
    told: Rows,
    copies: Rows,
    characters: Rows = (),
) -> Facts:
    """Facts from the records by kind (`card`, `character`, `deck`, `adventure`) and from the user's own: `cards`, what they have
    `told` of cards of which the facts do not know it, their `copies` and `characters`."""
    facts = Facts.from_records(
        filled(records["card"], told), records["character"], records["deck"], records["adventure"]
    )
    boons, other_names = dict(facts.cards), dict(facts.other_names)
    printings = brought(boons, other_names, cards)
    owned: dict[tuple[str, str], int] = {}
    for record in copies:
        at = record["set"], name_key(record["name"])
        owned[at] = owned.get(at, 0) + record["copies"]
    made = replace(facts, cards=boons, other_names=other_names, class_printings=printings, owned=owned)
    return with_characters(made, characters)


def with_characters(facts: Facts, records: Rows) -> Facts:
    """The facts with the user's own characters, in the sets they are used with. One whose name a character of any set has is called
    by its Class Deck too, `Kyra (Cleric)`: the plain name means who had it before, whether or not a deck says its set."""
    characters, suggested, unknown = dict(facts.characters), dict(facts.suggested), dict(facts.unknown)
    shipped = {key for _, key in facts.characters}
    for record in records:
        for set_id in SET_TITLES if record["set"] == "own" else (record["set"],):
            made = character_of({**record, "set": set_id})
            must_hold = tuple(card.name if (card := facts.card(set_id, name)) else name for name in made.must_hold)
            made = replace(made, must_hold=must_hold)
            whole = f"{made.name} ({record['class_deck'] or record['own']})"
            if name_key(made.name) in shipped or (set_id, name_key(made.name)) in characters:
                made = replace(made, name=whole, trait=made.name)
            if characters.setdefault((set_id, name_key(made.name)), made) is not made:
                continue  # another list brings the same one
            characters.setdefault((set_id, name_key(whole)), made)
            counted = [(line, *split_quantity(line)) for line in record["deck_list"]]
            found = [(line, number, facts.card(set_id, name)) for line, number, name in counted]
            suggested[set_id, made.name] = tuple(
                card for _line, number, card in found if card is not None for _ in range(min(number, MOST_COPIES))
            )
            unknown[set_id, made.name] = tuple(line for line, _number, card in found if card is None)
    return replace(facts, characters=characters, suggested=suggested, unknown=unknown)


def filled(cards: Rows, told: Rows) -> Rows:
    """The records of cards with what the user knows where they know nothing."""
    known = {(record["set"], record["name"]): record for record in told}
    if not known:
        return cards
    return [
        {**card, **{key: value for key, value in known[at].items() if key in card and card[key] is None}}
        if (at := (card["set"], card["name"])) in known
        else card
        for card in cards
    ]


def brought(
    boons: dict[tuple[str, str], Card], other_names: dict[tuple[str, str], Card], records: Iterable[Mapping[str, Any]]
) -> dict[tuple[str, str], tuple[Card, ...]]:
    """Put the user's own cards among those of the sets they are used with. Those whose name a card there has are returned."""
    printings: dict[tuple[str, str], tuple[Card, ...]] = {}
    for record in records:
        for set_id in SET_TITLES if record["set"] == "own" else (record["set"],):
            card = card_of({**record, "set": set_id})
            for name in (record["name"], *record["also_called"]):
                at = set_id, name_key(name)
                if name == record["name"] and at not in boons and at not in other_names:
                    boons[at] = card
                elif name == record["name"]:
                    printings[at] = (*printings.get(at, ()), card)
                else:
                    other_names.setdefault(at, card)
    return printings


def load_facts(records: Records) -> Facts:
    """Facts of both sets, and of the user's own cards."""
    shipped = {kind: records(kind) for kind in ("card", "character", "deck", "adventure")}
    return with_own(shipped, records(CARD), records(FACTS), records(COPIES), records(CHARACTER))


def check(file: DeckFile, facts: Facts, frame: Mapping[str, Any] = NO_FRAME) -> Report:
    """Read and check a deck file. Raises DeckFileError."""
    return check_deck(read_deck(file, facts), facts, file.name)


def show(file: DeckFile, facts: Facts) -> DeckView:
    """Cards per type beside the Cards List. Raises DeckFileError."""
    deck = read_deck(file, facts)
    subject = Subject(deck, facts)
    played = f"adventure {deck.adventure}" + (f", after scenario {deck.after_scenario}" if deck.after_scenario else "")
    rows = []
    for kind, held in lines(subject).items():
        rows.append((kind, str(len(held)), str(wanted(subject, kind)[0]), tally(card.name for card in held)))
    if unknown := deck.of_type(None):
        rows.append(("type unknown", str(len(unknown)), "", tally(card.name for card in unknown)))
    total = sum(wanted(subject, kind)[0] for kind in CARD_TYPES)
    rows.append(("all", str(len(deck.cards)), str(total), ""))
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
    if set_id is not None:
        named = name_key(set_id)
        set_id = next((key for key, title in SET_TITLES.items() if named in (key, name_key(title))), None)
        if set_id is None:
            raise NewDeckError(f"There is no such set. Known are {', '.join(SET_TITLES)}.")
    found = [
        each
        for (owner, key), each in facts.characters.items()
        if key == name_key(character) and set_id in (None, owner)
    ]
    if not found:
        elsewhere = [each.set for (_, key), each in facts.characters.items() if key == name_key(character)]
        if set_id is not None and elsewhere:
            raise NewDeckError(
                f"There is no {character} in {SET_TITLES[set_id]}; {either([SET_TITLES[each] for each in elsewhere])} has one: "
                f"write --set {either(elsewhere)}."
            )
        known = {each.name for (owner, _), each in facts.characters.items() if set_id in (None, owner)}
        if hint := did_you_mean(character, sorted(known)):
            raise NewDeckError(f"There is no character {character!r}.{hint}")
        return None
    if len(found) > 1:
        raise NewDeckError(
            f"{found[0].name} is in several sets. Add --set {either(sorted(each.set for each in found))}."
        )
    chosen = found[0]
    cards = facts.suggested.get((chosen.set, chosen.name), ())
    counts = {card.name: cards.count(card) for card in cards}
    lines = [
        "game: pathfinder",
        f"set: {chosen.set}  # {SET_TITLES[chosen.set]}",
        f"character: {chosen.name}",
        "adventure: B  # B or 1 to 6: the adventure being played",
        "stage: new  # rebuilt, once a scenario has been played",
        "cards:",
    ]
    if not counts:
        lines.append(f"  # {', '.join(amount(number, each) for each in CARD_TYPES if (number := chosen.base(each)))}")
    kind = None
    for name, count in counts.items():
        card = next(card for card in cards if card.name == name)
        comment = f"  # {card.type}" if card.type != kind else ""
        kind = card.type
        lines.append(f"  - {f'{count}x ' if count > 1 else ''}{name}{comment}")
    lines.extend(
        f"  # {line}: {SET_TITLES[chosen.set]} has no such card"
        for line in facts.unknown.get((chosen.set, chosen.name), ())
    )
    return "\n".join([*lines, *MORE_KEYS]) + "\n"


def rulesets() -> Mapping[str, Ruleset[Any]]:
    """The rulesets of both sets, for one deck and for the decks of one table."""
    from kb.games.pathfinder.party.checks import PARTIES

    return {**RULESETS, **{f"{set_id}-party": ruleset for set_id, ruleset in PARTIES.items()}}
