"""The board game Tainted Grail: The Fall of Avalon. Checks its character sheets and campaigns."""
