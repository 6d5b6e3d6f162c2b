"""Arkham Horror: The Card Game: its records, decks, pages, imports and commands."""
