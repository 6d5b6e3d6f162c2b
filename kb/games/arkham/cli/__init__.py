"""Commands that only Arkham Horror has."""
