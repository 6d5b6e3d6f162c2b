"""Everything that kb knows as files for other programs: JSON with its schema, a SQLite database, and what changed since."""
