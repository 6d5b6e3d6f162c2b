"""The deck checker in the page: kb's own Python, started in the reader's browser."""
