"""Reads tables of cards that the user brings: own and promotional cards, class decks, and the copies that are owned."""
