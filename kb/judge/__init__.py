"""Check the decks of large archives, with up to millions of decks.

The decks are read from files and judged in one process, in several, or on a Dask cluster. The verdicts are written to a
file and counted.
"""
