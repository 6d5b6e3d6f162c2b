"""The deck checker in the page: kb's own Python code, running in the reader's browser."""
