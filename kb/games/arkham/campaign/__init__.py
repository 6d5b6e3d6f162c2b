"""Arkham Horror campaigns: scenario by scenario, with the decks of every investigator."""
