"""Pages about decks: each is one HTML file to keep, print or share."""
