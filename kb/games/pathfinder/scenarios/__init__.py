"""Scenarios, locations and banes of the Pathfinder Adventure Card Game: records, set-ups, and the odds of checks."""
