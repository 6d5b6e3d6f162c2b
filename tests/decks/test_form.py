"""A deck as a form on a web page: its questions, the changes to the deck file, and the same verdict as on the command
line.
"""

import json
import re
from collections import Counter
from functools import cache
from html import unescape

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from kb.catalog.store import open_catalog
from kb.decks import deckfile
from kb.decks.form import MOST_COPIES, CardChange, KeyChange, changed, text_of
from kb.decks.party import rebuilding_of
from kb.errors import KbError
from kb.games.arkham import upgrades
from kb.games.arkham.decks import deck_rules
from kb.site.addresses import Addresses
from kb.site.checker.messages import REQUESTS
from kb.site.checker.pack import checker_data
from kb.site.checker.schema import answer_to, schema
from kb.site.checker.worker import Checker
from kb.site.library import Library
from kb.site.places import all_pages
from tests.conftest import at_home

OF_KYRA = {"game": "pathfinder", "who": ["Kyra", "rotr"]}
OF_ROLAND = {"game": "arkham", "who": ["01001", ""]}
OF_WENDY = {"game": "arkham", "who": ["01005", ""]}
described = cache(lambda done: Draft202012Validator(answer_to(done)))
KYRA = "game: pathfinder\nset: rotr\ncharacter: Kyra\ncards: [Mace]\n"


@pytest.fixture(scope="module")
def ask(real_home):
    """Return a function that sends one request of the page to the checker, without a browser, and returns the answer as
    a dict.
    """
    with at_home(real_home), open_catalog() as catalog:
        library = Library(catalog)
        checker = Checker(json.loads(checker_data(library, Addresses(library, all_pages()))))

    def asked(**question):
        answer = checker.answer(json.dumps(question))
        if question["do"] in REQUESTS:
            described(question["do"]).validate(json.loads(answer))
        return dict(json.loads(answer))

    return asked


@pytest.fixture(scope="module")
def begun(ask):
    """Return a function that returns the form of a new deck."""
    return lambda game, who, set_id="", **more: ask(do="form", game=game, begin=[who, set_id], **more)


@pytest.fixture(scope="module")
def form(ask):
    """Return a function that makes changes to a deck and returns the new form."""
    return lambda deck, *changes, **more: ask(do="form", text=deck["text"], changes=changes, **more)


def copies(card, number):
    return {"card": card, "copies": number}


def says(key, value):
    return {"key": key, "value": value}


def field_of(deck, key):
    (found,) = (each for each in deck["fields"] if each["key"] == key)
    return found


@pytest.mark.extended
def test_changing_the_adventure_clears_the_last_scenario(form):
    text = (
        "game: pathfinder\nset: rotr\ncharacter: Kyra\nstage: rebuilt\nadventure: B\nafter_scenario: 3\ncards: [Mace]\n"
    )
    deck = form({"text": text})
    assert field_of(form(deck, says("adventure", "B")), "after_scenario")["value"] == "3"
    assert field_of(form(deck, says("adventure", "2")), "after_scenario")["value"] == ""


@pytest.mark.parametrize("do", ["check", "form", "offers"])
def test_a_wrong_check_option_is_an_error_message(ask, do):
    def problem(**options):
        return ask(do=do, text="investigator: Daisy Walker\ncards: [Guts]\n", options=options)["problem"]

    assert "`owned` must be a list of texts" in problem(owned=5)
    assert "--nothing cannot be used" in problem(nothing="x")


def buttons(told):
    """Return the requests that the buttons of a page send, as dicts."""
    return [json.loads(unescape(each)) for each in re.findall(r'data-kb-act="(.+?)"', told["page"])]


def test_a_pathfinder_deck_is_built_and_rebuilt(ask, begun, form):
    deck = begun("pathfinder", "Kyra", "rotr")
    assert deck["legal"]
    assert ["weapon", "2", "2"] in deck["counts"]
    offers = {each["key"]: each for each in ask(do="offers", text=deck["text"])["offers"]}
    assert offers["Inflict"]["sure"]
    assert not [name for name, each in offers.items() if not each["sure"] and each["detail"].count(",") < 2], (
        "each unsure offer gives a reason"
    )
    assert "Fire Sneeze" not in offers, "a new deck cannot have a card of a later adventure"
    deck = form(deck, copies("Inflict", 1))
    (finding,) = deck["findings"]
    assert (finding["group"], finding["lines"]) == ("spell", [])
    assert {change["card"] for each in finding["mends"] for change in each["changes"]} <= {
        line["key"] for line in deck["lines"]
    }
    assert finding["links"][0]["url"].endswith(".html")
    deck = form(deck, says("stage", "rebuilt"))
    deck = form(deck, says("card_feats.spell", "1"))
    assert "card_feats:\n  spell: 1\n" in deck["text"]
    assert ["spell", "4", "4"] in deck["counts"]
    deck = form(deck, says("card_feats.spell", ""))
    assert "card_feats" not in deck["text"]
    deck = form(deck, says("skill_feats.Wisdom", "2"))
    assert field_of(deck, "skill_feats.Wisdom")["value"] == "2"
    again = ask(do="form", text=deck["text"].replace("skill_feats:\n  Wisdom: 2\n", "skill_feats: [Wisdom +2]\n"))
    assert "skill_feats:\n  Wisdom: 2\n" in again["text"]


@pytest.mark.parametrize(
    ("game", "who", "held", "counted"),
    [
        ("pathfinder", ["Kyra", "rotr"], set(), ["weapon", "0", "2"]),
        ("arkham", ["01001"], {"01000", "01006", "01007"}, ["deck size", "0", "30"]),
    ],
)
def test_an_empty_deck_contains_the_required_cards(ask, begun, game, who, held, counted):
    deck = begun(game, *who, empty=True)
    assert {line["key"] for line in deck["lines"]} == held
    assert counted in deck["counts"]
    assert not deck["legal"]
    assert ask(do="offers", text=deck["text"])["offers"]


def test_an_arkham_deck_in_any_format_opens_and_exports_to_every_format(ask, form):
    text = json.dumps({"investigator_code": "01002", "slots": {"01086": 3, "01000": 1}, "taboo_id": 8})
    deck = ask(do="form", text=text)
    assert (deck["character"], deck["game"]) == ("Daisy Walker", "arkham")
    assert field_of(deck, "taboo")["value"] == "8"
    (limit,) = [each for each in deck["findings"] if "01086" in each["lines"]]
    (mend,) = limit["mends"]
    assert mend == {"words": "Remove Knife", "changes": [copies("01086", 2)]}
    deck = form(deck, *mend["changes"])
    assert not [each for each in deck["findings"] if "01086" in each["lines"]], "the change fixes the finding"
    for to in deck["formats"]:
        written = ask(do="write", text=deck["text"], to=to)
        assert written["suffix"] in (".yaml", ".json", ".txt")
        again = ask(do="form", text=written["text"], name=f"deck{written['suffix']}")
        assert again["lines"] == deck["lines"], to


def test_the_last_card_can_be_removed_and_impossible_changes_give_messages(ask, form):
    deck = form({"text": KYRA}, copies("Mace", 0))
    assert (deck["lines"], deck["legal"]) == ([], False)
    assert form(deck, copies("Mace", 1))["lines"]
    for change, said in (
        (copies("Excalibur", 1), "Excalibur"),
        (copies("Mace", 1000), f"from 0 to {MOST_COPIES}"),
        (says("adventure", "9"), "adventure"),
        (says("hp", "9"), "Unknown key"),
    ):
        assert said in form(deck, change)["problem"]
    for text, said in (("game: luxor\ncharacter: Beor\n", "luxor"), ("a: [", "Deck, line 2:")):
        assert said in ask(do="form", text=text)["problem"]
    assert "no character Nobody" in ask(do="form", game="pathfinder", begin=["Nobody", ""])["problem"]


def test_boxes_are_marked_and_priced(ask, form):
    old = (
        "game: arkham\ninvestigator: '01001'\ncards: {'09021': 2}\nupgrades: {'09021': {3: {boxes: 1, chosen: Item}}}\n"
    )
    step = ask(do="upgrade", text=old, earned=5)
    sheet = {each["label"]: each for each in step["lines"][0]["sheet"]}
    assert sheet["Upgrade 2: Protective Runes"]["choices"] == [
        ["", "none of 2 boxes"],
        ["1", "1 of 2 boxes"],
        ["2", "2 of 2 boxes"],
    ]
    marked = (says(sheet[f"Upgrade {upgrade}"]["key"], "2") for upgrade in ("2: Protective Runes", "3: Durable"))
    step = form(step, *marked, old=step["old"], earned=5)
    assert (step["step"]["cost"], [each["value"] for each in step["lines"][0]["sheet"]][:3]) == (3, ["", "2", "2"])
    assert step["step"]["bought"][0]["text"].startswith("Mark boxes Hunter's Armor (2): ")
    assert "chosen: Item" in step["text"]
    cleared = form(step, says(sheet["Upgrade 2: Protective Runes"]["key"], ""))
    assert cleared["lines"][0]["sheet"][1]["value"] == ""


def test_a_plain_list_is_read_for_the_chosen_character(ask):
    assert [line["name"] for line in ask(do="form", text="Mace\n2x Cure\n", **OF_KYRA)["lines"]] == ["Mace", "Cure"]
    listed = ask(do="form", text="2x Machete\n1 Alice Luxley: Fearless Flatfoot\n", **OF_ROLAND)
    assert (listed["character"], len(listed["lines"])) == ("Roland Banks", 2)
    assert ask(do="form", text="Investigator: Daisy Walker\n2x Knife\n", **OF_ROLAND)["character"] == "Daisy Walker"
    (leave,) = ask(do="form", text="2x Machete\nExcalibur", **OF_ROLAND)["mends"]
    assert leave == {"words": "Leave out “Excalibur”", "text": "2x Machete"}
    assert "Luxor has no decks" in ask(do="form", text="game: luxor\n", **OF_KYRA)["problem"]
    assert "contains no card that kb knows" in ask(do="form", text="hello there", **OF_ROLAND)["problem"]
    for head in ("Kyra", "Kyra, a healer\n", "Kyra:", "Weapons (2):", "Character: Kyra"):
        assert [line["copies"] for line in ask(do="form", text=f"{head}\nMace\n2x Cure\n", **OF_KYRA)["lines"]] == [
            1,
            2,
        ]
    assert ask(do="form", text=KYRA.replace("character", "Character"))["character"] == "Kyra"


@pytest.mark.extended
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Kyra's healing deck\n\n2x Cure\nLongsword, Chain Mail", "Kyra"),
        ("Own\nRoland Banks\nMachete, Guts", "Roland Banks"),
        ("My Beor\ncombat: 1-15", "Beor"),
        ("Ours\n2x Cure, Longsword", "contains cards of Pathfinder"),
    ],
)
def test_the_game_of_a_list_is_detected_from_its_names(ask, text, said):
    checked = ask(do="check", text=text)
    assert said in (checked.get("problem") or checked["report"]["character"])
    together = ask(do="together", files=[{"name": "a", "text": text}])
    assert said == "Beor" or said in together.get("problem", together.get("title"))


def test_cards_are_found_by_traits_and_lead_to_their_pages(ask, begun):
    deck = begun("arkham", "01005")
    offers = ask(do="offers", text=deck["text"])["offers"]
    bat = next(each for each in offers if each["name"] == "Baseball Bat")
    assert (bat["words"], bat["shown"]) == ("Item Weapon Melee", "arkham/cards/01074.html")
    sure = [each["later"] for each in offers if each["sure"]]
    assert sure == sorted(sure)
    assert True in sure
    step = ask(do="upgrade", text=deck["text"], earned=3)
    bought = ask(do="offers", text=step["text"], old=step["old"], earned=3)["offers"]
    names = [each["name"] for each in bought if each["sure"]]
    assert names == sorted(names), "purchases of all levels are in alphabetical order"
    shown = {line["name"]: line["shown"] for line in begun("pathfinder", "Kyra", "rotr")["lines"]}
    assert shown["Blessing of the Gods"] == "pathfinder/rotr/cards/blessing-of-the-gods.html"


def test_a_card_with_its_maximum_number_of_copies_is_full_but_its_upgrade_is_not(ask, form):
    def full(deck):
        offers = {each["name"]: each["full"] for each in ask(do="offers", text=deck["text"])["offers"]}
        return [offers[name] for name in ("Machete", "Beat Cop", "Beat Cop (2)")]

    deck = form({"text": "game: arkham\ninvestigator: Roland Banks\ncards: {Machete: 2, Beat Cop: 1}\n"})
    assert full(deck) == [True, False, False]
    deck = form(deck, copies("01020", 1), copies("01018", 2))
    assert full(deck) == [False, True, False]
    deck = form(deck, copies("01018", 1), copies("01028", 1))
    assert full(deck) == [False, True, False], "the limit is by title"
    deck = form(deck, copies("01018", 0), copies("01028", 2))
    assert full(deck) == [False, True, True]


def test_side_deck_and_spirit_deck_are_shown_and_changed(form, begun):
    text = "game: arkham\ninvestigator: Roland Banks\ncards: {Machete: 1}\nside_deck: {Shotgun (4): 2, Knife: 1}\n"

    def aside(deck):
        return [(each["key"], each["name"], each["group"], each["copies"]) for each in deck["aside"]]

    deck = form({"text": text})
    shotgun = ("side_deck.01029", "Shotgun (4)", "side deck", 2)
    assert aside(deck) == [("side_deck.01086", "Knife", "side deck", 1), shotgun]
    assert [line["name"] for line in deck["lines"]] == ["Machete"]
    deck = form(deck, says("side_deck.01086", ""))
    assert aside(deck) == [shotgun]
    deck = form(deck, says("side_deck.01029", 1))
    assert aside(deck) == [(*shotgun[:3], 1)]
    assert "side_deck" not in form(deck, says("side_deck.01029", ""))["text"]
    jim = form({"text": "game: arkham\ninvestigator: Jim Culver\ncards: {}\nspirit_deck: {Beat Cop: 1}\n"})
    assert aside(jim) == [("spirit_deck.01018", "Beat Cop", "spirit deck", 1)]
    assert begun("pathfinder", "Kyra", "rotr")["aside"] == []


def test_the_form_reads_what_the_checker_reads(ask):
    cards = "Assets (15)\n2x Leather Coat\nWendy's Amulet\n\nEvents\n2x Lucky!\n\nWeakness\n1x Abandoned and Alone\n"
    whole = f"My first deck\n\nWendy Adams (The Urchin)\n\n{cards}"
    checked = ask(do="check", text=whole)["report"]
    for text, who in ((whole, OF_WENDY), (whole, OF_ROLAND), (f"My first deck\n{cards}", OF_WENDY), (cards, OF_WENDY)):
        form = ask(do="form", text=text, **who)
        assert form["character"] == checked["character"] == "Wendy Adams"
        assert [each["message"] for each in form["findings"]] == [each["message"] for each in checked["findings"]]
    for text, who, line in ((whole, OF_ROLAND, 14), (cards, OF_WENDY, 10)):
        wrong = ask(do="form", text=f"{text}Kinfe\n", **who)
        assert wrong["problem"].startswith(f"Deck, line {line}: 'Kinfe' is neither a card nor a heading")
        assert wrong["mends"][0]["text"] == f"{text}Knife"


def test_an_unknown_name_gets_buttons_that_correct_it(ask):
    for head, who, right in (
        ("", OF_ROLAND, "Magnifying Glass"),
        ("Investigator: Roland Banks\n", {}, "Magnifying Glass"),
        ("", OF_KYRA, "Mace"),
    ):
        wrong = f"{right[:3]}{right[4:]}"
        text = f"{head}2x {right}\n1x {wrong}\n"
        refused = ask(do="form", text=text, **who)
        mends = {each["words"]: each["text"] for each in refused["mends"]}
        other = mends[f"“{wrong}” is {right}"]
        assert sum(line["copies"] for line in ask(do="form", text=other, **who)["lines"]) == 3
        assert ask(do="form", text=mends[f"Leave out “{wrong}”"], **who)["lines"][0]["copies"] == 2
    for text, right in (
        ("Investigator: Roland Bank\nMachette\n", {"“Roland Bank” is Roland Banks", "“Machette” is Machete"}),
        ("Roland Bank\n2x Guts\n", {"“Roland Bank” is Roland Banks"}),
        ("character: Kyraa\ncards: [Mace]\n", {"“Kyraa” is Kyra"}),
    ):
        refused = ask(do="check", text=text)
        assert right <= {each["words"] for each in refused["mends"]}
        assert ("there is no investigator" in refused["problem"]) == ("Guts" in text)


@pytest.mark.extended
def test_the_forms_verdict_is_the_checkers(begun, form, kb, real, tmp_path):
    file = tmp_path / "deck.yaml"
    for who in (("pathfinder", "Ezren", "mm"), ("arkham", "02005"), ("arkham", "01001")):
        deck = begun(*who)
        for line in deck["lines"][:3]:
            deck = form(deck, copies(line["key"], line["copies"] + 1))
        file.write_text(deck["text"], "utf-8")
        report = kb("deck check --json", file).json[0]
        assert [each["message"] for each in deck["findings"]] == [each["message"] for each in report["findings"]]
        assert deck["legal"] is report["legal"] is False


ROLAND = {
    "investigator_code": "01001",
    "id": 7,
    "taboo_id": 8,
    "slots": {
        "01006": 1,
        "01007": 1,
        "01000": 1,
        "01016": 2,
        "01018": 2,
        "01025": 2,
        "01039": 2,
        "02115": 1,
        "03154": 2,
    },
}


def command_says(kb, files, options):
    """Return the JSON output of `kb deck upgrade` for the deck files before and after a step, or `{'problem': message}`
    if kb refuses.
    """
    done = kb(["deck", "upgrade", *map(str, files), *options, "--json"])
    return {"problem": done.err} if done.code == 2 else done.json


def test_options_of_the_group_apply_to_a_deck(ask):
    text = "Investigator: Roland Banks\n2x Beat Cop\n2x Knife\n"
    chosen = {
        "environment": "limited",
        "expansion": "The Path to Carcosa\nThe Dunwich Legacy",
        "ultimatum": "Ultimatum of the Highlander",
        "start": "yes",
        "taboo": "as the deck says",
    }
    agreed = ask(do="check", text=text, agreed={"arkham": chosen})["report"]
    options = {"environment": "limited", "expansion": ["dwl", "ptc"], "ultimatum": ["highlander"], "start": True}
    assert agreed == ask(do="check", text=text, options=options)["report"]
    alone = ask(do="check", text=text)["report"]
    assert agreed != alone
    assert ask(do="check", text=text, agreed={"pathfinder": {"start": "yes"}})["report"] == alone


@pytest.mark.extended
def test_an_upgrade_is_bought_undone_and_recorded(ask, form, kb, real, tmp_path):
    old = json.dumps(ROLAND)
    step = ask(do="upgrade", text=old, earned=5)
    asked = {"old": step["old"], "earned": 5}
    assert (step["step"]["available"], step["step"]["bought"]) == (5, [])
    prices = ask(do="prices", text=step["text"], keys=["01028", "02226", "01025"], **asked)["prices"]
    assert prices["01028"] == {"cost": 2, "instead": "01018"}, "Beat Cop (2) takes the place of Beat Cop"
    changes = [copies("01028", 1), copies("01018", 1), *step["step"]["lost"]["02115"]]
    step = form(step, *changes, **asked)
    bought, exiled = (
        next(each for each in step["step"]["bought"] if word in each["text"]) for word in ("Beat Cop", "Exile")
    )
    assert bought["text"] == "Upgrade Beat Cop (2) from Beat Cop: 2 experience (difference 2)."
    assert bought["links"][0]["title"]
    assert form(step, *bought["changes"], *exiled["changes"], **asked)["step"]["bought"] == []

    dear = ask(do="record", text=step["text"], **{**asked, "earned": 1})
    assert "costs at least 2 experience" in dear["problem"], "problems of the deck before the step do not matter"
    kept = ask(do="record", text=step["text"], **asked)
    assert {"id: 7-2", "previous: '7'", "experience: 5", "xp_spent: 2"} <= set(kept["text"].splitlines())
    files = [tmp_path / "old.json", tmp_path / "new.yaml", tmp_path / "third.yaml"]
    third = ask(do="upgrade", text=kept["text"], earned=3)
    for file, text in zip(files, (old, kept["text"], third["text"]), strict=True):
        file.write_text(text, "utf-8")
    told = command_says(kb, files[:2], [])
    for key in ("cost", "legal", "available", "unspent", "lines", "findings"):
        assert told[key] == step["step"][key], key
    assert command_says(kb, files, ["--xp", "5", "--xp", "3"])["available"] == 6, (
        "of the first 5 experience, 3 were left"
    )
    for question in ({"earned": -1}, {"earned": 7.5}, {"earned": ""}, {"earned": "5"}, {"old": "a: ["}, {"old": KYRA}):
        assert form(kept, **asked | question)["problem"]
    for question in ({"do": "form"}, {"do": "record"}, {"do": "prices", "keys": ["01028"]}, {"do": "upgrade"}):
        assert ask(text=KYRA, **question, **asked)["problem"]


def test_a_change_is_one_check_and_a_recorded_step_is_checked_once_with_its_result(ask, begun, form, monkeypatch):
    done = Counter()

    def counted(name, function):
        def call(*given, **more):
            done[name] += 1
            return function(*given, **more)

        return call

    monkeypatch.setattr(deckfile, "parse_yaml", counted("parses", deckfile.parse_yaml))
    monkeypatch.setattr(deck_rules, "check_deck", counted("checks", deck_rules.check_deck))
    monkeypatch.setattr(upgrades, "judge_step", counted("steps", upgrades.judge_step))
    deck = begun("arkham", "01001")
    done.clear()
    deck = form(deck, copies("01088", 0))
    assert done == {"checks": 1}
    done.clear()
    step = ask(do="upgrade", text=deck["text"])
    asked = {"old": step["old"], "earned": 5}
    step = form(step, copies("01028", 1), copies("01018", 1), **asked)
    assert done == {"steps": 2}
    done.clear()
    assert ask(do="record", text=step["text"], **asked)["steps"]
    assert done == {"steps": 1, "checks": 1}


def test_marked_boxes_of_an_upgrade_sheet_can_be_undone(ask, form):
    boxes = [says("upgrades.09021.1", "1"), says("upgrades.09021.2", "2")]
    for card, action, changes in (
        ("Hunter's Armor", "Mark boxes", boxes),
        ("Beat Cop", "Purchase", [copies("09021", 1), *boxes]),
    ):
        text = f"game: arkham\ninvestigator: Roland Banks\ncards:\n  {card}: 1\n"
        first = ask(do="upgrade", text=text, earned=9)
        asked = {"old": first["old"], "earned": 9}
        step = form(first, *changes, **asked)
        (line,) = (each for each in step["step"]["bought"] if action in each["text"])
        again = form(step, *line["changes"], **asked)
        assert again["step"]["bought"] == []
        assert again["text"] == first["text"]


KEYS = st.sampled_from(["stage", "card_feats.spell", "role", "cards", "x", "a.b", ""]) | st.text(max_size=6)


@given(KEYS, st.text(max_size=12), st.integers(-3, 200), st.booleans())
def test_a_change_gives_a_deck_file_or_an_error_message(key, value, number, card):
    deck = {"game": "pathfinder", "cards": {"Mace": 1}, "stage": "new"}
    try:
        new = changed(deck, CardChange(key, number) if card else KeyChange(key, value))
    except KbError:
        assert card, "kb may refuse only a change of a number of copies"
        assert not 0 <= number <= MOST_COPIES
        return
    assert text_of(new)
    assert deck == {"game": "pathfinder", "cards": {"Mace": 1}, "stage": "new"}
    assert all(new["cards"].values()) if card else True


@pytest.mark.parametrize(
    ("who", "key", "most"),
    [
        (("pathfinder", "Kyra", "rotr"), "power_feats.other", 12),
        (("tainted-grail", "Beor"), "resources.food", 9999),
        (("tainted-grail", "Beor"), "attributes.courage", 99),
    ],
)
def test_number_fields_have_a_limit(begun, form, who, key, most):
    deck = {"text": begun(*who)["text"].replace("stage: new", "stage: rebuilt")}
    field = field_of(form(deck, says(key, str(most))), key)
    assert (field["value"], field["most"]) == (str(most), most)
    for value in (most + 1, -1, "many"):
        assert (
            form(deck, says(key, str(value)))["problem"]
            == f"“{field['label']}” must be a whole number from 0 to {most}."
        )


def test_pairs_of_opposed_attributes_are_a_field(begun, form):
    told = form(
        begun("tainted-grail", "Beor"),
        says("starting_attributes.courage", "1"),
        says("attributes.courage", "3"),
        says("attributes.spirituality", "3"),
        says("experience_spent", "90"),
    )
    (note,) = [each for each in told["findings"] if each["check"] == "pairs-are-known"]
    assert note["field"] == "pairs"
    field = field_of(told, "pairs")
    assert f"“{field['label']}”" in note["fix"]
    for value, _ in field["choices"][1:]:
        after = form(told, says("pairs", value))
        assert not [each for each in after["findings"] if each["check"] == "pairs-are-known"]
        assert field_of(after, "pairs")["value"] == value


def test_questions_write_a_party_file(ask, form):
    asked = ask(do="table", game="pathfinder", answers={}, whole=True)["questions"]
    assert [(each["key"], bool(each["wrong"])) for each in asked] == [("set", True)]
    deck = "deck/Kyra"
    answers = {
        "set": "Rise of the Runelords",
        "played": "Kyra, Ezren, Lem",
        "adventure": "B (base set) Perils of the Lost Coast",
        "died": "Lem",
        "joined": "Merisiel",
        "gained/Kyra": "2x Crow",
        "banished/Ezren": "2x Lightning Touch",
        "wishes/Merisiel": "Dagger",
        "rewards": "Bracers of Protection",
        deck: "character: Kyra\nset: rotr\nadventure: B\ncard_feats: {spell: 1}\ncards: [Mace, 2x Cure]\n",
    }
    text = ask(do="table", game="pathfinder", answers=answers)["text"]
    said = yaml.safe_load(text)
    assert said["members"]["Kyra"] == {"card_feats": {"spell": 1}, "pool": ["Mace", "2x Cure", "2x Crow"]}
    assert said["members"]["Merisiel"] == {"new": True, "wishes": ["Dagger"]}
    assert "Lightning Touch" not in text
    assert (list(said["dead"]), said["rewards"]) == (["Lem"], ["Bracers of Protection"])
    told = ask(do="rebuild", text=text, fill=True)
    assert {each["check"] for each in told["told"]["findings"]} == {"earned-feats"}, (
        "no scenario of the base set rewards this feat"
    )
    assert "Dagger" in told["told"]["chosen"]["Merisiel"]
    assert all("`adventure:`" in each["fix"] for each in told["told"]["findings"])
    page = ask(do="rebuild", text=text, fill=True, asked=answers)["page"]
    assert not any("<code>" in fix for fix in re.findall("<b>Fix:</b> <bdi>(.*?)</bdi>", page)), (
        "a fix on the page does not name keys of the file"
    )
    too_many = {**answers, "gained/Ezren": "9x Codex"}
    text = ask(do="table", game="pathfinder", answers=too_many)["text"]
    told = ask(do="rebuild", text=text, asked=too_many)
    assert "copies of Codex" in told["page"]
    assert "table:" not in told["page"], "the user has not seen the file, so messages name no line of it"
    asked = ask(do="table", game="pathfinder", answers=answers)["questions"]
    shares = {each["of"]: each["share"] for each in asked if each["kind"] == "deck"}
    assert form(ask(do="open", share=shares["Ezren"]))["legal"], "the suggested deck opens as a legal deck"
    wrong = answers[deck].replace("Kyra", "Seoni")
    assert "This deck is for Seoni" in ask(do="table", game="pathfinder", answers={**answers, deck: wrong})["problem"]


@pytest.mark.extended
def test_each_trade_of_a_party_can_be_refused_and_allowed(ask, form):
    text = rebuilding_of("pathfinder").example()
    told = ask(do="rebuild", text=text, fill=True)
    assert told["text"] == text
    refusals = [each["refuse"] for each in buttons(told)]
    assert {"who": "Ezren", "card": "Force Missile", "refuses": True} in refusals, "the giver can refuse the trade"
    assert {"who": "Kyra", "card": "Force Missile", "refuses": True} in refusals, "the receiver can refuse the trade"
    for refuse in refusals:
        without = ask(do="rebuild", text=text, fill=True, refuse=refuse)
        card, who = refuse["card"], refuse["who"]
        moves = [*without["told"]["moves"], *without["told"]["trades"]]
        assert not [each for each in moves if each["card"] == card and who in (each["from"], each["to"])], refuse
        assert card not in without["told"]["chosen"][who]
        assert "Allow again" in without["page"]
        assert [each["check"] for each in without["told"]["findings"]].count("refused-moves") == 1
        again = ask(do="rebuild", text=without["text"], fill=True, refuse={**refuse, "refuses": False})
        assert again["told"] == told["told"]
    assert ask(do="rebuild", text=text, refuse={"who": "Seoni", "card": "Codex", "refuses": True})["problem"]
    deck = told["decks"][0]
    assert form(deck)["legal"]
    assert ask(do="open", share=deck["share"])["text"] == deck["text"]


TABLES = {
    "a card of the box": (
        [
            "character: Kyra\nset: rotr\nadventure: B\ncards: [Longspear, Sage]\n",
            "character: Ezren\nset: rotr\ncards: [Longspear, Dagger]\n",
        ],
        {},
        ["Longspear", "Longspear"],
    ),
    "an owned card": (
        [
            f"game: arkham\ninvestigator: {who}\ncards: {{Beat Cop: {copies}}}\n"
            for who, copies in (("Roland Banks", 1), ("Zoey Samaras", 2))
        ],
        {"owned": ["core"]},
        ["Beat Cop", "2 Beat Cop"],
    ),
}


@pytest.mark.parametrize("named", TABLES)
def test_each_finding_of_a_group_has_buttons_that_fix_it(named, ask):
    texts, more, named_in = TABLES[named]
    files = [{"name": f"{number}.yaml", "text": text} for number, text in enumerate(texts)]
    asked = {"do": "together", "files": files, **more}
    told = ask(**asked)
    first, *_ = told["told"]["findings"]
    mends = buttons(told)
    first_of = {each["mend"]["deck"]: each for each in reversed(mends)}
    mends = [first_of[at] for at in range(len(files))]
    assert [name in each["mend"]["words"] for each, name in zip(mends, named_in, strict=True)] == [True, True]
    links = re.findall(r'href="build.html#deck=([\w-]+)&amp;now"', told["page"])
    assert [ask(do="open", share=link)["text"] for link in links] == texts, "each deck can be changed on the form"
    for each in mends[:2]:
        after = ask(**{**asked, **each})
        assert [file["text"] == text for file, text in zip(after["files"], texts, strict=True)].count(False) == 1
        assert ask(**{**asked, "files": after["files"]})["told"] == after["told"]
        left = [found for found in after["told"]["findings"] if found["check"] == first["check"]]
        assert all(found["count"] < first["count"] for found in left)
    assert not left


def test_a_corrected_list_keeps_its_card_names(ask):
    texts = ["Roland Banks\n1x Beat Cop\n2x Machete\n", "Zoey Samaras\n2x Beat Cop\n"]
    files = [{"name": f"{at}.txt", "text": text} for at, text in enumerate(texts)]
    changes = [{"card": "01018", "copies": 0}]
    mended = ask(do="together", files=files, owned=["core"], mend={"deck": 0, "changes": changes})["files"]
    assert '"01020": 2  # Machete\n' in mended[0]["text"]
    assert "Beat Cop" not in mended[0]["text"]
    assert mended[1]["text"] == texts[1]


def test_the_report_on_a_group_names_decks_that_are_illegal_alone(ask):
    kyra, ezren = (ask(do="form", game="pathfinder", begin=[who, "rotr"])["text"] for who in ("Kyra", "Ezren"))
    told = ask(do="together", files=[{"name": "1", "text": kyra}, {"name": "2", "text": ezren}])
    assert (told["title"], told["legal"]) == ("2 decks can be played together", True)
    assert "No problems: these decks can be played together." in told["page"]
    for texts, words in (
        ((kyra, f"{ezren}deck_adjustments: {{spell: 1}}\n"), "Ezren's deck is not legal"),
        (
            (KYRA, "game: pathfinder\nset: rotr\ncharacter: Ezren\ncards: [Codex]\n"),
            "Kyra's and Ezren's decks are not legal",
        ),
    ):
        told = ask(do="together", files=[{"name": f"{at}", "text": text} for at, text in enumerate(texts)])
        assert (told["title"], told["legal"]) == (f"2 decks can be played together, but {words}", False)
        assert "can be played together" not in told["page"]


def test_a_deck_becomes_legal_by_the_buttons_of_its_findings(ask, begun, form):
    """The buttons add required cards and remove forbidden cards."""
    for who in ("01001", "01002", "02005", "06003"):
        new = yaml.safe_load(begun("arkham", who)["text"])
        deck = ask(do="form", text=text_of({**new, "cards": {"01050": 1, "01086": 1}}))
        for _ in range(20):
            mends = [mend for each in deck["findings"] if each["severity"] == "error" for mend in each["mends"]]
            if not mends:
                break
            deck = form(deck, *mends[0]["changes"])
        left = [each["message"] for each in deck["findings"] if each["severity"] == "error"]
        assert not [each for each in left if not re.search("of 30 cards|choose|chosen", each, re.IGNORECASE)], who
        assert "01000" in {line["key"] for line in deck["lines"]}
    offers = {each["name"]: each for each in ask(do="offers", text=begun("arkham", "01002")["text"])["offers"]}
    for name in ("The Necronomicon: John Dee Translation", "Random Basic Weakness", "Amnesia", "Paranoia"):
        assert (offers[name]["group"], offers[name]["sure"]) == ("weakness", True), name
    assert "Cover Up" not in offers, "the signature of another investigator is not offered"


@pytest.mark.extended
def test_the_schema_describes_every_request_and_its_answer(ask):
    described_messages = schema()
    assert set(described_messages) == set(REQUESTS)
    assert "lines" in described_messages["form"]["answer"]["$defs"]["FormAnswer"]["required"]
    position = "players: [{name: Ana, vases: 1, looted: 3, locations: [4], sarcophagi: both}]\n"
    assert ask(do="score", game="luxor", text=position)["score"]["players"]
