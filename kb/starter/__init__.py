"""Create a new game: a folder with entries, cards, deck checks and tests that works at once."""
