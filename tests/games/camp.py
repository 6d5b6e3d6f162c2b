"""A campaign to write games into, and decks, tables and games that are mended by what the findings say."""

from kb.campaigns.folder import read_folder
from kb.campaigns.record import append, begin
from kb.campaigns.replay import replay_folder


class Camp:
    """A campaign that begins with `head`."""

    def __init__(self, folder, table, head):
        self.folder, self.table = folder, table
        begin(folder, head, {})

    def play(self, text):
        append(self.folder, "game", text, {})
        return self.replay()

    def replay(self):
        return replay_folder(read_folder(self.folder), self.table)

    def said(self, text):
        """Check, severity and line of the findings of a game."""
        return [(each.finding.check, each.finding.severity, each.line) for each in self.play(text).steps[-1].findings]

    def errors(self, text):
        replay = self.play(text)
        assert replay.readable, replay.steps[-1].problems
        return named((each.finding for each in replay.steps[-1].findings), "error")


def named(findings, *severities):
    """The findings of these severities by check and message."""
    return {(each.check, each.message): each for each in findings if each.severity in severities}


def mend(told, judged, follow, known=""):
    """Follow the first fix to the letter until nothing is found: each ends its finding and brings none of another check."""
    found = judged(told)
    assert found
    for _ in range(30):
        if not found:
            break
        before, (key, finding) = found, next(iter(found.items()))
        told = follow(told, finding)
        found = judged(told)
        assert key not in found, told
        assert {check for check, _ in found} <= {check for check, _ in before} or finding.check == known, finding
    assert not found
    return told
