"""What records that Pydantic reads have in common: the user's own rulebooks and lists, of which most users have none."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Strict(BaseModel):
    """A record of a file: unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)
