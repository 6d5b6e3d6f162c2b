"""The Pathfinder Adventure Card Game: loads its cards, checks decks and campaigns, and builds its site pages."""
