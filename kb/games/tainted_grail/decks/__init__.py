"""Reads and checks character sheets of Tainted Grail, prices their advancement, and shows them as a form."""
