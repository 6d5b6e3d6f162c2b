"""The board game Luxor: reads the final position of a game and scores it."""
