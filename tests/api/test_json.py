"""The JSON of the commands is as their types say, and the page of the manual says what the types say."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, NotRequired, TypedDict

import jsonschema
import pytest

from kb.api.schema import document, schema
from kb.api.tables import PRINTED, page

ROOT = Path(__file__).resolve().parents[2]
KYRA = "game: pathfinder\nset: rotr\ncharacter: Kyra\ncards: [2x Mace, Quarterstaff]\n"
ROLAND = "game: arkham\ninvestigator: Roland Banks\ncards: [3x Machete]\n"
BEOR = "game: tainted-grail\ncharacter: Beor\ncombat: 1-12\ndiplomacy: 1-15\n"
ASKED = {
    "search": ["closing a location --in pathfinder", "blesng", "xyzzy plugh", "machete --kind card"],
    "ask": ["how many copies of a myriad card can I have", "xyzzy plugh"],
    "show": ["mulligan", "01020", "pathfinder/mm/closing-a-location", "arkham/taboos/list-10", "arkham/rulings/1-15"],
    "cards": ["type:weapon set:mm", "trait:unknown set:mm", "nobody-of-this-name"],
    "deck check": ["kyra.yaml roland.yaml beor.yaml gone.yaml"],
    "deck pull": ["kyra.yaml", "roland.yaml roland.yaml"],
    "party check": ["kyra.yaml", "roland.yaml roland.yaml"],
}  # fmt: skip


@pytest.mark.parametrize("command", sorted(PRINTED))
def test_what_a_command_prints_is_as_its_type_says(
    command: str, kb: Callable[..., Any], real: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in (("kyra", KYRA), ("roland", ROLAND), ("beor", BEOR)):
        (tmp_path / f"{name}.yaml").write_text(text)
    monkeypatch.chdir(tmp_path)
    told = {shape: document(shape) for shape in PRINTED[command]}
    for shape in told.values():
        jsonschema.Draft202012Validator.check_schema(shape)
    fitted = set()
    for words in ASKED[command]:
        done = kb(*command.split(), *words.split(), "--json")
        if not done.out:
            assert command == "show", done
            continue
        printed = json.loads(done.out)
        for each in printed if isinstance(printed, list) else [printed]:
            fits = [shape for shape, says in told.items() if jsonschema.Draft202012Validator(says).is_valid(each)]
            assert len(fits) == 1, (words, str(each)[:300])
            fitted.update(fits)
    assert len(fitted) >= min(2, len(told))


def test_a_key_that_is_not_described_is_missed() -> None:
    (shape,) = PRINTED["cards"]
    good = {"query": "a", "total": 0, "unknown": {}, "cards": [], "notes": []}
    jsonschema.validate(good, document(shape))
    for bad in ({**good, "more": 1}, {**good, "total": "0"}, {"query": "a"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(bad, document(shape))


def test_the_page_is_made_from_the_types() -> None:
    assert (ROOT / "site" / "using" / "json.md").read_text(encoding="utf-8") == page()


class Below(TypedDict):
    """Below."""

    word: Annotated[str | None, "A word."]


class Above(TypedDict):
    """Above."""

    one: Annotated[Below, "One."]
    some: NotRequired[Annotated[list[Below], "Some."]]


def test_objects_are_described_once_and_what_json_cannot_say_is_refused() -> None:
    named: dict[str, Any] = {}
    assert schema(Above, named) == {"$ref": "#/$defs/Above"}
    assert set(named) == {"Above", "Below"}
    assert named["Above"]["required"] == ["one"]
    with pytest.raises(TypeError):
        schema(bytes, {})
