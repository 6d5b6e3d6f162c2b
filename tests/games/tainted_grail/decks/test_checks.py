"""Each check of a character sheet at its edge: what is just allowed, and what is just not."""

import pytest

from tests.tables import rows_of


@pytest.mark.parametrize("side", ["combat", "diplomacy"])
@pytest.mark.parametrize(
    ("cards", "number", "severity"),
    [("[]", 0, "error"), ("1-14", 14, "error"), ("1-15", 15, None), ("1-16", 16, "note")],
)
def test_deck_size(found, side, cards, number, severity):
    problems = found("deck-size", f"{side}: {{deck: {cards}, gained: [16]}}\n", without=side)
    assert [problem.severity for problem in problems] == ([severity] if severity else [])
    assert all(problem.message.startswith(f"The {side} deck holds {number} cards") for problem in problems)


def test_a_short_deck_is_told_what_to_add(found):
    (problem,) = found("deck-size", "combat: {out: [3, 5], gained: [Cleave]}\n", without="combat")
    assert problem.message == "The combat deck holds 14 cards; it must hold at least 15."
    assert problem.fix == "Add 1 of the cards owned: 3/25, 5/25."


@pytest.mark.parametrize(
    ("starter", "problems"), [("1-15", 0), ("1-14", 1), ("[1-14, Jab, Kick]", 1), ("[1-14, 16]", 1), ("[1-14, Jab]", 0)]
)
def test_starter_cards(found, starter, problems):
    assert len(found("starter-cards", f"combat: {{starter: {starter}}}\n", without="combat")) == problems


@pytest.mark.parametrize(
    ("gained", "problems"),
    [
        ("{advanced: [15x A], basic: [16-25]}", []),
        ("{advanced: [15x A, B], basic: []}", ["16 advanced combat cards are gained; the advancement pool has 15."]),
        ("{basic: [16-25, Jab]}", ["11 basic combat cards are gained; the advancement pool has 10."]),
        ("[25x A]", []),
        ("[26x A]", ["26 combat cards are gained; the advancement pool has 25."]),
        ("[16]", []),
        ("[15]", ["The combat card 15/25 is a starter card, so it is not in the advancement pool."]),
        ("[16, 16]", ["The combat card 16/25 is gained 2 times; there is one of each number."]),
    ],
)
def test_gained_from_the_pool(found, gained, problems):
    assert [
        each.message for each in found("gained-from-the-pool", f"combat: {{gained: {gained}}}\n", without="combat")
    ] == problems


@pytest.mark.parametrize(*rows_of("games-tainted-grail-checks", "test_cards_owned"))
def test_cards_owned(found, combat, errors, notes):
    problems = found("cards-owned", f"combat: {combat}\n", without="combat")
    assert [sum(each.severity == level for each in problems) for level in ("error", "note")] == [errors, notes]


def test_named_cards_are_taken_on_trust(found):
    assert found("cards-taken-on-trust") == []
    (problem,) = found("cards-taken-on-trust", "combat: {gained: [Cleave, Roar]}\n", without="combat")
    assert (problem.severity, problem.cards) == ("note", ("Cleave", "Roar"))
    assert "There are no card lists of this game" in problem.message


@pytest.mark.parametrize(
    ("more", "problems"),
    [
        ("tray: red\ndeck_color: Red\n", 0),
        ("tray: red\ndeck_color: blue\n", 1),
        ("tray: red\ndeck_color: blue\nfree_play: yes\n", 0),
        ("tray: red\n", 0),
    ],
)
def test_color_of_the_decks(found, more, problems):
    assert len(found("color-of-the-decks", more)) == problems


def test_starting_attributes_are_asked_for(found):
    (problem,) = found("starting-attributes-are-known", without="starting_attributes")
    assert problem.severity == "warning"
    assert found("experience-spent", "attributes: {aggression: 9}\n", without="starting_attributes") == []


@pytest.mark.parametrize(*rows_of("games-tainted-grail-checks", "test_experience_spent_at_its_edge"))
def test_experience_spent_at_its_edge(found, change, cost):
    given = " ".join(line.split(":")[0] for line in change.splitlines())
    assert found("experience-spent", f"{change}\nexperience_spent: {cost}\n", without=given) == []
    if cost:
        (problem,) = found("experience-spent", f"{change}\nexperience_spent: {cost - 1}\n", without=given)
        assert problem.severity == "error"
        assert f"at least {cost} EXP" in problem.message
        (unknown,) = found("experience-spent", f"{change}\n", without=given)
        assert unknown.severity == "note"


def test_pairs_as_the_sheet_gives_them(found):
    """Aggression 2 and caution 0 are no pair in the order of the words, but one line above the other they are."""
    raised = "attributes: {aggression: 2, courage: 1, caution: 1}\nexperience_spent: 5\n"
    assert found("experience-spent", raised) == []
    (note,) = found("pairs-are-known", raised)
    assert "they cost 4 EXP here, by the other reading 6" in note.message
    other = "pairs: [aggression-caution, empathy-practicality, courage-spirituality]\n"
    (problem,) = found("experience-spent", raised + other)
    assert "aggression and caution from 2 to 3 points 6" in problem.message
    assert found("pairs-are-known", raised + other) == []
    assert found("pairs-are-known") == []


def test_experience_that_does_not_show(found):
    raised = "attributes: {aggression: 3, courage: 1}\n"
    assert found("experience-accounted-for", f"{raised}experience_spent: 6\n") == []
    (note,) = found("experience-accounted-for", f"{raised}experience_spent: 7\n")
    assert (note.severity, note.message) == ("note", "7 EXP were spent, but attributes and cards account for 6.")
    mixed = f"{raised}experience_spent: 7\nmode: challenge\nearlier_modes: [story]\n"
    assert found("experience-accounted-for", mixed) == []
    assert len(found("mode-has-changed", mixed)) == 1
    assert found("mode-has-changed", "earlier_modes: [story]\n") == []


def test_attributes_never_fall(found):
    assert found("attributes-never-fall", "attributes: {aggression: 2, courage: 1}\n") == []
    (problem,) = found("attributes-never-fall", "attributes: {aggression: 1, courage: 1}\n")
    assert (problem.severity, problem.message) == ("warning", "Aggression is 1, but began at 2.")


@pytest.mark.parametrize(
    ("attributes", "skills", "problems"),
    [
        ("{aggression: 2, courage: 1}", "{}", 0),
        ("{aggression: 2, courage: 1}", "{aggression: 12}", 1),
        ("{aggression: 3, courage: 1}", "{aggression: 12}", 0),
        ("{aggression: 3, courage: 1}", "{}", 1),
        ("{aggression: 3, courage: 1}", "{aggression: [12, 13]}", 1),
        ("{aggression: 5, courage: 1}", "{aggression: [12, 13, 14]}", 0),
        ("{aggression: 3, courage: 3}", "{aggression: 12, courage: 12}", 1),
        ("{aggression: 3, courage: 3}", "{aggression: 12, courage: 13}", 0),
        ("{aggression: 3, courage: 1}", "{courage: 12}", 2),
    ],
)  # fmt: skip
def test_skills(found, attributes, skills, problems):
    assert len(found("skills", f"attributes: {attributes}\nskills: {skills}\n")) == problems


@pytest.mark.parametrize(
    ("skills", "problems"), [("{}", 0), ("{courage: 1}", 0), ("{courage: [1, 2]}", 0), ("{courage: [1, 2, 3]}", 1)]
)
def test_an_attribute_that_begins_high_may_have_skills_or_not(found, skills, problems):
    start = "starting_attributes: {courage: 4}\n"
    assert len(found("skills", f"{start}skills: {skills}\n", without="starting_attributes")) == problems


@pytest.mark.parametrize("keyword", ["WEAPON", "ARMOR", "SHIELD", "COMPANION", "RELIC"])
def test_one_for_each_keyword(found, keyword):
    one = f"items:\n  - A ({keyword})\n  - Rope\n  - Torch\n"
    assert found("one-for-each-keyword", one) == []
    assert found("one-for-each-keyword", f"{one}  - B ({keyword}, facedown)\n") == []
    (problem,) = found("one-for-each-keyword", f"{one}  - B ({keyword})\n")
    assert problem.cards == ("A", "B")
    (problem,) = found("one-for-each-keyword", f"{one}secrets: [{{number: 7, keywords: [PERSONAL, {keyword}]}}]\n")
    assert problem.cards == ("A", "secret 7")


@pytest.mark.parametrize("resource", ["food", "wealth", "reputation", "magic"])
def test_carrying_limit(found, resource):
    assert found("carrying-limit", f"resources: {{{resource}: 20}}\n") == []
    (problem,) = found("carrying-limit", f"resources: {{{resource}: 21}}\n")
    assert problem.message == f"21 {resource} are carried; the limit is 20."


@pytest.mark.parametrize(
    ("mode", "items", "problems"),
    [
        ("mode: challenge", 5, 0),
        ("mode: challenge", 6, 1),
        ("mode: standard", 6, 0),
        ("mode: story", 6, 0),
        ("mode: challenge\nchallenge_rules: [items]", 6, 1),
        ("mode: challenge\nchallenge_rules: [advancement]", 6, 0),
    ],
)
def test_items_in_challenge_mode(found, mode, items, problems):
    carried = "".join(f"  - Rope {number} (facedown)\n" for number in range(items))
    more = f"{mode}\nitems:\n{carried}secrets: [1, 2, 3, 4, 5, 6]\n"
    assert len(found("items-in-challenge-mode", more)) == problems


def test_personal_secrets_stay(found):
    def secret(keys):
        return f"secrets:\n  - {{number: 14, {keys}}}\n"

    assert found("personal-secrets-stay", secret("keywords: [PERSONAL], owner: beor the warrior")) == []
    assert found("personal-secrets-stay", secret("keywords: [PERSONAL]")) == []
    assert found("personal-secrets-stay", secret("keywords: [RELIC], owner: Ailei")) == []
    (problem,) = found("personal-secrets-stay", secret("keywords: [PERSONAL, RELIC], owner: ailei"))
    assert problem.message == "Secret 14 is PERSONAL and belongs to Ailei; it may never be transferred to Beor."


@pytest.mark.parametrize(
    ("more", "notes"),
    [
        ("mode: challenge\n", 1),
        ("mode: challenge\nsecrets: [42]\n", 0),
        ("mode: challenge\nsecrets: [41]\n", 1),
        ("mode: challenge\nearlier_modes: [standard]\n", 0),
        ("mode: challenge\nchallenge_rules: [items]\n", 0),
        ("mode: standard\n", 0),
    ],
)
def test_secret_of_challenge_mode(found, more, notes):
    assert [each.severity for each in found("secret-of-challenge-mode", more)] == ["note"] * notes


def test_characters_of_the_campaign_and_of_others(found):
    check = "character-of-the-campaign"
    assert found(check) == []
    (misspelt,) = found(check, "character: Boer\n", without="character")
    assert misspelt.severity == "warning"
    assert "Did you mean Beor?" in misspelt.fix
    (other,) = found(check, "character: Gerraint\nmode: free play\n", without="character")
    assert other.severity == "note"
    assert "cannot progress through the personal story" in other.message
    for name in ("Ailei", "Arev the Hunter", "NIAMH"):
        assert found(check, f"character: {name}\n", without="character") == []
