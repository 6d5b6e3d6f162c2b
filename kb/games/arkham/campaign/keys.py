"""The keys of the files of an Arkham Horror campaign."""

from __future__ import annotations

from kb.campaigns.model import Key

HEAD = (
    Key("campaign", "The Dunwich Legacy", "the campaign, by the name of its cycle"),
    Key("difficulty", "standard", "for you"),
    Key("taboo", "8", "the taboo list by number, for all decks"),
    Key("owned", "[core, dwl]", "products owned, by code or name: copies are counted over all decks"),
    Key("environment", "current", "current, limited or legacy; expansions: those of the limited one"),
    Key("expansions", "[The Dunwich Legacy]", "expansions of the limited environment"),
    Key("ultimatums", "[chaos]", "ultimatums in force"),
    Key("boons", "[ancients]", "boons in force"),
    Key("decks", "{Roland: decks/roland.json}", "each investigator's deck as the campaign begins: keys, or a file of this folder"),
)  # fmt: skip
GAME = (
    Key("scenario", "The Miskatonic Museum", "the scenario"),
    Key("resolution", "R1", "how it ended"),
    Key("experience", "3", "what each earned; or {Roland: 3, Daisy: 4}"),
    Key("side_story", "yes", "a side story, beside the campaign's own scenarios"),
    Key("cost", "3", "experience that each paid to play it"),
    Key("defeated", "{Roland: damage}", "who was defeated, by damage or horror"),
    Key("trauma", "{Roland: {physical: 1}}", "trauma suffered in this game, physical or mental"),
    Key("killed", "[Roland]", "who was killed"),
    Key("insane", "[Daisy]", "who was driven insane"),
    Key("earned", "{Roland: [Dr. Henry Armitage]}", "story assets and weaknesses that came into the deck"),
    Key("lost", "{Roland: [Dr. Henry Armitage]}", "cards that the campaign took out of the deck"),
    Key("exiled", "{Roland: [Flare]}", "cards that were exiled"),
    Key("left", "[Daisy]", "who does not go on"),
    Key("joined", "[Wendy]", "who begins, or comes back, for the next game"),
    Key("decks", "{Roland: decks/roland-2.json}", "the decks after upgrades: keys, or files of this folder"),
    Key("log", "[Dr. Armitage was kidnapped]", "what was recorded in the campaign log"),
)  # fmt: skip
TRAUMA = ("physical", "mental")
