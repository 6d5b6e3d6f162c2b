"""Campaigns: a folder of plain files - how it begins, and each game played - replayed by the rules of its game."""
