"""The registries of checks of Arkham Horror: of a deck, and of a step between two scenarios; and the entries that state their rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb.decks.ruleset import Ruleset
from kb.games.arkham.decks.tally import Tally

if TYPE_CHECKING:
    from kb.games.arkham.decks.upgrade.changes import Changes
    from kb.games.arkham.decks.upgrade.plan import Plan

ARKHAM: Ruleset[Tally] = Ruleset("arkham", "Arkham Horror: The Card Game")

DECKBUILDING = "arkham/glossary/deckbuilding"
OPTIONS = "arkham/glossary/deckbuilding-options"
OPTIONS_RULING = "arkham/rulings/1-15"
MULTI_CLASS = "arkham/rulings/1-16"
DECK_SIZE_RULING = "arkham/rulings/1-18"
MYRIAD_RULING = "arkham/rulings/1-20"
WEAKNESS_RULING = "arkham/rulings/1-35"
SCENARIO_RULING = "arkham/rulings/1-36"
PURCHASE_RULING = "arkham/rulings/1-37"
LIMITS = "arkham/glossary/limits-and-maximums"
EXCEPTIONAL = "arkham/glossary/exceptional"
MYRIAD = "arkham/glossary/myriad"
PERMANENT = "arkham/glossary/permanent"
CUSTOMIZABLE = "arkham/glossary/customizable"
QUILL = "arkham/faq/the-raven-quill-deckbuilding-access"
BONDED = "arkham/glossary/bonded"
RESEARCHED = "arkham/glossary/researched"
SIGNATURES = "arkham/glossary/signature-cards"
STORY_ASSETS = "arkham/glossary/story-assets"
WEAKNESS = "arkham/glossary/weakness"
BASIC_WEAKNESS = "arkham/glossary/basic-weakness"
WEAKNESS_POOL = "arkham/faq/searching-collection-basic-weakness"
REPLACED_WEAKNESS = "arkham/faq/dark-pact-weakness-pool"
HUNCH_DECK = "arkham/glossary/joes-hunch-deck"
CARDTYPES = "arkham/glossary/cardtypes"
INVESTIGATOR_DECK = "arkham/glossary/investigator-deck"
TRANSFIGURED = "arkham/faq/transfiguration-signature-cards"
STANDALONE = "arkham/glossary/standalone-experience"
BONUS = "arkham/rulings/edge-of-the-earth/in-the-thick-of-it-standalone"
TABOO = "arkham/taboo"
REPRINTS = "arkham/grimoire/reprints/modified-reprints"
REWARDS = "arkham/grimoire/campaign/reward-cards"
ENVIRONMENTS = "arkham/environments"
ULTIMATUMS = "arkham/variants/ultimatums"
BOONS = "arkham/variants/boons"
EXPERIENCE = "arkham/glossary/experience"
PURCHASING = "arkham/glossary/purchasing-cards"
TRAUMA = "arkham/glossary/trauma"
UPGRADING = "arkham/glossary/upgrading-cards"
EXILE = "arkham/glossary/exile"
LEGAL_SIZE = "arkham/glossary/legal-deck-size"
NOT_REMOVED = "arkham/faq/removing-permanent-cards"
AGAIN_CUSTOMIZABLE = "arkham/faq/repurchasing-exiled-customizable"
RABBIT_HOLE_REFILL = "arkham/faq/down-the-rabbit-hole-level-0"
LAST_COPY_EXILED = "arkham/faq/exiling-last-customizable-copy"
SAME_LEVEL = "arkham/faq/on-your-own-exceptional-upgrade"
LEVEL_0_RULING = "arkham/rulings/1-8"


@dataclass(frozen=True, slots=True)
class Step:
    """What the checks of a step look at. available: experience to spend, None when nothing says how much.

    earned: what was earned before the step, where that was said apart; carried: what was left of the step before.
    """

    changes: Changes
    plan: Plan
    available: int | None = None
    earned: int | None = None
    carried: int = 0


UPGRADE: Ruleset[Step] = Ruleset("arkham", "Arkham Horror: The Card Game, between two scenarios")
