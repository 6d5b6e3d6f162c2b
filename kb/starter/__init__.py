"""Create a new game: a working folder with entries, cards, deck checks and tests."""
