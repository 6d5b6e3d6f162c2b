"""Power feats, given as a number of checked boxes or by name, in deck files, party files and the form."""

import pytest

from kb.decks.deckfile import parse_deck
from kb.decks.form import KeyChange, changed
from kb.decks.nodes import DeckFileError
from kb.games.pathfinder.decks import deck_form
from kb.games.pathfinder.decks.character_sheet import character_sheet
from kb.games.pathfinder.decks.deck_check import check_deck
from kb.games.pathfinder.decks.deckfile import keys_of, read_deck
from kb.games.pathfinder.decks.feats import feats_from_the_left
from kb.games.pathfinder.decks.power_feats import PowerFeats
from tests.games.pathfinder.decks.conftest import FACTS

EZREN = "character: Ezren\nset: rotr\nstage: rebuilt\nadventure: 4\ncards: [Force Missile]\n"
POWERS = ("hand size 7", "draw a card")


def deck(lines, start=EZREN):
    return read_deck(parse_deck(f"{start}{lines}\n", "deck.yaml"), FACTS)


@pytest.mark.parametrize(
    ("written", "number", "named"),
    [
        ("3", 3, ()),
        ("0", 0, ()),
        ("hand size 7", 1, ("hand size 7",)),
        ("[hand size 7, draw a card]", 2, POWERS),
        ("{hand size: 7, power 1: draw a card}", 2, POWERS),
        ("{hand size 7: yes, draw a card: yes, other: 2}", 4, POWERS),
        ("{hand size: [7, 8], role: no}", 2, ("hand size 7", "hand size 8")),
        ("[power 1, power 2]", 2, ()),
    ],
)
def test_power_feats_are_a_number_or_names(written, number, named):
    made = deck(f"power_feats: {written}")
    assert made.powers == PowerFeats(number, named)
    again = deck("", f"{deck_form.text(keys_of(made))}")
    assert again.powers == PowerFeats(number, named)


@pytest.mark.parametrize("written", ["hand size 9", "[hand size 7, Hand Size 7]", "-1", "100", "{other: many}"])
def test_impossible_power_feats_are_refused(written):
    with pytest.raises(DeckFileError) as refused:
        deck(f"power_feats: {written}")
    assert [problem.line for problem in refused.value.problems] == [6]


def test_a_proficiency_is_a_box_in_any_form():
    who = next(each for each in FACTS.characters.values() if each.proficiency_by_feat)
    box = who.proficiency_by_feat[0]
    start = f"character: {who.name}\nset: {who.set}\nstage: rebuilt\nadventure: 4\ncards: []\n"
    for form in (box, box.title(), f"proficient with {box}"):
        made = read_deck(parse_deck(f"{start}power_feats: [{form}]\n", "x.yaml"), FACTS, without_cards=True)
        assert made.powers.named == (box,)


def test_hand_sizes_are_checked_from_the_left():
    def found(lines):
        return [each for each in check_deck(deck(lines), FACTS, "d").findings if each.by(feats_from_the_left)]

    assert len(found("power_feats: [hand size 8]")) == 1
    assert found("power_feats: [hand size 7, hand size 8]") == []


def sheet(lines):
    return {
        line.label: [(box.label, box.checked) for box in line.boxes]
        for part in character_sheet(deck(lines))
        for line in part.lines
    }


def test_named_boxes_are_checked_on_the_sheet():
    named = sheet("power_feats: [hand size 7, draw a card]")
    assert (named["Hand size"], named["Powers"]) == ([("7", True), ("8", False)], [("draw a card", True)])
    assert sheet("power_feats: {hand size 7: yes, other: 1}")["Hand size"] == [("7", True), ("8", None)]


def test_the_form_changes_one_box_at_a_time():
    file = parse_deck(f"{EZREN}power_feats: 2\n", "deck.yaml")
    value = deck_form.value(file, FACTS)
    for key, new in (("hand size 7", "yes"), ("power 1", "draw a card"), ("other", "")):
        value = changed(value, KeyChange(f"power_feats.{key}", new))
    text = deck_form.text(value)
    made = read_deck(parse_deck(text, "deck.yaml"), FACTS)
    assert made.powers == PowerFeats(2, POWERS)
    fields = {each.key: (each.kind, each.value) for each in deck_form.fields(parse_deck(text, "deck.yaml"), FACTS)}
    assert {key: each for key, each in fields.items() if key.startswith("power_feats")} == {
        "power_feats.hand size 7": ("flag", "yes"),
        "power_feats.hand size 8": ("flag", ""),
        "power_feats.power 1": ("text", "draw a card"),
        "power_feats.power 2": ("text", ""),
        "power_feats.other": ("number", ""),
    }
    for key in ("hand size 7", "power 1"):
        value = changed(value, KeyChange(f"power_feats.{key}", ""))
    assert read_deck(parse_deck(deck_form.text(value), "deck.yaml"), FACTS).feats("power") == 0


@pytest.mark.parametrize(
    "written",
    [
        "skill_feats: {Intelligence: 2}\ncard_feats: {spell: 1}\npower_feats: [hand size 7]",
        "skill_feats: [Intelligence, Intelligence]\ncard_feats: [spell]\npower_feats: hand size 7",
        "skill_feats: Intelligence 2\ncard_feats: spell\npower_feats: {hand size: 7}",
        "feats: {skill: [Intelligence, Intelligence], card: spell, power: hand size 7}",
        "feats: {skill_feats: {Intelligence: 2}, card feats: {spell: 1}, power: [hand size 7]}",
    ],
)
def test_both_forms_of_feats_are_read_alike_and_written_in_one(written):
    made = deck(written)
    assert (made.skill_feats, made.card_feats, made.powers.named) == (
        {"Intelligence": (1, 2)},
        {"spell": (1,)},
        ("hand size 7",),
    )
    keys = keys_of(made)
    assert [keys[key] for key in ("skill_feats", "card_feats", "power_feats")] == [
        {"Intelligence": 2},
        {"spell": 1},
        ["hand size 7"],
    ]
    assert "feats" not in keys


CHANNA_TI = "character: Channa Ti\nset: mm\nstage: rebuilt\nadventure: 4\ncards: [Dhabba]\n"


@pytest.mark.parametrize(
    ("start", "role", "size", "boxes"),
    [
        (CHANNA_TI, "role: Tsunami Caster\n", 8, ["7", "8"]),
        (CHANNA_TI, "role: tsunami caster\n", 8, ["7", "8"]),
        (CHANNA_TI, "role: Oasis Caller\n", 7, ["7"]),
        (CHANNA_TI, "", 7, ["7"]),
        (CHANNA_TI.replace("Channa Ti", "Ahmotep"), "role: Eldritch Scion\n", 9, ["7", "8", "9"]),
        (EZREN, "role: Illusionist\n", 9, ["7", "8"]),  # the largest hand size of this role is unknown
    ],
)
def test_a_role_card_may_have_more_boxes_for_the_hand_size(start, role, size, boxes):
    made = deck(f"{role}power_feats: [hand size {size}]", start)
    assert made.powers.named == (f"hand size {size}",)
    lines = [line for part in character_sheet(made) for line in part.lines if line.label == "Hand size"]
    assert [[box.label for box in line.boxes] for line in lines] == [boxes]


@pytest.mark.parametrize(
    ("role", "size", "card"),
    [("", 8, "character card"), ("role: Oasis Caller\n", 8, "role card"), ("", 6, "character")],
)
def test_a_hand_size_without_a_box_is_reported(role, size, card):
    with pytest.raises(DeckFileError, match=f"no box for hand size {size}; the {card}"):
        deck(f"{role}power_feats: [hand size {size}]", CHANNA_TI)
