"""Finds the scenario that a text names, such as `Brigandoom!`, `brigandoom` or `rotr B.1`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from kb.decks.names import did_you_mean, name_key

Scenario = Mapping[str, Any]
_PLACE = re.compile(r"(?:(?P<set>\w+)\s+)?(?P<deck>[b1-6])[.-](?P<place>\d)", re.I | re.A)


def scenario_called(name: str, scenarios: Sequence[Scenario]) -> tuple[Scenario | None, str]:
    """Return the scenario that `name` means, and an empty text.

    `name` is a name, an id, or a number such as `rotr 1.1` (the first scenario of adventure 1). If no scenario or
    several scenarios fit, the result is None and a sentence for the user.
    """
    wanted = key_of(name.rpartition("/")[2].replace("-", " ") if "/" in name else name)
    found = [each for each in scenarios if wanted and key_of(str(each["name"])) == wanted]
    if not found and (match := _PLACE.fullmatch(name.strip())):
        found = [
            each
            for each in scenarios
            if each["deck"].casefold() == match["deck"].casefold()
            and each["place"] == int(match["place"])
            and (not match["set"] or each["set"] == match["set"].casefold())
        ]
    if len(found) == 1:
        return found[0], ""
    if found:
        listed = " or ".join(f"{each['set']} {each['deck']}.{each['place']} ({each['name']})" for each in found)
        return None, f"{name!r} means several scenarios. Write {listed}."
    hint = did_you_mean(name, sorted(str(each["name"]) for each in scenarios))
    return None, f"There is no scenario {name!r}.{hint or ' `kb scenarios` lists them.'}"


def key_of(name: str) -> str:
    """Return `name` in a form for comparison: without capitals, punctuation or an article at its start."""
    return name_key(re.sub(r"^\s*(?:the|a)\s+", "", name, flags=re.I))
