"""Exports all of kb's data as files for other programs: JSON with its schema, a SQLite database, and the changes since
an older export.
"""
