"""Decks by the million: read from files, judged by the processes of Dask, written as verdicts, counted."""
