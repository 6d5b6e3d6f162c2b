"""JSON and its schema out of the dataclasses that describe it."""

from __future__ import annotations

from dataclasses import field

import jsonschema

from kb.api.schema import document
from kb.citation import Citation, Citations, Cite, Cites
from kb.frozen import frozen
from kb.jsonable import FLAT, HIDDEN, NAMED, OPTIONAL, OR_NULL, Jsonable, called, key


@frozen
class Below(Jsonable):
    """Below."""

    name: str = field(metadata=OR_NULL)
    """A word."""
    unsaid: int = field(default=0, metadata=HIDDEN)


@frozen
class Above(Jsonable):
    """Above."""

    below: Below = field(metadata=FLAT)
    cites: Cites
    """Many."""
    cite: Cite
    """One."""
    others: tuple[Below, ...] = field(metadata=called("more"))
    """Others."""
    best: Below = field(metadata=NAMED)
    """A name."""
    by: dict[str, Below] = field(default_factory=dict, metadata=OPTIONAL)
    """Some."""

    @key
    def below_(self) -> int:
        """A number."""
        return len(self.others)


def test_an_object_is_printed_as_its_description_says():
    cites = Citations(lambda ids: {each: Citation(each, "A rule", "p. 1") for each in ids if each != "gone"})
    found = Above(Below("a"), ("x", "gone"), "", (Below(""),), Below("b"), {"k": Below("c")}).as_json(cites)
    assert found == {
        "name": "a",
        "cites": [{"id": "x", "title": "A rule", "source": "p. 1"}, {"id": "gone", "title": "gone", "source": ""}],
        "cite": None,
        "more": [{"name": None}],
        "best": "b",
        "by": {"k": {"name": "c"}},
        "below": 1,
    }
    says = document(Above)
    jsonschema.validate(found, says)
    assert says["additionalProperties"] is False
    assert [kind["description"] for kind in says["properties"].values()] == [
        "A word.", "Many.", "One.", "Others.", "A name.", "Some.", "A number."
    ]  # fmt: skip
    assert set(says["properties"]) - set(says["required"]) == {"by"}
    assert "by" not in Above(Below("a"), (), "x", (), Below("b")).as_json(cites)
