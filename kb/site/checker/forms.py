"""Draws and changes the form of a deck on the site, lists cards to add, and prepares the upgrade to the next deck.

A step is an upgrade: it leads from one deck of a campaign to the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kb.decks.contract import check_file
from kb.decks.deckfile import DeckFile, deck_of_value
from kb.decks.form import (
    Change,
    Field,
    FormError,
    FormLine,
    KeyChange,
    at_lines,
    changed,
    form_of,
    text_of,
)
from kb.decks.form_fixes import buttons
from kb.decks.games import game_of
from kb.decks.nodes import DeckFileError
from kb.decks.problems import Finding
from kb.decks.reading import deck_in
from kb.decks.remedies import Exchange, Remove, form_label
from kb.decks.report import Report
from kb.decks.share import to_link
from kb.decks.upgrades import StepReport, Upgrading, upgrade_decks, upgrading_of
from kb.site.checker.answers import Bought, FormAnswer, FoundOnForm, OffersAnswer, PricesAnswer, StepOnForm, WriteAnswer
from kb.site.checker.library import CheckerLibrary, HeldDeck
from kb.site.checker.messages import (
    DeckRequest,
    FormRequest,
    OffersRequest,
    PricesRequest,
    RecordRequest,
    StepRequest,
    UpgradeRequest,
    WriteRequest,
)

MOST_EARNED = 999
"""The most experience that a user can enter as earned before an upgrade."""


class DeckForms:
    """Answers the page's requests about one deck in a form."""

    def __init__(self, library: CheckerLibrary) -> None:
        self.library = library

    def form(self, request: FormRequest) -> FormAnswer:
        """Return the form of a deck after the requested changes. Raises KbError."""
        held = self._begun(request) if request.begin else self.library.held(request)
        return self._drawn(*self._changed(held, request.changes), request)

    def offers(self, request: OffersRequest) -> OffersAnswer:
        """Return the cards that the character may take. Cards that are certainly allowed come first."""
        file = self.library.held(request).file
        offers = form_of(game_of(file).id).offers(file, self.library.facts(file), self.library.options(request, file))
        ordered = sorted(offers, key=lambda each: (not each.sure, each.later and request.old is None))
        return OffersAnswer(tuple(self.library.shown(each) for each in ordered))

    def write(self, request: WriteRequest) -> WriteAnswer:
        """Return the text of the deck in the requested format, and the file extension for it."""
        file = self.library.held(request).file
        form = form_of(game_of(file).id)
        text = form.written(file, self.library.facts(file), request.to)
        return WriteAnswer(text, form.formats().get(request.to, ".yaml"))

    def upgrade(self, request: UpgradeRequest) -> FormAnswer:
        """Return the form of a new upgrade, which starts from the requested deck."""
        part, old, _ = self._step_from(request, request.text)
        begun = part.begun(self._value(old))
        step = FormRequest(**{**_fields(request), "old": request.text})
        return replace(self._drawn(*self._written(game_of(old.file).id, begun), step), old=request.text)

    def prices(self, request: PricesRequest) -> PricesAnswer:
        """Return what one more copy of each requested card costs in an upgrade, by the card's key."""
        part, old, _ = self._step_from(request)
        file = self.library.held(request).file
        options = self.library.options(request, file)
        return PricesAnswer(part.prices(old.file, file, self.library.facts(file), request.keys, options))

    def record(self, request: RecordRequest) -> FormAnswer:
        """Record a legal upgrade in the deck, and return the form of the resulting deck. Raises FormError if the
        upgrade is not legal.
        """
        part, old, earned = self._step_from(request)
        held = self.library.held(request)
        options = self.library.options(request, held.file)
        (step,) = upgrade_decks([old.file, held.file], self.library.game, earned, options).steps
        errors = [each for each in step.findings if each.severity == "error"]
        # Earlier errors of the deck do not block the step, since house rules may allow them; the form still shows them.
        broken = (
            {each.check for each in self._report(old.file, request).findings if each.severity == "error"}
            if errors
            else ()
        )
        if wrong := [each.message for each in errors if each.check not in broken]:
            raise FormError(f"An upgrade that is not legal cannot be recorded. {' '.join(wrong)}")
        recorded = part.recorded(self._value(held), step)
        after = FormRequest(agreed=request.agreed, options=request.options)
        return self._drawn(*self._written(game_of(held.file).id, recorded), after)

    def _begun(self, request: FormRequest) -> HeldDeck:
        """Return a new deck for a character. An empty deck contains only the cards that every deck of the character
        contains.

        Raises FormError for an unknown character.
        """
        assert request.begin is not None
        module, facts = self.library.game(request.game)
        name, set_id = request.begin
        text = module.new_deck(name, set_id or None, facts)
        if text is None:
            raise FormError(f"There is no character {name}.")
        file = deck_in(text, "deck.yaml")
        if not request.empty:
            return HeldDeck(file)
        form = form_of(request.game)
        return HeldDeck(file, {**form.value(file, facts), "cards": form.always(file, facts)})

    def _changed(self, held: HeldDeck, changes: Sequence[Change]) -> tuple[DeckFile, dict[str, Any]]:
        """Apply changes to a deck. Return the new deck and the values of its form. Raises FormError."""
        game = game_of(held.file).id
        form, facts, value = form_of(game), self.library.facts_of(game), self._value(held)
        fields = form.fields(held.file, facts) if any(isinstance(change, KeyChange) for change in changes) else []
        for change in changes:
            value = changed(value, change, fields)
        return self._written(game, value)

    def _value(self, held: HeldDeck) -> dict[str, Any]:
        """Return the values of a deck's form. Raises DeckFileError if the deck cannot be read."""
        if held.value is not None:
            return held.value
        return form_of(game_of(held.file).id).value(held.file, self.library.facts(held.file))

    def _written(self, game: str, value: Mapping[str, Any]) -> tuple[DeckFile, dict[str, Any]]:
        """Return the deck of `game` with the keys in `value`, and the values of its form.

        The deck is cached in the library. Its text is written but not parsed again.
        """
        form = form_of(game)
        keys = form.keys(value)
        file = deck_of_value(keys, "deck.yaml", text_of(keys))
        same = keys == value  # otherwise the form counts cards by its own keys, which it reads from the file
        self.library.hold(file, keys if same else None)
        return file, keys if same else form.value(file, self.library.facts_of(game))

    def _report(self, file: DeckFile, request: DeckRequest) -> Report:
        """Check a deck with the agreements of its party, and return the report."""
        return check_file(file, self.library.game, self.library.options(request, file))

    def _drawn(self, file: DeckFile, value: Mapping[str, Any], request: FormRequest) -> FormAnswer:
        """Return the data that the page draws a deck's form from.

        The data includes the verdict on the deck, or the verdict on the upgrade if `request.old` is given. Raises
        FormError if the deck cannot be read.
        """
        game = game_of(file).id
        form, facts = form_of(game), self.library.facts_of(game)
        try:
            lines, fields = form.lines(file, facts), form.fields(file, facts)
        except DeckFileError as error:
            raise FormError(" ".join(each.message for each in error.problems)) from error
        part = upgrading_of(game)
        verdict: Report | StepReport | None = None
        if request.old is not None:
            step = self._step(file, lines, value, request)
            verdict = step.report
        else:
            step = None
            if lines:  # a deck without cards cannot be checked
                verdict = self._report(file, request)
        return FormAnswer(
            counts=tuple(form.counts(file, facts)),
            legal=verdict is not None and verdict.legal,
            character=verdict.character if verdict else str(value.get("character", "")),
            findings=tuple(self._found(each, lines, fields) for each in (verdict.findings if verdict else ())),
            text=file.text,
            game=game,
            fields=tuple(fields),
            name=str(value.get("name") or ""),
            lines=tuple(self.library.shown(each) for each in lines),
            aside=tuple(self.library.shown(each) for each in form.aside(file, facts)),
            formats=tuple(form.formats()),
            upgrades=part is not None,
            steps=tuple(part.records(value)) if part is not None else (),
            share=to_link(file.text),
            step=step,
        )

    def _step(
        self, file: DeckFile, lines: Sequence[FormLine], value: Mapping[str, Any], request: FormRequest
    ) -> StepOnForm:
        """Check the upgrade from the deck `request.old` to the deck `file`. Return the verdict and the cards bought."""
        part, old, earned = self._step_from(request)
        options = self.library.options(request, file)
        (step,) = upgrade_decks([old.file, file], self.library.game, earned, options).steps
        changes = part.changes(step, old.file, lines, value, self.library.facts(file))
        bought = (
            Bought(text, self.library.linked(line.cites), undo)
            for line, (text, undo) in zip(step.lines, changes.lines, strict=True)
        )
        return StepOnForm(step, tuple(bought), changes.lost)

    def _step_from(self, request: StepRequest, before: str | None = None) -> tuple[Upgrading, HeldDeck, list[int]]:
        """Return the game's part that prices upgrades, the deck before the upgrade, and the experience earned (empty if
        unknown).

        `before` is the text of that deck; by default it is `request.old`. Raises FormError.
        """
        text = before if before is not None else request.old or ""
        old = self.library.held(DeckRequest(text=text, name="deck-before.yaml"))
        about, earned = game_of(old.file), request.earned
        part = upgrading_of(about.id)
        if part is None:
            raise FormError(f"Decks of {about.title} are not upgraded with experience.")
        if earned is not None and (type(earned) is not int or not 0 <= earned <= MOST_EARNED):
            raise FormError(f"The experience earned must be a whole number from 0 to {MOST_EARNED}.")
        return part, old, [] if earned is None else [earned]

    def _found(self, finding: Finding, lines: Sequence[FormLine], fields: Sequence[Field]) -> FoundOnForm:
        """Return a finding for the form: the lines or the field that it concerns, its buttons, and the
        addresses of its rules.
        """
        about, at = at_lines(lines, finding.cards), ".".join(str(each) for each in finding.at[:1]).replace(" ", ".")
        if len(about) > 1 and at:
            about = [line for line in about if line.group.startswith(at)]
        groups = {line.group for line in about or lines if about or (at and line.group.startswith(at))}
        fixes = buttons(finding, about if finding.cards else lines, fields)
        held = sum(line.copies for line in about)
        leaving = [each.copies for each in finding.remedies if isinstance(each, (Remove, Exchange))]
        leave = finding.limit == 0 or any(copies >= held for copies in leaving)
        return FoundOnForm(
            finding,
            fix=finding.fix_for(form_label(labels(fields))),
            brief=finding.problem.message,
            field=next((field.key for field in fields if at and f"{field.key}.".startswith(f"{at}.")), None),
            lines=tuple(line.key for line in about if len(about) == 1 or leave),
            group=max(groups, default=None) if len(groups) == 1 or at else None,
            mends=tuple(fixes),
            links=self.library.linked(finding.cites),
        )

    def mended(self, text: str, name: str, changes: Sequence[Change]) -> str:
        """Apply changes to the deck in `text`, and return the new text in the form's default format."""
        file, _ = self._changed(self.library.held(DeckRequest(text=text, name=name)), changes)
        form = form_of(game_of(file).id)
        return form.written(file, self.library.facts(file), "")


def _fields(request: StepRequest) -> dict[str, Any]:
    """Return the values of a request that describe its deck, for use in another request about the same deck."""
    names = ("text", "name", "game", "who", "agreed", "options", "old", "earned")
    return {name: getattr(request, name) for name in names}


def labels(fields: Iterable[Field]) -> dict[str, str]:
    """Return the label of each field by its key. If a key contains a dot, the part before it has the same label."""
    return {key: field.label for field in reversed([*fields]) for key in (field.key.partition(".")[0], field.key)}
