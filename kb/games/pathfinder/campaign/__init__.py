"""Pathfinder campaigns: an Adventure Path replayed scenario by scenario."""
