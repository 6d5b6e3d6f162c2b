"""Fan-made cards and investigators from arkham.build: in its own decks, in decks stored on ArkhamDB, and in project
files.
"""

import copy
import json
import random
from pathlib import Path

import pytest

from kb.decks.deckfile import parse_deck
from kb.games.arkham import own_cards
from kb.games.arkham.decks import deck_rules
from kb.personal.cards import of_json, rows_of
from tests.games.arkham.decks.conftest import FACTS
from tests.tables import data

ZOE, LENS, BANE = "3f0c9a5e-0000-4000-8000-0000000000a1", "3f0c9a5e-0000-4000-8000-0000000000a2", "fan-bane"
OPTIONS = data("games-arkham-fan-made", "OPTIONS")
PROJECT_FORM = data("games-arkham-fan-made", "PROJECT_FORM")
SLOTS = data("games-arkham-fan-made", "SLOTS")


def as_interface(card):
    """Return a card of a project file in the form that arkham.build's own interface returns and stores in decks."""
    found = {**card, "real_name": card["name"]}
    for name in ("text", "traits", "slot", "back_text"):
        if name in found:
            found[f"real_{name}"] = found.pop(name)
    if "restrictions" in found:
        found["restrictions"] = {"investigator": {ZOE: ZOE}}
    if "deck_requirements" in found:
        random_one = [{"target": "subtype", "value": "basicweakness"}]
        found["deck_requirements"] = {
            "size": 30,
            "card": {LENS: {LENS: LENS}, BANE: {BANE: BANE}},
            "random": random_one,
        }
    return found


def deck(cards=None, meta=None, **keys):
    brought = {card["code"]: as_interface(card) for card in PROJECT_FORM} if cards is None else cards
    told = {"fan_made_content": {"cards": brought}} | (meta or {})
    return {"id": 1, "name": "Zoe", "investigator_code": ZOE, "slots": SLOTS, "meta": json.dumps(told)} | keys


def changed(**keys):
    """Return the deck's fan-made cards by code. `keys` replace keys of the investigator."""
    return {card["code"]: as_interface(card) | (keys if card["code"] == ZOE else {}) for card in PROJECT_FORM}


def judged(one):
    report = deck_rules.check(parse_deck(json.dumps(one), "zoe.json"), FACTS)
    wrong = {finding.check.id for finding in report.findings if finding.severity == "error"}
    return wrong, report.details.get("not_checked", []), report.legal


@pytest.mark.parametrize("form", [as_interface, dict])
def test_a_fan_made_investigator_is_judged_by_the_back(form):
    cards = {card["code"]: form(card) for card in PROJECT_FORM}
    wrong, not_checked, legal = judged(deck(cards))
    assert (wrong, legal) == (set(), True)
    assert not_checked[0].startswith(
        f"Zoe Zorblax [{ZOE}], Zoe's Lens [{LENS}], Zoe's Bane [{BANE}]: taken from your own"
    )
    assert judged(deck(list(cards.values())))[0] == set()
    assert judged(deck(cards, slots=SLOTS | {"01016": 2, "01089": 0}))[0] == {"within-options"}
    assert judged(deck(cards, slots=SLOTS | {"01062": 2, "01089": 0}))[0] == {"limited-slots"}
    assert judged(deck(cards, slots=SLOTS | {"01089": 0}))[0] == {"deck-size"}
    assert judged(deck(cards, slots=SLOTS | {LENS: 0}))[0] == {"signatures-present"}
    roland = SLOTS | {"01006": 1, "01007": 1, BANE: 0}
    assert "signatures-of-others" in judged(deck(cards, slots=roland, investigator_code="01001"))[0]


def test_missing_facts_of_fan_made_cards_are_not_checked():
    wrong, not_checked, legal = judged(deck(changed(deck_requirements=None), slots=SLOTS | {"01016": 4}))
    assert (wrong, legal) == (set(), True)
    assert any("kb does not know its deckbuilding rules" in each for each in not_checked)
    asked = [*OPTIONS, {"text_exact": ["<b>Fight.</b>"], "level": {"min": 0, "max": 3}}]
    wrong, not_checked, _ = judged(deck(changed(deck_options=asked), slots=SLOTS | {"01016": 2, "01089": 0}))
    assert wrong == set()
    assert any("ask for text_exact, which kb cannot read" in each for each in not_checked)
    for more in ({"buildql_query": "x"}, {"tag": ["zz"]}, {"atleast": {"min": 3, "traits": 1}}, {"virtual": True}):
        assert judged(deck(changed(deck_options=[*OPTIONS, more]), slots=SLOTS | {"01016": 2, "01089": 0}))[0] == set()
    forbids = [{"not": True, "text": ["."], "level": None}, *OPTIONS]
    assert judged(deck(changed(deck_options=forbids)))[0] == set()


def test_unknown_fan_made_cards_make_no_deck_illegal():
    slots = {**SLOTS, "fan-x": 2, "01089": 0}
    brought = changed() | {"fan-x": {"code": "fan-x", "name": "Zorblax Thing"}}
    wrong, _, legal = judged(deck(brought, slots=slots))
    assert (wrong, legal) == (set(), True)
    assert judged(deck(brought, slots=slots | {"01090": 0}))[0] == {"deck-size"}
    assert judged(deck(slots=slots))[0] == {"cards-known", "deck-size"}


def test_a_deck_stored_at_arkhamdb_gets_its_fan_made_cards_back(kb, real, tmp_path):
    hidden = {"slots": {LENS: 1, BANE: 1}, "sideSlots": None, "ignoreDeckLimitSlots": None, "investigator_code": ZOE}
    slots = {code: copies for code, copies in SLOTS.items() if code not in (LENS, BANE)}
    there = deck(meta={"hidden_slots": hidden}, slots=slots, investigator_code="89001", sideSlots=[])
    assert judged(there) == judged(deck())
    (tmp_path / "zoe.json").write_text(json.dumps(there))
    written = kb("deck convert {} --to arkham.build", tmp_path / "zoe.json")
    assert (written.code, written.err) == (0, "")
    again = written.json
    assert (again["investigator_code"], again["investigator_name"], again["slots"][LENS]) == (ZOE, "Zoe Zorblax", 1)
    assert "hidden_slots" not in json.loads(again["meta"])
    for nonsense in (7, [], {"slots": 3, "investigator_code": 7}, {"slots": {"01016": "many"}}):
        judged(deck(meta={"hidden_slots": nonsense}))


@pytest.mark.extended
def test_every_deck_command_accepts_fan_made_cards(kb, real, tmp_path):
    old, new = str(tmp_path / "old.json"), str(tmp_path / "new.json")
    Path(old).write_text(json.dumps(deck()))
    Path(new).write_text(json.dumps(deck(slots=SLOTS | {"01039": 0, "02150": 2}, xp=4)))
    assert "Zoe Zorblax: Zoe, deck size 30" in kb("deck show", old).out
    assert "Zoe&#39;s Lens" in kb("deck page", old).out
    assert f"1x Zoe's Lens [{LENS}]" in kb("deck convert {} --to text", old).out
    assert (
        "ArkhamDB does not support: Zoe Zorblax, Zoe's Lens, Zoe's Bane" in kb("deck convert {} --to arkhamdb", old).err
    )
    step = kb("deck upgrade {} {} --xp 4", old, new)
    assert (step.code, "Zoe Zorblax, 4 experience" in step.out) == (0, True)
    planned = kb("deck plan {} --want {} --xp 4 --json", old, new)
    assert (planned.code, planned.json["cost"]) == (0, 4)
    assert "Zoe Zorblax is legal" in kb("deck party", old).out
    assert f"Zoe's Bane [{BANE}]" in kb("deck pull", old).out
    assert "Hyperawareness" in kb("cards", f"for:{old} name:hyperawareness").out


@pytest.mark.extended
def test_yaml_stores_fan_made_cards_as_facts(kb, real, tmp_path):
    (tmp_path / "zoe.json").write_text(json.dumps(deck()))
    written = kb("deck convert {} --to yaml", tmp_path / "zoe.json")
    assert (written.code, written.err) == (0, "")
    assert "deck only" not in written.out
    (tmp_path / "zoe.yaml").write_text(written.out)
    assert "Zoe Zorblax is legal" in kb("deck check", tmp_path / "zoe.yaml").out
    assert kb("deck convert {} --to yaml", tmp_path / "zoe.yaml").out == written.out
    assert "the facts of fan-made cards" in kb("deck convert {} --to arkham.build", tmp_path / "zoe.yaml").err
    daisy = "investigator: Daisy Walker\n"
    by_name = (
        daisy
        + "cards: {Sample Lantern: 2}\nfan_made: [{code: my-01, name: Sample Lantern, type: asset, class: [%s]%s}]\n"
    )
    (tmp_path / "daisy.yaml").write_text(by_name % ("seeker", ", level: 0"))
    assert "None of the deckbuilding options" not in kb("deck check", tmp_path / "daisy.yaml").out
    (tmp_path / "daisy.yaml").write_text(by_name % ("guardian", ", level: 0"))
    assert "None of the deckbuilding options" in kb("deck check", tmp_path / "daisy.yaml").out
    for wrong in (
        by_name % ("nobody", ""),
        daisy + "cards: {}\nfan_made: 7\n",
        daisy + "fan_made: []\n",
    ):
        (tmp_path / "daisy.yaml").write_text(wrong)
        assert "`fan_made` must be a list of your own cards" in kb("deck check", tmp_path / "daisy.yaml").err


@pytest.mark.extended
def test_a_project_file_is_taken_as_own_cards(kb, own_home, tmp_path, monkeypatch):
    monkeypatch.setenv("KB_HOME", str(own_home))
    act = {
        "code": "fan-act",
        "name": "An act",
        "type_code": "act",
        "faction_code": "mythos",
        "pack_code": "zoe",
        "position": 4,
    }
    location = act | {"code": "fan-place", "type_code": "location", "encounter_code": "zoe"}
    project = {
        "meta": {"code": "zoe", "name": "Zoe", "author": "A", "language": "en"},
        "data": {"cards": [*PROJECT_FORM, act, location, 7], "packs": [], "encounter_sets": []},
    }
    file = tmp_path / "zoe.json"
    file.write_text(json.dumps(project, indent=2))
    run = kb("import cards {} --game arkham", file)
    assert "Imported 3 cards that kb lacked" in run.out
    (tmp_path / "deck.json").write_text(json.dumps(deck({})))
    assert "Zoe Zorblax is legal" in kb("deck check", tmp_path / "deck.json").out
    assert "deck size 30" in kb("deck new 'Zoe Zorblax'").out
    (kept,) = own_home.rglob("own-cards/zoe.json")
    assert "deck only" not in kept.read_text()


@pytest.mark.extended
def test_nonsense_in_a_project_file_is_reported_or_left_out():
    draw = random.Random(7)
    nonsense = [
        None,
        7,
        -1,
        10**9,
        "",
        "x" * 500,
        "=1+1",
        [],
        [7],
        {},
        {"a": [{}]},
        True,
        1.5,
        "\x00",
        float("inf"),
        {"size": float("inf")},
    ]
    for _ in range(400):
        cards = copy.deepcopy([*PROJECT_FORM, *map(as_interface, PROJECT_FORM)])
        if draw.random() < 0.5:
            option = draw.choice(cards[0]["deck_options"])
            key = draw.choice([*option, "atleast", "option_select", "faction_select", "deck_size_select"])
            option[key] = draw.choice(nonsense)
        card = draw.choice(cards)
        key = draw.choice(
            [*card, "tags", "alternate_of_code", "customization_options", "side_deck_options", "xp", "deck_limit"]
        )
        card[key] = draw.choice(nonsense)
        read = of_json(json.dumps({"meta": {}, "data": {"cards": cards}}), own_cards, print)
        rows = rows_of(read, own_cards, lambda *_wrong: None, Path("project.json"))
        assert len(rows.rows) <= len(cards)
        brought = {card["code"]: card for card in cards[3:] if isinstance(card.get("code"), str)}
        judged(deck(brought))
    assert list(of_json('{"meta": {}, "data": []}', own_cards, print)) == []
