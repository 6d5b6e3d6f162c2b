"""The step between two scenarios: what changed, what it costs at least, whether it was legal."""
