"""The upgrade between two scenarios: the changes, their least cost, and whether they are legal."""
