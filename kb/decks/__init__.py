"""Deck rules of every game: pure checks that cite the rule they enforce."""
