"""What a Content-Security-Policy calls a script by that stands in its page."""

from __future__ import annotations

import base64
import hashlib


def digest(text: str) -> str:
    """The base64 of a script's SHA-256, as the policy wants it after `sha256-`."""
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
