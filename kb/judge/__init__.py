"""Decks by the million: read from files, judged by one process, by several or by a Dask cluster, written as verdicts, counted."""
