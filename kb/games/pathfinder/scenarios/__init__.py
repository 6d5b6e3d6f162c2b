"""Scenarios, locations and banes of the Pathfinder Adventure Card Game: their records, and the set-up of a scenario."""
