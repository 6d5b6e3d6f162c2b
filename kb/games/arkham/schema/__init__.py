"""The records of `cards/arkham/`: one typed description that loader, catalog, deck rules and pages share."""
