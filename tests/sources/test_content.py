"""Reading entries, outlines and links: kb reports all mistakes, each with its line."""

from kb.sources.cards import CardFacts, CardNames
from kb.sources.content import EVERY_GAME, read_content
from kb.sources.problems import Problems
from kb.sources.references import Content
from tests.tables import rows_of

CARD = CardFacts("chess/one/cards/queen", "chess", "one", "Q1", "Queen", None, "piece", None, ())


def load(sources):
    problems = Problems(sources.root)
    content = Content()
    content.entries.extend(read_content(sources.root / "content", content, CardNames([CARD]), problems))
    return content, [str(problem) for problem in sorted(problems.found)]


def test_valid_sources_have_no_problems(sources):
    content, problems = load(sources)
    assert problems == []
    assert [entry.id for entry in content.entries] == ["chess/castling", "chess/fork"]
    castling = content.entries[0]
    assert "[[chess/fork|the fork]]" in castling.body
    assert castling.citation == "Book of Chess, p. 3"
    assert content.synonyms == {"chess": [["castling", "hide the king"]]}


def test_general_synonyms_are_next_to_the_folders_of_games(sources):
    sources.write("content/synonyms.yaml", "- [friend, buddy]\n")
    assert load(sources)[0].synonyms[EVERY_GAME] == [["friend", "buddy"]]
    sources.write("content/synonyms.yaml", "- friend\n")
    assert load(sources)[1] == ["content/synonyms.yaml:1: `0` is 'friend'; it must be a list"]


def test_links_are_resolved_in_the_folder_then_above_then_as_full_ids(sources):
    sources.entry("chess/moves/pawn", "Pawn", "[[king]] [[castling]] [[chess/fork]] [[card:Q1|her]] [[card:queen]]")
    sources.entry("chess/moves/king", "The king", "One step.")
    content, problems = load(sources)
    assert problems == []
    pawn = next(entry for entry in content.entries if entry.id == "chess/moves/pawn")
    assert pawn.body.split() == [
        "[[chess/moves/king|The",
        "king]]",
        "[[chess/castling|Castling]]",
        "[[chess/fork|Fork]]",
        "[[card:chess/one/cards/queen|her]]",
        "[[card:chess/one/cards/queen|queen]]",
    ]


def test_entries_are_sorted_by_their_first_heading(sources):
    sources.entry("chess/check", "Check", "Fork him, then he cannot castle.", covers="[ch.fork, ch.castling]")
    content, problems = load(sources)
    assert problems == []
    assert [entry.id for entry in content.entries] == ["chess/castling", "chess/check", "chess/fork"]


@rows_of("sources-content", "test_each_mistake_is_named_with_its_line")
def test_each_mistake_is_named_with_its_line(sources, fields, body, line, words):
    sources.entry("chess/wrong", **{"title": "Wrong", "body": body, **fields})
    _content, problems = load(sources)
    assert len(problems) == 1, problems
    place, _, message = problems[0].partition(": ")
    assert words in message
    assert place == (f"content/chess/wrong.md:{line}" if line else place)


def test_all_mistakes_of_a_run_are_collected(sources):
    sources.entry("chess/one", "One", "[[a]] and [[b]]", covers="[x.y]")
    sources.write("content/chess/two.md", "no front matter\n")
    sources.write("content/chess/three.md", "---\ntitle: [open\n---\nText\n")
    _content, problems = load(sources)
    assert len(problems) == 5, problems
    assert any("not valid YAML" in problem for problem in problems)
    assert any("front matter between two lines" in problem for problem in problems)


def test_a_yaml_list_gives_entries(sources):
    sources.write(
        "content/chess/errata.yaml",
        """
        title: Errata
        kind: erratum
        source: {doc: book, section: Errata}
        entries:
          - id: queen
            title: Queen
            cards: [Q1]
            body: |
              She moves like a [[fork]] too.
          - id: rook
            title: Rook
            source: {doc: book, version: "1.2"}
            body: Straight lines.
          - id: Bad Id
            title: x
            body: y
          - id: nobody
            title: z
        """,
    )
    content, problems = load(sources)
    rows = {entry.id: entry for entry in content.entries if entry.table}
    assert set(rows) == {"chess/errata/queen", "chess/errata/rook"}
    assert rows["chess/errata/rook"].citation == "Book of Chess v1.2"
    assert rows["chess/errata/queen"].fields.cards == ["chess/one/cards/queen"]
    assert [problem.split(": ")[0] for problem in problems] == [
        "content/chess/errata.yaml:14",
        "content/chess/errata.yaml:17",
    ]


def test_duplicate_ids_are_reported(sources):
    sources.write(
        "content/chess/moves.yaml",
        "title: M\nkind: rule\nsource: {doc: book}\nentries:\n- {id: pawn, title: P, body: B}\n",
    )
    sources.entry("chess/moves/pawn", "Pawn", "One step.")
    sources.entry("chess/rook", "Rook", "Lines.", formerly="[chess/castling]")
    _content, problems = load(sources)
    assert sum("occurs twice" in problem for problem in problems) == 1
    assert sum("the old id 'chess/castling' is now the id of an entry" in problem for problem in problems) == 1


def test_ids_that_differ_only_in_capitals_are_reported(sources):
    sources.entry("chess/rook", "Rook", "Lines.")
    sources.entry("chess/Rook", "Rook again", "Lines.")
    sources.entry("chess/r\u00f6s", "One", "Lines.")
    sources.entry("chess/R\u00d6S", "Two", "Lines.")
    _content, problems = load(sources)
    assert sum("differ only in capitals" in problem for problem in problems) == 2, problems


def test_a_ruling_says_who_answered_and_how_sure_it_is(sources):
    staff = {"kind": "ruling", "authority": "developer", "date": "'2022-09'", "source": "{doc: book}"}
    sources.entry("chess/rulings/signed", "Signed", "Yes.", **staff)
    sources.entry(
        "chess/rulings/old", "Old", "Yes.", **staff, signed="false", confidence="medium", superseded_by="[fork]"
    )
    content, problems = load(sources)
    assert problems == []
    found = {entry.id: entry for entry in content.entries}
    assert found["chess/rulings/signed"].citation == "Book of Chess, publisher's staff, 2022-09"
    old = found["chess/rulings/old"]
    assert old.citation == "Book of Chess, publisher's staff, unsigned, 2022-09, confidence: medium, superseded"
    assert old.fields.superseded_by == ["chess/fork"]


def test_dates_and_signatures_of_answers_must_agree_with_their_page(sources):
    def ruling(name, place, **keys):
        keys = {"kind": "ruling", "authority": "developer", "date": "'2022-09'"} | keys
        sources.entry(f"chess/rulings/{name}", name.title(), "Yes.", source=f"{{doc: book, {place}}}", **keys)

    ruling("named", "edited: '2022-09', answered_by: Ada")
    ruling("unsigned", "edited: '2022-10'", signed="false")
    content, problems = load(sources)
    assert problems == []
    named = next(entry for entry in content.entries if entry.id == "chess/rulings/named")
    assert named.citation == "Book of Chess, answered by Ada, publisher's staff, 2022-09"
    ruling("late", "edited: '2022-08'", authority="community-consensus")
    ruling("nobody", "edited: '2022-10'")
    ruling("somebody", "edited: '2022-10', answered_by: Ada", signed="false")
    late, nobody, somebody = load(sources)[1]
    assert "dated 2022-09, but the page that it cites was last edited in 2022-08" in late
    assert "the page does not say who answered" in nobody
    assert "the page names Ada" in somebody


def test_rows_of_a_list_decide_its_authority(sources):
    sources.write(
        "content/chess/answers.yaml",
        """
        title: Answers
        kind: ruling
        source: {doc: book}
        authority: developer
        entries:
          - {id: one, title: One, body: Yes it may.}
          - {id: two, title: Two, body: No it may not., authority: community-consensus}
        """,
    )
    content, problems = load(sources)
    assert problems == []
    given = {entry.id: entry.fields.authority for entry in content.entries if entry.table}
    assert given == {"chess/answers/one": "developer", "chess/answers/two": "community-consensus"}
