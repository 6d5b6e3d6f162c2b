"""Luxor: final positions and their score."""
