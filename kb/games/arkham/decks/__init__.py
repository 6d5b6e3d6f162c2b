"""Arkham Horror decks: The Card Game."""
