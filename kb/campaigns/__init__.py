"""Campaigns: a campaign is a folder with a file for its beginning and for each game, which kb replays by the rules."""
