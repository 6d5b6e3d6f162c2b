"""kb's version, for modules that must not import the rest of kb."""

__version__ = "0.2.0.dev0"
