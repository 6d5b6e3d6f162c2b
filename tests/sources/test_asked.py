"""The questions in `asked:` quote words of the sentence that answers them."""

import pytest

BODY = "A king moves **one** step. It never moves into check.\n\n- A king moves two steps when he castles."


def told(sources, kb, asked, body=BODY):
    sources.entry("chess/king", "King", body, asked=asked)
    outcome = kb("doctor --content", sources.root / "content" / "chess" / "king.md")
    return outcome.code, outcome.out.splitlines()


def test_questions_name_their_sentences(sources, kb):
    asked = '\n  "moves one step":\n    - how far\n    - how many squares\n  castles:\n    - may he go two\n'
    code, lines = told(sources, kb, asked)
    assert code == 0
    assert lines == ["1 entry, 3 questions, 3 with an answering sentence. No problems found."]


@pytest.mark.parametrize("pointer", ["For castling see the rook.", "See also the rook.", "Castling: see the rook."])
def test_a_sentence_that_only_refers_elsewhere_is_not_an_answer(sources, kb, pointer):
    code, lines = told(sources, kb, "{the rook: [how does he castle]}", f"A king moves one step.\n\n{pointer}")
    assert code == 1
    assert lines[0].startswith(f"content/chess/king.md:5: asked: 'the rook' is in “{pointer}”, which only refers")


def test_a_sentence_that_begins_with_see_whether_may_be_an_answer(sources, kb):
    code, _ = told(sources, kb, "{whether he: [what then]}", "A king moves.\n\n- See whether he is in check.")
    assert code == 0


def test_all_wrong_quotations_are_reported_at_once_with_their_lines(sources, kb):
    asked = (
        "\n  moves:\n    - how far\n  it ever moves into check:\n    - is check allowed\n  one step:\n    - is it one\n"
    )
    code, lines = told(sources, kb, asked)
    assert code == 1
    assert len(lines) == 3
    assert lines[0].startswith(
        "content/chess/king.md:6: asked: 'moves' is in 3 sentences: “A king moves one step.” and “It never"
    )
    assert lines[1].startswith(
        "content/chess/king.md:8: asked: no sentence of the text says 'it ever moves into check'"
    )
    assert lines[1].endswith("the nearest sentence is “It never moves into check.”")
    assert lines[2].endswith("2 problems.") is True


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("\n  moves one step: how far", "the questions of 'moves one step' must be a list"),
        ("\n  moves one step: []", "the questions of 'moves one step' must be a list"),
        ("\n  1:\n    - how far", "1 must be words of a sentence; put them in quotes"),
        ("\n  one step:\n    - yes", "the questions of 'one step' must be text, not True; put it in quotes"),
        ("\n  one step:\n    - may he: really", "must be text, not {'may he': 'really'}; put it in quotes"),
        ("\n  one step:\n    - how far\n  one step:\n    - how long", "the key 'one step' occurs twice"),
        ("how far", "the questions must be a list"),
    ],
)
def test_values_of_other_types_give_an_error_message(sources, kb, asked, words):
    code, lines = told(sources, kb, asked)
    assert code == 1
    assert words in lines[0]
    assert lines[0].startswith("content/chess/king.md:")


def test_rows_of_a_list_name_sentences_too(sources, kb):
    path = sources.root / "content" / "chess" / "errata.yaml"
    path.write_text(
        "title: Errata\nkind: erratum\nsource: {doc: book}\nentries:\n"
        "  - id: one\n    title: One\n    asked:\n      pawn of one: [which pawn]\n    body: The pawn of one.\n"
        "  - id: two\n    title: Two\n    asked:\n      pawn of one:\n        - which pawn\n    body: The pawn of two.\n"
    )
    outcome = kb("doctor --content", path)
    assert outcome.code == 1
    assert outcome.out.startswith("content/chess/errata.yaml:13: asked: no sentence of the text says 'pawn of one'")
    assert "2 entries, 2 questions, 1 with an answering sentence" in outcome.out


def test_a_file_outside_content_is_refused(sources, kb, tmp_path):
    assert "where kb reads its sources" in kb("doctor --content", tmp_path / "nowhere").refusal


def test_kb_show_lists_the_questions(sources, kb):
    sources.entry("chess/king", "King", BODY, asked="{one step: [how far], castles: [may he go two]}")
    shown = kb("show chess/king")
    assert shown.code == 0
    assert "  how far\n  may he go two" in shown.out
