"""The deck checker on the site: kb's own Python code, which runs in the reader's browser."""
