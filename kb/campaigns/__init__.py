"""Campaigns: a campaign is a folder with a file for its beginning and a file for each game. kb replays it by the rules."""
