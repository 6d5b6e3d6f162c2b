"""A rulebook of one's own is found on this machine, and nowhere else."""

import jsonschema
import pytest

from kb import paths
from kb.api.schema import document
from kb.api.showing import PassageJson
from kb.catalog.store import build_catalog

BOOK = "# Of kings\n\nA king wears a zorblax.\n\n## 3. Castling\n\nThe rook leaps over, says my copy.\n"


@pytest.fixture
def book(sources, kb, tmp_path):
    file = tmp_path / "kings.md"
    file.write_text(BOOK, encoding="utf-8")
    done = kb("import rulebook {} --game chess --title 'Kings & Rooks'", file)
    assert done.code == 0, done.err
    assert "2 passages" in done.out
    assert "Private" in done.out
    return file


def test_it_is_found_beside_our_entries(book, kb):
    (hit, *_) = kb("search --json 'who wears a zorblax'").json["hits"]
    assert (hit["id"], hit["kind"], hit["source"]) == (
        "chess/rulebooks/kings-rooks/1",
        "rulebook",
        "your copy of Kings & Rooks",
    )
    assert "A king wears a zorblax." in kb("search 'who wears a zorblax'").out
    assert "A king wears a zorblax." in kb("show", hit["id"]).out


def test_the_same_heading_shows_both(book, kb):
    entry = kb("show --json castling").json
    assert entry["id"] == "chess/castling"
    assert [item["id"] for item in entry["rulebooks"]] == ["chess/rulebooks/kings-rooks/2"]
    assert "your copy of Kings & Rooks: 3. Castling" in kb("show castling").out
    passage = kb("show --json chess/rulebooks/kings-rooks/2").json
    jsonschema.validate(passage, document(PassageJson))
    assert [item["id"] for item in passage["restated_by"]] == ["chess/castling"]


def test_it_is_replaced_listed_and_removed(book, kb):
    book.write_text("# Queens\n\nA queen wears a quorbel.\n", encoding="utf-8")
    assert kb("import rulebook {} --game Chess --title 'Kings & Rooks' --json", book).code == 0
    assert kb("search --json quorbel").json["hits"]
    assert kb("search zorblax").code == 1
    assert kb("import rulebook --list --json").json == [
        {"name": "kings-rooks", "title": "Kings & Rooks", "game": "chess", "file": "kings.md", "passages": 1}
    ]
    assert "kings-rooks" in kb("import rulebook --remove other").err
    assert kb("import rulebook --remove kings-rooks").code == 0
    assert kb("search quorbel").code == 1
    assert "No rulebook" in kb("import rulebook --list").out


def test_another_book_that_would_be_called_the_same_is_refused(book, sources, kb):
    sources.write("content/go/game.yaml", "title: Go\n")
    sources.write("content/go/sources.yaml", "- {id: book, title: Book of Go, outline: outline.tsv}\n")
    sources.write("content/go/outline.tsv", "id\ttitle\tkind\tsection\tpage\n")
    sources.entry("go/ko", "Ko", "No position comes back at once.", covers="[]")
    taken = ["import", "rulebook", str(book), "--game", "chess", "--title"]
    assert kb([*taken, "規則"]).code == 0
    for more in (["規則書"], ["規則", "--game", "go"], ["規則書", "--name", "rulebook", "--game", "go"]):
        refused = kb([*taken, *more])
        assert refused.code == 2
        assert "There is another rulebook rulebook (規則, chess): give this one a name of its own" in refused.err
    assert kb([*taken, "規則書", "--name", "second"]).code == 0
    assert kb([*taken, "規則書", "--name", "rulebook"]).code == 0  # it was asked for
    assert [row["title"] for row in kb("import rulebook --list --json").json][1:] == ["規則書"] * 2


def test_an_unknown_game_or_no_game_is_a_sentence(book, kb):
    wrong = kb("import rulebook {} --game ludo --title X", book)
    assert (wrong.code, "Nothing lies below 'ludo'" in wrong.err) == (2, True)
    assert "--game GAME" in kb("import rulebook", book).err
    odd = kb("import", "rulebook", str(book), "--game", "chess", "--title", "My\udcff book", "--name", "odd")
    assert (odd.code, "My? book (odd)" in odd.out) == (0, True)
    missing = kb("import rulebook {} --game chess --title X", book.with_name("gone.md"))
    assert missing.code == 2
    assert "gone.md" in missing.err


def test_a_damaged_copy_leaves_the_old_catalog_and_is_named(book, kb):
    build_catalog().close()
    kept = paths.user_data_dir() / "rulebooks" / "kings-rooks.json"
    kept.write_text('{"id": "kings-rooks"', encoding="utf-8")
    done = kb("search castling")
    assert done.code == 0
    assert "imported rulebook cannot be read" in done.err
    assert "kings-rooks.json" in kb("doctor").out
