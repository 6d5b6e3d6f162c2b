"""Asks a party about the scenario it has played, and writes the party file that the decks are rebuilt from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from kb.decks.deckfile import DeckFile, parse_deck, refusal
from kb.decks.form import text_of
from kb.decks.names import split_quantity
from kb.decks.nodes import key_name
from kb.decks.questions import Conversation, Question, for_each
from kb.games.pathfinder.decks.deck_check import new_deck
from kb.games.pathfinder.decks.deck_form import adventure_titles
from kb.games.pathfinder.decks.deckfile import keys_of, listed, read_deck
from kb.games.pathfinder.decks.facts import ADVENTURES, SET_TITLES, Facts, PathfinderCard, PathfinderCharacter
from kb.games.pathfinder.party.collection import readable_decks
from kb.games.pathfinder.party.table_file import OF_THE_DECK

KEPT = "pathfinder/{}/rebuilding-your-deck"
GAINED = "Decks are cut to size: cards that fill no gap may go back into the box unless they are wished for below."
JOINS, WISHES, REWARDS = (
    "Who joins the party?",
    "Which cards would {} like?",
    "Which cards did the reward give?",
)
"""Questions that a campaign also asks. They have the same ids there, so a saved answer is used in both."""
DECKS = "Decks: the suggested ones, unless you choose others"


def asked(facts: Facts) -> Conversation:
    """Ask a party about the scenario it has played. Returns the keys and values of its party file.

    Raises DeckFileError if a member's deck cannot be read.
    """
    (title,) = yield Question("Which set?", tuple(SET_TITLES.values()), needed=True, key="set")
    set_id = next(each for each, named in SET_TITLES.items() if named == title)
    known = {each.name: each for each in facts.characters_of(set_id)}
    titles = adventure_titles(set_id, facts)
    (played,) = yield Question(
        "Which adventure is played?", tuple(titles.values()), default=titles[ADVENTURES[0]], key="adventure"
    )
    adventure = next(number for number, named in titles.items() if named == played)
    deck = ADVENTURES.index(adventure)
    in_set = facts.of_set(set_id)
    cards = Question(choices=[card.name for card in in_set], many=True, copies=True, finds=found_by(in_set))
    yet = replace(cards, choices=[card.name for card in in_set if card.number is None or card.number <= deck])
    people = yield Question("Who played?", tuple(known), "played", many=True, needed=True, key="members")
    died = yield Question("Who died?", people, "died", many=True, key="dead")
    joined = yield Question(JOINS, [each for each in known if each not in people], "joined", many=True)
    had: dict[str, dict[str, Any]] = {}
    for name in people:
        text = yield Question(
            "Another deck for {} (instead of the suggested one)",
            id="deck",
            file=True,
            group=DECKS,
            of=name,
            default=new_deck(name, set_id, facts) or "",
        )
        had[name] = told_by("".join(text), known[name], facts)
    gains = replace(yet, id="gained", key="pool", note=GAINED, cite=KEPT.format(set_id))
    gained = yield from for_each(people, "Which new boons did {} end with?", gains)
    banished = yield from for_each(people, "Which cards of {} were banished?", replace(yet, id="banished"))
    rewards = yield replace(cards, text=REWARDS, key="rewards", note=gains.note, cite=gains.cite)
    living = [each for each in people if each not in died]
    wishes = yield from for_each([*living, *joined], WISHES, replace(cards, key="wishes"))
    for name in people:
        lost = Counter(
            card for each in banished.get(name, ()) for copies, card in [split_quantity(each)] for _ in range(copies)
        )
        had[name]["pool"] = [*listed(without(had[name]["pool"], lost)), *gained.get(name, ())]
    members = {name: had[name] for name in living} | {name: {"new": True} for name in joined}
    for name, wished in wishes.items():
        members[name]["wishes"] = wished
    late = {name: {"pool": had[name]["pool"]} for name in people if name in died}
    people_keys = {"members": members, "dead": late, "rewards": rewards}
    return {"game": "pathfinder", "set": set_id, "adventure": adventure} | {
        key: each for key, each in people_keys.items() if each
    }


def found_by(cards: Iterable[PathfinderCard]) -> dict[str, str]:
    """Map the name of each card to the words that the form searches: the card's type and traits."""
    return {card.name: " ".join((card.type or "", *(card.traits or ()))).lower() for card in cards}


def table(files: Sequence[DeckFile], facts: Facts) -> str:
    """Return the text of a party file whose members have the decks in `files`. Raises PartyError if one is unreadable."""
    decks = readable_decks(files, facts)
    first = decks[0]
    keys = keys_of(first)
    shared = {str(key): keys[key] for key in ("game", "set", "adventure", "after_scenario", "owns") if key in keys}
    members: dict[str, Any] = {}
    for deck in decks:
        own = keys_of(deck)
        members[deck.character.name] = {"pool": own.get("cards", [])} | {
            key: own[key] for key in OF_THE_DECK if key in own
        }
    text = text_of({**shared, "members": members})
    return "\n".join([text.rstrip(), *TO_FILL_IN]) + "\n"


TO_FILL_IN = (
    "# After the scenario, fill in the lines that apply:",
    "# rewards: [Codex]                  # cards that the reward gave",
    "# dead: {Lem: [Sling, 2x Cure]}     # each dead character's cards; dead characters are not listed as members",
    "# removed: [Caltrops]               # cards that are out of the game",
    "# Under a member: wishes: [Codex], keep: [Cure]. Add gained cards to pool, and take banished cards out.",
)


def told_by(text: str, character: PathfinderCharacter, facts: Facts) -> dict[str, Any]:
    """Return the keys of a member in a party file: feats, role and, under `pool`, the cards in the deck.

    `text` is the text of the member's deck file. If it is empty, the suggested deck is used. Raises DeckFileError if
    the deck cannot be read or is for another character.
    """
    if not text:
        return {"pool": facts.suggested_for(character)}
    file = parse_deck(text, f"the deck of {character.name}")
    deck = read_deck(file, facts)
    if deck.character is not character:
        raise refusal(file.name, f"This deck is for {deck.character.name}.")
    return {key_name(key): each for key, each in file.value().items() if key_name(key) in OF_THE_DECK} | {
        "pool": deck.cards
    }


def without(cards: Iterable[PathfinderCard], lost: Counter[str]) -> Iterator[PathfinderCard]:
    """Yield `cards` without the copies in `lost`, which has the number of lost copies by name. Changes `lost`."""
    for card in cards:
        if lost[card.name] > 0:
            lost[card.name] -= 1
        else:
            yield card
