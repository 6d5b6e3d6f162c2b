"""kb as a plugin of MkDocs, for sites with the theme Material for MkDocs."""
