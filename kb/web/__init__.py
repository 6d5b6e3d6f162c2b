"""Interfaces for programs: an HTTP service, and tools for AI assistants. Both call `kb.api` and keep no state."""
