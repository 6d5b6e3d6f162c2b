"""Decks of Arkham Horror: The Card Game."""
