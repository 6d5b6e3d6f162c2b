"""Checks the decks of a Pathfinder party together, and rebuilds them between two scenarios."""
