"""Tainted Grail campaigns: a series of save sheets with character sheets."""
