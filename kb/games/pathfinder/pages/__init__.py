"""Pages of the site that only Pathfinder has, and the page of a Pathfinder deck."""
