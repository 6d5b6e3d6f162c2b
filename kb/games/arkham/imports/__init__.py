"""Card data of ArkhamDB: into the facts that the repository ships, or into a user's own data folder."""
