"""Upgrades of a deck between two scenarios: the changes, their lowest price, and checks that they are legal."""
