"""Who is at the table of a campaign: those who play, who left and may come back, who is out for good - and who is named by mistake."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, Generic, TypeVar

from kb.campaigns.reader import GameRecord, described
from kb.decks.problems import At, Problem, Problems
from kb.decks.remedies import ListUnder, Set, Unlist
from kb.frozen import frozen

Person = TypeVar("Person", bound=Any)


@frozen
class Table(Generic[Person]):
    """Where a table stands: `away` are those who left and may come back, `out` those who are out of the campaign for good."""

    people: tuple[Person, ...] = ()
    away: tuple[Person, ...] = ()
    out: tuple[Person, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """The names of those who play."""
        return frozenset(person.name for person in self.people)

    def person(self, name: str) -> Person | None:
        """Who plays by that name."""
        return next((each for each in self.people if each.name == name), None)

    def moved(
        self,
        played: Any,
        out: Iterable[str],
        grown: Callable[[Person], Person],
        begin: Callable[[str, Person | None], Person | None],
    ) -> tuple[tuple[Person, ...], tuple[Person, ...], tuple[Person, ...]]:
        """Who plays, is away and is out after a game, whose record says who `left` and `joined`.

        `grown` makes of each what they are after it; `begin` gives who joins by a name, from what they were when they left (None: new).
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
    """Whoever is named under one of these keys of a game's file without having been there."""
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
) -> Problems:
    """Whoever joins who is out for good, `stayed` at the table or brings no deck, and whoever has a deck without being there `after`."""
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
    for name in decks:
        if name not in after:
            yield Problem(
                f"{name} has a deck, but is no longer in the party.",
                who=name,
                at=At("decks", name),
                remedies=(Unlist("decks", (name,)), ListUnder("joined", (name,))),
            )
