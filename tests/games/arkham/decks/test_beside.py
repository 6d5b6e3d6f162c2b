"""What lies beside the deck: the spirit deck, attached cards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kb.decks.deckfile import parse_deck
from kb.decks.nodes import DeckFileError
from kb.games.arkham.decks.model import Deck
from kb.games.arkham.decks.yaml_deck import yaml_deck
from tests.games.arkham.decks.conftest import FACTS, check, deck, errors, named, notes

JIM, BACK, SHADE = map(named, ("Jim Culver: The Musician", "Jim Culver (ltr)", "Vengeful Shade"))
ALLIES = sorted(
    code
    for code, record in FACTS._cards.items()
    if record["type"] == "asset"
    and "Ally" in record.get("traits", ())
    and record.get("level") in (0, 1, 2)
    and "duplicate_of" not in record
    and not record.get("sheet")
)
NINE = dict.fromkeys(
    {FACTS._cards[code]["name"]: code for code in reversed(ALLIES) if FACTS._cards[code]["level"] == 0}.values(), 1
)
NINE = dict(list(NINE.items())[:9])


def jim(extra: dict[str, int]) -> Deck:
    return replace(deck(JIM, {"The Beyond": 1}, back=BACK), extra=extra)


def test_nine_different_allies_and_the_shade() -> None:
    assert check(jim({**NINE, SHADE: 1})).details["extra_size"] == 9


def test_only_allies_up_to_level_2() -> None:
    first, *_ = NINE
    less = {code: copies for code, copies in NINE.items() if code != first}
    for wrong in (named("Machete"), named("Hot Streak (4)"), named("Jim's Trumpet"), "99998", named("Haunted")):
        assert "extra-deck-cards" in errors(jim({**less, SHADE: 1, wrong: 1}))


def test_attached_cards() -> None:
    tactic = named("Dodge")  # Dodge
    made = deck("Roland Banks", {"Stick to the Plan": 1, tactic: 1})
    assert errors(replace(made, attachments={named("Stick to the Plan"): (tactic,)})) == set()
    assert "attached-cards" not in notes(replace(made, attachments={named("Stick to the Plan"): (tactic,)}))
    assert "attached-cards" in notes(replace(made, attachments={named("Stick to the Plan"): (tactic, tactic)}))
    assert "attached-cards" in notes(replace(made, attachments={named("Stick to the Plan"): (named("Machete"),)}))
    assert "attached-cards" in notes(replace(made, attachments={named("Stick to the Plan"): ("99998",)}))


def test_the_branded_spell_only_once() -> None:
    made = deck("Agnes Baker", {"Eldritch Brand": 1, "Shrivelling": 2})
    branded = replace(made, attachments={named("Eldritch Brand"): (named("Shrivelling"),)})
    assert errors(branded) == {"only-copy"}
    assert (
        errors(
            replace(
                deck("Agnes Baker", {"Eldritch Brand": 1, "Shrivelling": 1}),
                attachments={named("Eldritch Brand"): (named("Shrivelling"),)},
            )
        )
        == set()
    )


@pytest.mark.parametrize(
    "pile",
    [
        "exiled: {Knife: 999999999}",
        "exiled: [Knife, 999 Knife, 999 Knife, 999 Knife, 999 Knife, 999 Knife, 999 Knife]",
        "attached: {Eldritch Brand (5): {Shrivelling: 999999999}}",
        "cards: {Machete: 999999999}",
        "uncounted: {Machete: -999999999}",
    ],
)
def test_more_copies_than_any_pile_holds_are_told_with_their_line(pile: str) -> None:
    """A billion copies, each held, would take all memory."""
    with pytest.raises(DeckFileError, match=r"d:2: .*holds more than 5,000 cards in one pile; that is not a deck"):
        yaml_deck(parse_deck(f"investigator: Roland Banks\n{pile}\n", "d"), FACTS)
