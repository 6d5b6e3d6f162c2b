"""Decks by the million: read from files and databases, judged in many processes, written as verdicts, counted."""
