"""The games: one room each. `kb.registry` knows which there are."""
