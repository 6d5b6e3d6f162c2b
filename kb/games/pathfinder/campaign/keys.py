"""The keys of a Pathfinder campaign's files."""

from __future__ import annotations

from kb.campaigns.model import Key

HEAD = (
    Key("set", "rotr", "rotr or mm"),
    Key("start", "1", "the adventure with which the records begin: B or 1 to 6"),
    Key("owns", "[base, add-on, 1]", "products in the box; left out: all of them"),
    Key("decks", "{Kyra: decks/kyra.yaml}", "each character's deck as the campaign begins: cards, or a file of this folder"),
    Key("feats", "{Kyra: {skill: [Wisdom]}}", "feats that the characters bring along, where records begin later"),
    Key("role", "{Kyra: Exorcist}", "roles that they bring along"),
)  # fmt: skip
GAME = (
    Key("scenario", "Attack on Sandpoint", "the scenario by its name, or as 1.1"),
    Key("won", "yes", "yes or no"),
    Key("gained", "{Kyra: [Sage, 2x Cure]}", "boons that somebody acquired and did not lose again"),
    Key("rewards", "[Sihedron Medallion]", "cards that the reward gave"),
    Key("feats", "{Kyra: {skill: Wisdom, card: spell}}", "what each chose for the feats of the reward"),
    Key("role", "{Kyra: Exorcist}", "the side of the role card"),
    Key("deck_adjustments", "{Kyra: {item: 1}}", "what the role card changes in the Cards List"),
    Key("banished", "{Kyra: [Cure]}", "cards that went back into the box"),
    Key("removed", "[Caltrops]", "cards that were removed from the game"),
    Key("traders", "{Kyra: {trader: Falsin Deek, paid: [Mace], took: Dart}}", "who visited which trader, and traded what"),
    Key("died", "[Lem]", "who is dead for good"),
    Key("left", "[Lem]", "who does not go on with the party; the deck goes back into the box"),
    Key("joined", "[Harsk]", "who begins, or comes back, for the next game"),
    Key("decks", "{Kyra: [2x Mace, Cure]}", "the rebuilt decks: cards, {cards: […], from_box: […]}, or a file of this folder"),
)  # fmt: skip
