"""The registry of checks of Arkham Horror decks, and the entries that state their rules."""

from __future__ import annotations

from kb.decks.ruleset import Ruleset
from kb.games.arkham.decks.tally import Tally

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
TABOO = "arkham/taboo"
ENVIRONMENTS = "arkham/environments"
ULTIMATUMS = "arkham/variants/ultimatums"
BOONS = "arkham/variants/boons"
EXPERIENCE = "arkham/glossary/experience"
PURCHASING = "arkham/glossary/purchasing-cards"
TRAUMA = "arkham/glossary/trauma"
