"""Rebuilding a party: every deck is complete, no card is added or lost, and no other assignment of the cards is
better.
"""

import itertools
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.games.pathfinder.decks.deck import PathfinderDeck
from kb.games.pathfinder.decks.deck_check import check_deck
from kb.games.pathfinder.decks.facts import Facts, PathfinderCard, PathfinderCharacter
from kb.games.pathfinder.decks.table import seat_of
from kb.games.pathfinder.own_cards import LEFT_OUT
from kb.games.pathfinder.party.rebuild import rebuild_party
from kb.games.pathfinder.party.table_check import check_party, judge, written
from kb.games.pathfinder.party.table_file import TableFile
from kb.games.pathfinder.party.to_rebuild import Member, TableToRebuild
from kb.games.pathfinder.records import CARD_TYPES
from kb.shapes import build

from ..decks.conftest import FACTS
from .conftest import rebuilt

KYRA = "game: pathfinder\nset: rotr\nadventure: 1\nmembers:\n  Kyra:\n    pool: "


def deck_of(character, adventure, cards):
    return PathfinderDeck(character=character, stage="rebuilt", adventure=adventure, cards=cards)


# ---- real facts, any party


@st.composite
def tables(draw):
    """Draw a party of up to six characters. Their cards are any cards of the set that the box may contain by the
    party's adventure. No card has more copies than exist.
    """
    set_id = draw(st.sampled_from(["rotr", "mm"]))
    adventure = draw(st.sampled_from("B123456"))
    known = sorted(each.name for (owner, _), each in FACTS.characters.items() if owner == set_id)
    names = draw(st.lists(st.sampled_from(known), min_size=1, max_size=5, unique=True))
    heads = [deck_of(FACTS.characters[set_id, name.casefold().replace(" ", "")], adventure, ()) for name in names]
    box = seat_of(heads[0], FACTS).box
    stock = [
        card
        for card in sorted(FACTS.of_set(set_id), key=lambda card: card.name)
        if card.type and not card.loot and card.deck != "P" and (card.number or 0) <= heads[0].number
        for _ in range(min(3, box.copies(card) or 0))
    ]
    picks = draw(st.lists(st.integers(0, len(stock) - 1), max_size=22 * len(names), unique=True))
    cards = [stock[place] for place in picks]
    hands = draw(st.lists(st.integers(0, len(names) + 1), min_size=len(cards), max_size=len(cards)))
    piles = [
        tuple(card for card, hand in zip(cards, hands, strict=True) if hand == each) for each in range(len(names) + 2)
    ]
    some = st.lists(st.sampled_from(cards), max_size=3, unique=True).map(tuple) if cards else st.just(())
    wishes, refuses = [draw(some) for _ in names], [draw(some) for _ in names]
    return TableToRebuild(
        set_id,
        adventure,
        tuple(
            Member(deck_of(head.character, adventure, pile), wish, refuses=refused)
            for head, pile, wish, refused in zip(heads, piles, wishes, refuses, strict=False)
        ),
        rewards=piles[-1],
        dead=(("Nobody", piles[-2]),) if piles[-2] else (),
    )


@settings(max_examples=40, deadline=None)
@given(tables())
def test_no_card_appears_or_vanishes_and_every_deck_is_exact_and_legal_alone_and_together(table):
    done = rebuild_party(table, FACTS, fill=True)
    kept = Counter(card for each in done.members.values() for card in each.deck)
    assert kept + Counter(done.left_over) == table.held()
    for member in table.members:
        renewed = done.members[member.name]
        places = sum(renewed.need.values())
        assert len(renewed.cards) + sum(renewed.box.values()) == places
        assert len(renewed.deck) + sum(renewed.lacking.values()) == places
    held = {member.name: Counter(member.deck.cards) for member in table.members}
    refuses = {member.name: member.refuses for member in table.members}
    assert not [move for move in done.moves if move.card in (*refuses[move.to], *refuses.get(move.origin, ()))]
    assert not [(name, card) for name, each in done.members.items() for card in each.chosen if card in refuses[name]]
    for move in done.moves:
        if move.origin in held:
            assert held[move.origin][move.card] > 0
            held[move.origin][move.card] -= 1
    assert rebuild_party(table, FACTS, fill=True) == done
    file = TableFile(table, (), {})
    errors = [each.finding for each in judge(file, done, FACTS) if each.finding.severity == "error"]
    # Random decks may contain more copies than a base set, and Estra may refuse Honaire. Other errors are bugs.
    refused = {"refused-moves", "cards-that-must-be-held"} if any(refuses.values()) else set()
    assert {finding.check.id for finding in errors} <= {"decks-at-once", "box-has-a-card", *refused}
    if {finding.check.id for finding in errors} & {"box-has-a-card", "refused-moves"}:
        return
    decks = [written(member, table, done) for member in table.members]
    for deck in decks:
        report = check_deck(deck, FACTS, "deck")
        assert [each for each in report.findings if each.severity == "error" and each.check.id != "decks-at-once"] == []
    assert {each.check.id for each in check_party(decks, FACTS) if each.severity == "error"} <= {"decks-at-once"}


# ---- small sets of cards, compared with every possible assignment


def small(kind, number, owner=None, basic=True):
    return PathfinderCard(f"{kind} {number}", "rotr", kind, "B", (("B", 20),), basic, False, owner, None, ())


WEAPONS = [small("weapon", number) for number in range(3)]
SPELLS = [small("spell", number) for number in range(3)]
CARDS = [*WEAPONS, *SPELLS]


def someone(name, weapons, spells, counts_as):
    lines = {kind: {"base": 0, "max": 0} for kind in CARD_TYPES}
    lines |= {"weapon": {"base": weapons, "max": weapons}, "spell": {"base": spells, "max": spells}}
    return build(
        PathfinderCharacter,
        {**LEFT_OUT, "set": "rotr", "class": "-", "name": name, "cards_list": lines, "counts_as": counts_as},
    )


@st.composite
def small_tables(draw):
    rules = [[], [{"type": "weapon", "as": "spell", "without_trait": None}]]
    members = []
    for name in ("Ann", "Bob", "Cid")[: draw(st.integers(1, 3))]:
        character = someone(name, draw(st.integers(0, 2)), draw(st.integers(0, 2)), draw(st.sampled_from(rules)))
        pool = draw(st.lists(st.sampled_from(CARDS), max_size=2))
        wishes = draw(st.lists(st.sampled_from(CARDS), max_size=2))
        keep = draw(st.lists(st.sampled_from(pool), max_size=1)) if pool else []
        refuses = tuple(draw(st.lists(st.sampled_from(CARDS), max_size=2)))
        members.append(Member(deck_of(character, "B", tuple(pool)), tuple(wishes), False, tuple(keep), refuses))
    return TableToRebuild("rotr", "B", tuple(members), tuple(draw(st.lists(st.sampled_from(CARDS), max_size=1))))


def fits(member, cards):
    """Return True if the member's Cards List has room for all `cards`."""
    need = {kind: line.base for kind, line in member.deck.character.cards_list.items()}
    return any(
        all(number <= need[kind] for kind, number in Counter(choice).items())
        for choice in itertools.product(*(member.deck.character.may_fill(card) for card in cards))
    )


def complete(member):
    cards = list(member.deck.cards)
    return not member.wishes and fits(member, cards) and len(cards) == places_of(member)


def places_of(member):
    return sum(line.base for line in member.deck.character.cards_list.values())


def score(table, hands, trades):
    """Return the quality of an assignment as a tuple; a smaller tuple is better.

    The tuple contains five numbers: cards from the box, minus the cards kept, unfulfilled wishes, minus the cards that
    stay with their owner, and trades.
    """
    kept = missed = stayed = 0
    for member in table.members:
        now, had = Counter(hands[member.name]), Counter(member.deck.cards)
        kept += (now & had & Counter(had if complete(member) else member.keep)).total()
        missed += (Counter(member.wishes) - now).total()
    for origin, cards in table.piles():
        stayed += (Counter(hands.get(origin, ())) & Counter(cards)).total()
    places = sum(places_of(member) for member in table.members)
    return places - sum(map(len, hands.values())), -kept, missed, -stayed, trades


def every_assignment(table):
    """Yield (hands, trades) for every assignment of the cards to members or the box. Complete decks do not change, and
    no refused trade occurs.
    """
    refuses = {member.name: member.refuses for member in table.members}
    held = [(origin, card) for origin, cards in table.piles() for card in cards]
    settled = [each for each in table.members if complete(each) and not each.deck.character.counts_as]
    for goal in itertools.product([None, *table.members], repeat=len(held)):
        hands = {
            member.name: [card for (_, card), to in zip(held, goal, strict=True) if to is member]
            for member in table.members
        }
        if all(fits(member, hands[member.name]) for member in table.members) and all(
            Counter(hands[member.name]) == Counter(member.deck.cards) for member in settled
        ):
            moved = [
                (card, origin, to.name)
                for (origin, card), to in zip(held, goal, strict=True)
                if to is not None and origin != to.name
            ]
            if not any(card in (*refuses[to], *refuses.get(origin, ())) for card, origin, to in moved):
                yield score(table, hands, sum(origin in hands for _, origin, _ in moved))


@settings(max_examples=200, deadline=None)
@given(small_tables())
def test_no_assignment_is_better(table):
    facts = Facts({("rotr", card.name.replace(" ", "")): card for card in CARDS}, {}, {}, {})
    done = rebuild_party(table, facts)
    reached = score(table, {name: list(each.deck) for name, each in done.members.items()}, len(done.trades))
    assert min(every_assignment(table)) == reached
    assert len(done.missed) == reached[2]
    assert all(move.why for move in done.moves)


# ---- single rules


SUGGESTED = "[Mace, Quarterstaff, Cure, Guidance, Mending, Chain Mail, Wooden Shield, Holy Water, Guard, 6x Blessing of the Gods]"


def test_a_complete_deck_stays_unchanged():
    late = "dead: {Lem: {pool: [Codex, Sling, Levitate, Sanctuary, Strength, Sage]}}\nrewards: [Arcane Armor]\n"
    table, done = rebuilt(KYRA + SUGGESTED + "\n" + late)
    assert not done.moves
    assert Counter(done.members["Kyra"].deck) == Counter(table.members[0].deck.cards)
    _, done = rebuilt(KYRA + SUGGESTED + "\n    wishes: [Codex]\n" + late)
    assert [(move.card.name, move.origin, move.why) for move in done.moves] == [
        ("Codex", "late Lem", "Kyra wished for it")
    ]
    assert [card.name for card in done.left_over if card.type == "item"] == ["Holy Water"]


def test_cards_listed_under_keep_are_not_traded():
    ezren = "[Detect Magic, 3x Force Missile, Invisibility, Levitate, 2x Lightning Touch, Sleep]"
    text = KYRA + "[2x Cure]\n    wishes: [Sleep]\n  Ezren:\n    pool: " + ezren + "\n"
    assert [move.card.name for move in rebuilt(text)[1].trades] == ["Sleep"]
    assert "Sleep" not in [move.card.name for move in rebuilt(text + "    keep: [Sleep]\n")[1].trades]


ESTRA = (
    "game: pathfinder\nset: mm\nadventure: 1\nafter_scenario: 1\n{}members:\n"
    "  Estra:\n    pool: [Acid Jet, Cure, Remove Curse, Unshakable Chill, Viper Strike, Armored Kilt, Compass, "
    "Osirion History Guide, Camel, Porcupine, Tomb Raider, 2x Blessing of the Ancients, 2x Blessing of the Elements]\n"
)


def test_a_required_card_that_the_party_lost_comes_from_the_box_even_into_a_complete_deck():
    table, done = rebuilt(ESTRA.format(""), fill=True)
    assert [card.name for card in done.members["Estra"].chosen] == ["Honaire"]
    assert [card.type for card in done.left_over] == ["ally"]
    assert [each.finding for each in judge(TableFile(table, (), {}), done, FACTS)] == []
    assert rebuilt(ESTRA.format(""))[1].members["Estra"].lacking == {"ally": 1}
    _, done = rebuilt(ESTRA.format("rewards: [Honaire]\n"), fill=True)
    assert (done.members["Estra"].chosen, [move.card.name for move in done.moves]) == ((), ["Honaire"])
    table, done = rebuilt(ESTRA.format("removed: [Honaire]\n"), fill=True)
    assert done.members["Estra"].chosen == ()
    found = [each.finding for each in judge(TableFile(table, (), {}), done, FACTS)]
    assert [(each.check.id, each.severity) for each in found] == [("cards-that-must-be-held", "warning")]


def test_refusing_a_required_card_leaves_no_legal_plan():
    table, done = rebuilt(ESTRA.format("rewards: [Honaire]\nrefuses: {Estra: [Honaire]}\n"), fill=True)
    found = {each.finding.check.id: each.finding.severity for each in judge(TableFile(table, (), {}), done, FACTS)}
    assert found["refused-moves"] == found["cards-that-must-be-held"] == "error"


OPEN_BOX = "game: pathfinder\nset: rotr\nadventure: 3\nmembers:\n  Harsk: {new: yes, wishes: [Heavy Crossbow]}\n"
LEM = "dead: {Lem: {pool: [3x Cure]}}\n"
TWO_TYPES = (
    "game: pathfinder\nset: mm\nadventure: 1\nmembers:\n"
    "  Mavaro: {pool: [Explorer's Staff, Whip, Cure, Unshakable Chill, Viper Strike, Crocodile Skin Armor, Compass, Magnifying Glass, "
    "Noxious Bomb, Embalmer, Tomb Raider, Blessing of the Ancients, 3x Blessing of the Elements]}\n"
    "  Damiel: {pool: [Blowgun, Armored Kilt, Tussah Silk Coat, 2x Acid Flask, Bladeguard, Flash Freeze, Antitoxin, Crowbar, Dhabba, "
    "Porcupine, 4x Blessing of the Elements]}\n"
)


@pytest.mark.parametrize(
    ("text", "who", "card", "copies"),
    [
        ("game: pathfinder\nset: mm\nadventure: 1\nowns: [base]\nmembers:\n  Zadim: {new: yes, wishes: [3x Kukri]}\n"
         "dead: {Zadim: {pool: [3x Kukri]}}\n", "Zadim", "Kukri", 3),  # the dead character's cards are back in the box
        ("game: pathfinder\nset: mm\nadventure: 1\nowns: [base]\nmembers:\n  Zadim: {new: yes}\n", "Zadim", "Heavy Pick", 0),
        (OPEN_BOX + "  Valeros: {new: yes, wishes: [Greataxe]}\n" + LEM, "Harsk", "Heavy Crossbow", 1),
        (OPEN_BOX + "  Valeros: {new: yes, wishes: [Greataxe]}\n" + LEM, "Valeros", "Greataxe", 0),  # one death, so one newcomer takes cards
        (TWO_TYPES, "Damiel", "Torch", 0),  # a weapon of Mavaro also counts as an item, so it is used before the box
    ],
)  # fmt: skip
def test_cards_that_come_from_the_box(text, who, card, copies):
    _, done = rebuilt(text, fill=True)
    assert [each.name for each in done.members[who].chosen].count(card) == copies


def test_the_box_gives_basic_cards_and_from_adventure_3_cards_two_numbers_below():
    def may_take(adventure):
        _, done = rebuilt(KYRA.replace("adventure: 1", f"adventure: {adventure}") + "[Mace]\n")
        return {card.name for card in done.members["Kyra"].eligible["armor"]}

    assert "Elven Breastplate" not in may_take(2)
    assert "Elven Breastplate" in may_take(3)
    assert "Chain Mail" in may_take(2)
    assert "Magic Full Plate" not in may_take(4)


def test_loot_is_listed_but_never_chosen():
    _, done = rebuilt(KYRA.replace("adventure: 1", "adventure: 6") + "[Mace]\n", fill=True)
    loot = {card.name for cards in done.members["Kyra"].disputed.values() for card in cards}
    assert loot
    assert not loot & {card.name for card in done.members["Kyra"].chosen}


def test_promos_come_only_where_they_are_owned():
    text = "game: pathfinder\nset: mm\nadventure: 4\n{}members:\n  Yoon: {{pool: [Torch]}}\n"
    names = {
        owns: {card.name for card in rebuilt(text.format(owns))[1].members["Yoon"].eligible["ally"]}
        for owns in ("", "owns: [base, promo]\n")
    }
    assert "Reta Bigbad" not in names[""]
    assert "Reta Bigbad" in names["owns: [base, promo]\n"]
    rotr = KYRA.replace("adventure: 1", "adventure: 6\nowns: [base, promo]") + "[Mace]\n"
    assert "Horsechopper +1" not in {card.name for card in rebuilt(rotr)[1].members["Kyra"].eligible["weapon"]}


def test_cards_out_of_the_game_are_not_in_the_box():
    def may_take(more):
        _, done = rebuilt(KYRA + "[Mace]\n" + more)
        return {card.name for card in done.members["Kyra"].eligible["ally"]}

    copies = sum(number or 0 for product, number in FACTS.cards["rotr", "guard"].copies)
    assert "Guard" in may_take("")
    assert "Guard" in may_take(f"removed: [{copies - 1}x Guard]\n")
    assert "Guard" not in may_take(f"removed: [{copies}x Guard]\n")
