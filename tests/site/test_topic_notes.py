"""Notes on a topic that describe a difference between the sets, and notes that do not."""

import pytest

from kb.site.topics import differs


@pytest.mark.parametrize("note", ["The same in both sets.", "The same limits in both sets.", "No difference.", ""])
def test_notes_that_tell_of_no_difference(note):
    assert not differs(note)


@pytest.mark.parametrize(
    "note",
    [
        "The same in both sets, except that in one the winners may then visit traders.",
        "The same rule in both sets; only one also points to the free sheets.",
        "In one set it lies in front of your character.",
    ],
)
def test_notes_that_tell_of_a_difference(note):
    assert differs(note)
