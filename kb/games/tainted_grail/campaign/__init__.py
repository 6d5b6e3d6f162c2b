"""Tainted Grail campaigns. A campaign is a series of save sheets, each with the players' character sheets."""
