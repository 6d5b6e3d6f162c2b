"""Reads the files of a campaign: the set-up, and the record of each game."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from kb.campaigns.campaign import Folder
from kb.campaigns.reader import Reader
from kb.decks import nodes
from kb.decks.deckfile import DeckFile
from kb.decks.names import did_you_mean, name_key, split_quantity
from kb.decks.nodes import Scalar
from kb.games.arkham.campaign.state import TRAUMA, ArkhamSetup, Group, person_of
from kb.games.arkham.decks.agreement import Agreement, AgreementError, NamedDeck, agreement_of
from kb.games.arkham.decks.card_finder import CardFinder
from kb.games.arkham.decks.deck import each_copy
from kb.games.arkham.decks.deck_reading import read_deck, taboo_number
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.yaml_deck import YamlDeckReader

MOST_TRAUMA = 20

CORE_CAMPAIGN = "Night of the Zealot"
"""The campaign of the core set (see arkham/products/campaigns). The name of its cycle is different."""

SOMETHING = "something else"

KINDS_OF_DEFEAT = {"damage": "damage", "horror": "horror", **dict.fromkeys((SOMETHING, "yes", "true"), SOMETHING)}


class ArkhamReader(Reader):
    """Reads one file of a campaign: the set-up, or a game.

    A deck in the file that names no taboo list gets the list that the group agreed on.
    """

    deck_is = "`{investigator: …, cards: {…}}`"

    facts: ArkhamFacts

    def __init__(
        self,
        file: DeckFile,
        folder: Folder,
        facts: ArkhamFacts,
        setup: ArkhamSetup | None = None,
        state: Group | None = None,
    ) -> None:
        super().__init__(file, folder, facts)
        self.group, self.taboo = state, setup.taboo if setup else None
        self.finder = CardFinder(facts)
        if state:
            everybody = (*state.people, *state.away, *state.out)
            self.people = {key: person.name for person in reversed(everybody) for key in reversed(person.called)}

    def cards(self, key: str) -> dict[str, tuple[str, ...]]:
        """Return the cards under `key` in the file: for each investigator, the code of every copy."""
        reader = YamlDeckReader(self.mapping, self.finder, self.problems)
        return {
            name: each_copy(
                reader.pile(nodes.Sequence((value,), value.line) if isinstance(value, Scalar) else value, key)
            )
            for name, _, value in self.by_person(key)
        }

    def experience(self, key: str, most: int) -> dict[str, int]:
        """Return the experience under `key` by investigator. The file gives one number for all, or one for each
        investigator.

        A number above `most` is reported as a problem.
        """
        node = self.get(key)
        if isinstance(node, Scalar) and self.group:
            return dict.fromkeys((person.name for person in self.group.people), self.number(key, most) or 0)
        return self.numbers(key, most)

    def defeated(self, key: str) -> dict[str, str]:
        """Return the cause of each defeat (`damage`, `horror` or `something else`) under `key`, by investigator."""
        if not isinstance(self.get(key), nodes.Mapping):
            return dict.fromkeys(self.names(key), SOMETHING)
        return {
            name: self.choose(value, KINDS_OF_DEFEAT, "way to be defeated") or SOMETHING
            for name, _, value in self.by_person(key)
        }

    def trauma(self, key: str) -> dict[str, dict[str, int]]:
        """Return the trauma suffered in the game under `key`: for each investigator, the points of each kind."""
        return {
            name: {kind: below.number(kind, MOST_TRAUMA) or 0 for kind in TRAUMA}
            for name, below in self.each_below(key, TRAUMA, "{physical: 1}")
        }

    def deck(self, file: DeckFile, name: str) -> NamedDeck:
        """Return the deck of `file`. If it names no taboo list, it gets the campaign's list. Raises DeckFileError."""
        deck = read_deck(file, self.facts)
        if self.taboo is not None and not deck.taboo:
            deck = replace(deck, taboo=self.taboo)
        return NamedDeck(file.name, deck)

    def deck_keys(self, name: str) -> dict[str, str]:
        """Return the keys that a deck inside a campaign's file may leave out, with their values.

        The investigator is the deck's label, `name`.
        """
        return {"investigator": name}

    def setup(self) -> ArkhamSetup:
        """Return the set-up of a campaign from its first file: group, cycle, taboo list and agreements. Problems are
        noted.
        """
        node = self.scalar("campaign")
        cycle = cycle_called(node.text, self.facts) if node else ""
        if node and not cycle:
            hint = did_you_mean(node.text, [each.name for each in self.facts.cycles.values()])
            self.note(node, f"There is no campaign {node.text!r} in the card facts.{hint}")
        if number := self.scalar("taboo"):
            try:
                self.taboo = taboo_number(number.text, self.facts)
            except AgreementError as error:
                self.note(number, str(error))
        people = []
        for name, held in self.decks("decks").items():
            person = person_of(name, held, self.facts)
            if person is None:
                self.note(self.get("decks") or self.file.root, f"The investigator of {name}'s deck is unknown.")
            else:
                people.append(person)
        if not people and not self.problems:
            self.note(self.line_of("decks"), "There are no players. List who has which deck under `decks:`.")
        called = self.text("name") or (node.text if node else "") or "A campaign"
        difficulty, agreed = self.text("difficulty"), self.collection()
        return ArkhamSetup(called, Group(tuple(people)), self.lines(), difficulty, cycle, self.taboo, *agreed)

    def collection(self) -> tuple[Counter[str], Agreement]:
        """Return the copies of each product owned, by code, and the group's agreements on environment, ultimatums and
        boons.

        Unknown names are reported as problems.
        """
        lists = {key.removesuffix("s"): list(self.words(key)) for key in ("expansions", "ultimatums", "boons")}
        agreement = agreement_of({}, self.facts)
        try:
            agreement = agreement_of({"environment": self.text("environment") or None, **lists}, self.facts)
        except AgreementError as error:
            self.note(self.mapping, str(error))
        owned: Counter[str] = Counter()
        for node in self.scalars("owned"):
            copies, name = split_quantity(node.text)
            try:
                owned.update(dict.fromkeys(agreement_of({"owned": [name]}, self.facts).products, copies))
            except AgreementError as error:
                self.note(node, str(error))
        return owned, agreement


def cycle_called(name: str, facts: ArkhamFacts) -> str:
    """Return the code of the cycle that the campaign `name` belongs to; empty for an unknown name.

    A Return To box belongs to the cycle that it returns to.
    """
    key = name_key(name)
    own = key.removeprefix("returnto")
    return (
        facts.cycle_names.get(key) or facts.cycle_names.get(own) or ("core" if own == name_key(CORE_CAMPAIGN) else "")
    )
