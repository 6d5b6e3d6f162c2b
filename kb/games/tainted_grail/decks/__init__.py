"""Tainted Grail: The Fall of Avalon: character sheets, their checks, and what advancing costs."""
