"""`kb search`, `ask`, `show`, `cards`, `build` and `doctor` as users and scripts see them."""

import pytest


def test_search_for_people_is_plain_when_piped(sources, kb):
    done = kb("search may the king swap")
    assert done.code == 0
    assert "Castling" in done.out
    assert "chess/castling" in done.out
    assert "\x1b" not in done.out
    assert "\x02" not in done.out


def test_search_json_is_the_contract(sources, kb):
    done = kb("search --json --limit 5 --in chess -- castling")
    found = done.json
    assert set(found) == {"query", "corrected", "total", "hits", "scope", "named", "sure"}
    assert found["hits"][0].keys() >= {"id", "title", "game", "kind", "source", "score", "snippet", "covers"}
    assert found["hits"][0]["id"] == "chess/castling"
    assert found["hits"][0]["covers"] == ["ch.castling"]


def test_search_without_a_hit_exits_with_1(sources, kb):
    done = kb("search zzzqqq")
    assert (done.code, "Nothing found" in done.out) == (1, True)
    assert kb("search --json zzzqqq").json["hits"] == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("search x --in draughts", "Nothing lies below 'draughts'"),
        ("search x --kind rumour", "There is no kind 'rumour'. Kinds are rule, term."),
        ("search x --limit 0", "Invalid value for '--limit'"),
        ("search", "needs a terminal"),
        ("ask", "Ask something"),
        ("cards colour:red", "There is no field 'colour'"),
        ("serch castling", "Did you mean 'search'"),
        ("help nonsense", "No such command"),
    ],
)
def test_mistakes_are_sentences(sources, kb, arguments, words):
    done = kb(arguments)
    assert done.code == 2
    assert words in done.err
    assert "Traceback" not in done.err


def test_ask_prints_the_best_entry_whole(sources, kb):
    done = kb("ask 'can I castle out of check?'")
    assert done.code == 0
    assert "You cannot castle out of check." in done.out
    assert "Book of Chess, p. 3" in done.out


@pytest.mark.parametrize("words", [["can I castle out of check?"], ["can", "I", "castle", "out", "of", "check"]])
def test_what_is_no_command_is_asked(sources, kb, words):
    assert "You cannot castle out of check." in kb(words).out
    assert kb([*words, "--json"]).json


def test_help_is_helped(kb):
    assert kb("help").out.rstrip() == kb("--help").out.rstrip()
    assert kb("help ask").out == kb("ask --help").out


def test_a_yes_stands_below_the_question_that_it_answers(sources, kb):
    sources.entry(
        "chess/attacked-rook", "May I castle while my rook is attacked?", "Yes, only the king must be safe.",
        kind="faq", covers="[ch.castling]", asked="[castling with an attacked rook]",
    )  # fmt: skip
    lines = kb("ask 'is castling with an attacked rook forbidden'").out.splitlines()
    assert lines[:2] == ["May I castle while my rook is attacked?", "Yes, only the king must be safe."]


def test_ask_says_when_nothing_fits(sources, kb):
    done = kb("ask 'how many meeples does the innkeeper check before dinner'")
    assert done.code == 1
    assert "No entry answers that for certain. The nearest:" in done.out
    assert kb("ask --json 'meeples of the innkeeper'").json["answer"] is None


def test_show(sources, kb):
    done = kb("show chess/castling")
    assert done.code == 0
    for words in (
        "Castling",
        "Book of Chess, p. 3",
        "may the king swap with the tower",
        "See also",
        "Fork (chess/fork)",
    ):
        assert words in done.out
    found = kb("show chess/castling --json").json
    assert found["covers"] == ["ch.castling"]
    assert kb("show chess/castlin").err.startswith("There is no entry 'chess/castlin'. Did you mean chess/castling")
    assert "There is no entry" in kb("show", "\udcff").err, (
        "half of a character, as a terminal of another encoding types it"
    )


def test_show_a_list_and_a_card_in_words(real, kb):
    done = kb("show arkham/taboo/forbidden")
    assert done.code == 0
    assert "arkham/taboo/forbidden/" in done.out
    card = kb("show arkham/cards/01001").out
    assert "willpower 3; intellect 3; combat 4; agility 2" in card
    assert "{" not in card
    assert kb("search 'Roland Banks'").out.startswith(" 1  Roland Banks (The Fed)")


def test_spoilers_are_hidden_until_asked_for(sources, kb):
    sources.entry("chess/end", "The endgame twist", "The gardener is the murderer.", spoiler="Endgame")
    masked = kb("search 'endgame twist'").out
    assert "gardener" not in masked
    assert "The endgame twist" not in masked, "its title gives it away too"
    assert "Spoiler for Endgame" in masked
    assert "--spoilers" in masked
    assert "gardener" in kb("search 'endgame twist' --spoilers").out
    assert "chess/end" not in kb("search 'endgame twist' --no-spoilers").out
    assert kb("search --json 'endgame twist'").json["hits"][0]["spoiler"] == "Endgame"


def test_build_and_doctor(sources, kb):
    assert "Built 2 entries" in kb("build").out
    found = kb("doctor --json").json
    assert found["counts"]["entry"] == {"chess": 2}
    assert found["problems"] == []
    sources.entry("chess/broken", "Broken", "[[nowhere]]")
    done = kb("doctor")
    assert done.code == 1
    assert "content/chess/broken.md:6" in done.out
    done = kb("build")
    assert done.code == 2
    assert "content/chess/broken.md:6: the link [[nowhere]] leads nowhere" in done.err
    assert kb("search castling").code == 0, "the old catalog still answers"
    assert "stays in use" in kb("search castling").err


def test_real_cards(real, kb):
    found = kb("cards --json type:weapon set:mm deck<=2 trait:magic -trait:basic").json
    assert found["total"] > 5
    assert all(card["type"] == "weapon" and "Basic" not in card["traits"] for card in found["cards"])
    assert kb("cards --json", 'name:"flame staff"').json["cards"][0]["name"] == "Flame Staff"
    assert "Honaire" in kb("cards owner:estra").out
    assert kb("cards name=zzz").code == 1
    assert "Flame Staff" in kb("show pathfinder/mm/cards/flame-staff").out


@pytest.mark.parametrize(
    ("query", "total", "first"),
    [
        ("flame staff", 1, "Flame Staff"),  # a name of several words in one argument
        ("fight or flight", 1, "Fight or Flight"),
        ("staff flame", 2, "Flame Staff"),
        ("flashlight or machete", None, "Flashlight"),
        ("level>=5 cost<1", None, "Deny Existence"),
        ("(flame) -staff", None, "Cosmic Flame"),
    ],
)
def test_a_query_in_one_argument_is_a_name_only_where_it_is_one(real, kb, query, total, first):
    found = kb("cards --json {} --limit 500", query).json
    assert found["total"] == total if total else found["total"] > 1
    assert first in [card["name"] for card in found["cards"]]


def test_cards_say_what_is_unknown_and_h_alone_is_help(real, kb):
    found = kb("cards --json type:weapon set:rotr -trait:magic").json
    assert found["unknown"]["trait"] == sum(card["traits"] is None for card in found["cards"]) > 0
    assert "the trait is unknown" in kb("cards type:weapon set:rotr -trait:magic").out
    assert kb("cards -h").out.strip().startswith("Usage:")
