"""Checks on what a character carries: resources, items and secrets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace

from kb.decks.names import both, name_key
from kb.decks.report import Problem
from kb.games.tainted_grail.decks.model import ITEM_KEYWORDS, Item, Sheet
from kb.games.tainted_grail.decks.ruleset import rule

MOST_OF_A_RESOURCE = 20
MOST_ITEMS_IN_CHALLENGE = 5
CHALLENGE_SECRET = 42


@rule("item-keywords", "equip-for-your-journey", "items-in-encounters", family="copies")
def one_for_each_keyword(sheet: Sheet) -> Iterator[Problem]:
    """At most one item or secret with each keyword is in use (faceup): WEAPON, ARMOR, SHIELD, COMPANION, RELIC."""
    for keyword in ITEM_KEYWORDS:
        used = [item for item in (*sheet.items, *sheet.secrets) if keyword in item.keywords and not item.facedown]
        if len(used) > 1:
            names = tuple(item.name for item in used)
            down = both(pasted(replace(item, facedown=True)) for item in used[1:])
            yield Problem(
                f"{len(used)} cards with {keyword} are in use: {both(names)}; never more than 1 item or secret with a keyword.",
                f"Turn all but one facedown, for instance by writing {down}.",
                names,
                count=len(used),
                limit=1,
            )


@rule("carrying-limit", "experience", family="count")
def carrying_limit(sheet: Sheet) -> Iterator[Problem]:
    """At most 20 of each resource are carried; experience has no limit."""
    for name, number in sheet.resources.items():
        if name != "experience" and number > MOST_OF_A_RESOURCE:
            yield Problem(
                f"{number} {name} are carried; the limit is {MOST_OF_A_RESOURCE}.",
                f"Put {number - MOST_OF_A_RESOURCE} {name} back.",
                count=number,
                limit=MOST_OF_A_RESOURCE,
            )


@rule("challenge-mode-item-limit", "secrets", family="count")
def items_in_challenge_mode(sheet: Sheet) -> Iterator[Problem]:
    """In challenge mode at most 5 items are carried; secrets do not count."""
    if sheet.plays("items") and len(sheet.items) > MOST_ITEMS_IN_CHALLENGE:
        names = tuple(item.name for item in sheet.items)
        yield Problem(
            f"{len(names)} items are carried; in challenge mode the limit is {MOST_ITEMS_IN_CHALLENGE}.",
            f"Give up {len(names) - MOST_ITEMS_IN_CHALLENGE} of them: {', '.join(names)}.",
            names,
            count=len(names),
            limit=MOST_ITEMS_IN_CHALLENGE,
        )


@rule("trading-secrets", "secrets", "character-death", family="access")
def personal_secrets_stay(sheet: Sheet) -> Iterator[Problem]:
    """A secret with the keyword PERSONAL is with the character it came to first."""
    for secret in sheet.secrets:
        if "PERSONAL" in secret.keywords and secret.owner and name_key(secret.owner) != name_key(sheet.character):
            yield Problem(
                f"{secret.name[0].upper()}{secret.name[1:]} is PERSONAL and belongs to {secret.owner}; it may never be "
                f"transferred to {sheet.character}.",
                f"Give it back to {secret.owner}; if {secret.owner} is dead, it disappears.",
                (secret.name,),
            )


@rule("challenge-mode-setup", family="campaign", severity="note")
def secret_of_challenge_mode(sheet: Sheet) -> Iterator[Problem]:
    """A campaign begun in challenge mode takes secret card 42 at its start."""
    if sheet.plays("setup") and not sheet.earlier_modes and not any(map(is_challenge_secret, sheet.secrets)):
        yield Problem(
            f"Challenge mode takes secret card {CHALLENGE_SECRET} at the start of the game; this sheet does not list it.",
            "Nothing to do, if it is on another sheet or was resolved since.",
        )


def is_challenge_secret(secret: Item) -> bool:
    """Whether a secret is the one that challenge mode begins with."""
    return secret.number == CHALLENGE_SECRET


def pasted(item: Item) -> str:
    """An item or secret as a line of the sheet that can be pasted there, with number, keywords and owner."""
    words = ", ".join([*item.keywords, *(["facedown"] if item.facedown else [])])
    called = str(item.number) if item.number else item.name
    if item.owner is None and not re.search(r'["\\()\[\]{},]|^\d+\s|\s[xX×*]?\d+$', called):
        return f'`"{called} ({words})"`' if words else f'`"{called}"`'
    name = f"number: {item.number}" if item.number else f"name: {json.dumps(item.name, ensure_ascii=False)}"
    owner = f", owner: {json.dumps(item.owner, ensure_ascii=False)}" if item.owner else ""
    down = ", facedown: yes" if item.facedown else ""
    return f"`{{{name}, keywords: [{', '.join(item.keywords)}]{down}{owner}}}`"
