"""Pathfinder Adventure Card Game: records, decks and pages of its own."""
