"""Reads and checks decks of the Pathfinder Adventure Card Game. It knows the sets `rotr` and `mm`."""
