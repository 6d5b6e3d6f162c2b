"""The Arkham Horror ruleset: every check cites entries, and the code of the checks names no card. Also tests
investigators, options of a check, new decks and limited slots.
"""

import re
from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import kb.games.arkham.decks
from kb.decks.deckfile import parse_deck
from kb.decks.games import NewDeckError
from kb.games.arkham.decks import deck_rules
from kb.games.arkham.decks.agreement import Agreement, AgreementError, agreement_of
from kb.games.arkham.decks.card_pool import not_known
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.deck_counts import assign_slots
from kb.games.arkham.decks.edition import EDITIONS, FAQ, GRIMOIRE, edition, judged_by
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.profile import DECK_TYPES, Kind, profile_of
from kb.games.arkham.decks.starting_deck import starting_deck
from kb.games.arkham.schema.options import DeckOption
from kb.registry.editions import editions_of
from kb.sources.cards import CardNames
from kb.sources.content import read_content
from kb.sources.problems import Problems
from kb.sources.references import Content
from tests.conftest import ROOT
from tests.games.arkham.decks.conftest import FACTS, RECORDS, ROLAND, check, deck, errors, found, named

CODE = Path(kb.games.arkham.decks.__file__).parent


@pytest.fixture(scope="module")
def entries():
    return {entry.id for entry in read_content(ROOT / "content", Content(), CardNames(()), Problems(ROOT))}


def test_citations_given_with_a_finding_exist(entries):
    cited = set()
    for path in CODE.rglob("*.py"):
        cited |= set(re.findall(r'"(arkham/[a-z0-9/-]+)"', path.read_text("utf-8")))
    prefixes = {name for name in cited if any(entry.startswith(f"{name}/") for entry in entries)}
    assert cited <= entries | prefixes


def test_the_code_of_the_checks_names_no_card():
    names = {
        record["name"] for record in FACTS._cards.values() if "special" in record or record["type"] == "investigator"
    }
    for path in CODE.rglob("*.py"):
        source = re.sub(r'"""(?:.|\n)*?"""|#.*', "", path.read_text("utf-8"))
        literals = re.findall(r'"([^"\n]*)"', source)
        assert not [text for text in literals if re.fullmatch(r"\d{5}[a-z]?", text)]
        assert not names & set(literals)


def test_the_report_of_a_legal_deck():
    report = check(deck())
    assert (report.game, report.character, report.file, report.legal) == ("arkham", "Roland Banks", "deck.json", True)
    assert report.details["lines"] == ["Deck size 30 of 30, 0 experience."]
    (judged,) = report.details["once"]
    assert judged.startswith("Rules: Rules Reference with FAQ 2.5; taboo list: none; environment: legacy")


def test_a_report_says_by_which_rules_it_judges():
    judged = check(deck(taboo=8), Agreement(environment="current")).details["judged_by"]
    assert judged["taboo"] == "list 8, in force from 2024-10-23"
    assert judged["environment"].startswith("current")
    assert judged["rules"] == EDITIONS[FAQ].rules
    assert judged["cards"].startswith("newer than these rules: Core Set (2026) (2026-03-20)")
    newest = judged_by(GRIMOIRE, 0, "legacy", FACTS)
    assert (newest["rules"], newest["cards"]) == ("Arkham Grimoire 1.1", "no newer than these rules")


def test_the_editions_are_those_of_the_documents():
    sources = yaml.safe_load((ROOT / "content/arkham/sources.yaml").read_text("utf-8"))
    known = {source["id"]: source for source in sources}
    assert list(EDITIONS) == [each.id for each in editions_of("arkham")]
    assert EDITIONS[FAQ].rules == f"Rules Reference with FAQ {known['faq']['version']}"
    assert EDITIONS[FAQ].dated == known["faq"]["date"]
    assert EDITIONS[GRIMOIRE].rules.split()[-1] == known["grimoire"]["version"]
    assert known["grimoire"]["date"].startswith(EDITIONS[GRIMOIRE].dated)


def test_entries_cited_for_an_edition_exist(entries):
    for by in EDITIONS.values():
        assert set(by.cites) | set(by.cites.values()) <= entries


WHO = [card for code in FACTS.codes() if (card := FACTS.card(code)) and card.build]


@pytest.mark.extended
@pytest.mark.parametrize("rules", EDITIONS)
def test_every_investigator_has_a_legal_deck(rules):
    found = {card.label: starting_deck(card, FACTS, rules)[1] for card in WHO}
    assert len(found) > 90
    assert {label: wrong for label, wrong in found.items() if wrong} == {}


def test_the_file_that_is_written_is_legal():
    for card in WHO[::12]:
        text = deck_rules.new_deck(card.code, None, FACTS)
        report = deck_rules.check(parse_deck(text, "new.yaml"), FACTS, {"start": True})
        assert report.legal, (card.label, report.findings)


def test_investigators_of_new_decks():
    assert deck_rules.new_deck("Lini", None, FACTS) is None
    assert "90024" in deck_rules.new_deck("Roland Banks", "By the Book", FACTS)
    with pytest.raises(NewDeckError):
        deck_rules.new_deck("Roland Banks", "Nowhere", FACTS)


def test_a_sealed_pool():
    made = deck(ROLAND)
    pool = dict(made.cards)
    assert errors(replace(made, sealed=pool)) == set()
    assert errors(replace(made, sealed={**pool, named("Machete"): 1})) == {"sealed-pool"}


@pytest.mark.parametrize(
    "options",
    [
        {"environment": "modern"},
        {"owned": ["Dominion"]},
        {"expansion": ["core set"]},
        {"ultimatum": ["doom"]},
        {"boon": ["x"]},
    ],
)
def test_options_that_make_no_sense(options):
    with pytest.raises(AgreementError):
        agreement_of(options, FACTS)


def test_options_by_name_or_code():
    agreement = agreement_of(
        {
            "owned": ["core, dwl", "Revised Core Set"],
            "expansion": ["The Scarlet Keys"],
            "environment": "limited",
            "start": True,
        },
        FACTS,
    )
    assert agreement.products == ("core", "dwl", "rcore")
    assert (agreement.expansions, agreement.start, agreement.standalone) == (("tsk",), True, False)


def test_cards_that_an_open_choice_may_allow_are_not_reported():
    mandy = deck("Mandy Thompson", choices={"deck_size_selected": "40", "faction_selected": "mystic"})
    assert "deck-size" not in errors(replace(mandy, choices={"faction_selected": "mystic"}))
    charlie = deck("Charlie Kane", {"Machete": 1}, choices={"faction_1": "guardian", "faction_2": "rogue"})
    assert "within-options" not in errors(replace(charlie, choices={}))
    assert "within-options" in errors(replace(charlie, choices={"faction_1": "seeker", "faction_2": "rogue"}))


def test_an_unknown_investigator_is_the_only_finding():
    assert errors(ArkhamDeck("99999", {named("Machete"): 2})) == {"one-investigator"}
    assert errors(ArkhamDeck("", {named("Machete"): 2})) == {"one-investigator"}
    assert errors(ArkhamDeck(named("Machete"), {named("Machete"): 2})) == {"one-investigator"}


def test_an_investigator_of_the_story_cannot_build_a_deck():
    assert (
        "deckbuilding requirements"
        in found(ArkhamDeck(named("Body of a Yithian"), {named("Machete"): 2}), "one-investigator").message
    )


MASKS = st.integers(1, 7)
CAPACITIES = st.lists(st.integers(0, 3), min_size=3, max_size=3)


def best_by_trying(masks, capacities):
    """Return the largest number of cards that fit into the limited slots, by trying every assignment. `masks` has an
    item for each card, with a bit for each option that allows the card. `capacities` are the slots of the three
    options.
    """
    best = 0
    for places in product((None, 0, 1, 2), repeat=len(masks)):
        counts = [places.count(option) for option in range(3)]
        allowed = all(place is None or mask >> place & 1 for mask, place in zip(masks, places, strict=True))
        if allowed and all(count <= capacity for count, capacity in zip(counts, capacities, strict=True)):
            best = max(best, sum(counts))
    return best


@pytest.mark.extended
@given(st.lists(MASKS, max_size=6), CAPACITIES)
def test_limited_slots_take_as_many_cards_as_possible(masks, capacities):
    seats = assign_slots(masks, capacities)
    for mask, place in zip(masks, seats, strict=True):
        assert place is None or mask >> place & 1
    for option, capacity in enumerate(capacities):
        assert seats.count(option) <= capacity
    assert sum(place is not None for place in seats) == best_by_trying(masks, capacities)


def test_each_title_of_myriad_cards_is_paid_once():
    """Further copies of a myriad card are free, but another myriad card has a price of its own."""
    one = deck("Tony Morgan", {"Easy Mark (1)": 3, "Three Aces (1)": 2})
    assert check(one).details["experience"] == 2


def test_an_option_before_a_prohibition_allows_a_card():
    profile = profile_of(FACTS, deck())
    card = FACTS.card("01039")  # Deduction, seeker, level 0
    slots, barred = (
        DeckOption(classes=frozenset({"seeker"}), limit=1, other=True),
        DeckOption(classes=frozenset({"seeker"}), forbids=True),
    )
    free = DeckOption(classes=frozenset({"seeker"}))
    assert replace(profile, options=(slots, barred)).lets_in(card)
    assert replace(profile, options=(free, barred)).lets_in(card)
    assert not replace(profile, options=(barred, slots)).lets_in(card)
    assert not replace(profile, options=(barred, free)).lets_in(card)


def test_products_of_the_documents_month_count_as_known():
    dated = edition("faq").dated

    def facts_with(released):
        def records(kind):
            return [{**each, "released": released} if kind == "pack" else each for each in RECORDS.get(kind, ())]

        return ArkhamFacts(records)

    for released, newer in ((f"{dated}-28", False), ("2026-03-01", True)):
        facts = facts_with(released)
        assert not_known(facts.card("01016"), facts, edition("faq")) is newer


def test_encounter_set_cards_are_deck_cards_only_with_a_deck_limit():
    """Groups all assets, events and skills of encounter sets: weaknesses, cards with a level, and other cards with or
    without a deck limit.
    """
    profile, kinds = profile_of(FACTS, ArkhamDeck(ROLAND, {})), Counter()
    for card in filter(None, map(FACTS.card, FACTS.codes())):
        if not card.story or card.type not in DECK_TYPES:
            continue
        limited = "with a limit" if card.limit else "without a limit"
        group = card.subtype or ("with a level" if card.level is not None else limited)
        kinds[group, profile.status(card.code).kind] += 1
    assert kinds.keys() == {
        ("weakness", Kind.WEAKNESS),
        ("with a level", Kind.PLAYER),
        ("with a limit", Kind.STORY),
        ("without a limit", Kind.OF_NO_DECK),
    }
    assert min(kinds["with a limit", Kind.STORY], kinds["without a limit", Kind.OF_NO_DECK]) > 100
