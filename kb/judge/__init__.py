"""Checks millions of decks: reads them from files, judges them in one process, several, or a Dask cluster, and writes
and counts the verdicts.
"""
