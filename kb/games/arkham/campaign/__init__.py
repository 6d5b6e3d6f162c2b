"""Arkham Horror campaigns: games recorded scenario by scenario, with the decks of every investigator."""
