"""Rules on the whole party: the number of decks, different characters, the same set and the same adventure."""

from __future__ import annotations

from collections import Counter

from kb.decks.names import both, name_key
from kb.decks.problems import Problem, Problems
from kb.decks.remedies import Advice, ListUnder, Remedy, Set, Unlist
from kb.games.pathfinder.decks.facts import SET_TITLES
from kb.games.pathfinder.decks.rulesets import table_rule
from kb.games.pathfinder.decks.table import GameTable
from kb.plural import counted

DECKS_WITH_BASE_SET = 4
DECKS_WITH_ADD_ON = 6


def players(table: GameTable) -> list[str]:
    """Return the names of the characters in a party.

    The characters are the owners of the party's decks. A single deck's file may also name the other characters under
    `party`.
    """
    named = [seat.name for seat in table.seats]
    if table.alone:
        listed = list(table.seats[0].deck.party)
        return listed if name_key(named[0]) in map(name_key, listed) else [*named, *listed]
    return named


def fewer(table: GameTable, names: list[str]) -> tuple[Remedy, ...]:
    """Return the remedies that remove the decks of the characters `names` from the party."""
    if table.rebuilding:
        return (Unlist("members", tuple(names)),)
    put_back = f"write down the cards of {counted(len(names), 'deck')} and put them back in the box"
    return (Unlist("party", tuple(names)),) if table.alone else (Advice(put_back),)


@table_rule("limited-decks-at-once", "starting-a-new-character")
def decks_at_once(table: GameTable) -> Problems:
    """A party has at most 4 decks with the base set, and at most 6 with the Character Add-On Deck."""
    keys = list(map(name_key, players(table)))
    number = len(set(keys)) if table.alone else len(keys)
    owned = [deck.owns for deck in table.decks if deck.owns is not None]
    owns = frozenset[str]().union(*owned) if owned else None
    characters = [table.facts.characters.get((table.set, key)) for key in keys]
    with_add_on = any(each and each.product == "C" for each in characters) if owns is None else "C" in owns
    most = DECKS_WITH_ADD_ON if with_add_on else DECKS_WITH_BASE_SET
    if number <= most:
        return
    remedies = list(fewer(table, [name for name in players(table) if name != table.seats[0].name][most - number :]))
    if not with_add_on and number <= DECKS_WITH_ADD_ON:
        remedies.append(ListUnder("owns", ("add-on",)))
    box = "even with the Character Add-On Deck" if with_add_on else "with the base set"
    yield Problem(
        f"{number} decks are built at once; {box}, at most {most} are allowed.",
        severity="warning" if owns is None and number <= DECKS_WITH_ADD_ON else None,
        count=number,
        limit=most,
        remedies=tuple(remedies),
    )


@table_rule("choose-your-character")
def one_deck_a_character(table: GameTable) -> Problems:
    """No two players of a party play the same character card."""
    names = players(table)
    called = {name_key(name): name for name in reversed(names)}
    for key, number in Counter(map(name_key, names)).items():
        if number > 1:
            yield Problem(
                f"{called[key]} is in the party {number} times.",
                count=number,
                limit=1,
                remedies=(
                    Advice("let each player choose another character"),
                    *fewer(table, [called[key]] * (number - 1)),
                ),
            )


@table_rule("organizing-the-box", "card-sets", family="pool")
def one_box(table: GameTable) -> Problems:
    """All decks of a party are from the same set."""
    sets = list(dict.fromkeys(deck.set for deck in table.decks))
    if len(sets) > 1:
        yield Problem(
            f"The decks are from {both([SET_TITLES[each] for each in sets])}.",
            remedies=(Advice("check the decks for each box separately, because two boxes do not share cards"),),
        )


@table_rule("rebuilding-your-deck", "put-the-current-adventure-card-faceup", severity="warning")
def one_adventure(table: GameTable) -> Problems:
    """All decks of a party are at the same adventure."""
    played = list(dict.fromkeys(deck.adventure for deck in table.decks))
    if len(played) > 1:
        yield Problem(
            f"The decks are at different adventures: {', '.join(played)}. Copies are counted for the latest.",
            remedies=(Set("adventure", choices=tuple(played)),),
        )
