"""Two editions of a game's rules: kb answers from the edition in use, with notes on differences in the other
edition.
"""

import pytest

OUTLINE = "id\ttitle\tkind\tsection\tpage\n"


@pytest.fixture
def editions(sources, monkeypatch):
    """Write the sources of an invented game with two editions of its rules, in the folders and documents of Arkham
    Horror.
    """
    monkeypatch.delenv("KB_RULES", raising=False)
    sources.write("content/arkham/game.yaml", "title: A game of two editions\ncalled: {arkham/grimoire: [grimoire]}\n")
    sources.write(
        "content/arkham/sources.yaml",
        """
        - {id: faq, title: FAQ, version: "2.5", outline: outline.tsv}
        - {id: grimoire, title: Grimoire, version: "1.1", outline: grimoire/outline.tsv}
        - {id: letters, title: Letters}
        """,
    )
    old = "".join(f"ah.{name}\tA\trule\tMoves\t1\n" for name in ("leap", "tower", "twice", "crown"))
    new = "".join(f"gr.{name}\tA\trule\tMoves\t1\n" for name in ("leap", "tower", "horse"))
    sources.write("content/arkham/outline.tsv", OUTLINE + old)
    sources.write("content/arkham/grimoire/outline.tsv", OUTLINE + new)

    def entry(exact_id, title, body, doc, covers, **fields):
        sources.entry(f"arkham/{exact_id}", title, body, source=f"{{doc: {doc}}}", covers=f"[{covers}]", **fields)

    entry(
        "moves/leap",
        "Leaping",
        "A leopard leaps over two squares of water.",
        "faq",
        "ah.leap",
        topic_note="By the Grimoire it leaps over three.",
    )
    entry(
        "grimoire/moves/leap",
        "Leaping",
        "A leopard leaps over three squares.",
        "grimoire",
        "gr.leap",
        topic_note="In FAQ 2.5 it leaps over two.",
    )
    entry("moves/tower", "Towers", "A tower goes straight on.", "faq", "ah.tower")
    entry("grimoire/moves/tower", "Towers", "A tower goes straight on.", "grimoire", "gr.tower")
    entry("moves/crown", "Crowns", "A crown is worn by the winner of a tournament.", "faq", "ah.crown")
    entry(
        "faq/twice",
        "May a leopard leap twice a turn?",
        "No, a leopard leaps twice over water alone.",
        "faq",
        "ah.twice",
        kind="faq",
    )
    entry("grimoire/moves/horse", "Horses", "A horse neighs.", "grimoire", "gr.horse")
    sources.entry(
        "arkham/letters/one", "A letter on neighing", "A letter says that neighing is rude.", source="{doc: letters}"
    )
    sources.write(
        "content/arkham/grimoire/earlier.yaml",
        """
        - {heading: ah.twice, stands: changed, by: [gr.leap], says: "The Grimoire counts no leaps."}
        - {heading: ah.crown, stands: dropped}
        """,
    )
    return sources


def found(kb, *words):
    return kb(["search", "--json", "--in", "arkham", *words]).json["hits"]


def test_the_newest_edition_answers_and_notes_the_other_editions_rule(editions, kb):
    first, *others = found(kb, "how many squares of water does a leopard leap over")
    assert first["id"] == "arkham/grimoire/moves/leap"
    assert first["edition"] == "Grimoire 1.1"
    assert first["source"] == "Grimoire v1.1"
    assert first["twins"][0] == {
        "id": "arkham/moves/leap",
        "title": "Leaping",
        "source": "FAQ v2.5",
        "differs": "In FAQ 2.5 it leaps over two.",
        "edition": "FAQ 2.5",
    }
    assert "arkham/moves/leap" not in [hit["id"] for hit in others]
    asked = kb("search 'how many squares of water does a leopard leap over'").out
    assert "In FAQ 2.5 it leaps over two." in asked


@pytest.mark.parametrize("way", [("--rules", "faq"), ("--in", "faq"), ()])
def test_an_edition_is_chosen(editions, kb, monkeypatch, way):
    if not way:
        monkeypatch.setenv("KB_RULES", "faq")
    first, *others = found(kb, "leopard leap squares", *way)
    assert first["id"] == "arkham/moves/leap"
    assert (first["twins"][0]["id"], first["twins"][0]["edition"]) == ("arkham/grimoire/moves/leap", "Grimoire 1.1")
    assert first["twins"][0]["differs"] == "By the Grimoire it leaps over three."
    assert not [hit for hit in others if hit["edition"] == "Grimoire 1.1"]


def test_with_an_older_edition_newer_rules_do_not_answer_but_can_be_shown(editions, kb):
    assert [hit["id"] for hit in found(kb, "horse neighs", "--rules", "faq")] == ["arkham/letters/one"]
    for words in (("horse", "--in", "grimoire", "--rules", "faq"), ("horse in the grimoire", "--rules", "faq")):
        assert [hit["id"] for hit in found(kb, *words)] == ["arkham/grimoire/moves/horse"]


def test_rules_missing_from_the_newest_edition_are_still_found(editions, kb):
    assert found(kb, "who wears a crown")[0]["id"] == "arkham/moves/crown"
    assert "Grimoire 1.1 no longer has this answer" in kb("show Crowns").out


def test_an_outdated_answer_is_shown_below_the_newer_rule(editions, kb):
    first = found(kb, "may a leopard leap twice a turn")[0]
    assert first["id"] == "arkham/grimoire/moves/leap"
    twin = next(twin for twin in first["twins"] if twin["id"] == "arkham/faq/twice")
    assert twin["differs"] == "The Grimoire counts no leaps."
    shown = kb("show arkham/faq/twice").out
    assert "Grimoire 1.1 changes this." in shown
    assert "The Grimoire counts no leaps.  arkham/grimoire/moves/leap" in shown


def test_a_name_means_the_entry_of_the_edition_in_use(editions, kb):
    assert kb("show leaping --json").json["id"] == "arkham/grimoire/moves/leap"
    old = kb("show leaping --json --rules 'faq 2.5'").json
    assert old["id"] == "arkham/moves/leap"
    assert old["stands"] == {"edition": "Grimoire 1.1", "is": "changed", "says": "By the Grimoire it leaps over three."}
    assert old["counterparts"][0]["id"] == "arkham/grimoire/moves/leap"
    same = kb("show arkham/moves/tower --json").json
    assert (same["stands"]["is"], same["counterparts"][0]["differs"]) == ("kept", None)


def test_wrong_rows_in_earlier_yaml_are_reported(editions, kb):
    editions.write(
        "content/arkham/grimoire/earlier.yaml",
        "- {heading: ah.nothing, stands: dropped}\n- {heading: ah.leap, stands: kept}\n- {heading: ah.leap, stands: gone}\n",
    )
    said = kb("doctor --content", editions.root / "content").out
    assert "earlier.yaml:1: 'ah.nothing' is not a heading of any outline of arkham" in said
    assert "earlier.yaml:2: ah.leap is kept: `by` names the headings that say so" in said
    assert "earlier.yaml:3: `stands` is 'gone'; it must be one of kept, changed, dropped" in said


def test_compare_shows_a_rule_in_every_edition_that_has_it(editions, kb):
    found = kb("compare leaping --json").json
    told = [(entry["of"], entry["id"]) for entry in found["entries"]]
    assert told[:2] == [("Grimoire 1.1", "arkham/grimoire/moves/leap"), ("FAQ 2.5", "arkham/moves/leap")]
    said = kb("compare leaping --rules faq").out
    assert said.index("A leopard leaps over two squares") < said.index("A leopard leaps over three squares")
    assert "What differs: By the Grimoire it leaps over three." in said
    alone = kb("compare arkham/letters/one")
    assert (alone.code, alone.err) == (
        1,
        "No other edition or set of arkham has an entry on A letter on neighing (arkham/letters/one).\n",
    )


def test_comparing_a_game_lists_the_rules_that_differ(real, kb):
    told = kb("compare arkham --json").json
    ids = [each["id"] for each in told["entries"]]
    assert len(set(ids)) == len(ids) > 50
    assert all(each["differs"] for each in told["entries"])
    assert "arkham/grimoire/timing/2-2-investigator-turn" in ids
    assert "arkham/timing/2-2-investigator-turn" not in ids, "the older entry is not listed separately"
    assert kb("compare luxor").code == 1
