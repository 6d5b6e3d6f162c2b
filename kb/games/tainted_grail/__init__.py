"""Tainted Grail: The Fall of Avalon: character sheets, their page and their command."""
