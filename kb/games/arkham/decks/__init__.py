"""Decks for Arkham Horror: The Card Game."""
