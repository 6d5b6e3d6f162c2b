"""Requests about campaigns to the checker in the page: begin, record, undo, pack as a zip, and open again."""

import base64
import io
import json
import re
import zipfile
from html import unescape

import pytest
from jsonschema import Draft202012Validator

from kb.api.session import Session
from kb.citation import Citations
from kb.errors import KbError
from kb.site.checker.campaign import CampaignRequests
from kb.site.checker.messages import request_in
from kb.site.checker.schema import answer_to

described = Draft202012Validator(answer_to("campaign"))
BEGINNINGS = {
    "pathfinder": {"set": "Rise of the Runelords", "players": "Kyra, Valeros"},
    "arkham": {"players": "Roland Banks (Core Set)"},
    "tainted-grail": {"players": "Beor"},
}


@pytest.fixture
def checker(real):
    with Session() as session:
        requests = CampaignRequests(session.deck_rules.game, Citations(), {})

        class Page:
            """Sends requests to the checker as the page does, without a browser."""

            def answer(self, question):
                given = {key: each for key, each in question.items() if each is not None}
                answer = requests.answer(request_in(json.dumps({"do": "campaign", **given}))).as_json(Citations())
                described.validate(json.loads(json.dumps(answer)))
                return answer

        yield Page()


@pytest.fixture
def record(checker):
    """Return a function that records a game in a campaign's folder and returns the answer."""
    return lambda folder, answers, **more: checker.answer(
        {"what": "record", "folder": folder, "answers": answers, **more}
    )


@pytest.fixture
def folder(checker):
    """Return the files of a campaign of Kyra and Valeros."""
    return begun(checker, "pathfinder")["files"]


def zipped(files, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(packed := io.BytesIO(), "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return base64.b64encode(packed.getvalue()).decode("ascii")


def begun(checker, game, folder=None, **more):
    answers = {"name": "Ours: <b>", **BEGINNINGS[game], **more}
    told = checker.answer({"what": "begin", "game": game, "folder": folder, "answers": answers, "write": True})
    assert "files" in told, [each for each in told["questions"] if each["wrong"]] or told["problems"]
    return told


LISTS = [
    "My Roland\n\nRoland Banks (The Fed)\nAssets\n2x Machete\nEvents\n2x Evidence!\n",
    "2x Machete\n2x Evidence!\n",
]


def test_a_campaign_begins_with_a_plain_list_of_known_names(checker):
    own = "deck/Roland Banks"
    for text in LISTS:
        (kept,) = (each for name, each in begun(checker, "arkham", **{own: text})["files"].items() if "/" in name)
        assert {"investigator", "01020", "01022"} <= set(re.findall(r"\w+", kept))
    with pytest.raises(KbError, match="Machette"):
        begun(checker, "arkham", **{own: "2x Machette\n"})


@pytest.mark.parametrize("game", BEGINNINGS)
def test_a_campaign_is_packed_and_opened_again(game, checker, record):
    told = begun(checker, game)
    packed = checker.answer({"what": "pack", "folder": told["files"]})
    opened = checker.answer({"what": "unpack", "zip": packed["zip"]})
    assert opened["files"] == told["files"]
    assert (opened["shown"]["title"], opened["shown"]["games"]) == (told["shown"]["title"], 0)
    asked = record(told["files"], {})
    assert asked["questions"]


def test_a_device_whose_clock_was_never_set_packs_a_campaign(checker, monkeypatch):
    told = begun(checker, "pathfinder")
    monkeypatch.setattr("time.localtime", lambda *_given: (1970, 1, 1, 0, 0, 1, 3, 1, 0))
    packed = checker.answer({"what": "pack", "folder": told["files"]})
    assert checker.answer({"what": "unpack", "zip": packed["zip"]})["files"] == told["files"]


FURTHER = {
    "pathfinder": {"owns": "base"},
    "arkham": {"taboo": "8"},
    "tainted-grail": {"mode": "story", "starting_attributes.courage/Beor": "3"},
}


@pytest.mark.parametrize("game", BEGINNINGS)
def test_answers_are_kept_by_ids_not_by_the_wording_of_questions(game, checker):
    told = begun(checker, game)
    first = checker.answer({"what": "begin", "game": game})
    later = checker.answer({"what": "record", "folder": told["files"], "answers": {}})
    for each in (*first["questions"], *later["questions"]):
        assert each["key"] not in (each["text"], each["start"])
        assert not each["key"].endswith(")"), "the ids of questions must be unique"


@pytest.mark.parametrize("game", BEGINNINGS)
def test_the_start_form_shows_the_recorded_answers(game, checker):
    files = begun(checker, game, **FURTHER[game])["files"]
    asked = checker.answer({"what": "begin", "game": game, "folder": files})
    first = "\n".join(sorted(BEGINNINGS[game]["players"].split(", ")))
    assert asked["answers"].items() >= {**FURTHER[game], "players": first}.items()
    assert not [key for key in asked["answers"] if key.startswith("deck/")]
    again = checker.answer({"what": "begin", "folder": files, "answers": asked["answers"], "write": True})
    assert again["files"] == files


def test_a_beginning_is_replaced_and_its_games_are_replayed(checker, record):
    tile = "starting_attributes.courage/Beor"
    wrong = {
        "deck/Beor": "game: tainted-grail\ncharacter: Beor\ncombat: 1-14\n",
        tile: "3",
    }
    begins = begun(checker, "tainted-grail", **wrong)
    assert "Change it in the setup" in begins["shown"]["page"]
    folder = record(begins["files"], CHAPTER, write=True)["files"]
    asked = checker.answer({"what": "begin", "folder": folder})
    own = next(iter(wrong))
    assert asked["answers"][own] == wrong[own]
    mended = {**asked["answers"], own: "", tile: "3"}
    page = checker.answer({"what": "begin", "folder": folder, "answers": mended, "write": True})["shown"]
    assert page["games"] == 1
    assert page["legal"]
    assert "Change it in the setup" not in page["page"]
    swapped = {"what": "begin", "folder": folder, "answers": {"players": "Arev"}, "write": True}
    problem, what = checker.answer(swapped)["problems"]
    assert problem.startswith("Game 1 (Chapter 1, day 3): 'Beor' is not in the party.")
    assert what.startswith("Nothing was replaced.")


def test_games_that_no_longer_fit_are_named_with_the_question_to_change(checker, folder, record):
    gained = "gained/Valeros"
    folder = record(folder, {"won": "no", gained: "Mace"}, write=True)["files"]
    page = told(begun(checker, "pathfinder", folder=folder, **{"players": "Kyra, Lini"})["shown"]["page"])
    assert "undo the later games" in page
    assert "Game 1 (Attack on Sandpoint): Valeros did not play this game" in page
    assert "Remove Valeros from “Which new boons did Valeros end with" in page


def test_a_scenario_is_previewed_recorded_and_undone(checker, folder, record):
    answers = {"won": "no", "gained/Kyra": "Sage"}
    won = record(folder, {"won": "yes"})["questions"]
    (reward,) = (each for each in won if "did the reward give" in each["text"])
    assert "may go back into the box" in reward["note"]
    looked = record(folder, answers, preview=True)
    assert "files" not in looked
    assert any("Sage" in change for change in looked["preview"]["changes"])
    written = record(folder, answers, write=True)
    assert written["shown"]["games"] == 1
    back = checker.answer({"what": "undo", "folder": written["files"]})
    assert back["shown"]["games"] == 0
    with pytest.raises(KbError, match="no game to undo"):
        checker.answer({"what": "undo", "folder": back["files"]})


def test_an_invalid_answer_is_reported_and_nothing_is_recorded(folder, record):
    answers = {"won": "no", "gained/Kyra": "Sagge"}
    told = record(folder, answers, write=True)
    assert "files" not in told
    assert ["Sage" in each["wrong"] for each in told["questions"] if each["wrong"]] == [True]


def test_a_trade_in_the_rebuild_can_be_refused_and_allowed(folder, record):
    answers = {
        "won": "no",
        "gained/Kyra": "Sage",
        "wishes/Valeros": "Sage",
    }

    def moves(told):
        steps = told["preview"]["rebuilding"]
        return {step["title"]: [(each["text"], *each["by"]) for each in step["moves"]] for step in steps}

    first = record(folder, answers, preview=True)
    assert ("Kyra to Valeros: Sage (Valeros wished for it)", "Valeros", "Kyra") in moves(first)["Trade"]
    refusal = {"who": "Kyra", "card": "Sage", "refuses": True}
    refused = record(folder, answers, preview=True, refuse=refusal)
    assert refused["refuses"] == "Kyra: Sage"
    assert not any("Sage" in text for text, *_ in moves(refused).get("Trade", []))
    assert moves(refused)["Refused, neither given away nor taken"] == [("Refused: Sage, by Kyra", "Kyra")]
    refusing = answers | {"refuses": refused["refuses"]}
    kept = record(folder, refusing, write=True)
    game = next(text for name, text in kept["files"].items() if name.startswith("01-"))
    assert "refuses:\n  Kyra: [Sage]\n" in game
    assert kept["shown"]["legal"]
    again = record(folder, refusing, preview=True, refuse=refusal | {"refuses": False})
    assert moves(again) == moves(first)
    gone = record(folder, refusing | {"left": "Kyra"}, preview=True)
    assert not any("Kyra" in each["message"] for each in gone["preview"]["findings"])


def test_changes_list_deaths_newcomers_gains_and_wishes(checker, record):
    named = {"set": "Mummy's Mask", "players": "Alahazra, Damiel, Zadim"}
    folder = begun(checker, "pathfinder", **named)["files"]
    won = {"won": "yes", "gained/Zadim": "Kopis"}

    def looked(answers, **more):
        return record(folder, {**won, **answers}, **more)

    told = looked({"wishes/Zadim": "Flame Staff"}, preview=True)["preview"]
    steps = {step["title"]: [move["text"] for move in step["moves"]] for step in told["rebuilding"]}
    assert steps["Put back into the box"] == ["Zadim: Kopis"]
    (wish,) = steps["Wishes"]
    assert wish == "not possible: Zadim: Flame Staff"
    assert "Zadim: gains Kopis; did not get Flame Staff" in told["changes"]
    assert "left over: Kopis (back into the box)" in told["changes"]

    dead = {"died": "Damiel", "joined": "Estra"}
    asked = looked(dead, preview=True)
    keys = [each["key"] for each in asked["questions"]]
    assert keys.index("joined") == keys.index("died") + 1
    assert "wishes/Damiel" not in keys
    assert "Estra: joins" in asked["preview"]["changes"]
    assert looked(dead, write=True)["shown"]["legal"]


def test_the_page_asks_for_the_successor_of_an_insane_investigator(checker, record):
    folder = begun(checker, "arkham")["files"]
    answers = {"scenario": "The Gathering", "insane": "Roland Banks"}

    def asked(**more):
        told = record(folder, answers, **more)
        return told, [each["key"] for each in told["questions"]]

    _, keys = asked()
    assert keys.index("successors") == keys.index("insane") + 1
    assert "joined" not in keys
    answers["successors"] = "Daisy Walker (Core Set)"
    _, keys = asked()
    assert "deck/Daisy Walker" in keys
    told, _ = asked(write=True)
    assert "Daisy Walker" in told["shown"]["page"]
    assert told["shown"]["games"] == 1


def test_fixes_use_the_words_of_the_page(folder, record):
    answers = {"won": "yes", "died": "Kyra, Valeros", "rebuild": "no"}

    def findings(answers):
        return record(folder, answers, preview=True)["preview"]["findings"]

    dead = next(each for each in findings(answers) if "Every character died" in each["message"])
    assert [(each["key"], each["value"]) for each in dead["remedies"]] == [("won", "no")]
    assert ("“Was it won?”" in dead["fix"], dead["question"]) == (True, "won")
    answers = {"won": "yes", "died": "Valeros", "banished/Kyra": "Sage"}
    told = {each["question"]: each["fix"] for each in findings(answers)}
    assert "“Which cards of Kyra were banished?”" in told["banished/Kyra"]
    assert "feats.skill/Kyra" in told
    assert not any("`" in fix for fix in told.values())


def told(page):
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def test_experience_without_a_sheet_is_kept(checker, record):
    folder = begun(checker, "tainted-grail")["files"]
    answers = {"chapter": "2", "day": "5", "experience/Beor": "5"}
    looked = record(folder, answers, preview=True)
    assert looked["preview"]["changes"] == ["Beor: gains 5 EXP; experience 5"]
    first = record(folder, answers, write=True)
    assert "experience 5" in told(first["shown"]["page"])
    late = {**answers, "chapter": "1", "experience/Beor": "3"}
    page = told(record(first["files"], late, write=True)["shown"]["page"])
    assert "experience 8" in page
    assert "Game 2 (Chapter 1, day 5): The chapter was 2 on the last save sheet and is 1 now." in page
    assert "Correct “Which chapter did you reach?”" in page
    assert ".yaml" not in page


CHAPTER = {"chapter": "1", "day": "3"}
DECK = "deck_after/Beor"


def test_a_new_sheet_asks_for_the_attributes_on_the_tile(checker):
    tile = {"starting_attributes.aggression/Beor": "2", "starting_attributes.courage/Beor": "1"}
    told = begun(checker, "tainted-grail", **tile)
    (sheet,) = (text for name, text in told["files"].items() if name.startswith("decks/"))
    assert "starting_attributes:\n  aggression: 2\n  courage: 1\n" in sheet
    assert "the character tile" not in told["shown"]["page"]


def test_a_later_sheet_adds_missing_attributes_of_the_tile(checker, record):
    first = begun(checker, "tainted-grail")
    assert re.search(
        "Set “On the tile[^”]*” to the numbers on the tile[^.]*[.] Change it in the setup", told(first["shown"]["page"])
    )
    sheet = "game: tainted-grail\ncharacter: Beor\nexperience_spent: 0\ncombat: 1-15\ndiplomacy: 1-15\nresources: {food: 21}\n"
    late = record(first["files"], CHAPTER | {DECK: sheet}, preview=True)
    assert [each["question"] for each in late["preview"]["findings"]] == [DECK, DECK]
    answers = CHAPTER | {DECK: f"{sheet}starting_attributes: {{aggression: 2}}\n"}
    page = told(record(first["files"], answers, write=True)["shown"]["page"])
    assert "are printed on the character tile" not in page


def test_the_page_asks_for_the_tile_of_a_successor(checker, record):
    folder = begun(checker, "tainted-grail", **{"players": "Beor, Arev"})["files"]
    answers = {**CHAPTER, "died": "Beor", "successors": "Niamh"}
    tile = "starting_attributes.aggression/Niamh"

    def asks(finding):
        return "Niamh" in finding["message"] and "character tile" in finding["message"]

    (missing,) = filter(asks, record(folder, answers, preview=True)["preview"]["findings"])
    assert [each["key"] for each in missing["remedies"]] == ["starting_attributes"]
    assert ("“On the tile”" in missing["fix"], missing["question"]) == (True, tile)
    told = record(folder, {**answers, tile: "2"}, preview=True)
    assert not any(map(asks, told["preview"]["findings"]))
    assert any("Niamh" in each["key"] and each["kind"] == "deck" for each in told["questions"])


def test_experience_that_a_sheet_does_not_say_is_not_lost(checker, record):
    folder = begun(checker, "tainted-grail")["files"]
    folder = record(folder, CHAPTER | {"experience/Beor": "4"}, write=True)["files"]
    sheet = (
        "game: tainted-grail\ncharacter: Beor\nstarting_attributes: {aggression: 2}\nresources: {magic: 1}\n"
        "combat: 1-15\ndiplomacy: 1-15\nexperience_spent: "
    )
    for spent, left in (("0", 4), ("2", 2)):
        looked = record(folder, CHAPTER | {DECK: f"{sheet}{spent}\n"}, preview=True)["preview"]
        assert f"{left} EXP left (not on the new sheet)" in looked["changes"][0]
    page = told(record(folder, CHAPTER | {DECK: f"{sheet}0\n"}, write=True)["shown"]["page"])
    assert re.search(r"magic 1\W+1 × experience 4", page)


def test_experience_is_balanced_evening_after_evening(checker, record):
    folder = begun(checker, "tainted-grail")["files"]
    gained = "experience/Beor"
    sheet = "game: tainted-grail\ncharacter: Beor\ncombat: 1-15\ndiplomacy: 1-15\nresources: {experience: 3}\nexperience_spent: "
    folder = record(folder, CHAPTER | {gained: "9", DECK: f"{sheet}6\n"}, write=True)["files"]
    found = record(folder, CHAPTER | {DECK: f"{sheet}12\n"}, preview=True)["preview"]["findings"]
    (wrong,) = (each for each in found if each["check"] == "experience-is-accounted-for")
    assert [(each["key"], each["value"]) for each in wrong["remedies"]] == [
        ("experience_spent", "6"),
        ("experience", "6"),
    ]
    assert ("How much EXP did Beor gain?" in wrong["fix"], wrong["question"]) == (True, gained)


def test_menhirs_are_carried_over_with_lower_dials(checker, record):
    folder = begun(checker, "tainted-grail")["files"]
    answers = CHAPTER | {"menhirs": "101, 105", "dial/101": "6"}
    folder = record(folder, answers, write=True)["files"]
    late = record(folder, {**CHAPTER, "day": "5"}, preview=True)
    asked = {each["key"]: each["default"] for each in late["questions"]}
    assert asked["menhirs"] == "101"
    assert asked["dial/101"] == "4"
    assert "menhirs: 101 (4)" in late["preview"]["changes"]
    assert "sheets under Decks" in late["questions"][0]["note"]


def test_scenarios_outside_the_adventure_path_are_counted(folder, record):
    answers = {"scenario": "Brigandoom!", "won": "yes"}
    page = told(record(folder, answers, write=True)["shown"]["page"])
    assert "Scenarios won 0 of 30 of the adventure path, 1 of Perils of the Lost Coast" in page
    assert "Adventure B 1" in page


def test_a_visit_to_a_trader_shows_offers_and_costs(checker, record):
    folder = begun(checker, "pathfinder", **{"set": "Mummy's Mask", "players": "Estra"})["files"]
    played = {"won": "yes", "traders/Estra": "Falsin Deek"}

    first = record(folder, played, preview=True)
    question = next(each for each in first["questions"] if "which card from Falsin Deek" in each["text"])
    assert question["text"] == "Estra: which card from Falsin Deek? (a trade costs 2 boons)"
    offered = first["lists"][question["list"]]
    assert "Antitoxin" in offered
    assert "Shotel" not in offered, "this trader offers items, and Shotel is a weapon"
    assert "Estra: visits Falsin Deek" in first["preview"]["changes"]
    paid = {question["key"]: "Antitoxin", "paid.Falsin Deek/Estra": "Compass"}
    bought = record(folder, played | paid, preview=True)
    assert "Estra: visits Falsin Deek, pays Compass for Antitoxin" in bought["preview"]["changes"]
    wrong = next(each for each in bought["preview"]["findings"] if "costs 2" in each["message"])
    assert wrong["remedies"], wrong
    assert "“Estra: what was paid to Falsin Deek?”" in wrong["fix"]
    assert wrong["question"] == "traders/Estra"


HEAD = b"game: arkham\nname: Ours\n"


def nameless():
    """Return a zip as base64 text, with a file whose name has length zero in the zip's directory."""
    raw = bytearray(base64.b64decode(zipped({"a": HEAD})))
    raw[raw.index(b"PK\1\2") + 28] = 0
    return base64.b64encode(raw).decode("ascii")


HOSTILE = {
    "no zip": (base64.b64encode(b"PK nothing").decode("ascii"), "not a readable campaign zip"),
    "no base64": ("%%%", "not a readable campaign zip"),
    "no campaign": (zipped({"a.yaml": b"x: 1\n"}), "campaign.yaml"),
    "leads out": (zipped({"campaign.yaml": HEAD, "../../out.yaml": b"x: 1\n"}), "out.yaml"),
    "below, leads out": (zipped({"a/campaign.yaml": HEAD, "a/../../out.yaml": b"x: 1\n"}), "out.yaml"),
    "bomb": (zipped({"campaign.yaml": HEAD, "big.yaml": b" " * 50_000_000}), "too large"),
    "many": (zipped({"campaign.yaml": HEAD, **{f"{at}.yaml": b"" for at in range(2_001)}}), "too large"),
    "bytes": (zipped({"campaign.yaml": b"\xff\xfe\x00"}), "campaign.yaml"),
    "huge": ("A" * 16_000_001, "too large"),
    "of another kind": (zipped({"campaign.yaml": HEAD}, zipfile.ZIP_LZMA), "compressed in a way"),
    "no name": (nameless(), "not a readable campaign zip"),
    "a file as a folder": (zipped({"campaign.yaml": HEAD, "a.yaml": b"", "a.yaml/b.yaml": b""}), "a.yaml"),
}


@pytest.mark.parametrize(("packed", "words"), HOSTILE.values(), ids=HOSTILE)
def test_a_zip_without_a_campaign_is_refused(packed, words, checker):
    with pytest.raises(KbError, match=words):
        checker.answer({"what": "unpack", "zip": packed})
