"""What each command prints with `--json`, by the types that describe it. A test walks the commands: none is left out.

`python -m kb.cli.printed site/using` writes the pages of the manual anew (`json*.md`); a test holds them to it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from kb.api.card_lists import CardsJson
from kb.api.comparing import ChangesJson, ComparisonJson
from kb.api.searching import AnswerJson, ResultsJson
from kb.api.showing import CardJson, EntryJson, ListJson, PassageJson
from kb.api.tables import pages
from kb.campaigns.shapes import CampaignCheckJson, CampaignWrittenJson, TimelineJson
from kb.catalog.called import ListedJson
from kb.cli.catalog import ContentCheckJson, DoctorJson
from kb.decks.contract import DeckViewJson, PartyJson, ReportJson
from kb.decks.pull import PullJson
from kb.decks.upgrades import PurchasePlanJson, UpgradeChainJson, UpgradeStepJson
from kb.export.shapes import IndexFileJson
from kb.judge.stats import JudgedJson, StatsJson
from kb.personal.cards import CardListJson, TakenCardsJson
from kb.personal.rulebooks import RulebookJson, TakenRulebookJson
from kb.registry import games, module

PRINTED: dict[str, tuple[Any, ...]] = {
    "search": (ResultsJson,),
    "ask": (AnswerJson,),
    "show": (EntryJson, CardJson, ListJson, PassageJson),
    "compare": (ComparisonJson, ChangesJson),
    "cards": (CardsJson,),
    "characters": (list[ListedJson],),
    "scenarios": (list[ListedJson],),
    "deck check": (list[ReportJson],),
    "deck show": (list[DeckViewJson],),
    "deck pull": (PullJson,),
    "deck upgrade": (UpgradeStepJson, UpgradeChainJson),
    "deck plan": (PurchasePlanJson,),
    "deck judge": (JudgedJson,),
    "deck stats": (StatsJson,),
    "deck party": (PartyJson,),
    "party check": (PartyJson,),
    "campaign new": (CampaignWrittenJson,),
    "campaign record": (CampaignWrittenJson,),
    "campaign check": (CampaignCheckJson,),
    "campaign show": (TimelineJson,),
    "doctor": (DoctorJson, ContentCheckJson),
    "import rulebook": (TakenRulebookJson, list[RulebookJson]),
    "import cards": (TakenCardsJson, list[CardListJson]),
    "export": (IndexFileJson,),
}
"""What kb's own commands print of every game; what they print of one game, and the commands of a game, say `prints` in its `game.yaml`."""


def printed(foreign: bool = True) -> dict[str, tuple[Any, ...]]:
    """The types of what each command prints with `--json`; without `foreign` only of kb's own games."""
    found = dict(PRINTED)
    for about in games().values():
        for command, places in about.prints.items() if foreign or not about.foreign else ():
            for place in places:
                name, _, shape = place.partition(":")
                found[command] = (*found.get(command, ()), getattr(module(about, name), shape))
    return found


if __name__ == "__main__":
    for name, text in pages(printed(foreign=False)).items():
        Path(sys.argv[1], f"{name}.md").write_text(text, encoding="utf-8")
