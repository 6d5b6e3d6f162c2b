"""Reads and checks decks of the Pathfinder Adventure Card Game. This package knows the sets `rotr` and `mm`."""
