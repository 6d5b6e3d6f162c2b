"""The exact remedies that deck checks offer in borderline cases, and the kinds of cards in a deck."""

import pytest

from kb.decks.remedies import Boxes, Clear, Exchange, Remove, Steps
from kb.games.arkham.decks.agreement import Agreement
from kb.games.arkham.decks.card import Mark
from kb.games.arkham.decks.deck import ArkhamDeck, Brought
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.profile import Kind, profile_of

from .conftest import FACTS, RECORDS, changed, check, deck, errors, named

START = Agreement(start=True)
DIRECTIVES = {"front": named("Roland Banks (btb)")}
DISTILLATION = named("Alchemical Distillation")


def label(name):
    return FACTS.label(named(name))


def labels(*names):
    return tuple(map(label, names))


def remedies(one, name, **given):
    """Return a list with the remedies of each finding of the check called `name` on the deck `one`."""
    return [finding.remedies for finding in check(one, **given).findings if finding.check.id == name]


def test_a_duplicate_is_exchanged_or_removed_if_enough_cards_stay():
    lily = deck("Lily Chen", {"Discipline": 2, "Burden of Destiny": 2})
    twice = labels("Discipline", "Discipline")
    others = labels(
        "Discipline: Quiescence of Thought", "Discipline: Prescience of Fate", "Discipline: Balance of Body"
    )
    _, (exchange, fewer) = remedies(lily, "cards-of-the-sides")
    assert exchange == Exchange(1, twice, others)
    assert fewer == Steps((Remove(1, twice), Remove(1, labels("Burden of Destiny")))), (
        "one card of the list must stay in the deck"
    )


def test_three_directives_are_required_so_none_is_removed():
    roland = deck("Roland Banks", {"Directive": 2, "Directive: Red Tape": 1}, **DIRECTIVES)
    others = labels("Directive: Consult Experts", "Directive: Seek the Truth", "Directive: Leave No Doubt")
    assert remedies(roland, "cards-of-the-sides") == [(Exchange(1, labels("Directive", "Directive"), others),)]


@pytest.mark.parametrize(("copies", "exchanged"), [(3, True), (4, False)])
def test_copies_are_exchanged_only_if_the_list_has_so_many_other_cards(copies, exchanged):
    held = {"Directive": copies, "Directive: Red Tape": 1, "Directive: Consult Experts": 1}
    found = remedies(deck("Roland Banks", held, **DIRECTIVES), "cards-of-the-sides")
    kinds = [type(remedy) for each in found for remedy in each]
    assert (Exchange in kinds) is exchanged, "only two other directives are left to exchange for"


def test_the_classes_nearest_to_seven_cards_are_filled_up():
    lola = {"Backstab": 0, "Unexpected Courage": 1, "Beat Cop": 1, "Deduction": 1}
    lola |= dict.fromkeys(("Machete", ".45 Automatic", "Physical Training", "Magnifying Glass"), 2)
    lola |= dict.fromkeys(("Old Book of Lore", "Working a Hunch", "Switchblade", "Burglary", ".41 Derringer"), 2)
    lola |= dict.fromkeys(("Knife", "Flashlight", "Emergency Cache", "Guts", "Perception", "Overpower"), 2)
    ((remedy,),) = remedies(deck("Lola Hayes", lola | {"Manual Dexterity": 2}), "cards-of-several-classes")
    assert (remedy.copies, remedy.what) == (1, "rogue cards"), "6 rogue cards are nearer to 7 than 0 mystic cards"


def test_two_missing_classes_need_two_exchanges():
    one = deck("Subject 5U-21", {"Haunted": 1, "Psychosis": 1, "Charisma": 1})
    ((steps,),) = remedies(one, "cards-of-several-classes")
    assert [(each.copies, each.what) for each in steps.steps] == [(7, "mystic cards"), (7, "survivor cards")]


def test_attached_cards_missing_from_the_deck_are_removed():
    given = {"Stick to the Plan": 1, "Dodge": 1}
    plan = {named("Stick to the Plan"): tuple(map(named, ("Dodge", "Dodge", "Dodge")))}
    too_many, *_ = remedies(deck("Roland Banks", given, attachments=plan), "attached-cards")
    assert too_many == (Remove(2, labels("Dodge", "Dodge", "Dodge"), "attached"),), (
        "3 copies are attached, but the deck has 1"
    )
    wrong = {named("Stick to the Plan"): tuple(map(named, ("Machete", "Knife")))}
    (all_of_them,) = remedies(deck("Roland Banks", given, attachments=wrong), "attached-cards")
    assert all_of_them == (Remove(2, labels("Machete", "Knife"), "attached"),)


def test_another_card_with_attachments_does_not_hide_the_only_copy():
    given = {"Stick to the Plan": 1, "Eldritch Brand": 1, "Shrivelling": 2}
    brand = {named("Eldritch Brand"): (named("Shrivelling"),)}
    assert len(remedies(deck("Agnes Baker", given, attachments=brand), "only-copy")) == 1


def test_without_a_spell_the_remedy_removes_the_eldritch_brand():
    spells = {"Shrivelling": 2, "Scrying": 2}
    (found,) = remedies(deck("Agnes Baker", {"Eldritch Brand": 1, **spells}), "only-copy-recorded")
    assert [each.steps[0] for each in found] == [Remove(1, labels(each, each)) for each in spells]
    bare = changed(deck("Agnes Baker", {"Eldritch Brand": 1}), dict.fromkeys(spells, 0))
    (found,) = remedies(bare, "only-copy-recorded")
    assert found == (Remove(1, labels("Eldritch Brand")),)


@pytest.mark.parametrize(("copies", "wrong"), [(1, True), (2, False), (3, False)])
def test_fan_made_cards_without_facts_may_be_the_missing_ones(copies, wrong):
    whole = deck("Roland Banks")
    two_less = changed(whole, {next(code for code, number in whole.cards.items() if number == 2): 0})
    two_less.brought = (Brought("fan-x", "Zorblax Thing", {}, {}),)
    assert ("deck-size" in errors(changed(two_less, {}) if not copies else with_fans(two_less, copies))) is wrong


def with_fans(one, copies):
    return ArkhamDeck(one.investigator, {**one.cards, "fan-x": copies}, brought=one.brought)


@pytest.mark.parametrize(
    ("cards", "experience", "leave"),
    [
        ({"Shrivelling (3)": 1}, 2, ["Shrivelling (3)"]),
        ({"Shrivelling (3)": 2, "Open Gate": 0}, 3, ["Shrivelling (3)"]),
        ({"Shrivelling (3)": 2, "Scrying (3)": 1}, 3, ["Shrivelling (3)", "Shrivelling (3)"]),
    ],
)
def test_the_remedy_removes_just_enough_expensive_cards(cards, experience, leave):
    one = deck("Agnes Baker", cards, experience=experience)
    ((remedy,),) = remedies(one, "level-0-at-the-start", agreement=START)
    assert remedy == Exchange(len(leave), labels(*leave), what="level 0 cards")


def test_copies_of_a_myriad_card_are_paid_once_and_removed_together():
    one = deck('"Skids" O\'Toole', {"Easy Mark (1)": 3, "Switchblade (2)": 1}, experience=1)
    ((remedy,),) = remedies(one, "level-0-at-the-start", agreement=START)
    assert remedy == Exchange(1, labels("Switchblade (2)"), what="level 0 cards")
    one = deck('"Skids" O\'Toole', {"Easy Mark (1)": 3, "Scrapper (3)": 0, "Liquid Courage (1)": 1})
    ((remedy,),) = remedies(one, "level-0-at-the-start", agreement=START)
    assert sorted(remedy.out) == sorted(labels(*["Easy Mark (1)"] * 3, "Liquid Courage (1)")), (
        "the three copies of Easy Mark cost 1 together, as much as Liquid Courage"
    )


def test_boxes_missing_on_the_sheet_are_unchecked():
    marks = {DISTILLATION: (Mark(4, 5), Mark(0, -1), Mark(9, 2))}
    one = deck("Roland Banks", {"Alchemical Distillation": 2}, customizations=marks)
    key, of = f"upgrades.{DISTILLATION}", f"upgrade {{}} of {label('Alchemical Distillation')}"
    assert remedies(one, "boxes-on-the-sheet") == [
        (Boxes(of.format(5), 3, checked=False, key=f"{key}.5"),),
        (Clear((f"{key}.1",)),),
        (Boxes(of.format(10), 2, checked=False, key=f"{key}.10"),),
    ]


def test_the_first_entry_of_a_duplicate_upgrade_stays():
    marks = {DISTILLATION: (Mark(4, 1), Mark(4, 2))}
    one = deck("Roland Banks", {"Alchemical Distillation": 2}, customizations=marks)
    of, key = f"upgrade 5 of {label('Alchemical Distillation')}", f"upgrades.{DISTILLATION}.5"
    assert remedies(one, "boxes-on-the-sheet") == [(Boxes(of, 2, checked=False, key=key),)]


KINDS = {
    "01001": Kind.OF_NO_DECK,  # an investigator
    "03077b": Kind.OF_NO_DECK,  # a story
    "04244": Kind.STORY,  # an investigator card that replaces yours in the story
    "05046": Kind.OF_NO_DECK,
    "01000": Kind.BASIC,  # the placeholder is hidden, but it is a basic weakness
    "08011b": Kind.OF_NO_DECK,  # the other side of a card
    "11753b": Kind.STORY,  # the other side of a card that becomes a story asset
    "02059": Kind.OF_NO_DECK,  # an asset that a scenario puts into play
    "01117": Kind.STORY,  # an asset that a campaign adds to decks
}


@pytest.mark.parametrize("code", KINDS)
def test_kinds_of_cards(code):
    assert profile_of(FACTS, deck()).status(code).kind is KINDS[code]


def test_a_card_of_your_own_list_is_put_into_decks_without_a_limit():
    def cards(kind):
        own = {"own": "My cards"} if kind == "card" else {}
        return [{**each, **own} if each.get("code") == "02059" else each for each in RECORDS.get(kind, ())]

    assert profile_of(ArkhamFacts(cards), deck()).status("02059").kind is Kind.STORY
