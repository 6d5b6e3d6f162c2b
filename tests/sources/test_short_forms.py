"""Finding summaries with numbers that the entries they link to do not contain."""

from kb.paths import sources_root
from kb.sources.content import read_sources
from kb.sources.short_forms import loose_numbers


def found(tmp_path):
    content, _facts, problems = read_sources(sources_root(), tmp_path / "own")
    assert not problems
    return [(loose.summary, loose.number, loose.entries) for loose in loose_numbers(content.entries)]


def test_a_number_that_the_entry_does_not_state(sources, tmp_path):
    sources.entry("chess/draw", "Draw", "Each player draws two cards, after 50 moves.")
    sources.entry("chess/hand", "Hand", "See [[draw]].")
    summary = "1. [[draw|Draw]] 2 cards.\n2. [[hand|Draw]] 3 cards after 50 moves."
    sources.entry("chess/sheet", "Sheet", summary, kind="reference")
    assert found(tmp_path) == [("chess/sheet", "3", ("chess/hand",))]


def test_counts_of_parts_and_other_pages_are_not_reported(sources, tmp_path):
    sources.entry("chess/draw", "Draw", "Each player draws two cards.")
    sources.entry("chess/sheet", "Sheet", "- **Phase 4.** [[draw|Draw]] 2 cards in step 7.", kind="reference")
    sources.entry("chess/hand", "Hand", "- [[draw|Draw]] 9 cards.")
    assert found(tmp_path) == []
