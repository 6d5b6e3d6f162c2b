"""Pebbles, an invented game of stones in a pouch. Tests use it as a game in a package outside kb."""
