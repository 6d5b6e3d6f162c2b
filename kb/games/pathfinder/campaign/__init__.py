"""Pathfinder campaigns: replays and checks a party's games on an Adventure Path, scenario by scenario."""
