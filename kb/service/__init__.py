"""The windows for programs. They call kb.api and keep no state."""
