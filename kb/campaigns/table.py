"""The members of a campaign's party, and checks of the names in a game's file. A member is active, away, or out for
good.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, Generic, TypeVar

from kb.campaigns.reader import GameRecord
from kb.decks.file_keys import described
from kb.decks.problems import At, Problem, Problems
from kb.decks.remedies import ListUnder, Set, Unlist
from kb.frozen import frozen

Person = TypeVar("Person", bound=Any)


@frozen
class Table(Generic[Person]):
    """The members of a party. `people` are active, `away` are members who left and may come back, and `out` are members
    who are out of the campaign for good.
    """

    people: tuple[Person, ...] = ()
    away: tuple[Person, ...] = ()
    out: tuple[Person, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """Return the names of the active members."""
        return frozenset(person.name for person in self.people)

    def person(self, name: str) -> Person | None:
        """Return the active member called `name`; None if there is none."""
        return next((each for each in self.people if each.name == name), None)

    def moved(
        self,
        played: Any,
        out: Iterable[str],
        grown: Callable[[Person], Person],
        begin: Callable[[str, Person | None], Person | None],
    ) -> tuple[tuple[Person, ...], tuple[Person, ...], tuple[Person, ...]]:
        """Return the active members, the away members and the out members after a game. The game's record `played`
        lists who `left` and `joined`; `out` contains the names of members who are now out for good.

        `grown` returns a member's state after the game. `begin` returns the member who joins under a name. Its second
        argument is the state in which the member left, or None for a new member.
        """
        people = {person.name: grown(person) for person in self.people}
        away = {person.name: person for person in self.away}
        gone = [people.pop(name) for name in out if name in people]
        away |= {name: people.pop(name) for name in played.left if name in people}
        for name in played.joined:
            if name not in people and (new := begin(name, away.pop(name, None))):
                people[new.name] = new
        return tuple(people.values()), tuple(away.values()), (*self.out, *gone)


def strangers(played: GameRecord, keys: Iterable[str], there: Collection[str], dead: Collection[str] = ()) -> Problems:
    """Yield a problem for each person under one of `keys` who did not play the game. `there` are the names of the
    players, and `dead` the names of characters who died.
    """
    fields = {key.name: name for name, key in described(type(played)).items()}
    for key in keys:
        for name in getattr(played, fields[key]):
            if name and name not in there:
                yield Problem(
                    f"{name} {'is dead' if name in dead else 'did not play this game'}, so the record cannot name {name} there.",
                    who=name,
                    at=(At(key, name), At(key)),
                    remedies=(Unlist(key, (name,)),),
                )


def members(
    joined: Iterable[str],
    decks: Iterable[str],
    stayed: Collection[str],
    after: Collection[str],
    out: Collection[str] = (),
    gone: Collection[str] = (),
) -> Problems:
    """Yield a problem for each person in `joined` who is `out` for good, who is already in the party (`stayed`), or who
    brings no deck.

    Also yield a problem for each owner in `decks` who is not a member `after` the game. `gone` are the members who left
    it.
    """
    for name in joined:
        if name in out:
            yield Problem(
                f"{name} joins, but is out of this campaign for good.",
                who=name,
                at=At("joined"),
                remedies=(Unlist("joined", (name,), why="and choose another character"),),
            )
        elif name in stayed:
            yield Problem(
                f"{name} joins, but is already in the party.",
                who=name,
                at=At("joined"),
                remedies=(Unlist("joined", (name,)),),
            )
        elif name not in after:
            yield Problem(
                f"{name} joins, but the record has no deck for {name}.",
                who=name,
                at=At("joined"),
                remedies=(Set("decks", who=name, why="to the deck that they bring"), Unlist("joined", (name,))),
            )
    there = {*stayed, *out, *gone}
    for name in decks:
        if name not in after:
            yield Problem(
                f"{name} has a deck, but {'is not in the party after this game' if name in there else 'never joined the party'}.",
                who=name,
                at=At("decks", name),
                remedies=(Unlist("decks", (name,)), ListUnder("joined", (name,))),
            )
