"""Arkham Horror: The Card Game: records, decks, pages, imports and commands of its own."""
