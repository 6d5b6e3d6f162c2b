"""A campaign in which tests play games, and functions that follow the remedies of findings until nothing is wrong."""

from itertools import count

import pytest
import yaml

from kb.campaigns.folder import read_folder
from kb.campaigns.record import append, begin
from kb.campaigns.replay import OpenCampaign
from tests.tables import read

KEYS = {*"begin more play wrong mended all some none says problems legal step changes decks next".split()}  # noqa: SIM905


class Camp:
    """A campaign in `folder` that begins with the text `head` as its campaign.yaml. `table` contains the facts of all
    games.
    """

    def __init__(self, folder, table, head):
        self.folder, self.table = folder, table
        begin(folder, head, {})

    def play(self, text):
        append(self.folder, "game", text, {})
        return self.replay()

    def open(self):
        return OpenCampaign(read_folder(self.folder), self.table.game)

    def replay(self):
        return self.open().replay()

    def errors(self, text):
        replay = self.play(text)
        assert replay.readable, replay.steps[-1].problems
        return named((each.finding for each in replay.steps[-1].findings), "error")


def named(findings, *severities):
    """Return the findings with one of these severities, as a dict with keys (check id, message)."""
    return {(each.check.id, each.message): each for each in findings if each.severity in severities}


def mend(told, judged, follow, known=""):
    """Follow the first remedy of the first finding until no finding is left, and return the corrected value.

    Each remedy must end its finding. It must not make another check report something, unless its finding is from the
    check `known`. `judged` returns the findings of a value by key; `follow` returns the value after a remedy.
    """
    found = judged(told)
    assert found
    for _ in range(30):
        if not found:
            break
        before, (key, finding) = found, next(iter(found.items()))
        told = follow(told, finding)
        found = judged(told)
        assert key not in found, f"following the fix does not end this finding: {finding}\n{told}"
        assert {check for check, _ in found} <= {check for check, _ in before} or finding.check.id == known, finding
    assert not found
    return told


class Evenings:
    """The games in a file of tests/data/campaigns; the README there explains its keys. `text_of` converts a row of the
    file to the text of a campaign file.
    """

    def __init__(self, name, text_of=str):
        self.walks = read(f"campaigns/{name}.yaml")
        self.campaigns, self.text_of = self.walks.pop("campaigns"), text_of

    def of(self, step):
        return self.campaigns[step.get("begin", next(iter(self.campaigns)))]

    def begun(self, folder, table, step):
        told = self.of(step)
        camp = Camp(folder, table, self.text_of(told["head"]) + step.get("more", ""))
        if "before" in told:
            camp.play(self.text_of(told["before"]))
        return camp

    def game(self, step):
        """Return the game in a row as the text of a file."""
        if "wrong" in step and isinstance(step["wrong"], str):
            return self.of(step)["wrong"] + step["wrong"]
        return self.text_of(step.get("play", step.get("wrong", step.get("mended"))))

    def test(self):
        """Return a parametrized test function that plays the games of each evening."""

        @pytest.mark.parametrize("walk", self.walks)
        def test_evening(walk, tmp_path, table):
            for number, step in enumerate(self.walks[walk]):
                if "mended" in step:
                    continue
                if not number or "begin" in step or "wrong" in step:
                    camp = self.begun(tmp_path / str(number), table, step)
                assert step.keys() <= KEYS, step.keys() - KEYS
                wrong = list(unlike(camp.play(self.game(step)), step))
                wrong += (
                    []
                    if "next" not in step or camp.open().coming()["scenario"] == step["next"]
                    else [f"next: {camp.open().coming()}"]
                )
                assert not wrong, "\n".join([self.game(step), *wrong])

        return test_evening

    def is_mended(self, step):
        """Return True if the remedies of this row's findings must be followed."""
        return "mended" in step or ("wrong" in step and any(" error" in each for each in step.get("some", ())))

    def test_fixes(self, follow, last="-"):
        """Return a parametrized test function that follows the remedies of each error.

        `follow` returns the game after a remedy. Findings of the check called `last` come after all others.
        """

        @pytest.mark.parametrize(
            "row", [step for walk in self.walks.values() for step in walk if self.is_mended(step)], ids=str
        )
        def test_fix(row, tmp_path, table):
            turn = count()

            def fresh():
                return self.begun(tmp_path / str(next(turn)), table, row)

            def errors(game):
                said = {key: value for key, value in game.items() if value not in (None, [], {})}
                found = fresh().errors(yaml.safe_dump(said or {"notes": ""}, sort_keys=False))
                return dict(sorted(found.items(), key=lambda each: each[1].check.id == last))

            game = yaml.load(self.game(row), yaml.BaseLoader)
            mend(game, errors, lambda game, finding: follow(game, finding, fresh()))

        return test_fix


def unlike(replay, step):
    """Yield the differences between the campaign after its last game and the expectations in a row, as texts."""
    last = replay.steps[-1]
    found = [f"{each.finding.check.id} {each.finding.severity} {each.line}" for each in last.findings]
    changes = [f"{each.who}: {each.text}" for each in last.changes]
    problems = [f"{each.line}: {each.message}" for each in last.problems]
    pairs = {
        "all": found,
        "legal": replay.legal,
        "step": [last.title, last.outcome, last.date, last.notes],
        "decks": [deck.heading for deck in replay.decks],
    }
    for key, value in pairs.items():
        if key in step and value != step[key]:
            yield f"{key}: {value}"
    left = list(found)
    for each in step.get("some", ()):
        if there := next((one for one in left if one.startswith(each)), None):
            left.remove(there)
        else:
            yield f"no {each} in {found}"
    yield from (f"{each} in {found}" for each in step.get("none", ()) if any(one.startswith(each) for one in found))
    yield from (f"no {each} in {changes}" for each in step.get("changes", ()) if each not in changes)
    if "says" in step and not any(step["says"] in each.finding.message for each in last.findings):
        yield f"no {step['says']} in {[each.finding.message for each in last.findings]}"
    for each in step.get("problems", ()):
        line, _, words = each.partition(": ")
        if not any(one.startswith(f"{line}:") and words in one for one in problems):
            yield f"no {each} in {problems}"
    if bool(problems) != bool(step.get("problems")):
        yield f"problems: {problems}"
