"""Questions for what something is: "what does hunter mean" asks for what is called so, however often its other words stand elsewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

# How such questions begin and end, and how they only end, in folded words ("what's" is "what"); what stands between is the name.
FRAMES = (
    "(?:whats?(?: is| are| does| do)?|how (?:does|do)|explain|define|definition of|meaning of|tell me about)"
    "(?: an?| the)? (.+?)(?: (?:means?|works?|do|does|again))*",
    "(?:an? |the )?(.+?) (?:meaning|definition|explained)",
)
LONGEST = 80
# How names end in one number and, instead, in the other; the first that fits holds.
ENDS = (("ies", "y"), ("s", ""), ("y", "ies"), ("", "s"))
_FRAMES = [re.compile(frame) for frame in FRAMES]


def names_meant(typed: str) -> Sequence[str]:
    """The names of which a question, in folded words, asks the meaning: as they are, and in the other of singular and plural.

    None where it asks otherwise. Whether anything is called so is for the index to say.
    """
    if len(typed) > LONGEST:
        return ()
    found = next((found[1] for frame in _FRAMES if (found := frame.fullmatch(typed))), "")
    return (found, other_number(found)) if found else ()


def other_number(name: str) -> str:
    """The plural of a name, or its singular where it ends as plurals do."""
    return next(f"{name[: len(name) - len(end)]}{instead}" for end, instead in ENDS if name.endswith(end))


def tables() -> Mapping[str, Any]:
    """The figures of this module, as the page's search reads them."""
    return {"frames": FRAMES, "longest": LONGEST, "ends": ENDS}
