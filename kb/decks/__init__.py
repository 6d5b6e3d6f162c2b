"""The framework of deck checks: deck files, rulesets, findings and reports; the rules themselves are in kb/games."""
