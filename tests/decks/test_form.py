"""A deck as a form: the page asks, the deck file changes, and the verdict is that of the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.catalog.store import open_catalog
from kb.decks.form import MOST_COPIES, changed, text_of
from kb.errors import KbError
from kb.site.addresses import Addresses
from kb.site.checker.desk import Desk
from kb.site.checker.pack import desk_data
from kb.site.library import read_library
from kb.site.places import all_pages

Ask = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def ask(real_home: Path) -> Ask:
    """What the page asks, without a browser."""
    patched = pytest.MonkeyPatch()
    patched.setenv("KB_HOME", str(real_home))
    with open_catalog() as catalog:
        library = read_library(catalog)
        desk = Desk(json.loads(desk_data(library, Addresses(library, all_pages()))))
    patched.undo()
    return lambda **question: dict(json.loads(desk.answer(json.dumps(question))))


def test_a_pathfinder_deck_is_built_and_rebuilt(ask: Ask) -> None:
    deck = ask(do="form", game="pathfinder", begin=["Kyra", "rotr"])
    assert deck["legal"]
    assert ["weapon", "2", "2"] in deck["counts"]
    offers = {each["key"]: each for each in ask(do="offers", text=deck["text"])["offers"]}
    assert offers["Inflict"]["sure"]
    assert "Fire Sneeze" not in offers, "of a later adventure, for a new deck"
    deck = ask(do="form", text=deck["text"], change={"card": "Inflict", "copies": 1})
    (finding,) = deck["findings"]
    assert (finding["group"], finding["line"], finding["change"]) == ("spell", None, None)
    assert finding["links"][0]["url"].endswith(".html")
    deck = ask(do="form", text=deck["text"], change={"key": "stage", "value": "rebuilt"})
    deck = ask(do="form", text=deck["text"], change={"key": "card_feats.spell", "value": "1"})
    assert "card_feats:\n  spell: 1\n" in deck["text"]
    assert ["spell", "4", "4"] in deck["counts"]
    deck = ask(do="form", text=deck["text"], change={"key": "card_feats.spell", "value": ""})
    assert "card_feats" not in deck["text"]


def test_an_arkham_deck_of_any_format_goes_on_and_is_handed_out_in_each(ask: Ask) -> None:
    text = json.dumps({"investigator_code": "01002", "slots": {"01086": 3, "01000": 1}, "taboo_id": 8})
    deck = ask(do="form", text=text)
    assert (deck["character"], deck["game"]) == ("Daisy Walker", "arkham")
    assert next(each for each in deck["fields"] if each["key"] == "taboo")["value"] == "8"
    (limit,) = [each for each in deck["findings"] if each["line"] == "01086"]
    assert limit["change"] == {"card": "01086", "copies": 2}
    deck = ask(do="form", text=deck["text"], change=limit["change"])
    assert not [each for each in deck["findings"] if each["line"] == "01086"], "the change mends it"
    for to in deck["formats"]:
        written = ask(do="write", text=deck["text"], to=to)
        assert written["suffix"] in (".yaml", ".json", ".txt")
        again = ask(do="form", text=written["text"], name=f"deck{written['suffix']}")
        assert again["lines"] == deck["lines"], to


def test_the_last_card_may_go_and_what_cannot_be_is_a_sentence(ask: Ask) -> None:
    deck = ask(
        do="form",
        text="game: pathfinder\nset: rotr\ncharacter: Kyra\ncards: [Mace]\n",
        change={"card": "Mace", "copies": 0},
    )
    assert (deck["lines"], deck["legal"]) == ([], False)
    assert ask(do="form", text=deck["text"], change={"card": "Mace", "copies": 1})["lines"]
    for question, said in (
        ({"change": {"card": "Excalibur", "copies": 1}}, "Excalibur"),
        ({"change": {"card": "Mace", "copies": 1000}}, f"from 0 to {MOST_COPIES}"),
        ({"change": {"key": "adventure", "value": "9"}}, "adventure"),
        ({"change": {"key": "hp", "value": "9"}}, "Unknown key"),
        ({"text": "game: tainted-grail\ncharacter: Beor\n"}, "The form builds decks of"),
        ({"text": "a: ["}, "deck:2"),
    ):
        assert said in ask(**{"do": "form", "text": deck["text"], **question})["problem"]
    assert "no Nobody" in ask(do="form", game="pathfinder", begin=["Nobody", ""])["problem"]


def test_the_forms_verdict_is_the_checkers(ask: Ask, kb: Callable[..., Any], real: Path, tmp_path: Path) -> None:
    begun = [("pathfinder", ["Ezren", "mm"]), ("arkham", ["02005", ""]), ("arkham", ["01001", ""])]
    for game, who in begun:
        deck = ask(do="form", game=game, begin=who)
        for line in deck["lines"][:3]:
            deck = ask(do="form", text=deck["text"], change={"card": line["key"], "copies": line["copies"] + 1})
        file = tmp_path / "deck.yaml"
        file.write_text(deck["text"], encoding="utf-8")
        report = json.loads(kb("deck", "check", "--json", str(file)).out)[0]
        assert [each["message"] for each in deck["findings"]] == [each["message"] for each in report["findings"]]
        assert deck["legal"] is report["legal"] is False


KEYS = st.sampled_from(["stage", "card_feats.spell", "role", "cards", "x", "a.b", ""]) | st.text(max_size=6)


@given(KEYS, st.text(max_size=12), st.integers(-3, 200), st.booleans())
def test_a_change_gives_a_deck_file_or_a_sentence(key: str, value: str, copies: int, card: bool) -> None:
    deck = {"game": "pathfinder", "cards": {"Mace": 1}, "stage": "new"}
    try:
        new = changed(deck, {"card": key, "copies": copies} if card else {"key": key, "value": value})
    except KbError:
        assert card, "only a number of copies is refused"
        assert not 0 <= copies <= MOST_COPIES
        return
    assert text_of(new)
    assert deck == {"game": "pathfinder", "cards": {"Mace": 1}, "stage": "new"}
    assert all(new["cards"].values()) if card else True
