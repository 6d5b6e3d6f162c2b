"""The user's own rulebooks and card tables: read from a file, checked, and kept on this machine."""
