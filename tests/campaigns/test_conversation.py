"""Recording a campaign by questions and answers: the questions, the accepted answers, and the resulting file."""

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from kb.campaigns.conversation import recording
from kb.campaigns.draft import draft, game_file
from kb.campaigns.folder import CampaignError, read_folder
from kb.campaigns.record import append, begin, dumped
from kb.campaigns.replay import OpenCampaign
from kb.catalog.store import open_catalog
from kb.cli.campaign import choices, converse
from kb.decks.games import DeckRules
from kb.decks.questions import Question, yes_or_no

CARDS = Question("Which?", ("Cure", "Codex", "Blessing of Zon-Kuthon, Elite"), many=True, copies=True)


def test_answers_are_checked_and_normalized():
    assert CARDS.answer("2x cure, codex") == ["2x Cure", "Codex"]
    assert CARDS.answer("blessing of zon-kuthon, elite") == ["Blessing of Zon-Kuthon, Elite"]
    log = Question("The log?", many=True, lines=True)
    assert log.answer("Armitage, the librarian, is gone; fled\nto Dunwich") == [
        "Armitage, the librarian, is gone",
        "fled",
        "to Dunwich",
    ]
    assert "Did you mean Cure?" in CARDS.wrong("Curee, Codex")
    assert CARDS.wrong("") == ""
    assert Question("Who?", needed=True).wrong(" ")
    assert yes_or_no("Won?").wrong("maybe")
    assert Question("How much?", number=True).wrong("many")
    assert Question("When?", day=True).wrong("2026-13-01")
    assert "'Ann' appears more than once" in Question("Who?", many=True).wrong("Ann, Bob, ann")
    assert Question("Points?", many=True, number=True).wrong("2, 2") == ""
    assert Question("Who?", ("Kyra", "Lem"), many=True, default="Kyra, Lem").answer("") == ["Kyra", "Lem"]


def test_completion_works_after_a_comma():
    found = list(choices(CARDS).get_completions(Document("Cure, 2x co"), None))
    assert [(each.text, each.start_position) for each in found] == [("Codex", -2)]


@pytest.fixture
def table(real):
    with open_catalog() as catalog:
        yield DeckRules(catalog.records)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "c"


def opened(table, folder):
    return OpenCampaign(read_folder(folder), table.game)


def held(campaign, answers):
    """Answer the questions of `campaign` and return the result as a dict. A key of `answers` is the beginning of a
    question; questions without a key get an empty answer.
    """
    asked = campaign.conversation()
    question = next(asked)
    while True:
        typed = next((answer for begins, answer in answers.items() if question.words.startswith(begins)), "")
        assert question.wrong(typed) == "", (question, typed)
        try:
            question = asked.send(question.answer(typed))
        except StopIteration as done:
            return dict(done.value)


def test_a_pathfinder_game(table, folder):
    begin(folder, "game: pathfinder\nset: rotr\ndecks: {Kyra: suggested, Ezren: suggested}\n", {})
    values = held(
        opened(table, folder),
        {
            "Was it won?": "yes",
            "Which new boons did Kyra": "Sage",
            "Kyra: what is the skill": "wisdom",
            "Who played?": "Kyra",
            "When": "2026-11-01",
        },
    )
    assert values == {
        "scenario": "Attack on Sandpoint",
        "won": "yes",
        "absent": ["Ezren"],
        "gained": {"Kyra": ["Sage"]},
        "feats": {"Kyra": {"skill": ["Wisdom"]}},
        "date": "2026-11-01",
    }
    append(folder, "game", dumped(values) + "\n", {})
    replay = opened(table, folder).replay()
    assert replay.readable
    assert [each.finding.message for step in replay.steps for each in step.findings] == []
    values = held(opened(table, folder), {"Was it won?": "no"})
    assert values == {"scenario": "Local Heroes", "won": "no"}


def test_after_a_death_only_the_living_are_asked_and_a_new_character_begins(table, folder):
    begin(folder, "game: pathfinder\nset: mm\ndecks: {Damiel: suggested, Zadim: suggested}\n", {})
    campaign = opened(table, folder)
    joins = "Who joins the party?"
    told = {"Was it won?": "yes", "Which new boons did Damiel": "Antitoxin", "Who died?": "Zadim", joins: "Estra, Yoon"}
    told["Which cards would Zadim"] = "no card at all, and not asked for"
    game = draft(campaign, game_file(campaign.part, held(campaign, told)), {}, fill=True)
    assert "\n    2x " in game.text, "two copies are one line, as in a plain list"
    assert game.replay.readable
    assert [deck.who for deck in game.replay.decks] == ["Damiel", "Estra", "Yoon"]


def test_fill_and_a_deck_exclude_each_other_before_the_deck_is_read(table, folder):
    begin(folder, "game: pathfinder\nset: rotr\ndecks: {Kyra: suggested, Ezren: suggested}\n", {})
    text = "scenario: '1.1'\nwon: yes\ndecks: {Lini: decks/NN-lini.yaml}\n"
    with pytest.raises(CampaignError) as refused:
        draft(opened(table, folder), text, {"Lini": "game: pathfinder\ncharacter: Lini\n"}, fill=True)
    assert "--fill" in str(refused.value)


def test_after_a_death_kb_asks_for_the_successor_and_their_deck(table, folder, tmp_path):
    begin(folder, "game: tainted-grail\ndecks: {Beor: {character: Beor}, Arev: {character: Arev}}\n", {})
    campaign = opened(table, folder)
    (tmp_path / "arev.yaml").write_text("game: tainted-grail\ncharacter: Arev\n", "utf-8")
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        keys.send_text(
            "1\r9\r"
            + "\r" * 5
            + "Beor\rNiamh\r"
            + "\r" * 3
            + f"nowhere.yaml\r\x15{tmp_path / 'arev.yaml'}\r\r2\r"
            + "\r" * 5
        )
        values = converse(recording(campaign))
    texts = values.pop("texts")
    assert "starting_attributes:\n  aggression: 2\n" in texts["Niamh"], (
        "kb asks for the attributes printed on the character tile"
    )
    assert texts["Arev"] == (tmp_path / "arev.yaml").read_text("utf-8")
    assert (values["died"], values["joined"], sorted(texts)) == (["Beor"], ["Niamh"], ["Arev", "Niamh"])
    game = draft(campaign, game_file(campaign.part, values), texts)
    assert sorted(deck.who for deck in game.replay.decks) == ["Arev", "Niamh"]


def test_if_nobody_is_left_kb_asks_for_no_person(table, folder):
    begin(folder, "game: pathfinder\nset: rotr\ndecks: {Kyra: suggested}\n", {})
    told = {"Was it won?": "no", "Who died?": "Kyra", "Who leaves the party?": "anybody"}
    assert held(opened(table, folder), told)["died"] == ["Kyra"]


def test_games_of_arkham_and_tainted_grail(table, tmp_path):
    roland = "{investigator: Roland Banks, cards: {Guts: 2}}"
    begin(tmp_path / "a", f"game: arkham\ncampaign: The Dunwich Legacy\ndecks: {{Roland: {roland}}}\n", {})
    begin(tmp_path / "t", "game: tainted-grail\ndecks: {Beor: {character: Beor}}\n", {})
    told = {
        "Which scenario?": "Extracurricular Activity",
        "How did": "R1",
        "How much experience": "3",
        "Was it a side": "no",
        "Who was defeated": "Roland",
        "Roland was defeated by": "damage",
        "Which story cards": "Dr. Henry Armitage: The Head Librarian",
    }
    values = held(opened(table, tmp_path / "a"), told)
    assert values == {
        "scenario": "Extracurricular Activity",
        "resolution": "R1",
        "experience": {"Roland": "3"},
        "defeated": {"Roland": "damage"},
        "trauma": {"Roland": {"physical": "1"}},
        "earned": {"Roland": ["Dr. Henry Armitage: The Head Librarian"]},
    }
    told = {
        "Which chapter": "1",
        "Which day": "9",
        "How much EXP": "12",
        "Which locations": "101, 104",
        "What does the dial in 104": "6",
    }
    values_ = held(opened(table, tmp_path / "t"), told)
    assert values_ == {"chapter": "1", "day": "9", "experience": {"Beor": "12"}, "menhirs": {"101": "0", "104": "6"}}
    for name, said in (("a", values), ("t", values_)):
        append(tmp_path / name, "game", dumped(said) + "\n", {})
        assert opened(table, tmp_path / name).replay().steps[-1].problems == ()


def test_a_wrong_answer_is_asked_again_on_a_terminal(table, folder):
    begin(folder, "game: tainted-grail\ndecks: {Beor: {character: Beor}}\n", {})
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        keys.send_text("one\r\x15" + "1\r9\r" + "\r" * 9)
        values = converse(opened(table, folder).conversation())
    assert values == {"chapter": "1", "day": "9", "experience": {"Beor": "0"}}
