"""Reading the keys of a file: kb reports all problems at once, each with its line and a fix."""

from kb.decks.deckfile import parse_deck
from kb.decks.fields import Fields


def fields(text):
    return Fields(parse_deck(text, "file.yaml").root, [])


def said(read):
    return [(problem.line, problem.message) for problem in read.problems]


def test_numbers_have_a_maximum():
    read = fields("a: 20\nb: 21\nc: -1\nd: two\ne: [1]\n")
    assert [read.number(key, 20) for key in "abcde"] == [20, None, None, None, None]
    assert [line for line, _ in said(read)] == [2, 3, 4, 5]
    assert said(read)[0][1] == "`b` must be a whole number from 0 to 20."


def test_flags():
    read = fields("a: yes\nb: no\nc: True\nd: perhaps\n")
    assert [read.flag(key) for key in "abcde"] == [True, False, True, False, False]
    assert said(read) == [(4, "Unknown d 'perhaps'. Use one of: yes, no.")]


def test_messages_name_the_key_above():
    read = fields("combat:\n  deck: 1\n  dekc: 2\nitems: 3\nnone: []\n")
    inner = read.below("combat")
    inner.check_keys(("deck",))
    assert read.below("none") is None
    assert read.below("items") is None
    assert said(read) == [
        (3, "Unknown key `combat: dekc`. Did you mean deck?"),
        (4, "`items` must contain keys."),
    ]


def test_choose_suggests():
    read = fields("mode: storry\nlist: [1]\n")
    node, sequence = read.get("mode"), read.get("list")
    assert read.choose(node, {"story": 1}, "mode") is None
    assert read.choose(sequence, {"story": 1}, "mode") is None
    assert said(read) == [(1, "Unknown mode 'storry'. Did you mean story?"), (2, "Unknown mode. Use one of: story.")]
