"""The group's agreements that affect deck checks: standalone mode or campaign, environment, products, ultimatums,
boons.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, cast, get_args

from kb.decks.names import did_you_mean, name_key
from kb.decks.nodes import whole
from kb.errors import KbError
from kb.frozen import NOTHING, frozen
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.schema.cards import Cycle, Pack

Environment = Literal["legacy", "current", "limited"]

ENVIRONMENTS: tuple[str, ...] = get_args(Environment)

ULTIMATUMS = {
    "chaos": "Ultimatum of Chaos",
    "disaster": "Ultimatum of Disaster",
    "exile": "Ultimatum of Exile",
    "highlander": "Ultimatum of the Highlander",
    "induction": "Ultimatum of Induction",
    "orthodoxy": "Ultimatum of Orthodoxy",
}
"""Ultimatums that kb checks: the word for the option, and the title."""

BOONS = {"ancients": "Boon of the Ancients", "morrigan": "Boon of the Morrígan"}
"""Boons that kb checks: the word for the option, and the title."""
UNCHECKED = {
    **{
        name: f"Ultimatum of {title}"
        for name, title in {
            "agony": "Agony",
            "broken-promises": "Broken Promises",
            "broken-veil": "the Broken Veil",
            "dread": "Dread",
            "failure": "Failure",
            "finality": "Finality",
            "forbidden-knowledge": "Forbidden Knowledge",
            "hardship": "Hardship",
            "malevolence": "Malevolence",
            "scream": "The Scream",
            "spiral": "the Spiral",
            "survival": "Survival",
            "ultimatums": "Ultimatums",
        }.items()
    },
    **{
        name: f"Boon of {name.title()}"
        for name in ("athena", "destiny", "hades", "hermes", "nodens", "osiris", "persephone", "thoth")
    },
}
"""Ultimatums and boons that do not concern decks: the word for the option, and the title."""


@frozen
class Agreement:
    """The group's agreements, in addition to the rules that always apply.

    - `standalone`: the deck is for a single scenario; experience is paid with additional weaknesses.
    - `start`: the deck begins a campaign, so only the experience given at the start is available.
    - `environment`: the set of products that decks may use.
    - `expansions`: the cycles chosen for the limited environment.
    - `products`: codes of the packs owned, once for each copy; empty if unknown.
    - `ultimatums`, `boons`: those in force.
    """

    standalone: bool = False
    start: bool = False
    environment: Environment = "legacy"
    expansions: tuple[str, ...] = ()
    products: tuple[str, ...] = ()
    ultimatums: frozenset[str] = frozenset()
    boons: frozenset[str] = frozenset()


CAMPAIGN = Agreement()


@frozen
class NamedDeck:
    """A deck, the name of its file, and the agreement that kb checks it under."""

    file: str
    deck: ArkhamDeck
    agreement: Agreement = CAMPAIGN


class AgreementError(KbError, ValueError):
    """An option of a deck check has an invalid value. The message is written for users."""


def agreement_of(options: Mapping[str, Any], facts: ArkhamFacts) -> Agreement:
    """Return the group's agreement that `options` describe.

    The options are `standalone`, `start`, `environment`, `expansion`, `owned`, `ultimatum` and `boon`. Products and
    expansions may be given by code or by name. Raises AgreementError for an unknown name.
    """
    if not any(value for name, value in options.items() if name not in ("rules", "taboo")):
        return CAMPAIGN
    environment = options.get("environment") or "legacy"
    if environment not in ENVIRONMENTS:
        raise AgreementError(f"There is no environment {environment!r}. Use one of {', '.join(ENVIRONMENTS)}.")
    return Agreement(
        standalone=bool(options.get("standalone")),
        start=bool(options.get("start")),
        environment=cast(Environment, environment),
        expansions=tuple(_known(options.get("expansion"), facts.cycle_names, "expansion", facts.cycles)),
        products=tuple(sorted(_known(options.get("owned"), facts.pack_names, "product", facts.packs))),
        ultimatums=frozenset(_known(options.get("ultimatum"), _names("Ultimatum", ULTIMATUMS), "ultimatum")),
        boons=frozenset(_known(options.get("boon"), _names("Boon", BOONS), "boon")),
    )


def _names(kind: str, checked: Mapping[str, str]) -> dict[str, str]:
    """Return the words for ultimatums or boons (`kind`), by normalized word. `checked` are those that kb checks."""
    others = (name for name, title in UNCHECKED.items() if title.startswith(kind))
    return {name_key(name): name for name in (*checked, *others)}


_MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec"
_DATE = re.compile(
    r"(?P<month>[A-Za-z]{3,9})\.? (?P<day>\d{1,2}),? (?P<year>\d{4})|(?P<iso_year>\d{4})-(?P<iso_month>\d\d)-(?P<iso_day>\d\d)"
)


def taboo_called(named: str, facts: ArkhamFacts) -> int | None:
    """Return the number of the taboo list that `named` means: a number, a date (`Feb 19, 2026`), `latest`, or `none`
    (0).

    A number is returned even if no such list exists. For any other text, the result is None.
    """
    word = named.strip().casefold()
    if word in ("latest", "none"):
        return list(facts.taboos)[-1] if word == "latest" and facts.taboos else 0
    if dated := _DATE.search(named):
        month = _MONTHS.find(dated["month"][:3].casefold()) // 3 + 1 if dated["month"] else int(dated["iso_month"])
        start = f"{dated['year'] or dated['iso_year']}-{month:02}-{int(dated['day'] or dated['iso_day']):02}"
        return next((number for number, each in facts.taboos.items() if each.start == start), None)
    return whole(word)


def _known(
    names: Iterable[str] | None, known: Mapping[str, str], what: str, titled: Mapping[str, Cycle | Pack] = NOTHING
) -> Iterator[str]:
    """Yield the code of each name in `names`. An item of `names` may be several names separated by commas. `known`
    maps normalized names to codes.

    Raises AgreementError for an unknown name; its message contains `what` and the titles in `titled`.
    """
    for name in names or ():
        for part in filter(None, (part.strip() for part in name.split(","))):
            if name_key(part) not in known:
                titles = (getattr(titled.get(code), "name", name) for name, code in known.items())
                raise AgreementError(f"Unknown {what} {part!r}.{did_you_mean(part, dict.fromkeys(titles))}")
            yield known[name_key(part)]
