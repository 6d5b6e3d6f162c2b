"""kb: rules reference and deck checker for adventure card games."""

__version__ = "0.1.0"
