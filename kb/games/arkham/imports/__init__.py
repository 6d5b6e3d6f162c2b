"""Imports ArkhamDB's card data, into the facts in the repository or into a user's own data folder."""
