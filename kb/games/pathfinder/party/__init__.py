"""The decks of one Pathfinder party together: the rebuild between two scenarios, and checks across all decks."""
