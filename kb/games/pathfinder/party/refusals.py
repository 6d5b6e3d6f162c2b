"""Writes the refusals of members into a party file: cards that they neither give away nor take."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from kb.decks.deckfile import DeckFile
from kb.decks.names import name_key, split_quantity

REFUSES = "refuses"
OF_REFUSALS = re.compile(rf"^{REFUSES}\s*:.*\n?(?:[ \t\]}}-].*\n?)*", re.MULTILINE)


def with_refusal(file: DeckFile, who: str, card: str, refuses: bool = True) -> str:
    """Return the text of a party file after the member `who` refuses `card` or, if `refuses` is False, accepts it
    again. The key `refuses` moves to the end.
    """
    by_member = named if isinstance(named := file.value().get(REFUSES), dict) else {}
    name = next((each for each in by_member if name_key(each) == name_key(who)), who)
    listed = by_member.get(name) or []
    others = [
        each
        for each in (listed if isinstance(listed, list) else [listed])
        if name_key(split_quantity(str(each))[1]) != name_key(card)
    ]
    return with_refusals(file, {**by_member, name: [*others, card] if refuses else others})


def with_refusals(file: DeckFile, by_member: Mapping[str, list[str]]) -> str:
    """Return the text of a party file with exactly these refusals: the cards in `by_member`."""
    by_member = {name: cards for name, cards in by_member.items() if cards}
    if file.text.lstrip().startswith("{"):
        others = {key: each for key, each in file.value().items() if key != REFUSES}
        return (
            f"{json.dumps({**others, **({REFUSES: by_member} if by_member else {})}, indent=2, ensure_ascii=False)}\n"
        )
    text = OF_REFUSALS.sub("", file.text)
    ends = "" if text.endswith("\n") else "\n"
    return f"{text}{ends}{REFUSES}: {json.dumps(by_member, ensure_ascii=False)}\n" if by_member else text
