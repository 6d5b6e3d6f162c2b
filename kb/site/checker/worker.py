"""The checker in the reader's browser. It receives a request as JSON and returns an answer as JSON.

This module imports only kb's pure core. The requests are the dataclasses of kb.site.checker.messages, and the answers
those of kb.site.checker.answers and campaign_answers. The answer to a failed request is a Failure.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import Any

from kb.decks.contract import check_file
from kb.decks.games import game_of
from kb.decks.share import from_link, to_link
from kb.errors import KbError
from kb.shapes import Jsonable
from kb.site.checker.answers import CheckAnswer, Failure, OpenAnswer, ScoreAnswer
from kb.site.checker.forms import DeckForms
from kb.site.checker.library import CheckerLibrary, corrections, received
from kb.site.checker.messages import (
    CampaignRequest,
    CheckRequest,
    FormRequest,
    OffersRequest,
    OpenRequest,
    PricesRequest,
    RebuildRequest,
    RecordRequest,
    Request,
    ScoreRequest,
    TableRequest,
    TogetherRequest,
    UpgradeRequest,
    WriteRequest,
    request_in,
)
from kb.site.checker.questions import score, told
from kb.site.checker.tables import Tables


class Checker:
    """Answers the page's requests. `data` has the rules, facts and citations of one site (see CheckerLibrary)."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.library = CheckerLibrary(data)
        forms = DeckForms(self.library)
        tables = Tables(self.library, forms)
        self._operations: Mapping[type[Request], Callable[[Any], Jsonable]] = {
            CheckRequest: self.check,
            FormRequest: forms.form,
            OffersRequest: forms.offers,
            WriteRequest: forms.write,
            UpgradeRequest: forms.upgrade,
            PricesRequest: forms.prices,
            RecordRequest: forms.record,
            RebuildRequest: tables.rebuild,
            TableRequest: tables.table,
            TogetherRequest: tables.together,
            OpenRequest: self.open,
            ScoreRequest: self.score,
            CampaignRequest: self.campaign,
        }

    def answer(self, message: str) -> str:
        """Answer a request of the page. `message` and the result are JSON."""
        text = ""
        try:
            request = request_in(message)
            text = str(getattr(request, "text", None) or "")
            if request.rules is not None:
                os.environ["KB_RULES"] = ",".join(request.rules)
            answer = self._operations[type(request)](request)
        except KbError as error:
            answer = Failure(told(error), mends=tuple(corrections(error, text)))
        return json.dumps(answer.as_json(self.library.cites), ensure_ascii=False)

    def check(self, request: CheckRequest) -> CheckAnswer:
        """Check a deck. Return the report, and the HTML of the deck's page."""
        file = self.library.held(request).file
        report = check_file(file, self.library.game, self.library.options(request, file))
        from kb.site.places import deck_page  # imported late: forms need no page and start faster without Jinja

        game = game_of(file).id
        module, facts = self.library.game(game)
        records = lambda kind: self.library.records(game, kind)  # noqa: E731
        page = deck_page(file, module, facts, report, self.library.cites, records, self.library.links)
        return CheckAnswer(report, report.counted, page, to_link(received(request.text, request.name)))

    def open(self, request: OpenRequest) -> OpenAnswer:
        """Return the text of the deck in a shared link."""
        return OpenAnswer(from_link(request.share))

    def score(self, request: ScoreRequest) -> ScoreAnswer:
        """Return the score of a final position, or the form with the remaining questions."""
        text = None if request.text is None else received(request.text, request.name)
        return score(request, text, self.library.cites, self.library.links)

    def campaign(self, request: CampaignRequest) -> Jsonable:
        """Carry out a request about a campaign, and return its result."""
        # Imported late because it uses Jinja: other forms do not need Jinja and start faster without it.
        from kb.site.checker.campaign import CampaignRequests

        return CampaignRequests(self.library.game, self.library.cites, self.library.links).answer(request)
