"""Scenarios, locations and banes of the Pathfinder Adventure Card Game: their records, and how a table sets up a scenario."""
