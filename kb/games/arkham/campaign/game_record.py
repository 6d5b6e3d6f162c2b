"""The keys of a campaign's files: the file that sets up the campaign, and the record of one game."""

from __future__ import annotations

from collections.abc import Mapping

from kb.campaigns.reader import GameRecord
from kb.decks.file_keys import Key, key
from kb.frozen import frozen
from kb.games.arkham.decks.agreement import NamedDeck

MOST_EXPERIENCE = 99

OUT, JOINING = "killed-insane-investigators", "joining-or-leaving-a-campaign"


SETUP = (
    Key("campaign", "The Dunwich Legacy", "the name of the campaign's cycle"),
    Key("difficulty", "standard", "the difficulty, for your own record"),
    Key("taboo", "8", "the taboo list by number, for all decks"),
    Key("owned", "[core, dwl]", "products owned, by code or name: copies are counted over all decks"),
    Key("environment", "current", "the environment: current, limited or legacy", ("current", "limited", "legacy")),
    Key("expansions", "[The Dunwich Legacy]", "expansions in the limited environment"),
    Key("ultimatums", "[chaos]", "ultimatums in force"),
    Key("boons", "[ancients]", "boons in force", note="kb adds the 3 experience that Persephone gives for a defeat"),
    Key("decks", "{Roland: decks/roland.json}", "each investigator's starting deck: keys, or a file in this folder"),
)


@frozen
class ArkhamGame(GameRecord):
    """The record of one game, as a file gives it.

    Mappings have a key for each investigator, by name. Cards are given by code.
    """

    scenario: str = key(
        "text", "The Miskatonic Museum", "the scenario", str, needs="Which scenario was played? Write `scenario: NAME`."
    )
    resolution: str = key("text", "R1", "how the scenario ended", str)
    experience: Mapping[str, int] = key(
        "experience",
        "3",
        "experience that each investigator earned; or {Roland: 3, Daisy: 4}",
        dict,
        most=MOST_EXPERIENCE,
        tells="earns {} experience",
        cite="experience",
    )
    side_story: bool = key("flag", "yes", "yes if this is a side story", bool)
    cost: int | None = key(
        "number",
        "3",
        "experience that each investigator paid to play the side story",
        most=MOST_EXPERIENCE,
        tells="each pays {} experience for the side story",
        cite="experience",
    )
    defeated: Mapping[str, str] = key(
        "defeated",
        "{Roland: damage}",
        "who was defeated, by damage or horror",
        dict,
        tells="is defeated by {}",
        cite="trauma",
    )
    trauma: Mapping[str, Mapping[str, int]] = key(
        "trauma",
        "{Roland: {physical: 1}}",
        "trauma suffered in this game, physical or mental (kb counts the trauma from purchases)",
        dict,
        tells="suffers {} trauma",
        cite="trauma",
    )
    killed: tuple[str, ...] = key("names", "[Roland]", "who was killed", tuple, tells="is killed", cite=OUT)
    insane: tuple[str, ...] = key(
        "names", "[Daisy]", "who was driven insane", tuple, tells="is driven insane", cite=OUT
    )
    earned: Mapping[str, tuple[str, ...]] = key(
        "cards",
        "{Roland: [Dr. Henry Armitage]}",
        "story assets and weaknesses gained",
        dict,
        tells="earns {}",
        cite="story-assets",
    )
    lost: Mapping[str, tuple[str, ...]] = key(
        "cards",
        "{Roland: [Dr. Henry Armitage]}",
        "cards that the campaign removed from the deck",
        dict,
        tells="loses {}",
        cite="story-assets",
    )
    exiled: Mapping[str, tuple[str, ...]] = key(
        "cards", "{Roland: [Flare]}", "cards that were exiled", dict, tells="exiles {}", cite="exile"
    )
    left: tuple[str, ...] = key("names", "[Daisy]", "who leaves the campaign", tuple, tells="leaves", cite=JOINING)
    joined: tuple[str, ...] = key(
        "names", "[Wendy]", "who joins or returns for the next game", tuple, tells="joins", cite=JOINING
    )
    decks: Mapping[str, NamedDeck] = key(
        "decks", "{Roland: decks/roland-2.json}", "the decks after upgrades: keys, or files in this folder", dict
    )
    log: tuple[str, ...] = key(
        "words",
        "[Dr. Armitage was kidnapped]",
        "what was recorded in the campaign log",
        tuple,
        tells="log: {}",
        cite="record-in-your-campaign-log",
    )
