"""The JSON Schema of the messages between the page and the checker.

`python -m kb.site.checker.schema` prints it. This needs Pydantic, which the browser does not have.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from pydantic import TypeAdapter

from kb.json_schema import Described
from kb.site.checker.answers import (
    CheckAnswer,
    Failure,
    FormAnswer,
    OffersAnswer,
    OpenAnswer,
    PricesAnswer,
    RebuildAnswer,
    ScoreAnswer,
    TableAnswer,
    TogetherAnswer,
    WriteAnswer,
)
from kb.site.checker.campaign_answers import NextGameAnswer, ReplayAnswer, SetupAnswer, ZipAnswer
from kb.site.checker.messages import REQUESTS

ANSWERS: dict[str, Any] = {
    "check": CheckAnswer,
    "form": FormAnswer,
    "offers": OffersAnswer,
    "write": WriteAnswer,
    "upgrade": FormAnswer,
    "prices": PricesAnswer,
    "record": FormAnswer,
    "rebuild": RebuildAnswer,
    "table": TableAnswer,
    "together": TogetherAnswer,
    "open": OpenAnswer,
    "score": ScoreAnswer,
    "campaign": SetupAnswer | NextGameAnswer | ReplayAnswer | ZipAnswer,
}
"""The answer to each kind of request, by the name in the message's field `do`. A request that fails gets a Failure
instead.
"""


def answer_to(done: str) -> dict[str, Any]:
    """Return the JSON Schema of the answer to the request `done`."""
    answer: TypeAdapter[Any] = TypeAdapter(ANSWERS[done] | Failure)
    return answer.json_schema(mode="serialization", schema_generator=Described)


def schema() -> dict[str, dict[str, Any]]:
    """Return the JSON Schema of each request and its answer, by the name of the request."""
    return {
        name: {"request": TypeAdapter(shape).json_schema(), "answer": answer_to(name)}
        for name, shape in REQUESTS.items()
    }


if __name__ == "__main__":
    json.dump(schema(), sys.stdout, indent=2)
