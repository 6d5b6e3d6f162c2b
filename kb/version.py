"""The version of kb, for whatever needs it without kb's own library."""

__version__ = "0.2.0.dev0"
