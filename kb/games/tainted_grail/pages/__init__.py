"""The page of a Tainted Grail character sheet."""
