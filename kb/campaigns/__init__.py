"""Campaigns: a folder of plain files (the beginning, and each game played), replayed by the rules of its game."""
