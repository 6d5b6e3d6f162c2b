"""Buttons of the form that fix a finding: their labels, and the changes that they make to the deck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.decks.form import MOST_COPIES, CardChange, Change, Field, FormLine, KeyChange, at_lines
from kb.decks.names import CardLabel, each_counted
from kb.decks.problems import Finding
from kb.decks.remedies import Add, Clear, Exchange, Fill, Remedy, Remove, Set, Steps
from kb.frozen import frozen

MOST_BUTTONS = 6
"""The most buttons for one remedy with a free choice; more would not help."""


@frozen
class Button:
    """A button next to a finding. `words` is its label, and `changes` are the changes that the form applies when the
    user presses it (see `form.changed`).
    """

    words: str
    changes: tuple[Change, ...]


def buttons(finding: Finding, lines: Sequence[FormLine], fields: Sequence[Field] = ()) -> list[Button]:
    """Return the buttons that fix a finding on a deck with these `lines` and `fields`. No two buttons have the same
    label.
    """
    found = [button for remedy in finding.remedies for button in _buttons(remedy, lines, fields)]
    return list({button.words: button for button in found}.values())


def _buttons(remedy: Remedy, lines: Sequence[FormLine], fields: Sequence[Field]) -> list[Button]:
    """Return the buttons of one remedy; none if it needs a choice among more than `MOST_BUTTONS` cards or values."""
    if isinstance(remedy, Steps):
        # A step that leaves the choice to the player (Fill) has no button: the form shows what is missing afterwards.
        each = [made for step in remedy.steps if (made := _buttons(step, lines, fields)) or not isinstance(step, Fill)]
        if each and all(len(step) == 1 for step in each):
            words = " and ".join(step[0].words if not at else step[0].words.lower() for at, step in enumerate(each))
            return [Button(words, tuple(change for step in each for change in step[0].changes))]
        return []
    if isinstance(remedy, Add):
        made = [_adding(remedy.cards, lines).button]
    elif isinstance(remedy, Remove):
        made = [_remove(line, remedy.copies) for line in _in_pile(at_lines(lines, remedy.of), remedy.pile)]
    elif isinstance(remedy, Exchange):
        made = list(_exchange(remedy, lines))
    elif isinstance(remedy, Fill):
        made = [_adding([card], lines).button for card in dict.fromkeys((*remedy.have, *remedy.among))]
    elif isinstance(remedy, Set):
        made = [*_set(remedy, fields)]
    elif isinstance(remedy, Clear):
        there = [field for key in remedy.clears for field in fields if field.key == key and field.value]
        made = [Button(f"Clear {field.label}", (KeyChange(field.key, ""),)) for field in there]
    else:
        made = []
    return made if len(made) <= MOST_BUTTONS else []


def _in_pile(lines: Sequence[FormLine], pile: str) -> list[FormLine]:
    """Return the lines in the part of the deck under the key `pile`. If there are none, or `pile` is empty, return all
    lines.
    """
    name = pile.replace(".", " ").replace("_", " ")
    inside = [line for line in lines if pile and line.group.casefold().startswith(name)]
    return inside or list(lines)


@frozen
class _Adding:
    """Cards to add: their names with copies, and the changes to the deck."""

    names: str
    changes: tuple[Change, ...]

    @property
    def button(self) -> Button:
        """Return the button that adds the cards."""
        return Button(f"Add {self.names}", self.changes)


def _adding(cards: Sequence[str], lines: Sequence[FormLine]) -> _Adding:
    """Return the change that adds one copy for each entry of `cards` to a deck with these `lines`."""
    copies = {line.key: line.copies for line in lines}
    labels = [CardLabel.of(label) for label in cards]
    for label in labels:
        copies[label.key] = copies.get(label.key, 0) + 1
    changes = tuple(CardChange(key, copies[key]) for key in dict.fromkeys(label.key for label in labels))
    return _Adding(", ".join(each_counted(label.name for label in labels)), changes)


def _remove(line: FormLine, copies: int) -> Button:
    """Return the button that removes `copies` copies of a line's card; 0 means all copies."""
    leave = min(copies or MOST_COPIES, line.copies)
    words = f"Remove {line.name}" if leave == 1 else f"Remove {leave} {line.name}"
    return Button(words, (CardChange(line.key, line.copies - leave),))


def _exchange(remedy: Exchange, lines: Sequence[FormLine]) -> Iterator[Button]:
    """Yield a button for each way to exchange a card for a replacement. If there is no single card with a known
    replacement, yield buttons that only remove a card.
    """
    for line in _in_pile(at_lines(lines, remedy.out), remedy.pile):
        removing = _remove(line, remedy.copies)
        if len(set(remedy.out)) > 1 or not remedy.into or remedy.copies > 1:
            yield removing
            continue
        for card in dict.fromkeys(remedy.into):
            adding = _adding([card], lines)
            yield Button(f"Exchange {line.name} for {adding.names}", (*removing.changes, *adding.changes))


def _set(remedy: Set, fields: Sequence[Field]) -> Iterator[Button]:
    """Yield a button that sets a field of the form to the value of the remedy, or one button for each choice."""
    field = next((each for each in fields if each.key == remedy.key), None)
    if field is None:
        return
    for value in (remedy.value,) if remedy.value else remedy.choices:
        known = next((each for each in field.choices if value in each[:2]), (value, value))
        yield Button(f"Set {field.label} to {known[1]}", (KeyChange(field.key, known[0]),))
