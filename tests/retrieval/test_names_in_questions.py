"""A card's name in a question explains its own words only: the rest of the question is met too."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from kb.catalog.store import open_catalog
from kb.retrieval.document import Document, Vocabulary
from kb.retrieval.engine import Hit, SearchIndex
from kb.retrieval.index import write_index
from kb.retrieval.names import FACTS, LENGTH, LIKELY, LONG, favour, likely, names_in, part_in, types, words_of_names
from kb.retrieval.record import record_of
from tests.conftest import ROOT

ARKHAM = ("arkham",)
DOCUMENTS = [
    Document("arkham/c/1", "arkham", "card", "Beat Cop", ARKHAM, sentences=("Asset, ally, police, level 0.",), standing="card"),
    Document("arkham/c/2", "arkham", "card", "Night Train (Last Stop)", ARKHAM, aliases=("Night Train",),
             sentences=("Location.",), standing="card"),
    Document("arkham/c/3", "arkham", "card", "Cop", ARKHAM, sentences=("Enemy, humanoid.",), standing="card"),
    Document("arkham/r/1", "arkham", "ruling", "Does Beat Cop give damage at any time?", ARKHAM, related=("Beat Cop",),
             asked=("Beat Cop timing", "Beat Cop in a test"), sentences=("Yes, in each window.",), standing="developer on a card"),
    Document("arkham/r/2", "arkham", "ruling", "Who may board Night Train?", ARKHAM, related=("Night Train",),
             asked=("how do I board the train",), sentences=("All who are on the platform.",), standing="official-faq"),
    Document("arkham/soak", "arkham", "rule", "Dealing damage", ARKHAM, asked=("can an exhausted ally take damage for me",),
             sentences=("An exhausted ally may be dealt damage.",)),
    Document("arkham/exhaust", "arkham", "rule", "Exhausted", ARKHAM, asked=("what can an exhausted card do",),
             sentences=("An exhausted card cannot exhaust again at night.", "It takes part in nothing at night.")),
    Document("arkham/night", "arkham", "rule", "Night", ARKHAM, sentences=("Night falls when the day ends.",)),
]  # fmt: skip


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchIndex]:
    folder = tmp_path_factory.mktemp("names") / "index"
    write_index(folder, DOCUMENTS, Vocabulary())
    made = SearchIndex(folder)
    yield made
    made.close()


def first(index: SearchIndex, question: str, within: str | None = "arkham") -> str:
    return index.search(question, within).hits[0].id


def test_the_rule_answers_when_the_rest_asks_for_it_with_the_card_as_what_it_is(index: SearchIndex) -> None:
    assert first(index, "may my exhausted Beat Cop still take damage") == "arkham/soak"
    assert first(index, "may my exhausted Beat Cop still take damage", None) == "arkham/soak"


def test_the_ruling_answers_when_it_meets_the_rest(index: SearchIndex) -> None:
    assert first(index, "Beat Cop in the middle of a test") == "arkham/r/1"
    assert first(index, "may we all board Night Train") == "arkham/r/2"


def test_a_name_alone_is_the_card(index: SearchIndex) -> None:
    assert first(index, "Beat Cop") == "arkham/c/1"
    assert first(index, "the Beat Cop") == "arkham/c/1"
    assert index.search("Beat Cop", "arkham", kind="ruling").hits[0].id == "arkham/r/1"


def test_a_word_that_entries_use_otherwise_is_no_name(index: SearchIndex) -> None:
    often = index.often(["beat", "cop", "train", "night", "damag"])
    named = index.about_cards(often, ["arkham"])["arkham"]
    assert {"beat", "cop", "train"} <= named.keys()
    assert "night" in named  # of four entries with the word one is about the train
    assert "damag" not in named


def test_names_are_found_whole_or_by_half_of_words_that_are_sure() -> None:
    records = [(number, record_of(document)) for number, document in enumerate(DOCUMENTS)]
    sure = {"beat": 1.0, "cop": 1.0, "night": 0.4, "train": 1.0}
    (both,) = names_in({"beat", "cop", "damag"}, sure, records)
    assert both.words == {"beat", "cop"}, "the longer name takes its words"
    assert both.bearers == (0,)
    (train,) = names_in({"train", "damag"}, sure, records)
    assert train.words == {"train"}
    assert train.bearers == (1,)
    assert not names_in({"night", "damag"}, sure, records), "half of a name, and a word that means other things"
    assert [name.bearers for name in names_in({"cop", "train"}, sure, records)] == [(2,), (1,)]
    assert names_in({"soak"}, {}, records) == []


def test_likely_words_are_those_that_entries_use_for_their_cards() -> None:
    about = {"a": {"cop": 1}, "b": {"cop": 0}}
    often = {"cop": {"a": 1, "b": 1}, "test": {"a": 9}}
    assert likely(["cop", "test"], about, often, ["a"]) == {"cop": 1.0}
    assert likely(["cop"], about, often, ["a", "b"]) == {"cop": pytest.approx(2 / 3)}
    assert likely(["cop"], about, {"cop": {"a": 1, "b": 20}}, ["a", "b"]) == {}, f"fewer than {LIKELY}"
    assert likely(["cop"], about, often, ["other"]) == {}


def test_types_leave_out_what_counts_something() -> None:
    assert types(DOCUMENTS[0]) == ["asset", "alli", "polic"]
    assert types(DOCUMENTS[5]) == []
    assert types(Document("a/c", "a", "card", "Nameless", ("a",), standing="card")) == []


def test_a_character_page_bears_a_name_and_an_own_card_tells_nothing() -> None:
    page = Document("a/lini", "a", "character", "Lini", ("a",), related=("Club",), standing="character")
    assert words_of_names(page) == (["lini"], ["club", "lini"])
    assert words_of_names(Document("a/own", "a", "card", "Mine", ("a",), standing="own card")) == ([], [])


def test_a_long_question_tells_what_it_is_about_without_the_name() -> None:
    values = [favour(length) for length in range(1, LONG + 3)]
    assert LENGTH < 0
    assert values == sorted(values, reverse=True)
    assert values[LONG - 1] == values[-1]


def test_what_is_about_other_cards_too_is_meant_less_surely_and_a_card_tells_only_facts() -> None:
    said = ["beat", "cop"]
    alone, both, other, card = (
        record_of(Document("a/r", "a", "ruling", "Yes", ("a",), related=related, standing=standing))
        for related, standing in (
            (("Beat Cop",), "rule"), (("Beat Cop", "Night Train"), "rule"), (("Night Train",), "rule"), ((), "card"),
        )
    )  # fmt: skip
    assert part_in(alone, said) == 1
    assert 1 > part_in(both, said) > part_in(other, said) > 0
    assert part_in(card, said) == FACTS < 1


def test_a_rule_that_names_the_card_as_an_example_is_ranked_by_the_rest_too(tmp_path: Path) -> None:
    others = [f"Card{number}" for number in range(12)]
    rule = replace(DOCUMENTS[5], related=("Beat Cop", *others))
    write_index(tmp_path / "index", [*DOCUMENTS[:5], rule, *DOCUMENTS[6:]], Vocabulary())
    index = SearchIndex(tmp_path / "index")
    assert first(index, "may my exhausted Beat Cop still take damage") == "arkham/soak"
    index.close()


@dataclass(frozen=True)
class Asked:
    """A question with a card's name in it: in which game, whether the answer on the `card` is wanted or a `rule`, and what answers."""

    want: str
    game: str
    question: str
    answers: tuple[str, ...]

    def is_answered_by(self, hit: Hit) -> bool:
        return any(id.startswith(self.answers) for id in (hit.id, *(twin.id for twin in hit.twins)))


def asked_with_names() -> list[Asked]:
    """The questions of `tests/data/search/card_names.tsv`."""
    with (ROOT / "tests" / "data" / "search" / "card_names.tsv").open(encoding="utf-8") as file:
        rows = csv.DictReader(
            (line for line in file if not line.startswith("#")), delimiter="\t", quoting=csv.QUOTE_NONE
        )
        return [Asked(row["want"], row["game"], row["question"], tuple(row["entries"].split())) for row in rows]


def test_players_questions_with_names_find_the_rule_or_the_ruling(
    real_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KB_HOME", str(real_home))
    with open_catalog() as catalog:
        index = SearchIndex(catalog.index_folder)
    ranked = [
        (item, list(map(item.is_answered_by, index.search(item.question, item.game).hits)))
        for item in asked_with_names()
    ]
    index.close()
    for want, number, once, thrice in (("rule", 81, 0.6, 0.75), ("card", 64, 0.9, 0.95)):
        right = [found for item, found in ranked if item.want == want]
        assert len(right) == number
        assert sum(any(found[:1]) for found in right) / number >= once, want
        assert sum(any(found[:3]) for found in right) / number >= thrice, want
