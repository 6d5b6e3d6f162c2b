"""Pages of single decks: one file each, to keep, print or share."""
