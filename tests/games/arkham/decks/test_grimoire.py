"""Decks under the rules of the Grimoire: environments, modified reprints, reward cards and refills. The findings cite
the Grimoire.
"""

from dataclasses import replace

import pytest

from kb.decks.deckfile import parse_deck
from kb.decks.nodes import DeckFileError
from kb.decks.remedies import Exchange
from kb.games.arkham.decks import deck_rules
from kb.games.arkham.decks.agreement import Agreement
from kb.games.arkham.decks.checks.agreements import environment, owned_products
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.deck_reading import read_deck
from kb.games.arkham.decks.deck_writing import write_deck
from kb.games.arkham.decks.edition import FAQ, GRIMOIRE
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.judging import check_deck
from kb.games.arkham.decks.profile import profile_of
from kb.games.arkham.decks.upgrade.changes import changes_between
from kb.games.arkham.decks.upgrade.plan import cheapest
from kb.games.arkham.party import collection
from tests.games.arkham.decks.conftest import FACTS, RECORDS, check, deck, errors, named, notes

CURRENT = Agreement(environment="current")
OLD, NEW = named("Machete (core)"), named("Machete (core_2026)")


def grimoire(made):
    return replace(made, rules=GRIMOIRE)


def text_deck(text, **options):
    return deck_rules.check(parse_deck(text, "deck.yaml"), FACTS, options)


def test_a_deck_holds_one_version_of_a_modified_reprint():
    both = grimoire(deck(cards={OLD: 1, NEW: 1}))
    (finding,) = [each for each in check(both).findings if each.severity == "error"]
    assert finding.check.id == "one-version-of-a-reprint"
    assert finding.cites == ("arkham/grimoire/reprints/modified-reprints",)
    assert errors(replace(both, rules=FAQ)) == set()
    assert errors(grimoire(deck(cards={OLD: 2}))) == errors(grimoire(deck(cards={NEW: 2}))) == set()


def test_the_edition_says_which_products_are_current():
    old = deck(cards={OLD: 2})
    assert errors(replace(old, rules=FAQ), CURRENT) == set()
    assert errors(grimoire(old), CURRENT) == {"environment"}
    report = check(grimoire(old), CURRENT)
    remedies = [remedy for each in report.findings if each.by(environment) for remedy in each.remedies]
    assert [remedy.into for remedy in remedies if isinstance(remedy, Exchange)] == [(f"Machete [{NEW}]",)]
    assert {cite for finding in report.findings for cite in finding.cites} >= {"arkham/grimoire/optional/current"}


def test_a_multiclass_card_takes_no_limited_slot_if_one_class_is_allowed():
    tony, hit_me = named("Tony Morgan"), named('"Hit me!"')
    (choice,) = [option.chosen_as for option, _ in profile_of(FACTS, ArkhamDeck(tony, {})).unsettled]
    full = deck(
        tony,
        dict.fromkeys(
            ("Lucky!", "Survival Instinct", "Cunning Distraction", '"Look what I found!"', "Rise to the Occasion"), 2
        ),
        choices={choice: "survivor"},
    )
    assert errors(full) == set()
    spare = next(code for code in full.cards if full.cards[code] == 2 and "rogue" in FACTS.card(code).classes)
    cards = {code: copies for code, copies in full.cards.items() if code != spare} | {hit_me: 2}
    assert errors(replace(full, cards=cards)) == {"limited-slots"}
    assert errors(grimoire(replace(full, cards=cards))) == set()


def test_under_the_grimoire_missing_cards_are_replaced_at_no_cost():
    whole = deck(cards={OLD: 2})
    short = replace(whole, cards={code: copies for code, copies in whole.cards.items() if code != OLD})
    for rules, cost in ((FAQ, 2), (GRIMOIRE, 0)):
        old, new = replace(short, rules=rules), replace(whole, rules=rules)
        assert cheapest(changes_between(old, new, FACTS)).cost == cost


def test_a_second_copy_of_a_permanent_reward_is_an_error():
    made = grimoire(deck(cards={"Collector": 2}))
    assert "reward-cards-unlocked" in errors(made)
    assert "story-cards-granted" not in errors(made) | notes(made)


def test_a_product_newer_than_the_rules_is_not_checked():
    """The facts contain a product released next year. kb lists its cards separately and does not call them illegal."""
    records = {kind: list(rows) for kind, rows in RECORDS.items()}
    records["pack"] = [
        *records["pack"],
        {"code": "next", "name": "Next Box", "cycle": "next", "position": 1, "released": "2027-01-15"},
    ]
    records["cycle"] = [*records["cycle"], {"code": "next", "name": "Next", "position": 99}]
    guts = next(record for record in records["card"] if record["code"] == named("Guts (core_2026)"))
    anew = {key: value for key, value in guts.items() if key not in ("duplicate_of", "modified")}
    records["card"] = [*records["card"], {**anew, "code": "n1", "name": "New Nerve", "pack": "next"}]
    facts = ArkhamFacts(lambda kind: records.get(kind, ()))
    made = grimoire(deck())
    cards = dict(made.cards)
    cards[next(code for code in cards if cards[code] == 2)] = 1
    report = check_deck(replace(made, cards={**cards, "n1": 1}), facts, agreement=CURRENT)
    assert not any("n1" in finding.message for finding in report.findings)
    (said,) = report.details["not_checked"]
    assert "New Nerve [n1]: from Next Box, newer than Arkham Grimoire 1.1" in said


NAMED = "game: arkham\ninvestigator: Daniela Reyes\ncards: {Machete: 2}\n"


def test_a_name_means_the_version_in_the_environment_or_products():
    for options in ({"environment": "current"}, {"owned": ["core_2026"]}):
        report = text_deck(NAMED, rules="grimoire", **options)
        assert not any("Machete" in finding.message for finding in report.findings)
        assert not any("outside" in finding.message for finding in report.findings)
    old = text_deck(NAMED.replace("Machete", f'"{OLD}"'), rules="grimoire", environment="current")
    assert any(f"Machete [{OLD}]" in finding.message for finding in old.findings)


def test_products_hold_one_version_of_a_modified_reprint():
    for code, product, other in ((OLD, "core", "core_2026"), (NEW, "core_2026", "core")):
        text = NAMED.replace("Machete", f'"{code}"').replace("Daniela Reyes", "Roland Banks")
        own = text_deck(text, rules="grimoire", owned=[product])
        foreign = text_deck(text, rules="grimoire", owned=[other])
        over = [finding.limit for report in (own, foreign) for finding in short(report)]
        assert over == ([1, 0] if product == "core" else [0])
        pulled = collection([parse_deck(text, "deck.yaml")], FACTS, [other, product])
        (row,) = [row for row in pulled.cards if row.name == f"Machete [{code}]"]
        assert list(row.stock) == [FACTS.pack_name(product)]


def test_different_cards_of_one_investigator_cannot_combine_their_sides():
    first, second = named("11007"), named("11008")
    assert "sides-of-one-investigator" in errors(deck(first, back=second))
    assert "sides-of-one-investigator" in errors(deck(first, front=second))
    assert "sides-of-one-investigator" not in errors(deck("Daisy Walker (core)", back=named("90001")))
    assert "sides-of-one-investigator" not in errors(deck("01502", front=named("90001")))


def short(report):
    """Return the findings about cards that the player does not own."""
    return [finding for finding in report.findings if finding.by(owned_products)]


ROLANDS = NAMED.replace("Daniela Reyes", "Roland Banks")


def test_the_setting_nearest_to_the_deck_chooses_the_edition(monkeypatch):
    def rules(text, **options):
        return str(text_deck(text, **options).details["judged_by"]["rules"])

    assert rules(ROLANDS) == "Arkham Grimoire 1.1"
    monkeypatch.setenv("KB_RULES", "faq")
    assert rules(ROLANDS) == rules(ROLANDS + "rules: faq\n") == "Rules Reference with FAQ 2.5"
    assert (
        rules(ROLANDS + "rules: grimoire\n")
        == rules(ROLANDS + "rules: faq\n", rules="grimoire")
        == "Arkham Grimoire 1.1"
    )
    with pytest.raises(DeckFileError, match="is not an edition"):
        rules(ROLANDS, rules="nonsense")


@pytest.mark.parametrize("to", ["arkhamdb", "arkham.build", "yaml"])
def test_every_format_that_stores_the_edition_is_judged_by_it(to):
    read = read_deck(parse_deck(ROLANDS + "rules: faq\n", "deck.yaml"), FACTS)
    assert text_deck(write_deck(read, to, FACTS).text).details["judged_by"]["rules"].endswith("FAQ 2.5")
