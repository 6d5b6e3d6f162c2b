"""The records of `cards/arkham/`: one typed description that the loader, the catalog, the deck rules and the pages
share.
"""
