"""Pathfinder Adventure Card Game: its records, decks and pages."""
