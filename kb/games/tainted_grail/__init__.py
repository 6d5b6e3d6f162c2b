"""Tainted Grail: The Fall of Avalon: character sheets, with their page and command."""
