"""Pebbles: an invented game of stones in a pouch, brought to kb by a package of its own."""
