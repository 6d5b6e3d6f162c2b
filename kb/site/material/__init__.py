"""kb as a plugin of MkDocs, on Material for MkDocs."""
