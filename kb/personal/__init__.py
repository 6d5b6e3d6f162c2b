"""The user's own rulebooks and tables of cards: read from a file, checked, and stored on this machine."""
