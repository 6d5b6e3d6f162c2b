"""Campaigns on the site: the same questions, replay and files as in `kb campaign`.

The page stores a campaign's folder as texts by path, and sends the whole folder with each request (see
kb.site.checker.messages.CampaignRequest). The answer contains the `files` after the request, and either `shown` (the
replayed campaign) or the questions of a form.
"""

from __future__ import annotations

import base64
import io
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from kb.campaigns.campaign import CampaignStep
from kb.campaigns.conversation import AGREED, DECKS, asked_of, beginning, begun_with, recording
from kb.campaigns.draft import draft, first_file, game_file
from kb.campaigns.folder import CAMPAIGN_FILE, LARGEST, CampaignError, number_of, read_folder
from kb.campaigns.game_campaign import AnyCampaign, campaigns_of
from kb.campaigns.record import DECKS as KEPT
from kb.campaigns.record import begin, take_back
from kb.campaigns.replay import OpenCampaign
from kb.citation import Citation
from kb.decks.deckfile import decode_deck
from kb.decks.games import RulesOf
from kb.decks.nodes import DeckFileError
from kb.decks.party import RebuildStep, Refusable
from kb.decks.problems import At, Finding
from kb.decks.questions import Asked, as_form, words_of
from kb.decks.remedies import form_label
from kb.files.folders import OutsideError, inside
from kb.registry import About, games
from kb.shapes import Jsonable
from kb.site.campaign import campaign_page
from kb.site.checker.campaign_answers import (
    FoundInGame,
    GamePreview,
    LinkedCitation,
    NextGameAnswer,
    ReplayAnswer,
    SetupAnswer,
    ShownCampaign,
    ZipAnswer,
)
from kb.site.checker.messages import CampaignRequest
from kb.site.checker.questions import drawn
from kb.site.checker.refusals import REFUSES, refusals, refusing
from kb.sources.cards import slug

MOST_FILES, LARGEST_FOLDER = 2_000, 4_000_000
EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip can store. A device whose clock was never set may show an earlier time."""
LARGEST_ZIP = 4 * LARGEST_FOLDER
"""The maximum length of a zip in base64. This length is more than the largest folder needs without compression."""
KINDS = (".yaml", ".yml", ".json", ".txt", ".deck", ".o8d")
"""The extensions of files that a campaign may contain. Other files in a zip are ignored."""
DO_NOT_FIT = (
    "Nothing was replaced. Change the setup to fit the recorded games, or undo these games first and record them again."
)
NO_ZIP = "This is not a readable campaign zip"


def with_campaigns(there: Mapping[str, Any]) -> list[About]:
    """Return the games that can record campaigns, among the games whose ids are in `there`."""
    return [about for about in games().values() if about.id in there and about.campaign and not about.foreign]


class CampaignRequests:
    """Answers the page's requests about campaigns.

    `rules_of` returns the rules and facts of a game. `cites` are the entries that findings cite, and `links` their
    addresses.
    """

    def __init__(self, rules_of: RulesOf, cites: Mapping[str, Citation], links: Mapping[str, str]) -> None:
        self._rules_of, self._cites, self._links = rules_of, cites, links

    def answer(self, request: CampaignRequest) -> Jsonable:
        """Return the answer to a request about a campaign. Raises KbError."""
        done: dict[str, Callable[[Path, CampaignRequest], Jsonable]] = {
            "show": self._show,
            "begin": self._begin,
            "record": self._record,
            "undo": self._undo,
            "pack": self._pack,
            "unpack": self._unpack,
        }
        with folder_of(request.folder) as folder:
            return done[request.what](folder, request)

    def _open(self, folder: Path) -> OpenCampaign:
        return OpenCampaign(read_folder(folder), self._rules_of)

    def _show(self, folder: Path, request: CampaignRequest) -> ReplayAnswer:
        campaign = self._open(folder)
        part, replay = campaign.part, campaign.replay()
        begun, asked = list[Asked](), list[Asked]()
        if replay.readable and any(each.finding.remedies for step in replay.steps for each in step.findings):
            answers, decks = begun_with(campaign, files_of(folder))
            begun = as_form(beginning(part, campaign.rules, decks), answers)[0]
            asked = as_form(recording(campaign, rebuild=False), {}, guess=True)[0]
        page = campaign_page(
            replay,
            self._cites,
            self._links,
            lambda found, step: in_form(found, question_about(found, asked if step.number else begun, part)[0]),
        )
        shown = ShownCampaign(
            game=part.game,
            title=replay.title,
            games=replay.games,
            last=replay.played[-1].title if replay.games else "",
            legal=replay.legal and replay.readable,
            dice=replay.dice,
            page=page,
        )
        return ReplayAnswer(files_of(folder), shown)

    def _begin(self, folder: Path, request: CampaignRequest) -> SetupAnswer:
        campaign = self._open(folder) if (folder / CAMPAIGN_FILE).is_file() else None
        part = campaign.part if campaign else campaigns_of(request.game)
        begun, decks = begun_with(campaign, files_of(folder)) if campaign else ({}, {})
        answers = dict(request.answers or {}) or begun
        found, values = as_form(beginning(part, self._rules_of(part.game), decks), answers)
        labels = {name: label for each in found for label, name in reversed([*each.question.called.items()])}
        answer = SetupAnswer(drawn(found, request.write, (AGREED,), self._links), answers, labels)
        if values is None or not request.write:
            return answer
        texts = values.pop("texts")
        if campaign:  # keys without a question stay unchanged
            asked = {"name", *(key.name for key in asked_of(part))}
            values = {key: value for key, value in campaign.said.items() if key not in asked} | values
            for path in (folder / CAMPAIGN_FILE, *(folder / KEPT).glob("00-*")):
                path.unlink()
        begin(folder, first_file(part, values), texts)
        replay = self._open(folder).replay()
        if replay.readable:
            saved = self._show(folder, request)
            return replace(answer, files=saved.files, shown=saved.shown)
        problems = [f"{step.called}: {each.message}" for step in replay.steps for each in step.problems]
        return replace(answer, problems=(*dict.fromkeys(problems), DO_NOT_FIT))

    def _record(self, folder: Path, request: CampaignRequest) -> NextGameAnswer:
        campaign = self._open(folder)
        part, answers = campaign.part, dict(request.answers or {})
        if refuse := request.refuse:
            answers[REFUSES] = refusing(answers.get(REFUSES, ""), refuse.who, refuse.card, refuse.refuses)
        found, values = as_form(recording(campaign, decks_in(folder)), answers)
        asked = request.preview or request.write
        answer = NextGameAnswer(drawn(found, asked, (DECKS,), self._links), answers.get(REFUSES, ""))
        if values is None or not asked:
            return answer
        fill, texts = values.pop("fill"), values.pop("texts")
        there = {*values.get("joined", ()), *(deck.who for deck in part.decks(campaign.state, campaign.facts))}
        refused = refusals(answers.get(REFUSES, "")) if fill else {}
        if here := {name: cards for name, cards in refused.items() if name in there}:
            values[REFUSES] = here
        game = draft(campaign, game_file(part, values), texts, fill)
        if request.write:
            game.write(folder)
            saved = self._show(folder, request)
            return replace(answer, files=saved.files, shown=saved.shown)
        rebuilding = (
            replace(each, moves=each.moves or tuple(Refusable(line, "", ()) for line in each.lines))
            for each in game.rebuilding
        )
        return replace(answer, preview=self._preview(game.replay.steps[-1], found, part, tuple(rebuilding)))

    def _preview(
        self, step: CampaignStep, asked: Sequence[Asked], part: AnyCampaign, rebuilding: tuple[RebuildStep, ...]
    ) -> GamePreview:
        """Return the changes and findings of the game `step` before it is saved. Findings use the wording of the form's
        questions.
        """
        found = (
            FoundInGame(
                located.finding,
                located.file,
                located.line,
                in_form(located.finding, words),
                question,
                tuple(LinkedCitation(self._cites[cite], self._links.get(cite, "")) for cite in located.finding.cites),
            )
            for located in step.findings
            for words, question in [question_about(located.finding, asked, part)]
        )
        return GamePreview(step.heading, tuple(step.lines), tuple(found), rebuilding)

    def _undo(self, folder: Path, request: CampaignRequest) -> ReplayAnswer:
        played = read_folder(folder).games
        if not played:
            raise CampaignError("There is no game to undo.")
        take_back(folder, played[-1])
        return self._show(folder, request)

    def _pack(self, folder: Path, request: CampaignRequest) -> ZipAnswer:
        title = slug(self._show(folder, request).shown.title) or "campaign"
        with zipfile.ZipFile(packed := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
            now = max(time.localtime()[:6], EARLIEST)
            for name, text in files_of(folder).items():
                archive.writestr(zipfile.ZipInfo(f"{title}/{name}", now), text, zipfile.ZIP_DEFLATED)
        return ZipAnswer(base64.b64encode(packed.getvalue()).decode("ascii"), title)

    def _unpack(self, folder: Path, request: CampaignRequest) -> ReplayAnswer:
        write_files(folder, unpacked(request.zip))
        return self._show(folder, request)


def question_about(finding: Finding, asked: Sequence[Asked], part: AnyCampaign) -> tuple[Mapping[str, str], str]:
    """Find the question of a form that a finding is about.

    Return two values: the labels of the form for the keys that the finding's remedies change, and the key of the
    question to open. The second is empty if there is no such question.
    """
    keys = {*part.begins_with, *(each.question.key for each in asked)}
    place = next((each for each in finding.at if each.key in keys), At(""))
    who = place.name or finding.who
    deck = next((each for each in asked if each.question.file and each.question.person == who), None)
    if label := part.begins_with.get(place.key):  # a field of the deck's form, which the question for the deck opens
        if tile := next(
            (each.key for each in asked if each.question.group == who), ""
        ):  # or a question of the campaign's own form
            return {place.key: label}, tile
        where = f"{label} ({deck.question.of})" if deck else label
        return {place.key: where}, deck.key if deck else ""
    words = words_of(asked, place.name or (who if deck else ""))
    about = [each for each in asked if place.key and each.question.key == place.key]
    of_whom = [each for each in about if not place.name or each.question.person in ("", place.name)]
    return words, next((each.key for each in of_whom), deck.key if deck else "")


def in_form(finding: Finding, labels: Mapping[str, str]) -> str:
    """Return the finding's remedies that the form supports, as text. `labels` are the form's names for the keys of the
    file.
    """
    return finding.fix_for(form_label(labels), labels)


@contextmanager
def folder_of(files: Mapping[str, str]) -> Iterator[Path]:
    """Write the files of a campaign to a temporary folder and yield it. In a browser, the folder is in memory.

    Error messages name the files by their paths in the campaign. Raises CampaignError.
    """
    with tempfile.TemporaryDirectory() as above:
        folder = Path(above) / "campaign"
        folder.mkdir()
        write_files(folder, {str(name): str(text).encode("utf-8", "replace") for name, text in files.items()})
        try:
            yield folder
        except (DeckFileError, CampaignError) as error:
            raise CampaignError(str(error).replace(f"{folder}/", "").replace(str(folder), "The campaign")) from None


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files below `folder`. Raises CampaignError if there are too many files, a file is too large, or a name
    leads out of the folder.
    """
    if (
        len(files) > MOST_FILES
        or sum(map(len, files.values())) > LARGEST_FOLDER
        or max(map(len, files.values()), default=0) > LARGEST
    ):
        raise CampaignError(
            f"The campaign is too large: kb reads {MOST_FILES:,} files of up to {LARGEST // 1000} KB, {LARGEST_FOLDER // 1_000_000} MB in all."
        )
    for name, content in files.items():
        try:
            path = inside(folder, name)
        except OutsideError as error:
            raise CampaignError(f"{error}.") from None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        except OSError:
            raise CampaignError(f"{name} cannot be a campaign file: a folder has the same name.") from None


def files_of(folder: Path) -> dict[str, str]:
    """Return the texts of all files below a folder, by path."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): decode_deck(path.name, path.read_bytes()) for path in found}


def unpacked(text: str) -> dict[str, bytes]:
    """Return the files of a campaign in a zip. `text` is the zip in base64.

    The result maps paths to contents. Paths begin at the folder that contains campaign.yaml. Raises CampaignError.
    """
    if len(text) > LARGEST_ZIP:
        raise CampaignError("This campaign zip is too large to read.")
    try:
        with zipfile.ZipFile(io.BytesIO(base64.b64decode(text))) as archive:
            listed = [each for each in archive.infolist() if not each.is_dir()]
            heads = [each.filename for each in listed if PurePosixPath(each.filename).name == CAMPAIGN_FILE]
            if not heads:
                raise CampaignError(f"{NO_ZIP}: it has no {CAMPAIGN_FILE}.")
            top = min(heads, key=len).removesuffix(CAMPAIGN_FILE)
            wanted = [each for each in listed if each.filename.startswith(top) and each.filename.endswith(KINDS)]
            if len(wanted) > MOST_FILES or sum(each.file_size for each in wanted) > LARGEST_FOLDER:
                raise CampaignError("This campaign zip is too large to read.")
            if any(each.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for each in wanted):
                raise CampaignError(f"{NO_ZIP}: it is compressed in a way that kb cannot read.")
            found = {}
            for each in wanted:
                with archive.open(each) as file:
                    found[each.filename.removeprefix(top)] = file.read(LARGEST + 1)
            return found
    except (
        zipfile.BadZipFile,
        NotImplementedError,
        RuntimeError,
        EOFError,
        OSError,
        LookupError,
        ValueError,
        zlib.error,
    ):
        raise CampaignError(f"{NO_ZIP}.") from None


def decks_in(folder: Path) -> dict[str, str]:
    """Return the text of each owner's newest deck in a campaign's folder.

    The key is the owner: the part of the file's name after the number.
    """
    found = sorted(
        (folder / KEPT).glob("[0-9]*-*"), key=lambda path: number_of(path.name.replace(path.suffix, ".yaml"))
    )
    return {path.stem.partition("-")[2]: decode_deck(path.name, path.read_bytes()) for path in found}
