"""Decks as text lists and as YAML, and how kb reads the card names in them."""

import pytest

from kb.decks.deckfile import parse_deck
from kb.decks.games import game_of
from kb.decks.nodes import DeckFileError
from kb.games.arkham.decks.card import Mark
from kb.games.arkham.decks.card_finder import CardFinder, UnknownName
from kb.games.arkham.decks.deck import FILE_KEYS
from kb.games.arkham.decks.deck_reading import read_deck
from kb.games.arkham.decks.text_list import list_deck, list_text
from tests.games.arkham.decks.conftest import FACTS, by_code
from tests.tables import rows_of

NAMES = CardFinder(FACTS)
EXPORT = """Own list

Agnes Baker
Packs: From Core Set to The Dunwich Legacy

Assets
1x Heirloom of Hyperborea (Core Set)
2x Shrivelling (Core Set)
1x Shrivelling (3) (The Essex County Express)
1x Shrivelling (Lost in Time and Space)
1x Holy Rosary (Core Set)

Treachery
1x Dark Memory (Core Set)
1x Random Basic Weakness (Core Set)

Side Deck
1x Ward of Protection (2)
"""


UPGRADED = """# Upgraded

Investigator: Carolyn Fern
Taboo†: 2.1 (Aug 30, 2023)

## Deck

**Asset** (8)
_Hand_ (2)
- Alchemical Distillation (C) x2
  - Mending Distillate.
  - Refined.
_Arcane_ (2)
- Summoned Servitor (C) x2
  - Dominance. Choice: Ally
_Body_ (2)
- Living Ink (C) x2
  - Chosen skill: Willpower
  - Eldritch Ink => Intellect
  - Eldritch Ink => Agility

**Event** (5)
- Power Word† (C) x3
  - Cower.
- The Raven Quill (C) x2
  - Named Tome or Spell asset: Abyssal Tome
  - Endless Inkwell. Choice: Abyssal Tome, Old Book of Lore
"""
"""A text export of arkham.build. Each upgrade with all boxes marked is a list item below its card."""


def test_upgrades_below_a_card_are_its_marked_boxes():
    read = list_deck(UPGRADED, FACTS, "x.md")
    assert (sum(read.cards.values()), read.oddities) == (11, ())
    assert {code: [(m.index, m.spent, m.chosen) for m in marks] for code, marks in read.customizations.items()} == {
        "09040": [(0, 1, ""), (4, 2, "")],
        "09080": [(5, 2, "0")],
        "09079": [(0, 0, "willpower"), (4, 2, "intellect"), (5, 3, "agility")],
        "09081": [(1, 1, "")],  # Cower takes the place of Mercy on this taboo list
        "09042": [(0, 0, "07159"), (4, 2, "07159^01031")],
    }


def test_upgrades_are_written_as_they_are_read():
    read = list_deck(UPGRADED, FACTS, "x.md")
    again = list_deck(list_text(read, FACTS), FACTS, "x.txt")
    assert (again.cards, again.customizations) == (read.cards, read.customizations)


def listed(lines, taboo="none"):
    return list_deck(f"Own\nInvestigator: Roland Banks\nTaboo: {taboo}\n{lines}", FACTS, "x.md")


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ("Living Ink\n  - Shifty Ink", 5),  # the sheet has no such upgrade
        ("Guts\n  - Shifting Ink", 5),  # the card has no sheet
        ("Shifting Ink", 4),  # there is no card above it
        ("Power Word\n  - Cower", 0),  # only another taboo list has this upgrade
    ],
)
def test_an_upgrade_that_is_not_on_the_sheet_is_refused(lines, line):
    with pytest.raises(DeckFileError) as refused:
        listed(lines)
    assert [problem.line for problem in refused.value.problems] == [line]


def test_a_card_below_a_customizable_card_stays_a_card():
    read = listed("Living Ink\n  - 2x Guts\n- Vicious Blow")
    assert (sum(read.cards.values()), dict(read.customizations)) == (4, {})


def test_a_name_shared_by_two_upgrades_is_reported():
    assert len(listed("Grizzled\n  - Specialist").oddities) == 1
    both = listed("Grizzled\n- Specialist\n- Specialist")
    assert (both.oddities, [mark.spent for mark in both.customizations["09101"]]) == ((), [1, 2])


def test_both_class_choices_of_a_whole_file_are_read():
    file = parse_deck(
        "# Two\n\nInvestigator: Charlie Kane\nClass Choice: Rogue\nClass Choice: Seeker\n\n## Deck\n- Guts x2\n", "x.md"
    )
    assert dict(read_deck(file, FACTS).choices) == {"faction_1": "rogue", "faction_2": "seeker"}


@pytest.mark.parametrize(
    ("link", "code"),
    [
        ("2x [Beat Cop](https://arkhamdb.com/card/01028)", "01028"),
        ("- [Beat Cop (2)](https://arkhamdb.com/card/01028) x2", "01028"),
        ("2x [Guts](/card/01089)", "01089"),
    ],
)
def test_the_code_in_a_link_decides_the_card(link, code):
    assert dict(listed(link).cards) == {code: 2}


def test_a_link_to_another_card_is_refused():
    with pytest.raises(DeckFileError):
        listed("2x [Guard Dog](https://arkhamdb.com/card/01028)")


@rows_of("games-arkham-text-decks", "test_names")
def test_names(text, code):
    assert NAMES.find(text).code == code


@pytest.mark.parametrize(
    "text", ["", "Dominion", "Machete (3)", "Shrivelling (2)", "99999", "Machete (The Dunwich Legacy)", "Roland Banks"]
)
def test_names_of_no_card(text):
    with pytest.raises(UnknownName):
        NAMES.find(text)


def test_a_text_export():
    read = list_deck(EXPORT, FACTS)
    assert (read.name, read.investigator) == ("Own list", "01004")
    assert dict(read.cards) == {
        "01012": 1,
        "01060": 2,
        "02154": 1,
        "02306": 1,
        "01059": 1,
        "01013": 1,
        "01000": 1,
    }
    assert dict(read.side_deck) == {"03270": 1}


def test_copies_may_stand_after_the_name_or_be_left_out():
    read = list_deck(
        "Dark Horse\nRoland Banks\nHand x2\nAlly\nMachete x2\n- Guts (x2)\nCover Up\n* Shotgun (4)\nBeat Cop ••\nRoland Banks\n"
        "Knife\n1x Knife\nAssets (7)\nSide deck\nDodge\n",
        FACTS,
    )
    assert (read.name, read.investigator) == ("Dark Horse", "01001")
    assert dict(read.cards) == {"01020": 2, "01089": 2, "01007": 1, "01029": 1, "01028": 1, "01086": 2}
    assert dict(read.side_deck) == {"01023": 1}
    with pytest.raises(DeckFileError, match=r"deck.txt:2: There is no card 'Machette'. Did you mean Machete\?"):
        list_deck("Investigator: Roland Banks\nMachette x2", FACTS, "deck.txt")


LISTED = """Own
Roland Banks
Packs: Core Set
Core Set
Assets (12):
----------
[2] Knife
Dodge, 2
x2 Guts
Strange Solution: Acidic Ichor
Dr. Milan Christopher: Professor of Entomology
21 or Bust
2x 21 or Bust
Skill cards (level 0)
Machete: 2, Double, Double
Deck size: 30
Roland Banks
XP: 5
Taboo: latest
Version: 2
"""


def test_lines_with_a_card_name_are_cards():
    read = list_deck(LISTED, FACTS)
    assert dict(read.cards) == {
        "01086": 2,
        "01023": 2,
        "01089": 2,
        "01020": 2,
        "02263": 1,
        "01033": 1,
        "08048": 3,
        "05320": 1,
    }
    assert (read.experience, read.taboo, read.choices) == (5, list(FACTS.taboos)[-1], {"deck_size_selected": "30"})


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Machette", "'Machette' is neither a card nor a heading that kb knows. Did you mean Machete?"),
        ("Guts 2", "Did you mean Guts?"),
        ("- Foo bar", "neither a card"),
        ("Guts: two", "No card 'Guts' matches"),
        ("Machette: 2", "There is no card 'Machette'"),
        ("Strange Solution: Acid", "No card 'Strange Solution'"),
        ("Daisy Walker", "neither a card"),
        ("Taboo: new", "`latest` or `none`"),
        ("XP: five", "whole number"),
        ("[01020] Machete", "neither a card"),
    ],
)
def test_no_line_below_the_investigator_is_ignored_silently(line, said):
    with pytest.raises(DeckFileError) as caught:
        list_deck(f"Own\nRoland Banks\n{line}\n2x Knife", FACTS, "deck.txt")
    assert str(caught.value).startswith("deck.txt:3: ")
    assert said in str(caught.value)


YAML = """
game: arkham
name: Own
investigator: Agnes Baker
back: Bad Blood
taboo: 8
experience: 5
cards:
  Shrivelling (3): 2
  "01060": 2
  Hunter's Armor: 1
uncounted: {Shrivelling: 2}
upgrades:
  Hunter's Armor: {1: 1, 5: {boxes: 2, chosen: x}}
side_deck: [2x Knife, Knife (core)]
exiled: [2x Fire Extinguisher]
attached: {Stick to the Plan: [Dodge]}
"""


@pytest.mark.parametrize("key", FILE_KEYS, ids=lambda key: key.name)
def test_the_example_of_a_key_can_be_read(key):
    keys = {"investigator": "Roland Banks", "cards": "{}"} | {key.name: key.example}
    text = "".join(f"{name}: {value}\n" for name, value in keys.items())
    assert read_deck(parse_deck(text, "deck.yaml"), FACTS).investigator == "01001"


def test_a_yaml_deck_may_name_upgrades():
    deck = "investigator: Roland Banks\ncards: {{Hunter's Armor: 1, Power Word: 1, Grizzled: 1}}\ntaboo: {}\nupgrades: {}\n"
    read = yaml_of(deck.format("none", "{Hunter's Armor: {1: 1, hexdrinker: {boxes: 2, chosen: x}}}"))
    assert read.customizations == {"09021": (Mark(0, 1), Mark(5, 2, "x"))}
    assert yaml_of(deck.format("latest", "{Power Word: {Cower: 1}}")).customizations == {"09081": (Mark(1, 1),)}
    for sheet in (
        "Hunter's Armor: {Hexdrnker: 1}",
        "Grizzled: {Specialist: 1}",
        "Power Word: {Cower: 1}",
        "Machete: {Item: 1}",
    ):
        with pytest.raises(DeckFileError, match=r"deck\.yaml:4"):
            yaml_of(deck.format("none", f"{{{sheet}}}"))


def yaml_of(text):
    return read_deck(parse_deck(text, "deck.yaml"), FACTS)


def test_yaml():
    read = yaml_of(YAML)
    assert (read.name, read.investigator, read.back, read.taboo, read.experience) == ("Own", "01004", "90017", 8, 5)
    assert dict(read.cards) == {"02154": 2, "01060": 2, "09021": 1}
    assert (dict(read.ignored), dict(read.side_deck)) == ({"01060": 2}, {"01086": 3})
    assert read.customizations == {"09021": (Mark(0, 1), Mark(4, 2, "x"))}
    assert read.exiled == ("02114", "02114")
    assert read.attachments == {"03264": ("01023",)}


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("cards: {Nonsense card: 1}", "no card"),
        ("cards: {Machete: two}", "whole number"),
        ("cards: Machete", "one per line"),
        ("investigator: Nobody", "no investigator"),
        ("investigator: Machete", "investigator"),
        ("back: Nowhere", "not a version"),
        ("choices: rogue", "mapping"),
        ("upgrades: {Machete: 3}", "mapping"),
        ("taboo: new", "whole number"),
        ("colour: red", "Unknown key"),
        ("cards: [[Machete]]", "one card per line"),
    ],
)
def test_what_is_wrong_with_a_yaml_deck(line, part):
    key = line.split(":")[0]
    rest = {"game": "game: arkham", "investigator": "investigator: Roland Banks", key: line}
    with pytest.raises(DeckFileError) as caught:
        yaml_of("\n".join(rest.values()))
    assert part in str(caught.value)
    assert "deck.yaml:" in str(caught.value)


def test_lines_and_the_taboo_list_of_a_yaml_deck_are_read_as_players_write_them():
    read = yaml_of(
        "game: arkham\ninvestigator: Roland Banks\ntaboo: latest\n"
        "cards: [Machete x2, 3x Knife, Shrivelling (3), 21 or Bust, '[2] Guts']\npool: [core, 'cycle:dwl']\n"
    )
    assert read.taboo == list(FACTS.taboos)[-1]
    assert dict(read.cards) == {"01020": 2, "01086": 3, "02154": 1, "08048": 1, "01089": 2}
    assert read.pool == ("core", "cycle:dwl")
    assert yaml_of("game: arkham\ninvestigator: Roland Banks\ntaboo: none").taboo == 0


def test_the_game_is_recognised():
    assert game_of(parse_deck(YAML.replace("game: arkham\n", ""), "deck.yaml")).id == "arkham"
    assert game_of(parse_deck(EXPORT, "deck.txt")).id == "arkham"
    assert game_of(parse_deck('{"investigator_code": "01001", "slots": {}}', "deck.json")).id == "arkham"
    assert game_of(parse_deck("game: Arkham Horror\ncards: []", "deck.yaml")).id == "arkham"


@pytest.mark.parametrize("heading", ["Side deck", "Sidedeck:", "SIDEBOARD (2)", "Side board", "Side slots"])
def test_cards_below_the_side_deck_heading_are_not_in_the_deck(heading):
    read = list_deck(f"Investigator: Roland Banks\nMachete x2\n{heading}\n2x Dodge\nWeakness:\nCover Up", FACTS)
    assert (dict(read.cards), dict(read.side_deck)) == ({"01020": 2, "01007": 1}, {"01023": 2})


@pytest.mark.parametrize(
    "pile",
    [
        "exiled: {Knife: 999999999}",
        "exiled: [Knife, 999 Knife, 999 Knife, 999 Knife, 999 Knife, 999 Knife, 999 Knife]",
        "attached: {Eldritch Brand (5): {Shrivelling: 999999999}}",
        "cards: {Machete: 999999999}",
        "uncounted: {Machete: -999999999}",
    ],
)
def test_too_many_copies_in_a_section_are_refused_with_their_line(pile):
    """A billion copies would use all memory."""
    with pytest.raises(
        DeckFileError, match=r"d:2: .*contains more than 5,000 cards in one section; that is not a deck"
    ):
        read_deck(parse_deck(f"investigator: Roland Banks\n{pile}\n", "d"), FACTS)


LEVEL_2 = {"Beat Cop (2)": 2}
READ = {  # lines below the investigator, and the cards that kb reads from them
    "2x Beat Cop (••)": LEVEL_2,
    "2x Beat Cop [••]": LEVEL_2,
    "2x Beat Cop (●●)": LEVEL_2,
    "2x Beat Cop (★★)": LEVEL_2,
    "2x Beat Cop (**)": LEVEL_2,
    "2x Beat Cop •• (Core Set)": LEVEL_2,
    "2x Beat Cop, level 2": LEVEL_2,
    "2x Beat Cop level 2": LEVEL_2,
    "2x 01028": LEVEL_2,
    "2,Beat Cop (2)": LEVEL_2,
    "01028\n01028": LEVEL_2,
    "2x Machete, 2x Guts": {"Machete": 2, "Guts": 2},
    "2x Machete; 2x Guts": {"Machete": 2, "Guts": 2},
    "2x Machete 2x Guts": {"Machete": 2, "Guts": 2},
    "Assets: 2x Machete, Guts": {"Machete": 2, "Guts": 1},
    "### Assets (2)\n- Machete x2": {"Machete": 2},
    "## Side deck\n2x Beat Cop (2)\n## Deck\n2x Guts": {"Guts": 2},
    "Side deck: 2x Beat Cop (2)": {},
    "# bought after the first game": {},
    "01028: 2": LEVEL_2,
    "[01028] x2": LEVEL_2,
    "Not stored in the format text: exiled cards.": {},
    "Deck: 2x Beat Cop (2)": LEVEL_2,
    "Main deck: Guts": {"Guts": 1},
    "id: 01020\nAuthor: Machete": {},
    "// bought after the first game": {},
}
REFUSED = (  # lines that kb must refuse, so that it neither misreads nor skips a card
    "2x Beat Cop, permanent",
    "2x Beat Cop (?)",
    "2x Beat Cop []",
    "2x 99999",
    "2x Assets",
    "2x 12",
    "Level 2: 2x Beat Cop",
    "Tags: 2x Beat Cop",
    "2x Machete, 2x Gutzz",
    "2x Beat Cop ○○",
    "2x Beat Cop ▪▪",
    "Beat Cop ⁂",
    "Side deck: Machette",
    "Side deck: 2x Gutzz",
    "# 2x Beat Cop",
    "// 2x Beat Cop",
    "# Weapons: 2x Beat Cop",
    "Weapons: Beat Cop",
    "Combat: Beat Cop (2)",
    "Level 2: Beat Cop (2)",
    "Firearms: 01016",
    "Weapons: Machete, Knife",
    "Assets: Machette",
    "Main deck: Machette",
    "uncounted: Machete",
    "attached: Machete",
    "pool: core",
    "owned: core",
    "environment: current",
    "Exiled: Machete",
    "choices: {faction: mystic}",
    "adjustment: three",
    "Back: Nowhere",
)


@pytest.mark.parametrize("line", READ)
def test_a_line_means_these_cards(line):
    assert list_deck(f"Name\nInvestigator: Roland Banks\n{line}", FACTS, "x.txt").cards == by_code(READ[line])


@pytest.mark.parametrize("line", REFUSED)
def test_unclear_lines_are_refused(line):
    with pytest.raises(DeckFileError) as refused:
        list_deck(f"Name\nInvestigator: Roland Banks\n{line}", FACTS, "x.txt")
    assert [problem.line for problem in refused.value.problems] == [3]


@pytest.mark.parametrize(
    "marks", ["{}", "# {}", "### {}:", "== {} ==", "--- {} ---", "**{}**", "_{}_", "[{}]", "{} (2)"]
)
@pytest.mark.parametrize(
    ("heading", "pile"),
    [
        ("Side deck", "side_deck"), ("Side-deck", "side_deck"), ("Sideboard", "side_deck"), ("Cards in side deck", "side_deck"),
        ("Spirit deck", "extra"), ("Extra deck", "extra"), ("Extra cards", "extra"), ("Deck", "cards"), ("Assets", "cards"),
    ],
)  # fmt: skip
def test_headings_of_any_form_begin_their_section(marks, heading, pile):
    read = list_deck(f"Name\nInvestigator: Roland Banks\n{marks.format(heading)}\n2x Beat Cop (2)", FACTS, "x.md")
    assert {name: dict(getattr(read, name)) for name in ("cards", "side_deck", "extra") if getattr(read, name)} == {
        pile: {"01028": 2}
    }


MAIN_DECK = (
    "Main deck: 30", "Main Deck — 30 cards", "Deck — 30", "Deck: 30 cards", "Mainboard", "Maindeck", "Decklist", "Deck (30)",
    "Main deck (30)", "Deck (40 + 6)", "My deck", "Deck",
)  # fmt: skip


@pytest.mark.parametrize("pile", ["Side deck", "Extra deck (1)"])
@pytest.mark.parametrize("heading", MAIN_DECK)
def test_the_main_deck_may_come_after_another_section(pile, heading):
    read = list_deck(f"Name\nInvestigator: Roland Banks\n## {pile}\nGuts\n## {heading}\n2x Beat Cop (2)", FACTS, "x.md")
    assert (read.name, dict(read.cards)) == ("Name", {"01028": 2})


@pytest.mark.parametrize(
    "line",
    [
        "## My side deck\nMachete",
        "## 🔥 Side deck\nMachete",
        "## Side decks\nMachete",
        "## SIDE\nMachete",
        "Side: Machete",
    ],
)
def test_a_side_deck_may_be_named_in_other_words(line):
    read = list_deck(f"Name\nInvestigator: Roland Banks\n2x Guts\n{line}", FACTS, "x.md")
    assert (dict(read.cards), dict(read.side_deck)) == ({"01089": 2}, {"01020": 1})


@pytest.mark.parametrize("heading", ["Maybeboard", "Upgrades", "Removed", "Considering", "Possible upgrades", "Cuts"])
def test_cards_that_may_be_in_no_deck_are_refused_once(heading):
    with pytest.raises(DeckFileError) as refused:
        list_deck(
            f"Name\nInvestigator: Roland Banks\n2x Guts\n## {heading}\nMachete\nKnife\n## Deck\nDodge", FACTS, "x.md"
        )
    assert [problem.line for problem in refused.value.problems] == [5]
    title = list_deck(f"# {heading}\n\nInvestigator: Roland Banks\n2x Guts", FACTS, "x.md")
    assert (title.name, dict(title.cards)) == (heading, {"01089": 2})


def test_only_bonded_cards_below_their_heading_are_left_out():
    text = "Name\nInvestigator: Roland Banks\n2x Guts\n## Bonded cards (3)\n3x Soothing Melody\n"
    assert dict(list_deck(text, FACTS).cards) == {"01089": 2}
    with pytest.raises(DeckFileError, match="not a bonded card"):
        list_deck(f"{text}Machete", FACTS)


@pytest.mark.parametrize(
    "line",
    [
        "Class Choice: Survivor",
        "Secondary Class: survivor",
        "Class: survivor",
        "choices: faction_selected: survivor",
        "choices: {faction_selected: survivor}",
        "faction_selected: survivor",
    ],
)
def test_a_choice_may_be_written_as_on_the_card_or_as_in_a_fix(line):
    read = list_deck(f"Name\nInvestigator: Tony Morgan\n{line}\n2x Guts", FACTS, "x.txt")
    assert dict(read.choices) == {"faction_selected": "survivor"}


def test_a_list_gives_the_edition_and_additional_experience():
    read = list_deck("Name\nInvestigator: Roland Banks\nrules: faq\nadjustment: 3\n2x Guts", FACTS, "x.txt")
    assert (read.rest["rules"], read.adjustment) == ("faq", 3)
    again = list_deck(list_text(read, FACTS), FACTS, "x.txt")
    assert (again.rest, again.adjustment) == (read.rest, 3)


@pytest.mark.parametrize(
    "lines", ["Investigator: Roland Banks\nBack: By the Book", "Back: By the Book\nInvestigator: Roland Banks"]
)
def test_a_side_may_be_named_by_its_product(lines):
    read = list_deck(f"Name\n{lines}\n2x Guts", FACTS, "x.txt")
    assert (read.back, read.front) == (yaml_of("investigator: Roland Banks\nback: By the Book\n").back, "")


@pytest.mark.parametrize(
    ("text", "meant", "said"),
    [
        ("Discipline: Alignmnt of Spirit", ("Discipline: Alignment of Spirit",), ""),
        ("Deduction (1)", ("Deduction", "Deduction (2)"), "levels 0 and 2"),
        ("Deduction [2] (Midnight Masks)", (), "its product ("),
    ],
)
def test_a_name_that_does_not_fit_has_a_reason_or_a_suggestion(text, meant, said):
    with pytest.raises(UnknownName) as unknown:
        NAMES.find(text)
    assert unknown.value.meant == meant
    assert said in str(unknown.value)


@pytest.mark.parametrize("between", [": ", " (2): ", " (2) - "])
def test_cards_may_follow_a_heading_in_its_line(between):
    read = list_deck(f"Name\nInvestigator: Roland Banks\nSide deck{between}2x Beat Cop (2)", FACTS, "x.md")
    assert (dict(read.cards), dict(read.side_deck)) == ({}, {"01028": 2})


@pytest.mark.parametrize(
    "line",
    [
        "[Roland Banks](https://arkhamdb.com/card/01001)",
        "# [Roland Banks](/card/01001)",
        "Investigator: [Roland Banks](https://arkham.build/card/01001)",
        "- **Investigator:** [Roland Banks](https://arkhamdb.com/card/01001)",
        "[b]Roland Banks[/b]",
        "Investigator: 01001",
        "01001",
    ],
)
def test_an_investigator_may_be_a_link_or_a_code(line):
    assert list_deck(f"Name\n{line}\n2x Guts", FACTS, "x.md").investigator == "01001"


def test_a_text_of_arkham_build_names_its_taboo_list_by_date_and_both_classes():
    text = "# Two classes\n\nInvestigator: Charlie Kane  \nTaboo list†: 2.6 (Feb 19, 2026)  \nClass Choice: Rogue  \nClass Choice: Seeker  "
    made = list_deck(text, FACTS, "x.md")
    assert (made.name, made.taboo, dict(made.choices)) == (
        "Two classes",
        10,
        {"faction_1": "rogue", "faction_2": "seeker"},
    )
