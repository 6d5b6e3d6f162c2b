"""The user's own rulebooks: read from a file that they have, cut into passages, kept on this machine."""
