"""ArkhamDB's card data, imported into the facts in the repository or into a user's own data folder."""
