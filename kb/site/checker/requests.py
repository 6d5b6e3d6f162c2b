"""What runs in the reader's browser: one question in (JSON), one answer out (JSON). It imports the pure core only.

The page sends `{"do": "check", "text": …, "name": …, "agreed": {…}}` and gets `{"report": …, "counted": …, "page": …, "share": …}`:
the report is what `kb deck check --json` prints, `counted` how many findings it has, `page` what `kb deck page` writes, with
links into the site, `share` the fragment of a link.
`{"do": "open", "share": …}` gives `{"text": …}` back.
`{"do": "rebuild", "text": …, "name": …, "fill": …}` and `{"do": "together", "files": [{"name": …, "text": …}], "owned": […], "out": […]}`
get `{"told": …, "title": …, "legal": …, "page": …}`: what `kb party rebuild --json` and `kb party check --json` print, and
pages; decks together their `files`, in which with `"mend": {"deck": number, "changes": […]}` a finding was mended first; a rebuilt table
also `decks`, the members' deck files (none while one of them has no cards yet), its `text` and `share`. With
`"refuse": {"who": …, "card": …, "refuses": …}` a member refuses a card first, or no longer does; with `asked`, the answers that the table
was written from, fixes speak the words of the questions.
`{"do": "table", "game": …, "answers": …}` gets the questions about such a table, and where nothing lacks its file as `text`.
`{"do": "form", "text": …, "changes": […], "agreed": {game: answers}}` (or `"begin": [name, set]` with its `"game"`, perhaps `"empty"`) gets
the deck file after the changes as `text`, and what the form draws: `fields`, `lines`, `counts`, `findings` with the line or group that they
are about and the change that mends them, `legal`, `formats`, `share`; `{"do": "offers", "text": …}` the cards that may come in,
`{"do": "write", "text": …, "to": …}` the deck in one of the formats. `{"do": "upgrade", "text": …, "earned": …}` begins the step to the next
deck: the form as before, besides `step`, what `kb deck upgrade --json` prints, with the changes that take a line back; `old` is the deck
before, which further questions send along.
`{"do": "prices", "keys": […]}` says what cards would cost in it, `{"do": "record"}` ends it, where it is legal: the deck after, with the
account of the step.
`{"do": "campaign", …}` is told in kb.site.checker.campaign.
`{"do": "score", "game": …, "answers": {…}}` (or `"text"` and `"name"`) gets a final position as `questions` with their `lists` of choices, the
file as `text`, and its `score`, or the `problems` that it has.
With `rules`, the ids of editions, decks that do not say by which rules they are made are judged by these.
Whatever cannot be done is answered with `{"problem": sentence}`, of names that are not known also with `mends`: texts with others.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from operator import attrgetter
from typing import Any

from kb.campaigns.record import dumped
from kb.citation import Citation, Citations
from kb.decks.contract import check_file
from kb.decks.deckfile import DEEPEST_NESTING, LARGEST_FILE, DeckFile, too_large
from kb.decks.form import (
    Field,
    FormError,
    Line,
    Offer,
    at_lines,
    changed,
    deck_of,
    deck_of_anybody,
    form_of,
    text_of,
    with_form,
)
from kb.decks.form_fixes import buttons
from kb.decks.games import Decks, decks_of, game_of
from kb.decks.names import both, split_quantity
from kb.decks.nodes import DeckFileError, DeckProblem
from kb.decks.party import (
    REFUSES,
    check_together,
    rebuild_table,
    rebuilding_of,
    refusals,
    refusing,
    with_refusal,
    with_refusals,
)
from kb.decks.problems import Finding
from kb.decks.questions import as_form, words_of
from kb.decks.reading import deck_in, decks_in
from kb.decks.remedies import form_label
from kb.decks.report import Located
from kb.decks.share import from_link, to_link
from kb.decks.upgrades import EXILED, RECORDED, Upgrading, taken_back, upgrade_decks, upgrading_of
from kb.errors import KbError
from kb.plural import counted
from kb.registry import games
from kb.site.checker.questions import agreed_on, drawn, in_lines, score, typed

Answer = dict[str, Any]
CHECKER, FORM = "check.html", "build.html"
"""The pages "Check a deck" and "Build a deck", beside that of the table."""
DEEPEST = 10 * DEEPEST_NESTING
"""Brackets open at once in a text that is read; some thousands end a browser's stack, and Python with it, before it can be told."""


MOST_EARNED = 999
"""Experience earned before a step that the form takes."""


class NotHereError(KbError):
    """A deck of a game that this site does not hold."""


class Checker:
    """Rules, facts and citations of one site.

    `records` are those of the catalog by game and kind, `cites` its entries as [id, title, source], `links` the address of
    each entry, and of each card with a page, from the top of the site.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._records: Mapping[str, Mapping[str, list[dict[str, Any]]]] = data["records"]
        self._cites = Citations()
        self._cites.update({row[0]: Citation(*row) for row in data["cites"]})
        self._links: Mapping[str, str] = data["links"]
        self._loaded: dict[str, tuple[Decks, Any]] = {}

    def answer(self, request: str) -> str:
        """Answer a request of the page; request and answer are JSON."""
        question = json.loads(request)
        if "rules" in question:
            os.environ["KB_RULES"] = ",".join(map(str, question["rules"]))
        try:
            answer = getattr(self, f"_do_{question['do']}")(question)
        except KbError as error:
            answer = {"problem": in_lines(str(error))}
            if mends := [*mended(error, str(question.get("text", "")))]:
                answer["mends"] = mends
        return json.dumps(answer, ensure_ascii=False)

    def _do_campaign(self, question: Mapping[str, Any]) -> Answer:
        # It draws with Jinja, which other forms begin sooner without.
        from kb.site.checker.campaign import CampaignRequests

        return CampaignRequests(self._game, self._cites, self._links).answer(question)

    def _game(self, game_id: str) -> tuple[Decks, Any]:
        if game_id not in self._records:
            raise NotHereError(f"This site is without {games()[game_id].title}, so it cannot check this deck.")
        if game_id not in self._loaded:
            module = decks_of(game_id)
            self._loaded[game_id] = (module, module.load_facts(lambda kind: self._of(game_id, kind)))
        return self._loaded[game_id]

    def _facts_of(self, game_id: str) -> Any:
        return self._game(game_id)[1]

    def _facts(self, file: DeckFile) -> Any:
        return self._facts_of(game_of(file).id)

    def _of(self, game: str, kind: str) -> list[dict[str, Any]]:
        return self._records[game].get(kind, [])

    def _agreed(self, question: Mapping[str, Any], file: DeckFile) -> dict[str, Any]:
        """The options of a check that the question gives, and what its table agrees on for the game of the deck."""
        game = game_of(file).id
        answers = (question.get("agreed") or {}).get(game)
        fields = form_of(game).agreed(self._facts(file)) if answers else ()
        return {**(question.get("options") or {}), **agreed_on(fields, answers or {})}

    def _do_check(self, question: Mapping[str, Any]) -> Answer:
        text = received(question, name := str(question.get("name") or "deck"))
        file = deck_of_anybody(text, name, self._facts_of)
        report = check_file(file, self._game, self._agreed(question, file))
        from kb.site.places import deck_page  # a form draws no page, and begins sooner without Jinja

        game = game_of(file).id
        module, facts = self._game(game)
        return {
            "report": report.as_json(self._cites),
            "counted": report.counted,
            "page": deck_page(file, module, facts, report, self._cites, lambda kind: self._of(game, kind), self._links),
            "share": to_link(text),
            "form": game in [each.id for each in with_form()],
        }

    def _do_form(self, question: Mapping[str, Any]) -> Answer:
        file = self._formed(question)
        game = game_of(file).id
        form, facts = form_of(game), self._facts(file)
        value = form.value(file, facts)
        changes = question.get("changes") or ()
        fields = form.fields(file, facts) if any("key" in change for change in changes) else []
        for change in changes:
            value = changed(value, change, fields)
        text = form.text(value)
        file = deck_in(text, "deck.yaml")
        try:
            lines, fields = form.lines(file, facts), form.fields(file, facts)
        except DeckFileError as error:
            raise FormError(" ".join(each.message for each in error.problems)) from error
        verdict: Answer = {"legal": False, "character": value.get("character", ""), "findings": []}
        if "old" in question:
            verdict = self._step(file, lines, fields, value, question)
        elif lines:  # a deck without cards is begun and cannot be checked yet
            report = check_file(file, self._game, self._agreed(question, file))
            verdict = {
                "legal": report.legal,
                "character": report.character,
                "findings": [self._told(finding, lines, fields) for finding in report.findings],
            }
        return {
            "counts": form.counts(file, facts),
            **verdict,
            "text": text,
            "game": game,
            "fields": [asdict(each) for each in fields],
            "name": str(value.get("name") or ""),
            "lines": [self._shown(each) for each in lines],
            "formats": [*form.formats()],
            "upgrades": upgrading_of(game) is not None,
            "steps": account_in(str(value.get("description_md") or "")),
            "share": to_link(text),
        }

    def _step(
        self,
        file: DeckFile,
        lines: Sequence[Line],
        fields: Sequence[Field],
        value: Mapping[str, Any],
        question: Mapping[str, Any],
    ) -> Answer:
        """Judge the step from the deck before to this one."""
        part, old, earned = self._upgrading(question)
        facts = self._facts(file)
        upgrade = upgrade_decks([old, file], self._game, earned, self._agreed(question, file))
        (step,) = upgrade.steps
        before, lost = form_of(game_of(file).id).lines(old, facts), value.get(EXILED) or {}
        keys = {line.key for line in (*before, *lines)}
        copies = {line.key: line.copies for line in lines}
        return {
            "legal": step.legal,
            "character": step.character,
            "findings": [self._told(finding, lines, fields) for finding in step.findings],
            "step": {
                **step.as_json(self._cites),
                "bought": [
                    {
                        "text": re.sub(r" \[(\w+)\]", lambda key: "" if key[1] in keys else key[0], line.text),
                        "links": self._linked(line.cites),
                        "changes": taken_back(line, lines, before, lost),
                    }
                    for line in step.lines
                ],
                "lost": {
                    key: [
                        {"card": key, "copies": copies[key] - 1},
                        {"key": f"{EXILED}.{key}", "value": lost.get(key, 0) + 1},
                    ]
                    for key in part.may_be_lost(old, facts)
                    if copies.get(key, 0) > 0
                },
            },
        }

    def _upgrading(self, question: Mapping[str, Any]) -> tuple[Upgrading, DeckFile, list[int]]:
        """The part that prices steps, the deck before the step, and the experience earned. Raises FormError."""
        text = str(question["old"])
        old = deck_in(received({"text": text}, "deck-before.yaml"), "deck-before.yaml")
        part, earned = upgrading_of(game_of(old).id), question.get("earned")
        if part is None:
            raise FormError(f"Decks of {game_of(old).title} are not upgraded for experience.")
        if earned is not None and (type(earned) is not int or not 0 <= earned <= MOST_EARNED):
            raise FormError(f"Experience earned is a whole number from 0 to {MOST_EARNED}.")
        return part, old, [] if earned is None else [earned]

    def _do_upgrade(self, question: Mapping[str, Any]) -> Answer:
        """The form of the step that begins with a deck."""
        part, old, _ = self._upgrading({**question, "old": question["text"]})
        begun = part.begun(old, self._facts(old))
        return {**self._do_form({**question, "old": question["text"], "text": text_of(begun)}), "old": question["text"]}

    def _do_prices(self, question: Mapping[str, Any]) -> Answer:
        part, old, _ = self._upgrading(question)
        file = self._formed(question)
        prices = part.prices(old, file, self._facts(old), [*map(str, question["keys"])], self._agreed(question, file))
        return {"prices": {key: asdict(price) for key, price in prices.items()}}

    def _do_record(self, question: Mapping[str, Any]) -> Answer:
        """The form of the deck after a step, with the account of it."""
        part, old, earned = self._upgrading(question)
        file = self._formed(question)
        agreed = self._agreed(question, file)
        (step,) = upgrade_decks([old, file], self._game, earned, agreed).steps
        before = check_file(old, self._game, self._agreed(question, old))
        # What the deck broke before stays broken, perhaps by a table's own rules; the form says so afterwards too.
        broken = {each.check for each in before.findings if each.severity == "error"}
        if wrong := [each.message for each in step.findings if each.severity == "error" and each.check not in broken]:
            raise FormError(f"A step that is not legal is not kept. {' '.join(wrong)}")
        recorded = part.recorded(old, file, self._facts(old), earned, agreed)
        return self._do_form({"text": text_of(recorded), "agreed": question.get("agreed")})

    def _told(self, finding: Finding, lines: Sequence[Line], fields: Sequence[Field]) -> Answer:
        """A finding in the words of the form, with the lines or the field that it is about, and the addresses of what it cites."""
        about, at = at_lines(lines, finding.cards), ".".join(str(each) for each in finding.at[:1]).replace(" ", ".")
        if len(about) > 1 and at:
            about = [line for line in about if line.group.startswith(at)]
        groups = {line.group for line in about or lines if about or (at and line.group.startswith(at))}
        mends = buttons(finding, about if finding.cards else lines, fields)
        changed_cards = {change.get("card") for mend in mends for change in mend.changes}
        line_keys = [line.key for line in about if len(about) == 1 or line.key in changed_cards]
        return {
            **finding.as_json(self._cites),
            "fix": finding.fix_for(form_label(labels(fields))),
            "brief": finding.problem.message,
            "field": next((field.key for field in fields if at and f"{field.key}.".startswith(f"{at}.")), None),
            "lines": line_keys,
            "group": max(groups, default=None) if len(groups) == 1 or at else None,
            "mends": [asdict(mend) for mend in mends],
            "links": self._linked(finding.cites),
        }

    def _linked(self, entries: Iterable[str]) -> list[Answer]:
        """The titles and addresses of cited entries; those without a page are left out."""
        known = (entry for entry in entries if entry in self._cites and entry in self._links)
        return [{"title": self._cites[entry].title, "url": self._links[entry]} for entry in known]

    def _formed(self, question: Mapping[str, Any]) -> DeckFile:
        """Read the deck that a request of the form begins with or goes on from."""
        if begin := question.get("begin"):
            module, facts = self._game(str(question["game"]))
            name, set_id = map(str, begin)
            text = module.new_deck(name, set_id or None, facts)
            if text is None:
                raise FormError(f"There is no {name} here.")
            file = deck_in(text, "deck.yaml")
            if question.get("empty"):
                form = form_of(game_of(file).id)
                cards = {**form.value(file, facts), "cards": form.always(file, facts)}
                file = deck_in(form.text(cards), "deck.yaml")
            return file
        name = str(question.get("name") or "deck")
        text = received(question, name)
        if "who" not in question:
            return deck_of_anybody(text, name, self._facts_of)
        who, set_id = map(str, question["who"])
        game = str(question["game"])
        return deck_of(text, name, game, who, set_id, self._facts_of)

    def _do_write(self, question: Mapping[str, Any]) -> Answer:
        file, to = self._formed(question), str(question["to"])
        form = form_of(game_of(file).id)
        return {"text": form.written(file, self._facts(file), to), "suffix": form.formats().get(to, ".yaml")}

    def _do_offers(self, question: Mapping[str, Any]) -> Answer:
        file = self._formed(question)
        offers = form_of(game_of(file).id).offers(file, self._facts(file), self._agreed(question, file))
        ordered = sorted(offers, key=lambda each: (not each.sure, each.later and "old" not in question))
        return {"offers": [self._shown(each) for each in ordered]}

    def _shown(self, card: Line | Offer) -> Answer:
        """A line or an offer, with the address of the card's page where it has one."""
        return {**asdict(card), "shown": self._links.get(card.shown, "")}

    def _do_score(self, question: Mapping[str, Any]) -> Answer:
        text = received(question, str(question["name"])) if "text" in question else None
        return score(question, text, self._cites, self._links)

    def _do_open(self, question: Mapping[str, Any]) -> Answer:
        return {"text": from_link(str(question["share"]))}

    def _do_rebuild(self, question: Mapping[str, Any]) -> Answer:
        from kb.site.decks.party_page import rebuild_page, shown

        text = received(question, name := str(question.get("name") or "table"))
        file = deck_of_anybody(text, name, self._facts_of)
        if refuse := question.get("refuse"):
            text = with_refusal(file, str(refuse["who"]), str(refuse["card"]), bool(refuse["refuses"]))
            file = deck_in(text, name)
        rebuilt = rebuild_table(file, self._game, bool(question.get("fill")))
        game, answers = game_of(file).id, typed({"answers": question.get("asked")})
        fix_of: Callable[[Finding], str] = attrgetter("fix")
        if "asked" in question and (part := rebuilding_of(game)):
            words = words_of(as_form(part.asked(self._facts(file)), answers)[0])
            # The table was answered in a form: nobody has seen the lines and keys of its file.
            rebuilt = replace(rebuilt, findings=tuple(Located(each.finding) for each in rebuilt.findings))
            fix_of = partial(Finding.fix_for, key_words=form_label(words), only=words)
        decks = shown(rebuilt, self._game(game))
        how = "rebuilt" if rebuilt.legal else "rebuilt, and a rule is broken" if rebuilt.decks else "not rebuilt"
        return {
            "told": rebuilt.as_json(self._cites),
            "title": f"{both(rebuilt.decks) or 'The table'}: {how}",
            "legal": rebuilt.legal,
            "page": rebuild_page(rebuilt, game, self._game(game), self._cites, self._links, CHECKER, fix_of),
            "decks": [
                {
                    "name": deck.name,
                    "text": deck.text,
                    "title": f"{deck.member}, rebuilt",
                    "share": to_link(deck.text),
                    "game": game,
                    "who": deck.member,
                }
                for deck in decks
            ]
            if all(deck.view for deck in decks)
            else [],
            "text": text,
            "share": to_link(text),
            **({REFUSES: refusing(answers.get(REFUSES, ""), refuse)} if refuse else {}),
        }

    def _do_table(self, question: Mapping[str, Any]) -> Answer:
        """A table as a form: what is asked of it, and its file where nothing lacks."""
        game = str(question["game"])
        part = rebuilding_of(game)
        assert part is not None
        questions, value = as_form(part.asked(self._game(game)[1]), typed(question))
        decks = {each.question.group for each in questions if each.question.file}
        answer = drawn(questions, bool(question.get("whole")), decks, self._links)
        if not value:
            return answer
        refused = refusals(typed(question).get(REFUSES, ""))
        of_members = {who: cards for who, cards in refused.items() if who in value["members"]}
        # Written as `refuse` writes them: the page compares the texts.
        return {**answer, "text": with_refusals(deck_in(f"{dumped(value)}\n", "table"), of_members)}

    def _decks_in(self, file: Mapping[str, str]) -> Iterator[DeckFile | DeckFileError]:
        """The decks in the text of a file; where it holds none what is wrong with it."""
        try:
            text = received(file, name := str(file["name"]))
            decks = [*decks_in(text, name)]
            yield from decks if len(decks) > 1 else [deck_of_anybody(text, name, self._facts_of)]
        except DeckFileError as error:
            yield error

    def _unread(self, deck: DeckFile | DeckFileError) -> DeckFileError | None:
        """Why a deck cannot be read; None when it can."""
        if isinstance(deck, DeckFileError):
            return deck
        try:
            check_file(deck, self._game, {})
        except DeckFileError as error:
            return error
        return None

    def _do_together(self, question: Mapping[str, Any]) -> Answer:
        from kb.site.decks.party_page import together_page

        owned, out = (
            [
                name
                for each in question.get(key) or ()
                for many, name in [split_quantity(str(each))]
                for _ in range(many)
            ]
            for key in ("owned", "out")
        )
        files = [dict(each) for each in question["files"]]
        if mend := question.get("mend"):
            file = files[mend["deck"]]
            formed = {**file, "text": self._do_form({**file, "changes": mend["changes"]})["text"]}
            file["text"] = self._do_write({**formed, "to": ""})["text"]  # as it is saved: a card's number has its name
        by_file = [[*self._decks_in(file)] for file in files]
        decks = [deck for each in by_file for deck in each]
        try:
            report = check_together(decks, self._game, owned, out)
        except KbError as error:
            wrong = ((at, self._unread(deck)) for at, each in enumerate(by_file) for deck in each)
            at, why = next(((at, why) for at, why in wrong if why), (None, None))
            return {
                "problem": in_lines(str(error)),
                "deck": at,
                "mends": [*mended(why, files[at]["text"] if at is not None else "")],
            }
        game, lines = report.reports[0].game, list[list[Line]]()
        with suppress(KbError):  # what no form reads has no buttons
            lines = [form_of(game).lines(deck, self._facts(deck)) for deck in decks if isinstance(deck, DeckFile)]

        apart = len(files) == len(lines)  # each deck has a file of its own, which the form reads

        def mends(among: Iterable[int], finding: Finding) -> list[Answer]:
            return [
                {"deck": at, "words": f"{each.words} ({report.reports[at].character})", "changes": each.changes}
                for at in (among if apart else ())
                for each in buttons(finding, lines[at])
            ]

        form_at = [f"{FORM}#deck={to_link(file['text'])}&now" for file in files if apart]
        return {
            "files": files,
            "told": report.as_json(self._cites),
            "title": f"{counted(len(report.reports), 'deck')} {report.verdict}",
            "legal": report.legal,
            "page": together_page(report, self._cites, self._links, mends, form_at),
        }


def account_in(description: str) -> list[str]:
    """The lines of the recorded steps in a deck's description."""
    _, mark, steps = description.partition(RECORDED)
    lines = re.sub(r"\*\*| \[\w+\]", "", f"{mark}{steps}").splitlines()
    return [line.removeprefix("- ") for line in lines if line]


def labels(fields: Sequence[Field]) -> dict[str, str]:
    """The labels of a form's fields by their keys, and by the first part of the key."""
    return {key: field.label for field in reversed(fields) for key in (field.key.partition(".")[0], field.key)}


def mended(error: BaseException | None, text: str) -> Iterator[dict[str, str]]:
    """A text with another name in the place of each that is not known, or without its line: the words for that, and the text after."""
    if not isinstance(error, DeckFileError):
        error = error.__cause__ if error is not None else None
    lines = text.splitlines()
    for each in error.problems if isinstance(error, DeckFileError) else ():
        typed = re.compile(rf"(?<!\w){re.escape(each.typed)}(?!\w)")
        at = next((at for at, line in enumerate(lines) if each.typed and typed.search(line)), None)
        if at is None:
            continue
        for name in each.meant:
            before, after = typed.split(lines[at], maxsplit=1)
            other = [*lines[:at], f"{before}{name}{after}", *lines[at + 1 :]]
            yield {"words": f"“{each.typed}” is {name}", "text": "\n".join(other)}
        if each.line and split_quantity(lines[at].lstrip("-*• "), levels=True)[1] == each.typed:
            yield {"words": f"Leave out “{each.typed}”", "text": "\n".join([*lines[:at], *lines[at + 1 :]])}


def received(question: Mapping[str, Any], name: str) -> str:
    """The text that the page sends, without the mark that some programs begin a file with. Raises DeckFileError when it is too large or
    too deep."""
    text = str(question["text"]).removeprefix("\ufeff")
    if len(text.encode("utf-8", "surrogatepass")) > LARGEST_FILE:
        raise too_large(name)
    return not_too_deep(text, name)


def not_too_deep(text: str, name: str) -> str:
    """The text as it is. Raises DeckFileError when more brackets are open at once than the browser's stack may bear."""
    open_now = 0
    for match in re.finditer(r"[\[\]{}]", text):
        open_now = open_now + 1 if match[0] in "[{" else max(0, open_now - 1)
        if open_now > DEEPEST:
            line = text.count("\n", 0, match.start()) + 1
            raise DeckFileError(name, [DeckProblem(line, f"is nested deeper than {DEEPEST_NESTING} levels.")])
    return text
