"""Pages of the site that only Arkham Horror has, and the page of an Arkham Horror deck."""
