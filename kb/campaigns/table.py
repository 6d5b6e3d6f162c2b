"""Members of a campaign's party: active, away or out for good, and checks of the names in a game's file."""

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
    """The members of a party: `people` play, `away` left and may come back, `out` are out of the campaign for good."""

    people: tuple[Person, ...] = ()
    away: tuple[Person, ...] = ()
    out: tuple[Person, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """Return the names of the active members."""
        return frozenset(person.name for person in self.people)

    def person(self, name: str) -> Person | None:
        """Return the active member with this name."""
        return next((each for each in self.people if each.name == name), None)

    def moved(
        self,
        played: Any,
        out: Iterable[str],
        grown: Callable[[Person], Person],
        begin: Callable[[str, Person | None], Person | None],
    ) -> tuple[tuple[Person, ...], tuple[Person, ...], tuple[Person, ...]]:
        """Return the active, the away and the out members after a game, whose record lists who `left` and `joined`.

        `grown` returns a member after the game. `begin` returns the member who joins by a name, given their state when
        they left (None: new).
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
    """Yield a problem for each person named under one of these keys who did not play the game."""
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
    """Yield a problem for each person who cannot join because they are `out` for good, have `stayed` or bring no deck.
    Also yield one for each deck of a person who is not a member `after` the game. People who are `gone` were members
    before.
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
