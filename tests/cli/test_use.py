"""The games in which kb searches: the game chosen with `kb use`, a game named in the question, or the game given with
`--in`. Also tests the names that `kb show` accepts.
"""

import pytest

from kb import paths
from tests.walks import walks


@pytest.fixture
def two_games(sources):
    """Write the sources of two games: chess, and draughts, which has two sets with the same rule."""
    sources.write(
        "content/draughts/game.yaml",
        "title: Draughts\ncalled:\n  draughts: [draughts, checkers]\n  draughts/polish: [polish]\n",
    )
    sources.write(
        "content/draughts/sources.yaml",
        "- {id: book, title: Book of Draughts, outline: british/outline.tsv}\n"
        "- {id: polish, title: Polish Draughts, outline: polish/outline.tsv}\n",
    )
    for name in ("british", "polish"):
        sources.write(
            f"content/draughts/{name}/outline.tsv",
            f"id\ttitle\tkind\tsection\tpage\n{name}.jump\tJump\trule\tMoves\t1\n",
        )
    sources.entry(
        "draughts/british/jump",
        "Jumping",
        "A man must jump over an enemy piece.",
        covers="[british.jump]",
        topic_note="There a man jumps backwards too.",
    )
    sources.entry(
        "draughts/polish/jump", "Jumping", "A man must jump over an enemy piece, backwards too.", covers="[polish.jump]"
    )
    sources.entry("draughts/king", "King", "A man that reaches the far end is a king.")
    sources.entry("chess/king", "The king", "The king moves one step and never into check.")
    return sources


test_names = walks("use", "two_games")


@pytest.mark.parametrize("damage", ["[" * 200_000, "x" * 1_100_000], ids=["nested", "huge"])
def test_unreadable_settings_are_saved_under_another_name(two_games, kb, damage):
    settings = paths.settings_file()
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(damage, "utf-8")
    assert "the settings cannot be read" in kb("use").err
    kb("use chess")
    assert settings.with_name("settings.json.damaged").read_text("utf-8") == damage


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"game": 5}', "`game` must be text"),
        ('{"deck": ["x"]}', "`deck` must be text"),
        ('{"rules": "faq"}', "`rules` must be an object"),
        ('{"seen": true}', "`seen` must be an object"),
        ('{"gmae": "chess"}', "there is no setting 'gmae'; there are game, deck, rules, seen"),
        ("[]", "it contains no settings"),
        ('{"game": null}', "`game` must be text"),
    ],
)
def test_an_invalid_setting_gives_a_message(two_games, kb, text, said):
    settings = paths.settings_file()
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(text, "utf-8")
    done = kb("search king")
    assert done.code == 0
    assert said in done.err


def test_a_folder_instead_of_a_settings_file_stops_no_search(two_games, kb):
    paths.settings_file().mkdir(parents=True)
    assert kb("search king").code == 0
    assert "Move it away" in kb("use").err
    assert "cannot save the setting" in kb("use chess").err
