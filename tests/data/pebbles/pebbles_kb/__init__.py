"""Pebbles: an invented game of stones in a pouch, in a package outside kb."""
