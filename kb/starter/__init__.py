"""Begins a game of one's own: a folder with entries, cards, deck checks and tests that works at once."""
