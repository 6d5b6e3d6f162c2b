"""Tainted Grail: The Fall of Avalon: character sheets, their checks, and the cost of advancement."""
