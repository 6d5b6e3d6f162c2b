"""Deck rules of the Pathfinder Adventure Card Game, sets `rotr` and `mm`."""
