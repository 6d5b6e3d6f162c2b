"""Borderline cases in the checks of decks and parties: the remedies offered, the cards suggested, and decks after a
rebuild.
"""

import pytest

from kb.decks.deckfile import parse_deck
from kb.decks.remedies import Exchange, Fill, Remove
from kb.games.pathfinder.decks.cards_list import fill
from kb.games.pathfinder.decks.deckfile import read_deck
from kb.games.pathfinder.decks.facts import names
from kb.games.pathfinder.decks.table import seat_of
from kb.games.pathfinder.party.table_check import written

from ..decks.conftest import FACTS
from ..decks.test_checks import REBUILT, Case
from .conftest import findings, rebuilt

HEAD = "game: pathfinder\nset: rotr\nadventure: 1\n"


def seat(head="", **given):
    text = Case("Lini", f"{REBUILT}1\n{head}" if head is not None else "", **given).text()
    return seat_of(read_deck(parse_deck(text, "deck"), FACTS), FACTS)


@pytest.mark.parametrize(("missing", "box"), [(2, 0), (3, 0), (4, 5)])
def test_cards_that_the_party_still_has_come_first(missing, box):
    found = fill(seat("left_over: [Dagger, Mace, Sling]"), "weapon", missing)
    assert (found.copies, found.what, found.have) == (missing, "weapon", ("Dagger", "Mace", "Sling"))
    assert (len(found.among), found.more) == (box, "the box" if box else "")


def test_only_cards_that_the_party_lacks_come_from_the_box():
    kept = seat("left_over: [Dagger, Mace, Sling]")
    assert fill(kept, "armor", 3).among == kept.candidates("armor", 3)
    assert fill(kept, "weapon", 9).among == kept.candidates("weapon", 6), "3 of the 9 come from the remaining cards"


def test_a_new_deck_is_filled_with_candidates_and_not_from_the_box():
    assert fill(seat(None), "weapon", 2) == Fill(2, "weapon", among=seat(None).candidates("weapon", 2))


@pytest.mark.parametrize(("owns", "has"), [("", True), ("owns: [base]", False), ("owns: [base, class decks]", True)])
def test_class_decks_are_available_unless_owns_leaves_them_out(owns, has):
    assert seat(owns).box.has_class_decks is has


@pytest.mark.parametrize(("number", "distinct"), [(1, 5), (5, 5), (6, 6), (11, 11)])
def test_a_remedy_offers_five_names_or_as_many_as_needed(number, distinct):
    found = seat().candidates("weapon", number)
    assert len(found) == len(set(found)) == distinct


def test_names_repeat_if_there_are_too_few():
    found = seat().candidates("armor", 4)
    assert len(found) == 4
    assert len(set(found)) < 4
    assert len(set(seat().candidates("armor", 3))) == 3, "three names are enough for three cards"


def test_a_card_is_not_exchanged_for_itself_and_two_cards_get_different_names():
    at = seat(plus="Dagger")
    (dagger,) = {card for card in at.deck.cards if card.name == "Dagger"}
    assert "Dagger" in at.candidates("weapon")
    assert "Dagger" not in at.candidates("weapon", 11, dagger)
    later = [card for card in FACTS.of_set("rotr") if card.type == "weapon" and card.number == 5][:2]
    _, copies = seat()._copies_left("weapon")[0]
    at = seat(plus="; ".join(names([later[0]] * copies + [later[1]])))
    first, second = (at.candidates("weapon", 1, card) for card in later)
    assert second[0] == first[1], "the first card gets all copies of the first name"


def test_later_rewards_are_those_not_gained_yet():
    at = seat("after_scenario: 2")
    gained, later = list(at.rewards()), list(at.gives_later())
    assert gained
    assert later
    assert not [each for each in later if each in gained]
    every = [gives for each in FACTS.adventures["rotr"] for gives in (*each.scenarios, each.reward)]
    assert len(gained) + len(later) == len(every)


def loot(text):
    return [each.finding for each in findings(text) if each.finding.check.id == "loot-is-earned"]


def test_surplus_loot_is_removed_and_a_single_holder_is_named():
    head = HEAD + "after_scenario: 5\nmembers:\n"
    (both,) = loot(f"{head}  Kyra: {{pool: [2x Sihedron Medallion]}}\n  Lem: {{pool: [Sihedron Medallion]}}\n")
    assert (both.who, both.count, both.limit) == ("", 3, 1)
    assert both.remedies[0] == Remove(2, ("Sihedron Medallion",) * 2, who="Lem")
    (alone,) = loot(f"{head}  Kyra: {{pool: [2x Sihedron Medallion]}}\n  Lem: {{pool: [Dagger]}}\n")
    assert (alone.who, alone.count, alone.remedies[0].copies) == ("Kyra", 2, 1)
    assert not isinstance(alone.remedies[0], Exchange), (
        "the remedy for a party does not exchange the loot for another card"
    )


def test_a_deck_after_a_rebuild_says_where_its_cards_come_from():
    text = "members: {Kyra: [Mace, Quarterstaff], Ezren: [Sleep, 9x Cure, 9x Mace], Lem: {new: true}}\n"
    table, done = rebuilt(HEAD + text, fill=True)
    decks = {member.name: written(member, table, done) for member in table.members}
    moved = [(move.origin, move.card.name, move.to) for move in done.moves if move.origin in decks and move.to in decks]
    assert moved
    for name, deck in decks.items():
        assert names(deck.received) == [card for _, card, to in moved if to == name]
        assert set(names(deck.gave)) >= {card for origin, card, _ in moved if origin == name}
        assert set(names(deck.gave)) <= {move.card.name for move in done.moves if move.origin == name}
        assert deck.party == ("Kyra", "Ezren", "Lem")
    kyra, ezren, lem = decks.values()
    assert [deck.stage for deck in decks.values()] == ["rebuilt", "rebuilt", "new"]
    assert (names(kyra.had), lem.had, lem.from_box) == (["Mace", "Quarterstaff"], None, None)
    assert done.left_over
    assert (kyra.left_over, ezren.left_over, lem.left_over) == (done.left_over, done.left_over, ())


def test_without_fill_nothing_comes_from_the_box():
    table, done = rebuilt(HEAD + "members: {Kyra: [Mace, Quarterstaff], Ezren: [Sleep], Lem: {new: true}}\n")
    assert [written(member, table, done).from_box for member in table.members] == [(), (), None]
