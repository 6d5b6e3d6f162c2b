"""One room per game: everything that only that game knows."""
