"""Where searches look: a chosen game, a named one, `--in`; and names that `kb show` understands."""

import pytest

from kb import paths
from kb.settings import read


@pytest.fixture
def two_games(sources):
    """Chess and draughts, which has two sets with the same rule."""
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


def ids(kb, *words):
    return [hit["id"] for hit in kb(["search", "--json", *words]).json["hits"]]


def test_a_chosen_game_stays_chosen_until_another_is(two_games, kb):
    assert "No game is chosen" in kb("use").out
    assert {found.split("/")[0] for found in ids(kb, "king")} == {"chess", "draughts"}
    assert "Searches look at draughts." in kb("use Checkers").out
    assert kb("use").out == "draughts is chosen.\n"
    assert ids(kb, "king") == ["draughts/king"]
    shown = kb("search king").out
    assert shown.startswith("In draughts (kb use). --in all searches everywhere.")
    assert len(ids(kb, "king", "--in", "all")) > 1
    assert ids(kb, "king", "--in", "chess")[0] == "chess/king"
    assert kb("use all").out == "Searches look at all games.\n"
    assert "No game is chosen" in kb("use").out


def test_a_named_game_is_searched_alone(two_games, kb):
    kb("use chess")
    found = kb("search --json checkers king").json
    assert (found["scope"], found["named"]) == ("draughts", True)
    assert [hit["id"] for hit in found["hits"]] == ["draughts/king"]
    assert kb("search 'checkers king'").out.startswith("Only in draughts, which the question names.")
    assert kb("search --json 'polish checkers jump'").json["scope"] == "draughts/polish", "the set, not its game"
    everywhere = kb("search --json 'checkers fork' --in all").json
    assert everywhere["named"] is False
    assert everywhere["hits"][0]["id"] == "chess/fork", "what leaves nothing is no filter"


@pytest.mark.parametrize(
    "name", ["draughts", "Draughts", "CHECKERS", "draughts/", "draughts/polish", "polish", "british"]
)
def test_in_takes_what_people_call_it(two_games, kb, name):
    assert all(found.startswith("draughts") for found in ids(kb, "jump king piece", "--in", name))


def test_an_unknown_game_lists_what_there_is(two_games, kb):
    done = kb("search king --in tennis")
    assert done.code == 2
    assert (
        "Nothing lies below 'tennis'. Games and sets, with other names: chess; draughts (draughts, checkers); draughts/polish (polish)."
        in done.err
    )
    assert kb("use tennis").code == 2
    assert "Nothing lies below 'drauhgts'. Did you mean draughts?" in kb("use drauhgts").err
    assert "Did you mean polish" in kb("search king --in polsh").err
    assert "Did you mean checkers?" in kb("search king --in chekcers").err


def test_show_takes_names(two_games, kb):
    assert kb("show rochade").out.startswith("Castling\n")
    assert kb("show the KING").out.startswith("The king\n")
    assert kb("show /castling/").out.startswith("Castling\n")
    several = kb("show jump")
    assert several.code == 1
    assert several.err.splitlines()[0] == "Several are called 'jump':"
    assert "draughts/british/jump" in several.err
    assert kb("show jump --in polish").out.startswith("Jumping\ndraughts/polish/jump")
    two_games.entry("chess/crown", "King", "What a king wears.")
    kb("use draughts")
    assert kb("show king").err.splitlines()[1].endswith("King  draughts/king"), "the chosen game first"
    assert kb("show 'nothing like it'").code == 1


def test_show_takes_names_and_codes_of_cards(real, kb):
    assert "pathfinder/rotr/cards/holy-light" in kb("show 'Holy Light'").err
    assert kb("show 'Holy Light' --in rotr").out.startswith("Holy Light\n")
    assert kb("show 01020 --json").json["facts"]["code"] == "01020"
    assert kb("show 01501 --json").json["id"] == "arkham/cards/01501", "the printing that was asked for"
    assert "pathfinder/mm/closing-a-location" in kb("show closing-a-location").err
    assert kb("show Lini").out.startswith("Lini")


def test_players_own_words_are_not_misspelled(kb, sources):
    sources.write("content/chess/synonyms.yaml", "- [castling, glorpstone]\n")
    sources.entry("chess/glowstone", "Glowstone", "A glowstone is no piece.", covers="[]")
    done = kb("search glorpstone")
    assert "Searched for" not in done.out
    assert " 1  Castling" in done.out
    assert "Searched for glowstone" in kb("search glowstne").out


@pytest.mark.parametrize(
    "damage",
    ["[" * 200_000, "\ufffe{", "[]", '{"game": "ches', "x" * 1_100_000],
    ids=["nested", "no-text", "a-list", "cut-off", "huge"],
)
def test_damaged_settings_are_said_and_kept_beside(two_games, kb, damage):
    settings = paths.settings_file()
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(damage, encoding="utf-8")
    assert ids(kb, "king")
    said = kb("use")
    assert "the settings cannot be read" in said.err
    assert "No game is chosen" in said.out
    assert "the settings cannot be read" in kb("doctor").out
    kb("use chess")
    assert kb("use").out == "chess is chosen.\n"
    assert settings.with_name("settings.json.damaged").read_text(encoding="utf-8") == damage
    assert kb("doctor").out.endswith("Nothing is wrong.\n")


def test_settings_that_are_no_file_stop_nothing(two_games, kb):
    settings = paths.settings_file()
    settings.mkdir(parents=True)
    assert ids(kb, "king")
    assert "move it away" in kb("use").err
    assert "the choice cannot be kept here" in kb("use chess").err


def test_a_chosen_game_that_is_gone_is_said(two_games, kb):
    settings = paths.settings_file()
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text('{"game": "go\\u0000"}', encoding="utf-8")
    assert "'go\\x00' was chosen, but kb knows no such game" in kb("use").out
    assert ids(kb, "king")


def test_the_edition_of_a_game_is_chosen_with_it(two_games, kb):
    two_games.write("content/arkham/game.yaml", "title: Arkham\n")
    two_games.write("content/arkham/sources.yaml", "- {id: book, title: FAQ}\n")
    two_games.entry("arkham/mulligan", "Mulligan", "Put cards back and draw as many.")
    assert kb("use arkham --rules faq").out.startswith("arkham is played by FAQ 2.5.")
    assert kb("use").out == "arkham is chosen, by FAQ 2.5.\n"
    assert read()["rules"] == {"arkham": "faq"}
    assert kb("use --rules grimoire").out.startswith("arkham is played by Grimoire 1.1.")
    wrong = kb("use draughts --rules faq")
    assert wrong.code == 2
    assert "draughts has none" in wrong.err
