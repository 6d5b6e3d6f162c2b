"""The group's agreements: standalone or campaign, environment, products, ultimatums and boons."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, cast, get_args

from kb.decks.names import did_you_mean, name_key
from kb.decks.nodes import whole
from kb.errors import KbError
from kb.frozen import frozen
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.schema.cards import Cycle, Pack
from kb.records import NOTHING

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

BOONS = {"ancients": "Boon of the Ancients", "morrigan": "Boon of the Morrígan"}
"""Names of the ultimatums and boons that kb checks, as options, with their titles."""
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
"""Names of the ultimatums and boons that do not concern decks, as options, with their titles."""


@frozen
class Agreement:
    """The group's agreements, in addition to the rules that always apply.

    standalone: a single scenario; experience is paid with additional weaknesses. start: the deck that begins a campaign
    (only the experience given at the start is available). environment: the products that may be used; `expansion` are
    the cycles chosen for the limited environment. products: codes of the packs owned, once for each copy; empty if
    unknown. ultimatums, boons: the ones in force.
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
    """A deck with the name of its file, and the group's agreements for its check."""

    file: str
    deck: ArkhamDeck
    agreement: Agreement = CAMPAIGN


class AgreementError(KbError, ValueError):
    """An option of a deck check does not apply. The message is written for users."""


def agreement_of(options: Mapping[str, Any], facts: ArkhamFacts) -> Agreement:
    """Return what the group agreed on, from the options `standalone`, `start`, `environment`, `expansion`, `owned`, `ultimatum`, `boon`.

    Products and expansions may be given by code or by name. Raises AgreementError.
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
    """Return the option names of ultimatums or boons: those in `checked`, and the unchecked ones of that kind."""
    others = (name for name, title in UNCHECKED.items() if title.startswith(kind))
    return {name_key(name): name for name in (*checked, *others)}


_MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec"
_DATE = re.compile(
    r"(?P<month>[A-Za-z]{3,9})\.? (?P<day>\d{1,2}),? (?P<year>\d{4})|(?P<iso_year>\d{4})-(?P<iso_month>\d\d)-(?P<iso_day>\d\d)"
)


def taboo_called(named: str, facts: ArkhamFacts) -> int | None:
    """Return the number of a taboo list given by its number, by its date (`Feb 19, 2026`), or as `latest` or `none`
    (0).

    A number is returned even if no such list exists; the result is None for any other text.
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
    """Yield the codes for `names`, which may contain commas. `titled` provides titles by code for messages. Raises
    AgreementError.
    """
    for name in names or ():
        for part in filter(None, (part.strip() for part in name.split(","))):
            if name_key(part) not in known:
                titles = (getattr(titled.get(code), "name", name) for name, code in known.items())
                raise AgreementError(f"Unknown {what} {part!r}.{did_you_mean(part, dict.fromkeys(titles))}")
            yield known[name_key(part)]
