"""What the decks of one Pathfinder table share: the rebuild between two scenarios, and checks over all decks."""
