"""Real inputs, small, that the fuzzing spoils."""

from __future__ import annotations

from typing import Any

from kb.games.luxor import position as luxor
from kb.games.tainted_grail.decks import sheet as tainted_grail

ARKHAM_TEXT = """\
# Daisy
Investigator: Daisy Walker
Taboo: latest
2x Knife
1x Emergency Cache
2 Old Book of Lore (3)
Deduction x2
01060 x2
Side:
1x Shrivelling
"""
PATHFINDER = """\
game: mm
character: Estra
role: Soul Warden
skill feats: {strength: 1, constitution: 1}
power feats: 2
card feats: {ally: 1}
adventure: 2
after_scenario: The Gilded Mask
cards:
  - Dagger
  - Dagger x2
  - {name: Sleep, count: 2}
  - Blessing of the Gods x5
"""
ARKHAM_JSON = {
    "id": 17, "name": "Mine", "investigator_code": "01001", "investigator_name": "Roland Banks", "taboo_id": 5, "xp": 5,
    "xp_spent": 2, "xp_adjustment": "1", "exile_string": "01016,01017", "previous_deck": 16, "next_deck": None,
    "slots": {"01006": 1, "01007": 1, "01016": 2, "01017": 2, "02186": 3, "09021": 2, "98005": 1},
    "sideSlots": {"01086": 2}, "ignoreDeckLimitSlots": {"01016": 1}, "tags": "solo", "problem": None, "source": "arkhamdb",
    "meta": {
        "deck_size_selected": "30", "option_selected": "a", "faction_selected": "rogue", "alternate_front": "90024", "alternate_back": "90024",
        "extra_deck": "90025,90026", "cus_09021": "0|1,4|2|willpower", "attachments_09077": "01016,01017", "card_pool": "core,dwl",
        "sealed_deck": "01016:2", "transform_into": "06283", "hidden_slots": {"01016": 1},
    },
}  # fmt: skip


def example(module: Any) -> str:
    """The example in the documentation of a file format."""
    lines = (module.__doc__ or "").splitlines()
    return "\n".join(line.removeprefix("    ") for line in lines if line.startswith("    "))


SHEET, POSITION = example(tainted_grail), example(luxor)

CAMPAIGNS = (
    """\
=== campaign.yaml
game: pathfinder
set: rotr
players: {Kyra: Ada, Ezren: Ben}
decks:
  Kyra: decks/00-kyra.yaml
  Ezren: [Detect Magic, 3x Force Missile, Invisibility, Levitate, 2x Lightning Touch, Sleep, Blast Stone, Codex, Night Watch, Sage, Guard]
=== decks/00-kyra.yaml
game: pathfinder
set: rotr
character: Kyra
cards: [2x Mace, Quarterstaff, 3x Cure, Chain Mail, Wooden Shield, Holy Water, Guard, 6x Blessing of the Gods]
=== 01-attack.yaml
scenario: Attack on Sandpoint
won: yes
date: 2026-11-01
gained: {Ezren: [Amulet of Life]}
rewards: [Bracers of Protection]
feats: {Kyra: {skill: Wisdom}, Ezren: {skill: Intelligence}}
=== 02-local-heroes.yaml
scenario: Local Heroes
won: no
banished: {Kyra: [Cure]}
died: [Ezren]
joined: {Lini: {cards: [Cure]}}
notes: a line
""",
    """\
=== campaign.yaml
game: arkham
campaign: The Dunwich Legacy
taboo: latest
owned: [core, dwl]
decks: {Roland: decks/00-roland.yaml}
=== decks/00-roland.yaml
game: arkham
investigator: Roland Banks
cards: {Roland's .38 Special (01006): 1, Cover Up: 1, Haunted: 1, .45 Automatic: 2, Machete: 2, Beat Cop: 2, Guard Dog: 1, Knife: 2}
=== decks/01-roland.yaml
game: arkham
investigator: Roland Banks
cards: {Roland's .38 Special (01006): 1, Cover Up: 1, Haunted: 1, .45 Automatic: 2, Machete: 2, Beat Cop: 1, Beat Cop (2): 1, Knife: 2}
=== 01-activity.yaml
scenario: Extracurricular Activity
resolution: R1
experience: 3
earned: {Roland: [Dr. Henry Armitage]}
exiled: {Roland: [Flare]}
decks: {Roland: decks/01-roland.yaml}
=== 02-curse.yaml
scenario: Curse of the Rougarou
side_story: yes
cost: 1
experience: {Roland: 2}
defeated: {Roland: horror}
trauma: {Roland: {physical: 1, mental: 1}}
killed: [Roland]
""",
    """\
=== campaign.yaml
game: tainted-grail
mode: story
decks: {Beor: decks/00-beor.yaml}
=== decks/00-beor.yaml
game: tainted-grail
character: Beor
experience_spent: 6
starting_attributes: {aggression: 2, courage: 1}
attributes: {aggression: 2, courage: 2}
resources: {food: 4, wealth: 5, experience: 6}
combat: {gained: [16]}
diplomacy: 1-15
=== 01-chapter.yaml
chapter: 1
day: 9
menhirs: {101: 2, 104: 6}
activated: [101]
experience: {Beor: 12}
statuses: [a, b 2]
positions: {Beor: 101}
=== 02-chapter.yaml
chapter: 2
day: 12
menhirs: {101: 2, 104: 3}
lost: [3]
dials: {x: 2}
""",
)
"""Folders of campaigns: a line `=== NAME` before each file."""

ENTRY = """\
---
title: Castling
kind: rule
source: {doc: book, page: 3, url: "https://a.example/x"}
covers: [ch.castling]
asked:
  You cannot castle out of check:
    - may the king swap
    - when may I not castle
aliases: [rochade, "1"]
see: [rulings/one]
date: "2019-05-05"
history:
  - {until: edition 2, text: "older words"}
formerly: [chess/old]
spoiler: The End
---
Move the king. You cannot castle out of check. See [[rulings/one|the first]] and *[[rulings/two]]*.

## Part {#part}

!!! note "Clarified"

    - one
    - two

| a | b |
|---|---|
| 1 | [[castling#part]] |
"""
LIST = """\
title: Rulings
kind: ruling
source: {doc: book}
entries:
  - id: one
    title: One
    body: |
      Text of one. See [[chess/castling]].
    covers: [ch.fork]
  - {id: two, title: Two, body: Text of two, authority: designer, date: "2020-01-01"}
"""
OUTLINE = "id\ttitle\tkind\tsection\tpage\nch.castling\tCastling\trule\tMoves\t3\nch.fork\tFork\tterm\tTactics\t\n"
SMALL = {
    "game.yaml": "title: Chess\ncalled: {chess: [game of kings]}\n",
    "sources.yaml": "- {id: book, title: Book of Chess, short: Book, outline: outline.tsv, url: 'https://a.example'}\n",
    "synonyms.yaml": "- [castling, hide the king]\n- [fork, double attack]\n",
    "outline.tsv": OUTLINE,
    "castling.md": ENTRY,
    "rulings.yaml": LIST,
}

KNIFE = {
    "code": "97001", "name": "Knife", "type_code": "asset", "faction_code": "neutral", "pack_code": "tst", "position": 1, "quantity": 2,
    "deck_limit": 2, "xp": 0, "cost": 1, "traits": "Item. Weapon.", "slot": "Hand x2. Arcane", "skill_combat": 1, "tags": "hd.hh.",
    "restrictions": "trait:civic, investigator:97002",
    "customization_options": [{"xp": 1, "choice": "choose_card", "card": {"type": ["asset"]}}],
    "bonded_to": "x", "bonded_count": 1, "text": "Uses (3 charges).",
}  # fmt: skip
HERO = {
    "code": "97002", "name": "Hero", "type_code": "investigator", "faction_code": "seeker", "pack_code": "tst", "position": 2, "quantity": 1,
    "deck_requirements": "size:30, card:97001, random:subtype:basicweakness",
    "deck_options": [
        {"faction": ["seeker"], "level": {"min": 0, "max": 5}}, {"trait": ["x"], "limit": 5}, {"deck_size_select": ["30", "40"]},
        {"faction_select": ["rogue"], "level": {"min": 0, "max": 1}}, {"option_select": [{"id": "a", "name": "A", "trait": ["b"], "size": 5}]},
        {"faction": ["rogue"], "atleast": {"factions": 3, "min": 7}},
    ],
    "side_deck_requirements": "size:10", "side_deck_options": [{"type": ["asset"]}], "back_text": "Deckbuilding Options: other",
}  # fmt: skip
FOLDER = {
    "pack/tst.json": [KNIFE, HERO, {"code": "97003", "duplicate_of": "97001", "pack_code": "tst"}],
    "packs.json": [{"code": "tst", "name": "Test", "cycle_code": "tst", "position": 1, "reprint_packs": ["tst"], "reprint_type": "player"}],
    "cycles.json": [{"code": "tst", "name": "Tests", "position": 1}],
    "encounters.json": [{"code": "ghouls", "name": "Ghouls"}],
    "taboos.json": [
        {"code": "1", "id": 1, "date_start": "2020-01-01", "cards": [{"code": "97001", "xp": 1, "deck_limit": 0, "replacement_text": "x"}]},
        {"code": "2", "id": 2, "date_start": "2021-01-01", "cards": '[{"code": "97001", "exceptional": true}]'},
    ],
}  # fmt: skip

QUESTIONS = [
    "when can I close a location",
    "what happens when my deck runs out",
    '"attack of opportunity" rotr',
    "blesng of teh gods",
    "level:3",
]
QUERIES = [
    'type:weapon set:mm deck<=2 -trait:basic (owner:estra or is:loot) name:"flame staff"',
    "t:spell or (xp>=3 -is:unique)",
    "a",
]
CARDS = [
    {"id": "a/b", "game": "arkham", "set": "core", "name": "Knife", "type": "asset", "traits": ["Item"], "level": 0, "cost": "X"},
    {"id": "c/d", "game": "pathfinder", "set": "mm", "name": "Flame Staff", "type": "weapon", "traits": None, "deck": "B"},
]  # fmt: skip
CURRENT = {
    "folder": "build-x", "fingerprint": "a", "hash": "b", "built": "2026-01-01T00:00:00", "version": "0.1.0", "seen": 1,
    "sums": {"a": 1},
}  # fmt: skip
