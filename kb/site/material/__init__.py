"""kb as an MkDocs plugin, for sites with the theme Material for MkDocs."""
