"""The entries of the Arkham Grimoire that restate entries of FAQ 2.5, for the citations of deck checks."""

from __future__ import annotations

from kb.games.arkham.decks.agreement import BOONS, ENVIRONMENTS, ULTIMATUMS

RESTATED = {
    "glossary/deckbuilding": "deckbuilding/deckbuilding",
    "glossary/deckbuilding-options": "deckbuilding/deckbuilding",
    "rulings/1-15": "deckbuilding/advanced-deckbuilding-access",
    "rulings/1-16": "glossary/multi-class-cards",
    "rulings/1-18": "deckbuilding/legal-deck-size",
    "glossary/legal-deck-size": "deckbuilding/legal-deck-size",
    "rulings/1-20": "glossary/myriad",
    "rulings/1-36": "campaign/become-the-bearer-of",
    "rulings/1-37": "campaign/earning-and-spending-experience",
    "rulings/1-8": "campaign/purchasing-cards",
    "faq/removing-permanent-cards": "campaign/earning-and-spending-experience",
    "glossary/signature-cards": "deckbuilding/signature-cards",
    "glossary/story-assets": "campaign/story-assets",
    "glossary/basic-weakness": "deckbuilding/random-basic-weaknesses",
    "faq/searching-collection-basic-weakness": "deckbuilding/random-basic-weaknesses",
    "glossary/standalone-experience": "campaign/standalone-experience",
    "glossary/experience": "campaign/earning-and-spending-experience",
    "glossary/purchasing-cards": "campaign/purchasing-cards",
    "glossary/upgrading-cards": "campaign/upgrading-cards",
    "glossary/trauma": "campaign/trauma-death-and-insanity",
    "glossary/advancing-to-next-scenario": "campaign/advancing-to-next-scenario",
    "glossary/joining-or-leaving-a-campaign": "campaign/joining-or-leaving-a-campaign",
    "glossary/record-in-your-campaign-log": "campaign/record-in-your-campaign-log",
    "environments": "optional/environments",
    **{f"environments/{name}": f"optional/{name}" for name in (*ENVIRONMENTS, "parallels-promos-story-assets")},
    **{f"variants/ultimatums/{name}": f"optional/ultimatums/{name}" for name in ULTIMATUMS},
    **{f"variants/boons/{name}": f"optional/boons/{name}" for name in BOONS},
    **{
        f"variants/{name}": f"optional/{name}"
        for name in ("ultimatums/finality", "ultimatums/spiral", "boons/persephone")
    },
    **{
        same: same
        for same in (
            "glossary/bearer",
            "glossary/cardtypes",
            "glossary/collection",
            "glossary/exceptional",
            "glossary/exile",
            "glossary/investigator-deck",
            "glossary/killed-insane-investigators",
            "glossary/limits-and-maximums",
            "glossary/myriad",
            "glossary/permanent",
            "glossary/researched",
            "glossary/weakness",
            "setup/choose-investigators",
        )
    },
}
"""Entries of FAQ 2.5 that the checks cite, each with the entry of the Grimoire that restates it."""
