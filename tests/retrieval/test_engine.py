"""The search finds entries by the words that players type."""

from dataclasses import replace

import pytest

from kb.retrieval.answer import MARK, plain, unmarked
from kb.retrieval.certainty import SURE
from kb.retrieval.document import Document, Vocabulary
from kb.retrieval.engine import SearchIndex
from kb.retrieval.index import write_index
from kb.retrieval.ranking import STANDING, standing_of

DOCUMENTS = [
    Document("arkham/aoo", "arkham", "term", "Attack of opportunity", ("arkham",), aliases=("AoO",), asked=("do enemies hit me when I reload",),
             sentences=("Each time you act, engaged enemies attack.", "Fight, evade, parley and resign do not provoke."), covers=("ah.aoo",)),
    Document("arkham/evade", "arkham", "term", "Evade", ("arkham",), sentences=("You test agility against an enemy.",)),
    Document("arkham/cards/1", "arkham", "card", "Evade the Hunter", ("arkham", "arkham/cards"), sentences=("Event.",), standing="card"),
    Document("pathfinder/mm/evasion", "pathfinder", "step", "Evasion", ("pathfinder", "pathfinder/mm"),
             sentences=("If you evade a card it is neither defeated nor undefeated.",)),
    Document("pathfinder/mm/secret", "pathfinder", "faq", "Villain's end", ("pathfinder", "pathfinder/mm"), spoiler="The End",
             sentences=("The villain escapes and evades justice.",)),
    Document("pathfinder/mm/advice", "pathfinder", "strategy", "Evading well", ("pathfinder", "pathfinder/mm"), standing="advice",
             sentences=("Evade when you must. Evade often.",)),
]  # fmt: skip
VOCABULARY = Vocabulary(
    {"arkham": [["provoke", "trigger"]]}, {"arkham": ["arkham horror"], "pathfinder/mm": ["mummy's mask"]}
)


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("search") / "index"
    write_index(folder, DOCUMENTS, VOCABULARY)
    made = SearchIndex(folder)
    yield made
    made.close()


def ids(index, query, **options):
    return [hit.id for hit in index.search(query, **options).hits]


def test_finds_by_title_alias_question_and_stem(index):
    assert ids(index, "attack of opportunity")[0] == "arkham/aoo"
    assert ids(index, "AoO") == ["arkham/aoo"]
    assert ids(index, "enemies hitting me while reloading")[0] == "arkham/aoo"
    assert ids(index, "evading", within="arkham")[0] == "arkham/evade"


def test_filters(index):
    assert {hit.split("/")[0] for hit in ids(index, "evade", within="pathfinder/mm")} == {"pathfinder"}
    assert ids(index, "evade", kind="card") == ["arkham/cards/1"]
    assert ids(index, "villain", spoilers=False) == []
    assert ids(index, "villain") == ["pathfinder/mm/secret"]
    assert len(ids(index, "evade", limit=2)) == 2


def test_synonyms_of_a_game(index):
    assert ids(index, "what does trigger one", within="arkham") == ["arkham/aoo"]


@pytest.mark.parametrize("within", [None, "arkham"])
def test_general_synonyms_apply_to_each_game(tmp_path, within):
    rule = Document(
        "arkham/r", "arkham", "rule", "Help", ("arkham",), asked=("may a friend help",), sentences=("Yes.",)
    )
    write_index(tmp_path / "index", [rule], Vocabulary({"": [["friend", "buddy"]]}))
    index = SearchIndex(tmp_path / "index")
    found = index.search("my buddy", within)
    assert [hit.id for hit in found.hits] == ["arkham/r"]
    assert found.corrected is None
    index.close()


def test_a_game_named_in_the_question_comes_first(index):
    assert ids(index, "mummy's mask: evade")[0].startswith("pathfinder/mm")
    assert ids(index, "evade in arkham horror")[0].startswith("arkham")


def test_rules_stand_before_advice_and_cards(index):
    found = ids(index, "evade a card")
    assert found.index("pathfinder/mm/evasion") < found.index("pathfinder/mm/advice")
    assert found.index("arkham/evade") < found.index("arkham/cards/1")


def test_a_number_alone_is_no_question_that_is_answered_for_certain(index):
    for text in ("-5", "5", "12 3"):
        assert index.search(text).sure == 0


def test_corrections_of_misspelled_words_are_reported(index):
    results = index.search("atack of oportunity")
    assert results.corrected == "attack of opportunity"
    assert results.hits[0].id == "arkham/aoo"
    assert index.search("evade").corrected is None
    assert index.search("opportunit and opportunit").corrected == "opportunity and opportunity"


def test_the_snippet_is_the_sentence_that_answers(index):
    hit = index.search("does parley provoke").hits[0]
    assert "parley" in hit.marked
    assert f"{MARK[0]}parley{MARK[1]}" in hit.marked
    assert "**parley**" in hit.snippet == unmarked(hit.marked)
    assert hit.covers == ("ah.aoo",)


def test_nothing_fits(index):
    results = index.search("xyzzyqqq")
    assert results.hits == ()
    assert results.total == 0


def test_authorities_rank_in_order_and_superseded_answers_last():
    def share(kind, authority, on_cards=False, superseded=False):
        return STANDING[standing_of(kind, authority, on_cards, superseded)]

    order = [
        share("faq", None, True),
        share("ruling", "official-faq", True),
        share("ruling", "developer"),
        share("ruling", "developer", True),
        share("ruling", "community-consensus", True),
        share("ruling", "official-faq", True, superseded=True),
    ]
    assert order == sorted(order, reverse=True)
    assert len(set(order)) == len(order)


def test_the_sentence_that_answers_comes_first_and_then_its_neighbours(tmp_path):
    sentences = (
        "A trap is set.",
        "It waits.",
        "The trigger is a door.",
        "Opening the door springs it.",
        "Everyone is hit.",
    )
    document = Document("g/trap", "g", "rule", "Trap", ("g",), sentences=sentences)
    write_index(tmp_path / "index", [document], Vocabulary())
    index = SearchIndex(tmp_path / "index")
    hit = index.search("springs").hits[0]
    assert hit.said == tuple(sentences[number] for number in (3, 0, 1, 2, 4))
    assert plain(hit.marked) == f"{sentences[3]} … {' '.join(sentences[:3])} … {sentences[4]}"
    index.close()


def test_gaps_and_examples_rank_last(tmp_path):
    much = ", and much is said of nothing, so that there is no room for more" * 6
    sentences = (
        "Traps are cards.",
        "The rulebook does not say how a trap ends.",
        f"A trap ends when it is disarmed{much}.",
    )
    document = Document("g/trap", "g", "rule", "Trap", ("g",), sentences=sentences)
    write_index(tmp_path / "index", [document], Vocabulary())
    index = SearchIndex(tmp_path / "index")
    said = unmarked(index.search("how does it end").hits[0].marked).replace("**", "")
    assert "ends when it is disarmed" in said
    assert "does not say" not in said
    index.close()


def test_the_title_that_is_being_typed_comes_first(index):
    assert index.search("attack of opp", typing=True).hits[0].id == "arkham/aoo"
    assert index.search("evade th", typing=True).hits[0].id == "arkham/cards/1"


def test_words_for_people_are_not_corrected(index):
    assert index.search("may my wife evade").corrected is None


def test_two_fitting_questions_rank_above_one(tmp_path):
    """An entry with two questions similar to the query comes before an entry with only one."""
    once = Document(
        "g/once", "g", "rule", "Tents", ("g",), asked=("may I sell my horse", "who wakes first"), sentences=("Sleep.",)
    )
    twice = replace(
        once, id="g/twice", title="Barns", asked=("may I sell my horse", "sell a horse in town"), sentences=("Ride.",)
    )
    write_index(tmp_path / "index", [once, twice], None)
    index = SearchIndex(tmp_path / "index")
    assert [hit.id for hit in index.search("to whom can I sell the horse").hits] == ["g/twice", "g/once"]
    index.close()


def test_a_ruling_on_a_card_answers_only_questions_that_name_it(tmp_path):
    ruling = Document(
        "arkham/rulings/luck",
        "arkham",
        "ruling",
        "Is Lucky Charm lost when it moves damage?",
        ("arkham",),
        asked=("can I move damage to an ally twice",),
        answered_by=(0,),
        sentences=("No, it stays in play.",),
        related=("Lucky Charm",),
    )
    write_index(tmp_path / "index", [ruling, *DOCUMENTS], VOCABULARY)
    index = SearchIndex(tmp_path / "index")
    unnamed, named = (index.search(f"can I move damage to an ally twice{end}") for end in ("", " with the charm"))
    assert unnamed.hits[0].id == named.hits[0].id == "arkham/rulings/luck"
    assert unnamed.sure == 0 < named.sure
    index.close()


@pytest.mark.parametrize(
    ("question", "answered"),
    [
        ("how many copies of a myriad card can I have", True),
        ("does a massive enemy follow me when I move", True),
        ("how do I castle in chess", False),
        ("settlers of catan robber steals how many cards", False),
        ("who is the president of the united states", False),
        ("purple banana sings loudly under seven umbrellas", False),
    ],
)
def test_questions_of_other_games_get_no_certain_answer(real_index, question, answered):
    assert (real_index.search(question, "arkham").sure >= SURE) is answered


REWARDS = Document(
    "g/rewards",
    "g",
    "rule",
    "Rewards",
    ("g",),
    asked=("when may I use the reward", "must I use the reward", "how many rewards may I have"),
    answered_by=(0, 1, 2),
    sentences=("That is after a game.", "Nobody is ever obliged.", "Two at most are kept."),
)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("are we forced to use our reward", 1),
        ("when can we use our reward", 0),
        ("number of rewards, how many", 2),
        ("something else about trolls in rewards", None),
    ],
)
def test_the_matching_question_chooses_the_sentence_and_is_shown(tmp_path, question, answers):
    write_index(tmp_path / "index", [REWARDS], Vocabulary())
    hit = SearchIndex(tmp_path / "index").search(question).hits[0]
    assert hit.answers == (None if answers is None else REWARDS.asked[answers])
    if answers is not None:
        assert hit.said[0] == REWARDS.sentences[answers]


def test_an_answer_without_the_rarest_word_is_not_certain(tmp_path):
    other = Document("g/trolls", "g", "rule", "Trolls", ("g",), sentences=("Trolls regenerate.",))
    write_index(tmp_path / "index", [REWARDS, other], Vocabulary())
    index = SearchIndex(tmp_path / "index")
    assert index.search("must I use the reward").sure > index.search("must I use the reward of trolls").sure
    index.close()


def test_a_ruling_on_another_card_ranks_below_the_rule(tmp_path):
    rule = Document("g/move", "g", "rule", "Move damage", ("g",), sentences=("You can move damage to an ally once.",))
    ruling = Document(
        "g/luck",
        "g",
        "ruling",
        "Is Lucky Charm lost when it moves damage?",
        ("g",),
        asked=("can I move damage to an ally twice",),
        answered_by=(0,),
        sentences=("No, it stays.",),
        related=("Lucky Charm",),
    )
    write_index(tmp_path / "index", [rule, ruling], Vocabulary())
    index = SearchIndex(tmp_path / "index")
    for question, first in (
        ("can I move damage to an ally twice", rule),
        ("does Lucky Charm move damage twice", ruling),
    ):
        assert index.search(question).hits[0].id == first.id
    index.close()
