"""Tainted Grail campaigns: one save sheet after the other, with the character sheets."""
