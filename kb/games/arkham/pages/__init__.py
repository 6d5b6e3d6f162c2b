"""Pages that the site has only for Arkham Horror, and the page of an Arkham Horror deck."""
