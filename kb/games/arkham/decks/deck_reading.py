"""Reads decks in every format, and the options of a deck check."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from kb.decks.deckfile import DeckFile, refusal
from kb.decks.games import NO_OPTIONS
from kb.decks.nodes import Scalar
from kb.games.arkham.decks.agreement import Agreement, AgreementError, agreement_of, taboo_called
from kb.games.arkham.decks.card_pool import preferred
from kb.games.arkham.decks.deck import MOST_CARDS, ArkhamDeck
from kb.games.arkham.decks.edition import edition
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.formats import (
    DeckFormatError,
    is_json_deck,
    json_deck,
)
from kb.games.arkham.decks.text_list import list_deck
from kb.games.arkham.decks.yaml_deck import yaml_deck
from kb.registry.editions import NoSuchEdition, chosen_edition


def read_deck(file: DeckFile, facts: ArkhamFacts, rules: str | None = None, prefer: Collection[str] = ()) -> ArkhamDeck:
    """Read the deck of a file in any of the formats: ArkhamDB or arkham.build JSON, text list, YAML.

    `rules` is an edition named by an option; without it, kb.registry.editions decides. If several cards have the same
    name, those in the products `prefer` come first. Raises DeckFileError.
    """
    with _about(file):
        if file.format == "text":
            deck = list_deck(file.text, facts, file.name, prefer)
        elif is_json_deck(data := file.value()):
            deck = json_deck(data)
        else:
            deck = yaml_deck(file, facts, prefer)
        for pile in (deck.cards, deck.side_deck, deck.extra, deck.ignored, deck.sealed):
            if pile and (len(pile) > MOST_CARDS or sum(map(abs, pile.values())) > MOST_CARDS):
                raise DeckFormatError(f"contains more than {MOST_CARDS:,} cards in one section; that is not a deck.")
        deck.rules = _edition(rules, str(deck.rest.get("rules") or ""))
    return deck


@contextmanager
def _about(file: DeckFile) -> Iterator[None]:
    """Context manager that turns an error about format, agreement or edition into a DeckFileError that names the file."""
    try:
        yield
    except (DeckFormatError, AgreementError, NoSuchEdition) as error:
        raise refusal(file.name, str(error)) from None


def _edition(option: str | None, deck_rules: str) -> str:
    """Return the id of the edition to check a deck by, from an option and the deck's `rules` key. Raises NoSuchEdition."""
    chosen = chosen_edition("arkham", option, deck_rules)
    return chosen.id if chosen else ""


def read_with_options(
    file: DeckFile, facts: ArkhamFacts, options: Mapping[str, Any] = NO_OPTIONS
) -> tuple[ArkhamDeck, Agreement]:
    """Return the deck of a file, and the group's agreement that `options` describe (see `agreement_of`).

    The options `rules` and `taboo` override the deck's keys. Raises DeckFileError, including for an option that does
    not apply.
    """
    with _about(file):
        agreement = agreement_of(options, facts)
        rules_node = file.get("rules")
        rules = _edition(options.get("rules"), rules_node.text if isinstance(rules_node, Scalar) else "")
        deck = read_deck(file, facts, rules, preferred(agreement, edition(rules), facts))
        if options.get("taboo") is not None:
            deck.taboo = taboo_number(str(options["taboo"]), facts)
    return deck, agreement


def taboo_number(named: str, facts: ArkhamFacts) -> int:
    """Return the number of the taboo list that `named` means: `latest`, `none` (0), a number or a date.

    Raises AgreementError if there is no such list.
    """
    number = taboo_called(named, facts)
    if number is None or (number not in facts.taboos and named.strip().casefold() not in ("latest", "none")):
        known = ", ".join(map(str, facts.taboos))
        raise AgreementError(f"There is no taboo list {named!r}. Use {known}, `latest` or `none`.")
    return number
