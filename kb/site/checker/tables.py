"""Parties on the site: asks for a party's data, rebuilds its decks, and checks several decks together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from operator import attrgetter
from typing import Any

from kb.campaigns.record import dumped
from kb.decks.contract import check_file
from kb.decks.deckfile import DeckFile
from kb.decks.form import FormLine, deck_of_anybody, form_of
from kb.decks.form_fixes import buttons
from kb.decks.games import game_of
from kb.decks.names import both, split_quantity
from kb.decks.nodes import DeckFileError
from kb.decks.party import check_together, rebuild_table, rebuilding_of
from kb.decks.problems import Finding
from kb.decks.questions import as_form, words_of
from kb.decks.reading import deck_in, decks_in
from kb.decks.remedies import form_label
from kb.decks.report import Located
from kb.decks.share import to_link
from kb.errors import KbError
from kb.plural import counted
from kb.site.checker.answers import Failure, NewDeckFile, RebuildAnswer, TableAnswer, TogetherAnswer
from kb.site.checker.forms import DeckForms
from kb.site.checker.library import CheckerLibrary, corrections, received
from kb.site.checker.messages import DeckFix, NamedText, RebuildRequest, TableRequest, TogetherRequest
from kb.site.checker.questions import drawn, told
from kb.site.checker.refusals import REFUSES, refusals, refusing

CHECKER, FORM = "check.html", "build.html"
"""The addresses of the pages "Check a deck" and "Build a deck", relative to the page for parties."""


class Tables:
    """Answers the page's requests about the decks of a party."""

    def __init__(self, library: CheckerLibrary, forms: DeckForms) -> None:
        self.library, self.forms = library, forms

    def rebuild(self, request: RebuildRequest) -> RebuildAnswer:
        """Rebuild the decks of a party. Return the moves of cards, the findings, the page and the new decks. Raises
        KbError.
        """
        from kb.site.decks.party_page import rebuild_page, shown

        text = received(request.text, request.name)
        file = deck_of_anybody(text, request.name, self.library.facts_of)
        part = rebuilding_of(game_of(file).id)
        if (refuse := request.refuse) and part:
            text = part.with_refusal(file, refuse.who, refuse.card, refuse.refuses)
            file = deck_in(text, request.name)
        rebuilt = rebuild_table(file, self.library.game, request.fill)
        game, answers = game_of(file).id, dict(request.asked or {})
        fix_of: Callable[[Finding], str] = attrgetter("fix")
        if request.asked is not None and part:
            words = words_of(as_form(part.asked(self.library.facts(file)), answers)[0])
            # The party was entered in a form, so the user has not seen the lines and keys of its file.
            rebuilt = replace(rebuilt, findings=tuple(Located(each.finding) for each in rebuilt.findings))
            fix_of = partial(Finding.fix_for, key_words=form_label(words), only=words)
        rules = self.library.game(game)
        decks = shown(rebuilt, rules)
        how = "rebuilt" if rebuilt.legal else "rebuilt, but a rule is broken" if rebuilt.decks else "not rebuilt"
        new = (
            NewDeckFile(deck.name, deck.text, f"{deck.member}, rebuilt", to_link(deck.text), game, deck.member)
            for deck in decks
        )
        return RebuildAnswer(
            rebuilt,
            title=f"{both(rebuilt.decks) or 'The party'}: {how}",
            legal=rebuilt.legal,
            page=rebuild_page(rebuilt, game, rules, self.library.cites, self.library.links, CHECKER, fix_of),
            decks=tuple(new) if all(deck.view for deck in decks) else (),
            text=text,
            share=to_link(text),
            refuses=refusing(answers.get(REFUSES, ""), refuse.who, refuse.card, refuse.refuses) if refuse else None,
        )

    def table(self, request: TableRequest) -> TableAnswer:
        """Return the questions about a party and, if no answer is missing, the text of its file."""
        part = rebuilding_of(request.game)
        assert part is not None
        answers = dict(request.answers)
        questions, value = as_form(part.asked(self.library.facts_of(request.game)), answers)
        decks = {each.question.group for each in questions if each.question.file}
        form = drawn(questions, request.whole, decks, self.library.links)
        if not value:
            return TableAnswer(form)
        refused = refusals(answers.get(REFUSES, ""))
        of_members = {who: cards for who, cards in refused.items() if who in value["members"]}
        # Write the refusals as `rebuild` does for `refuse`, because the page compares the texts.
        return TableAnswer(form, part.with_refusals(deck_in(f"{dumped(value)}\n", "table"), of_members))

    def together(self, request: TogetherRequest) -> TogetherAnswer | Failure:
        """Check several decks together and each by itself, after fixing one of them if `request.mend` says so. Return
        the verdict.
        """
        from kb.site.decks.party_page import together_page

        owned, out = (
            [name for each in listed for many, name in [split_quantity(each)] for _ in range(many)]
            for listed in (request.owned, request.out)
        )
        files = list(request.files)
        if (fix := request.mend) and 0 <= fix.deck < len(files):
            file = files[fix.deck]
            files[fix.deck] = replace(file, text=self.forms.mended(file.text, file.name, fix.changes))
        by_file = [[*self._decks_in(file)] for file in files]
        decks = [deck for each in by_file for deck in each]
        try:
            report = check_together(decks, self.library.game, owned, out)
        except KbError as error:
            wrong = ((at, self._unread(deck)) for at, each in enumerate(by_file) for deck in each)
            at, why = next(((at, why) for at, why in wrong if why), (None, None))
            return Failure(told(error), at, tuple(corrections(why, files[at].text if at is not None else "")))
        game, lines = report.reports[0].game, list[list[FormLine]]()
        with suppress(KbError):  # decks that no form can read have no buttons
            lines = [
                form_of(game).lines(deck, self.library.facts(deck)) for deck in decks if isinstance(deck, DeckFile)
            ]
        apart = len(files) == len(lines)  # each deck has its own file, which the form can read

        def fixes(among: Iterable[int], finding: Finding) -> list[dict[str, Any]]:
            return [
                asdict(DeckFix(deck=at, changes=each.changes, words=f"{each.words} ({report.reports[at].character})"))
                for at in (among if apart else ())
                for each in buttons(finding, lines[at])
            ]

        form_at = [f"{FORM}#deck={to_link(file.text)}&now" for file in files if apart]
        return TogetherAnswer(
            tuple(files),
            report,
            title=f"{counted(len(report.reports), 'deck')} {report.verdict}",
            legal=report.legal,
            page=together_page(report, self.library.cites, self.library.links, fixes, form_at),
        )

    def _decks_in(self, file: NamedText) -> Iterator[DeckFile | DeckFileError]:
        """Yield the decks in the text of a file, or the error if the file cannot be read."""
        try:
            text = received(file.text, file.name)
            decks = [*decks_in(text, file.name)]
            yield from decks if len(decks) > 1 else [deck_of_anybody(text, file.name, self.library.facts_of)]
        except DeckFileError as error:
            yield error

    def _unread(self, deck: DeckFile | DeckFileError) -> DeckFileError | None:
        """Return the error if a deck cannot be read, else None."""
        if isinstance(deck, DeckFileError):
            return deck
        try:
            check_file(deck, self.library.game, {})
        except DeckFileError as error:
            return error
        return None
