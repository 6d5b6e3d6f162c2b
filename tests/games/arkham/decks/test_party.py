"""Checks of the decks of one group of players."""

from kb.games.arkham.decks.agreement import NamedDeck
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.party import check_party
from tests.games.arkham.decks.conftest import FACTS, ROLAND, by_code, named
from tests.tables import rows_of


def check(*decks, **given):
    """Return the findings for a group of decks. Each of `decks` is a text, `investigator: card` or only
    `investigator`.
    """
    parts = [each.partition(": ") for each in decks]
    made = [NamedDeck("", ArkhamDeck(named(who), by_code({card: 1} if card else {}))) for who, _, card in parts]
    return list(check_party(made, FACTS, **given))


@rows_of("games-arkham-party", "test_a_table")
def test_a_table(decks, given, found):
    assert {each.check.id: each.severity for each in check(*decks, **given) if each.severity != "note"} == found


def test_the_newest_edition_in_the_group_is_cited():
    one = NamedDeck("b", ArkhamDeck(ROLAND, {}, rules="faq"))
    for rules, cited in (
        ("faq", "arkham/setup/choose-investigators"),
        ("grimoire", "arkham/grimoire/setup/choose-investigators"),
    ):
        (finding,) = check_party([NamedDeck("a", ArkhamDeck(ROLAND, {}, rules=rules)), one], FACTS)
        assert finding.cites == (cited,)
