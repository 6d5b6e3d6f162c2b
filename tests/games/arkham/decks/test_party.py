"""The decks of one table together."""

from kb.games.arkham.decks.frame import NamedDeck
from kb.games.arkham.decks.model import Deck
from kb.games.arkham.decks.party import check_party
from tests.games.arkham.decks.conftest import FACTS, ROLAND, by_code, named
from tests.tables import rows_of


def check(*decks, **given):
    """What is found at a table of decks, each `investigator: card` (or without a card)."""
    parts = [each.partition(": ") for each in decks]
    made = [NamedDeck("", Deck(named(who), by_code({card: 1} if card else {}))) for who, _, card in parts]
    return list(check_party(made, FACTS, **given))


@rows_of("games-arkham-party", "test_a_table")
def test_a_table(decks, given, found):
    assert {each.check: each.severity for each in check(*decks, **given) if each.severity != "note"} == found


def test_the_newest_edition_at_the_table_is_cited():
    one = NamedDeck("b", Deck(ROLAND, {}, rules="faq"))
    for rules, cited in (
        ("faq", "arkham/setup/choose-investigators"),
        ("grimoire", "arkham/grimoire/setup/choose-investigators"),
    ):
        (finding,) = check_party([NamedDeck("a", Deck(ROLAND, {}, rules=rules)), one], FACTS)
        assert finding.cites == (cited,)
